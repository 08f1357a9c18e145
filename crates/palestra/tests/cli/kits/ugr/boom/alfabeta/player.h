#ifndef PLAYER_H
#define PLAYER_H

#include "environment.h"

class Player{
    public:
      Player(int jug);
      Environment::ActionType Think();
      void Perceive(const Environment &env);
      int numJugador() { return jugador_; }
    private:
      int jugador_;
      Environment actual_;
      long nodos_;

      double Poda_AlfaBeta(const Environment &estado, int jugador, int prof, int limite,
                           Environment::ActionType &accion, double alpha, double beta);
};
#endif
