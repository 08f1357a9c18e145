//! The languages whose sources are compared, and the words of each that are no names.

use std::path::Path;

/// A language, or a family of languages that are scanned alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C and C++.
    Cpp,
    /// Java.
    Java,
    /// Python.
    Python,
    /// Rust.
    Rust,
}

impl Language {
    /// The language of a file, by its extension. Files in no known language are not compared.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match Path::new(name).extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" | "inc" => Self::Cpp,
            "java" => Self::Java,
            "py" => Self::Python,
            "rs" => Self::Rust,
            _ => return None,
        })
    }

    /// Whether this is a keyword that says what a program does. Basic types are none: they are replaced as easily as
    /// names are.
    pub(super) fn is_keyword(self, word: &str) -> bool {
        let own: &[&str] = match self {
            Self::Cpp => CPP,
            Self::Java => JAVA,
            Self::Python => PYTHON,
            Self::Rust => RUST,
        };
        COMMON.contains(&word) || own.contains(&word)
    }

    /// Whether this word can be added to a program, or left out, without changing what the program does.
    pub(super) fn is_ornament(self, word: &str) -> bool {
        let own: &[&str] = match self {
            Self::Cpp => {
                &["const", "constexpr", "final", "inline", "noexcept", "override", "register", "static", "volatile"]
            }
            Self::Java => &["final", "private", "protected", "public", "static"],
            Self::Python => &["pass"],
            Self::Rust => &["const", "mut", "pub", "static"],
        };
        own.contains(&word)
    }

    /// Whether a quote right behind this word begins a string: `R"(...)"`, `b"..."`, `rf'...'`.
    pub(super) fn is_string_prefix(self, word: &str) -> bool {
        match self {
            Self::Cpp => matches!(word, "R" | "L" | "u" | "U" | "u8" | "LR" | "uR" | "UR" | "u8R"),
            Self::Java => false,
            Self::Python => word.len() <= 2 && word.bytes().all(|byte| b"rbfuRBFU".contains(&byte)),
            Self::Rust => matches!(word, "r" | "b" | "br" | "c" | "cr"),
        }
    }
}

const COMMON: &[&str] = &["break", "continue", "else", "for", "if", "return", "while"];

#[rustfmt::skip]
const CPP: &[&str] = &[
    "case", "catch", "class", "default", "delete", "do", "enum", "goto", "namespace", "new", "operator", "private",
    "protected", "public", "sizeof", "struct", "switch", "template", "this", "throw", "try", "typedef", "union",
    "using", "virtual",
];

#[rustfmt::skip]
const JAVA: &[&str] = &[
    "assert", "case", "catch", "class", "default", "do", "enum", "extends", "finally", "implements", "import",
    "instanceof", "interface", "new", "package", "super", "switch", "synchronized", "this", "throw", "throws", "try",
    "yield",
];

#[rustfmt::skip]
const PYTHON: &[&str] = &[
    "and", "as", "assert", "async", "await", "class", "def", "del", "elif", "except", "finally", "from", "global",
    "import", "in", "is", "lambda", "nonlocal", "not", "or", "raise", "try", "with", "yield",
];

#[rustfmt::skip]
const RUST: &[&str] = &[
    "as", "dyn", "enum", "extern", "fn", "impl", "in", "let", "loop", "match", "mod", "move", "ref", "struct", "super",
    "trait", "type", "unsafe", "use", "where",
];
