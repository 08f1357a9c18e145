//! Reads the sources of many programs, from folders or a zip, within bounds.

use std::io::{self, Read};
use std::path::Path;

use palestra_sandbox::plain_file::{Entry, Folder, Links, NotPlain, open, read_bounded};

use super::language::Language;
use crate::MAX_HAND_IN_BYTES;
use crate::source::{Bounds, MAX_BYTES, MAX_FILES, UploadError, unpack_all};

/// Folders within folders are read down to this depth.
const MAX_DEPTH: usize = 6;

/// Limits of a zip with many programs.
const ZIP_BOUNDS: Bounds = Bounds { bytes: 64 << 20, packed_bytes: 16 << 20, files: 4000 };

/// Limits of a hand-in, whose memo and other files are unpacked too.
const HAND_IN_BOUNDS: Bounds = Bounds { bytes: 40 << 20, packed_bytes: MAX_HAND_IN_BYTES as u64, files: 400 };

/// The largest zip with the sources of many programs, in bytes.
pub const MAX_ZIP_BYTES: usize = ZIP_BOUNDS.packed_bytes as usize;

/// The source files of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The program's name: that of its folder, or of its only file.
    pub name: String,
    /// Its files, those in folders with the path that leads to them.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Sources {
    /// The source files below a folder, or a single file. Symlinks and all that is no source are skipped.
    pub fn read(path: &Path) -> io::Result<Self> {
        let name = path.canonicalize().ok().and_then(|path| name_of(&path)).or_else(|| name_of(path));
        let mut intake = Intake { files: vec![], room: MAX_BYTES };
        if path.is_dir() {
            intake.add_folder(&Folder::open(path)?, "", MAX_DEPTH)?;
        } else {
            let file = name_of(path).unwrap_or_default();
            intake.add(file, open(path, Links::Follow)?)?;
        }
        Ok(Self { name: name.unwrap_or_default(), files: intake.files })
    }

    /// The programs in a folder: its folders and its source files.
    pub fn read_all(folder: &Path) -> io::Result<Vec<Self>> {
        let mut programs = vec![];
        for name in Folder::open(folder)?.names()? {
            let path = folder.join(&name);
            let is_source = || Language::of_name(&name.to_string_lossy()).is_some();
            if !path.is_symlink() && (path.is_dir() || is_source()) {
                programs.push(Self::read(&path)?);
            }
        }
        programs.retain(|program| !program.files.is_empty());
        Ok(programs)
    }

    /// The sources in a hand-in: a zip with one program, all of whose files are in one folder or in none.
    pub fn of_hand_in(name: &str, bytes: &[u8]) -> Result<Self, UploadError> {
        let mut files = unpack_all(bytes, HAND_IN_BOUNDS)?;
        files.retain(|(path, _)| Language::of_name(path).is_some());
        if files.iter().map(|(_, text)| text.len() as u64).sum::<u64>() > MAX_BYTES {
            return Err(UploadError::TooLarge);
        }
        files.iter_mut().for_each(|(path, _)| drop(path.drain(..path.rfind('/').map_or(0, |slash| slash + 1))));
        Ok(Self { name: name.to_owned(), files })
    }

    /// The programs in a zip: its folders and its source files. A folder around all of them is taken off.
    pub fn of_zip(bytes: &[u8]) -> Result<Vec<Self>, UploadError> {
        let mut files = unpack_all(bytes, ZIP_BOUNDS)?;
        files.retain(|(name, _)| Language::of_name(name).is_some());
        while let Some(folder) = enclosing(&files) {
            files.iter_mut().for_each(|(name, _)| drop(name.drain(..folder)));
        }
        let mut programs: Vec<Self> = vec![];
        files.sort();
        for (path, text) in files {
            let (name, file) = path.split_once('/').unwrap_or((&path, &path));
            match programs.last_mut().filter(|last| last.name == name) {
                Some(last) => last.files.push((file.to_owned(), text)),
                None => programs.push(Self { name: name.to_owned(), files: vec![(file.to_owned(), text)] }),
            }
        }
        Ok(programs)
    }
}

/// The length of the name of the folder, with its slash, that has all files in folders of its own.
fn enclosing(files: &[(String, Vec<u8>)]) -> Option<usize> {
    let (first, _) = files.first()?;
    let folder = &first[..=first.find('/')?];
    let is_within = |(name, _): &(String, Vec<u8>)| name.strip_prefix(folder).is_some_and(|rest| rest.contains('/'));
    files.iter().all(is_within).then_some(folder.len())
}

fn name_of(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_string_lossy().into_owned())
}

/// Reads files within the limits of one program.
struct Intake {
    files: Vec<(String, Vec<u8>)>,
    room: u64,
}

impl Intake {
    fn add_folder(&mut self, folder: &Folder, prefix: &str, depth: usize) -> io::Result<()> {
        for name in folder.names()? {
            let path = format!("{prefix}{}", name.to_string_lossy());
            match folder.entry(&name) {
                Ok(Entry::File(file)) if Language::of_name(&path).is_some() => self.add(path, file)?,
                Ok(Entry::Folder(inner)) if depth > 0 => self.add_folder(&inner, &format!("{path}/"), depth - 1)?,
                Ok(_) => {}
                Err(error) if NotPlain::within(&error).is_some() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn add(&mut self, name: String, file: impl Read) -> io::Result<()> {
        let too_much = || {
            let reason = format!("a program may have {MAX_FILES} files and {} MiB", MAX_BYTES >> 20);
            io::Error::new(io::ErrorKind::FileTooLarge, reason)
        };
        if self.files.len() == MAX_FILES {
            return Err(too_much());
        }
        let text = read_bounded(file, self.room)?.ok_or_else(too_much)?;
        self.room -= text.len() as u64;
        self.files.push((name, text));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use proptest::prelude::*;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn zip(names: &[&str]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(vec![]));
        for name in names {
            writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
            writer.write_all(b"int x;").expect("its content");
        }
        writer.finish().expect("a zip").into_inner()
    }

    fn found(names: &[&str]) -> Vec<(String, Vec<String>)> {
        let programs = Sources::of_zip(&zip(names)).expect("a zip");
        let names = |files: Vec<(String, Vec<u8>)>| files.into_iter().map(|(name, _)| name).collect();
        programs.into_iter().map(|program| (program.name, names(program.files))).collect()
    }

    fn one(name: &str, files: &[&str]) -> (String, Vec<String>) {
        (name.to_owned(), files.iter().map(|&file| file.to_owned()).collect())
    }

    #[test]
    fn the_folders_of_a_zip_are_its_programs() {
        let programs = [one("ana", &["a.cpp", "sub/a.h"]), one("bea.py", &["bea.py"])];
        assert_eq!(found(&["ana/sub/a.h", "ana/a.cpp", "ana/memo.pdf", "bea.py"]), programs);
        assert_eq!(
            found(&["2025/A1/ana/a.cpp", "2025/A1/bea/b.cpp"]),
            [one("ana", &["a.cpp"]), one("bea", &["b.cpp"])]
        );
        assert_eq!(found(&["ana/a.cpp", "ana/a.h"]), [one("ana", &["a.cpp", "a.h"])]);
        assert_eq!(found(&["memo.pdf"]), []);
    }

    #[test]
    fn the_sources_of_a_hand_in_are_one_program() {
        let read = |names| Sources::of_hand_in("ana", &zip(names)).map(|sources| sources.files);
        let names = |files: Vec<(String, Vec<u8>)>| files.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(read(&["p1/a.cpp", "p1/memo.pdf", "p1/a.h"]).map(names), Ok(vec!["a.cpp".into(), "a.h".into()]));
        assert_eq!(read(&["memo.pdf"]).map(names), Ok(vec![]));
        assert!(Sources::of_hand_in("ana", b"no zip").is_err());
    }

    #[test]
    fn a_hand_in_with_too_much_source_is_refused() {
        let large = vec![b' '; MAX_BYTES as usize / 2 + 1];
        let zip = crate::zip([("a.cpp", &large[..]), ("b.cpp", &large[..])]).expect("a zip");
        assert_eq!(Sources::of_hand_in("ana", &zip), Err(UploadError::TooLarge));
        let zip = crate::zip([("a.cpp", &large[..]), ("data.txt", &large[..])]).expect("a zip");
        assert!(Sources::of_hand_in("ana", &zip).is_ok());
    }

    proptest! {
        #[test]
        fn no_mutation_does_harm(at in any::<prop::sample::Index>(), byte in any::<u8>(), is_cut in any::<bool>()) {
            let mut bytes = zip(&["ana/a.cpp", "bea/b.py"]);
            let at = at.index(bytes.len());
            if is_cut { bytes.truncate(at) } else { bytes[at] = byte }
            let hand_in = Sources::of_hand_in("", &bytes);
            prop_assert!(hand_in.is_err() || hand_in.is_ok_and(|read| read.files.len() <= 2));
            for program in Sources::of_zip(&bytes).unwrap_or_default() {
                prop_assert!(!program.files.is_empty());
            }
        }
    }
}
