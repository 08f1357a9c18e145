//! Sources as tokens that renaming, comments and layout do not change.
//!
//! All names are one token, all numbers another, all texts a third: literals that follow each other, as in a table, count
//! once. Comments, blanks, the lines' ends, braces, `#include` lines and words without effect are dropped. What is left is
//! what a program does and in which order.

use palestra_games::fnv::checksum;

use super::language::Language;

/// A token of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// What it is; equal for all names, for all numbers and for all texts.
    pub(super) symbol: u32,
    /// Its line, from 1.
    pub(super) line: u32,
}

const NAME: u32 = 1;
const NUMBER: u32 = 2;
const TEXT: u32 = 3;

/// What is above all bytes, so that no keyword is taken for punctuation.
const KEYWORD: u32 = 1 << 8;

/// The tokens of a text with any bytes.
pub(super) fn tokens(language: Language, text: &[u8]) -> Vec<Token> {
    let mut scanner = Scanner { language, text, at: 0, line: 1, depth: 0, is_line_start: true, tokens: vec![] };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.tokens
}

struct Scanner<'a> {
    language: Language,
    text: &'a [u8],
    at: usize,
    line: u32,
    /// How many brackets are open.
    depth: usize,
    /// Whether nothing but blanks stands before this place in its line.
    is_line_start: bool,
    tokens: Vec<Token>,
}

impl<'a> Scanner<'a> {
    /// Scans what begins at this place, at least one byte.
    fn step(&mut self) {
        use Language::{Cpp, Java, Python, Rust};
        let was_line_start = std::mem::take(&mut self.is_line_start);
        match (self.language, self.rest()) {
            (_, [b'\n', ..]) => {
                self.skip(1);
                self.is_line_start = true;
            }
            (_, [b'\\', b'\r', b'\n', ..]) => self.skip(3),
            (_, [b'\\', b'\n', ..]) => self.skip(2),
            (_, [..=b' ' | b'\\', ..]) => {
                self.skip(1);
                self.is_line_start = was_line_start;
            }
            (Python, [b'#', ..]) | (Cpp | Java | Rust, [b'/', b'/', ..]) => self.skip(self.line_length()),
            (Cpp | Java | Rust, [b'/', b'*', ..]) => {
                self.skip_comment();
                self.is_line_start = was_line_start;
            }
            (Cpp, [b'#', directive @ ..]) if was_line_start && is_include(directive) => self.skip(self.line_length()),
            (Python, [b'"' | b'\'', ..]) => self.python_text(was_line_start),
            (Rust, [b'\'', ..]) if self.is_lifetime() => {
                self.skip(1);
                self.skip(self.word_length());
            }
            (_, [b'"' | b'\'', ..]) => self.text_from(0),
            // In Rust the dot may end a range.
            (Cpp | Java | Python, [b'.', b'0'..=b'9', ..]) | (_, [b'0'..=b'9', ..]) => self.number(),
            (_, [byte, ..]) if is_word_byte(*byte) => self.word(was_line_start),
            (_, [byte, ..]) => self.mark(*byte),
            (_, []) => {}
        }
    }

    fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Goes on behind this number of bytes, and counts the lines.
    fn skip(&mut self, bytes: usize) {
        let end = self.text.len().min(self.at + bytes);
        let lines = self.text[self.at..end].iter().filter(|&&byte| byte == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.at = end;
    }

    fn push(&mut self, symbol: u32, line: u32) {
        self.tokens.push(Token { symbol, line });
    }

    /// Adds a literal. Texts that follow each other are one text, and literals behind commas are one with the literal
    /// before: a table of numbers says nothing about where it comes from, however long it is.
    fn literal(&mut self, symbol: u32, line: u32) {
        let is_literal = |token: &Token| matches!(token.symbol, NUMBER | TEXT);
        match &self.tokens[..] {
            [.., before] if symbol == TEXT && before.symbol == TEXT => {}
            [.., before, comma] if comma.symbol == u32::from(b',') && is_literal(before) => {
                self.tokens.pop();
            }
            _ => self.push(symbol, line),
        }
    }

    fn mark(&mut self, byte: u8) {
        match byte {
            b'(' | b'[' => self.depth += 1,
            b')' | b']' => self.depth = self.depth.saturating_sub(1),
            // They may be left out around a single statement; Python has them in expressions.
            b'{' | b'}' if self.language != Language::Python => return self.skip(1),
            b'{' => self.depth += 1,
            b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.push(u32::from(byte), self.line);
        self.skip(1);
    }

    fn word(&mut self, was_line_start: bool) {
        let (length, line) = (self.word_length(), self.line);
        let bytes = &self.rest()[..length];
        let word = str::from_utf8(bytes).unwrap_or_default();
        let quote = self.rest().get(length).copied();
        let is_raw = self.language == Language::Rust && quote == Some(b'#') && self.is_raw_text(length);
        if (matches!(quote, Some(b'"' | b'\'')) || is_raw) && self.language.is_string_prefix(word) {
            return if self.language == Language::Python {
                self.skip(length);
                self.python_text(was_line_start)
            } else {
                self.text_from(length)
            };
        }
        let symbol = if self.language.is_keyword(word) { Some(KEYWORD | checksum(bytes) as u32) } else { Some(NAME) };
        let symbol = symbol.filter(|_| !self.language.is_ornament(word));
        self.skip(length);
        // `std::` is written or not as its author likes.
        if self.language == Language::Cpp && word == "std" && self.rest().starts_with(b"::") {
            return self.skip(2);
        }
        if let Some(symbol) = symbol {
            self.push(symbol, line);
        }
    }

    fn number(&mut self) {
        let (line, text) = (self.line, self.rest());
        let mut end = 1;
        while let Some(&byte) = text.get(end) {
            let (before, after) = (text[end - 1], text.get(end + 1).copied().unwrap_or_default());
            let is_part = match byte {
                b'.' => after != b'.' && !after.is_ascii_alphabetic() && after != b'_',
                b'\'' => self.language == Language::Cpp && after.is_ascii_alphanumeric(),
                b'+' | b'-' => matches!(before, b'e' | b'E' | b'p' | b'P') && !text.starts_with(b"0x"),
                _ => is_word_byte(byte),
            };
            if !is_part {
                break;
            }
            end += 1;
        }
        self.skip(end);
        self.literal(NUMBER, line);
    }

    /// A text with a prefix of this length in bytes, in any language but Python.
    fn text_from(&mut self, prefix: usize) {
        let line = self.line;
        let is_raw = self.rest()[..prefix].iter().any(|byte| b"rR".contains(byte));
        let body = &self.rest()[prefix..];
        let length = match (self.language, body) {
            (Language::Cpp, [b'"', raw @ ..]) if is_raw => 1 + raw_cpp_length(raw),
            (Language::Rust, _) if is_raw => raw_rust_length(body),
            (Language::Java, [b'"', b'"', b'"', rest @ ..]) => 3 + length_until(rest, b"\"\"\"", true),
            (Language::Rust, [b'"', rest @ ..]) => 1 + length_until(rest, b"\"", true),
            (_, [quote, rest @ ..]) => 1 + line_literal_length(rest, *quote),
            (_, []) => 0,
        };
        self.skip(prefix + length);
        self.literal(TEXT, line);
    }

    /// A text of Python. One that is a statement of its own documents what follows, and is dropped like a comment.
    fn python_text(&mut self, was_line_start: bool) {
        let line = self.line;
        let length = match self.rest() {
            [b'"', b'"', b'"', rest @ ..] => 3 + length_until(rest, b"\"\"\"", true),
            [b'\'', b'\'', b'\'', rest @ ..] => 3 + length_until(rest, b"'''", true),
            [quote, rest @ ..] => 1 + line_literal_length(rest, *quote),
            [] => 0,
        };
        self.skip(length);
        let blank = self.rest().iter().take_while(|&&byte| byte == b' ' || byte == b'\t' || byte == b'\r').count();
        let is_alone = matches!(self.rest()[blank..], [] | [b'\n' | b'#', ..]);
        if !(was_line_start && is_alone && self.depth == 0) {
            self.literal(TEXT, line);
        }
    }

    /// Skips a comment between `/*` and `*/`; Rust's may contain others.
    fn skip_comment(&mut self) {
        let (mut depth, mut end) = (0_usize, 0);
        let text = self.rest();
        while end < text.len() {
            match &text[end..] {
                [b'/', b'*', ..] if depth == 0 || self.language == Language::Rust => {
                    (depth, end) = (depth + 1, end + 2)
                }
                [b'*', b'/', ..] => (depth, end) = (depth - 1, end + 2),
                _ => end += 1,
            }
            if depth == 0 {
                break;
            }
        }
        self.skip(end);
    }

    /// Where the line ends, without its end. A backslash before the end takes the next line along, in C and C++.
    fn line_length(&self) -> usize {
        let text = self.rest();
        let continues = |at: usize| {
            let line = text[..at].strip_suffix(b"\r").unwrap_or(&text[..at]);
            self.language == Language::Cpp && line.ends_with(b"\\")
        };
        let mut ends = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at);
        ends.find(|&at| !continues(at)).unwrap_or(text.len())
    }

    fn word_length(&self) -> usize {
        self.rest().iter().position(|&byte| !is_word_byte(byte)).unwrap_or(self.rest().len())
    }

    /// Whether a quote begins a lifetime, `'a`, and not a character, `'a'`.
    fn is_lifetime(&self) -> bool {
        let rest = &self.rest()[1..];
        let is_word = rest.first().is_some_and(|&byte| is_word_byte(byte));
        let character = rest.first().map_or(0, |&byte| match byte {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0.. => 4,
            _ => 1,
        });
        is_word && rest.get(character) != Some(&b'\'')
    }

    /// Whether `#` signs behind a prefix of this length in bytes lead to a quote.
    fn is_raw_text(&self, prefix: usize) -> bool {
        self.rest()[prefix..].iter().find(|&&byte| byte != b'#') == Some(&b'"')
    }
}

const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Whether a directive of the preprocessor says what else is compiled, and nothing about the program.
fn is_include(directive: &[u8]) -> bool {
    let directive = directive.trim_ascii_start();
    [&b"include"[..], b"pragma"].iter().any(|word| directive.starts_with(word))
}

/// The bytes up to this end, with it.
fn length_until(text: &[u8], end: &[u8], escapes: bool) -> usize {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'\\' if escapes => at += 2,
            _ if text[at..].starts_with(end) => return at + end.len(),
            _ => at += 1,
        }
    }
    text.len()
}

/// The bytes of a literal that ends in its line, behind the quote that opens it.
fn line_literal_length(text: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// The bytes of `mark(...)mark"`.
fn raw_cpp_length(text: &[u8]) -> usize {
    let Some(open) = text.iter().take(17).position(|&byte| byte == b'(') else {
        return line_literal_length(text, b'"');
    };
    let end = [b")", &text[..open], b"\""].concat();
    open + 1 + length_until(&text[open + 1..], &end, false)
}

/// The bytes of `##"..."##`.
fn raw_rust_length(text: &[u8]) -> usize {
    let signs = text.iter().take_while(|&&byte| byte == b'#').count();
    let end = [&b"\""[..], &text[..signs]].concat();
    let begin = text.len().min(signs + 1);
    begin + length_until(&text[begin..], &end, false)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn symbols(language: Language, text: &str) -> Vec<u32> {
        tokens(language, text.as_bytes()).iter().map(|token| token.symbol).collect()
    }

    fn assert_same(language: Language, one: &str, other: &str) {
        assert_eq!(symbols(language, one), symbols(language, other), "{one}\n{other}");
    }

    #[test]
    fn names_comments_layout_and_literals_do_not_count() {
        use Language::{Cpp, Java, Python, Rust};
        assert_same(Cpp, "int best = 3; // the best", "long  mejor\n=\n0x1F'00 ; /* la // mejor */");
        assert_same(Cpp, "if (a) { return -1.5e-3; }", "if(b)\nreturn - 2 ;");
        assert_same(Cpp, "static const std::vector<T> v;", "vector < U > w;");
        assert_same(Cpp, "#include <map>\n#pragma once\n# define X \\\n 1\n", "#define Y 2");
        assert_same(Cpp, "f(R\"x(a \" )\" b)x\" \"more\", 'c');", "g(\"\\\"\");");
        assert_same(Java, "public final String s = \"\"\"\n a \"b\" \"\"\";", "String t = \"\";");
        let commented = "def f(x):\n    '''Says \\''' what.'''\n    # so\n    return x + 1\n";
        assert_same(Python, commented, "def g(y): return y+22");
        assert_same(Python, "s = (\n  \"a\"\n  'b')", "t = (rb'''c\n''')");
        assert_same(Rust, "let x: &'a str = r#\"a\"b\"#; /* /* */ */", "let y: & str = \"\n\" ;");
        assert_same(Rust, "for i in 0..10 { f('a', b'\\'', '\u{f1}') }", "for n in 1 .. 2 g('\\u{1}')");
        assert_same(Rust, "x.0.max(1.5)", "y.1 . min(2)");
    }

    #[test]
    fn what_a_program_does_counts() {
        let all =
            ["if (a) b();", "while (a) b();", "a + b;", "a - b;", "f(a, b);", "f(a);", "a = 1;", "a = b;", "a = \"\";"];
        for (at, one) in all.iter().enumerate() {
            for other in &all[at + 1..] {
                assert_ne!(symbols(Language::Cpp, one), symbols(Language::Cpp, other), "{one} {other}");
            }
        }
    }

    #[test]
    fn a_table_counts_as_one_literal() {
        assert_same(Language::Cpp, "int t[2][2] = {{1, 2}, {3, 4}};", "int u[7][1] = { 0 };");
        assert_same(Language::Python, "t = [1, 2,\n 3, 'a', 4]", "t = [5]");
    }

    #[test]
    fn tokens_know_their_lines() {
        let text = "a /*\n*/ b\n\n\"x\\\ny\" c // d\ne";
        let lines: Vec<u32> = tokens(Language::Cpp, text.as_bytes()).iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 2, 4, 5, 6]);
    }

    const LANGUAGES: [Language; 4] = [Language::Cpp, Language::Java, Language::Python, Language::Rust];

    /// Tokens as they are written.
    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        "if", "(", "name", ")", "{", "}", "[", "]", ";", ",", "1", "0x2f", "\"text\"", "'c'", "+", "-", "*", ">", "<",
        "=", ".", "&", ":", "return", "for", "match", "def", "@", "!", "static", "\u{f1}",
    ];

    /// What may stand between them.
    const GAPS: &[&str] = &[" ", "\n", "\t ", "\r\n", " \n\n  "];

    const fn comment(language: Language) -> &'static str {
        match language {
            Language::Python => " # if (a) 'b\n",
            _ => " /* if \" */ // 'x\n",
        }
    }

    fn piece() -> impl Strategy<Value = (&'static str, &'static str, bool)> {
        (prop::sample::select(PIECES), prop::sample::select(GAPS), any::<bool>())
    }

    proptest! {
        #[test]
        fn layout_and_comments_change_nothing(pieces in prop::collection::vec(piece(), 0..60)) {
            for language in LANGUAGES {
                // In brackets: elsewhere a text of Python that is alone in its line is a comment.
                let opened = "(".repeat(pieces.len() + 1);
                let plain: String = pieces.iter().map(|(piece, ..)| format!("{piece} ")).collect();
                let said = |is_said: bool| if is_said { comment(language) } else { "" };
                let other = pieces.iter().map(|&(piece, gap, is_said)| format!("{piece}{gap}{}", said(is_said)));
                let other: String = other.collect();
                let [plain, other] = [plain, other].map(|text| symbols(language, &format!("{opened}{text}")));
                prop_assert_eq!(plain, other, "{:?}", language);
            }
        }

        #[test]
        fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            check(&bytes);
        }

        #[test]
        fn no_pieces_of_source_do_harm(pieces in prop::collection::vec(prop::sample::select(HARMFUL), 0..40)) {
            check(pieces.concat().as_bytes());
        }
    }

    fn check(bytes: &[u8]) {
        let lines = 1 + bytes.iter().filter(|&&byte| byte == b'\n').count() as u32;
        for language in LANGUAGES {
            let found = tokens(language, bytes);
            assert!(found.len() <= bytes.len());
            assert!(found.iter().all(|token| (1..=lines).contains(&token.line)));
            assert!(found.windows(2).all(|pair| pair[0].line <= pair[1].line));
        }
    }

    #[rustfmt::skip]
    const HARMFUL: &[&str] = &[
        "R\"", "(", ")", "\"", "'", "\"\"\"", "'''", "\\", "\n", "\r\n", "//", "/*", "*/", "#", "r#", "##", "b'", "u8R",
        "std::", "1.", "1e", "+", "..", "'a", "\u{f1}", "\u{1f600}", "#include", "{", "}", ",", "1", "f",
    ];
}
