#ifndef SEMBRADORA_HPP
#define SEMBRADORA_HPP
#include "GameState.h"
#include "Bot.h"

class Sembradora:Bot {
private:
	Player yo;
	int valor(const GameState & estado) const;
public:
	void initialize();
	string getName();
	Move nextMove(const vector<Move> & adversary, const GameState & state);
};
#endif
