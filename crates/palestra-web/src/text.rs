//! What people write, made harmless.

/// A text without what could mislead or break out: control characters, marks that change the direction of writing,
/// characters that nobody sees. Blanks are joined. At most so many characters.
pub(crate) fn clean(text: &str, most: usize) -> String {
    let words = text.split(char::is_whitespace).filter(|word| !word.is_empty());
    let kept = words.map(|word| word.chars().filter(|&character| is_plain(character)).collect::<String>());
    let joined = kept.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    joined.chars().take(most).collect::<String>().trim_end().to_owned()
}

/// Whether a character shows, and shows only itself. What joins letters of some scripts and signs is kept.
pub(crate) fn is_plain(character: char) -> bool {
    !character.is_control()
        && !matches!(character,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::clean;

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
