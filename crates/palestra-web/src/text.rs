//! What people write, made harmless.

use palestra_protocol::is_unseen;

/// A text without what could mislead or break out: control characters, marks that change the direction of writing,
/// characters that nobody sees. Blanks are joined. At most so many characters.
pub(crate) fn clean(text: &str, most: usize) -> String {
    let words = text.split(char::is_whitespace).filter(|word| !word.is_empty());
    let kept = words.map(|word| word.chars().filter(|&character| is_plain(character)).collect::<String>());
    let joined = kept.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    joined.chars().take(most).collect::<String>().trim_end().to_owned()
}

/// The same for a name: two that look alike are alike.
pub(crate) fn clean_name(text: &str, most: usize) -> String {
    clean(
        &text.chars().filter(|&character| character.is_whitespace() || !is_unseen(character)).collect::<String>(),
        most,
    )
}

/// Whether a character shows, and shows only itself. What joins letters of some scripts and signs is kept.
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
