// Poda alfa-beta con profundidad fija, tal como se explica en las transparencias de teoría.

#include <iostream>
#include <string>
#include <vector>

#include "Bot.h"

using namespace std;

class Minimax : public Bot {
public:
    void initialize() {}
    string getName() { return "Minimax"; }
    Move nextMove(const vector<Move> &adversary, const GameState &state);

private:
    static const int PROFUNDIDAD = 8;

    double heuristica(const GameState &estado);
    double alfaBeta(const GameState &estado, int profundidad, double alfa, double beta, Move &mejor);
};

// Diferencia de semillas en los graneros, y un poco por las que quedan en nuestro lado.
double Minimax::heuristica(const GameState &estado) {
    Player yo = getPlayer();
    Player otro = (yo == J1) ? J2 : J1;
    double valor = estado.getScore(yo) - estado.getScore(otro);
    int semillas = 0;
    for (int i = 1; i <= 6; i++) {
        semillas += estado.getSeedsAt(yo, (Position) i);
        semillas -= estado.getSeedsAt(otro, (Position) i);
    }
    return valor + 0.2 * semillas;
}

double Minimax::alfaBeta(const GameState &estado, int profundidad, double alfa, double beta, Move &mejor) {
    if (profundidad == 0 || estado.isFinalState()) {
        return heuristica(estado);
    }

    Move respuesta;
    if (estado.getCurrentPlayer() == getPlayer()) {
        // Nodo MAX
        for (int m = 1; m <= 6; m++) {
            if (estado.getSeedsAt(getPlayer(), (Position) m) > 0) {
                GameState hijo = estado.simulateMove((Move) m);
                double valor = alfaBeta(hijo, profundidad - 1, alfa, beta, respuesta);
                if (valor > alfa) {
                    alfa = valor;
                    mejor = (Move) m;
                }
                if (alfa >= beta) {
                    return beta;
                }
            }
        }
        return alfa;
    } else {
        // Nodo MIN
        for (int m = 1; m <= 6; m++) {
            if (estado.getSeedsAt(estado.getCurrentPlayer(), (Position) m) > 0) {
                GameState hijo = estado.simulateMove((Move) m);
                double valor = alfaBeta(hijo, profundidad - 1, alfa, beta, respuesta);
                if (valor < beta) {
                    beta = valor;
                    mejor = (Move) m;
                }
                if (alfa >= beta) {
                    return alfa;
                }
            }
        }
        return beta;
    }
}

Move Minimax::nextMove(const vector<Move> &adversary, const GameState &state) {
    Move mejor = M_NONE;
    double valor = alfaBeta(state, PROFUNDIDAD, -1000, 1000, mejor);
    cerr << "Valor: " << valor << " Movimiento: " << (int) mejor << endl;
    return mejor;
}
