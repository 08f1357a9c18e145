# Believes that sides alternate: after its own move it plays for the other one.
import sys

has_moved = False
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("ready", flush=True)
    elif word == "position":
        turn, board = rest[0].split(":")
        sides = [side.split(",")[1:] for side in board.split("/")]
    elif word == "history":
        other_moved = bool(rest)
    elif word == "go":
        side = int(turn) - 1
        if has_moved and not other_moved:
            side = 1 - side
        print("move", 1 + next(i for i, seeds in enumerate(sides[side]) if seeds != "0"), flush=True)
        has_moved = True
    elif word == "ping":
        print("pong", *rest, flush=True)
    elif word == "bye":
        break
