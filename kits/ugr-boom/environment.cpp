#include "environment.h"

#include <cctype>
#include <iostream>
#include <sstream>

static const int ROWS = 7;
static const int COLUMNS = 7;
static const unsigned long long BOTTOM = 0x01010101010101ULL;
static const unsigned long long BOARD = 0x7f * BOTTOM;

// In what the two games differ.
struct Rules {
    const char *name;
    int movesOfTurn; // player 1's very first turn has one all the same
    int bombEvery;   // turns whose number is a multiple bring a bomb
    bool lineWins;
};

static const Rules CONECTA = {"conecta4boom", 2, 4, true};
static const Rules DESCONECTA = {"desconecta4boom", 1, 5, false};

static const Rules *rules = &CONECTA;

static bool onBoard(int row, int col) {
    return row >= 0 && row < ROWS && col >= 0 && col < COLUMNS;
}

static unsigned long long bit(int row, int col) {
    return 1ULL << (8 * col + row);
}

static unsigned long long columnOf(int col) {
    return 0x7fULL << (8 * col);
}

static int count(unsigned long long cells) {
    return __builtin_popcountll(cells);
}

static unsigned long long fours(unsigned long long pieces, int step) {
    unsigned long long pairs = pieces & (pieces >> step);
    return pairs & (pairs >> (2 * step));
}

// Where lines of four begin: upwards, to the right, down to the right, up to the right.
static unsigned long long lines(unsigned long long pieces) {
    return fours(pieces, 1) | fours(pieces, 8) | fours(pieces, 7) | fours(pieces, 9);
}

// Takes a piece away, and lets those above it fall.
static unsigned long long fallen(unsigned long long cells, int row, int col) {
    unsigned long long above = columnOf(col) & ~(bit(row + 1, col) - 1);
    return (cells & ~above & ~bit(row, col)) | ((cells & above) >> 1);
}

Environment::Environment() : pieces(), bombs() {
    setMove(1);
}

bool Environment::operator==(const Environment &other) const {
    for (int i = 0; i < 2; ++i) {
        if (pieces[i] != other.pieces[i] || bombs[i] != other.bombs[i]) return false;
    }
    return true;
}

int Environment::GenerateAllMoves(Environment *V) const {
    int children = 0;
    for (int act = -1;;) {
        Environment child = GenerateNextMove(act);
        if (act > BOOM) return children;
        V[children++] = child;
    }
}

Environment Environment::GenerateNextMove(int &act) const {
    bool possible[8];
    possible_actions(possible);
    Environment child(*this);
    for (act = act < -1 ? 0 : act + 1; act <= BOOM; ++act) {
        if (!possible[act]) continue;
        child.AcceptAction(static_cast<ActionType>(act));
        child.ChangePlayer();
        return child;
    }
    act = BOOM + 1;
    return child;
}

int Environment::possible_actions(bool *VecAct) const {
    int possible = 0;
    for (int col = 0; col < COLUMNS; ++col) {
        VecAct[col] = See_Casilla(ROWS - 1, col) == 0;
        possible += VecAct[col];
    }
    VecAct[BOOM] = Have_BOOM(player);
    return possible + VecAct[BOOM];
}

int Environment::Last_Action(int player) const {
    return lastAction[player == 1 ? 0 : 1];
}

int Environment::JugadorActivo() const {
    return player;
}

int Environment::N_Jugada() const {
    return turn;
}

int Environment::Get_Casillas_Libres() const {
    return ROWS * COLUMNS - count(pieces[0] | pieces[1]);
}

int Environment::Get_Ocupacion_Columna(int column) const {
    return onBoard(0, column) ? count((pieces[0] | pieces[1]) & columnOf(column)) : 0;
}

bool Environment::Have_BOOM(int player) const {
    return bombs[player == 1 ? 0 : 1] != 0;
}

bool Environment::Put_FichaBOOM_now() const {
    return turn % rules->bombEvery == 0 && !Have_BOOM(player);
}

char Environment::See_Casilla(int row, int col) const {
    if (!onBoard(row, col)) return 0;
    for (int i = 0; i < 2; ++i) {
        if (bombs[i] & bit(row, col)) return 4 + i;
        if (pieces[i] & bit(row, col)) return 1 + i;
    }
    return 0;
}

bool Environment::JuegoTerminado() const {
    bool full = (pieces[0] | pieces[1]) == BOARD;
    // With four in a line winning, a bomb is a way to go on.
    if (full && !(rules->lineWins && Have_BOOM(player))) return true;
    return (lines(pieces[0]) | lines(pieces[1])) != 0;
}

int Environment::RevisarTablero() const {
    int owner = lineOwner();
    if (owner != 0) return rules->lineWins ? owner : 3 - owner;
    // Whoever has to move and cannot has lost, where four in a line win; elsewhere it is a draw.
    return rules->lineWins && JuegoTerminado() ? 3 - player : 0;
}

// Whose line counts, 0 if there is none. If both have one: the last mover's where it wins, the lowest, and of those the
// leftmost, where it loses.
int Environment::lineOwner() const {
    Cells first = lines(pieces[0]), second = lines(pieces[1]);
    if (first == 0 || second == 0) return first != 0 ? 1 : second != 0 ? 2 : 0;
    if (rules->lineWins) return lastPlayer;
    for (int row = 0;; ++row) {
        Cells begins = (first | second) & (BOTTOM << row);
        if (begins != 0) return first & begins & -begins ? 1 : 2;
    }
}

string Environment::ActionStr(ActionType action) {
    if (action == BOOM) return "BOOM";
    if (action < PUT1 || action > BOOM) return "NONE";
    return string("PUT") + static_cast<char>('1' + action);
}

void Environment::AcceptAction(ActionType action) {
    if (action == BOOM) {
        explode();
    } else if (onBoard(0, action)) {
        drop(action);
    }
    lastAction[player - 1] = action;
    lastPlayer = player;
}

void Environment::drop(int col) {
    int row = Get_Ocupacion_Columna(col);
    if (row == ROWS) return;
    bool bomb = Put_FichaBOOM_now();
    pieces[player - 1] |= bit(row, col);
    if (bomb) bombs[player - 1] |= bit(row, col);
}

// The bomb takes the other's pieces in its row where four in a line win, and the own ones where they lose.
void Environment::explode() {
    Cells bomb = bombs[player - 1];
    if (bomb == 0) return;
    Cells taken = rules->lineWins ? bomb | pieces[2 - player] : pieces[player - 1];
    int row = __builtin_ctzll(bomb) % 8;
    for (int col = 0; col < COLUMNS; ++col) {
        if (!(taken & bit(row, col))) continue;
        for (int i = 0; i < 2; ++i) {
            pieces[i] = fallen(pieces[i], row, col);
            bombs[i] = fallen(bombs[i], row, col);
        }
    }
}

void Environment::ChangePlayer() {
    if (--movesLeft > 0) return;
    movesLeft = rules->movesOfTurn;
    player = 3 - player;
    if (player == 1) ++turn;
}

void Environment::Change() {
    ChangePlayer();
}

void Environment::PintaTablero() const {
    for (int row = ROWS - 1; row >= 0; --row) {
        for (int col = 0; col < COLUMNS; ++col) {
            Show(row, col);
            cout << (col < COLUMNS - 1 ? ' ' : '\n');
        }
    }
    cout.flush();
}

void Environment::Show(int row, int col) const {
    cout << static_cast<int>(See_Casilla(row, col));
}

void Environment::ModificarTablero(const char *board) {
    pieces[0] = pieces[1] = bombs[0] = bombs[1] = 0;
    for (int cell = 0; cell < ROWS * COLUMNS; ++cell) put(cell / COLUMNS, cell % COLUMNS, board[cell]);
}

void Environment::CopiarTablero(char *board) const {
    for (int cell = 0; cell < ROWS * COLUMNS; ++cell) board[cell] = See_Casilla(cell / COLUMNS, cell % COLUMNS);
}

void Environment::put(int row, int col, char cell) {
    if (cell == 0) return;
    bool bomb = cell >= 4;
    int owner = bomb ? cell - 4 : cell - 1;
    pieces[owner] |= bit(row, col);
    if (bomb) bombs[owner] |= bit(row, col);
}

bool Environment::EnLinea(int row, int col, int &winner) const {
    for (int i = 0; i < 2; ++i) {
        if (onBoard(row, col) && (lines(pieces[i]) & bit(row, col))) {
            winner = rules->lineWins ? 1 + i : 2 - i;
            return true;
        }
    }
    return false;
}

bool Environment::PlayGame(const string &name) {
    const Rules *known[] = {&CONECTA, &DESCONECTA};
    for (int i = 0; i < 2; ++i) {
        if (name == known[i]->name) {
            rules = known[i];
            return true;
        }
    }
    return false;
}

// The number of the next move, a colon, and the rows from the top: x and o pieces, X and O bombs, digits empty cells.
bool Environment::Read(const string &position) {
    static const string SYMBOLS = ".xo.XO";
    istringstream text(position);
    int number;
    char colon;
    if (!(text >> number >> colon) || number < 1 || colon != ':') return false;
    Environment read;
    read.setMove(number);
    int row = ROWS - 1, col = 0;
    for (char symbol; text >> symbol;) {
        if (symbol == '/' && col == COLUMNS) {
            --row;
            col = 0;
        } else if (isdigit(symbol)) {
            col += symbol - '0';
        } else {
            size_t cell = SYMBOLS.find(symbol);
            if (symbol == '.' || cell == string::npos || !onBoard(row, col)) return false;
            read.put(row, col++, static_cast<char>(cell));
        }
        if (col > COLUMNS) return false;
    }
    if (row != 0 || col != COLUMNS) return false;
    *this = read;
    return true;
}

int Environment::PlayerOfMove(int number) {
    // As if player 1's first turn were a whole one, of which the last move is left.
    int made = number - 1 + rules->movesOfTurn - 1;
    return made / rules->movesOfTurn % 2 + 1;
}

void Environment::SetLastAction(int player, int action) {
    lastAction[player == 1 ? 0 : 1] = action;
}

// Makes the move with this number the next one, as if nothing were known of those before.
void Environment::setMove(int number) {
    int made = number - 1 + rules->movesOfTurn - 1;
    player = PlayerOfMove(number);
    lastPlayer = number > 1 ? PlayerOfMove(number - 1) : 2;
    turn = made / (2 * rules->movesOfTurn) + 1;
    movesLeft = rules->movesOfTurn - made % rules->movesOfTurn;
    lastAction[0] = lastAction[1] = -1;
}
