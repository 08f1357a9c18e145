//! A ring buffer with the last 64 KiB of a program's stderr.

use std::collections::VecDeque;

/// How many bytes of stderr are kept.
const MAX_TAIL_BYTES: usize = 64 << 10;

/// The last [`MAX_TAIL_BYTES`] of what was written.
#[derive(Debug, Default)]
pub(super) struct StderrTail {
    bytes: VecDeque<u8>,
    /// How many of them, at the end, were never asked for by [`StderrTail::fresh`].
    fresh: usize,
}

impl StderrTail {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(MAX_TAIL_BYTES)..];
        let surplus = (self.bytes.len() + bytes.len()).saturating_sub(MAX_TAIL_BYTES);
        self.bytes.drain(..surplus);
        self.bytes.extend(bytes);
        self.fresh = (self.fresh + bytes.len()).min(MAX_TAIL_BYTES);
    }

    /// What there is, as text; bytes that are none are replaced.
    pub(super) fn text(&mut self) -> String {
        String::from_utf8_lossy(self.bytes.make_contiguous()).into_owned()
    }

    /// What has come since this was last asked.
    pub(super) fn fresh(&mut self) -> String {
        let seen = self.bytes.len() - std::mem::take(&mut self.fresh);
        String::from_utf8_lossy(&self.bytes.make_contiguous()[seen..]).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_is_not_told_again() {
        let mut tail = StderrTail::default();
        assert_eq!(tail.fresh(), "");
        tail.push(b"one");
        tail.push(b"two");
        assert_eq!((tail.fresh(), tail.fresh()), ("onetwo".to_owned(), String::new()));
        tail.push(&[b'x'; 2 * MAX_TAIL_BYTES]);
        tail.push(b"end");
        let fresh = tail.fresh();
        assert!(fresh.len() == MAX_TAIL_BYTES && fresh.ends_with("xend"));
        assert!(tail.text().ends_with("xend"), "what was told is kept all the same");
    }

    #[test]
    fn the_end_is_kept() {
        let mut tail = StderrTail::default();
        tail.push(b"begin");
        for _ in 0..MAX_TAIL_BYTES / 1000 + 1 {
            tail.push(&[b'x'; 1000]);
        }
        tail.push(b"end");
        assert_eq!(tail.text().len(), MAX_TAIL_BYTES);
        assert!(tail.text().ends_with("xxend") && !tail.text().contains("begin"));
        tail.push(&[b'y'; 2 * MAX_TAIL_BYTES]);
        assert_eq!(tail.text(), "y".repeat(MAX_TAIL_BYTES));
    }
}
