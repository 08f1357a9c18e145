//! A scanner of C++ that finds classes with their bases, quoted includes and names, without compiling anything.
//!
//! Comments, literals and preprocessor lines are skipped; the rest is a sequence of identifiers and punctuation.
//! It knows neither macros nor templates nor `#if`: what it finds is a guess that the compiler then checks.

/// A class and the names of its bases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Class<'a> {
    /// The class's name.
    pub(super) name: &'a str,
    /// The last name of each base: `Bot` for `public ::Bot`.
    pub(super) bases: Vec<&'a str>,
}

/// A scanned text.
#[derive(Debug, Default)]
pub(super) struct Scan<'a> {
    tokens: Vec<Token<'a>>,
    /// The files of its `#include "..."` lines.
    pub(super) includes: Vec<&'a str>,
    /// Where standard input and output are named: the byte, and the name.
    pub(super) streams: Vec<(usize, &'static str)>,
}

/// The names by which programs use standard input and output, where the referee talks with them.
const STREAMS: [&str; 4] = ["cin", "cout", "scanf", "printf"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Name(&'a str),
    Mark(u8),
}

use Token::{Mark, Name};

impl<'a> Scan<'a> {
    /// Scans a text, whatever bytes it has.
    pub(super) fn new(text: &'a [u8]) -> Self {
        let mut scan = Self::default();
        let mut rest = text;
        let mut is_line_start = true;
        while let Some((&byte, after)) = rest.split_first() {
            match byte {
                b'\n' => is_line_start = true,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
                b'#' if is_line_start => {
                    rest = scan.directive(after);
                    continue;
                }
                _ => is_line_start = false,
            }
            rest = match rest {
                [b'/', b'/', ..] => &rest[line_end(rest)..],
                [b'/', b'*', comment @ ..] => after_sequence(comment, b"*/"),
                [b'R', b'"', raw @ ..] => after_raw_string(raw),
                [b'"' | b'\'', literal @ ..] => after_literal(literal, byte),
                [first, ..] if is_name_byte(*first) => scan.name(rest, text.len() - rest.len()),
                _ => {
                    if !byte.is_ascii_whitespace() {
                        scan.tokens.push(Mark(byte));
                    }
                    after
                }
            };
        }
        scan
    }

    /// Scans an identifier or a number, which begins at this byte, and returns the rest of the text.
    fn name(&mut self, text: &'a [u8], at: usize) -> &'a [u8] {
        let end = text.iter().position(|&byte| !is_name_byte(byte)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        self.tokens.extend(str::from_utf8(name).ok().map(Name));
        self.streams.extend(STREAMS.iter().find(|stream| stream.as_bytes() == name).map(|stream| (at, *stream)));
        // A digit separator begins no literal: 1'000.
        if name[0].is_ascii_digit() { rest.strip_prefix(b"'").unwrap_or(rest) } else { rest }
    }

    /// Scans a preprocessor line, with its continuation lines, and returns the rest of the text.
    fn directive(&mut self, text: &'a [u8]) -> &'a [u8] {
        let end = line_end(text);
        if let Some(quoted) = text[..end].trim_ascii().strip_prefix(b"include") {
            let mut parts = quoted.split(|&byte| byte == b'"').skip(1);
            self.includes.extend(parts.next().and_then(|name| str::from_utf8(name).ok()));
        }
        // A comment that begins in this line may go on in the next ones.
        match text[..end].windows(2).position(|pair| pair == b"/*" || pair == b"//") {
            Some(at) if text[at + 1] == b'*' => after_sequence(&text[at + 2..], b"*/"),
            _ => &text[end..],
        }
    }

    /// The classes that are defined with bases.
    pub(super) fn classes(&self) -> Vec<Class<'a>> {
        (0..self.tokens.len()).filter_map(|at| class(&self.tokens[at..])).collect()
    }

    /// Whether this identifier occurs in the text.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.tokens.contains(&Name(name))
    }

    /// Whether the text has a function `main`, and so is a program of its own.
    pub(super) fn has_main(&self) -> bool {
        self.tokens.windows(2).any(|pair| pair == [Name("main"), Mark(b'(')])
    }

    /// Whether the text defines members of this class.
    pub(super) fn has_members_of(&self, class: &str) -> bool {
        self.tokens.windows(3).any(|three| three == [Name(class), Mark(b':'), Mark(b':')])
    }
}

/// Maximum number of tokens in a list of bases.
const MAX_BASE_TOKENS: usize = 64;

/// The class that is defined with bases where these tokens begin.
fn class<'a>(tokens: &[Token<'a>]) -> Option<Class<'a>> {
    let ([Name("class" | "struct"), Name(name), Name("final"), Mark(b':'), rest @ ..]
    | [Name("class" | "struct"), Name(name), Mark(b':'), rest @ ..]) = tokens
    else {
        return None;
    };
    let end =
        rest.iter().take(MAX_BASE_TOKENS).position(|token| matches!(token, Mark(b'{' | b'}' | b';' | b'(' | b')')))?;
    let is_definition = rest[end] == Mark(b'{') && rest.first() != Some(&Mark(b':'));
    let bases = rest[..end].split(|token| *token == Mark(b','));
    let base = |tokens: &[Token<'a>]| {
        tokens.iter().rev().find_map(|token| if let Name(it) = token { Some(*it) } else { None })
    };
    is_definition.then(|| Class { name, bases: bases.filter_map(base).collect() })
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Where the line ends, counting lines that continue it behind a backslash.
fn line_end(text: &[u8]) -> usize {
    let continues = |at: usize| text[..at].strip_suffix(b"\r").unwrap_or(&text[..at]).ends_with(b"\\");
    let mut ends = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at);
    ends.find(|&at| !continues(at)).unwrap_or(text.len())
}

/// The text after this sequence; empty if the sequence does not occur.
fn after_sequence<'a>(text: &'a [u8], end: &[u8]) -> &'a [u8] {
    text.windows(end.len()).position(|bytes| bytes == end).map_or(&[], |at| &text[at + end.len()..])
}

/// The text after a string or character literal, which ends in its line.
fn after_literal(text: &[u8], quote: u8) -> &[u8] {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => break,
            _ if byte == quote => return &text[at + 1..],
            _ => {}
        }
        at += 1;
    }
    text.get(at..).unwrap_or_default()
}

/// The text after a raw string literal: `R"mark(...)mark"`.
fn after_raw_string(text: &[u8]) -> &[u8] {
    let Some(open) = text.iter().take(17).position(|&byte| byte == b'(') else { return after_literal(text, b'"') };
    let end = [b")", &text[..open], b"\""].concat();
    after_sequence(&text[open + 1..], &end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<(String, Vec<String>)> {
        let owned = |class: Class<'_>| (class.name.to_owned(), class.bases.iter().map(|&it| it.to_owned()).collect());
        Scan::new(text.as_bytes()).classes().into_iter().map(owned).collect()
    }

    fn one(name: &str, bases: &[&str]) -> Vec<(String, Vec<String>)> {
        vec![(name.to_owned(), bases.iter().map(|&it| it.to_owned()).collect())]
    }

    #[test]
    fn classes_are_found_with_their_bases() {
        assert_eq!(found("class MiBot : public Bot {"), one("MiBot", &["Bot"]));
        assert_eq!(found("class MiBot:Bot\n{"), one("MiBot", &["Bot"]));
        assert_eq!(found("struct A final : private virtual ::Bot, Otra {"), one("A", &["Bot", "Otra"]));
        for none in ["class Bot;", "class Bot {", "friend class A;", "template <class T> void f(T t);", "a ? b : c;"] {
            assert_eq!(found(none), vec![], "{none}");
        }
    }

    #[test]
    fn comments_literals_and_directives_are_skipped() {
        let text = r##"
            // class A : public Bot {  \
               class B : public Bot {
            /* class C : public Bot { */
            string s = "class D : public Bot {\"", r = R"x(class E : public Bot { ")x";
            char c = '"', d = '\'', n = 1'000;
            #define F class F : public Bot { \
                class G : public Bot {
            #include "H.h" /* class H : public Bot {
                class I : public Bot { */
            class J : public Bot {
        "##;
        assert_eq!(found(text), one("J", &["Bot"]));
        assert_eq!(Scan::new(text.as_bytes()).includes, ["H.h"]);
    }

    #[test]
    fn names_members_and_main_are_found() {
        let scan = Scan::new(b"Bot *bot = new MiBot(); int main (int n) {} Move Otro::nextMove() {} // Nadie");
        assert!(scan.has_name("MiBot") && !scan.has_name("Nadie"));
        assert!(scan.has_main() && scan.has_members_of("Otro") && !scan.has_members_of("MiBot"));
        assert!(!Scan::new(b"\"int main()\"; domain();").has_main());
    }

    proptest! {
        #[test]
        fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let scan = Scan::new(&bytes);
            let _ = (scan.classes(), scan.has_main());
        }

        #[test]
        fn no_pieces_of_source_do_harm(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
            let text = pieces.concat();
            let scan = Scan::new(text.as_bytes());
            prop_assert!(scan.classes().iter().all(|class| text.contains(class.name)));
        }
    }

    const PIECES: &[&str] = &[
        "class ", "struct", "A", ":", "::", "{", "}", ",", ";", "\"", "'", "\\", "\n", "//", "/*", "*/", "R\"", "(",
        ")", "#", "include", " ", "1'", "\u{f1}", "final ", "<", ">", "\r\n", "public ",
    ];
}
