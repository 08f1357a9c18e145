#include "Olvido.h"

void Olvido::initialize() {
	pesos.fill(1);
	azar.seed(7);
	mezcla = [](int n) { return max(n, 0); };
}

string Olvido::getName() { return "Olvido"; }

Move Olvido::nextMove(const vector<Move> &adversary, const GameState &state) {
	jugadas.clear();
	for (int i = 1; i <= 6; i++) {
		int semillas = state.getSeedsAt(state.getCurrentPlayer(), (Position) i);
		if (semillas > 0) jugadas[mezcla(semillas * pesos[i])] = (Move) i;
	}
	return jugadas.begin()->second;
}
