
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

