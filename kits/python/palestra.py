"""Palestra's kit for Python: the rules of the five games, and the conversation with the arena.

A bot is a function that is given a position and returns one of its moves:

    import palestra

    def choose(position, turn):
        return turn.legal[0]

    palestra.run(choose, name="First")

Positions of all games are used alike. They never change: `play` gives a new one.

    position.turn           the side to move, 1 or 2. Do not assume that turns alternate: only this says who moves
    position.moves()        the legal moves, as the arena writes them; none when the game is over
    position.play(move)     the position after a legal move
    position.over           whether the game is over
    position.winner         1 or 2; None for a draw, and while the game goes on
    position.points         the points of side 1 and of side 2
    str(position)           the position as the arena writes it; `Mancala.parse(text)` reads it again

It needs Python 3.9 and nothing else. Copy it beside your program, and change what you like.
"""

from __future__ import annotations

import math
import os
import queue
import re
import sys
import threading
import time
from functools import lru_cache
from itertools import groupby
from typing import Callable, ClassVar, NamedTuple, Optional, TypeVar, Union


def other(side: int) -> int:
    """The opponent of a side."""
    return 3 - side


class BadPosition(ValueError):
    """A text that is no position of the game."""


# ---------------------------------------------------------------------------------------------------------------------
# Mancala
# ---------------------------------------------------------------------------------------------------------------------


class Mancala:
    """A position of Mancala.

    `seeds[0]` are the seeds of side 1, `seeds[1]` those of side 2: first the store, then pits 1 to 6, pit 1 next to the
    store. Moves are the pits, "1" to "6".
    """

    name: ClassVar[str] = "mancala"
    __slots__ = ("turn", "seeds")

    def __init__(self, turn: int = 1, seeds: Optional[list[list[int]]] = None) -> None:
        self.turn = turn
        self.seeds = seeds or [[0, 4, 4, 4, 4, 4, 4], [0, 4, 4, 4, 4, 4, 4]]

    @classmethod
    def parse(cls, text: str) -> Mancala:
        found = re.fullmatch(r"([12]):((?:\d{1,2},){6}\d{1,2})/((?:\d{1,2},){6}\d{1,2})", text)
        if not found:
            raise BadPosition("a position is turn:store,P1..P6/store,P1..P6")
        seeds = [[int(number) for number in side.split(",")] for side in found.groups()[1:]]
        if sum(seeds[0] + seeds[1]) != 48:
            raise BadPosition("there must be 48 seeds")
        if any(seeds[0][1:]) != any(seeds[1][1:]):
            raise BadPosition("one side has no seeds in its pits: the game would have ended and banked the others")
        return same_text(text, cls(int(found[1]), seeds))

    def __str__(self) -> str:
        one, two = (",".join(map(str, side)) for side in self.seeds)
        return f"{self.turn}:{one}/{two}"

    @property
    def over(self) -> bool:
        # What is left is banked as soon as one side's pits are empty, so then both are.
        return not any(self.seeds[0][1:])

    @property
    def winner(self) -> Optional[int]:
        return more_points(self.points) if self.over else None

    @property
    def points(self) -> tuple[int, int]:
        return self.seeds[0][0], self.seeds[1][0]

    def moves(self) -> list[str]:
        own = self.seeds[self.turn - 1]
        return [pit for pit in ("1", "2", "3", "4", "5", "6") if own[int(pit)]]

    def play(self, move: str) -> Mancala:
        pit = int(move)
        own, opponent = self.seeds[self.turn - 1][:], self.seeds[2 - self.turn][:]
        if own[pit] == 0:
            # Choosing an empty pit loses everything at once.
            own, opponent, last = [0] * 7, [48] + [0] * 6, None
        else:
            last = sow(own, opponent, pit)
        if not any(own[1:]) or not any(opponent[1:]):
            own, opponent = [sum(own)] + [0] * 6, [sum(opponent)] + [0] * 6
        # The last seed in the own store: the same side moves again.
        turn = self.turn if last == 0 else other(self.turn)
        return Mancala(turn, [own, opponent] if self.turn == 1 else [opponent, own])


def sow(own: list[int], opponent: list[int], pit: int) -> int:
    """Sows a pit and captures. Returns where the last seed fell: 0 the own store, 1 to 6 an own pit, 7 or more the
    opponent's side."""
    seeds, own[pit] = own[pit], 0
    place = pit
    for _ in range(seeds):
        # Thirteen places in a circle: own pits down to 1, the own store (0), the opponent's pits from 6 (12) to 1 (7).
        # The opponent's store is left out, the pit where the seeds come from is not.
        place = (place - 1) % 13
        if place <= 6:
            own[place] += 1
        else:
            opponent[place - 6] += 1
    if 1 <= place <= 6 and own[place] == 1 and opponent[7 - place] > 0:
        own[0] += 1 + opponent[7 - place]
        own[place] = opponent[7 - place] = 0
    return place


# ---------------------------------------------------------------------------------------------------------------------
# Conecta-4 Boom and Desconecta-4 Boom
# ---------------------------------------------------------------------------------------------------------------------

# A set of cells is a number: column c is byte c, and row r its bit r, both from 0, from the left and from below. Bit 7
# of every byte is 0, so that a line that leaves a column at its top does not go on in the next one.
BOTTOM = 0x01010101010101
BOARD = 0x7F7F7F7F7F7F7F
BOOM = "boom"


def cell(column: int, row: int) -> int:
    """The set of one cell; both count from 0."""
    return 1 << (8 * column + row)


def line_starts(pieces: int) -> int:
    """The cells where lines of four begin: at their left end, or below if they are vertical."""
    starts = 0
    for step in (8, 1, 9, 7):  # to the right, up, up and right, down and right
        pairs = pieces & (pieces >> step)
        starts |= pairs & (pairs >> 2 * step)
    return starts


class Boom:
    """What the two games have in common. Moves are the columns, "1" to "7", and "boom".

    `pieces[0]` and `pieces[1]` are the pieces of sides 1 and 2, bombs included, and `bombs` is which of all these are
    bombs: sets of cells, as written above. `number` is the number of the next move, from 1.
    """

    name: ClassVar[str]
    moves_a_turn: ClassVar[int]
    bomb_every: ClassVar[int]
    __slots__ = ("turn", "number", "pieces", "bombs", "over", "winner")

    def __init__(self, number: int = 1, pieces: tuple[int, int] = (0, 0), bombs: int = 0) -> None:
        self.number = number
        self.pieces = pieces
        self.bombs = bombs
        self.turn = self.side_at(number)
        self.over = False
        self.winner: Optional[int] = None
        self._judge()

    @classmethod
    def side_at(cls, number: int) -> int:
        """Whose the move with this number is. Where a turn has two moves, the very first has one."""
        return (number + cls.moves_a_turn - 2) // cls.moves_a_turn % 2 + 1

    @classmethod
    def parse(cls, text: str) -> Boom:
        number, _, board = text.partition(":")
        rows = board.split("/")
        if not re.fullmatch(r"[1-9]\d{0,6}", number) or len(rows) != 7:
            raise BadPosition("a position is the number of the next move, a colon, and seven rows from the top")
        pieces, bombs = [0, 0], 0
        for row, symbols in zip(range(6, -1, -1), rows):
            symbols = re.sub(r"[1-7]", lambda digit: "." * int(digit[0]), symbols)
            if not re.fullmatch(r"[.xoXO]{7}", symbols):
                raise BadPosition("a row has seven cells: x and o pieces, X and O bombs, digits empty cells")
            for column, symbol in enumerate(symbols):
                if symbol != ".":
                    pieces["xo".index(symbol.lower())] |= cell(column, row)
                    bombs |= cell(column, row) if symbol.isupper() else 0
        filled = pieces[0] | pieces[1]
        if (filled & ~BOTTOM) >> 1 & ~filled:
            raise BadPosition("there is nothing below a piece")
        if any(board.count(bomb) > 1 for bomb in "XO"):
            raise BadPosition("a side has at most one bomb")
        return same_text(text, cls(int(number), (pieces[0], pieces[1]), bombs))

    def __str__(self) -> str:
        rows = ("".join(self.symbol(column, row) for column in range(7)) for row in range(6, -1, -1))
        return f"{self.number}:" + "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)

    def symbol(self, column: int, row: int) -> str:
        """What is in a cell: "x" or "o", "X" or "O" for a bomb, "." if it is empty. Both numbers count from 0, from the
        left and from below."""
        where = cell(column, row)
        for pieces, piece, bomb in ((self.pieces[0], "x", "X"), (self.pieces[1], "o", "O")):
            if pieces & where:
                return bomb if self.bombs & where else piece
        return "."

    @property
    def points(self) -> tuple[int, int]:
        return int(self.winner == 1), int(self.winner == 2)

    @property
    def next_drop_is_bomb(self) -> bool:
        """Whether a piece dropped now is a bomb: there is no choice."""
        turn_number = (self.number + self.moves_a_turn - 2) // (2 * self.moves_a_turn) + 1
        return turn_number % self.bomb_every == 0 and not self.has_bomb(self.turn)

    def has_bomb(self, side: int) -> bool:
        return self.pieces[side - 1] & self.bombs != 0

    def moves(self) -> list[str]:
        if self.over:
            return []
        filled = self.pieces[0] | self.pieces[1]
        drops = [str(column + 1) for column in range(7) if not filled & cell(column, 6)]
        return drops + [BOOM] if self.has_bomb(self.turn) else drops

    def play(self, move: str) -> Boom:
        one, two = self.pieces
        if move == BOOM:
            one, two, bombs = self._explode()
        else:
            filled = one | two
            # Adding 1 to a column carries through all its pieces to the lowest empty cell.
            landing = (filled + cell(int(move) - 1, 0)) & ~filled
            bombs = self.bombs | landing if self.next_drop_is_bomb else self.bombs
            one, two = (one | landing, two) if self.turn == 1 else (one, two | landing)
        return type(self)(self.number + 1, (one, two), bombs)

    def _explode(self) -> tuple[int, int, int]:
        """The pieces of both sides and the bombs after the explosion of the mover's bomb."""
        own, opponent = self.pieces[self.turn - 1], self.pieces[2 - self.turn]
        bomb = own & self.bombs
        row = (bomb.bit_length() - 1) % 8
        gone = self._taken(bomb, own, opponent) & (BOTTOM << row)
        # In each column that loses a piece, all above it falls by one.
        falling = ((gone >> row) * 0x7F) & ~(gone | (gone - (gone >> row)))

        def after(pieces: int) -> int:
            return (pieces & ~(gone | falling)) | ((pieces & falling) >> 1)

        return after(self.pieces[0]), after(self.pieces[1]), after(self.bombs)

    def _judge(self) -> None:
        """Works out whether the game is over, and who has won."""
        lines = (line_starts(self.pieces[0]), line_starts(self.pieces[1]))
        if lines != (0, 0):
            self.over, self.winner = True, self._winner_by(lines)
        elif self.pieces[0] | self.pieces[1] == BOARD:
            self._judge_full_board()

    # In what the games differ: what an explosion takes out of the bomb's row, who wins if there are lines, and what a
    # full board means.

    def _taken(self, bomb: int, own: int, opponent: int) -> int:
        raise NotImplementedError

    def _winner_by(self, lines: tuple[int, int]) -> int:
        raise NotImplementedError

    def _judge_full_board(self) -> None:
        raise NotImplementedError


class Conecta4Boom(Boom):
    """A position of Conecta-4 Boom: four in a line win, and a turn has two moves."""

    name = "conecta4boom"
    moves_a_turn = 2
    bomb_every = 4
    __slots__ = ()

    def _taken(self, bomb: int, own: int, opponent: int) -> int:
        return bomb | opponent

    def _winner_by(self, lines: tuple[int, int]) -> int:
        if lines[0] and lines[1]:
            return self.side_at(self.number - 1)  # whoever moved last
        return 1 if lines[0] else 2

    def _judge_full_board(self) -> None:
        # Only an own bomb can still be played. Whoever has none cannot move, and loses.
        if not self.has_bomb(self.turn):
            self.over, self.winner = True, other(self.turn)


class Desconecta4Boom(Boom):
    """A position of Desconecta-4 Boom: four in a line lose, and players take turns."""

    name = "desconecta4boom"
    moves_a_turn = 1
    bomb_every = 5
    __slots__ = ()

    def _taken(self, bomb: int, own: int, opponent: int) -> int:
        return own

    def _winner_by(self, lines: tuple[int, int]) -> int:
        # If both have a line, the one loses whose line begins lower, or else further left.
        starts = lines[0] | lines[1]
        lowest = next(starts & (BOTTOM << row) for row in range(7) if starts & (BOTTOM << row))
        first = lowest & -lowest
        return 2 if lines[0] & first else 1

    def _judge_full_board(self) -> None:
        self.over = True  # a draw


# ---------------------------------------------------------------------------------------------------------------------
# Parchís
# ---------------------------------------------------------------------------------------------------------------------

COLOURS = "YBRG"  # in the order of their turns; yellow and red are side 1, blue and green side 2
START = (4, 21, 38, 55)
LAST = (68, 17, 34, 51)  # the last square of the ring before a colour's queue
SAFE = frozenset((4, 13, 17, 21, 30, 34, 38, 47, 51, 55, 64, 68))
HOME, GOAL = 0, 90  # places: 0 home, 1 to 68 the ring, 71 to 77 the colour's own queue, 90 the goal
RING = (1 << 69) - 2  # the squares of the ring, as a set of places: place p is bit p
PLACES = (HOME, *range(1, 69), *range(71, 78), GOAL)
FULL_POOL = (1, 2, 3, 4, 5, 6)
MAX_BOUNCES = 31


class Leap(NamedTuple):
    """What a piece does with a die."""

    to: int
    path: int  # the squares, as a set, where walls of other colours would stop it
    bounces: bool


def distance_to_goal(colour: int, place: int) -> int:
    """The steps to the goal for a piece of a colour (0 to 3); 74 from home."""
    if place == HOME:
        return 74
    if place == GOAL:
        return 0
    return 78 - place if place > 70 else (LAST[colour] - place) % 68 + 8


@lru_cache(maxsize=None)
def leap(colour: int, place: int, steps: int) -> Leap:
    """Where a piece on the ring or in its queue gets with so many steps."""
    left = distance_to_goal(colour, place) - steps
    bounces = left < 0
    left = abs(left)
    if left == 0:
        to = GOAL
    elif left <= 7:
        to = 78 - left
    else:
        to = (LAST[colour] - (left - 8) - 1) % 68 + 1
    end = to if to <= 68 else LAST[colour]
    return Leap(to, scanned(place, end) if place <= 68 else 0, bounces)


def scanned(origin: int, end: int) -> int:
    """The squares where a piece looks for walls, as a set.

    The rules are those of the course's program, which after 68 looks at 69, where nothing is, and goes on with 2. So
    from 68 it looks at 1 only if it ends there, after going all the way round."""
    if origin == end:
        return 0
    square, path = origin + 1, 0
    while True:
        path |= 1 << square
        if square == end:
            return path & RING
        square = square % 68 + 1


class Parchis:
    """A position of Parchís. Moves are colour, piece and die, as in "Y0:5", and "Ys:3" to skip with a die.

    `pieces` are the places of 16 pieces, four of each colour; `pools` the dice of each colour, and `bonus` the 10 or 20
    that the colour on turn has to use first, or 0. `colour` is the colour on turn, 0 to 3 as in COLOURS. Of the last
    move: `ate`, `goal` and `bounced` tell what it did, `eaten` is the piece it ate (an index of `pieces`, or None);
    `six` is set after a 6 and while bonuses follow on it.
    """

    name: ClassVar[str] = "parchis"
    __slots__ = ("pieces", "pools", "bonus", "colour", "ate", "goal", "bounced", "six", "bounces", "last_die", "number",
                 "eaten", "winner")

    def __init__(self) -> None:
        self.pieces = [0, 4, 13, 17, 0, 21, 30, 34, 0, 38, 47, 51, 0, 55, 64, 68]
        self.pools: list[tuple[int, ...]] = [FULL_POOL] * 4
        self.bonus = 0
        self.colour = 0
        self.ate = self.goal = self.bounced = self.six = False
        self.bounces = [0, 0, 0, 0]
        self.last_die = -1
        self.number = 1
        self.eaten: Optional[int] = None
        self.winner: Optional[int] = None

    @classmethod
    def parse(cls, text: str) -> Parchis:
        pool = r"1?2?3?4?5?6?(?:\+10|\+20)?"
        found = re.fullmatch(
            r"((?:\d{8}\.){3}\d{8})\|" + rf"((?:{pool}\.){{3}}{pool})\|" + r"(Y0|B1|R0|G1)\|(-|e?g?b?s?)\|"
            r"((?:\d{1,2}\.){3}\d{1,2})\|(-1|[1-6]|10|20)\|([1-9]\d{0,9})(?:\|([YBRG])([0-3]))?", text)
        if not found:
            raise BadPosition("a position is pieces|pools|colour and player|flags|bounces|last die|number of the move")
        position = cls()
        digits = found[1].replace(".", "")
        position.pieces = [int(digits[at:at + 2]) for at in range(0, 32, 2)]
        if not all(place in PLACES for place in position.pieces):
            raise BadPosition("a place is 00, 01 to 68, 71 to 77 or 90")
        position.colour = COLOURS.index(found[3][0])
        for colour, text_of_pool in enumerate(found[2].split(".")):
            dice, _, bonus = text_of_pool.partition("+")
            if not dice or bonus and colour != position.colour:
                raise BadPosition("a pool is never empty, and only the colour on turn can have a bonus")
            position.pools[colour] = tuple(map(int, dice))
            position.bonus = int(bonus) if bonus else position.bonus
        position.ate, position.goal, position.bounced, position.six = (flag in found[4] for flag in "egbs")
        position.bounces = [int(number) for number in found[5].split(".")]
        position.last_die, position.number = int(found[6]), int(found[7])
        if found[8]:
            position.eaten = 4 * COLOURS.index(found[8]) + int(found[9])
        for colour in range(4):
            if position.pieces[4 * colour:4 * colour + 4] == [GOAL] * 4:
                position.winner = colour % 2 + 1
            if position.bounces[colour] >= MAX_BOUNCES:
                position.winner = other(colour % 2 + 1)
        return same_text(text, position)

    def __str__(self) -> str:
        pools = ["".join(map(str, pool)) for pool in self.pools]
        if self.bonus:
            pools[self.colour] += f"+{self.bonus}"
        fields = (
            ".".join("".join(f"{place:02}" for place in self.pieces[at:at + 4]) for at in range(0, 16, 4)),
            ".".join(pools),
            f"{COLOURS[self.colour]}{self.colour % 2}",
            "e" * self.ate + "g" * self.goal + "b" * self.bounced + "s" * self.six or "-",
            ".".join(map(str, self.bounces)),
            str(self.last_die),
            str(self.number),
        )
        eaten = "" if self.eaten is None else f"|{COLOURS[self.eaten // 4]}{self.eaten % 4}"
        return "|".join(fields) + eaten

    @property
    def turn(self) -> int:
        return self.colour % 2 + 1

    @property
    def over(self) -> bool:
        return self.winner is not None

    @property
    def points(self) -> tuple[int, int]:
        """The pieces in the goal."""
        return (self.pieces[0:4] + self.pieces[8:12]).count(GOAL), (self.pieces[4:8] + self.pieces[12:16]).count(GOAL)

    def moves(self) -> list[str]:
        if self.over:
            return []
        own = self.pieces[4 * self.colour:4 * self.colour + 4]
        own_some, own_walls = crowd(own)
        # Nobody lands where two pieces are, whosever they are. A wall, two of one colour, stops other colours.
        some, full, walls = own_some, own_walls, 0
        for colour in range(4):
            if colour != self.colour:
                its_some, its_walls = crowd(self.pieces[4 * colour:4 * colour + 4])
                full |= (some & its_some | its_walls) & RING  # its queue is not ours
                walls |= its_walls & RING
                some |= its_some
        letter = COLOURS[self.colour]
        moves = []
        for die in (self.bonus,) if self.bonus else self.pools[self.colour]:
            usable = [
                f"{letter}{piece}:{die}"
                for piece, place in enumerate(own)
                if self._can_use(place, die, full, walls) and (die != 6 or not own_walls or own_walls >> place & 1)
            ]
            # Skipping is possible with a die that no piece can use, and only then.
            moves += usable or [f"{letter}s:{die}"]
        return moves

    def _can_use(self, place: int, die: int, full: int, walls: int) -> bool:
        if place == GOAL:
            return False
        if place == HOME:
            return die == 5 and not full >> START[self.colour] & 1
        to, path, _ = leap(self.colour, place, self._steps(die))
        return (not full >> to & 1 or to in (place, GOAL)) and not path & walls

    def _steps(self, die: int) -> int:
        """A 6 counts 7 while the colour has nobody at home."""
        return 7 if die == 6 and HOME not in self.pieces[4 * self.colour:4 * self.colour + 4] else die

    def play(self, move: str) -> Parchis:
        die = int(move[3:])
        after = Parchis.__new__(Parchis)
        after.pieces, after.pools, after.bounces = self.pieces[:], self.pools[:], self.bounces
        after.colour, after.winner, after.eaten = self.colour, self.winner, None
        after.ate = after.goal = False
        after.bounced = self.bounced and move[1] == "s"  # skipping leaves this flag as it was
        if move[1] != "s":
            after._advance(int(move[1]), die)
        after.six = die == 6 or self.six and die > 6
        if die <= 6:
            left = tuple(value for value in self.pools[self.colour] if value != die)
            after.pools[self.colour] = left or FULL_POOL
        after.bonus = 20 if after.ate else 10 if after.goal else 0
        if not after.bonus and not after.six:
            after.colour = (self.colour + 1) % 4
        after.last_die, after.number = die, self.number + 1
        return after

    def _advance(self, piece: int, die: int) -> None:
        """Moves a piece of the colour on turn; whom it eats goes home."""
        first = 4 * self.colour
        place = self.pieces[first + piece]
        if place == HOME:
            self.pieces[first + piece] = START[self.colour]
            return
        to, _, bounces = leap(self.colour, place, self._steps(die))
        if to <= 68 and to not in SAFE:
            for index, where in enumerate(self.pieces):
                if where == to and index // 4 != self.colour:
                    self.pieces[index], self.eaten, self.ate = HOME, index, True
                    break
        self.pieces[first + piece] = to
        if bounces:
            self.bounced = True
            self.bounces = self.bounces[:]
            self.bounces[self.colour] += 1
            if self.bounces[self.colour] >= MAX_BOUNCES:
                self.winner = other(self.turn)
        if to == GOAL:
            if self.pieces[first:first + 4] == [GOAL] * 4:
                self.winner = self.turn
            else:
                self.goal = True


def crowd(places: list[int]) -> tuple[int, int]:
    """The places of a colour's pieces as a set, and its walls: the squares that hold two."""
    some = walls = 0
    for place in places:
        if place != HOME and place != GOAL:
            walls |= some & 1 << place
            some |= 1 << place
    return some, walls


# ---------------------------------------------------------------------------------------------------------------------
# El Juego de la Bandera
# ---------------------------------------------------------------------------------------------------------------------

DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
DIG = "dig"
GRASS, WATER, MUD, WALL, PIT, TRENCH, FLAG, BOAT, AXE, JUICE, SHOVEL, FOREST = ".~%#oOFBAJS^"
COSTS = {GRASS: 1, WATER: 6, MUD: 2, WALL: 1_000_000, PIT: 4, TRENCH: 6, FLAG: 1, BOAT: 1, AXE: 1, JUICE: 1, SHOVEL: 1,
         FOREST: 8}


class Walker(NamedTuple):
    """A player of a team: the cell where it stands (from 0), and what it has left."""

    cell: int
    energy: int
    axe: int = 0
    boat: int = 0
    shovel: int = 0

    def cost(self, tile: str) -> int:
        """What it pays for entering such a tile."""
        if tile == WATER and self.boat or tile == FOREST and self.axe:
            return COSTS[tile] // 2
        return COSTS[tile]

    def can_dig(self, tile: str) -> bool:
        return self.energy > 0 and self.shovel >= 2 and tile in (GRASS, PIT, TRENCH)

    def enter(self, cell: int, tile: str) -> tuple[Walker, str]:
        """The player after entering a tile, and what the tile becomes."""
        _, energy, axe, boat, shovel = self
        energy -= self.cost(tile)
        after = tile
        if tile == WATER:
            boat = max(boat - 1, 0)
        elif tile == FOREST:
            after = GRASS if axe else FOREST
            axe = max(axe - 1, 0)
        elif tile in (FLAG, BOAT, AXE, JUICE, SHOVEL):
            after = GRASS
            energy += 20 * (tile == JUICE)
            axe += 20 * (tile == AXE)
            boat += 20 * (tile == BOAT)
            shovel += 10 * (tile == SHOVEL)
        return Walker(cell, energy, axe, boat, shovel), after


@lru_cache(maxsize=None)
def neighbours(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """For every cell the six around it, in the order of DIRECTIONS. The board is closed in both directions."""

    def around(row: int, col: int) -> tuple[int, ...]:
        # Every second column lies half a hex lower.
        upper, lower = (row - 1, row) if col % 2 == 0 else (row, row + 1)
        left, right = col - 1, col + 1
        places = ((row - 1, col), (upper, right), (lower, right), (row + 1, col), (lower, left), (upper, left))
        return tuple(r % rows * cols + c % cols for r, c in places)

    return tuple(around(row, col) for row in range(rows) for col in range(cols))


class Bandera:
    """A position of El Juego de la Bandera. Moves are "2:NE", player 2 goes north-east, and "2:dig".

    `tiles` is a text with one character for each cell, row by row, and `walkers` are the players, those of team 1
    first; the first of them is player 1 in moves. Cells count from 0 here, and from 1 in the arena's texts. `flags` are
    the flags of both teams. `around[cell]` are the six neighbours of a cell, in the order of DIRECTIONS.
    """

    name: ClassVar[str] = "bandera"
    __slots__ = ("rows", "cols", "tiles", "walkers", "flags", "turn", "over", "around")

    def __init__(self, rows: int, cols: int, tiles: str, walkers: tuple[Walker, ...], flags: tuple[int, int],
                 turn: int) -> None:
        self.rows, self.cols, self.tiles, self.walkers, self.flags = rows, cols, tiles, walkers, flags
        self.around = neighbours(rows, cols)
        # A team that cannot act is passed over; the game ends when no flag is left or nobody can act.
        self.turn = turn if self._can_act(turn) or not self._can_act(other(turn)) else other(turn)
        self.over = FLAG not in tiles or not self._can_act(self.turn)
        if self.over:
            self.turn = turn

    @classmethod
    def parse(cls, text: str) -> Bandera:
        walker = r"\d{1,5}(?:,\d{1,5}){4}"
        team = rf"{walker}(?:;{walker}){{0,7}}"
        found = re.fullmatch(
            rf"(\d{{1,3}})x(\d{{1,3}}):([^:]+):({team})/({team}):(\d{{1,5}})-(\d{{1,5}}):([12])", text)
        if not found:
            raise BadPosition("a position is ROWSxCOLS:TILES:TEAM1/TEAM2:FLAGS1-FLAGS2:TURN")
        rows, cols = int(found[1]), int(found[2])
        if not 3 <= rows <= 128 or not 4 <= cols <= 128 or cols % 2:
            raise BadPosition("there must be 3 to 128 rows and 4 to 128 columns, an even number")
        if not re.fullmatch(r"(?:\d{0,5}[.~%#oOFBAJS^])+", found[3]):
            raise BadPosition("tiles are .~%#oOFBAJS^, with a number before each run")
        runs = [(int(run or 1), tile) for run, tile in re.findall(r"(\d*)(\D)", found[3])]
        if sum(run for run, _ in runs) != rows * cols:
            raise BadPosition("there must be as many tiles as cells")
        tiles = "".join(run * tile for run, tile in runs)
        teams = [[read_walker(one, tiles) for one in team.split(";")] for team in found.groups()[3:5]]
        if len(teams[0]) != len(teams[1]):
            raise BadPosition("both teams must have as many players")
        flags = int(found[6]), int(found[7])
        return same_text(text, cls(rows, cols, tiles, tuple(teams[0] + teams[1]), flags, int(found[8])))

    def __str__(self) -> str:
        runs = ((len(list(run)), tile) for tile, run in groupby(self.tiles))
        tiles = "".join(f"{run}{tile}" if run > 1 else tile for run, tile in runs)
        one, two = (";".join(",".join(map(str, (w.cell + 1, *w[1:]))) for w in self.team(side)) for side in (1, 2))
        return f"{self.rows}x{self.cols}:{tiles}:{one}/{two}:{self.flags[0]}-{self.flags[1]}:{self.turn}"

    @property
    def winner(self) -> Optional[int]:
        return more_points(self.flags) if self.over else None

    @property
    def points(self) -> tuple[int, int]:
        return self.flags

    def team(self, side: int) -> tuple[Walker, ...]:
        """The players of a side."""
        half = len(self.walkers) // 2
        return self.walkers[:half] if side == 1 else self.walkers[half:]

    def moves(self) -> list[str]:
        if self.over:
            return []
        first = 1 if self.turn == 1 else len(self.walkers) // 2 + 1
        moves = []
        for number, walker in enumerate(self.team(self.turn), first):
            for direction, cell in zip(DIRECTIONS, self.around[walker.cell]):
                if walker.cost(self.tiles[cell]) <= walker.energy:
                    moves.append(f"{number}:{direction}")
            if walker.can_dig(self.tiles[walker.cell]):
                moves.append(f"{number}:{DIG}")
        return moves

    def play(self, move: str) -> Bandera:
        number, _, action = move.partition(":")
        index = int(number) - 1
        walker = self.walkers[index]
        flags = self.flags
        if action == DIG:
            cell = walker.cell
            tile = PIT if self.tiles[cell] == GRASS else TRENCH
            walker = walker._replace(shovel=walker.shovel - 2)
        else:
            cell = self.around[walker.cell][DIRECTIONS.index(action)]
            walker, tile = walker.enter(cell, self.tiles[cell])
            if self.tiles[cell] == FLAG:
                flags = (flags[0] + 1, flags[1]) if self.turn == 1 else (flags[0], flags[1] + 1)
        tiles = self.tiles if tile == self.tiles[cell] else self.tiles[:cell] + tile + self.tiles[cell + 1:]
        walkers = (*self.walkers[:index], walker, *self.walkers[index + 1:])
        return Bandera(self.rows, self.cols, tiles, walkers, flags, other(self.turn))

    def hops(self, start: int) -> list[float]:
        """How many steps every cell is away from this one, whatever they cost; infinite where there is no way."""
        hops = [math.inf] * len(self.tiles)
        hops[start] = 0
        reached = [start]
        for cell in reached:  # it grows while it is read
            for neighbour in self.around[cell]:
                if hops[neighbour] == math.inf and self.tiles[neighbour] != WALL:
                    hops[neighbour] = hops[cell] + 1
                    reached.append(neighbour)
        return hops

    def _can_act(self, side: int) -> bool:
        tiles = self.tiles
        for walker in self.team(side):
            if walker.energy and any(walker.cost(tiles[cell]) <= walker.energy for cell in self.around[walker.cell]):
                return True
            if walker.can_dig(tiles[walker.cell]):
                return True
        return False


def read_walker(text: str, tiles: str) -> Walker:
    cell, *rest = map(int, text.split(","))
    if not 1 <= cell <= len(tiles) or tiles[cell - 1] == WALL:
        raise BadPosition(f"nobody can stand on cell {cell}")
    return Walker(cell - 1, *rest)


# ---------------------------------------------------------------------------------------------------------------------
# All games
# ---------------------------------------------------------------------------------------------------------------------

Position = Union[Mancala, Conecta4Boom, Desconecta4Boom, Parchis, Bandera]
AnyPosition = TypeVar("AnyPosition")

GAMES = {game.name: game for game in (Mancala, Conecta4Boom, Desconecta4Boom, Parchis, Bandera)}


def parse(game: str, text: str) -> Position:
    """The position of a game that is written so."""
    if game not in GAMES:
        raise BadPosition(f"there is no game {game}")
    return GAMES[game].parse(text)


def more_points(points: tuple[int, int]) -> Optional[int]:
    """The side with more points, None if both have the same."""
    return None if points[0] == points[1] else 1 if points[0] > points[1] else 2


def same_text(text: str, position: AnyPosition) -> AnyPosition:
    """The position, if it is written exactly as it was read."""
    if str(position) != text:
        raise BadPosition(f"this would be written {position}")
    return position


# ---------------------------------------------------------------------------------------------------------------------
# The test evaluation
# ---------------------------------------------------------------------------------------------------------------------

TEST_WIN = 1_000_000


def test_value(position: Position, side: int) -> int:
    """What a position is worth for a side by the test evaluation, which Palestra has too: `palestra check --search`
    tells a bot to use it, and compares what the two searches find."""
    own, opponent = side - 1, 2 - side
    if isinstance(position, Mancala):
        return position.points[own] - position.points[opponent]  # also when the game is over
    if position.over:
        return 0 if position.winner is None else TEST_WIN if position.winner == side else -TEST_WIN
    if isinstance(position, Bandera):
        return position.flags[own] - position.flags[opponent]
    if isinstance(position, Parchis):
        # A point for each piece on a safe square of the ring, five for each in the goal.
        safe = [0, 0]
        for piece, place in enumerate(position.pieces):
            safe[piece // 4 % 2] += place in SAFE
        return 5 * (position.points[own] - position.points[opponent]) + safe[own] - safe[opponent]
    # The own pieces, bombs left out, the more the nearer they are to the middle; the opponent's do not count.
    if position.pieces[0] | position.pieces[1] == BOARD:
        return 0
    pieces = position.pieces[own] & ~position.bombs
    return sum((3 - abs(column - 3)) * bin(pieces >> 8 * column & 0x7F).count("1") for column in range(7))


# ---------------------------------------------------------------------------------------------------------------------
# The conversation with the arena
# ---------------------------------------------------------------------------------------------------------------------

UNLIMITED_MS = 2000  # the time for a move without any limit, so that nobody waits for ever


class Turn:
    """What the arena says with a position, when it asks for a move."""

    def __init__(self, game: str, seat: int, options: str, legal: list[str], history: list[str], limits: list[str],
                 settings: dict[str, str], stop: threading.Event, say: Callable[[str], None]) -> None:
        self.game = game
        self.seat = seat  # the side that you play, 1 or 2
        self.options = options
        self.legal = legal
        self.history = history  # what was played since you last answered
        self.cpu_ms = number_after("cpu", limits)  # None where there is no such limit
        self.wall_ms = number_after("wall", limits)
        self.states = number_after("states", limits)  # visit no more positions than this
        self.depth = number_after("depth", limits)  # look no deeper than this
        self.settings = settings  # what the arena has set, by name
        self._started = time.process_time(), time.monotonic()
        self._stop = stop
        self._say = say

    def time_left(self, share: float = 0.8) -> float:
        """The seconds that are left of this share of the time for the move: of CPU time or by the clock, whatever is
        less. It is infinite if only positions or depth are limited, and 0 after the arena has said stop.

        The rest is a margin, because who answers too late loses. Where CPU time is limited, the clock is a bound for
        busy machines, on which a program may have to wait before it can go on: at least half of that is kept back."""
        if self._stop.is_set():
            return 0.0
        left = math.inf
        wall_ms, wall_share = self.wall_ms, share
        if self.cpu_ms is not None:
            left = share * self.cpu_ms / 1000 - (time.process_time() - self._started[0])
            wall_share = min(share, 0.5)
        elif wall_ms is None and self.states is None and self.depth is None:
            wall_ms = UNLIMITED_MS
        if wall_ms is not None:
            left = min(left, wall_share * wall_ms / 1000 - (time.monotonic() - self._started[1]))
        return max(left, 0.0)

    def info(self, depth: Optional[int] = None, score: Optional[float] = None, states: Optional[int] = None,
             pv: Optional[list[str]] = None) -> None:
        """Tells the arena what you found: it is shown and kept with the game. The score is how good it is for you."""
        words = []
        if depth is not None:
            words += ["depth", str(depth)]
        if score is not None and math.isfinite(score):
            words += ["score", str(round(score))]
        if states is not None:
            words += ["states", str(states)]
        if pv:
            words += ["pv", *pv]
        if words:
            self._say(" ".join(["info", *words]))

    def text(self, words: str) -> None:
        """Tells the arena anything in words, in one line."""
        self._say("info text " + " ".join(words.split()))


def number_after(word: str, words: list[str]) -> Optional[int]:
    """The number that follows a word, if it does."""
    for name, value in zip(words, words[1:]):
        if name == word and value.isdecimal():
            return int(value)
    return None


def run(choose: Callable[[Position, Turn], str], name: str = "", follows: tuple[str, ...] = ()) -> None:
    """Plays in the arena until it says bye. `choose` is called for every move. `follows` are the options that it
    follows, such as "eval test"; the arena is told so when it sets them.

    From now on `print` writes to stderr: what it prints is for you, and cannot get in the way of the answers.
    """
    answers, sys.stdout = sys.stdout, sys.stderr

    def say(line: str) -> None:
        answers.write(line + "\n")
        answers.flush()

    stop = threading.Event()
    lines = read_lines(stop)
    game, seat, options = "", 1, "-"
    position_text, legal, history, settings = "", [], [], {}
    while True:
        word, *rest = lines.get()
        if word == "hello":
            if name:
                say(f"id name {name}")
            say("ready")
        elif word == "ping":
            say(" ".join(["pong", *rest]))
        elif word == "game" and rest:
            game = rest[0]
            seat = number_after("seat", rest) or 1
            options = rest[rest.index("options") + 1] if "options" in rest[:-1] else "-"
        elif word == "position" and rest:
            position_text = rest[0]
        elif word == "history":
            history = rest
        elif word == "legal":
            legal = rest
        elif word == "go":
            turn = Turn(game, seat, options, legal, history, rest, settings, stop, say)
            say(f"move {choose(parse(game, position_text), turn)}")
        elif word == "option" and rest:
            settings[rest[0]] = " ".join(rest[1:])
            if " ".join(rest) in follows:
                say(" ".join([word, *rest]))
        elif word == "bye":
            return
        # Anything else needs no answer: used, result, stop, and what later versions may have.


def read_lines(stop: threading.Event) -> queue.SimpleQueue[list[str]]:
    """The words of each line of the input, as they come. They are read beside the search, so that it hears of stop."""
    lines: queue.SimpleQueue[list[str]] = queue.SimpleQueue()

    def read() -> None:
        rest = b""
        while True:
            # Not by sys.stdin: Python could not end while a thread waits in it.
            some = os.read(0, 65536)
            *whole, rest = (rest + some).split(b"\n")
            for line in whole:
                words = line.decode(errors="replace").split()
                if words and words[0] == "stop":
                    stop.set()
                elif words:
                    if words[0] == "go":
                        stop.clear()
                    lines.put(words)
            if not some:
                lines.put(["bye"])
                return

    threading.Thread(target=read, daemon=True).start()
    return lines
