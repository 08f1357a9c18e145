// Monte Carlo tree search with UCT: no evaluation at all, only games played to their end at random.
#include "Bot.h"

#include <cmath>
#include <memory>
#include <random>

struct Nodo {
    GameState estado;
    Nodo *padre;
    Move jugada;
    vector<unique_ptr<Nodo>> hijos;
    vector<Move> pendientes;
    double victorias = 0;
    int visitas = 0;

    Nodo(const GameState &e, Nodo *p, Move m) : estado(e), padre(p), jugada(m) {
        if (e.isFinalState()) return;
        for (int i = 1; i <= 6; i++)
            if (e.getSeedsAt(e.getCurrentPlayer(), Position(i))) pendientes.push_back(Move(i));
    }

    double uct() const {
        return victorias / visitas + 1.41 * sqrt(log(padre->visitas) / visitas);
    }
};

class Carlo : public Bot {
    mt19937 azar;

    Nodo *seleccionar(Nodo *n) {
        while (n->pendientes.empty() && !n->hijos.empty()) {
            Nodo *elegido = nullptr;
            for (auto &h : n->hijos)
                if (!elegido || h->uct() > elegido->uct()) elegido = h.get();
            n = elegido;
        }
        return n;
    }

    Nodo *expandir(Nodo *n) {
        if (n->pendientes.empty()) return n;
        int cual = uniform_int_distribution<int>(0, n->pendientes.size() - 1)(azar);
        Move m = n->pendientes[cual];
        n->pendientes.erase(n->pendientes.begin() + cual);
        n->hijos.emplace_back(new Nodo(n->estado.simulateMove(m), n, m));
        return n->hijos.back().get();
    }

    Player jugarHastaElFinal(GameState e) {
        while (!e.isFinalState()) {
            int m;
            do m = uniform_int_distribution<int>(1, 6)(azar);
            while (e.getSeedsAt(e.getCurrentPlayer(), Position(m)) == 0);
            e = e.simulateMove(Move(m));
        }
        return e.getWinner();
    }

    void retropropagar(Nodo *n, Player ganador) {
        for (; n; n = n->padre) {
            n->visitas++;
            if (!n->padre) break;
            Player quien = n->padre->estado.getCurrentPlayer();
            n->victorias += ganador == quien ? 1 : ganador == NONE ? 0.5 : 0;
        }
    }

public:
    void initialize() { azar.seed(12345); }
    string getName() { return "Carlo"; }

    Move nextMove(const vector<Move> &adversary, const GameState &state) {
        Nodo raiz(state, nullptr, M_NONE);
        for (int simulacion = 0; simulacion < 20000; simulacion++) {
            Nodo *hoja = expandir(seleccionar(&raiz));
            retropropagar(hoja, jugarHastaElFinal(hoja->estado));
        }
        Nodo *mejor = raiz.hijos[0].get();
        for (auto &h : raiz.hijos)
            if (h->visitas > mejor->visitas) mejor = h.get();
        return mejor->jugada;
    }
};
