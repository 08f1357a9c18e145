// Does with Environment what each line says, and prints what it then is.
#include "environment.h"

static Environment child(const Environment &parent, int action) {
    Environment after = parent;
    after.AcceptAction((Environment::ActionType) action);
    after.ChangePlayer();
    return after;
}

static bool same(const Environment &a, const Environment &b) {
    return a == b && a.JugadorActivo() == b.JugadorActivo() && a.N_Jugada() == b.N_Jugada() &&
           a.Last_Action(1) == b.Last_Action(1) && a.Last_Action(2) == b.Last_Action(2);
}

// Whether the two ways to list children, and the boards taken and given as cells, agree with the actions.
static bool agrees(const Environment &state) {
    bool possible[8];
    Environment children[8];
    int listed = state.possible_actions(possible), generated = state.GenerateAllMoves(children), index = 0, act = -1;
    for (int action = 0; action < 8; ++action) {
        if (!possible[action]) continue;
        Environment next = state.GenerateNextMove(act), wanted = child(state, action);
        if (act != action || !same(next, wanted) || !same(children[index++], wanted)) return false;
    }
    if (!same(state.GenerateNextMove(act), state) || act != 8) return false;
    char board[49];
    Environment copy;
    state.CopiarTablero(board);
    copy.ModificarTablero(board);
    return listed == generated && listed == index && copy == state;
}

static void print(const Environment &state) {
    bool possible[8], four[3] = {};
    state.possible_actions(possible);
    cout << state.JugadorActivo() << ' ' << state.N_Jugada() << " L";
    for (int action = 0; action < 8; ++action) {
        if (possible[action]) cout << action;
    }
    cout << ' ';
    for (int cell = 0; cell < 49; ++cell) {
        int winner, row = cell / 7, col = cell % 7, value = state.See_Casilla(row, col);
        cout << value;
        if (state.EnLinea(row, col, winner)) four[value % 3] = true;
    }
    cout << ' ' << state.Get_Casillas_Libres() << ' ' << state.Have_BOOM(1) << state.Have_BOOM(2) << ' '
         << state.Put_FichaBOOM_now() << ' ';
    for (int col = 0; col < 7; ++col) cout << state.Get_Ocupacion_Columna(col);
    cout << ' ' << state.JuegoTerminado() << ' ' << state.RevisarTablero() << ' ' << four[1] << four[2] << ' '
         << state.Last_Action(1) << ',' << state.Last_Action(2) << ' ' << agrees(state) << '\n';
}

// The sequences of so many actions, and those that end the game; none goes on after an end.
static void perft(const Environment &state, int depth, long &leaves, long &finished) {
    if (depth == 0) {
        ++leaves;
        finished += state.JuegoTerminado();
    } else if (!state.JuegoTerminado()) {
        Environment children[8];
        int count = state.GenerateAllMoves(children);
        for (int i = 0; i < count; ++i) perft(children[i], depth - 1, leaves, finished);
    }
}

int main() {
    Environment state;
    for (string word, text; cin >> word;) {
        int action, depth;
        long leaves = 0, finished = 0;
        bool good = true;
        if (word == "game") {
            good = cin >> text && Environment::PlayGame(text);
        } else if (word == "start") {
            state = Environment();
        } else if (word == "action") {
            good = bool(cin >> action);
            state = child(state, action);
        } else if (word == "read") {
            good = cin >> text && state.Read(text);
        } else if (word == "perft") {
            cin >> depth;
            perft(state, depth, leaves, finished);
            cout << leaves << ' ' << finished << '\n';
            continue;
        }
        if (!good) {
            cout << "refused " << text << '\n';
            continue;
        }
        print(state);
    }
}
