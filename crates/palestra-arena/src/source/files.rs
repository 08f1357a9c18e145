//! The source files of a program, read into memory within bounds.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;

use palestra_sandbox::plain_file::{Folder, Links, open, read_bounded};

use super::{BuildError, MAX_BYTES, MAX_FILES, stem};

/// File names with contents, sorted by name.
pub(super) type Files = Vec<(String, Vec<u8>)>;

/// The extensions of files that a compiler may be asked to read.
const EXTENSIONS: [&str; 10] = ["h", "hh", "hpp", "hxx", "inc", "c", "cc", "cpp", "cxx", "rs"];

/// All source files of a folder. A symlink among them is an error: if it were skipped, the compiler would report a
/// missing file without saying why.
pub(super) fn of_folder(folder: &Folder) -> Result<Files, BuildError> {
    let mut intake = Intake::default();
    for name in source_names(folder)? {
        intake.add_from(folder, &name)?;
    }
    Ok(intake.files)
}

/// The modules of a folder with a program in Python; none if there is no `bot.py` in it.
pub(super) fn of_python_folder(folder: &Folder) -> Result<Files, BuildError> {
    let names = folder.names().map_err(|error| BuildError::reading(&folder.path_of(OsStr::new("")), error))?;
    let names = names.into_iter().filter_map(|name| name.into_string().ok());
    let names: Vec<String> = names.filter(|name| name.ends_with(".py")).collect();
    let mut intake = Intake::default();
    if names.iter().any(|name| name == "bot.py") {
        names.iter().try_for_each(|name| intake.add_from(folder, name))?;
    }
    Ok(intake.files)
}

/// A source file and its dependencies in the same folder, transitively: files that it mentions or that have the same
/// stem. The other files of the folder may belong to other programs.
pub(super) fn of_lone_file(path: &Path, links: Links) -> Result<Files, BuildError> {
    let parent = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = Folder::open(parent).map_err(|error| BuildError::reading(path, error))?;
    let main = path.file_name().and_then(OsStr::to_str).unwrap_or_default().to_owned();
    let mut others = source_names(&folder)?;
    others.retain(|name| *name != main);
    let mut intake = Intake::default();
    intake.add(path, main, open(path, links).map_err(|error| BuildError::reading(path, error))?)?;
    let mut next = 0;
    while let Some((file, text)) = intake.files.get(next) {
        let words = words(text);
        let is_wanted = |name: &String| is_among(&words, name) || stem(name.as_ref()) == stem(file.as_ref());
        let (wanted, rest): (Vec<_>, Vec<_>) = others.into_iter().partition(is_wanted);
        others = rest;
        wanted.iter().try_for_each(|name| intake.add_from(&folder, name))?;
        next += 1;
    }
    intake.files.sort();
    Ok(intake.files)
}

/// The names of a folder's source files. Names that are not UTF-8 are skipped.
pub(super) fn source_names(folder: &Folder) -> Result<Vec<String>, BuildError> {
    let names = folder.names().map_err(|error| BuildError::reading(&folder.path_of(OsStr::new("")), error))?;
    let names = names.into_iter().filter_map(|name| name.into_string().ok());
    Ok(names.filter(|name| is_source(name)).collect())
}

fn is_source(name: &str) -> bool {
    Path::new(name).extension().and_then(OsStr::to_str).is_some_and(|it| EXTENSIONS.contains(&it))
}

/// The words of a text that may be the name of a file or of a module.
fn words(text: &[u8]) -> HashSet<&[u8]> {
    let is_quote = |&byte: &u8| byte == b'"';
    let is_mark = |&byte: &u8| !(byte.is_ascii_alphanumeric() || b"_-.".contains(&byte) || byte >= 0x80);
    text.split(is_quote).chain(text.split(is_mark)).collect()
}

/// Whether one of these words names a file, or the Rust module in it.
fn is_among(words: &HashSet<&[u8]>, name: &str) -> bool {
    let has = |word: &str| words.contains(word.as_bytes());
    has(name) || name.strip_suffix(".rs").is_some_and(has)
}

/// Reads files within the limits of one program.
#[derive(Default)]
struct Intake {
    files: Files,
    bytes: u64,
}

impl Intake {
    fn add_from(&mut self, folder: &Folder, name: &str) -> Result<(), BuildError> {
        let path = folder.path_of(name.as_ref());
        let file = folder.file(name.as_ref()).map_err(|error| BuildError::reading(&path, error))?;
        self.add(&path, name.to_owned(), file)
    }

    fn add(&mut self, path: &Path, name: String, file: File) -> Result<(), BuildError> {
        if self.files.len() == MAX_FILES {
            return Err(BuildError::TooManyFiles { path: path.into() });
        }
        let failed = |error| BuildError::reading(path, error);
        let too_large = || BuildError::TooLarge { path: path.into() };
        let room = MAX_BYTES - self.bytes;
        // Refuses a large file without reading it.
        if file.metadata().map_err(failed)?.len() > room {
            return Err(too_large());
        }
        let content = read_bounded(file, room).map_err(failed)?.ok_or_else(too_large)?;
        self.bytes += content.len() as u64;
        self.files.push((name, content));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_mentioned_by_its_name_or_as_a_module() {
        let mentions = |text: &str, name: &str| is_among(&words(text.as_bytes()), name);
        for (text, name) in [
            ("#include \"words.h\"\n", "words.h"),
            ("#include \"my words.h\"\n", "my words.h"),
            ("#include STRING(words.h)\n", "words.h"),
            ("pub mod rules;\n", "rules.rs"),
            ("include_str!(\"s.rs\")", "s.rs"),
        ] {
            assert!(mentions(text, name), "{text} {name}");
            assert!(!mentions(text, "other.h") && !mentions(text, "w.h"), "{text}");
        }
        assert!(!mentions("", "a.h"));
    }
}
