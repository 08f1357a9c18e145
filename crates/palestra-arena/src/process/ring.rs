//! The end of a long text.

use std::collections::VecDeque;

/// How much of stderr is kept.
const MOST: usize = 64 << 10;

/// The last 64 KiB of what was written.
#[derive(Debug, Default)]
pub(super) struct Ring(VecDeque<u8>);

impl Ring {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(MOST)..];
        let surplus = (self.0.len() + bytes.len()).saturating_sub(MOST);
        self.0.drain(..surplus);
        self.0.extend(bytes);
    }

    /// What there is, as text; bytes that are none are replaced.
    pub(super) fn text(&mut self) -> String {
        String::from_utf8_lossy(self.0.make_contiguous()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
