// How good the position is for the side to move, when nobody looks further: its pieces, the more the nearer they are to
// the middle column, less the other side's.
//
// An idea for the first evening: look at all lines of four cells. Those where only one side has pieces can still become
// its own; the more pieces it has there, the better.
int evaluate(const Game& position) {
    int value = 0;
    for (int column = 1; column <= 7; column++) {
        const int worth = 4 - std::abs(column - 4);
        for (int row = 1; row <= position.height(column); row++) {
            value += position.owner(column, row) == position.turn() ? worth : -worth;
        }
    }
    return value;
}
