#ifndef AGRICULTOR
#define AGRICULTOR
#include "Bot.h"

class Agricultor : public Bot
{
public:
	void initialize();
	string getName();
	Move nextMove(const vector<Move> &adversary, const GameState &state);
};

#endif
