//! The journal file of a tournament: finished games are appended, and a later run resumes from them.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use palestra_tournament::{Entry, Finished, Header, Journal, JournalError};

use crate::ui::error::HintExt;

/// A journal that is open for writing, under an exclusive file lock.
#[derive(Debug)]
pub(crate) struct JournalFile {
    path: String,
    file: File,
    header: Header,
    entries: Vec<Entry>,
    /// The time of the last sync to disk.
    synced: Instant,
}

/// Time between syncs to disk. A crash of the program loses nothing; a crash of the machine, the games of this time.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

impl JournalFile {
    /// Creates a journal, or resumes an existing one with the same header.
    pub(crate) fn open(path: &str, header: Header) -> Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).and_then(plain);
        let file = file.with_context(|| format!("cannot open the journal '{path}'"));
        let file =
            file.hint(|| "the journal must be a file that you can read and write, in an existing folder".to_owned())?;
        let mut file = lock(path, file)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| format!("cannot read the journal '{path}'"))?;
        let (entries, usable) = match Journal::resume(&bytes, &header) {
            Ok(journal) => (journal.entries, journal.usable_bytes),
            Err(JournalError::Empty) => (vec![], 0),
            Err(error) => {
                let hint = hint(&error);
                return Err(error).with_context(|| format!("'{path}'")).hint(|| hint.to_owned());
            }
        };
        let mut journal = Self { path: path.to_owned(), file, header, entries, synced: Instant::now() };
        journal.begin(usable).with_context(|| format!("cannot write the journal '{path}'"))?;
        Ok(journal)
    }

    /// Truncates an unfinished last line, and writes the header to an empty file.
    fn begin(&mut self, usable: usize) -> io::Result<()> {
        self.file.set_len(usable as u64)?;
        self.file.seek(SeekFrom::End(0))?;
        if usable == 0 {
            self.file.write_all(self.header.line().as_bytes())?;
            self.file.sync_all()?;
        }
        Ok(())
    }

    /// Appends a game. Once this returns the game survives a crash of the program.
    pub(crate) fn add(&mut self, entry: Entry) -> Result<()> {
        let mut written = self.file.write_all(entry.line().as_bytes());
        if self.synced.elapsed() >= SYNC_INTERVAL {
            written = written.and_then(|()| self.file.sync_data());
            self.synced = Instant::now();
        }
        written
            .with_context(|| format!("cannot write the journal '{}'", self.path))
            .hint(|| "earlier games are safe; free some disk space and run the same command again".to_owned())?;
        self.entries.push(entry);
        Ok(())
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) const fn header(&self) -> &Header {
        &self.header
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn finished(&self) -> Vec<Finished> {
        self.entries.iter().map(|entry| entry.finished.clone()).collect()
    }
}

/// Refuses devices and pipes: reading them may never end.
fn plain(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("not a regular file")) }
}

fn lock(path: &str, file: File) -> Result<File> {
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(anyhow!("'{path}' is in use by another tournament"))
            .hint(|| "wait until it ends, or choose another file".to_owned()),
        // Some file systems do not support locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => bail!("cannot lock the journal '{path}': {error}"),
    }
}

const fn hint(error: &JournalError) -> &'static str {
    match error {
        JournalError::Other { .. } => "run the command that created it, or choose another file with --journal",
        JournalError::Damaged { .. } => "restore the file from a copy, or start again with another file",
        JournalError::Version(_) => "it was written by a newer version: update palestra, or choose another file",
        _ => "--journal takes the journal of a tournament, or a new file",
    }
}
