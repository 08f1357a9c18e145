// The talk between a bot and the simulator, on standard input and output.

#ifndef SIMULATORLINK_H
#define SIMULATORLINK_H

#include <string>

#include "Bot.h"

using namespace std;

class SimulatorLink {
public:
    SimulatorLink();

    // The bot that answers. It stays the caller's.
    void setBot(Bot *bot);

    // Answers until the simulator says END, which makes it true, or says nothing any more.
    bool run();

private:
    Bot *bot;
    string answer;

    bool obey(const string &word);
    bool setTimeOut();
    bool setPlayer();
    bool getMove();
};

#endif
