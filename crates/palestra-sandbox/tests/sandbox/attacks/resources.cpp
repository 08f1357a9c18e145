// Attacks on what a machine has to share: processes, memory, files. The last argument of most is how much is tried.

#include "attack.hpp"

#include <csignal>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

using Words = std::vector<std::string>;

constexpr size_t MIB = 1 << 20;

// Tells the test how far it got.
static void reached(long count, const char* what) { dprintf(2, "did %ld %s\n", count, what); }

// A child does nothing, for a while.
static bool is_parent(long pid) {
    if (pid == 0) {
        sleep(20);
        _exit(0);
    }
    return pid > 0;
}

static void processes(long most) {
    struct { unsigned long flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls; } clone3{};
    clone3.exit_signal = SIGCHLD;
    long made = 0;
    for (long i = 0; i < most; i++) {
        made += is_parent(fork());
        made += is_parent(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
        made += is_parent(syscall(SYS_clone3, &clone3, sizeof clone3));
#ifdef SYS_fork
        made += is_parent(syscall(SYS_fork));
#endif
        const pid_t pid = vfork();
        if (pid == 0) _exit(0);
        made += pid > 0;
    }
    reached(made, "processes");
}

static void threads(long most) {
    long made = 0;
    for (pthread_t thread; made < most; made++) {
        const auto wait = [](void*) -> void* { for (;;) pause(); };
        if (pthread_create(&thread, nullptr, wait, nullptr) != 0) break;
    }
    reached(made, "threads");
}

// Takes a MiB at a time, and uses it.
static void hog(long most, const std::function<void*()>& take) {
    for (long i = 1; i <= most; i++) {
        void* memory = take();
        if (memory == nullptr || memory == MAP_FAILED) break;
        memset(memory, 1, MIB);
        reached(i, "MiB");
    }
}

// Does it in another thread once the first one has ended, and goes on playing there.
static void without_main(const std::function<void()>& attack) {
    static const pthread_t first = pthread_self();
    static std::function<void()> attack_then;
    attack_then = attack;
    const auto run = [](void*) -> void* {
        pthread_join(first, nullptr);
        attack_then();
        say("move " + chosen);
        char name[] = "attacker", word[] = "peace";
        char* words[] = {name, word};
        _exit(play(2, words, {}));
    };
    pthread_t second;
    if (pthread_create(&second, nullptr, run, nullptr) == 0) pthread_exit(nullptr);
}

static void* shared() { return mmap(nullptr, MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }

constexpr int FRAMES = 16;

[[gnu::noinline]] static long descend(long depth, long most) {
    volatile char frame[MIB / FRAMES];
    frame[0] = 1;
    if (depth % FRAMES == 0) reached(depth / FRAMES, "MiB");
    if (depth == most) return frame[0];
    return descend(depth + 1, most) + frame[0];
}

static bool set_limit(int resource, rlim_t soft, rlim_t hard) {
    const rlimit limit{soft, hard};
    return setrlimit(resource, &limit) == 0 || syscall(SYS_prlimit64, 0, resource, &limit, nullptr) == 0
#ifdef SYS_setrlimit
        || syscall(SYS_setrlimit, resource, &limit) == 0
#endif
        ;
}

static int create(const std::string& path) { return open(path.c_str(), O_CREAT | O_WRONLY, 0600); }

static void fill(const std::string& path, long most) {
    const int file = create(path);
    const std::string text(MIB, 'x');
    long written = 0;
    while (written < most * long(MIB)) {
        const ssize_t count = write(file, text.data(), text.size());
        if (count <= 0) break;
        written += count;
    }
    reached(written / MIB, "MiB");
}

// A file without anything in it counts as large all the same.
static void stretch(const std::string& path, long most) {
    const int file = create(path);
    tell("stretch", ftruncate(file, most * MIB));
    struct stat found{};
    fstat(file, &found);
    reached(found.st_size / MIB, "MiB");
}

static void flood(const std::string& folder, long most) {
    mkdir(folder.c_str(), 0700);
    long made = 0;
    for (int file = 0; made < most; made++) {
        if ((file = create(folder + "/" + std::to_string(made))) < 0) break;
        close(file);
    }
    reached(made, "files");
}

static void open_many(long most) {
    long opened = 0;
    while (opened < most && open("/dev/null", O_RDONLY) >= 0) opened++;
    reached(opened, "descriptors");
}

static void lock() {
    void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    tell("mlock", mlock(page, 4096));
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED;
    tell("mmap", mmap(nullptr, 4096, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED ? -1 : 0);
    tell("mlockall", mlockall(MCL_FUTURE));
    munlockall();
}

static void raise_limits() {
    // Somebody may have no room to the top: first down, then up.
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    set_limit(RLIMIT_NOFILE, 16, files.rlim_max);
    tell("raise files", set_limit(RLIMIT_NOFILE, files.rlim_max, files.rlim_max) ? 0 : -1);
    for (int resource = 0; resource < RLIM_NLIMITS; resource++) {
        set_limit(resource, RLIM_INFINITY, RLIM_INFINITY);
    }
}

int main(int count, char** words) {
    const auto most = [](const Words& words) { return std::stol(words.back()); };
    return play(count, words, {
        {"processes", [&](const Words& words) { processes(most(words)); }},
        {"threads", [&](const Words& words) { threads(most(words)); }},
        {"malloc", [&](const Words& words) { hog(most(words), [] { return malloc(MIB); }); }},
        {"orphan", [&](const Words& words) {
            const long count = most(words);
            without_main([count] { hog(count, [] { return malloc(MIB); }); });
        }},
        {"shared", [&](const Words& words) { hog(most(words), shared); }},
        {"stack", [&](const Words& words) {
            set_limit(RLIMIT_STACK, 64 * MIB, RLIM_INFINITY);
            descend(0, most(words) * FRAMES);
        }},
        {"fill", [&](const Words& words) { fill(words[0], most(words)); }},
        {"stretch", [&](const Words& words) { stretch(words[0], most(words)); }},
        {"stretch-calmly", [&](const Words& words) {
            signal(SIGXFSZ, SIG_IGN);
            stretch(words[0], most(words));
        }},
        {"flood", [&](const Words& words) { flood(words[0], most(words)); }},
        {"descriptors", [&](const Words& words) { open_many(most(words)); }},
        {"lock", [](const Words&) { lock(); }},
        {"limits", [](const Words&) { raise_limits(); }},
    });
}
