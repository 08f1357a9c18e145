// Plays any legal move of Parchís.
//
//     g++ -std=c++17 -O2 -I.. random.cpp -o random
//     palestra match parchis ./random greedy --show

#include <random>

#include "palestra.hpp"

using Game = palestra::Parchis;

int main() {
    std::mt19937 chance(std::random_device{}());
    return palestra::run<Game>("Random", [&](const Game&, const palestra::Turn<Game>& turn) {
        std::uniform_int_distribution<std::size_t> any(0, turn.legal.size() - 1);
        return turn.legal[any(chance)];
    });
}
