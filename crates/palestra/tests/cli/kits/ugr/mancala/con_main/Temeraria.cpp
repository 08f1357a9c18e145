#include "Temeraria.h"

Temeraria::Temeraria() {}
Temeraria::~Temeraria() {}
void Temeraria::initialize() {}
string Temeraria::getName() { return "Temeraria"; }

// La casilla mas lejana.
Move Temeraria::nextMove(const vector<Move> &adversary, const GameState &state) {
	int casilla = 6;
	while (casilla > 1 && state.getSeedsAt(getPlayer(), (Position) casilla) == 0) casilla--;
	return (Move) casilla;
}
