# A thread of its own computes all the time.
import sys
import threading


def ponder():
    while True:
        pass


threading.Thread(target=ponder, daemon=True).start()
legal = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("ready", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print("info depth 1 score 0.5 text as good as any", flush=True)
        print("move", legal[0], flush=True)
    elif word == "ping":
        print("pong", *rest, flush=True)
    elif word == "bye":
        break
