#include "Agricultor.h"
#include "heuristica.h"

void Agricultor::initialize() {}

string Agricultor::getName() { return "Agricultor"; }

Move Agricultor::nextMove(const vector<Move> &adversary, const GameState &state) {
	return mejorJugada(state);
}
