#include "Bot.h"
#include "SimulatorLink.h"
#include "Prudente.h"
#include "Temeraria.h"

using namespace std;

int main(int argc, char *argv[]) {
	// Bot *bot = (Bot*) new Prudente();
	Bot *bot = (Bot*) new Temeraria();
	SimulatorLink sim;
	sim.setBot(bot);
	sim.run();
	delete bot;
	return 0;
}
