#ifndef PODADOR
#define PODADOR
#include "Bot.h"
#include "GameState.h"

// Poda alfa-beta. Hereda en privado y no incluye nada mas.
class Podador:Bot
{
	int contador;
	Move mejorMovimiento;
	clock_t reloj;

	int valoracion(const GameState &estado);
	int alfaBeta(const GameState &estado, int profundidad, int alfa, int beta);

public:
	Podador();
	~Podador();
	void initialize();
	string getName();
	Move nextMove(const vector<Move> &adversary, const GameState &state);
};

#endif
