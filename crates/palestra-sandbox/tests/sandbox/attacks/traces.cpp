// Does nothing bad, or never ends.

#include "attack.hpp"

int main(int count, char** words) {
    return play(count, words, {{"forever", [](const auto&) { for (volatile long i = 0;; i = i + 1) {} }}});
}
