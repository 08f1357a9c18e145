def evaluate(position: palestra.Desconecta4Boom) -> float:
    """How good the position is for the side to move, when nobody looks further: the fewer pieces it has on the board
    the better, for four in a line lose.

    An idea for the first evening: look at all lines of four cells. Those where only one side has pieces are its danger;
    the more pieces it has there, the worse."""
    own, opponent = position.pieces[position.turn - 1], position.pieces[2 - position.turn]
    return bin(opponent).count("1") - bin(own).count("1")
