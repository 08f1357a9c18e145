#include "Bot.h"
#include <chrono>
#include <unordered_map>

// Profundidad iterativa con tabla de transposicion. Para cuando se acaba el tiempo.
enum Cota { EXACTA, INFERIOR, SUPERIOR };

struct Entrada {
    int profundidad;
    int valor;
    Cota cota;
    int jugada;
};

class Tabla : public Bot {
    unordered_map<unsigned long long, Entrada> tabla;
    unsigned long long zobrist[2][7][49];
    chrono::steady_clock::time_point limite;
    long nodos;

public:
    string getName() { return "Tabla"; }

    void initialize() {
        unsigned long long semilla = 88172645463325252ULL;
        for (auto &jugador : zobrist)
            for (auto &casilla : jugador)
                for (auto &clave : casilla) {
                    semilla ^= semilla << 13;
                    semilla ^= semilla >> 7;
                    semilla ^= semilla << 17;
                    clave = semilla;
                }
    }

    unsigned long long claveDe(const GameState &s) {
        unsigned long long clave = s.getCurrentPlayer() == J1 ? 0x9E3779B97F4A7C15ULL : 0;
        for (int j = 0; j < 2; j++)
            for (int c = 0; c < 7; c++)
                clave ^= zobrist[j][c][s.getSeedsAt((Player)j, (Position)c)];
        return clave;
    }

    int evaluar(const GameState &s) {
        Player p = s.getCurrentPlayer(), q = p == J1 ? J2 : J1;
        if (s.isFinalState())
            return s.getWinner() == p ? 10000 : s.getWinner() == q ? -10000 : 0;
        int turnosExtra = 0, amenazas = 0;
        for (int c = 1; c < 7; c++) {
            int n = s.getSeedsAt(p, (Position)c);
            if (n == c)
                turnosExtra++;
            if (n && n < c && s.getSeedsAt(p, (Position)(c - n)) == 0)
                amenazas += s.getSeedsAt(q, (Position)(7 - c + n));
        }
        return 10 * (s.getScore(p) - s.getScore(q)) + 3 * turnosExtra + amenazas;
    }

    int buscar(const GameState &s, int prof, int alfa, int beta) {
        if ((++nodos & 1023) == 0 && chrono::steady_clock::now() > limite)
            throw 0;
        if (prof == 0 || s.isFinalState())
            return evaluar(s);
        unsigned long long k = claveDe(s);
        int primera = 0, alfaOriginal = alfa;
        auto it = tabla.find(k);
        if (it != tabla.end()) {
            const Entrada &e = it->second;
            primera = e.jugada;
            if (e.profundidad >= prof) {
                if (e.cota == EXACTA) return e.valor;
                if (e.cota == INFERIOR) alfa = max(alfa, e.valor);
                else beta = min(beta, e.valor);
                if (alfa >= beta) return e.valor;
            }
        }
        int mejor = -1000000, jugada = 0;
        for (int i = 0; i <= 6; i++) {
            int m = i == 0 ? primera : i;
            if (m == 0 || (i > 0 && m == primera) || !s.getSeedsAt(s.getCurrentPlayer(), (Position)m))
                continue;
            GameState h = s.simulateMove((Move)m);
            int v;
            if (h.getCurrentPlayer() == s.getCurrentPlayer())
                v = buscar(h, prof - 1, alfa, beta);
            else
                v = -buscar(h, prof - 1, -beta, -alfa);
            if (v > mejor) { mejor = v; jugada = m; }
            if (mejor > alfa) alfa = mejor;
            if (alfa >= beta) break;
        }
        Cota cota = mejor <= alfaOriginal ? SUPERIOR : mejor >= beta ? INFERIOR : EXACTA;
        tabla[k] = {prof, mejor, cota, jugada};
        return mejor;
    }

    Move nextMove(const vector<Move> &adversary, const GameState &state) {
        limite = chrono::steady_clock::now() + chrono::milliseconds(getTimeOut() ? getTimeOut() * 8 / 10 : 1500);
        nodos = 0;
        int jugada = 0;
        try {
            for (int prof = 1; prof < 40; prof++) {
                buscar(state, prof, -1000000, 1000000);
                jugada = tabla[claveDe(state)].jugada;
            }
        } catch (int) {
        }
        if (tabla.size() > 2000000) tabla.clear();
        return (Move)jugada;
    }
};
