// Attacks on time: too much of it, or when it is not one's own.

#include "attack.hpp"

#include <csignal>
#include <ctime>
#include <pthread.h>
#include <sched.h>

using Words = std::vector<std::string>;

static void* burn(void*) {
    for (volatile unsigned long i = 0;; i = i + 1) {}
}

// A thread that never rests.
static void ponder() {
    pthread_t thread;
    tell("ponder", -pthread_create(&thread, nullptr, burn, nullptr));
}

// Asks the kernel for signals that let a stopped process go on, one every tenth of a second. Each is a timer of its own:
// one that is set anew when its signal was heard would be lost if the process is stopped before that.
static void set_timers() {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGCONT;
    for (int i = 1; i <= 50; i++) {
        timer_t timer;
        if (!tell("timer", timer_create(CLOCK_MONOTONIC, &event, &timer))) return;
        const itimerspec once{{0, 0}, {i / 10, i % 10 * 100000000L}};
        timer_settime(timer, 0, &once, nullptr);
    }
}

// Starts somebody who is in no group of ours and does the same, as long as we live but not for long.
static void start_waker() {
    tell("setsid", syscall(SYS_setsid));
    const pid_t self = getpid();
    const pid_t waker = fork();
    if (waker == 0) {
        setsid();
        for (int i = 0; i < 20000 && getppid() == self; i++) {
            kill(self, SIGCONT);
            usleep(1000);
        }
        _exit(0);
    }
    tell("waker", waker);
}

// Sends itself, in every way that there is, the signal that lets a stopped process go on: one that is on its way when the
// process is stopped undoes that. The same calls with a signal that is ignored must work, or no program could raise one.
static void signal_itself() {
    const pid_t process = getpid();
    const long thread = syscall(SYS_gettid);
    for (const int number : {SIGCONT, SIGWINCH}) {
        const std::string name = number == SIGCONT ? " SIGCONT" : " SIGWINCH";
        tell("kill" + name, syscall(SYS_kill, process, number));
        tell("tkill" + name, syscall(SYS_tkill, thread, number));
        tell("tgkill" + name, syscall(SYS_tgkill, process, thread, number));
    }
    siginfo_t queued{};
    queued.si_signo = SIGCONT;
    queued.si_code = SI_QUEUE;
    tell("rt_sigqueueinfo SIGCONT", syscall(SYS_rt_sigqueueinfo, process, SIGCONT, &queued));
    tell("rt_tgsigqueueinfo SIGCONT", syscall(SYS_rt_tgsigqueueinfo, process, thread, SIGCONT, &queued));
}

// Uses all CPUs that it can get, with more threads than there are.
static void burn_on_all(int count) {
    cpu_set_t cpus;
    for (int i = 0; i < 1024; i++) CPU_SET(i, &cpus);
    tell("sched_setaffinity", sched_setaffinity(0, sizeof cpus, &cpus));
    sched_getaffinity(0, sizeof cpus, &cpus);
    dprintf(2, "did %d CPUs\n", CPU_COUNT(&cpus));
    while (count-- > 0) ponder();
    for (;;) pause();
}

// Before there is a game.
[[gnu::constructor]] static void early(int count, char** words) {
    if (count > 1 && strcmp(words[1], "early") == 0) {
        tell("begin early", 0);
        burn(nullptr);
    }
}

int main(int count, char** words) {
    if (count > 1 && strcmp(words[1], "eager") == 0) ponder();
    return play(count, words, {
        {"busy", [](const Words&) { burn(nullptr); }},
        {"sleep", [](const Words&) { sleep(600); }},
        {"ponder", [](const Words&) { ponder(); }},
        {"signals", [](const Words&) { signal_itself(); ponder(); }},
        {"timer", [](const Words&) { set_timers(); ponder(); }},
        {"waker", [](const Words&) { start_waker(); ponder(); }},
        {"threads", [](const Words& words) {
             if (words.size() > 1) signal(SIGXCPU, SIG_IGN);
             burn_on_all(std::stoi(words[0]));
         }},
        {"early", [](const Words&) {}},
        {"eager", [](const Words&) {}},
    });
}
