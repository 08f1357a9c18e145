//! Files that a command line names.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use anyhow::{Context, Result, anyhow, bail};

use crate::error::HintExt;

/// No position or map is nearly as long; a file that is cannot be meant.
const MAX_BYTES: u64 = 4 << 20;

/// The text of a file.
pub(crate) fn read(path: &str) -> Result<String> {
    let bytes = bytes(path).with_context(|| format!("cannot read '{path}'"));
    let bytes = bytes.hint(|| "what follows @ is the name of a file".to_owned())?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("'{path}' has more than {} MiB", MAX_BYTES >> 20);
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        anyhow!("'{path}' is not UTF-8 text: byte {:#04x} at offset {offset}", error.as_bytes()[offset])
    });
    text.hint(|| "save the file as UTF-8".to_owned())
}

/// A file's bytes, or one more than the most that is of use.
fn bytes(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a file that must not be there yet.
pub(crate) fn create(path: &str, text: &str) -> Result<()> {
    Rewritten::create(path)?.write(text)
}

/// A file that was not there before, and is written again and again as what it tells of goes on.
#[derive(Debug)]
pub(crate) struct Rewritten {
    path: String,
    file: File,
}

impl Rewritten {
    pub(crate) fn create(path: &str) -> Result<Self> {
        let file = File::create_new(path).with_context(|| format!("cannot write '{path}'"));
        let file = file.hint(|| "the folder must be there, and a file that exists is never replaced".to_owned())?;
        Ok(Self { path: path.to_owned(), file })
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Replaces what the file holds.
    pub(crate) fn write(&mut self, text: &str) -> Result<()> {
        let written = self.file.rewind().and_then(|()| self.file.write_all(text.as_bytes()));
        let written = written.and_then(|()| self.file.set_len(text.len() as u64));
        written.with_context(|| format!("cannot write '{}'", self.path))
    }
}
