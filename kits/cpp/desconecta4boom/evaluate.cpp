// How good the position is for the side to move, when nobody looks further: the fewer pieces it has on the board the
// better, for four in a line lose.
//
// An idea for the first evening: look at all lines of four cells. Those where only one side has pieces are its danger;
// the more pieces it has there, the worse.
int evaluate(const Game& position) {
    int value = 0;
    for (int column = 1; column <= 7; column++) {
        for (int row = 1; row <= position.height(column); row++) {
            value += position.owner(column, row) == position.turn() ? -1 : 1;
        }
    }
    return value;
}
