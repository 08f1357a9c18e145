def evaluate(position: palestra.Conecta4Boom) -> float:
    """How good the position is for the side to move, when nobody looks further: its pieces, the more the nearer they
    are to the middle column, less the other side's.

    An idea for the first evening: look at all lines of four cells. Those where only one side has pieces can still
    become its own; the more pieces it has there, the better."""
    own, opponent = position.pieces[position.turn - 1], position.pieces[2 - position.turn]
    value = 0
    for column in range(7):
        worth = 4 - abs(column - 3)
        for row in range(7):
            cell = palestra.cell(column, row)
            value += worth if own & cell else -worth if opponent & cell else 0
    return value
