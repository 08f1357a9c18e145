#include "player.h"

// Busca una accion que termine la partida, y no piensa en que puede no haber ninguna: entonces contesta 8.
Environment::ActionType Player::Think() {
  int act = -1;
  Environment hijo = actual_.GenerateNextMove(act);
  while (act < 8 && !hijo.JuegoTerminado())
    hijo = actual_.GenerateNextMove(act);
  cout << "Encontrada la accion " << act << endl;
  return (Environment::ActionType) act;
}
