#ifndef _JUGADOR_
#define _JUGADOR_
#include "environment.h"
class Player {
  public:
    Player(int jug) { jugador_ = jug; }
    Environment::ActionType Think();
    void Perceive(const Environment & env) { actual_ = env; }
  private:
    int jugador_;
    Environment actual_;
};
#endif
