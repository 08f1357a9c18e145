#ifndef TEMERARIA
#define TEMERARIA
#include "Bot.h"

class Temeraria : Bot {
public:
	Temeraria();
	~Temeraria();
	void initialize();
	string getName();
	Move nextMove(const vector<Move> &adversary, const GameState &state);
};

#endif
