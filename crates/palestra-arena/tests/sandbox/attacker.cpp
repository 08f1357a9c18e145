// A program for a box: what it does is told by its first argument. It answers hello, so that it gets its turn.

#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>

namespace {

int play() {
    char line[4096];
    std::string legal;
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "hello", 5)) puts("ready");
        if (!strncmp(line, "legal ", 6)) legal = std::string(line + 6, strcspn(line + 6, " \n"));
        if (!strncmp(line, "go", 2)) printf("move %s\n", legal.c_str());
        if (!strncmp(line, "bye", 3)) return 0;
        fflush(stdout);
    }
    return 0;
}

}  // namespace

int main(int count, char** words) {
    const std::string what = count > 1 ? words[1] : "play";
    if (what == "play") return play();
    if (what == "look") {
        printf("uid %d pid %d cwd %s\n", getuid(), getpid(), getcwd(nullptr, 0));
        fflush(stdout);
        return 0;
    }
    return 2;
}
