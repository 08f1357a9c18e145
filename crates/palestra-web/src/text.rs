//! Sanitises user input.

use palestra_protocol::is_unseen;

/// Removes control characters, bidirectional marks and invisible characters, collapses white space, and cuts the text
/// to `max` characters.
pub(crate) fn clean(text: &str, max: usize) -> String {
    let words = text.split(char::is_whitespace).filter(|word| !word.is_empty());
    let kept = words.map(|word| word.chars().filter(|&character| is_plain(character)).collect::<String>());
    let joined = kept.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    joined.chars().take(max).collect::<String>().trim_end().to_owned()
}

/// Like [`clean`], but also removes joiners and variation selectors, so that names that look alike are equal.
pub(crate) fn clean_name(text: &str, max: usize) -> String {
    clean(
        &text.chars().filter(|&character| character.is_whitespace() || !is_unseen(character)).collect::<String>(),
        max,
    )
}

/// Whether a character is visible and does not change others. Joiners and variation selectors of scripts and emoji are
/// kept.
fn is_plain(character: char) -> bool {
    !is_unseen(character) || matches!(character, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

#[cfg(test)]
mod tests {
    use super::{clean, clean_name};

    #[test]
    fn names_that_look_alike_are_alike() {
        for name in ["Ana\u{3164}", "A\u{200d}na", "\u{fe0f}Ana", "An\u{34f}a", " Ana\t"] {
            assert_eq!(clean_name(name, 20), "Ana", "{name:?}");
        }
        assert_eq!(clean_name("Ana María", 20), "Ana María");
    }

    #[test]
    fn what_misleads_is_left_out() {
        assert_eq!(clean("  hola\t\n mundo  ", 80), "hola mundo");
        assert_eq!(clean("\u{1b}[31mred\u{7}", 80), "[31mred");
        assert_eq!(clean("a\u{202e}txt.exe\u{2066}b\u{200b}c", 80), "atxt.exebc");
        assert_eq!(clean("</script><b>", 80), "</script><b>", "pages escape that themselves");
        assert_eq!(clean("ñandú 你好 👩‍🚀", 80), "ñandú 你好 👩‍🚀");
        assert_eq!(clean("abcdef", 3), "abc");
        assert_eq!(clean("\u{200f}", 3), "");
    }
}
