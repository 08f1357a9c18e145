#pragma once
#include <optional>
#include "Bot.h"

class Moderna : public Bot {
	optional<Move> elegir(const GameState &estado) const;
public:
	void initialize() override {}
	string getName() override { return "Moderna"; }
	Move nextMove(const vector<Move> &adversary, const GameState &state) override;
};
