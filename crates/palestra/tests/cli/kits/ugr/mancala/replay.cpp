// Does with GameState what each line says, and prints what it then is.
#include "GameState.h"

static void print(const GameState &state) {
    cout << state.isValidState() << ' ' << state.isFinalState() << ' ' << state.getWinner();
    for (int player = J1; player <= J2; ++player) cout << ' ' << state.getScore((Player) player);
    cout << " :";
    for (int player = J1; player <= J2; ++player) {
        for (int place = GRANERO; place <= P6; ++place) {
            cout << ' ' << (int) state.getSeedsAt((Player) player, (Position) place);
        }
    }
    cout << ' ' << state.getCurrentPlayer() << '\n';
}

int main() {
    GameState state;
    for (string word; cin >> word;) {
        int number;
        if (word == "start") {
            state = GameState();
        } else if (word == "move") {
            cin >> number;
            state = state.simulateMove((Move) number);
        } else if (word == "set") {
            unsigned char seeds[2][7];
            for (int place = 0; place < 14; ++place) {
                cin >> number;
                seeds[place / 7][place % 7] = number;
            }
            cin >> number;
            state = GameState((Player) number, seeds);
        }
        print(state);
    }
}
