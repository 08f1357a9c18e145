// How good the position is for the side to move, when nobody looks further: its pieces in the goal, less the other
// side's.
//
// An idea for the first evening: the other pieces count, too. Game::distance_to_goal() tells how far a piece has still
// to go; and on safe squares nobody is eaten.
int evaluate(const Game& position) {
    const int own = position.turn(), opponent = palestra::other(own);
    return position.points(own) - position.points(opponent);
}
