// Plays El Juego de la Bandera by alpha-beta, one ply deeper each time until the time is used up.
//
//     g++ -std=c++17 -O2 -I.. alphabeta.cpp -o alphabeta
//     palestra check ./alphabeta --game bandera
//     palestra match bandera ./alphabeta ninja1 --games 20
//
// What it knows of the game stands in evaluate(): make that better first. Then look at the most promising moves before
// the others, and remember positions that were searched already.

#include "palestra.hpp"

namespace {

using Game = palestra::Bandera;

// More than any evaluation.
constexpr int WIN = 1'000'000;

constexpr int FAR = 50;

// How many steps it is from every cell to a flag. Walls stay where they are, so this is worked out once a turn.
struct Flag {
    int cell;
    std::vector<int> hops;

    Flag(const Game& position, int flag) : cell(flag), hops(static_cast<std::size_t>(position.cells()), FAR) {
        std::vector<int> reached = {flag};
        hops[static_cast<std::size_t>(flag)] = 0;
        for (std::size_t i = 0; i < reached.size(); i++) {
            const int steps = hops[static_cast<std::size_t>(reached[i])] + 1;
            for (const int next : position.neighbours(reached[i])) {
                int& found = hops[static_cast<std::size_t>(next)];
                if (steps >= found || position.tile(next) == '#') continue;
                found = steps;
                reached.push_back(next);
            }
        }
    }
};

std::vector<Flag> find_flags(const Game& position) {
    std::vector<Flag> flags;
    for (int cell = 0; cell < position.cells(); cell++) {
        if (position.tile(cell) == 'F') flags.emplace_back(position, cell);
    }
    return flags;
}

// The steps that a side's nearest player needs to a flag, if its energy may last.
int steps_to(const Game& position, const Flag& flag, int side) {
    int nearest = FAR;
    for (int index = 0; index < position.players(); index++) {
        const Game::Player& player = position.player(index);
        const int hops = flag.hops[static_cast<std::size_t>(player.cell)];
        if (position.side_of(index) == side && hops <= player.energy) nearest = std::min(nearest, hops);
    }
    return nearest;
}

// How good a position is for a side when nobody looks further: flags captured, flags that one side reaches before the
// other, and the way to the nearest.
int evaluate(const Game& position, const std::vector<Flag>& flags, int side) {
    int own_nearest = FAR, other_nearest = FAR;
    int value = 100 * (position.points(side) - position.points(palestra::other(side)));
    for (const Flag& flag : flags) {
        if (position.tile(flag.cell) != 'F') continue;
        const int own = steps_to(position, flag, side), others = steps_to(position, flag, palestra::other(side));
        value += own < others ? 10 : own > others ? -10 : 0;
        own_nearest = std::min(own_nearest, own);
        other_nearest = std::min(other_nearest, others);
    }
    return value + other_nearest - own_nearest;
}

struct OutOfTime {};

class Search {
public:
    Search(const Game& position, const palestra::Turn<Game>& turn)
        : me_(position.turn()), turn_(turn), flags_(find_flags(position)) {}

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
        if (depth == 0) return evaluate(position, flags_, me_);
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
    std::vector<Flag> flags_;
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
