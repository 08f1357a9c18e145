// Makes a program of a player of the courses: it speaks Palestra's protocol 1, and asks the player to Perceive and to
// Think once for every single move. It plays Conecta-4 Boom and Desconecta-4 Boom, as the arena says.
//
// With the files of a player beside these, a player.h of their own in place of the one here:
// g++ -o bot -O2 -std=gnu++14 -fpermissive -I. environment.cpp main.cpp player.cpp -lm

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "environment.h"
// In angle brackets, so that a player.h of the player's folder, if it is named first, goes before the one beside this.
#include <player.h>

namespace arena {

// The talk with the arena.
class Link {
public:
    // Players print what they think to cout, and may wait for a key: from now on the one goes to stderr, and the other
    // finds the end of its input.
    Link() : input(fdopen(dup(STDIN_FILENO), "r")), output(fdopen(dup(STDOUT_FILENO), "w")) {
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        // Nothing printed is lost when the player crashes.
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    }

    bool readLine(std::string &line) {
        line.clear();
        for (int c; (c = getc(input)) != EOF; line += static_cast<char>(c)) {
            if (c == '\n') return true;
        }
        return false;
    }

    void say(const std::string &line) {
        fprintf(output, "%s\n", line.c_str());
        fflush(output);
    }

private:
    FILE *input;
    FILE *output;
};

// Actions as the arena writes them. What is no action becomes no move either, and the referee judges it.
std::string moveOf(int action) {
    if (action == Environment::BOOM) return "boom";
    std::ostringstream text;
    text << action + 1;
    return text.str();
}

int actionOf(const std::string &move) {
    return move == "boom" ? static_cast<int>(Environment::BOOM) : atoi(move.c_str()) - 1;
}

// The game as the player sees it.
class Table {
public:
    Table() : player(NULL), number(1), next(1) { forget(); }

    // `game NAME seat SIDE options WORD`
    bool begin(std::istringstream &words) {
        std::string name, word;
        int seat;
        if (!(words >> name >> word >> seat) || !Environment::PlayGame(name)) return false;
        environment = Environment();
        forget();
        number = 1;
        // On the heap, for players that hold large tables.
        player = new Player(seat);
        return true;
    }

    // `position P`
    bool place(std::istringstream &words) {
        std::string position;
        words >> position;
        next = atoi(position.c_str());
        return environment.Read(position);
    }

    // `history MOVE...`: the moves up to the position. If they do not follow those known, others went before.
    void recall(std::istringstream &words) {
        std::vector<std::string> moves;
        for (std::string move; words >> move;) moves.push_back(move);
        int first = next - static_cast<int>(moves.size());
        if (first != number) forget();
        for (number = first; number < next; ++number) {
            last[Environment::PlayerOfMove(number) - 1] = actionOf(moves[number - first]);
        }
    }

    // `go`
    bool think(std::string &move) {
        if (player == NULL) return false;
        for (int i = 0; i < 2; ++i) environment.SetLastAction(i + 1, last[i]);
        int mover = environment.JugadorActivo();
        player->Perceive(environment);
        int action = player->Think();
        last[mover - 1] = action;
        number = next + 1;
        move = moveOf(action);
        return true;
    }

private:
    Player *player;
    Environment environment;
    // The number of the move that comes after all those known, and of the one to make in the position.
    int number;
    int next;
    int last[2];

    void forget() { last[0] = last[1] = -1; }
};

int talk() {
    Link link;
    Table table;
    std::string line, word, move;
    while (link.readLine(line)) {
        std::istringstream words(line);
        word.clear();
        words >> word;
        bool understood = true;
        if (word == "hello") {
            link.say("ready");
        } else if (word == "game") {
            understood = table.begin(words);
        } else if (word == "position") {
            understood = table.place(words);
        } else if (word == "history") {
            table.recall(words);
        } else if (word == "go") {
            understood = table.think(move);
            if (understood) link.say("move " + move);
        } else if (word == "ping") {
            words >> word;
            link.say("pong " + word);
        } else if (word == "bye") {
            return 0;
        }
        if (!understood) {
            fprintf(stderr, "not understood: %s\n", line.c_str());
            return 1;
        }
    }
    return 0;
}

} // namespace arena

int main() {
    return arena::talk();
}
