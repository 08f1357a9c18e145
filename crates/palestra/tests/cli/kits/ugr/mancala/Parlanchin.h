#ifndef PARLANCHIN_H
#define PARLANCHIN_H

#include "Bot.h"

class Parlanchin : public Bot {
	public:
		virtual void initialize();
		virtual string getName() { return "Parlanchin"; }
		virtual Move nextMove(const vector<Move> & adversary, const GameState & state);

	private:
		Move Think(const GameState & state);
};

#endif
