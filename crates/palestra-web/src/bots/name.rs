//! Names of bots: a bot is a class in the courses, so its name is a C++ identifier that nothing else is called.

use palestra_store::Role;

use crate::account::{is_built_in, is_reserved};
use crate::http::error::Refused;

/// Maximum length of a name.
pub(crate) const MAX_NAME: usize = 51;

/// The keywords of C++20, and words that are operators.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
    "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
    "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
    "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "return", "short", "signed",
    "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local", "throw",
    "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile",
    "wchar_t", "while", "xor", "xor_eq",
];

/// What a class cannot be called beside the courses' own files, the standard library and the words of this server.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "assert", "bot", "deleted", "environment", "eof", "errno", "final", "gamestate", "import", "j1", "j2", "j_none",
    "main", "module", "move", "none", "null", "override", "player", "simulatorlink", "std", "stderr", "stdin", "stdout",
    "withdrawn",
];

/// Checks that a bot may be called so, as far as that does not depend on others: the store knows which names are taken.
pub(crate) fn check(name: &str) -> Result<(), Refused> {
    let lower = name.to_ascii_lowercase();
    let begins_well = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    if !begins_well || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        return Err(Refused::bad("bots.wrong.identifier"));
    }
    if name.len() > MAX_NAME {
        return Err(Refused::bad_with("bots.wrong.long", MAX_NAME.to_string()));
    }
    // In any case: names that differ in case alone are the same.
    if KEYWORDS.contains(&lower.as_str()) {
        return Err(Refused::bad_with("bots.wrong.keyword", name.to_owned()));
    }
    if is_built_in(name) {
        return Err(Refused::bad("bots.wrong.built_in"));
    }
    // C++ keeps these for its implementations.
    let is_implementations = name.starts_with('_') || name.contains("__");
    if is_implementations || RESERVED.contains(&lower.as_str()) || is_reserved(name, Some(Role::Student)) {
        return Err(Refused::bad("bots.wrong.reserved"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_an_identifier_that_nothing_else_is_called() {
        for fine in ["Lento", "lento2", "A", "Mi_Bot", "classy", "newer", "random7", &"x".repeat(51)] {
            assert_eq!(check(fine), Ok(()), "{fine}");
        }
        let refused = [
            ("bots.wrong.identifier", &["", "2fast", "a b", "a-b", "Ñandú", "a\u{202e}b", "x.cpp", "<b>"][..]),
            ("bots.wrong.keyword", &["class", "Class", "NEW", "co_await", "xor"]),
            ("bots.wrong.built_in", &["random", "Greedy", "ninja1", "NINJA_7", "maestro", "house", "minimax"]),
            (
                "bots.wrong.reserved",
                &["Bot", "GameState", "main", "_x", "a__b", "NULL", "admin", "open", "deleted", "Human"],
            ),
        ];
        for (key, names) in refused {
            for name in names {
                assert!(
                    matches!(check(name), Err(Refused::Bad(found, _)) if found == key),
                    "{name}: {:?}",
                    check(name)
                );
            }
        }
        let long = check(&"x".repeat(52));
        assert_eq!(long, Err(Refused::bad_with("bots.wrong.long", "51".to_owned())));
    }
}
