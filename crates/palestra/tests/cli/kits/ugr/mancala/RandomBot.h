#ifndef RANDOMBOT_H
#define RANDOMBOT_H

#include "Bot.h"

// Elige al azar entre las casillas que tienen semillas.
class RandomBot:Bot {
public:
	RandomBot();
	~RandomBot();

	void initialize();
	string getName();
	Move nextMove(const vector<Move> &adversary, const GameState &state);
};

#endif
