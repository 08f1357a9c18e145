# Counts moves from 0.
import sys

legal = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("ready", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print("move", int(legal[0]) - 1, flush=True)
    elif word == "ping":
        print("pong", *rest, flush=True)
    elif word == "bye":
        break
