//! Validation of nicknames, names, e-mail addresses and passwords.

use lettre::Address;
use palestra_protocol::is_unseen;
use palestra_store::{Account, Role};

use super::reserved::{is_built_in, is_reserved};
use crate::http::error::Refused;

const NICKNAME: std::ops::RangeInclusive<usize> = 3..=20;
const MAX_NAME: usize = 80;
const MAX_EMAIL: usize = 254;
const PASSWORD: std::ops::RangeInclusive<usize> = 8..=200;

/// A nickname for an account of this role: letters of any script, digits, `-`, `_` and `.`, and none that is reserved.
pub(crate) fn nickname(text: &str, role: Role) -> Result<String, Refused> {
    let text = text.trim();
    if is_built_in(text) {
        return Err(Refused::bad("account.wrong.built_in"));
    }
    if is_reserved(text, Some(role)) {
        return Err(Refused::bad("account.wrong.reserved"));
    }
    nickname_text(text)
}

/// The nickname that an account wants from now on. The one it has stays its own, even if it is reserved by now.
pub(crate) fn new_nickname(text: &str, account: &Account) -> Result<String, Refused> {
    if text.trim().to_lowercase() == account.nickname.to_lowercase() {
        return nickname_text(text.trim());
    }
    nickname(text, account.role)
}

fn nickname_text(text: &str) -> Result<String, Refused> {
    let is_letter = |letter: char| "-_.".contains(letter) || letter.is_alphanumeric() && !is_unseen(letter);
    if !NICKNAME.contains(&text.chars().count()) || !text.chars().all(is_letter) {
        return Err(Refused::bad("account.wrong.nickname"));
    }
    Ok(text.to_owned())
}

/// A name.
pub(crate) fn name(text: &str) -> Result<String, Refused> {
    let text = text.trim();
    let is_one = !text.is_empty() && text.chars().count() <= MAX_NAME && !text.chars().any(is_unseen);
    if is_one { Ok(text.to_owned()) } else { Err(Refused::bad("account.wrong.name")) }
}

/// Checks the form of an e-mail address. The link in a mail then proves that it exists.
pub(crate) fn email(text: &str) -> Result<String, Refused> {
    let text = text.trim().to_lowercase();
    let is_one = text.len() <= MAX_EMAIL && text.is_ascii() && text.parse::<Address>().is_ok();
    if is_one { Ok(text) } else { Err(Refused::bad("account.wrong.email")) }
}

/// Checks a new password.
pub(crate) fn password(text: &str) -> Result<(), Refused> {
    if !PASSWORD.contains(&text.chars().count()) {
        return Err(Refused::bad("account.wrong.password"));
    }
    if is_common(text) { Err(Refused::bad("account.wrong.common")) } else { Ok(()) }
}

/// The words of which the commonest passwords are made, in both languages of the pages. The number of tries to sign in is
/// limited, so it is the first few hundred guesses that matter.
const COMMON: &[&str] = &[
    "abcdefgh",
    "access",
    "admin",
    "administrador",
    "administrator",
    "asdfghjk",
    "asdfghjkl",
    "baseball",
    "barcelona",
    "bienvenido",
    "changeme",
    "computer",
    "contraseña",
    "contrasena",
    "dragon",
    "espana",
    "football",
    "iloveyou",
    "letmein",
    "madrid",
    "master",
    "minecraft",
    "monkey",
    "palestra",
    "passw0rd",
    "password",
    "princess",
    "princesa",
    "qwer1234",
    "qwerty",
    "qwertyui",
    "qwertyuiop",
    "realmadrid",
    "secret",
    "secreto",
    "starwars",
    "sunshine",
    "superman",
    "teamo",
    "tequiero",
    "test",
    "trustno1",
    "welcome",
    "whatever",
    "zxcvbnm",
];

/// Whether a password is a common word with nothing but digits and marks around it, a number, or one letter many times.
fn is_common(text: &str) -> bool {
    let text = text.to_lowercase();
    let word = text.trim_matches(|letter: char| !letter.is_alphabetic());
    let is_number = text.chars().all(|letter| letter.is_ascii_digit());
    let is_one_letter = text.chars().all(|letter| text.starts_with(letter));
    COMMON.contains(&word) || COMMON.contains(&text.as_str()) || is_number || is_one_letter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nicknames_can_be_seen_and_are_nobody_elses() {
        for fine in ["ana", "Núñez-7", "x_y.z", "Ωμέγα", "李小龍", " padded\n"] {
            assert!(nickname(fine, Role::Student).is_ok(), "{fine}");
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
            assert!(nickname(wrong, Role::Student).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn an_account_keeps_the_nickname_it_has() {
        let account = |nickname: &str| Account {
            id: 1,
            nickname: nickname.to_owned(),
            name: String::new(),
            email: String::new(),
            password: String::new(),
            role: Role::Student,
            created_ms: 0,
        };
        assert_eq!(new_nickname("Open", &account("open")).unwrap(), "Open");
        assert_eq!(new_nickname("guest", &account("open")), Err(Refused::bad("account.wrong.reserved")));
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
        assert!(
            password("correct horse").is_ok() && password("1234567").is_err() && password(&"x".repeat(201)).is_err()
        );
    }

    #[test]
    fn passwords_that_everybody_tries_are_refused() {
        for common in
            ["password", "Password1!", "12345678", "20101985", "aaaaaaaa", "contraseña", "qwerty123", "palestra2026"]
        {
            assert_eq!(password(common), Err(Refused::bad("account.wrong.common")), "{common}");
        }
        for fine in ["my password is long", "test of time", "12345678 x", "caballo correcto", "ñandú-27"] {
            assert_eq!(password(fine), Ok(()), "{fine}");
        }
    }
}
