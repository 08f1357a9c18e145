#include "Bot.h"

// Sin busqueda: una lista de reglas, de la mas importante a la menos.
class Reglas : public Bot {
public:
    void initialize() {}

    string getName() {
        return "Reglas";
    }

    // Si la ultima semilla cae en el granero, volvemos a jugar.
    int repite(const GameState &estado, Player yo) {
        int casilla = 1;
        while (casilla <= 6) {
            if (estado.getSeedsAt(yo, static_cast<Position>(casilla)) == casilla)
                return casilla;
            casilla++;
        }
        return 0;
    }

    // La captura mas grande que se puede hacer.
    int captura(const GameState &estado, Player yo, Player rival) {
        int cual = 0;
        int botin = 0;
        for (int desde = 2; desde <= 6; ++desde) {
            const int semillas = estado.getSeedsAt(yo, static_cast<Position>(desde));
            const int destino = desde - semillas;
            if (semillas == 0 || destino < 1)
                continue;
            if (estado.getSeedsAt(yo, static_cast<Position>(destino)) != 0)
                continue;
            const int enfrente = estado.getSeedsAt(rival, static_cast<Position>(7 - destino));
            if (enfrente > botin) {
                botin = enfrente;
                cual = desde;
            }
        }
        return cual;
    }

    // La casilla con mas semillas que el rival puede capturar.
    int enPeligro(const GameState &estado, Player yo, Player rival) {
        int peor = 0, perdida = 1;
        for (int origen = 6; origen > 1; --origen) {
            int semillas = estado.getSeedsAt(rival, static_cast<Position>(origen));
            int fin = origen - semillas;
            if (semillas > 0 && fin > 0 && !estado.getSeedsAt(rival, static_cast<Position>(fin))) {
                int mia = 7 - fin;
                if (estado.getSeedsAt(yo, static_cast<Position>(mia)) > perdida) {
                    perdida = estado.getSeedsAt(yo, static_cast<Position>(mia));
                    peor = mia;
                }
            }
        }
        return peor;
    }

    Move nextMove(const vector<Move> &adversary, const GameState &estado) {
        const Player yo = getPlayer(), rival = yo == J1 ? J2 : J1;
        int jugada = repite(estado, yo);
        if (!jugada) jugada = captura(estado, yo, rival);
        if (!jugada) jugada = enPeligro(estado, yo, rival);
        for (int casilla = 6; !jugada && casilla >= 1; --casilla)
            if (estado.getSeedsAt(yo, static_cast<Position>(casilla)) > 0) jugada = casilla;
        return static_cast<Move>(jugada);
    }
};
