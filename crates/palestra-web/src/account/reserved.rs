//! Reserved nicknames: those of built-in players, of the server's staff, and words that tables use themselves.

use std::collections::HashSet;
use std::sync::LazyLock;

use palestra_games::GAMES;
use palestra_store::{DELETED, Role};

/// Nicknames that sound like the server's staff: only admins can have them.
const STAFF: &[&str] = &[
    "admin",
    "administrador",
    "administradora",
    "administrator",
    "moderador",
    "moderadora",
    "moderator",
    "palestra",
    "root",
    "server",
    "servidor",
    "sistema",
    "staff",
    "system",
];

/// Words that mean something else at a table than a nickname.
const WORDS: &[&str] = &[DELETED, "guest", "human", "invitada", "invitado", "me", "open", "own", "reserved"];

/// Whether a nickname is reserved for guests, remote programs and accounts of this role.
pub(crate) fn is_reserved(nickname: &str, role: Option<Role>) -> bool {
    let key = key(nickname);
    let is_staff = STAFF.contains(&key.as_str());
    (is_staff && role != Some(Role::Admin)) || WORDS.contains(&key.as_str()) || is_player(&key)
}

/// Whether a nickname is that of a built-in player, or looks like one.
pub(crate) fn is_built_in(nickname: &str) -> bool {
    is_player(&key(nickname))
}

fn is_player(key: &str) -> bool {
    let family = key.trim_end_matches(|letter: char| letter.is_ascii_digit());
    PLAYERS.names.contains(key) || PLAYERS.families.contains(family)
}

/// What two names that look alike have in common: no separators, no case, and nothing from a colon on, where a player's
/// parameters begin.
fn key(nickname: &str) -> String {
    let name = nickname.split([':', '：']).next().unwrap_or_default();
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

struct Players {
    names: HashSet<String>,
    /// Players of which there are several, told apart by a number: `ninja1`, `alphabeta:6`.
    families: HashSet<String>,
}

static PLAYERS: LazyLock<Players> = LazyLock::new(|| {
    let players = GAMES.iter().filter_map(|game| palestra_search::any_players(game.about.id).ok()).flatten();
    let all: Vec<&str> = players.map(|player| player.name).collect();
    let is_digit = |letter: char| letter.is_ascii_digit();
    let families = all.iter().filter(|name| name.contains(':') || name.ends_with(is_digit));
    Players {
        names: all.iter().map(|name| key(name)).collect(),
        families: families.map(|name| key(name).trim_end_matches(is_digit).to_owned()).collect(),
    }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_reserved_nickname_is_reserved() {
        for name in [
            "admin",
            "Admin",
            "a.d_m-i.n",
            "open",
            "ME",
            "reserved",
            "Guest",
            "system",
            "palestra",
            "root",
            "moderator",
            "random",
            "GREEDY",
            "ninja1",
            "Ninja 1",
            "ninja-1",
            "ninja_9",
            "house",
            "maestro",
            "minimax",
            "minimax:3",
            "alphabeta-6",
            "alphabeta:6:strong",
            "human",
            "deleted",
            "in-vi-ta-do",
        ] {
            assert!(is_reserved(name, None) && is_reserved(name, Some(Role::Student)), "{name}");
        }
    }

    #[test]
    fn other_nicknames_are_free() {
        for name in ["ana", "Núñez-7", "adminton", "opener", "ninjago", "random7", "李小龍", "___", "house-cat"] {
            assert!(!is_reserved(name, None), "{name}");
        }
    }

    #[test]
    fn admins_may_sound_like_staff_but_not_like_players() {
        assert!(!is_reserved("root", Some(Role::Admin)) && !is_reserved("Admin", Some(Role::Admin)));
        assert!(is_reserved("root", Some(Role::Teacher)));
        assert!(is_reserved("maestro", Some(Role::Admin)) && is_reserved("open", Some(Role::Admin)));
    }
}
