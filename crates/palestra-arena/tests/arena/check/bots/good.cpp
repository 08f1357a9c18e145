// Plays the last legal move.
#include <iostream>
#include <sstream>
#include <string>

int main() {
    std::string line, word, last;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        words >> word;
        if (word == "hello") {
            std::cout << "id name Good\nready" << std::endl;
        } else if (word == "legal") {
            while (words >> last) {}
        } else if (word == "go") {
            std::cout << "move " << last << std::endl;
        } else if (word == "ping") {
            words >> word;
            std::cout << "pong " << word << std::endl;
        } else if (word == "bye") {
            break;
        }
    }
}
