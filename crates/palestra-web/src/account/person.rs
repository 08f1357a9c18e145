//! What somebody may call themselves, and what can be an address or a password.

use std::collections::HashSet;
use std::sync::LazyLock;

use lettre::Address;
use palestra_games::GAMES;
use palestra_protocol::is_unseen;
use palestra_store::DELETED;

use crate::refused::Refused;

const NICKNAME: std::ops::RangeInclusive<usize> = 3..=20;
const MAX_NAME: usize = 80;
const MAX_EMAIL: usize = 254;
const PASSWORD: std::ops::RangeInclusive<usize> = 8..=200;

/// A nickname: letters of any script, digits, `-`, `_` and `.`, and not the name of somebody built in.
pub(crate) fn nickname(text: &str) -> Result<String, Refused> {
    let text = text.trim();
    let is_letter = |letter: char| "-_.".contains(letter) || letter.is_alphanumeric() && !is_unseen(letter);
    if !NICKNAME.contains(&text.chars().count()) || !text.chars().all(is_letter) {
        return Err(Refused::bad("account.wrong.nickname"));
    }
    if is_reserved(text) {
        return Err(Refused::bad("account.wrong.taken"));
    }
    Ok(text.to_owned())
}

/// A name.
pub(crate) fn name(text: &str) -> Result<String, Refused> {
    let text = text.trim();
    let is_one = !text.is_empty() && text.chars().count() <= MAX_NAME && !text.chars().any(is_unseen);
    if is_one { Ok(text.to_owned()) } else { Err(Refused::bad("account.wrong.name")) }
}

/// What can be an e-mail address; whether it is one is seen when the link in a mail is followed.
pub(crate) fn email(text: &str) -> Result<String, Refused> {
    let text = text.trim().to_lowercase();
    let is_one = text.len() <= MAX_EMAIL && text.is_ascii() && text.parse::<Address>().is_ok();
    if is_one { Ok(text) } else { Err(Refused::bad("account.wrong.email")) }
}

/// A password that somebody chooses.
pub(crate) fn password(text: &str) -> Result<(), Refused> {
    if PASSWORD.contains(&text.chars().count()) { Ok(()) } else { Err(Refused::bad("account.wrong.password")) }
}

/// Whether nobody can be called so: built-in players are, and those who are gone.
pub(crate) fn is_reserved(nickname: &str) -> bool {
    RESERVED.contains(nickname.to_lowercase().as_str())
}

static RESERVED: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let players = GAMES.iter().filter_map(|game| palestra_search::any_players(game.about.id).ok()).flatten();
    let names = players.map(|kind| kind.name.split(':').next().unwrap_or(kind.name));
    names.chain([DELETED, "human"]).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nicknames_can_be_seen_and_are_nobody_elses() {
        for fine in ["ana", "Núñez-7", "x_y.z", "Ωμέγα", "李小龍", " padded\n"] {
            assert!(nickname(fine).is_ok(), "{fine}");
        }
        let wrong = [
            "ab",
            "a b c",
            "abcdefghijklmnopqrstu",
            "ana\u{202e}",
            "a\u{200b}na",
            "\u{3164}\u{3164}\u{3164}",
            "<b>x</b>",
            "ana\u{1b}[31m",
            "deleted",
            "Deleted",
            "Ninja1",
            "MAESTRO",
            "minimax",
            "human",
            "random",
        ];
        for wrong in wrong {
            assert!(nickname(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn names_addresses_and_passwords_have_a_shape() {
        assert!(name("Ana María O'Neil <3").is_ok());
        for wrong in ["", "  ", "a\r\nBcc: x@y.example", "a\u{202e}b", &"x".repeat(81)] {
            assert!(name(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(email(" Ana@Example.ORG ").unwrap(), "ana@example.org");
        let long = format!("{}@example.org", "x".repeat(250));
        for wrong in ["", "ana", "@example.org", "ana@", "a na@example.org", "ana@example.org\r\nBcc: x@y", &long] {
            assert!(email(wrong).is_err(), "{wrong:?}");
        }
        assert!(password("12345678").is_ok() && password("1234567").is_err() && password(&"x".repeat(201)).is_err());
    }
}
