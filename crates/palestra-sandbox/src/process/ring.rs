//! The end of a long text.

use std::collections::VecDeque;

/// How much of stderr is kept.
const MOST: usize = 64 << 10;

/// The last 64 KiB of what was written.
#[derive(Debug, Default)]
pub(super) struct Ring {
    bytes: VecDeque<u8>,
    /// How many of them, at the end, were never asked for by [`Ring::fresh`].
    fresh: usize,
}

impl Ring {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(MOST)..];
        let surplus = (self.bytes.len() + bytes.len()).saturating_sub(MOST);
        self.bytes.drain(..surplus);
        self.bytes.extend(bytes);
        self.fresh = (self.fresh + bytes.len()).min(MOST);
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
        let mut ring = Ring::default();
        assert_eq!(ring.fresh(), "");
        ring.push(b"one");
        ring.push(b"two");
        assert_eq!((ring.fresh(), ring.fresh()), ("onetwo".to_owned(), String::new()));
        ring.push(&[b'x'; 2 * MOST]);
        ring.push(b"end");
        let fresh = ring.fresh();
        assert!(fresh.len() == MOST && fresh.ends_with("xend"));
        assert!(ring.text().ends_with("xend"), "what was told is kept all the same");
    }

    #[test]
    fn the_end_is_kept() {
        let mut ring = Ring::default();
        ring.push(b"begin");
        for _ in 0..MOST / 1000 + 1 {
            ring.push(&[b'x'; 1000]);
        }
        ring.push(b"end");
        assert_eq!(ring.text().len(), MOST);
        assert!(ring.text().ends_with("xxend") && !ring.text().contains("begin"));
        ring.push(&[b'y'; 2 * MOST]);
        assert_eq!(ring.text(), "y".repeat(MOST));
    }
}
