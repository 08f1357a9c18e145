// Se incluye en heuristica.cpp: no se compila por separado.
int PESO_GRANERO = 3;
