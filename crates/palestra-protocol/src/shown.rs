//! What strangers write, made safe to look at.

use std::fmt;

/// Displays untrusted text: control characters, and characters that turn the direction of writing or cannot be
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
            match c {
                '\t' | '\n' | '\r' => write!(f, "{}", c.escape_default())?,
                _ if is_unseen(c) => write!(f, "{}", c.escape_unicode())?,
                _ => f.write_char(c)?,
            }
        }
        if chars.next().is_some() { f.write_str("...") } else { Ok(()) }
    }
}

/// Whether a character is invisible or changes the direction of text: control characters, format characters, fillers,
/// variation selectors, tags and noncharacters. The one list of them: whatever shows a stranger's text escapes these.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{fffe}' | '\u{ffff}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_fool_a_reader_is_escaped_and_what_is_long_is_cut() {
        let attack = "a\u{1b}[31mb\u{202e}c\0\t\r\n\u{9b}é";
        assert_eq!(shown(attack, 100).to_string(), r"a\u{1b}[31mb\u{202e}c\u{0}\t\r\n\u{9b}é");
        assert_eq!(shown("abcdef", 3).to_string(), "abc...");
        assert_eq!(shown("abc", 3).to_string(), "abc");
    }

    #[test]
    fn every_kind_of_invisible_character_is_in_the_list() {
        let unseen = [
            ('\u{ad}', "soft hyphen"),
            ('\u{34f}', "combining grapheme joiner"),
            ('\u{115f}', "Hangul filler"),
            ('\u{180e}', "Mongolian vowel separator"),
            ('\u{200b}', "zero width space"),
            ('\u{200f}', "right-to-left mark"),
            ('\u{2028}', "line separator"),
            ('\u{202e}', "right-to-left override"),
            ('\u{2066}', "left-to-right isolate"),
            ('\u{2800}', "blank Braille pattern"),
            ('\u{fe0f}', "variation selector"),
            ('\u{feff}', "byte order mark"),
            ('\u{ffff}', "noncharacter"),
            ('\u{1d173}', "musical begin beam"),
            ('\u{e0041}', "tag letter"),
            ('\u{9b}', "control sequence introducer"),
        ];
        for (c, what) in unseen {
            assert!(is_unseen(c), "{what}: {}", c.escape_unicode());
        }
        for c in ['a', ' ', 'ñ', '日', '\u{301}', '🎲', '\u{2801}', '\u{fffc}', '\u{fffd}'] {
            assert!(!is_unseen(c), "{} can be seen", c.escape_unicode());
        }
    }
}
