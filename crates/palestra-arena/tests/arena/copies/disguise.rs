//! What students do to a copy, as transformations of its text.

use std::collections::HashMap;

/// A way to change a source.
pub(super) struct Disguise {
    pub(super) name: &'static str,
    /// From the name of the file and its text to another text.
    pub(super) apply: fn(&str, &str) -> String,
}

/// All of them, the easiest first.
pub(super) const DISGUISES: &[Disguise] = &[
    Disguise { name: "unchanged", apply: |_, text| text.to_owned() },
    Disguise { name: "other names", apply: |_, text| renamed(text) },
    Disguise { name: "other comments", apply: commented },
    Disguise { name: "other layout, lines split", apply: split },
    Disguise { name: "other numbers and texts", apply: |_, text| renumbered(text) },
    Disguise { name: "qualifiers, `std::` and braces left out", apply: |file, text| bare(file, text) },
    Disguise { name: "functions in another order", apply: reordered },
    Disguise { name: "`i++` and `a += b` written out", apply: |_, text| written_out(text) },
    Disguise { name: "names, comments, layout, numbers, order", apply: all },
    Disguise { name: "a statement added after every eighth line", apply: |file, text| padded(file, text, 8) },
    Disguise { name: "both of these", apply: |file, text| all(file, &padded(file, text, 8)) },
    Disguise { name: "half of the program", apply: |_, text| half(text) },
    Disguise { name: "a statement added after every third line", apply: |file, text| padded(file, text, 3) },
    Disguise { name: "all of that", apply: |file, text| all(file, &padded(file, text, 3)) },
];

fn is_python(file: &str) -> bool {
    file.ends_with(".py")
}

/// Words that are not to be renamed: enough of them for the programs here.
const KEPT: &str = "alignas and as assert auto bool break case catch char class const constexpr continue def default del delete do \
    double dyn elif global goto nonlocal else enum except explicit extends extern final finally float fn for from if impl implements import in include \
    inline instanceof int interface is lambda let long loop match mod move mut namespace new noexcept not nullptr once operator or \
    override package pass pragma private protected pub public raise ref return self short signed sizeof static std struct super \
    switch template this throw trait try type typedef typename union unsafe unsigned use using virtual void volatile where while with \
    yield R r b f u8 None True False";

/// Every name replaced by another one.
fn renamed(text: &str) -> String {
    let mut names: HashMap<String, usize> = HashMap::new();
    map_words(text, |word| {
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if !is_name || KEPT.split_whitespace().any(|kept| kept == word) {
            return word.to_owned();
        }
        let number = names.len();
        format!("nuevo_{}", names.entry(word.to_owned()).or_insert(number))
    })
}

/// The text with each word replaced.
fn map_words(text: &str, mut map: impl FnMut(&str) -> String) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let pieces = text.split_inclusive(|c| !is_part(c));
    let mapped = pieces.map(|piece| {
        let word = piece.trim_end_matches(|c| !is_part(c));
        format!("{}{}", if word.is_empty() { String::new() } else { map(word) }, &piece[word.len()..])
    });
    mapped.collect()
}

/// A comment behind every line, and none of those that were alone in a line.
fn commented(file: &str, text: &str) -> String {
    let sign = if is_python(file) { "#" } else { "//" };
    let lines = text.lines().filter(|line| !line.trim_start().starts_with(sign));
    let said = |(number, line): (usize, &str)| match line {
        line if line.ends_with('\\') || line.contains("\"\"\"") || in_text(text, line) => format!("{line}\n"),
        line => format!("{line}  {sign} paso {number} del \"algoritmo\"\n"),
    };
    lines.enumerate().map(said).collect()
}

/// Whether a line belongs to a text of several lines.
fn in_text(text: &str, line: &str) -> bool {
    let parts = text.split("\"\"\"").skip(1).step_by(2);
    !line.trim().is_empty() && parts.into_iter().any(|part| part.contains(line))
}

/// A new line behind each opening bracket, and other indentation where it does not count.
fn split(file: &str, text: &str) -> String {
    let lines = text.lines().map(|line| match line {
        line if line.trim_start().starts_with(['#', '/', '*']) || line.contains(['"', '\'']) => format!("{line}\n"),
        line if is_python(file) => format!("{}\n", line.replace('(', "(\n")),
        line => format!("{}\n", line.trim().replace('(', "(\n").replace("; ", ";\n").replace(" {", "\n{")),
    });
    lines.collect()
}

fn renumbered(text: &str) -> String {
    let digits = map_words(text, |word| {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { format!("{word}7") } else { word.to_owned() }
    });
    digits.replace("\": ", "\" + ")
}

/// Without words that change nothing, and without braces around single statements.
fn bare(file: &str, text: &str) -> String {
    let words = ["const ", "static ", "inline ", "final ", "std::", "private ", "public static ", "pub "];
    let text = words.iter().fold(text.to_owned(), |text, word| text.replace(word, ""));
    if is_python(file) || file.ends_with(".rs") {
        return text;
    }
    let lines: Vec<&str> = text.lines().collect();
    let opens = |at: usize| lines.get(at).is_some_and(|line| line.starts_with(' ') && line.ends_with(") {"));
    let closes = |at: usize| lines.get(at).is_some_and(|line| line.trim() == "}");
    let mut bare = String::new();
    for (at, line) in lines.iter().enumerate() {
        let is_opening = opens(at) && closes(at + 2);
        let is_closing = at >= 2 && closes(at) && opens(at - 2);
        let line = if is_opening { line.trim_end_matches(" {") } else { line };
        if !is_closing {
            bare.push_str(line);
            bare.push('\n');
        }
    }
    bare
}

/// The blocks between blank lines, which are functions for the most part, the last one first.
fn reordered(_: &str, text: &str) -> String {
    let mut blocks: Vec<&str> = text.split("\n\n").collect();
    blocks.reverse();
    blocks.join("\n\n")
}

fn written_out(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let indent = &line[..line.len() - line.trim_start().len()];
        let sum = line.trim().strip_suffix(';').unwrap_or(line.trim()).split_once(" += ");
        match sum.filter(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_')) {
            Some((name, value)) => format!("{indent}{name} = {name} + {value};\n"),
            None => format!("{line}\n").replace("i++)", "i = i + 1)").replace("++i)", "i = i + 1)"),
        }
    });
    lines.collect()
}

fn all(file: &str, text: &str) -> String {
    let changes: [fn(&str, &str) -> String; 5] =
        [reordered, |_, text| renamed(text), |_, text| renumbered(text), split, commented];
    changes.iter().fold(text.to_owned(), |text, change| change(file, &text))
}

/// A statement without effect behind every n-th line that ends a statement.
fn padded(file: &str, text: &str, every: usize) -> String {
    let (mut padded, mut count) = (String::new(), 0);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        padded.push_str(line);
        padded.push('\n');
        let indent = line.len() - line.trim_start().len();
        let is_end = if is_python(file) {
            let next = lines.peek().map_or(0, |next| next.len() - next.trim_start().len());
            indent > 0 && indent == next && line.ends_with(|c: char| c.is_alphanumeric())
        } else {
            indent > 0 && line.ends_with(';')
        };
        count += usize::from(is_end);
        if is_end && count % every == 0 {
            let statement = if is_python(file) { "extra = len(str(extra))" } else { "extra = extra * 2 - otra;" };
            padded.push_str(&format!("{}{statement}\n", &line[..indent]));
        }
    }
    padded
}

/// The first half of the lines.
fn half(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[..lines.len() / 2].join("\n")
}
