// The courses' player. Who hands in a player.h of their own has that one used instead.

#ifndef PLAYER_H
#define PLAYER_H

#include "environment.h"

class Player {
public:
    // The player's number, 1 or 2.
    Player(int jug) : jugador_(jug) {}

    // The action to play in the position perceived last.
    Environment::ActionType Think();

    void Perceive(const Environment &env) { actual_ = env; }

    int numJugador() { return jugador_; }

private:
    int jugador_;
    Environment actual_;
};

#endif
