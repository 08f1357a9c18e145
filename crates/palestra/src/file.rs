//! Files that a command line names.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use palestra_arena::EntrantError;
use tempfile::NamedTempFile;

use crate::contest_setup::with_hint;
use crate::ui::error::HintExt;

/// The largest file of a position or a map: far more than any has.
const MAX_TEXT_BYTES: u64 = 4 << 20;

/// The largest file of records, which is read as a whole: some hundred thousand games.
const MAX_RECORDS_BYTES: u64 = 256 << 20;

/// Fails if there is no file or folder at a path.
pub(crate) fn check_exists(path: &Path) -> Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => with_hint(EntrantError::NoFile { path: path.into() }),
        _ => Ok(()),
    }
}

/// The text of a file.
pub(crate) fn read(path: &str) -> Result<String> {
    let bytes = bytes(path, MAX_TEXT_BYTES, "@ is followed by the name of a file")?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        anyhow!("'{path}' is not UTF-8 text: byte {:#04x} at offset {offset}", error.as_bytes()[offset])
    });
    text.hint(|| "save the file as UTF-8".to_owned())
}

/// The text of a rubric.
pub(crate) fn read_rubric(path: &str) -> Result<String> {
    let bytes = bytes(path, MAX_TEXT_BYTES, "`palestra rubric --list` lists the bundled rubrics")?;
    String::from_utf8(bytes)
        .map_err(|_| anyhow!("'{path}' is not UTF-8 text"))
        .hint(|| "save the file as UTF-8".to_owned())
}

/// The bytes of a file of records.
pub(crate) fn read_records(path: &str) -> Result<Vec<u8>> {
    bytes(path, MAX_RECORDS_BYTES, "--from takes the name of a file of records")
}

/// The bytes of a file, at most `max`.
fn bytes(path: &str, max: u64, hint: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(max + 1).read_to_end(&mut bytes));
    read.with_context(|| format!("cannot read '{path}'")).hint(|| hint.to_owned())?;
    if bytes.len() as u64 > max {
        bail!("'{path}' is larger than {} MiB", max >> 20);
    }
    Ok(bytes)
}

/// Writes a new file; it is an error if the file exists.
pub(crate) fn create(path: &str, text: &str) -> Result<()> {
    Rewritten::create(path)?.write(text)
}

/// Creates a new file; it is an error if the file exists.
pub(crate) fn create_new(path: &str) -> Result<File> {
    let file = File::create_new(path).with_context(|| format!("cannot write '{path}'"));
    file.hint(|| "the folder must exist, and existing files are never replaced".to_owned())
}

/// Replaces a file that is generated from other data, such as a page or a table.
pub(crate) fn replace(path: &str, text: &str) -> Result<()> {
    let written = Rewritten::at(path).write(text);
    written.hint(|| "the folder must exist and be writable".to_owned())
}

/// Refuses a path to which [`replace`] could not write, so that this is known before hours of play.
pub(crate) fn check_replaceable(path: &str) -> Result<()> {
    let checked = match fs::metadata(path) {
        Ok(file) if file.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        _ => draft(Path::new(path)).map(drop),
    };
    let checked = checked.with_context(|| format!("cannot write '{path}'"));
    checked.hint(|| "the folder must exist and be writable".to_owned())
}

/// A file beside this one that is removed unless it is persisted under the other's name: the first half of an atomic write.
fn draft(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".palestra-").suffix(".tmp");
    // As readable as any new file of the user, where `tempfile_in` restricts it to the owner; and errors do not name the
    // temporary file.
    builder.make_in(folder, |path| File::create_new(path))
}

/// A new file that is rewritten as a whole whenever its subject changes. Writes are atomic: after a crash the file holds
/// all of the last text, or all of the one before.
#[derive(Debug)]
pub(crate) struct Rewritten {
    path: String,
}

impl Rewritten {
    pub(crate) fn create(path: &str) -> Result<Self> {
        create_new(path)?;
        Ok(Self::at(path))
    }

    fn at(path: &str) -> Self {
        Self { path: path.to_owned() }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Replaces the content of the file.
    pub(crate) fn write(&self, text: &str) -> Result<()> {
        self.replace(text).with_context(|| format!("cannot write '{}'", self.path))
    }

    fn replace(&self, text: &str) -> io::Result<()> {
        let mut draft = draft(Path::new(&self.path))?;
        draft.write_all(text.as_bytes())?;
        draft.as_file().sync_data()?;
        draft.persist(&self.path)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty folder, and a path in it.
    fn folder() -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().expect("a new folder");
        let path = folder.path().join("game.txt").to_str().expect("the folder's name is text").to_owned();
        (folder, path)
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let (folder, path) = folder();
        let file = Rewritten::create(&path).expect("a new file");
        assert!(Rewritten::create(&path).is_err(), "the file is there already");
        file.write("the game so far").expect("room");
        let mut reader = File::open(&path).expect("the file is there");
        file.write("another").expect("room");
        let mut before = String::new();
        reader.read_to_string(&mut before).expect("text");
        assert_eq!(before, "the game so far", "who reads it meanwhile sees all of it");
        assert_eq!(fs::read_to_string(&path).expect("text"), "another");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left beside it");
    }

    #[test]
    fn a_path_that_cannot_be_replaced_is_refused_and_nothing_is_left() {
        let (folder, path) = folder();
        assert!(check_replaceable(&path).is_ok());
        fs::write(&path, "a page").expect("room");
        assert!(check_replaceable(&path).is_ok());
        assert!(check_replaceable(folder.path().to_str().expect("text")).is_err(), "a folder");
        assert!(check_replaceable(&format!("{path}/page.html")).is_err(), "below a file");
        assert_eq!(fs::read_to_string(&path).expect("text"), "a page");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left beside it");
    }

    #[test]
    fn what_cannot_be_written_leaves_everything_as_it_was() {
        let (folder, path) = folder();
        fs::create_dir(&path).expect("a folder where the file should be");
        assert!(Rewritten::at(&path).write("another").is_err());
        assert!(fs::metadata(&path).expect("still there").is_dir());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left beside it");
    }

    #[test]
    #[cfg(unix)]
    fn a_new_file_is_as_readable_as_any_other() {
        use std::os::unix::fs::PermissionsExt;
        let (folder, path) = folder();
        Rewritten::create(&path).expect("a new file").write("a game").expect("room");
        let usual = folder.path().join("usual");
        fs::write(&usual, "").expect("room");
        let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
        assert_eq!(mode(Path::new(&path)), mode(&usual));
    }
}
