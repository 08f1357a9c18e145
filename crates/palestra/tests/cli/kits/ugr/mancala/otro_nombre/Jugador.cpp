#include "Jugador.h"

Calabaza::Calabaza() {}
Calabaza::~Calabaza() {}

void Calabaza::initialize() {
	cerr << "class Falsa : public Bot {" << endl;
}

string Calabaza::getName() {
	return "Calabaza";
}

// La primera casilla con semillas.
Move Calabaza::nextMove(const vector<Move> &adversary, const GameState &state) {
	for (int i = 1; i <= 6; i++)
		if (state.getSeedsAt(state.getCurrentPlayer(), (Position) i) > 0) return (Move) i;
	return M_NONE;
}
