// Palestra's kit for C++17: the rules of five games and the talk with the arena, in one file without dependencies.
//
// A whole bot:
//
//     #include "palestra.hpp"
//
//     using Game = palestra::Mancala;
//
//     Game::Move choose(const Game& position, const palestra::Turn<Game>& turn) {
//         return turn.legal[0];
//     }
//
//     int main() {
//         return palestra::run<Game>("MyBot", choose);
//     }
//
// The games are Mancala, Conecta4Boom, Desconecta4Boom, Parchis and Bandera. Each of them is a value that can be
// copied, and all of them have the same members:
//
//     Game(text)            the position that is written so; throws BadText if it is none
//     text()                the position as Palestra writes it
//     turn()                who moves, 1 or 2. Turns need not alternate: ask after every move
//     moves()               the legal moves, in Palestra's order; none after the end
//     play(move)            plays a legal move
//     outcome()             Outcome::none while the game goes on, then win1, win2 or draw
//     points(side)          seeds in store, flags, pieces in the goal, or 1 for a win
//     Move::read(text)      the move that is written so; throws BadText
//     move.text()           the move as Palestra writes it
//
// Sides are 1 and 2. Whatever a bot prints on std::cout goes to stderr while run() is at work: it cannot disturb the
// talk with the arena. (What printf prints would: use std::cerr.)

#ifndef PALESTRA_HPP
#define PALESTRA_HPP

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace palestra {

// ---------------------------------------------------------------------------------------------------------------------
// What all games share
// ---------------------------------------------------------------------------------------------------------------------

enum class Outcome { none, win1, win2, draw };

constexpr int other(int side) { return 3 - side; }

constexpr Outcome win_for(int side) { return side == 1 ? Outcome::win1 : Outcome::win2; }

// More points win, equal points draw.
constexpr Outcome by_points(int one, int two) {
    return one > two ? Outcome::win1 : one < two ? Outcome::win2 : Outcome::draw;
}

// Text that is no position or no move.
struct BadText : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// The moves of a position. No position of any game has more than 64, so that a list needs no memory of its own.
template <class Move>
class MoveList {
public:
    void add(Move move) { moves_[size_++] = move; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const Move& operator[](std::size_t index) const { return moves_[index]; }
    Move* begin() { return moves_.data(); }
    Move* end() { return moves_.data() + size_; }
    const Move* begin() const { return moves_.data(); }
    const Move* end() const { return moves_.data() + size_; }
    bool contains(Move move) const { return std::find(begin(), end(), move) != end(); }

private:
    std::array<Move, 64> moves_;
    std::size_t size_ = 0;
};

// Reads a text from left to right.
class Reader {
public:
    explicit Reader(const std::string& text) : text_(text) {}

    // The next character, or 0 at the end.
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    char next() {
        const char c = peek();
        if (at_ < text_.size()) at_++;
        return c;
    }

    // Takes `c` if it comes next.
    bool take(char c) {
        if (at_ == text_.size() || text_[at_] != c) return false;
        at_++;
        return true;
    }

    void expect(char c) {
        if (!take(c)) fail(std::string("'") + c + "' expected");
    }

    bool is_digit() const { return peek() >= '0' && peek() <= '9'; }

    // A number of at most nine digits, without leading zeros.
    int number(int min, int max) {
        const std::size_t start = at_;
        int value = 0;
        while (is_digit() && at_ - start < 9) value = 10 * value + (next() - '0');
        const bool leading_zero = at_ - start > 1 && text_[start] == '0';
        if (at_ == start || leading_zero || value < min || value > max) {
            fail("a number from " + std::to_string(min) + " to " + std::to_string(max) + " expected");
        }
        return value;
    }

    void end() const {
        if (at_ < text_.size()) fail("the text should end here");
    }

    [[noreturn]] void fail(const std::string& problem) const {
        throw BadText("at character " + std::to_string(at_ + 1) + ": " + problem);
    }

private:
    const std::string& text_;
    std::size_t at_ = 0;
};

// ---------------------------------------------------------------------------------------------------------------------
// Mancala
// ---------------------------------------------------------------------------------------------------------------------

class Mancala {
public:
    static constexpr const char* name = "mancala";

    // Which of the own pits to sow, 1 (next to the store) to 6.
    struct Move {
        int pit;

        static Move read(const std::string& text) {
            Reader reader(text);
            const Move move{reader.number(1, 6)};
            reader.end();
            return move;
        }
        std::string text() const { return std::to_string(pit); }
        bool operator==(Move that) const { return pit == that.pit; }
    };

    // The start: four seeds in each pit.
    Mancala() : seeds_{{{0, 4, 4, 4, 4, 4, 4}, {0, 4, 4, 4, 4, 4, 4}}}, turn_(1) {}

    // Positions are written turn:store,P1..P6/store,P1..P6.
    explicit Mancala(const std::string& text) {
        Reader reader(text);
        turn_ = reader.number(1, 2);
        reader.expect(':');
        int total = 0;
        for (int side = 1; side <= 2; side++) {
            if (side == 2) reader.expect('/');
            for (int place = 0; place <= 6; place++) {
                if (place > 0) reader.expect(',');
                seeds_[side - 1][place] = static_cast<std::int8_t>(reader.number(0, 48));
                total += seeds(side, place);
            }
        }
        reader.end();
        if (total != 48) reader.fail("there must be 48 seeds");
        if (is_empty(1) != is_empty(2)) reader.fail("one side has no seeds: the game would have ended");
    }

    std::string text() const {
        std::string text = std::to_string(turn_);
        for (int side = 1; side <= 2; side++) {
            text += side == 1 ? ':' : '/';
            for (int place = 0; place <= 6; place++) {
                if (place > 0) text += ',';
                text += std::to_string(seeds(side, place));
            }
        }
        return text;
    }

    // The seeds in a side's pit 1 to 6; place 0 is its store.
    int seeds(int side, int place) const { return seeds_[side - 1][place]; }

    int turn() const { return turn_; }

    MoveList<Move> moves() const {
        MoveList<Move> list;
        for (int pit = 1; pit <= 6; pit++) {
            if (seeds(turn_, pit) > 0) list.add({pit});
        }
        return list;
    }

    void play(Move move) {
        auto& own = seeds_[turn_ - 1];
        auto& opposite = seeds_[other(turn_) - 1];
        int hand = own[move.pit];
        if (hand == 0) return immolate();
        own[move.pit] = 0;

        // Places 0 to 6 are the own store and pits, 7 to 12 the other's pits 1 to 6. Seeds go downwards, and from the
        // own store on to the other's pit 6. The other's store is not among the places: it is never sown.
        int place = move.pit;
        for (; hand > 0; hand--) {
            place = place == 0 ? 12 : place - 1;
            (place <= 6 ? own[place] : opposite[place - 6])++;
        }
        const bool in_own_pit = place >= 1 && place <= 6;
        if (in_own_pit && own[place] == 1 && opposite[7 - place] > 0) {
            own[0] = static_cast<std::int8_t>(own[0] + 1 + opposite[7 - place]);
            own[place] = opposite[7 - place] = 0;
        }
        if (is_empty(1) || is_empty(2)) bank();
        if (place != 0) turn_ = other(turn_);
    }

    Outcome outcome() const {
        // Both sides are empty at once: what is left is banked when the first one is.
        return is_empty(turn_) ? by_points(points(1), points(2)) : Outcome::none;
    }

    int points(int side) const { return seeds(side, 0); }

private:
    bool is_empty(int side) const {
        const auto& s = seeds_[side - 1];
        return (s[1] | s[2] | s[3] | s[4] | s[5] | s[6]) == 0;
    }

    void bank() {
        for (auto& side : seeds_) {
            int total = 0;
            for (auto& seeds : side) {
                total += seeds;
                seeds = 0;
            }
            side[0] = static_cast<std::int8_t>(total);
        }
    }

    // Who chooses an empty pit loses 0-48 at once. moves() does not list it.
    void immolate() {
        seeds_ = {};
        turn_ = other(turn_);
        seeds_[turn_ - 1][0] = 48;
    }

    std::array<std::array<std::int8_t, 7>, 2> seeds_{};
    int turn_ = 1;
};

// ---------------------------------------------------------------------------------------------------------------------
// Conecta-4 Boom and Desconecta-4 Boom
// ---------------------------------------------------------------------------------------------------------------------

// Conecta: four in a line win, two moves a turn, a bomb every fourth turn.
// Desconecta: four in a line lose, one move a turn, a bomb every fifth turn.
template <bool conecta>
class Boom {
public:
    static constexpr const char* name = conecta ? "conecta4boom" : "desconecta4boom";
    static constexpr int moves_a_turn = conecta ? 2 : 1;
    static constexpr int bomb_every = conecta ? 4 : 5;

    // A drop into column 1 to 7, or the explosion of the own bomb.
    struct Move {
        int column;  // 0 is boom

        bool is_boom() const { return column == 0; }
        static Move read(const std::string& text) {
            if (text == "boom") return {0};
            Reader reader(text);
            const Move move{reader.number(1, 7)};
            reader.end();
            return move;
        }
        std::string text() const { return is_boom() ? "boom" : std::to_string(column); }
        bool operator==(Move that) const { return column == that.column; }
    };

    // The start: an empty board.
    Boom() {
        for (auto& row : cells_) row.fill('.');
    }

    // Positions are written MOVE:ROW/../ROW: the number of the next move and the rows from the top, with x and o for
    // pieces, X and O for bombs, and digits for empty cells.
    explicit Boom(const std::string& text) : Boom() {
        Reader reader(text);
        number_ = reader.number(1, 1'000'000);
        reader.expect(':');
        for (int row = 7; row >= 1; row--) {
            if (row < 7) reader.expect('/');
            read_row(reader, row);
        }
        reader.end();
        check(reader);
        judge();
    }

    std::string text() const {
        std::string text = std::to_string(number_);
        for (int row = 7; row >= 1; row--) {
            text += row == 7 ? ':' : '/';
            int empty = 0;
            for (int column = 1; column <= 7; column++) {
                if (cell(column, row) == '.') {
                    empty++;
                    continue;
                }
                if (empty > 0) text += std::to_string(empty);
                empty = 0;
                text += cell(column, row);
            }
            if (empty > 0) text += std::to_string(empty);
        }
        return text;
    }

    // What lies on a cell: '.', 'x' or 'o', and 'X' or 'O' for a bomb. Columns 1 to 7 from the left, rows 1 to 7 from
    // the bottom.
    char cell(int column, int row) const { return cells_[row - 1][column - 1]; }

    // Whose piece lies on a cell, 1 or 2; 0 if it is empty.
    int owner(int column, int row) const {
        switch (cell(column, row)) {
            case 'x': case 'X': return 1;
            case 'o': case 'O': return 2;
            default: return 0;
        }
    }

    // The pieces in a column.
    int height(int column) const { return heights_[column - 1]; }

    // Whether a side has a bomb on the board.
    bool has_bomb(int side) const { return bombs_[side - 1].column != 0; }

    // The number of the next move, from 1.
    int move_number() const { return number_; }

    // Player 1's very first turn has one move less: the clock begins that much later.
    int turn() const { return clock(number_) / moves_a_turn % 2 + 1; }

    // The number of the turn, from 1; both players have a turn of each number.
    int turn_number() const { return clock(number_) / (2 * moves_a_turn) + 1; }

    // Whether a piece dropped now is a bomb.
    bool next_drop_is_bomb() const { return turn_number() % bomb_every == 0 && !has_bomb(turn()); }

    MoveList<Move> moves() const {
        MoveList<Move> list;
        if (outcome_ != Outcome::none) return list;
        for (int column = 1; column <= 7; column++) {
            if (height(column) < 7) list.add({column});
        }
        if (has_bomb(turn())) list.add({0});
        return list;
    }

    void play(Move move) {
        if (move.is_boom()) {
            explode();
            number_++;
            judge();
            return;
        }
        const int mover = turn();
        const Cell landing{move.column, height(move.column) + 1};
        drop(mover, landing);
        number_++;
        // A drop can make a line for nobody but the mover.
        if (makes_line(mover, landing)) {
            outcome_ = win_for(conecta ? mover : other(mover));
        } else if (is_full()) {
            judge_full_board();
        }
    }

    Outcome outcome() const { return outcome_; }

    int points(int side) const { return outcome_ == win_for(side); }

private:
    struct Cell {
        int column = 0;  // 0 is nowhere
        int row = 0;
    };

    // The ways a line can go: right, up, up and right, down and right.
    static constexpr int ways[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

    static int clock(int number) { return number - 1 + (moves_a_turn - 1); }

    static bool on_board(int column, int row) { return column >= 1 && column <= 7 && row >= 1 && row <= 7; }

    bool is_full() const {
        return std::all_of(heights_.begin(), heights_.end(), [](int height) { return height == 7; });
    }

    void put(Cell at, char piece) {
        cells_[at.row - 1][at.column - 1] = piece;
        heights_[at.column - 1]++;
        if (piece == 'X') bombs_[0] = at;
        if (piece == 'O') bombs_[1] = at;
    }

    void drop(int mover, Cell landing) {
        const bool bomb = next_drop_is_bomb();
        put(landing, mover == 1 ? (bomb ? 'X' : 'x') : (bomb ? 'O' : 'o'));
    }

    // The bomb goes, and in its row with it: in Conecta the other's pieces, in Desconecta the own ones. What lies
    // above them falls by one.
    void explode() {
        const int mover = turn();
        const Cell bomb = bombs_[mover - 1];
        if (bomb.column == 0) return;
        const int victim = conecta ? other(mover) : mover;
        const auto before = cells_;
        for (int column = 1; column <= 7; column++) {
            if (owner(column, bomb.row) != victim && column != bomb.column) continue;
            for (int row = bomb.row; row < 7; row++) cells_[row - 1][column - 1] = before[row][column - 1];
            cells_[6][column - 1] = '.';
            heights_[column - 1]--;
        }
        find_bombs();
    }

    void find_bombs() {
        bombs_ = {};
        for (int row = 1; row <= 7; row++) {
            for (int column = 1; column <= 7; column++) {
                if (cell(column, row) == 'X') bombs_[0] = {column, row};
                if (cell(column, row) == 'O') bombs_[1] = {column, row};
            }
        }
    }

    // How many pieces of a side follow each other from a cell on, the cell itself not counted.
    int run(int side, Cell from, int right, int up) const {
        int length = 0;
        int column = from.column + right, row = from.row + up;
        while (on_board(column, row) && owner(column, row) == side) {
            length++;
            column += right;
            row += up;
        }
        return length;
    }

    bool makes_line(int side, Cell at) const {
        for (const auto& way : ways) {
            if (run(side, at, way[0], way[1]) + run(side, at, -way[0], -way[1]) >= 3) return true;
        }
        return false;
    }

    // Whether a line of four begins at a cell.
    bool line_begins(int column, int row) const {
        const int side = owner(column, row);
        for (const auto& way : ways) {
            if (side != 0 && run(side, {column, row}, way[0], way[1]) >= 3) return true;
        }
        return false;
    }

    // Works the outcome out from the whole board.
    void judge() {
        int first = 0;  // whose line begins lowest, and there furthest to the left
        bool has_line[3] = {};
        for (int row = 1; row <= 7; row++) {
            for (int column = 1; column <= 7; column++) {
                if (!line_begins(column, row)) continue;
                has_line[owner(column, row)] = true;
                if (first == 0) first = owner(column, row);
            }
        }
        outcome_ = Outcome::none;
        if (first == 0) {
            if (is_full()) judge_full_board();
        } else if (!conecta) {
            outcome_ = win_for(other(first));
        } else if (has_line[1] && has_line[2]) {
            outcome_ = win_for(last_mover());
        } else {
            outcome_ = win_for(first);
        }
    }

    int last_mover() const { return clock(number_ - 1) / moves_a_turn % 2 + 1; }

    // A full board without a line: a draw in Desconecta. In Conecta who has to move and has no bomb, and so cannot,
    // loses.
    void judge_full_board() {
        if (!conecta) {
            outcome_ = Outcome::draw;
        } else if (!has_bomb(turn())) {
            outcome_ = win_for(other(turn()));
        }
    }

    void read_row(Reader& reader, int row) {
        for (int column = 1; column <= 7;) {
            if (reader.is_digit()) {
                column += reader.number(1, 8 - column);
                continue;
            }
            const char piece = reader.peek();
            if (piece != 'x' && piece != 'o' && piece != 'X' && piece != 'O') {
                reader.fail("x, o, X, O or a digit expected");
            }
            const int side = piece == 'x' || piece == 'X' ? 1 : 2;
            if ((piece == 'X' || piece == 'O') && has_bomb(side)) reader.fail("a second bomb of one player");
            put({column, row}, reader.next());
            column++;
        }
    }

    void check(const Reader& reader) const {
        for (int column = 1; column <= 7; column++) {
            for (int row = 1; row <= height(column); row++) {
                if (cell(column, row) == '.') reader.fail("a piece with nothing below it");
            }
        }
    }

    std::array<std::array<char, 7>, 7> cells_{};
    std::array<std::int8_t, 7> heights_{};
    std::array<Cell, 2> bombs_{};
    int number_ = 1;
    Outcome outcome_ = Outcome::none;
};

using Conecta4Boom = Boom<true>;
using Desconecta4Boom = Boom<false>;

// ---------------------------------------------------------------------------------------------------------------------
// Parchís
// ---------------------------------------------------------------------------------------------------------------------

// Colours are 0 yellow, 1 blue, 2 red, 3 green; player 1 has yellow and red. A place is the two-digit code of the
// notation: 0 home, 1 to 68 the ring, 71 to 77 the colour's own queue, 90 the goal.
class Parchis {
public:
    static constexpr const char* name = "parchis";
    static constexpr int home = 0, ring = 68, queue = 70, goal = 90;
    static constexpr int max_bounces = 31;

    // A colour moves a piece with a die, or skips with it.
    struct Move {
        int colour;
        int piece;  // 0 to 3, or -1 for a skip
        int die;    // 1 to 6, 10 or 20

        bool is_skip() const { return piece < 0; }
        static Move read(const std::string& text) {
            Reader reader(text);
            const int colour = read_colour(reader);
            const int piece = reader.take('s') ? -1 : reader.number(0, 3);
            reader.expect(':');
            const int die = reader.number(1, 20);
            if (die > 6 && die != 10 && die != 20) reader.fail("a die is 1 to 6, 10 or 20");
            reader.end();
            return {colour, piece, die};
        }
        std::string text() const {
            return letters[colour] + (is_skip() ? std::string("s") : std::to_string(piece)) + ":" + std::to_string(die);
        }
        bool operator==(Move that) const { return colour == that.colour && piece == that.piece && die == that.die; }
    };

    // The default start, GROUPED.
    Parchis() : Parchis("00041317.00213034.00384751.00556468|123456.123456.123456.123456|Y0|-|0.0.0.0|-1|1") {}

    // Positions are written pieces|pools|colour and player|flags|bounces|last die|number of the next move, and if the
    // last move ate, |the eaten piece.
    explicit Parchis(const std::string& text) {
        Reader reader(text);
        read_places(reader);
        reader.expect('|');
        read_pools(reader);
        reader.expect('|');
        colour_ = read_colour(reader);
        reader.expect(colour_ % 2 == 0 ? '0' : '1');
        reader.expect('|');
        read_flags(reader);
        reader.expect('|');
        for (int colour = 0; colour < 4; colour++) {
            if (colour > 0) reader.expect('.');
            bounces_[colour] = reader.number(0, max_bounces);
            if (bounces_[colour] == max_bounces) winner_ = other(player(colour));
        }
        reader.expect('|');
        last_die_ = reader.take('-') ? -reader.number(1, 1) : reader.number(1, 20);
        reader.expect('|');
        number_ = reader.number(1, 999'999'999);
        if (reader.take('|')) {
            eaten_colour_ = read_colour(reader);
            eaten_piece_ = reader.number(0, 3);
        }
        reader.end();
        for (int colour = 0; colour < 4; colour++) {
            if (bonus_[colour] != 0 && colour != colour_) reader.fail("a bonus of a colour that is not on turn");
        }
    }

    std::string text() const {
        std::string places, pools, bounces;
        for (int colour = 0; colour < 4; colour++) {
            const std::string dot = colour > 0 ? "." : "";
            places += dot;
            for (const int place : places_[colour]) places += {char('0' + place / 10), char('0' + place % 10)};
            pools += dot;
            for (int die = 1; die <= 6; die++) {
                if (pools_[colour] >> die & 1) pools += char('0' + die);
            }
            if (bonus_[colour] != 0) pools += "+" + std::to_string(bonus_[colour]);
            bounces += dot + std::to_string(bounces_[colour]);
        }
        std::string flags = std::string(ate_ ? "e" : "") + (reached_goal_ ? "g" : "") + (bounced_ ? "b" : "") +
                            (remember_six_ ? "s" : "");
        if (flags.empty()) flags = "-";
        std::string text = places + "|" + pools + "|" + letters[colour_] + std::to_string(colour_ % 2) + "|" + flags +
                           "|" + bounces + "|" + std::to_string(last_die_) + "|" + std::to_string(number_);
        if (eaten_colour_ >= 0) text += std::string("|") + letters[eaten_colour_] + std::to_string(eaten_piece_);
        return text;
    }

    // The colour on turn.
    int colour() const { return colour_; }

    // The player of a colour, 1 or 2.
    static constexpr int player(int colour) { return colour % 2 + 1; }

    // Where a piece is.
    int place(int colour, int piece) const { return places_[colour][piece]; }

    // How often a colour has bounced off its goal: at 31 it loses.
    int bounces(int colour) const { return bounces_[colour]; }

    // Whether a place is a square of the ring where nobody is eaten.
    static bool is_safe(int place) {
        const int in_arm = place % 17;
        return place >= 1 && place <= ring && (in_arm == 0 || in_arm == 4 || in_arm == 13);
    }

    // The steps from a place to a colour's goal; 74 from home.
    static int distance_to_goal(int colour, int place) {
        if (place == home) return 74;
        if (place == goal) return 0;
        if (place > queue) return queue + 8 - place;
        return (last_square(colour) - place + ring) % ring + 8;
    }

    int turn() const { return player(colour_); }

    // Dice ascending, pieces ascending. With a die that no piece can use, the one move is to skip with it.
    MoveList<Move> moves() const {
        MoveList<Move> list;
        if (winner_ != 0) return list;
        const Crowd crowd(*this);
        if (bonus_[colour_] != 0) {
            add_moves(list, crowd, bonus_[colour_]);
            return list;
        }
        for (int die = 1; die <= 6; die++) {
            if (pools_[colour_] >> die & 1) add_moves(list, crowd, die);
        }
        return list;
    }

    void play(Move move) {
        ate_ = reached_goal_ = false;
        eaten_colour_ = eaten_piece_ = -1;
        if (!move.is_skip()) advance(move.piece, move.die);
        remember_six_ = move.die == 6 || (remember_six_ && move.die >= 10);
        use_up(move.die);
        if (ate_) bonus_[colour_] = 20;
        if (reached_goal_) bonus_[colour_] = 10;
        if (!ate_ && !reached_goal_ && !remember_six_) colour_ = (colour_ + 1) % 4;
        last_die_ = move.die;
        number_++;
    }

    Outcome outcome() const { return winner_ == 0 ? Outcome::none : win_for(winner_); }

    // The pieces of both colours in the goal.
    int points(int side) const {
        int points = 0;
        for (int colour = side - 1; colour < 4; colour += 2) {
            points += static_cast<int>(std::count(places_[colour].begin(), places_[colour].end(), goal));
        }
        return points;
    }

private:
    static constexpr char letters[] = "YBRG";

    // Who stands on the squares of the ring, and on those of the queue of the colour on turn.
    struct Crowd {
        std::array<std::int8_t, 80> pieces{};    // how many, by place
        std::array<bool, ring + 1> foreign_wall{};  // two of one colour that is not on turn
        std::array<bool, 4> in_own_wall{};
        bool has_own_wall = false;
        bool someone_home = false;

        explicit Crowd(const Parchis& position) {
            for (int colour = 0; colour < 4; colour++) {
                for (int piece = 0; piece < 4; piece++) add(position, colour, piece);
            }
        }

        void add(const Parchis& position, int colour, int piece) {
            const auto& places = position.places_[colour];
            const int place = places[piece];
            const bool own = colour == position.colour_;
            if (place == home && own) someone_home = true;
            // The queues of other colours have the same codes, but are other squares.
            if (place == home || place == goal || (place > ring && !own)) return;
            pieces[place]++;
            if (std::count(places.begin(), places.end(), place) < 2) return;
            if (own) {
                in_own_wall[piece] = has_own_wall = true;
            } else {
                foreign_wall[place] = true;
            }
        }
    };

    struct Leap {
        int to;  // -1 if the piece cannot use the die at all
        bool bounces;
    };

    // A die of 6 counts as 7 while the colour has no piece at home.
    static int steps(int die, bool someone_home) { return die == 6 && !someone_home ? 7 : die; }

    static int start_square(int colour) { return 4 + 17 * colour; }

    static int last_square(int colour) { return colour == 0 ? 68 : 17 * colour; }

    // The place some steps before the goal.
    static int before_goal(int colour, int distance) {
        if (distance == 0) return goal;
        if (distance <= 7) return queue + 8 - distance;
        return (last_square(colour) - (distance - 8) + 2 * ring - 1) % ring + 1;
    }

    // Where a piece gets. With steps left over at the goal it bounces back.
    static Leap leap(int colour, int from, int steps) {
        if (from == home) return {steps == 5 ? start_square(colour) : -1, false};
        if (from == goal) return {-1, false};
        const int distance = distance_to_goal(colour, from);
        return {before_goal(colour, std::abs(distance - steps)), steps > distance};
    }

    // Only ways that begin on the ring are scanned for walls of other colours, up to where they end or leave it. This
    // is the scan of the original, with its oddities: from 68 it looks at 69, which is nothing, and goes on with 2; and
    // a bounce that lands behind its origin scans nearly the whole ring.
    static bool is_blocked(const Crowd& crowd, int colour, int from, int to) {
        if (from == home || from > ring) return false;
        const int end = to <= ring ? to : last_square(colour);
        if (end == from) return false;
        for (int square = from + 1;; square = square % ring + 1) {
            if (square <= ring && crowd.foreign_wall[square]) return true;
            if (square == end) return false;
        }
    }

    bool can_use(const Crowd& crowd, int piece, int die) const {
        // Who has a wall must use the 6 with a piece of a wall.
        if (die == 6 && crowd.has_own_wall && !crowd.in_own_wall[piece]) return false;
        const int from = places_[colour_][piece];
        const int to = leap(colour_, from, steps(die, crowd.someone_home)).to;
        if (to < 0) return false;
        if (to != goal && to != from && crowd.pieces[to] >= 2) return false;
        return !is_blocked(crowd, colour_, from, to);
    }

    void add_moves(MoveList<Move>& list, const Crowd& crowd, int die) const {
        const std::size_t before = list.size();
        for (int piece = 0; piece < 4; piece++) {
            if (can_use(crowd, piece, die)) list.add({colour_, piece, die});
        }
        if (list.size() == before) list.add({colour_, -1, die});
    }

    void advance(int piece, int die) {
        auto& own = places_[colour_];
        const bool someone_home = std::count(own.begin(), own.end(), home) > 0;
        const Leap leap = Parchis::leap(colour_, own[piece], steps(die, someone_home));
        if (leap.to < 0) return;
        if (leap.to <= ring && !is_safe(leap.to)) eat(leap.to);
        own[piece] = static_cast<std::int8_t>(leap.to);
        bounced_ = leap.bounces;
        if (bounced_ && ++bounces_[colour_] >= max_bounces) winner_ = other(turn());
        if (leap.to != goal) return;
        // The fourth piece wins, and earns no bonus.
        if (std::count(own.begin(), own.end(), goal) == 4) {
            winner_ = turn();
        } else {
            reached_goal_ = true;
        }
    }

    // Sends the piece of another colour on this square home, the partner's too.
    void eat(int square) {
        for (int colour = 0; colour < 4; colour++) {
            for (int piece = 0; piece < 4; piece++) {
                if (colour == colour_ || places_[colour][piece] != square) continue;
                places_[colour][piece] = home;
                ate_ = true;
                eaten_colour_ = colour;
                eaten_piece_ = piece;
            }
        }
    }

    void use_up(int die) {
        if (die >= 10) {
            bonus_[colour_] = 0;
            return;
        }
        pools_[colour_] = static_cast<std::uint8_t>(pools_[colour_] & ~(1 << die));
        if (pools_[colour_] == 0) pools_[colour_] = full_pool;
    }

    static int read_colour(Reader& reader) {
        for (int colour = 0; colour < 4; colour++) {
            if (reader.take(letters[colour])) return colour;
        }
        reader.fail("a colour, Y, B, R or G, expected");
    }

    void read_places(Reader& reader) {
        for (int colour = 0; colour < 4; colour++) {
            if (colour > 0) reader.expect('.');
            for (int piece = 0; piece < 4; piece++) {
                int place = 0;
                for (int digit = 0; digit < 2; digit++) {
                    if (!reader.is_digit()) reader.fail("a place of two digits expected");
                    place = 10 * place + (reader.next() - '0');
                }
                const bool exists = place <= ring || (place > queue && place <= queue + 7) || place == goal;
                if (!exists) reader.fail("no such place");
                places_[colour][piece] = static_cast<std::int8_t>(place);
            }
            if (std::count(places_[colour].begin(), places_[colour].end(), goal) == 4) winner_ = player(colour);
        }
    }

    void read_pools(Reader& reader) {
        for (int colour = 0; colour < 4; colour++) {
            if (colour > 0) reader.expect('.');
            int pool = 0;
            while (reader.peek() >= '1' && reader.peek() <= '6') {
                const int die = 1 << (reader.next() - '0');
                if (pool >= die) reader.fail("the dice of a pool stand in ascending order");
                pool |= die;
            }
            if (pool == 0) reader.fail("a die from 1 to 6 expected");
            pools_[colour] = static_cast<std::uint8_t>(pool);
            if (!reader.take('+')) continue;
            bonus_[colour] = reader.number(10, 20);
            if (bonus_[colour] != 10 && bonus_[colour] != 20) reader.fail("a bonus is 10 or 20");
        }
    }

    void read_flags(Reader& reader) {
        if (reader.take('-')) return;
        ate_ = reader.take('e');
        reached_goal_ = reader.take('g');
        bounced_ = reader.take('b');
        remember_six_ = reader.take('s');
        if (!ate_ && !reached_goal_ && !bounced_ && !remember_six_) reader.fail("flags e, g, b, s or - expected");
    }

    static constexpr std::uint8_t full_pool = 0b111'1110;

    std::array<std::array<std::int8_t, 4>, 4> places_{};
    std::array<std::uint8_t, 4> pools_{};  // bit 1 to 6 for each die
    std::array<int, 4> bonus_{};           // 10 or 20: then the colour can use nothing else
    std::array<int, 4> bounces_{};
    int colour_ = 0;
    int winner_ = 0;
    int last_die_ = -1;
    int number_ = 1;
    int eaten_colour_ = -1, eaten_piece_ = -1;
    // What the last move was like. remember_six: a 6 was used, and since then only bonuses, so the colour goes on.
    bool ate_ = false, reached_goal_ = false, bounced_ = false, remember_six_ = false;
};

// ---------------------------------------------------------------------------------------------------------------------
// El Juego de la Bandera
// ---------------------------------------------------------------------------------------------------------------------

// Cells count from 0 here (and from 1 in texts), row by row. Players count from 0: the first half is team 1's.
class Bandera {
public:
    static constexpr const char* name = "bandera";
    static constexpr int max_team = 8;

    // A player goes one of six ways, or digs.
    struct Move {
        int player;  // from 0
        int action;  // 0 to 5: N, NE, SE, S, SW, NW; 6: dig

        static Move read(const std::string& text) {
            Reader reader(text);
            const int player = reader.number(1, 2 * max_team) - 1;
            reader.expect(':');
            const std::string word = text.substr(text.find(':') + 1);
            for (int action = 0; action < 7; action++) {
                if (word == actions[action]) return {player, action};
            }
            reader.fail("N, NE, SE, S, SW, NW or dig expected");
        }
        std::string text() const { return std::to_string(player + 1) + ":" + actions[action]; }
        bool operator==(Move that) const { return player == that.player && action == that.action; }
    };

    static constexpr int dig = 6;

    struct Player {
        int cell = 0;
        int energy = 0;
        int axe = 0, boat = 0, shovel = 0;
    };

    // Positions are written ROWSxCOLS:TILES:TEAM1/TEAM2:FLAGS1-FLAGS2:TURN. Tiles come in runs, as in 8.F3#; the
    // players of a team are joined by ; and each is cell,energy,axe,boat,shovel.
    explicit Bandera(const std::string& text) {
        Reader reader(text);
        read_board(reader);
        reader.expect(':');
        team_size_ = read_team(reader);
        reader.expect('/');
        if (read_team(reader) != team_size_) reader.fail("both teams must have as many players");
        reader.expect(':');
        flags_[0] = reader.number(0, cells());
        reader.expect('-');
        flags_[1] = reader.number(0, cells());
        reader.expect(':');
        const int turn = reader.number(1, 2);
        reader.end();
        hand_over(turn);
        if (turn_ != turn) reader.fail("the team to move cannot act, and the other can");
    }

    std::string text() const {
        std::string text = std::to_string(board_->rows) + "x" + std::to_string(board_->columns) + ":";
        for (std::size_t cell = 0; cell < tiles_.size();) {
            std::size_t end = cell;
            while (end < tiles_.size() && tiles_[end] == tiles_[cell]) end++;
            if (end - cell > 1) text += std::to_string(end - cell);
            text += tiles_[cell];
            cell = end;
        }
        for (int player = 0; player < players(); player++) {
            const Player& p = players_[player];
            text += player == 0 ? ':' : player == team_size_ ? '/' : ';';
            text += std::to_string(p.cell + 1) + "," + std::to_string(p.energy) + "," + std::to_string(p.axe) + "," +
                    std::to_string(p.boat) + "," + std::to_string(p.shovel);
        }
        text += ":" + std::to_string(flags_[0]) + "-" + std::to_string(flags_[1]) + ":" + std::to_string(turn_);
        return text;
    }

    int cells() const { return static_cast<int>(tiles_.size()); }

    // What a cell is: '.' grass, '~' water, '%' mud, '#' wall, 'o' pit, 'O' trench, 'F' flag, 'B' boat, 'A' axe,
    // 'J' juice, 'S' shovel, '^' forest.
    char tile(int cell) const { return tiles_[static_cast<std::size_t>(cell)]; }

    // The six cells around a cell: N, NE, SE, S, SW, NW. The board is closed in both directions.
    const std::array<int, 6>& neighbours(int cell) const { return board_->neighbours[static_cast<std::size_t>(cell)]; }

    // How many steps every cell is away from this one, whatever they cost; cells() where there is no way.
    std::vector<int> hops(int start) const {
        std::vector<int> hops(tiles_.size(), cells());
        std::vector<int> reached = {start};
        hops[static_cast<std::size_t>(start)] = 0;
        for (std::size_t i = 0; i < reached.size(); i++) {  // it grows while it is read
            const int steps = hops[static_cast<std::size_t>(reached[i])] + 1;
            for (const int next : neighbours(reached[i])) {
                int& found = hops[static_cast<std::size_t>(next)];
                if (found < cells() || tile(next) == '#') continue;
                found = steps;
                reached.push_back(next);
            }
        }
        return hops;
    }

    int team_size() const { return team_size_; }
    int players() const { return 2 * team_size_; }
    const Player& player(int player) const { return players_[static_cast<std::size_t>(player)]; }

    // The side of a player.
    int side_of(int player) const { return player < team_size_ ? 1 : 2; }

    // The flags still on the board.
    int flags_left() const { return flags_left_; }

    // What entering a tile costs a player, with the tools it holds.
    static int cost(const Player& player, char tile) {
        switch (tile) {
            case '#': return 1'000'000;
            case '%': return 2;
            case 'o': return 4;
            case 'O': return 6;
            case '~': return player.boat > 0 ? 3 : 6;
            case '^': return player.axe > 0 ? 4 : 8;
            default: return 1;
        }
    }

    int turn() const { return turn_; }

    MoveList<Move> moves() const {
        MoveList<Move> list;
        if (finished_) return list;
        const int first = turn_ == 1 ? 0 : team_size_;
        for (int player = first; player < first + team_size_; player++) {
            for (int action = 0; action < 7; action++) {
                if (can(player, action)) list.add({player, action});
            }
        }
        return list;
    }

    void play(Move move) {
        Player& player = players_[static_cast<std::size_t>(move.player)];
        if (move.action == dig) {
            player.shovel -= 2;
            char& tile = tile_at(player.cell);
            tile = tile == '.' ? 'o' : 'O';
        } else {
            player.cell = neighbours(player.cell)[static_cast<std::size_t>(move.action)];
            enter(player, tile_at(player.cell));
        }
        hand_over(other(turn_));
    }

    Outcome outcome() const { return finished_ ? by_points(flags_[0], flags_[1]) : Outcome::none; }

    // The flags that a team has captured.
    int points(int side) const { return flags_[side - 1]; }

private:
    static constexpr const char* actions[] = {"N", "NE", "SE", "S", "SW", "NW", "dig"};

    // What never changes: all positions of a game share it.
    struct Board {
        int rows = 0, columns = 0;
        std::vector<std::array<int, 6>> neighbours;
    };

    char& tile_at(int cell) { return tiles_[static_cast<std::size_t>(cell)]; }

    bool can(int index, int action) const {
        const Player& player = players_[static_cast<std::size_t>(index)];
        if (action != dig) {
            return cost(player, tile(neighbours(player.cell)[static_cast<std::size_t>(action)])) <= player.energy;
        }
        if (player.energy == 0 || player.shovel < 2) return false;
        const char underfoot = tile(player.cell);
        return underfoot == '.' || underfoot == 'o' || underfoot == 'O';
    }

    bool can_act(int side) const {
        const int first = side == 1 ? 0 : team_size_;
        for (int player = first; player < first + team_size_; player++) {
            for (int action = 0; action < 7; action++) {
                if (can(player, action)) return true;
            }
        }
        return false;
    }

    // Pays for a tile and takes what lies there.
    void enter(Player& player, char& tile) {
        player.energy -= cost(player, tile);
        switch (tile) {
            case '~': player.boat -= player.boat > 0; return;
            case '^':
                if (player.axe == 0) return;
                player.axe--;
                break;
            case 'F':
                flags_[turn_ - 1]++;
                flags_left_--;
                break;
            case 'B': player.boat += 20; break;
            case 'A': player.axe += 20; break;
            case 'J': player.energy += 20; break;
            case 'S': player.shovel += 10; break;
            default: return;
        }
        tile = '.';
    }

    // Gives the turn to a team, or to the other if it cannot act, or ends the game.
    void hand_over(int next) {
        turn_ = next;
        if (flags_left_ == 0) {
            finished_ = true;
        } else if (!can_act(next)) {
            if (can_act(other(next))) {
                turn_ = other(next);
            } else {
                finished_ = true;
            }
        }
    }

    void read_board(Reader& reader) {
        Board board;
        board.rows = reader.number(3, 128);
        reader.expect('x');
        board.columns = reader.number(4, 128);
        if (board.columns % 2 == 1) reader.fail("the number of columns must be even");
        reader.expect(':');
        const auto cells = static_cast<std::size_t>(board.rows * board.columns);
        while (tiles_.size() < cells) {
            const int left = static_cast<int>(cells - tiles_.size());
            const int run = reader.is_digit() ? reader.number(2, left) : 1;
            const char tile = reader.next();
            const bool is_tile = tile != '\0' && std::string(".~%#oOFBAJS^").find(tile) != std::string::npos;
            if (!is_tile) reader.fail("a tile, one of .~%#oOFBAJS^, expected");
            tiles_.append(static_cast<std::size_t>(run), tile);
        }
        flags_left_ = static_cast<int>(std::count(tiles_.begin(), tiles_.end(), 'F'));
        for (int row = 0; row < board.rows; row++) {
            for (int column = 0; column < board.columns; column++) {
                board.neighbours.push_back(around(board, row, column));
            }
        }
        board_ = std::make_shared<const Board>(std::move(board));
    }

    static std::array<int, 6> around(const Board& board, int row, int column) {
        const auto at = [&](int r, int c) {
            return (r + board.rows) % board.rows * board.columns + (c + board.columns) % board.columns;
        };
        // The first column and every second one are half a hex higher than their neighbours.
        const int upper = column % 2 == 0 ? row - 1 : row;
        const int lower = upper + 1;
        return {at(row - 1, column), at(upper, column + 1), at(lower, column + 1),
                at(row + 1, column), at(lower, column - 1), at(upper, column - 1)};
    }

    // Adds the players of a team and says how many there are.
    int read_team(Reader& reader) {
        int size = 0;
        do {
            if (size == max_team) reader.fail("a team has at most 8 players");
            Player player;
            player.cell = reader.number(1, cells()) - 1;
            if (tile(player.cell) == '#') reader.fail("a player inside a wall");
            for (int* held : {&player.energy, &player.axe, &player.boat, &player.shovel}) {
                reader.expect(',');
                *held = reader.number(0, 65'000);
            }
            players_[static_cast<std::size_t>(team_size_ + size)] = player;
            size++;
        } while (reader.take(';'));
        return size;
    }

    std::shared_ptr<const Board> board_;
    std::string tiles_;
    std::array<Player, 2 * max_team> players_{};
    int team_size_ = 0;
    std::array<int, 2> flags_{};
    int flags_left_ = 0;
    int turn_ = 1;
    bool finished_ = false;
};

// ---------------------------------------------------------------------------------------------------------------------
// The test evaluation
// ---------------------------------------------------------------------------------------------------------------------

constexpr int test_win = 1'000'000;

namespace detail {

// An unfinished position: the lead in points, or else what stands below.
template <class Game>
int test_score(const Game& position, int side) {
    return position.points(side) - position.points(other(side));
}

// A point for each piece on a safe square of the ring, five for each in the goal; the opponent's are subtracted.
inline int test_score(const Parchis& position, int side) {
    int score = 5 * (position.points(side) - position.points(other(side)));
    for (int colour = 0; colour < 4; colour++) {
        for (int piece = 0; piece < 4; piece++) {
            if (!Parchis::is_safe(position.place(colour, piece))) continue;
            score += Parchis::player(colour) == side ? 1 : -1;
        }
    }
    return score;
}

// The own pieces, bombs left out, the more the nearer they are to the middle; the opponent's do not count.
template <bool conecta>
int test_score(const Boom<conecta>& position, int side) {
    int score = 0, pieces = 0;
    for (int column = 1; column <= 7; column++) {
        pieces += position.height(column);
        for (int row = 1; row <= position.height(column); row++) {
            if (position.cell(column, row) == (side == 1 ? 'x' : 'o')) score += 3 - std::abs(column - 4);
        }
    }
    return pieces == 49 ? 0 : score;
}

}  // namespace detail

// What a position is worth for a side by the test evaluation, which Palestra has too: `palestra check --search` tells a
// bot to use it, and compares what the two searches find.
template <class Game>
int test_value(const Game& position, int side) {
    if (position.outcome() == Outcome::draw) return 0;
    if (position.outcome() != Outcome::none) return position.outcome() == win_for(side) ? test_win : -test_win;
    return detail::test_score(position, side);
}

// In Mancala the stores count, also when the game is over.
inline int test_value(const Mancala& position, int side) { return detail::test_score(position, side); }

// ---------------------------------------------------------------------------------------------------------------------
// The talk with the arena
// ---------------------------------------------------------------------------------------------------------------------

// What a bot knows when it is asked for a move, besides the position.
template <class Game>
class Turn {
public:
    using Move = typename Game::Move;

    std::string game = Game::name;                // the game's name
    std::string options = "-";                    // the options of the game
    int seat = 1;                                 // which side the bot plays, 1 or 2
    std::vector<Move> legal;                      // all legal moves
    std::vector<Move> history;                    // what was played since the bot last answered
    std::map<std::string, std::string> settings;  // what the arena has set, by name

    // What the move may cost, as far as the arena says.
    std::optional<long long> cpu_ms, wall_ms;  // CPU time, and time by the clock
    std::optional<long long> states;           // positions to visit
    std::optional<int> depth;                  // plies to look ahead

    // Without any limit this time is taken, so that nobody waits for ever.
    long long unlimited_ms = 2000;

    explicit Turn(std::ostream& arena) : arena_(arena) {}

    // The milliseconds left for this move: of CPU time or by the clock, whichever is less.
    double time_left_ms() const {
        double left = 1e12;
        if (cpu_ms) left = std::min(left, static_cast<double>(*cpu_ms) - cpu_used_ms());
        if (wall_ms) left = std::min(left, static_cast<double>(*wall_ms) - wall_used_ms());
        if (is_unlimited()) left = static_cast<double>(unlimited_ms) - wall_used_ms();
        return left;
    }

    // How much of the time for thinking is used up: answer before it is 1. A fifth of the time is kept back, because who
    // answers too late loses. Where CPU time is limited, the clock is a bound for busy machines, on which a program may
    // have to wait before it can go on: half of that is kept back.
    double time_used() const {
        double used = 0;
        if (cpu_ms) used = cpu_used_ms() / (0.8 * static_cast<double>(*cpu_ms));
        if (wall_ms) used = std::max(used, wall_used_ms() / ((cpu_ms ? 0.5 : 0.8) * static_cast<double>(*wall_ms)));
        return is_unlimited() ? wall_used_ms() / static_cast<double>(unlimited_ms) : used;
    }

    // Whether to answer now, after visiting so many positions. The clock is looked at only now and then.
    bool must_stop(long long visited) const {
        if (states && visited >= *states) return true;
        return visited % 64 == 0 && time_used() >= 1;
    }

    // Tells the arena what the search thinks. A score is good for the bot when it is high, in any unit.
    void info(int at_depth, long long score, long long visited, const std::vector<Move>& line = {}) const {
        arena_ << "info depth " << at_depth << " score " << score << " states " << visited;
        if (!line.empty()) arena_ << " pv";
        for (std::size_t i = 0; i < line.size() && i < 100; i++) arena_ << ' ' << line[i].text();
        arena_ << std::endl;
    }

    // Tells the arena a remark of one line, which is kept with the game.
    void say(std::string text) const {
        std::replace(text.begin(), text.end(), '\n', ' ');
        arena_ << "info text " << text.substr(0, 1000) << std::endl;
    }

private:
    bool is_unlimited() const { return !cpu_ms && !wall_ms && !states && !depth; }

    double cpu_used_ms() const { return 1000.0 * static_cast<double>(std::clock() - cpu_start_) / CLOCKS_PER_SEC; }

    double wall_used_ms() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - wall_start_).count();
    }

    std::ostream& arena_;
    std::clock_t cpu_start_ = std::clock();
    std::chrono::steady_clock::time_point wall_start_ = std::chrono::steady_clock::now();
};

namespace detail {

// While it lives, std::cout is stderr, and `arena` is what std::cout was.
class Output {
public:
    Output() : arena(std::cout.rdbuf()) { std::cout.rdbuf(std::cerr.rdbuf()); }
    ~Output() { std::cout.rdbuf(arena.rdbuf()); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    std::ostream arena;
};

// What the arena has said.
struct Heard {
    std::string game, options = "-", position;
    int seat = 1;
    std::vector<std::string> legal, history, go;
    std::map<std::string, std::string> settings;
};

template <class Game>
std::vector<typename Game::Move> read_moves(const std::vector<std::string>& texts) {
    std::vector<typename Game::Move> moves;
    for (const std::string& text : texts) moves.push_back(Game::Move::read(text));
    return moves;
}

template <class Game>
void read_limits(Turn<Game>& turn, const std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        const long long value = std::strtoll(words[i + 1].c_str(), nullptr, 10);
        if (words[i] == "cpu") turn.cpu_ms = value;
        if (words[i] == "wall") turn.wall_ms = value;
        if (words[i] == "states") turn.states = value;
        if (words[i] == "depth") turn.depth = static_cast<int>(std::min(value, 1000LL));
    }
}

template <class Game, class Choose>
void answer(const Heard& heard, std::ostream& arena, Choose& choose) {
    Turn<Game> turn(arena);
    turn.seat = heard.seat;
    turn.options = heard.options;
    turn.settings = heard.settings;
    read_limits(turn, heard.go);
    turn.legal = read_moves<Game>(heard.legal);
    turn.history = read_moves<Game>(heard.history);
    const Game position(heard.position);
    const typename Game::Move move = choose(position, turn);
    arena << "move " << move.text() << std::endl;
}

inline void remember_game(Heard& heard, const std::vector<std::string>& words) {
    heard.game = words.empty() ? "" : words[0];
    for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
        if (words[i] == "seat") heard.seat = words[i + 1] == "2" ? 2 : 1;
        if (words[i] == "options") heard.options = words[i + 1];
    }
}

}  // namespace detail

// Plays until the arena says bye. `choose` is asked for a move, with the position and the turn. A bot that plays
// several games names them all, run<Mancala, Parchis>(..), and its `choose` takes each of them, as a generic lambda
// does. `follows` are the options that it follows, such as "eval test"; the arena is told so when it sets them. The
// result is for main to return.
template <class... Games, class Choose>
int run(const std::string& name, Choose&& choose, const std::vector<std::string>& follows = {}) {
    detail::Output output;
    detail::Heard heard;
    std::ostream& arena = output.arena;
    std::string line;
    try {
        while (std::getline(std::cin, line)) {
            std::istringstream stream(line);
            std::string word;
            stream >> word;
            std::vector<std::string> words;
            for (std::string next; stream >> next;) words.push_back(next);
            if (word == "hello") {
                arena << "id name " << name << "\nready" << std::endl;
            } else if (word == "game") {
                detail::remember_game(heard, words);
                if (!((heard.game == Games::name) || ...)) throw BadText("this program does not play " + heard.game);
            } else if (word == "position") {
                heard.position = words.empty() ? "" : words[0];
            } else if (word == "history") {
                heard.history = words;
            } else if (word == "legal") {
                heard.legal = words;
            } else if (word == "go") {
                heard.go = words;
                ((heard.game == Games::name ? detail::answer<Games>(heard, arena, choose) : void()), ...);
            } else if (word == "ping") {
                arena << "pong " << (words.empty() ? "" : words[0]) << std::endl;
            } else if (word == "option" && words.size() == 2) {
                heard.settings[words[0]] = words[1];
                const std::string option = words[0] + " " + words[1];
                const bool is_followed = std::find(follows.begin(), follows.end(), option) != follows.end();
                if (is_followed) arena << "option " << option << std::endl;
            } else if (word == "bye") {
                break;
            }
            // When `stop` is read the answer is already given. What is not known is for later versions.
        }
    } catch (const std::exception& error) {
        std::cerr << name << ": " << error.what() << " (after: " << line.substr(0, 500) << ")" << std::endl;
        return 1;
    }
    return 0;
}

// Plays all five games; `choose` must take every one of them.
template <class Choose>
int run_all(const std::string& name, Choose&& choose) {
    return run<Mancala, Conecta4Boom, Desconecta4Boom, Parchis, Bandera>(name, choose);
}

}  // namespace palestra

#endif  // PALESTRA_HPP
