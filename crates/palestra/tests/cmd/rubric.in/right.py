# Alpha-beta for Mancala.
import sys


def play(turn, stores, pits, pit):
    stores, pits, place = stores[:], [pits[0][:], pits[1][:]], pit
    seeds, pits[turn][pit] = pits[turn][pit], 0
    for _ in range(seeds):
        place = (place - 1) % 13
        if place == 0:
            stores[turn] += 1
        elif place < 7:
            pits[turn][place] += 1
        else:
            pits[1 - turn][place - 6] += 1
    if 0 < place < 7 and pits[turn][place] == 1 and pits[1 - turn][7 - place]:
        stores[turn] += 1 + pits[1 - turn][7 - place]
        pits[turn][place] = pits[1 - turn][7 - place] = 0
    if not any(pits[0]) or not any(pits[1]):
        stores, pits = [stores[side] + sum(pits[side]) for side in (0, 1)], [[0] * 7, [0] * 7]
    return turn if place == 0 else 1 - turn, stores, pits


def search(turn, stores, pits, depth, alpha, beta):
    moves = [pit for pit in range(1, 7) if pits[turn][pit]]
    if depth == 0 or not moves:
        return stores[turn] - stores[1 - turn], None
    best = None
    for pit in moves:
        after = play(turn, stores, pits, pit)
        if after[0] == turn:
            value, _ = search(*after, depth - 1, alpha, beta)
        else:
            value = -search(*after, depth - 1, -beta, -alpha)[0]
        if value > alpha:
            alpha, best = value, pit
        if alpha >= beta:
            break
    return alpha, best


for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("ready", flush=True)
    elif word == "ping":
        print("pong", *rest, flush=True)
    elif word == "option" and rest == ["eval", "test"]:
        print("option eval test", flush=True)
    elif word == "position":
        turn, sides = rest[0].split(":")
        sides = [list(map(int, side.split(","))) for side in sides.split("/")]
        position = int(turn) - 1, [side[0] for side in sides], [[0] + side[1:] for side in sides]
    elif word == "go":
        depth = int(rest[1]) if rest[0] == "depth" else 2
        value, move = search(*position, depth, -100, 100)
        print(f"info score {value}\nmove {move}", flush=True)
    elif word == "bye":
        break
