#include "RandomBot.h"

#include <cstdlib>
#include <ctime>
#include <iostream>
using namespace std;

RandomBot::RandomBot() {
}

RandomBot::~RandomBot() {
}

void RandomBot::initialize() {
	srand(time(NULL));
	cerr << "initialize " << getPlayer() << " " << getTimeOut() << endl;
}

string RandomBot::getName() {
	return "Aleatorio";
}

Move RandomBot::nextMove(const vector<Move> &adversary, const GameState &state) {
	cerr << "nextMove " << getPlayer() << " " << getTimeOut() << " " << state.getCurrentPlayer() << ":";
	for (unsigned int i = 0; i < adversary.size(); i++)
		cerr << " " << adversary[i];
	cerr << endl;

	Player turno = this->getPlayer();
	vector<Move> posibles;
	for (int i = 1; i <= 6; i++)
		if (state.getSeedsAt(turno, (Position) i) > 0)
			posibles.push_back((Move) i);
	if (posibles.size() == 0)
		return M_NONE;
	return posibles[rand() % posibles.size()];
}
