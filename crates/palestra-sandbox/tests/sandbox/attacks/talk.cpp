// Attacks by what is said, and by what is not.

#include "attack.hpp"

#include <sys/resource.h>

using Words = std::vector<std::string>;

// As much as a test without a referee can take in; with one nobody gets so far.
static const long most = 64 << 20;

static void pour(int where, const std::string& text) {
    for (long sent = 0; sent < most; sent += text.size()) {
        if (write(where, text.data(), text.size()) < 0) return;
    }
}

// So many bytes, each by itself and after a while.
static void drip(const std::string& text, unsigned microseconds) {
    for (const char byte : text) {
        if (write(1, &byte, 1) < 0) return;
        usleep(microseconds);
    }
}

[[noreturn]] static void wait_for_the_end() {
    for (std::string line; next_line(line);) {}
    _exit(0);
}

int main(int count, char** words) {
    if (count > 1 && strcmp(words[1], "deaf") == 0) {
        for (;;) pause();
    }
    return play(count, words, {
        {"endless", [](const Words&) { pour(1, std::string(1 << 16, 'a')); }},
        {"flood", [](const Words&) {
            std::string lines;
            while (lines.size() < 1 << 16) lines += "info depth 1\n";
            pour(1, lines);
        }},
        {"errors", [](const Words&) {
            pour(2, std::string(1 << 16, 'e'));
            tell("flood", 0);
        }},
        {"pieces", [](const Words&) { drip("info depth 1\ninfo depth 2\n", 200); }},
        {"drip", [](const Words&) { drip("info text " + std::string(1000, 'a'), 20'000); }},
        {"close", [](const Words&) {
            close(1);
            wait_for_the_end();
        }},
        // The words come as they are to be said, in hexadecimal digits.
        {"say", [](const Words& lines) {
            for (const std::string& line : lines) {
                std::string text;
                for (size_t at = 0; at + 1 < line.size(); at += 2) text += std::stoi(line.substr(at, 2), nullptr, 16);
                say(text);
            }
        }},
        // The move, and more at the same time: nobody can be stopped in between.
        {"ahead", [](const Words& more) {
            const std::string text = "move " + chosen + "\n" + (more[0] == "move" ? "move " + chosen + "\n" : more[0]);
            if (write(1, text.data(), text.size()) < 0) return;
            wait_for_the_end();
        }},
        {"exit", [](const Words&) { _exit(7); }},
        {"abort", [](const Words&) {
            rlimit core{};
            getrlimit(RLIMIT_CORE, &core);
            dprintf(2, "core limit %ld\n", static_cast<long>(core.rlim_max));
            // Without a box none is to be left either.
            core.rlim_cur = 0;
            setrlimit(RLIMIT_CORE, &core);
            abort();
        }},
    });
}
