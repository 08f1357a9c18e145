// What all attackers share. An attacker plays Mancala, always the first legal move; at its second turn it makes the
// attack that its first argument names. What it says on stderr is for the test: one line "did ..." or "failed ..." for
// each thing tried.
#pragma once

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Tells the test what came of a call of the system: "did name" or "failed name: why".
inline bool tell(const std::string& what, long result) {
    if (result >= 0) {
        dprintf(2, "did %s\n", what.c_str());
    } else {
        dprintf(2, "failed %s: %s\n", what.c_str(), strerror(errno));
    }
    return result >= 0;
}

// The next line of the referee, read without a buffer of the library, so that an attack may do what it likes with it.
inline bool next_line(std::string& line) {
    line.clear();
    for (char byte; read(0, &byte, 1) == 1;) {
        if (byte == '\n') return true;
        line += byte;
    }
    return false;
}

inline void say(const std::string& line) {
    const std::string text = line + "\n";
    if (write(1, text.data(), text.size()) < 0) _exit(3);
}

// The move that is given at the end of this turn.
inline std::string chosen;

using Attack = std::function<void(const std::vector<std::string>&)>;

// Plays. The attack gets the arguments after its name, and is made before the second move is given.
inline int play(int count, char** words, const std::map<std::string, Attack>& attacks) {
    const std::string name = count > 1 ? words[1] : "";
    const std::vector<std::string> arguments(words + (count > 1 ? 2 : count), words + count);
    if (name != "peace" && attacks.find(name) == attacks.end()) return 2;
    std::string line;
    int turns = 0;
    while (next_line(line)) {
        if (line.rfind("hello", 0) == 0) say("ready");
        if (line.rfind("legal ", 0) == 0) chosen = line.substr(6, line.find(' ', 6) - 6);
        if (line.rfind("go", 0) == 0) {
            turns++;
            if (turns == 2 && name != "peace") attacks.at(name)(arguments);
            say("move " + chosen);
        }
        if (line.rfind("bye", 0) == 0) return 0;
    }
    return 0;
}
