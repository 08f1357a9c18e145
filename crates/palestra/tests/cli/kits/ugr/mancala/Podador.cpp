#include "Podador.h"

const int PROFUNDIDAD = 6;
const int MENOS_INFINITO = INT_MIN, MAS_INFINITO = numeric_limits<int>::max();

Podador::Podador() { contador = 0; }
Podador::~Podador() {}

void Podador::initialize() { srand(time(0)); }
string Podador::getName() { return "Podador_" + to_string(PROFUNDIDAD); }

int Podador::valoracion(const GameState &estado)
{
	Player rival = getPlayer() == J1 ? J2 : J1;
	return estado.getScore(getPlayer()) - estado.getScore(rival);
}

int Podador::alfaBeta(const GameState &estado, int profundidad, int alfa, int beta)
{
	contador++;
	if (profundidad == 0 || estado.isFinalState())
		return valoracion(estado);
	Player turno = estado.getCurrentPlayer();
	for (int i = 1; i <= 6 && alfa < beta; i++) {
		if (estado.getSeedsAt(turno, (Position) i) == 0)
			continue;
		int valor = alfaBeta(estado.simulateMove((Move) i), profundidad - 1, alfa, beta);
		if (turno == getPlayer()) {
			if (valor > alfa && profundidad == PROFUNDIDAD)
				mejorMovimiento = (Move) i;
			alfa = max(alfa, valor);
		} else
			beta = min(beta, valor);
	}
	return turno == getPlayer() ? alfa : beta;
}

Move Podador::nextMove(const vector<Move> &adversary, const GameState &state)
{
	reloj = clock();
	mejorMovimiento = M_NONE;
	int valor = alfaBeta(state, PROFUNDIDAD, MENOS_INFINITO, MAS_INFINITO);
	cerr << "valor " << valor << ", estados " << contador << ", "
	     << double(clock() - reloj) / CLOCKS_PER_SEC << " s" << endl;
	return mejorMovimiento;
}
