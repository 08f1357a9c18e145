#ifndef PRUDENTE
#define PRUDENTE
#include "Bot.h"

class Prudente : Bot {
public:
	Prudente();
	~Prudente();
	void initialize();
	string getName();
	Move nextMove(const vector<Move> &adversary, const GameState &state);
};

#endif
