#ifndef OLVIDO
#define OLVIDO
#include "Bot.h"

// Usa array, map, function y mt19937 sin incluir nada: en 2018 venian con los demas.
class Olvido : public Bot {
	array<int, 7> pesos;
	map<int, Move> jugadas;
	function<int(int)> mezcla;
	mt19937 azar;
public:
	void initialize();
	string getName();
	Move nextMove(const vector<Move> &adversary, const GameState &state);
};
#endif
