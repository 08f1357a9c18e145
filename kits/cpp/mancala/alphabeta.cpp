// Plays Mancala by alpha-beta search: a ply deeper each time, up to MAX_DEPTH, while there is time.
//
//     g++ -std=c++17 -O2 -I.. alphabeta.cpp -o alphabeta
//     palestra check ./alphabeta --game mancala
//     palestra match mancala ./alphabeta ninja1 --games 10
//
// It loses to ninja1. What it knows of the game stands in evaluate(): make that better first, then raise MAX_DEPTH.
// Then look at the most promising moves before the others, and remember positions that were searched already.

#include "palestra.hpp"

namespace {

using Game = palestra::Mancala;

// How many plies it looks ahead if the arena sets no depth; 1 is its own move alone. Raise it when your evaluation is
// good: the search deepens step by step, and stops when the time is nearly over.
constexpr int MAX_DEPTH = 1;

// More than any evaluation.
constexpr int WIN = 1'000'000;

// How good the position is for the side to move, when nobody looks further: the seeds in its store, less those in the
// other store.
//
// An idea for the first evening: count what this side can win with its next move as well. A pit that ends in the store
// is worth a seed and another move, one that ends in an empty pit captures what lies opposite.
int evaluate(const Game& position) {
    const int own = position.turn(), opponent = palestra::other(own);
    return position.seeds(own, 0) - position.seeds(opponent, 0);
}

struct TimeOver {};

// The search for one move.
class Search {
public:
    explicit Search(const palestra::Turn<Game>& turn) : turn_(turn) {
        const auto eval = turn.settings.find("eval");
        is_tested_ = eval != turn.settings.end() && eval->second == "test";
    }

    // The best of these moves, as an index, and its value, looking so many plies ahead.
    std::pair<long, int> best(const Game& position, const std::vector<Game::Move>& moves, int depth) {
        long best = 0;
        int alpha = -2 * WIN;
        for (std::size_t i = 0; i < moves.size(); i++) {
            const int found = value_after(position, moves[i], depth, alpha, 2 * WIN);
            if (found <= alpha) continue;
            alpha = found;
            best = static_cast<long>(i);
        }
        return {best, alpha};
    }

    // The positions visited so far.
    long long states() const { return states_; }

private:
    // The value for the side to move. Only whether it lies between alpha and beta matters: below, the side has
    // something better elsewhere; above, the opponent has, and will not let it come to this.
    int value(const Game& position, int depth, int alpha, int beta) {
        count_state();
        if (is_tested_ && (depth == 0 || position.outcome() != palestra::Outcome::none)) {
            const int value = palestra::test_value(position, turn_.seat);
            return position.turn() == turn_.seat ? value : -value;
        }
        if (position.outcome() == palestra::Outcome::draw) return 0;
        if (position.outcome() != palestra::Outcome::none) {
            // The sooner a win comes the better, and the later a defeat.
            return position.outcome() == palestra::win_for(position.turn()) ? WIN + depth : -WIN - depth;
        }
        if (depth == 0) return evaluate(position);
        for (const Game::Move move : position.moves()) {
            alpha = std::max(alpha, value_after(position, move, depth, alpha, beta));
            if (alpha >= beta) break;
        }
        return alpha;
    }

    // The value of a move for the side that makes it.
    int value_after(const Game& position, Game::Move move, int depth, int alpha, int beta) {
        Game after = position;
        after.play(move);
        // If the same side moves again, what is good for it then is good for it now.
        if (after.turn() == position.turn()) return value(after, depth - 1, alpha, beta);
        return -value(after, depth - 1, -beta, -alpha);
    }

    void count_state() {
        states_++;
        if (turn_.must_stop(states_)) throw TimeOver{};
    }

    const palestra::Turn<Game>& turn_;
    long long states_ = 0;
    // Whether `palestra check --search` compares this search with Palestra's own.
    bool is_tested_ = false;
};

Game::Move choose(const Game& position, const palestra::Turn<Game>& turn) {
    std::vector<Game::Move> moves = turn.legal;
    if (moves.size() == 1) return moves[0];
    Search search(turn);
    try {
        for (int depth = 1; depth <= turn.depth.value_or(MAX_DEPTH); depth++) {
            const auto [best, value] = search.best(position, moves, depth);
            // The next search looks at the best move first. One that is broken off changes nothing.
            std::rotate(moves.begin(), moves.begin() + best, moves.begin() + best + 1);
            turn.info(depth, value, search.states(), {moves[0]});
            if (std::abs(value) >= WIN) break;  // it is decided
        }
    } catch (const TimeOver&) {
        // The best move of the last complete search stands.
    }
    return moves[0];
}

}  // namespace

int main() {
    // With "eval test", `palestra check --search` tests the search. Take it out if yours is to find something else than
    // plain alpha-beta does.
    return palestra::run<Game>("AlphaBeta", choose, {"eval test"});
}
