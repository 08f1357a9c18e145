// Shows that the kit knows the rules. Reads lines `GAME POSITION MOVE` (MOVE may be - for none) and answers each with
// `TURN OUTCOME POINTS1 POINTS2 POSITION LEGAL,LEGAL,..` of the position after the move, or with `error: ..`.

#include "palestra.hpp"

namespace {

template <class Game>
std::string describe(const Game& position) {
    const char* outcomes[] = {"-", "1", "2", "draw"};
    std::string text = std::to_string(position.turn()) + " " + outcomes[static_cast<int>(position.outcome())] + " " +
                       std::to_string(position.points(1)) + " " + std::to_string(position.points(2)) + " " +
                       position.text() + " ";
    std::string legal;
    for (const auto move : position.moves()) legal += (legal.empty() ? "" : ",") + move.text();
    return text + (legal.empty() ? "-" : legal);
}

template <class Game>
std::string replay(const std::string& text, const std::string& move_text) {
    Game position(text);
    if (move_text != "-") {
        const auto move = Game::Move::read(move_text);
        // In Mancala an empty pit can be played: it loses.
        constexpr bool is_mancala = std::is_same_v<Game, palestra::Mancala>;
        const bool is_over = position.outcome() != palestra::Outcome::none;
        const bool is_legal = !is_over && (is_mancala || position.moves().contains(move));
        if (!is_legal) throw palestra::BadText("the move is not legal");
        position.play(move);
    }
    return describe(position);
}

std::string answer(const std::string& line) {
    std::istringstream words(line);
    std::string game, position, move, more;
    if (!(words >> game >> position >> move) || words >> more) throw palestra::BadText("a line is GAME POSITION MOVE");
    if (game == "mancala") return replay<palestra::Mancala>(position, move);
    if (game == "conecta4boom") return replay<palestra::Conecta4Boom>(position, move);
    if (game == "desconecta4boom") return replay<palestra::Desconecta4Boom>(position, move);
    if (game == "parchis") return replay<palestra::Parchis>(position, move);
    if (game == "bandera") return replay<palestra::Bandera>(position, move);
    throw palestra::BadText("there is no game " + game);
}

}  // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        try {
            std::cout << answer(line) << '\n';
        } catch (const palestra::BadText& error) {
            std::cout << "error: " << error.what() << '\n';
        }
    }
}
