//! Finding out which language a program speaks.
//!
//! The course's programs answer `PONG` to `PING`, as nobody else does. A program of protocol 1 may ignore the word or
//! die of it: so this is asked of a process that plays no game. `PING` goes first and alone, because what an old
//! program does with `hello` nobody knows; a program that stays silent is greeted in protocol 1, and the first answer
//! decides.

use crate::Dialect;

/// Asks a program for its language, and a program of the course for its name.
#[derive(Clone, Debug, Default)]
pub struct Probe {
    is_course: bool,
}

/// What a probe found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The language.
    pub dialect: Dialect,
    /// The name, if the program told one worth having.
    pub name: Option<String>,
}

/// What a name of the course may have, after its first letter.
const MAX_NAME: usize = 51;

impl Probe {
    /// Begins: sends the course's greeting.
    pub fn start(&mut self, out: &mut String) {
        out.push_str("PING\n");
    }

    /// Nothing came for a while: sends the greeting of protocol 1.
    pub fn quiet(&mut self, out: &mut String) {
        if !self.is_course {
            out.push_str("hello 1\n");
        }
    }

    /// Takes a line. Once it is clear what the program is, the answer.
    pub fn hear(&mut self, line: &str, out: &mut String) -> Option<Found> {
        let word = line.trim();
        if self.is_course {
            // A slow one was greeted in protocol 1 too, and answers every word that it does not know with its last
            // answer, or with an empty line.
            if word.is_empty() || word.eq_ignore_ascii_case("PONG") {
                return None;
            }
            out.push_str("END\n");
            let name = is_name(word).then(|| word.to_owned());
            return Some(Found { dialect: Dialect::Course, name });
        }
        if word.eq_ignore_ascii_case("PONG") {
            self.is_course = true;
            out.push_str("GETNAME\n");
            return None;
        }
        out.push_str("bye\n");
        Some(Found { dialect: Dialect::One, name: None })
    }

    /// The program ended, or has been silent for too long.
    #[must_use]
    pub fn give_up(&self) -> Found {
        Found { dialect: if self.is_course { Dialect::Course } else { Dialect::One }, name: None }
    }
}

fn is_name(word: &str) -> bool {
    word.len() <= MAX_NAME
        && word.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
        && word.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}
