// Alpha-beta from the lecture, written by another student than Minimax.cpp: the same idea, the same course.
#include "Bot.h"
#include <iostream>
using namespace std;

class Clasico : public Bot {
public:
	Clasico() { limite = 10; }
	void initialize() { }
	string getName() { return "Clasico"; }
	Move nextMove(const vector<Move> &adversary, const GameState &state);
private:
	int limite;
	int h(const GameState &s);
	int podaAlfaBeta(const GameState &s, int nivel, int alfa, int beta);
};

int Clasico::h(const GameState &s)
{
	if (getPlayer() == J1)
		return s.getScore(J1) - s.getScore(J2);
	else
		return s.getScore(J2) - s.getScore(J1);
}

int Clasico::podaAlfaBeta(const GameState &s, int nivel, int alfa, int beta)
{
	if (s.isFinalState() || nivel == limite)
		return h(s);

	Player turno = s.getCurrentPlayer();
	for (int i = 1; i <= 6; i++) {
		Position pos = (Position) i;
		if (s.getSeedsAt(turno, pos) == 0)
			continue;
		int v = podaAlfaBeta(s.simulateMove((Move) i), nivel + 1, alfa, beta);
		if (turno == getPlayer()) {
			if (v > alfa)
				alfa = v;
		} else {
			if (v < beta)
				beta = v;
		}
		if (beta <= alfa)
			break;
	}
	if (turno == getPlayer())
		return alfa;
	else
		return beta;
}

Move Clasico::nextMove(const vector<Move> &adversary, const GameState &state)
{
	Move movimiento = M_NONE;
	int mejorValor = -1000;
	for (int i = 1; i <= 6; i++) {
		if (state.getSeedsAt(getPlayer(), (Position) i) > 0) {
			GameState siguiente = state.simulateMove((Move) i);
			int valor = podaAlfaBeta(siguiente, 1, -1000, 1000);
			if (valor > mejorValor) {
				mejorValor = valor;
				movimiento = (Move) i;
			}
		}
	}
	return movimiento;
}
