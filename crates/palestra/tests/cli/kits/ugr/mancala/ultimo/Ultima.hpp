#pragma once
#include <bit>
#include "Bot.h"

// Toda la clase esta en la cabecera, y countr_zero es de C++20.
class Ultima final : public Bot {
public:
	void initialize() override {}
	string getName() override { return "Ultima"; }
	Move nextMove(const vector<Move> &, const GameState &state) override {
		unsigned llenas = 0;
		for (int i = 1; i <= 6; i++)
			if (state.getSeedsAt(state.getCurrentPlayer(), (Position) i) > 0) llenas |= 1u << i;
		return (Move) countr_zero(llenas);
	}
};
