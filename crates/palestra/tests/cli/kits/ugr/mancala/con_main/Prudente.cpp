#include "Prudente.h"

Prudente::Prudente() {}
Prudente::~Prudente() {}
void Prudente::initialize() {}
string Prudente::getName() { return "Prudente"; }

// La casilla mas cercana al granero.
Move Prudente::nextMove(const vector<Move> &adversary, const GameState &state) {
	int casilla = 1;
	while (casilla < 6 && state.getSeedsAt(getPlayer(), (Position) casilla) == 0) casilla++;
	return (Move) casilla;
}
