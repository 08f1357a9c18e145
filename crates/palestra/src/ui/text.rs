//! Text as wide as the terminal.

/// The width of text that goes elsewhere than to a terminal.
const PLAIN_WIDTH: usize = 80;

/// The width of tables that go elsewhere than to a terminal.
const TABLE_WIDTH: usize = 160;

/// Lines longer than this are hard to read.
const MAX_WIDTH: usize = 100;

/// How wide a line of output may be.
pub(crate) fn width() -> usize {
    let terminal = terminal_size::terminal_size_of(std::io::stdout());
    terminal.map_or(PLAIN_WIDTH, |(width, _)| usize::from(width.0)).min(MAX_WIDTH)
}

/// How wide a table may be: as the terminal, and wider where the output is no terminal.
pub(crate) fn table_width() -> usize {
    let terminal = terminal_size::terminal_size_of(std::io::stdout());
    terminal.map_or(TABLE_WIDTH, |(width, _)| usize::from(width.0))
}

/// Items one after the other, broken into lines of at most `width` characters. All lines are indented but the first,
/// whose place the caller has already reached. An item that is longer than a line has a line to itself.
pub(crate) fn hang<T: AsRef<str>>(indent: usize, items: impl IntoIterator<Item = T>, width: usize) -> String {
    let mut text = String::new();
    let mut column = indent;
    for item in items {
        let item = item.as_ref();
        let length = item.chars().count();
        if text.is_empty() {
            column += length;
        } else if column + 1 + length <= width {
            text.push(' ');
            column += 1 + length;
        } else {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            column = indent + length;
        }
        text.push_str(item);
    }
    text
}

/// The text, cut between two words where it is longer than `width` characters.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for word in text.split(' ') {
        if short.chars().count() + word.chars().count() + 4 > width && !short.is_empty() {
            break;
        }
        short.push_str(word);
        short.push(' ');
    }
    short + "..."
}

/// A paragraph, all lines indented.
pub(crate) fn paragraph(indent: usize, text: &str, width: usize) -> String {
    format!("{:indent$}{}", "", hang(indent, text.split_whitespace(), width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_before_the_width_and_hang() {
        assert_eq!(hang(2, ["aa", "bb", "cc", "dddddddd", "e"], 7), "aa bb\n  cc\n  dddddddd\n  e");
        assert_eq!(hang(2, ["a"; 0], 7), "");
        assert_eq!(shortened("aa bb cc", 8), "aa bb cc");
        assert_eq!(shortened("aa bb cc dd", 10), "aa bb ...");
        assert_eq!(shortened("aaaaaaaaaa bb", 5), "aaaaaaaaaa ...");
        assert_eq!(paragraph(1, "aa bb  cc\ndd", 6), " aa bb\n cc dd");
    }
}
