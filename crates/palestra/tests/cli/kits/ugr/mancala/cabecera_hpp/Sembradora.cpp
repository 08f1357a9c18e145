#include "Sembradora.hpp"

void Sembradora::initialize() { }

string Sembradora::getName() { return "Sembradora"; }

int Sembradora::valor(const GameState & estado) const {
	return estado.getScore(yo) - estado.getScore(yo == J1 ? J2 : J1);
}

Move Sembradora::nextMove(const vector<Move> & adversary, const GameState & state) {
	yo = this->getPlayer();
	Move mejor = M_NONE;
	int mejorValor = INT_MIN;
	for (int i = 1; i <= 6; i++) {
		if (state.getSeedsAt(yo, (Position) i) == 0) continue;
		int v = valor(state.simulateMove((Move) i));
		if (v > mejorValor) { mejorValor = v; mejor = (Move) i; }
	}
	return mejor;
}
