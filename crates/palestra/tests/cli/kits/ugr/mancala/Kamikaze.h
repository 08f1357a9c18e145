#pragma once
#include "Bot.h"

class Kamikaze:Bot {
public:
	void initialize();
	string getName();
	Move nextMove(const vector<Move> &adversary, const GameState &state);
};
