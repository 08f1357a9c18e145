// What a bot of the Mancala course derives from.

#ifndef BOT_H
#define BOT_H

#include <string>
#include <vector>

#include "GameState.h"

using namespace std;

class Bot {
public:
    Bot();
    virtual ~Bot();

    // Which player the bot is: NONE until the simulator has said so.
    void setPlayer(const Player player);
    Player getPlayer() const;

    // The time for a move in milliseconds, 0 for no limit.
    void setTimeOut(long timeOut);
    long getTimeOut() const;

    // Called once, when the program starts: neither player nor time are known yet.
    virtual void initialize() = 0;

    // Letters, digits and underscores, the first no digit.
    virtual string getName() = 0;

    // The move to play in a state. `adversary` has what the other has played since the bot's last move.
    virtual Move nextMove(const vector<Move> &adversary, const GameState &state) = 0;

private:
    Player player;
    long timeOut;
};

#endif
