// A program of the course that plays the first pit, empty or not.
#include <iostream>
#include <string>

int main() {
    std::string word, answer;
    int player = 0;
    while (true) {
        std::cin >> word;
        if (word == "PING") {
            answer = "PONG";
        } else if (word == "GETNAME") {
            answer = "First";
        } else if (word == "TIMEOUT") {
            long limit;
            std::cin >> limit;
        } else if (word == "SETPLAYER") {
            std::cin >> player;
            answer = "OK";
        } else if (word == "GETMOVE") {
            int count, turn, seeds[14];
            std::cin >> count;
            for (int skipped; count > 0; --count) std::cin >> skipped;
            std::cin >> turn;
            for (int& number : seeds) std::cin >> number;
            int pit = 1;
            static_cast<void>(player);
            answer = std::to_string(pit);
        } else if (word == "END") {
            std::cout << "OK" << std::endl;
            return 0;
        }
        std::cout << answer << std::endl;
    }
}
