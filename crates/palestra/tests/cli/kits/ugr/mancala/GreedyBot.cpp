#include "GreedyBot.h"

// La jugada que mas semillas deja en el granero; si empatan, la ultima que repite turno.
Move GreedyBot::nextMove(const vector<Move> & adversary, const GameState & state) {
	Player yo = getPlayer();
	Move mejor = M_NONE;
	int mejorValor = -1;
	for (int i = P1; i <= P6; i++) {
		if (state.getSeedsAt(yo, (Position) i) == 0) continue;
		GameState hijo = state.simulateMove((Move) i);
		int valor = hijo.getScore(yo);
		bool repite = hijo.getCurrentPlayer() == yo;
		if (valor > mejorValor || (valor == mejorValor && repite)) {
			mejorValor = valor;
			mejor = (Move) i;
		}
	}
	return mejor;
}
