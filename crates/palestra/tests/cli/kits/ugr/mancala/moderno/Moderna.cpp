#include "Moderna.h"

// optional es de C++17.
optional<Move> Moderna::elegir(const GameState &estado) const {
	for (int i = 1; i <= 6; i++)
		if (estado.getSeedsAt(estado.getCurrentPlayer(), (Position) i) > 0) return (Move) i;
	return nullopt;
}

Move Moderna::nextMove(const vector<Move> &, const GameState &state) {
	return elegir(state).value_or(M_NONE);
}
