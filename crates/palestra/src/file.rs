//! Files that a command line names.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::process;

use anyhow::{Context, Result, anyhow, bail};

use crate::ui::error::HintExt;

/// No position or map is nearly as long; a file that is cannot be meant.
const MAX_BYTES: u64 = 4 << 20;

/// A file of records is read as a whole: this many bytes hold some hundred thousand games.
const MAX_RECORDS_BYTES: u64 = 256 << 20;

/// The text of a file.
pub(crate) fn read(path: &str) -> Result<String> {
    let bytes = bytes(path, MAX_BYTES, "what follows @ is the name of a file")?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        anyhow!("'{path}' is not UTF-8 text: byte {:#04x} at offset {offset}", error.as_bytes()[offset])
    });
    text.hint(|| "save the file as UTF-8".to_owned())
}

/// The bytes of a file of records.
pub(crate) fn read_records(path: &str) -> Result<Vec<u8>> {
    bytes(path, MAX_RECORDS_BYTES, "what follows --from is the name of a file of records")
}

/// A file's bytes, if they are no more than so many.
fn bytes(path: &str, most: u64, hint: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    read.with_context(|| format!("cannot read '{path}'")).hint(|| hint.to_owned())?;
    if bytes.len() as u64 > most {
        bail!("'{path}' has more than {} MiB", most >> 20);
    }
    Ok(bytes)
}

/// Writes a file that must not be there yet.
pub(crate) fn create(path: &str, text: &str) -> Result<()> {
    Rewritten::create(path)?.write(text)
}

/// A file that was not there before, to be written to.
pub(crate) fn create_new(path: &str) -> Result<File> {
    let file = File::create_new(path).with_context(|| format!("cannot write '{path}'"));
    file.hint(|| "the folder must be there, and a file that exists is never replaced".to_owned())
}

/// Writes a file that is made again from the same data each time: what was there before is replaced.
pub(crate) fn replace(path: &str, text: &str) -> Result<()> {
    let written = Rewritten::at(path).write(text);
    written.hint(|| "the folder must be there, and you must be allowed to write in it".to_owned())
}

/// Refuses a path to which [`replace`] could not write, so that this is known before hours of play.
pub(crate) fn check_replaceable(path: &str) -> Result<()> {
    let draft = Rewritten::at(path).draft;
    let checked = match fs::metadata(path) {
        Ok(file) if file.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        _ => File::create_new(&draft).and_then(|_| fs::remove_file(&draft)),
    };
    let checked = checked.with_context(|| format!("cannot write '{path}'"));
    checked.hint(|| "the folder must be there, and you must be allowed to write in it".to_owned())
}

/// A file that was not there before, and is written again and again as what it tells of goes on. Whenever the program
/// or the machine stops, the file holds all of what was written last, or all of what was written before.
#[derive(Debug)]
pub(crate) struct Rewritten {
    path: String,
    /// A name beside it for what is not yet written to its end. No other program has this one's number.
    draft: String,
}

impl Rewritten {
    pub(crate) fn create(path: &str) -> Result<Self> {
        create_new(path)?;
        Ok(Self::at(path))
    }

    fn at(path: &str) -> Self {
        Self { path: path.to_owned(), draft: format!("{path}.{}.tmp", process::id()) }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Replaces what the file holds.
    pub(crate) fn write(&self, text: &str) -> Result<()> {
        self.replace(text).with_context(|| format!("cannot write '{}'", self.path))
    }

    fn replace(&self, text: &str) -> io::Result<()> {
        let mut draft = File::create_new(&self.draft)?;
        let written = draft.write_all(text.as_bytes()).and_then(|()| draft.sync_data());
        drop(draft);
        let replaced = written.and_then(|()| fs::rename(&self.draft, &self.path));
        if replaced.is_err() {
            let _ = fs::remove_file(&self.draft);
        }
        replaced
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty folder, and a path in it.
    fn folder(name: &str) -> (std::path::PathBuf, String) {
        let folder = std::env::temp_dir().join(format!("palestra-{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).expect("a new folder");
        let path = folder.join("game.txt").to_str().expect("the folder's name is text").to_owned();
        (folder, path)
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let (folder, path) = folder("replaced");
        let file = Rewritten::create(&path).expect("a new file");
        assert!(Rewritten::create(&path).is_err(), "the file is there already");
        file.write("the game so far").expect("room");
        let mut reader = File::open(&path).expect("the file is there");
        file.write("another").expect("room");
        let mut before = String::new();
        reader.read_to_string(&mut before).expect("text");
        assert_eq!(before, "the game so far", "who reads it meanwhile sees all of it");
        assert_eq!(fs::read_to_string(&path).expect("text"), "another");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "nothing is left beside it");
        let _ = fs::remove_dir_all(folder);
    }

    #[test]
    fn a_path_that_cannot_be_replaced_is_refused_and_nothing_is_left() {
        let (folder, path) = folder("replaceable");
        assert!(check_replaceable(&path).is_ok());
        fs::write(&path, "a page").expect("room");
        assert!(check_replaceable(&path).is_ok());
        assert!(check_replaceable(folder.to_str().expect("text")).is_err(), "a folder");
        assert!(check_replaceable(&format!("{path}/page.html")).is_err(), "below a file");
        assert_eq!(fs::read_to_string(&path).expect("text"), "a page");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "nothing is left beside it");
        let _ = fs::remove_dir_all(folder);
    }

    #[test]
    fn what_cannot_be_written_leaves_everything_as_it_was() {
        let (folder, path) = folder("unwritten");
        let file = Rewritten::create(&path).expect("a new file");
        file.write("the game so far").expect("room");
        fs::write(&file.draft, "somebody's").expect("room");
        assert!(file.write("another").is_err());
        assert_eq!(fs::read_to_string(&path).expect("text"), "the game so far");
        assert_eq!(fs::read_to_string(&file.draft).expect("text"), "somebody's");
        let _ = fs::remove_dir_all(folder);
    }
}
