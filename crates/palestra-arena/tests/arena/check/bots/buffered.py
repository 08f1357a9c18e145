# Never flushes.
import sys

legal = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("ready")
    elif word == "legal":
        legal = rest
    elif word == "go":
        print("move", legal[0])
    elif word == "ping":
        print("pong", *rest)
    elif word == "bye":
        break
