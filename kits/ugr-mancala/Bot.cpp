#define COURSE_ITSELF
#include "Bot.h"

Bot::Bot() : player(NONE), timeOut(0) {}

Bot::~Bot() {}

void Bot::setPlayer(const Player player) {
    this->player = player;
}

Player Bot::getPlayer() const {
    return player;
}

void Bot::setTimeOut(long timeOut) {
    this->timeOut = timeOut;
}

long Bot::getTimeOut() const {
    return timeOut;
}
