// Plays any legal move of Desconecta-4 Boom.
//
//     g++ -std=c++17 -O2 -I.. random.cpp -o random
//     palestra match desconecta4boom ./random greedy --show

#include <random>

#include "palestra.hpp"

using Game = palestra::Desconecta4Boom;

int main() {
    std::mt19937 chance(std::random_device{}());
    return palestra::run<Game>("Random", [&](const Game&, const palestra::Turn<Game>& turn) {
        std::uniform_int_distribution<std::size_t> any(0, turn.legal.size() - 1);
        return turn.legal[any(chance)];
    });
}
