#include "Kamikaze.h"

void Kamikaze::initialize() {}

string Kamikaze::getName() { return "Kamikaze"; }

// Se inmola en cuanto puede: juega una casilla vacia.
Move Kamikaze::nextMove(const vector<Move> &adversary, const GameState &state) {
	Move movimiento = M_NONE;
	for (int i = 1; i <= 6; i++) {
		movimiento = (Move) i;
		if (state.getSeedsAt(state.getCurrentPlayer(), (Position) i) == 0)
			return movimiento;
	}
	return movimiento;
}
