//! The one error of all parsers, and a cursor that knows where it is.

use std::fmt;

use crate::{Argument, Phrase, Side, phrase};

/// Text that is not what it should be: what it was meant to be, where it goes wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What was read: "position", "move", "record", "map", "options".
    pub what: &'static str,
    /// The line, from 1, in texts of several lines; 0 in one-line texts.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
    /// What is wrong, as a clause: `49 seeds, there must be 48`.
    pub problem: Phrase,
}

impl ParseError {
    /// An error in a one-line text, `at` being the number of characters before it.
    #[must_use]
    pub fn new(what: &'static str, at: usize, problem: Phrase) -> Self {
        Self { what, line: 0, column: at + 1, problem }
    }

    /// Sets the line of the error, from 1, in a longer text.
    #[must_use]
    pub fn on_line(mut self, line: usize) -> Self {
        self.line = line;
        self
    }

    /// The place and the problem, without a word about what was read.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        let (line, column, problem) = (self.line, self.column, self.problem.clone());
        if line == 0 {
            phrase!("at.character", "character {column}: {problem}", column, problem)
        } else {
            phrase!("at.line", "line {line}, character {column}: {problem}", line, column, problem)
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bad {} at {}", self.what, self.phrase())
    }
}

impl std::error::Error for ParseError {}

/// The text of a file, or where it stops being UTF-8.
pub(crate) fn utf8<'a>(what: &'static str, bytes: &'a [u8]) -> Result<&'a str, ParseError> {
    str::from_utf8(bytes).map_err(|error| {
        let valid = error.valid_up_to();
        let before = String::from_utf8_lossy(&bytes[..valid]);
        let (line, last) = (1..).zip(before.split('\n')).last().expect("a split has at least one part");
        let problem = phrase!(
            "text.not_utf8",
            "byte {offset} of the file, {byte}, is not part of a UTF-8 text",
            offset = valid,
            byte = format!("0x{:02x}", bytes[valid]),
        );
        ParseError::new(what, last.chars().count(), problem).on_line(line)
    })
}

/// Reads a one-line text from left to right; every error names the place.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    what: &'static str,
    rest: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(what: &'static str, text: &'a str) -> Self {
        Self { what, rest: text, at: 0 }
    }

    /// The number of characters read so far.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        self.at += 1;
        Some(c)
    }

    /// An error at the present place.
    pub(crate) fn error(&self, problem: Phrase) -> ParseError {
        self.error_at(self.at, problem)
    }

    /// An error at a place remembered from [`at`](Self::at).
    pub(crate) fn error_at(&self, at: usize, problem: Phrase) -> ParseError {
        ParseError::new(self.what, at, problem)
    }

    /// An error saying what should stand here, and what does.
    pub(crate) fn expected(&self, wanted: impl Into<Argument>) -> ParseError {
        let wanted = wanted.into();
        self.error(match self.peek() {
            None => phrase!("text.ends", "{wanted} expected, but the text ends", wanted),
            Some(c) => phrase!("text.found", "{wanted} expected, found {found}", wanted, found = format!("{c:?}")),
        })
    }

    /// Takes `c` if it comes next.
    pub(crate) fn take(&mut self, c: char) -> bool {
        let there = self.peek() == Some(c);
        if there {
            self.next();
        }
        there
    }

    /// Takes `c`, which must come next.
    pub(crate) fn expect(&mut self, c: char) -> Result<(), ParseError> {
        if self.take(c) { Ok(()) } else { Err(self.expected(format!("{c:?}"))) }
    }

    /// Takes a decimal number without sign or leading zeros, at most `max`.
    pub(crate) fn number(&mut self, name: impl Fn() -> Phrase, max: u32) -> Result<u32, ParseError> {
        let start = self.at;
        let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (text, rest) = self.rest.split_at(digits);
        if text.is_empty() {
            return Err(self.expected(name()));
        }
        if text.len() > 1 && text.starts_with('0') {
            return Err(self.error(phrase!("text.leading_zero", "{name} has a leading zero", name = name())));
        }
        self.rest = rest;
        self.at += digits;
        match text.parse() {
            Ok(value) if value <= max => Ok(value),
            _ => {
                let problem = phrase!("text.too_large", "{name} is larger than {max}", name = name(), max);
                Err(self.error_at(start, problem))
            }
        }
    }

    /// Takes `1` or `2`, the side to move; `name` is what it is called where it is missing.
    pub(crate) fn side(&mut self, name: impl Fn() -> Phrase) -> Result<Side, ParseError> {
        let side = match self.peek() {
            Some('1') => Side::One,
            Some('2') => Side::Two,
            _ => return Err(self.expected(name())),
        };
        self.next();
        Ok(side)
    }

    /// Nothing may follow.
    pub(crate) fn end(&self) -> Result<(), ParseError> {
        match self.peek() {
            None => Ok(()),
            Some(c) => {
                let problem =
                    phrase!("text.longer", "the text should end here, found {found}", found = format!("{c:?}"));
                Err(self.error(problem))
            }
        }
    }
}

/// The side to move, in a game of two players.
pub(crate) fn player_to_move() -> Phrase {
    phrase!("text.player_to_move", "the player to move, 1 or 2,")
}

/// The number of the next move.
pub(crate) fn next_move() -> Phrase {
    phrase!("text.next_move", "the number of the next move")
}

/// The problem with a move whose number is 0.
pub(crate) fn moves_from_1() -> Phrase {
    phrase!("text.moves_from_1", "moves are numbered from 1")
}
