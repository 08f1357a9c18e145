"""Plays single moves, to compare this kit's rules with others.

Reads lines `GAME POSITION MOVE`, `-` being no move, and answers each with a line about the position after the move:
`TURN OUTCOME POINTS1 POINTS2 POSITION MOVE,MOVE,...`. The outcome is 1, 2, draw, or - while the game goes on.
"""

import sys

import palestra


def answer(line: str) -> str:
    words = line.split()
    if len(words) != 3:
        return "error: a line is GAME POSITION MOVE"
    game, text, move = words
    try:
        position = palestra.parse(game, text)
    except palestra.BadPosition as error:
        return f"error: {error}"
    if move != "-":
        if not may_be_sent(position, move):
            return "error: the move is not legal here"
        position = position.play(move)
    outcome = (position.winner or "draw") if position.over else "-"
    one, two = position.points
    return f"{position.turn} {outcome} {one} {two} {position} {','.join(position.moves()) or '-'}"


def may_be_sent(position: palestra.Position, move: str) -> bool:
    """In Mancala an empty pit can be chosen too: it loses."""
    legal = position.moves()
    empty_pit = isinstance(position, palestra.Mancala) and move in ("1", "2", "3", "4", "5", "6")
    return move in legal or bool(legal) and empty_pit


sys.stdin.reconfigure(errors="replace")
for line in sys.stdin:
    print(answer(line), flush=True)
