# Always looks at the pits of side 1.
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("ready", flush=True)
    elif word == "position":
        pits = rest[0].split(":")[1].split("/")[0].split(",")[1:]
    elif word == "go":
        print("move", 1 + next(i for i, seeds in enumerate(pits) if seeds != "0"), flush=True)
    elif word == "ping":
        print("pong", *rest, flush=True)
    elif word == "bye":
        break
