# Takes its time, whatever it is told.
import sys

legal = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("ready", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        sum(range(3_000_000))
        print("move", legal[0], flush=True)
    elif word == "ping":
        print("pong", *rest, flush=True)
    elif word == "bye":
        break
