//! Line framing: cuts a stream of bytes into lines, with limits.

/// The most bytes in a line, its end not counted.
pub const MAX_LINE: usize = 4096;

/// The most bytes that a bot may write in a game.
pub const MAX_OUTPUT: usize = 1 << 20;

/// Why there is no line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// More than [`MAX_LINE`] bytes without an end.
    #[error("it wrote a line of more than 4096 bytes")]
    TooLong {
        /// How it begins.
        begin: String,
    },
    /// More than [`MAX_OUTPUT`] bytes in all.
    #[error("it wrote more than 1 MiB in a game")]
    TooMuch,
    /// The bytes are no UTF-8, or have control characters in them.
    #[error("it wrote a line that is not plain text in UTF-8")]
    NotText {
        /// The line, with what is no text replaced.
        line: String,
    },
}

impl LineFault {
    /// What was written, as far as that is text.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        match self {
            Self::TooLong { begin: line } | Self::NotText { line } => Some(line),
            Self::TooMuch => None,
        }
    }
}

/// Bytes as they come, and the lines that are complete. Lines end with a newline; a carriage return before it is no
/// part of the line. Holds no more than a line and what came with it.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    bytes: Vec<u8>,
    /// Where the first line that was not yet given begins.
    start: usize,
    total: usize,
}

impl Lines {
    /// Nothing was read yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: Vec::new(), start: 0, total: 0 }
    }

    /// Takes bytes that were read.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start == self.bytes.len() {
            self.bytes.clear();
        } else {
            self.bytes.drain(..self.start);
        }
        self.start = 0;
        self.total = self.total.saturating_add(bytes.len());
        if self.total <= MAX_OUTPUT {
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// What was read and is not yet a line: what a bot that forgot the newline wanted to say.
    #[must_use]
    pub fn rest(&self) -> String {
        String::from_utf8_lossy(&self.bytes[self.start..]).chars().take(MAX_LINE).collect()
    }

    /// The next line, if it is complete.
    #[allow(clippy::should_implement_trait, reason = "an iterator's item cannot borrow from the iterator")]
    pub fn next(&mut self) -> Option<Result<&str, LineFault>> {
        if self.total > MAX_OUTPUT {
            return Some(Err(LineFault::TooMuch));
        }
        let rest = &self.bytes[self.start..];
        let end = rest.iter().take(MAX_LINE + 2).position(|&byte| byte == b'\n');
        let Some(end) = end else {
            let is_too_long = rest.len() > MAX_LINE + 1;
            return is_too_long.then(|| Err(LineFault::TooLong { begin: lossy(&rest[..MAX_LINE]) }));
        };
        self.start += end + 1;
        let line = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
        if line.len() > MAX_LINE {
            return Some(Err(LineFault::TooLong { begin: lossy(&line[..MAX_LINE]) }));
        }
        Some(text(line).ok_or_else(|| LineFault::NotText { line: lossy(line) }))
    }
}

fn text(line: &[u8]) -> Option<&str> {
    let text = str::from_utf8(line).ok()?;
    let is_plain =
        line.iter().all(|&byte| byte >= b' ' || byte == b'\t') && !text.contains(|c: char| c.is_control() && c != '\t');
    is_plain.then_some(text)
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(chunks: &[&[u8]]) -> Vec<Result<String, LineFault>> {
        let (mut lines, mut found) = (Lines::new(), vec![]);
        for chunk in chunks {
            lines.push(chunk);
            while let Some(line) = lines.next() {
                let line = line.map(str::to_owned);
                let is_over = line.is_err();
                found.push(line);
                if is_over {
                    return found;
                }
            }
        }
        found
    }

    #[test]
    fn lines_may_come_in_pieces_and_several_at_once() {
        let found = all(&[b"mo", b"ve 4\nin", b"fo\r\n\nx"]);
        assert_eq!(found, ["move 4", "info", ""].map(|line| Ok(line.to_owned())));
    }

    #[test]
    fn a_line_of_the_greatest_length_is_read_and_a_longer_one_is_not() {
        let longest = vec![b'a'; MAX_LINE];
        assert_eq!(all(&[&longest, b"\r\n"]), [Ok("a".repeat(MAX_LINE))]);
        let begin = "a".repeat(MAX_LINE);
        let too_long = [Err(LineFault::TooLong { begin })];
        assert_eq!(all(&[&longest, b"a\n"]), too_long);
        assert_eq!(all(&[&longest, b"a"]), [], "it could still be a carriage return");
        assert_eq!(all(&[&longest, b"aa"]), too_long, "nobody waits for the end of it");
    }

    #[test]
    fn a_flood_of_short_lines_is_cut_off() {
        let chunk = b"info depth 1\n".repeat(1000);
        let chunks: Vec<&[u8]> = (0..100).map(|_| &chunk[..]).collect();
        let found = all(&chunks);
        assert_eq!(found.last(), Some(&Err(LineFault::TooMuch)));
        assert!(found.len() * 13 <= MAX_OUTPUT + 13);
    }

    #[test]
    fn what_is_no_text_is_refused() {
        for bytes in [&b"a\xffb\n"[..], b"a\0b\n", b"\x1b[2J\n", b"a\rb\n", "a\u{85}b\n".as_bytes()] {
            assert!(matches!(all(&[bytes])[..], [Err(LineFault::NotText { .. })]), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn how_bytes_are_cut_makes_no_difference(bytes: Vec<u8>, cuts in prop::collection::vec(1usize..20, 0..20)) {
            let mut chunks = vec![];
            let mut rest = &bytes[..];
            for cut in cuts {
                let (head, tail) = rest.split_at(cut.min(rest.len()));
                chunks.push(head);
                rest = tail;
            }
            chunks.push(rest);
            prop_assert_eq!(all(&chunks), all(&[&bytes]));
        }
    }
}
