#include <algorithm>
#include <limits>

#include "Bot.h"

// Negamax on a board of its own, which is faster to copy than the course's.
namespace {

struct Board {
    int pits[2][7];
    int side;

    explicit Board(const GameState& state) : side(state.getCurrentPlayer()) {
        for (int player = 0; player < 2; ++player)
            for (int pit = 0; pit < 7; ++pit) pits[player][pit] = state.getSeedsAt(Player(player), Position(pit));
    }

    bool over() const {
        return std::all_of(pits[0] + 1, pits[0] + 7, [](int n) { return n == 0; }) ||
               std::all_of(pits[1] + 1, pits[1] + 7, [](int n) { return n == 0; });
    }

    int lead() const { return pits[side][0] - pits[1 - side][0]; }

    Board after(int pit) const {
        Board next = *this;
        int hand = std::exchange(next.pits[side][pit], 0), row = side, at = pit;
        while (hand > 0) {
            if (at == 0) {
                row = 1 - row;
                at = 6;
            } else if (--at == 0 && row != side) {
                row = 1 - row;
                at = 6;
            }
            next.pits[row][at]++;
            hand--;
        }
        if (at != 0) {
            if (row == side && next.pits[row][at] == 1 && next.pits[1 - row][7 - at] > 0) {
                next.pits[side][0] += 1 + std::exchange(next.pits[1 - row][7 - at], 0);
                next.pits[row][at] = 0;
            }
            next.side = 1 - side;
        }
        return next;
    }
};

constexpr int infinity = std::numeric_limits<int>::max() / 2;

int negamax(const Board& board, int depth, int alpha, int beta) {
    if (depth <= 0 || board.over()) return board.lead();
    int best = -infinity;
    for (int pit = 1; pit < 7 && alpha < beta; ++pit) {
        if (!board.pits[board.side][pit]) continue;
        const Board next = board.after(pit);
        const bool again = next.side == board.side;
        const int score = again ? negamax(next, depth - 1, alpha, beta) : -negamax(next, depth - 1, -beta, -alpha);
        best = std::max(best, score);
        alpha = std::max(alpha, best);
    }
    return best;
}

}  // namespace

class Negamax : public Bot {
public:
    void initialize() override {}
    string getName() override { return "Negamax"; }

    Move nextMove(const vector<Move>&, const GameState& state) override {
        const Board root(state);
        int best = -infinity;
        Move chosen = M_NONE;
        for (int pit = 1; pit < 7; ++pit) {
            if (root.pits[root.side][pit] == 0) continue;
            const Board next = root.after(pit);
            const int sign = next.side == root.side ? 1 : -1;
            const int score = sign * negamax(next, 9, -infinity, infinity);
            if (score <= best) continue;
            best = score;
            chosen = Move(pit);
        }
        return chosen;
    }
};
