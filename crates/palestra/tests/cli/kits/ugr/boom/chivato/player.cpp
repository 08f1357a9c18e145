#include "player.h"

// Cuenta lo que ve, y juega siempre en la primera columna que puede.
Environment::ActionType Player::Think() {
    bool aplicables[8];
    int n = actual_.possible_actions(aplicables), primera = 0;
    while (!aplicables[primera])
        primera++;
    cout << "jugador " << numJugador() << " activo " << actual_.JugadorActivo() << " jugada " << actual_.N_Jugada()
         << " ultimas " << actual_.Last_Action(1) << " " << actual_.Last_Action(2)
         << " bombas " << actual_.Have_BOOM(1) << actual_.Have_BOOM(2) << actual_.Put_FichaBOOM_now()
         << " acciones " << n << " abajo ";
    for (int col = 0; col < 7; col++)
        cout << int(actual_.See_Casilla(0, col));
    // Sin salto de linea ni flush.
    cout << " |";
    return static_cast<Environment::ActionType>(primera);
}
