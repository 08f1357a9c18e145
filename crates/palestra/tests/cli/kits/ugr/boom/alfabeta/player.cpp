#include <iostream>
#include <cstdlib>
#include <vector>
#include <queue>
#include "player.h"
#include "environment.h"

using namespace std;

const double masinf=9999999999.0, menosinf=-9999999999.0;
const int PROFUNDIDAD_ALFABETA = 8;

Player::Player(int jug){
    jugador_=jug;
    nodos_=0;
    cout << "Nuevo jugador " << jug << endl;
}

// Actualiza lo que el jugador sabe del tablero.
void Player::Perceive(const Environment & env){
    actual_=env;
}

// Lo que valen las fichas de un jugador: mas cuanto mas cerca del centro.
double Puntuacion(int jugador, const Environment &estado){
    double suma=0;
    for (int fila=0; fila<7; fila++)
      for (int col=0; col<7; col++)
         if (estado.See_Casilla(fila,col)==jugador)
            suma += (col<3 ? col : 6-col);
    return suma;
}

double ValoracionTest(const Environment &estado, int jugador){
    int ganador = estado.RevisarTablero();
    if (ganador==jugador)
       return 99999999.0;
    else if (ganador!=0)
       return -99999999.0;
    else if (estado.Get_Casillas_Libres()==0)
       return 0;
    else
       return Puntuacion(jugador,estado);
}

double Player::Poda_AlfaBeta(const Environment &estado, int jugador, int prof, int limite,
                             Environment::ActionType &accion, double alpha, double beta){
    nodos_++;
    if (prof==limite || estado.JuegoTerminado())
       return ValoracionTest(estado,jugador);

    bool maximiza = estado.JugadorActivo()==jugador;
    Environment::ActionType otra;
    int act=-1;
    Environment hijo = estado.GenerateNextMove(act);
    while (act<8 && alpha<beta){
       double valor = Poda_AlfaBeta(hijo,jugador,prof+1,limite,otra,alpha,beta);
       if (maximiza && valor>alpha){
          alpha=valor;
          accion=static_cast<Environment::ActionType>(act);
       }
       else if (!maximiza && valor<beta)
          beta=valor;
       hijo = estado.GenerateNextMove(act);
    }
    return maximiza ? alpha : beta;
}

Environment::ActionType Player::Think(){
    Environment::ActionType accion;
    bool aplicables[8];
    double alpha=menosinf, beta=masinf;

    int n_act=actual_.possible_actions(aplicables);

    cout << endl << "Turno " << actual_.N_Jugada() << ", acciones aplicables de ";
    (jugador_==1) ? cout << "Verde: " : cout << "Azul: ";
    for (int t=0; t<8; t++)
      if (aplicables[t])
         cout << " " << actual_.ActionStr( static_cast<Environment::ActionType> (t) );
    cout << endl;
    actual_.PintaTablero();

    if (n_act==0)
      cout << "No hay acciones posibles" << endl;

    nodos_=0;
    double valor = Poda_AlfaBeta(actual_, jugador_, 0, PROFUNDIDAD_ALFABETA, accion, alpha, beta);
    cout << "move " << "Valor MiniMax: " << valor << "  Accion: " << actual_.ActionStr(accion)
         << "  Nodos: " << nodos_ << "\n";
    return accion;
}
