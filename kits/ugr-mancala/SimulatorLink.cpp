#define COURSE_ITSELF
#include "SimulatorLink.h"

#include <iostream>
#include <sstream>
#include <vector>

SimulatorLink::SimulatorLink() : bot(NULL) {}

void SimulatorLink::setBot(Bot *bot) {
    this->bot = bot;
}

bool SimulatorLink::run() {
    if (bot == NULL) return false;
    bot->initialize();
    string word;
    while (cin >> word) {
        if (!obey(word)) return false;
        // A word without an answer of its own, TIMEOUT or an unknown one, has the last answer repeated: the course's
        // simulator waits for one line each time.
        cout << answer << endl;
        if (word == "END") return true;
    }
    return false;
}

// Works out the answer to a word; false if the input ends, or makes no sense.
bool SimulatorLink::obey(const string &word) {
    if (word == "PING") {
        answer = "PONG";
    } else if (word == "GETNAME") {
        answer = bot->getName();
    } else if (word == "TIMEOUT") {
        return setTimeOut();
    } else if (word == "SETPLAYER") {
        return setPlayer();
    } else if (word == "GETMOVE") {
        return getMove();
    } else if (word == "END") {
        answer = "OK";
    }
    return true;
}

bool SimulatorLink::setTimeOut() {
    long timeOut;
    if (!(cin >> timeOut)) return false;
    bot->setTimeOut(timeOut);
    return true;
}

bool SimulatorLink::setPlayer() {
    int player;
    if (!(cin >> player)) return false;
    bot->setPlayer(player == 0 ? J1 : J2);
    answer = "OK";
    return true;
}

// Reads the other's moves, whose turn it is, and the seeds of both; asks the bot.
bool SimulatorLink::getMove() {
    int count, number, turn;
    if (!(cin >> count)) return false;
    vector<Move> adversary;
    for (; count > 0; --count) {
        if (!(cin >> number)) return false;
        adversary.push_back(static_cast<Move>(number));
    }
    if (!(cin >> turn)) return false;
    unsigned char seeds[2][7];
    for (int place = 0; place < 14; ++place) {
        if (!(cin >> number)) return false;
        seeds[place / 7][place % 7] = static_cast<unsigned char>(number);
    }
    GameState state(turn == 0 ? J1 : turn == 1 ? J2 : NONE, seeds);
    ostringstream text;
    text << static_cast<int>(bot->nextMove(adversary, state));
    answer = text.str();
    return true;
}
