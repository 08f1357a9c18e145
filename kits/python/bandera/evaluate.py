def evaluate(position: palestra.Bandera) -> float:
    """How good the position is for the side to move, when nobody looks further: the flags that it has captured, less
    the other side's.

    An idea for the first evening: the nearer a player is to a flag, the better. position.hops(flag) tells how many
    steps each cell is away from a flag. A flag must remain worth more than any way."""
    one, two = position.flags
    return one - two if position.turn == 1 else two - one
