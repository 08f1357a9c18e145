// A position of Conecta-4 Boom or Desconecta-4 Boom, as the courses' players see it.

#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

// The players of the courses lean on what these bring along.
#include <climits>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>

using namespace std;

class Environment {
public:
    // A drop into a column, or the explosion of the own bomb.
    enum ActionType { PUT1, PUT2, PUT3, PUT4, PUT5, PUT6, PUT7, BOOM };

    // The start: an empty board, and player 1 moves.
    Environment();

    // Whether the cells are the same, whoever is to move.
    bool operator==(const Environment &other) const;

    // Writes the positions after each action to V, which has room for 8, in the order of the actions. How many.
    int GenerateAllMoves(Environment *V) const;

    // The position after the first possible action beyond act, which becomes that action; begin with -1. When there is
    // none act becomes 8, and the position stays as it is.
    Environment GenerateNextMove(int &act) const;

    // Which of the 8 actions are possible, and how many. It does not ask whether the game is over.
    int possible_actions(bool *VecAct) const;

    // A player's last action, -1 if there was none.
    int Last_Action(int player) const;

    // The player to move, 1 or 2.
    int JugadorActivo() const;

    // The number of the turn, from 1. Both players have a turn of each number.
    int N_Jugada() const;

    int Get_Casillas_Libres() const;

    // The pieces in a column; columns count from 0.
    int Get_Ocupacion_Columna(int column) const;

    // Whether a player has a bomb on the board.
    bool Have_BOOM(int player) const;

    // Whether a piece dropped now is a bomb.
    bool Put_FichaBOOM_now() const;

    // What lies on a cell: 0 nothing, 1 and 2 pieces, 4 and 5 bombs. Row 0 is the lowest.
    char See_Casilla(int row, int col) const;

    bool JuegoTerminado() const;

    // The winner; 0 before the end, and for a draw.
    int RevisarTablero() const;

    static string ActionStr(ActionType action);

    // Makes a move of the player to move, and nothing else: ChangePlayer must follow.
    void AcceptAction(ActionType action);

    // After an action: the next move is due, of the same player or of the other.
    void ChangePlayer();
    void Change();

    // Prints the board, or one cell of it.
    void PintaTablero() const;
    void Show(int row, int col) const;

    // Takes the 49 cells from a board, or writes them to it: the lowest row first, with the numbers of See_Casilla.
    void ModificarTablero(const char *board);
    void CopiarTablero(char *board) const;

    // Whether a line of four begins at a cell (its left end, the lower one if it is vertical), and who wins by it.
    bool EnLinea(int row, int col, int &winner) const;

    // Which game is played from now on, by its name in Palestra; false if it is neither of the two.
    static bool PlayGame(const string &name);

    // Takes Palestra's notation of a position, without last actions; false if it cannot be understood.
    bool Read(const string &position);

    // Whose move has a number, from 1.
    static int PlayerOfMove(int number);

    void SetLastAction(int player, int action);

private:
    // A set of cells: row r of column c is bit 8 * c + r. The highest row of each byte stays empty, so that no line
    // goes on in the next column.
    typedef unsigned long long Cells;

    // Of each player: all pieces, those of them that are bombs, and the last action.
    Cells pieces[2];
    Cells bombs[2];
    int lastAction[2];

    int player;
    int lastPlayer;
    int turn;
    int movesLeft;

    void setMove(int number);
    void put(int row, int col, char cell);
    void drop(int col);
    void explode();
    int lineOwner() const;
};

#endif
