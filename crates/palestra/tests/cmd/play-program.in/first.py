import sys

legal = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("ready", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print("move", legal[0], flush=True)
    elif word == "bye":
        break
