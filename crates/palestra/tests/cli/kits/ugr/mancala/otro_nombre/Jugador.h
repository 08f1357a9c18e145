#ifndef JUGADOR_H
#define JUGADOR_H

#include "Bot.h"

// La clase no se llama como el fichero.
/* class Descartada : public Bot { };  una version anterior */
class Calabaza : public Bot {
public:
	Calabaza();
	~Calabaza();
	void initialize();
	string getName();
	Move nextMove(const vector<Move> &adversary, const GameState &state);
};

#endif
