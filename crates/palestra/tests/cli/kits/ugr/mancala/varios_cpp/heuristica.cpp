#include "heuristica.h"
#include "tablas.cpp"

int heuristica(const GameState &estado, Player jugador) {
	int total = PESO_GRANERO * estado.getScore(jugador);
	for (int i = 1; i <= 6; i++) total += estado.getSeedsAt(jugador, (Position) i);
	return total;
}

Move mejorJugada(const GameState &estado) {
	Player yo = estado.getCurrentPlayer();
	Move mejor = M_NONE;
	int maximo = -1;
	for (int i = 1; i <= 6; i++) {
		if (estado.getSeedsAt(yo, (Position) i) == 0) continue;
		int valor = heuristica(estado.simulateMove((Move) i), yo);
		if (valor > maximo) {
			maximo = valor;
			mejor = (Move) i;
		}
	}
	return mejor;
}
