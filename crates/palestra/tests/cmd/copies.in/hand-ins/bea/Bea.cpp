// Poda alfa-beta con profundidad fija, tal como se explica en las transparencias de teoría.

#include <iostream>
#include <string>
#include <vector>

#include "Bot.h"

using namespace std;

class Bea : public Bot {
public:
    void initialize() {}
    string getName() { return "Bea"; }
    Move nextMove(const vector<Move> &adversary, const GameState &state);

private:
    static const int PROFUNDIDAD = 8;

    double heuristica(const GameState &tablero);
    double poda(const GameState &tablero, int profundidad, double alfa, double beta, Move &jugada);
};

Move Bea::nextMove(const vector<Move> &adversary, const GameState &state) {
    Move jugada = M_NONE;
    double valor = poda(state, PROFUNDIDAD, -1000, 1000, jugada);
    cerr << "Valor: " << valor << " Movimiento: " << (int) jugada << endl;
    return jugada;
}


double Bea::heuristica(const GameState &tablero)
{
    Player yo = getPlayer();
    Player otro = (yo == J1) ? J2 : J1;
    double v = tablero.getScore(yo) - tablero.getScore(otro);
    int semillas = 0;
    for (int i = 1; i <= 6; i++)
{
        semillas += tablero.getSeedsAt(yo, (Position) i);
        semillas -= tablero.getSeedsAt(otro, (Position) i);
    }
    return v + 0.2 * semillas;
}

double Bea::poda(const GameState &tablero, int n, double alfa, double beta, Move &jugada)
{
    if (n == 0 || tablero.isFinalState())
{
        return heuristica(tablero);
    }

    Move respuesta;
    if (tablero.getCurrentPlayer() == getPlayer())
{
        
        for (int m = 1; m <= 6; m++)
{
            if (tablero.getSeedsAt(getPlayer(), (Position) m) > 0)
{
                GameState nuevo = tablero.simulateMove((Move) m);
                double v = poda(nuevo, n - 1, alfa, beta, respuesta);
                if (v > alfa)
{
                    alfa = v;
                    jugada = (Move) m;
                }
                if (alfa >= beta)
{
                    return beta;
                }
            }
        }
        return alfa;
    } else
{
        
        for (int m = 1; m <= 6; m++)
{
            if (tablero.getSeedsAt(tablero.getCurrentPlayer(), (Position) m) > 0)
{
                GameState nuevo = tablero.simulateMove((Move) m);
                double v = poda(nuevo, n - 1, alfa, beta, respuesta);
                if (v < beta)
{
                    beta = v;
                    jugada = (Move) m;
                }
                if (alfa >= beta)
{
                    return alfa;
                }
            }
        }
        return beta;
    }
}
