// Sin player.h propio, y sin incluir lo que usa hasta el final.
#include "player.h"

double mejorValor = -numeric_limits<double>::infinity();
ofstream traza("/dev/null");

static int alAzar(int n) { return rand() % n; }

// Para depurar: espera una tecla.
static void pausa() {
    string tecla;
    cout << "Pulsa intro" << endl;
    getline(cin, tecla);
}

Environment::ActionType Player::Think() {
    srand(clock());
    bool aplicables[8];
    int opciones[8], n = 0, minimo = INT_MAX;
    actual_.possible_actions(aplicables);
    for (int i = 0; i < 8; i++)
        if (aplicables[i]) {
            opciones[n++] = i;
            minimo = min(minimo, i);
        }
    pausa();
    traza << to_string(minimo) << endl;
    cout << numJugador() << " elige entre " << n << ", desde " << minimo << "\n";
    return static_cast<Environment::ActionType>(opciones[alAzar(n)]);
}

#include <iostream>
#include <cstdlib>
#include <limits>
