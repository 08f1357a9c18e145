//! Secret tokens of sessions, links and APIs, and the hashes that are stored of them.

use std::fmt;

use sha2::{Digest, Sha256};

/// A secret: who has it is who it was given to. Shown once; the store keeps its [`TokenHash`].
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// The hash of a token, which is stored: it identifies the token, but cannot be used as one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TokenHash(pub(crate) String);

/// 26 letters of 5 bits: nobody guesses 130 bits.
const TOKEN_LETTERS: usize = 26;

/// 60 bits are enough for what can only be guessed by asking a server.
const CODE_LETTERS: usize = 12;

impl Token {
    /// A new one.
    #[must_use]
    pub fn random() -> Self {
        Self(letters(TOKEN_LETTERS))
    }

    /// Parses a token from a request; `None` if it does not have the form of one.
    #[must_use]
    pub fn shown(text: &str) -> Option<Self> {
        let is_one = text.len() == TOKEN_LETTERS && text.bytes().all(|byte| ALPHABET.contains(&byte));
        is_one.then(|| Self(text.to_owned()))
    }

    /// The hash of the token.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash(sha256(&self.0))
    }

    /// Another secret that follows from this one and gives nothing away of it.
    #[must_use]
    pub fn derived(&self, purpose: &str) -> [u8; 32] {
        Sha256::digest(format!("{purpose}:{}", self.0)).into()
    }

    /// The secret itself.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }
}

impl TokenHash {
    /// The hash as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(secret)")
    }
}

/// An address that nobody guesses, for a table or a game.
#[must_use]
pub fn code() -> String {
    letters(CODE_LETTERS)
}

/// An address that follows from a secret, and does not give it away.
#[must_use]
pub fn derived_code(secret: &str) -> String {
    let digest = Sha256::digest(secret.as_bytes());
    digest.iter().take(CODE_LETTERS).map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// Letters that are not mistaken for each other.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

fn letters(count: usize) -> String {
    let mut bytes = vec![0; count];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

fn sha256(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_recognised_by_its_hash_alone() {
        let token = Token::random();
        let shown = Token::shown(token.secret()).unwrap();
        assert_eq!(shown.hash(), token.hash());
        assert_ne!(Token::random().hash(), token.hash());
        assert!(!token.hash().as_str().contains(token.secret()));
        assert_ne!(token.derived("a"), token.derived("b"));
    }

    #[test]
    fn what_cannot_be_a_token_is_none() {
        for text in ["", "short", "with blanks and so on 123456", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"] {
            assert_eq!(Token::shown(text), None, "{text}");
        }
    }
}
