// Attacks on those who end programs, and attempts to live on.

#include "attack.hpp"

#include <csignal>

using Words = std::vector<std::string>;

// No signal is heard that can be helped.
static void be_deaf() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
    tell("ignore all signals", 0);
}

// Somebody who lives on in a session of its own, though not for long.
[[noreturn]] static void live_on() {
    tell("setsid", setsid());
    dprintf(2, "did %d is left\n", getpid());
    for (int pipe : {0, 1, 2}) close(pipe);
    sleep(60);
    _exit(0);
}

static void be_daemon() {
    const pid_t child = fork();
    if (child == 0) live_on();
    tell("fork", child);
}

static void be_daemon_twice() {
    tell("own setsid", syscall(SYS_setsid));
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0) live_on();
        _exit(0);
    }
    tell("fork", child);
}

int main(int count, char** words) {
    return play(count, words, {
        {"deaf", [](const Words&) { be_deaf(); }},
        {"deaf-forever", [](const Words&) { be_deaf(); for (;;) sleep(600); }},
        {"daemon", [](const Words&) { be_daemon(); }},
        {"daemon-twice", [](const Words&) { be_daemon_twice(); }},
        // With the signal 0 nobody is hurt, and one sees who could be.
        {"kill", [](const Words& words) {
            const int number = std::stoi(words[0]);
            // Nobody is hurt outside of a box, whoever starts this there: inside one is the second process.
            if (number != 0 && getpid() != 2) return;
            tell("kill parent", kill(getppid(), number));
            tell("kill all", kill(-1, number));
            tell("kill first", kill(1, number));
        }},
        {"stop-group", [](const Words&) { tell("stop group", kill(0, SIGSTOP)); }},
    });
}
