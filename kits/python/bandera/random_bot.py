"""Plays El Juego de la Bandera by chance: the smallest bot.

It is not called random.py, because `import random` would then find it instead of Python's own module.
"""

import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where palestra.py is, unless it lies beside this file

import palestra


def choose(position: palestra.Position, turn: palestra.Turn) -> str:
    return random.choice(turn.legal)


palestra.run(choose, name="Random")
