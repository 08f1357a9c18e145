// A position of Mancala, as the course's bots see it.

#ifndef GAMESTATE_H
#define GAMESTATE_H

#include <cstdlib>
#include <string>
#include <vector>

// Students of 2018 included little: the standard headers of their g++ brought many others along. Today's bring fewer, so
// those that their bots use are named here, and no more: with `using namespace std` each name of these is taken. The
// course's own sources do not need them, and compile faster without.
#ifndef COURSE_ITSELF
#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <iostream>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#endif

using namespace std;

enum Player { J1 = 0, J2 = 1, NONE = 2 };

// A move is the number of the pit to sow; M_NONE is no move, which loses.
enum Move { M1 = 1, M2 = 2, M3 = 3, M4 = 4, M5 = 5, M6 = 6, M_NONE = 7 };

// The store, and the pits by their distance from it.
enum Position { GRANERO = 0, P1 = 1, P2 = 2, P3 = 3, P4 = 4, P5 = 5, P6 = 6 };

class GameState {
public:
    // The start: four seeds in every pit, and J1 moves.
    GameState();

    // Any position: the seeds of J1 and of J2, each in the order of Position.
    GameState(Player turn, const unsigned char seeds[2][7]);

    Player getCurrentPlayer() const;
    unsigned char getSeedsAt(Player player, Position position) const;

    // The position after a move. An empty pit, no move and a move after the end lose 0-48; from a position that is not
    // valid one without seeds and players follows.
    GameState simulateMove(Move move) const;

    // Whether the game is over: all pits are empty, the seeds left in them having been collected.
    bool isFinalState() const;

    // Whether there are 48 seeds, and somebody to move.
    bool isValidState() const;

    // Who has won; NONE for a draw, and before the end.
    Player getWinner() const;

    // The seeds in a player's store.
    int getScore(Player player) const;

private:
    Player turn;
    unsigned char seeds[2][7];

    bool hasSeeds(Player player) const;
    void clear();
    void lose();
    void sow(Move move);
    void capture(Position last);
    void collect();
};

#endif
