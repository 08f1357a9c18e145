// El algoritmo de los apuntes con dos funciones, una para MAX y otra para MIN.
#include "Bot.h"
#include <cstdlib>

const int INF = 99999;

class Apuntes : public Bot {
private:
    int maxProf;
    vector<int> pesos;

    int evalua(const GameState& st) const {
        int total = 0;
        Player rival = getPlayer() == J1 ? J2 : J1;
        for (unsigned i = 0; i < pesos.size(); ++i) {
            total += pesos[i] * st.getSeedsAt(getPlayer(), Position(i));
            total -= pesos[i] * st.getSeedsAt(rival, Position(i));
        }
        return total;
    }

    bool corte(const GameState& st, int prof) const {
        return prof >= maxProf or st.isFinalState();
    }

    vector<pair<int, GameState> > sucesores(const GameState& st) const {
        vector<pair<int, GameState> > lista;
        for (int hoyo = 6; hoyo > 0; --hoyo)
            if (st.getSeedsAt(st.getCurrentPlayer(), Position(hoyo)) != 0)
                lista.push_back(make_pair(hoyo, st.simulateMove(Move(hoyo))));
        return lista;
    }

    int siguiente(const GameState& st, int prof, int a, int b) {
        return st.getCurrentPlayer() == getPlayer() ? maxValor(st, prof, a, b) : minValor(st, prof, a, b);
    }

    int maxValor(const GameState& st, int prof, int a, int b) {
        if (corte(st, prof)) return evalua(st);
        int v = -INF;
        vector<pair<int, GameState> > hijos = sucesores(st);
        for (size_t i = 0; i < hijos.size(); ++i) {
            v = max(v, siguiente(hijos[i].second, prof + 1, a, b));
            if (v >= b) return v;
            a = max(a, v);
        }
        return v;
    }

    int minValor(const GameState& st, int prof, int a, int b) {
        if (corte(st, prof)) return evalua(st);
        int v = INF;
        vector<pair<int, GameState> > hijos = sucesores(st);
        for (size_t i = 0; i < hijos.size(); ++i) {
            v = min(v, siguiente(hijos[i].second, prof + 1, a, b));
            if (v <= a) return v;
            b = min(b, v);
        }
        return v;
    }

public:
    Apuntes() : maxProf(7) {
        int valores[] = {20, 3, 2, 2, 1, 1, 1};
        pesos.assign(valores, valores + 7);
    }

    void initialize() { srand(7); }
    string getName() { return "Apuntes"; }

    Move nextMove(const vector<Move>& rivales, const GameState& st) {
        vector<int> empatadas;
        int mejor = -INF - 1;
        vector<pair<int, GameState> > hijos = sucesores(st);
        for (size_t i = 0; i < hijos.size(); ++i) {
            int v = siguiente(hijos[i].second, 1, -INF, INF);
            if (v > mejor) {
                mejor = v;
                empatadas.clear();
            }
            if (v == mejor) empatadas.push_back(hijos[i].first);
        }
        return Move(empatadas[rand() % empatadas.size()]);
    }
};
