//! Taking apart what was typed.

use std::ffi::OsString;
use std::path::Path;

/// `fast=./bot` is `fast` and `./bot`; without such a beginning, all of it. What looks like a path is no name.
pub(super) fn split_name(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, what)) if is_name(name) => (Some(name), what),
        _ => (None, text),
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || "/\\\"'".contains(c))
}

/// A command's words: blanks part them, but not between quotes.
pub(super) fn split_words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (vec![], None, None);
    for c in text.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_with(String::new).push(c),
        }
    }
    words.extend(word);
    words
}

/// The default name of a program: the stem of its file, or of the script that an interpreter runs.
pub(super) fn default_name(command: &[OsString]) -> String {
    let paths = command.iter().map(Path::new);
    let files = paths.clone().skip(1).filter(|path| path.is_file());
    let script = files.clone().find(|path| path.extension().is_some()).or_else(|| files.clone().next());
    let is_interpreted = command.first().is_some_and(|program| is_interpreter(Path::new(program)));
    let path = script.filter(|_| is_interpreted).or_else(|| paths.clone().next());
    let stem = path.and_then(Path::file_stem).unwrap_or_default().to_string_lossy();
    stem.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}

/// Whether a program is known for running other programs, which give the name then.
pub(super) fn is_interpreter(program: &Path) -> bool {
    let stem = program.file_name().unwrap_or_default().to_string_lossy();
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    ["python", "pypy", "node", "java", "perl", "ruby", "sh", "bash", "awk", "lua", "php", "env"].contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_stand_in_front() {
        assert_eq!(split_name("fast=./bot -x"), (Some("fast"), "./bot -x"));
        assert_eq!(split_name("./bot --depth=3"), (None, "./bot --depth=3"));
        assert_eq!(split_name("./a=b"), (None, "./a=b"));
        assert_eq!(split_name("=bot"), (None, "=bot"));
        assert_eq!(split_name("a=b=c"), (Some("a"), "b=c"));
    }

    #[test]
    fn quotes_keep_blanks() {
        assert_eq!(split_words("./bot  -x 'two words' \"\" a\"b c\"d"), ["./bot", "-x", "two words", "", "ab cd"]);
        assert_eq!(split_words("  "), Vec::<String>::new());
    }

    #[test]
    fn the_stem_of_the_file_is_the_name() {
        let name = |words: &[&str]| default_name(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(name(&["/a/b/my bot.exe", "--fast"]), "my_bot");
        let this = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs");
        assert_eq!(name(&["/usr/bin/python3.11", "-u", this]), "lib");
        assert_eq!(name(&["/a/b/bot", this]), "bot");
    }
}
