"""Plays Mancala by alpha-beta search, a ply deeper each time until the time is nearly over."""

import math
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where palestra.py is, unless it lies beside this file

import palestra

WIN = 1_000_000
MAX_DEPTH = 60
DEPTH_WITHOUT_LIMIT = 5  # how deep to look when the arena sets no limit at all


def evaluate(position: palestra.Mancala) -> float:
    """How good the position is for the side to move: seeds in store, and a little for seeds that are still in its pits.

    Here your own ideas belong: seeds that can be captured, moves that keep the turn, pits that are too full."""
    own, opponent = position.seeds[position.turn - 1], position.seeds[2 - position.turn]
    return 10 * (own[0] - opponent[0]) + sum(own[1:]) - sum(opponent[1:])


class TimeOver(Exception):
    """The time for this move is nearly over."""


class Search:
    """The search for one move."""

    def __init__(self, turn: palestra.Turn) -> None:
        self.turn = turn
        self.states = 0
        self.max_states = math.inf if turn.states is None else turn.states

    def best(self, position: palestra.Mancala, depth: int, moves: list[str]) -> tuple[float, str]:
        """The value of the position and its best move, looking so many plies ahead. Moves are tried in this order."""
        best_value, best_move = -math.inf, moves[0]
        for move in moves:
            value = self.value_after(position, move, depth, best_value, math.inf)
            if value > best_value:
                best_value, best_move = value, move
        return best_value, best_move

    def value(self, position: palestra.Mancala, depth: int, alpha: float, beta: float) -> float:
        """The value for the side to move. Only whether it lies between alpha and beta matters: below, the side has
        something better elsewhere; above, the opponent has, and will not let it come to this."""
        self.count_state()
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

    def value_after(self, position: palestra.Mancala, move: str, depth: int, alpha: float, beta: float) -> float:
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


def choose(position: palestra.Mancala, turn: palestra.Turn) -> str:
    moves = position.moves()
    if len(moves) == 1:
        return moves[0]
    search = Search(turn)
    try:
        for depth in range(1, deepest(turn) + 1):
            value, move = search.best(position, depth, moves)
            turn.info(depth=depth, score=value, states=search.states, pv=[move])
            # The next search looks at the best move first. One that is broken off changes nothing.
            moves.remove(move)
            moves.insert(0, move)
            if abs(value) >= WIN:
                break  # it is decided
    except TimeOver:
        pass
    return moves[0]


def deepest(turn: palestra.Turn) -> int:
    """How deep to look at most: without any limit the search has to end by itself."""
    if turn.depth is not None:
        return turn.depth
    limited = turn.states is not None or turn.time_left() < math.inf
    return MAX_DEPTH if limited else DEPTH_WITHOUT_LIMIT


palestra.run(choose, name="AlphaBeta")
