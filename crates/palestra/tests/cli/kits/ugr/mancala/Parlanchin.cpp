#include "Parlanchin.h"

#include <iostream>

void Parlanchin::initialize() {
}

// Juega bien, pero cuenta por la salida estandar lo que piensa.
Move Parlanchin::Think(const GameState & state) {
	Move mejor = M_NONE;
	for (int i = P1; i <= P6; i++) {
		if (state.getSeedsAt(getPlayer(), (Position) i) > 0) mejor = (Move) i;
	}
	cout << "Pienso en la casilla " << (int) mejor << endl;
	return mejor;
}

Move Parlanchin::nextMove(const vector<Move> & adversary, const GameState & state) {
	return Think(state);
}
