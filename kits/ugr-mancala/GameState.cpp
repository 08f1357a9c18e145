#define COURSE_ITSELF
#include "GameState.h"

static const int SEEDS = 48;

static Player other(Player player) {
    return player == J1 ? J2 : J1;
}

GameState::GameState() : turn(J1) {
    for (int player = J1; player <= J2; ++player) {
        seeds[player][GRANERO] = 0;
        for (int pit = P1; pit <= P6; ++pit) seeds[player][pit] = 4;
    }
}

GameState::GameState(Player turn, const unsigned char seeds[2][7]) : turn(turn) {
    for (int player = J1; player <= J2; ++player) {
        for (int place = GRANERO; place <= P6; ++place) this->seeds[player][place] = seeds[player][place];
    }
}

Player GameState::getCurrentPlayer() const {
    return turn;
}

unsigned char GameState::getSeedsAt(Player player, Position position) const {
    bool exists = (player == J1 || player == J2) && position >= GRANERO && position <= P6;
    return exists ? seeds[player][position] : 0;
}

GameState GameState::simulateMove(Move move) const {
    GameState after(*this);
    if (!isValidState()) {
        after.clear();
        after.turn = NONE;
    } else if (isFinalState() || move < M1 || move > M6 || seeds[turn][move] == 0) {
        after.lose();
    } else {
        after.sow(move);
    }
    return after;
}

bool GameState::isFinalState() const {
    return isValidState() && !hasSeeds(J1) && !hasSeeds(J2);
}

bool GameState::isValidState() const {
    int sum = 0;
    for (int place = GRANERO; place <= P6; ++place) sum += seeds[J1][place] + seeds[J2][place];
    return sum == SEEDS && (turn == J1 || turn == J2);
}

Player GameState::getWinner() const {
    if (!isFinalState() || getScore(J1) == getScore(J2)) return NONE;
    return getScore(J1) > getScore(J2) ? J1 : J2;
}

int GameState::getScore(Player player) const {
    return getSeedsAt(player, GRANERO);
}

bool GameState::hasSeeds(Player player) const {
    for (int pit = P1; pit <= P6; ++pit) {
        if (seeds[player][pit] > 0) return true;
    }
    return false;
}

void GameState::clear() {
    for (int place = GRANERO; place <= P6; ++place) seeds[J1][place] = seeds[J2][place] = 0;
}

// The player to move loses everything.
void GameState::lose() {
    clear();
    turn = other(turn);
    seeds[turn][GRANERO] = SEEDS;
}

// One seed to each place on the way: down to the own store, then down the other's pits, past the other's store.
void GameState::sow(Move move) {
    Player side = turn;
    int place = move;
    int hand = seeds[turn][move];
    seeds[turn][move] = 0;
    for (; hand > 0; --hand) {
        bool pastStore = side == turn ? place == GRANERO : place == P1;
        if (pastStore) {
            side = other(side);
            place = P6;
        } else {
            --place;
        }
        ++seeds[side][place];
    }
    bool again = place == GRANERO;
    if (side == turn && !again) capture(static_cast<Position>(place));
    if (!hasSeeds(J1) || !hasSeeds(J2)) collect();
    if (!again) turn = other(turn);
}

// The last seed fell into an own pit: was it empty, and is there something on the other side?
void GameState::capture(Position last) {
    unsigned char &own = seeds[turn][last];
    unsigned char &opposite = seeds[other(turn)][7 - last];
    if (own != 1 || opposite == 0) return;
    seeds[turn][GRANERO] += own + opposite;
    own = opposite = 0;
}

// Each player banks what is left in the own pits.
void GameState::collect() {
    for (int player = J1; player <= J2; ++player) {
        for (int pit = P1; pit <= P6; ++pit) {
            seeds[player][GRANERO] += seeds[player][pit];
            seeds[player][pit] = 0;
        }
    }
}
