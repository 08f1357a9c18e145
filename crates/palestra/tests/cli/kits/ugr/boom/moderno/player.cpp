#include "player.h"
#include <optional>

// optional es de C++17: la asignatura compilaba con gnu++14.
static std::optional<int> primera(const bool *aplicables) {
    for (int i = 0; i < 8; i++)
        if (aplicables[i]) return i;
    return std::nullopt;
}

Environment::ActionType Player::Think() {
    bool aplicables[8];
    actual_.possible_actions(aplicables);
    return static_cast<Environment::ActionType>(primera(aplicables).value_or(0));
}
