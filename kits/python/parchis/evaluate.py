def evaluate(position: palestra.Parchis) -> float:
    """How good the position is for the side to move, when nobody looks further: its pieces in the goal, less the other
    side's.

    An idea for the first evening: the other pieces count, too. palestra.distance_to_goal() tells how far a piece has
    still to go; and on safe squares nobody is eaten."""
    one, two = position.points
    return one - two if position.turn == 1 else two - one
