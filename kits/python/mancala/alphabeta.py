"""Plays Mancala by alpha-beta search: a ply deeper each time, up to MAX_DEPTH, while there is time.

It loses to ninja1. What it knows of the game stands in evaluate(): make that better first, then raise MAX_DEPTH. Then
look at the most promising moves before the others, and remember positions that were searched already.
"""

import math
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where palestra.py is, unless it lies beside this file

import palestra

Game = palestra.Mancala

# How many plies it looks ahead if the arena sets no depth; 1 is its own move alone. Raise it when your evaluation is
# good: the search deepens step by step, and stops when the time is nearly over.
MAX_DEPTH = 1

# More than any evaluation.
WIN = 1_000_000


def evaluate(position: palestra.Mancala) -> float:
    """How good the position is for the side to move, when nobody looks further: the seeds in its store, less those in
    the other store.

    An idea for the first evening: count what this side can win with its next move as well. A pit that ends in the store
    is worth a seed and another move, one that ends in an empty pit captures what lies opposite."""
    own, opponent = position.seeds[position.turn - 1], position.seeds[2 - position.turn]
    return own[0] - opponent[0]


class TimeOver(Exception):
    """The time for this move is nearly over."""


class Search:
    """The search for one move."""

    def __init__(self, turn: palestra.Turn) -> None:
        self.turn = turn
        # Whether `palestra check --search` compares this search with Palestra's own.
        self.is_tested = turn.settings.get("eval") == "test"
        self.states = 0
        self.max_states = math.inf if turn.states is None else turn.states

    def best(self, position: Game, moves: list[str], depth: int) -> tuple[str, float]:
        """The best of these moves and its value, looking so many plies ahead."""
        best, alpha = moves[0], -math.inf
        for move in moves:
            value = self.value_after(position, move, depth, alpha, math.inf)
            if value > alpha:
                best, alpha = move, value
        return best, alpha

    def value(self, position: Game, depth: int, alpha: float, beta: float) -> float:
        """The value for the side to move. Only whether it lies between alpha and beta matters: below, the side has
        something better elsewhere; above, the opponent has, and will not let it come to this."""
        self.count_state()
        if self.is_tested and (position.over or depth == 0):
            value = palestra.test_value(position, self.turn.seat)
            return value if position.turn == self.turn.seat else -value
        if position.over:
            # The sooner a win comes the better, and the later a defeat.
            return 0 if position.winner is None else WIN + depth if position.winner == position.turn else -WIN - depth
        if depth == 0:
            return evaluate(position)
        for move in position.moves():
            alpha = max(alpha, self.value_after(position, move, depth, alpha, beta))
            if alpha >= beta:
                break
        return alpha

    def value_after(self, position: Game, move: str, depth: int, alpha: float, beta: float) -> float:
        """The value of a move for the side that makes it."""
        after = position.play(move)
        if after.turn == position.turn:
            # The same side moves again: what is good for it then is good for it now.
            return self.value(after, depth - 1, alpha, beta)
        return -self.value(after, depth - 1, -beta, -alpha)

    def count_state(self) -> None:
        self.states += 1
        if self.turn.time_left() == 0 or self.states > self.max_states:
            raise TimeOver


def choose(position: Game, turn: palestra.Turn) -> str:
    moves = position.moves()
    if len(moves) == 1:
        return moves[0]
    search = Search(turn)
    try:
        for depth in range(1, (MAX_DEPTH if turn.depth is None else turn.depth) + 1):
            best, value = search.best(position, moves, depth)
            # The next search looks at the best move first. One that is broken off changes nothing.
            moves.remove(best)
            moves.insert(0, best)
            turn.info(depth=depth, score=value, states=search.states, pv=[best])
            if abs(value) >= WIN:
                break  # it is decided
    except TimeOver:
        pass  # the best move of the last complete search stands
    return moves[0]


# With "eval test", `palestra check --search` tests the search. Take it out if yours is to find something else than
# plain alpha-beta does.
palestra.run(choose, name="AlphaBeta", follows=("eval test",))
