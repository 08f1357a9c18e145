#pragma once
#include "GameState.h"

int heuristica(const GameState &estado, Player jugador);
Move mejorJugada(const GameState &estado);
