// Attacks on what is outside of the box.

#include "attack.hpp"

int main(int count, char** words) {
    return play(count, words, {
        {"read", [](const std::vector<std::string>& files) {
            for (const std::string& file : files) tell(("open " + file).c_str(), open(file.c_str(), O_RDONLY));
        }},
        {"unshare", [](const auto&) { tell("unshare", syscall(SYS_unshare, 0x10000000)); }},
    });
}
