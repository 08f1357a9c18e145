// Plays Mancala by alpha-beta, one ply deeper each time until the time is used up.
//
//     g++ -std=c++17 -O2 -I.. alphabeta.cpp -o alphabeta
//     palestra check ./alphabeta --game mancala
//     palestra match mancala ./alphabeta ninja1 --games 20
//
// What it knows of the game stands in evaluate(): make that better first. Then look at the most promising moves before
// the others, and remember positions that were searched already.

#include "palestra.hpp"

namespace {

using Game = palestra::Mancala;

// More than any evaluation.
constexpr int WIN = 1'000'000;

// How good a position is for a side when nobody looks further: seeds in store are safe, those in the pits can be lost.
int evaluate(const Game& position, int side) {
    int value = 0;
    for (int pit = 0; pit <= 6; pit++) {
        const int weight = pit == 0 ? 4 : 1;
        value += weight * (position.seeds(side, pit) - position.seeds(palestra::other(side), pit));
    }
    return value;
}

struct OutOfTime {};

class Search {
public:
    Search(const Game& position, const palestra::Turn<Game>& turn) : me_(position.turn()), turn_(turn) {}

    // The value of the best move at this depth. Whenever a better move is found it comes to the front: even if the time
    // runs out, the first is the best one known.
    int root(const Game& position, std::vector<Game::Move>& moves, int depth) {
        int best = -INFINITE;
        for (std::size_t i = 0; i < moves.size(); i++) {
            const int found = value(after(position, moves[i]), depth - 1, best, INFINITE);
            if (found <= best) continue;
            best = found;
            std::rotate(moves.begin(), moves.begin() + static_cast<long>(i), moves.begin() + static_cast<long>(i) + 1);
        }
        return best;
    }

    // The positions visited so far.
    long long states() const { return states_; }

private:
    static constexpr int INFINITE = 2 * WIN;

    static Game after(Game position, Game::Move move) {
        position.play(move);
        return position;
    }

    // What a position is worth to me, if that lies between alpha and beta. The same side may move again, so every
    // position is asked who moves: where I do I take the highest value, where the other does it takes the lowest.
    int value(const Game& position, int depth, int alpha, int beta) {
        states_++;
        if (turn_.must_stop(states_)) throw OutOfTime{};
        if (position.outcome() != palestra::Outcome::none) return result(position, depth);
        if (depth == 0) return evaluate(position, me_);
        const bool is_mine = position.turn() == me_;
        for (const Game::Move move : position.moves()) {
            const int found = value(after(position, move), depth - 1, alpha, beta);
            if (is_mine) {
                alpha = std::max(alpha, found);
            } else {
                beta = std::min(beta, found);
            }
            if (alpha >= beta) break;
        }
        return is_mine ? alpha : beta;
    }

    // The sooner a win and the later a loss, the better: then more of the depth is left, or less.
    int result(const Game& position, int depth) const {
        if (position.outcome() == palestra::Outcome::draw) return 0;
        return position.outcome() == palestra::win_for(me_) ? WIN + depth : -WIN - depth;
    }

    int me_;
    const palestra::Turn<Game>& turn_;
    long long states_ = 0;
};

Game::Move choose(const Game& position, const palestra::Turn<Game>& turn) {
    std::vector<Game::Move> moves = turn.legal;
    if (moves.size() == 1) return moves[0];
    Search search(position, turn);
    try {
        for (int depth = 1; depth <= turn.depth.value_or(60); depth++) {
            const int value = search.root(position, moves, depth);
            turn.info(depth, value, search.states(), {moves[0]});
            if (std::abs(value) >= WIN) break;  // the end is in sight
            // The next depth takes several times as long as all before it: it is not begun if it cannot be finished.
            if (turn.time_used() > 0.4) break;
        }
    } catch (const OutOfTime&) {
        // The first move is the best one known.
    }
    return moves[0];
}

}  // namespace

int main() {
    return palestra::run<Game>("AlphaBeta", choose);
}
