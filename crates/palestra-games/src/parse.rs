//! The one error of all parsers, and a cursor that knows where it is.

use std::fmt;

use crate::Side;

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
    pub problem: String,
}

impl ParseError {
    /// An error in a one-line text, `at` being the number of characters before it.
    #[must_use]
    pub fn new(what: &'static str, at: usize, problem: impl Into<String>) -> Self {
        Self { what, line: 0, column: at + 1, problem: problem.into() }
    }

    /// Sets the line of the error, from 1, in a longer text.
    #[must_use]
    pub fn on_line(mut self, line: usize) -> Self {
        self.line = line;
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "bad {} at character {}: {}", self.what, self.column, self.problem),
            line => write!(f, "bad {} at line {line}, character {}: {}", self.what, self.column, self.problem),
        }
    }
}

impl std::error::Error for ParseError {}

/// The text of a file, or where it stops being UTF-8.
pub(crate) fn utf8<'a>(what: &'static str, bytes: &'a [u8]) -> Result<&'a str, ParseError> {
    str::from_utf8(bytes).map_err(|error| {
        let valid = error.valid_up_to();
        let before = String::from_utf8_lossy(&bytes[..valid]);
        let (line, last) = (1..).zip(before.split('\n')).last().expect("a split has at least one part");
        let problem = format!("byte {valid} of the file, 0x{:02x}, is not part of a UTF-8 text", bytes[valid]);
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
    pub(crate) fn error(&self, problem: impl Into<String>) -> ParseError {
        self.error_at(self.at, problem)
    }

    /// An error at a place remembered from [`at`](Self::at).
    pub(crate) fn error_at(&self, at: usize, problem: impl Into<String>) -> ParseError {
        ParseError::new(self.what, at, problem)
    }

    /// An error saying what should stand here, and what does.
    pub(crate) fn expected(&self, wanted: &str) -> ParseError {
        match self.peek() {
            None => self.error(format!("{wanted} expected, but the text ends")),
            Some(c) => self.error(format!("{wanted} expected, found {c:?}")),
        }
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
        if self.take(c) { Ok(()) } else { Err(self.expected(&format!("{c:?}"))) }
    }

    /// Takes a decimal number without sign or leading zeros, at most `max`.
    pub(crate) fn number(&mut self, name: &str, max: u32) -> Result<u32, ParseError> {
        let start = self.at;
        let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (text, rest) = self.rest.split_at(digits);
        if text.is_empty() {
            return Err(self.expected(name));
        }
        if text.len() > 1 && text.starts_with('0') {
            return Err(self.error(format!("{name} has a leading zero")));
        }
        self.rest = rest;
        self.at += digits;
        match text.parse() {
            Ok(value) if value <= max => Ok(value),
            _ => Err(self.error_at(start, format!("{name} is larger than {max}"))),
        }
    }

    /// Takes `1` or `2`, the side to move; `name` is what the game calls it.
    pub(crate) fn side(&mut self, name: &str) -> Result<Side, ParseError> {
        let side = match self.peek() {
            Some('1') => Side::One,
            Some('2') => Side::Two,
            _ => return Err(self.expected(&format!("the {name} to move, 1 or 2,"))),
        };
        self.next();
        Ok(side)
    }

    /// Nothing may follow.
    pub(crate) fn end(&self) -> Result<(), ParseError> {
        match self.peek() {
            None => Ok(()),
            Some(c) => Err(self.error(format!("the text should end here, found {c:?}"))),
        }
    }
}
