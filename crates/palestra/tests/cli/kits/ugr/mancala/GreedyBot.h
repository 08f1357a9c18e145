#include "Bot.h"

#ifndef _GREEDYBOT_
#define _GREEDYBOT_

class GreedyBot : public Bot {
	public:
		GreedyBot() {}
		virtual ~GreedyBot() {}
		virtual void initialize() {}
		virtual string getName() { return "Avaricioso"; }
		virtual Move nextMove(const vector<Move> & adversary, const GameState & state);
};

#endif
