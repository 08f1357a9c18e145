//! What strangers write, made safe to look at.

use std::fmt;

/// A text of a stranger, to be shown: control characters, and those that turn the direction of writing or cannot be
/// seen, are written as escapes, and what is too long is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown<'a> {
    text: &'a str,
    most: usize,
}

/// The text made safe, at most `most` characters of it.
#[must_use]
pub const fn shown(text: &str, most: usize) -> Shown<'_> {
    Shown { text, most }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        let mut chars = self.text.chars();
        for c in chars.by_ref().take(self.most) {
            if is_plain(c) {
                f.write_char(c)?;
            } else {
                write!(f, "{}", c.escape_unicode())?;
            }
        }
        if chars.next().is_some() { f.write_str("...") } else { Ok(()) }
    }
}

/// Whether a character takes a place, and stays where it is put.
fn is_plain(c: char) -> bool {
    let is_hidden = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}');
    !c.is_control() && !is_hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_fool_a_reader_is_escaped_and_what_is_long_is_cut() {
        let attack = "a\u{1b}[31mb\u{202e}c\0\r\n\u{9b}é";
        assert_eq!(shown(attack, 100).to_string(), r"a\u{1b}[31mb\u{202e}c\u{0}\u{d}\u{a}\u{9b}é");
        assert_eq!(shown("abcdef", 3).to_string(), "abc...");
        assert_eq!(shown("abc", 3).to_string(), "abc");
    }
}
