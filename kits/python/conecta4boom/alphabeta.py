"""Plays Conecta-4 Boom by alpha-beta search, a ply deeper each time until the time is nearly over."""

import math
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where palestra.py is, unless it lies beside this file

import palestra

WIN = 1_000_000
MAX_DEPTH = 60
DEPTH_WITHOUT_LIMIT = 5  # how deep to look when the arena sets no limit at all


def windows() -> list[int]:
    """All places for a line of four, as sets of cells."""
    found = []
    for column in range(7):
        for row in range(7):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + right * step, row + up * step) for step in range(4)]
                if all(0 <= c < 7 and 0 <= r < 7 for c, r in cells):
                    found.append(sum(palestra.cell(c, r) for c, r in cells))
    return found


WINDOWS = windows()
VALUES = (0, 1, 6, 12, 0)  # of a window with so many pieces of one side and none of the other


def evaluate(position: palestra.Conecta4Boom) -> float:
    """How good the position is for the side to move: places for a line where the other side has no piece yet.

    Two pieces are worth much, because a turn has two moves. Here your own ideas belong: whether the cells that are
    missing can be reached, bombs, the moves that are left in this turn."""
    own, opponent = position.pieces[position.turn - 1], position.pieces[2 - position.turn]
    value = 0
    for window in WINDOWS:
        if not opponent & window:
            value += VALUES[bin(own & window).count("1")]
        elif not own & window:
            value -= VALUES[bin(opponent & window).count("1")]
    return value


class TimeOver(Exception):
    """The time for this move is nearly over."""


def from_the_middle(move: str) -> int:
    """Moves in the middle are often good, and whoever looks at good moves first can leave out more of the others."""
    return 0 if move == palestra.BOOM else abs(int(move) - 4)


class Search:
    """The search for one move."""

    def __init__(self, turn: palestra.Turn) -> None:
        self.turn = turn
        self.states = 0
        self.max_states = math.inf if turn.states is None else turn.states

    def best(self, position: palestra.Conecta4Boom, depth: int, moves: list[str]) -> tuple[float, str]:
        """The value of the position and its best move, looking so many plies ahead. Moves are tried in this order."""
        best_value, best_move = -math.inf, moves[0]
        for move in moves:
            value = self.value_after(position, move, depth, best_value, math.inf)
            if value > best_value:
                best_value, best_move = value, move
        return best_value, best_move

    def value(self, position: palestra.Conecta4Boom, depth: int, alpha: float, beta: float) -> float:
        """The value for the side to move. Only whether it lies between alpha and beta matters: below, the side has
        something better elsewhere; above, the opponent has, and will not let it come to this."""
        self.count_state()
        if position.over:
            # The sooner a win comes the better, and the later a defeat.
            return 0 if position.winner is None else WIN + depth if position.winner == position.turn else -WIN - depth
        if depth == 0:
            return evaluate(position)
        for move in sorted(position.moves(), key=from_the_middle):
            alpha = max(alpha, self.value_after(position, move, depth, alpha, beta))
            if alpha >= beta:
                break
        return alpha

    def value_after(self, position: palestra.Conecta4Boom, move: str, depth: int, alpha: float, beta: float) -> float:
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


def choose(position: palestra.Conecta4Boom, turn: palestra.Turn) -> str:
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
