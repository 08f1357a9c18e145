// Makes a program of a bot. The class's name is given to the compiler, -DBOT_CLASS=MyBot for the pair MyBot.h and
// MyBot.cpp, or stands in a line above this one: #define BOT_CLASS MyBot
//
// g++ -o bot -O2 -std=c++11 -I. -DBOT_CLASS=MyBot Bot.cpp GameState.cpp main.cpp SimulatorLink.cpp MyBot.cpp -lm

#ifndef BOT_CLASS
#error "Which bot? Add -DBOT_CLASS=MyBot to the command, or the line #define BOT_CLASS MyBot at the top of main.cpp"
#endif

#define QUOTED_TEXT(text) #text
#define QUOTED(text) QUOTED_TEXT(text)

// The bot's header has its name, unless -DBOT_HEADER='"Other.h"' says otherwise.
#ifndef BOT_HEADER
#define BOT_HEADER QUOTED(BOT_CLASS.h)
#endif

#include "Bot.h"
#include "GameState.h"
#include "SimulatorLink.h"
#include BOT_HEADER

int main() {
    SimulatorLink link;
    // On the heap, for bots that hold large tables. The old cast, because many bots derive from Bot in private.
    link.setBot((Bot *) new BOT_CLASS());
    link.run();
    return 0;
}
