//! The body of a response, of which the end is known: one that breaks off is an error.

use std::io::{self, BufRead, ErrorKind, Read};

use anyhow::{Result, bail};
use httparse::Header;

/// The body of a response.
pub(super) struct Body<R> {
    stream: R,
    length: Length,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    /// That many bytes are left.
    Known(u64),
    /// That many bytes are left of a chunk, and others follow.
    Chunk(u64),
    /// It ends with the connection.
    Open,
}

/// The longest line that begins a chunk.
const MAX_CHUNK_LINE_BYTES: u64 = 1 << 10;

impl<R: BufRead> Body<R> {
    pub(super) fn new(stream: R, headers: &[Header]) -> Result<Self> {
        let find = |name: &str| headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        let length = match (find("transfer-encoding"), find("content-length")) {
            (Some(header), _) if header.value.eq_ignore_ascii_case(b"chunked") => Length::Chunk(0),
            (Some(_), _) => bail!("the answer has an unknown encoding"),
            (None, Some(header)) => match std::str::from_utf8(header.value).map(str::parse) {
                Ok(Ok(length)) => Length::Known(length),
                _ => bail!("the answer has no length"),
            },
            (None, None) => Length::Open,
        };
        let mut body = Self { stream, length };
        if length == Length::Chunk(0) {
            body.begin_chunk()?;
        }
        Ok(body)
    }

    /// Reads the line that says how long the next chunk is. The last one is empty.
    fn begin_chunk(&mut self) -> io::Result<()> {
        let line = self.line()?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let is_size = !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_hexdigit());
        let size = u64::from_str_radix(size, 16).ok().filter(|_| is_size).ok_or(ErrorKind::InvalidData)?;
        self.length = if size == 0 { Length::Known(0) } else { Length::Chunk(size) };
        Ok(())
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.stream.by_ref().take(MAX_CHUNK_LINE_BYTES).read_line(&mut line)?;
        if line.ends_with('\n') { Ok(line) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    /// Reads from what is known to follow.
    fn read_some(&mut self, into: &mut [u8], left: u64) -> io::Result<usize> {
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(into.len());
        match self.stream.read(&mut into[..most])? {
            0 if most > 0 => Err(ErrorKind::UnexpectedEof.into()),
            read => Ok(read),
        }
    }
}

impl<R: BufRead> Read for Body<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.length {
            Length::Open => self.stream.read(into),
            Length::Known(left) => {
                let read = if left == 0 { 0 } else { self.read_some(into, left)? };
                self.length = Length::Known(left - read as u64);
                Ok(read)
            }
            Length::Chunk(left) => {
                let read = self.read_some(into, left)?;
                self.length = Length::Chunk(left - read as u64);
                if left == read as u64 {
                    // Each chunk ends with an empty line.
                    self.line()?;
                    self.begin_chunk()?;
                }
                Ok(read)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a reader gets of a body with this header.
    fn read(header: (&str, &str), text: &[u8]) -> Option<Vec<u8>> {
        let headers = [Header { name: header.0, value: header.1.as_bytes() }];
        let mut read = vec![];
        Body::new(text, &headers).ok()?.read_to_end(&mut read).ok()?;
        Some(read)
    }

    #[test]
    fn a_body_ends_where_its_head_says() {
        let chunks = b"4\r\nABCD\r\na;name=value\r\n0123456789\r\n0\r\n\r\nrest";
        assert_eq!(read(("Transfer-Encoding", "chunked"), chunks).unwrap(), b"ABCD0123456789");
        assert_eq!(read(("Content-Length", "3"), b"ABCD").unwrap(), b"ABC");
        assert_eq!(read(("x", ""), b"ABCD").unwrap(), b"ABCD");
    }

    #[test]
    fn a_body_that_breaks_off_is_an_error() {
        let chunks = b"4\r\nABCD\r\n0\r\n";
        for end in 0..chunks.len() {
            assert_eq!(read(("transfer-encoding", "chunked"), &chunks[..end]), None, "{end}");
        }
        for (name, value) in [("content-length", "5"), ("content-length", "x"), ("transfer-encoding", "gzip")] {
            assert_eq!(read((name, value), b"ABCD"), None, "{name}: {value}");
        }
        for size in ["+4", "", "-1", "fffffffffffffffff", "é"] {
            assert_eq!(read(("transfer-encoding", "chunked"), format!("{size}\r\nABCD\r\n0\r\n\r\n").as_bytes()), None);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_body_or_refused(text: Vec<u8>, size in 0..40_u8) {
            let text = [format!("{size:x}\r\n").as_bytes(), &text].concat();
            read(("transfer-encoding", "chunked"), &text);
        }
    }
}
