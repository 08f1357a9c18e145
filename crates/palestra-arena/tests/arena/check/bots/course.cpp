// Speaks as the programs of the Mancala course of 2018 do, and plays the first pit with seeds.
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
            while (pit < 6 && seeds[7 * player + pit] == 0) ++pit;
            answer = std::to_string(pit);
        } else if (word == "END") {
            std::cout << "OK" << std::endl;
            return 0;
        }
        std::cout << answer << std::endl;
    }
}
