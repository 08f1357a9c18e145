// Un programa para probar la heuristica, que no es parte del bot.
#include "heuristica.h"

int main() {
	cout << heuristica(GameState(), J1) << endl;
	return 0;
}
