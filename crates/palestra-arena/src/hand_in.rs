//! Looks into an untrusted hand-in: a ZIP with sources and a PDF memo.
//!
//! Nothing in it is run or kept outside of memory. What is refused can be a danger to who opens it or cannot be looked
//! into; the rest is taken as it came, for a teacher to read.

use std::io::{self, Cursor, Seek, Write};

use palestra_games::{Phrase, phrase};
use palestra_protocol::{is_unseen, shown};
use palestra_sandbox::plain_file::read_bounded;
use zip::read::ZipFile;
use zip::{ZipArchive, ZipWriter};

/// The largest hand-in, in bytes.
pub const MAX_HAND_IN_BYTES: usize = 10 << 20;

/// Maximum number of bytes of all its files, decompressed.
const MAX_UNPACKED_BYTES: u64 = 40 << 20;

/// Maximum number of entries, folders and metadata included.
const MAX_ENTRIES: usize = 400;

/// Maximum number of bytes of a file's name.
const MAX_NAME_BYTES: usize = 120;

/// Metadata that operating systems add to ZIPs; these entries are skipped.
const NOISE: [&str; 3] = ["__MACOSX/", ".DS_Store", "Thumbs.db"];

/// Extensions of source files.
const SOURCES: [&str; 10] = ["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "py", "rs"];

/// Extensions of programs, which are refused without a look inside.
const PROGRAMS: [&str; 20] = [
    "a", "app", "bat", "class", "cmd", "com", "dll", "dylib", "exe", "jar", "lib", "msi", "o", "obj", "out", "ps1",
    "pyc", "scr", "so", "vbs",
];

/// What programs begin with: ELF, Mach-O in its forms, Java, static libraries, WebAssembly, Python's bytecode is known by its name.
const PROGRAM_BEGINS: [&[u8]; 8] = [
    b"\x7fELF",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"!<arch>\n",
    b"\0asm",
];

/// What archives begin with: ZIP, gzip, 7z, RAR, xz, bzip2, Zstandard.
const ARCHIVE_BEGINS: [&[u8]; 7] =
    [b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf\x27\x1c", b"Rar!", b"\xfd7zXZ\0", b"BZh", b"\x28\xb5\x2f\xfd"];

/// How far into a file the header of a PDF may be.
const PDF_HEADER_BYTES: usize = 1024;

/// The file type bits of a Unix mode (`S_IFMT`), and their values for a regular file (`S_IFREG`) and a folder
/// (`S_IFDIR`).
const MODE_TYPE_MASK: u32 = 0o170_000;
const MODE_FILE: u32 = 0o100_000;
const MODE_FOLDER: u32 = 0o040_000;

/// A hand-in that can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandIn {
    /// The one folder in which all files lay, which was taken off.
    pub folder: Option<String>,
    /// The names of its files.
    pub names: Vec<String>,
    /// The PDF and its name.
    pub memo: Option<(String, Vec<u8>)>,
}

/// A ZIP of many hand-ins, each in a folder of its own.
pub struct HandInBundle<W: Write + Seek>(ZipWriter<W>);

impl<W: Write + Seek> HandInBundle<W> {
    /// A bundle that is written here.
    pub fn new(to: W) -> Self {
        Self(ZipWriter::new(to))
    }

    /// Adds the files of a hand-in that was taken, as they are compressed already.
    pub fn add(&mut self, folder: &str, archive: &[u8]) -> io::Result<()> {
        let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(io::Error::other)?;
        for index in 0..archive.len() {
            let entry = archive.by_index_raw(index).map_err(io::Error::other)?;
            let name = entry.name().map_err(io::Error::other)?.into_owned();
            let file = name.rsplit('/').next().unwrap_or_default();
            if !entry.is_dir() && !is_noise(&name) {
                self.0.raw_copy_file_rename(entry, format!("{folder}/{file}")).map_err(io::Error::other)?;
            }
        }
        Ok(())
    }

    /// Ends the bundle.
    pub fn finish(self) -> io::Result<W> {
        self.0.finish().map_err(io::Error::other)
    }
}

/// Why a hand-in is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HandInError(pub Phrase);

impl HandIn {
    /// Looks into a ZIP.
    pub fn read(bytes: &[u8]) -> Result<Self, HandInError> {
        Self::unpack(bytes).map_err(HandInError)
    }

    /// Whether there is a source file among the files.
    #[must_use]
    pub fn has_source(&self) -> bool {
        self.names.iter().any(|name| has_extension(name, &SOURCES))
    }

    fn unpack(bytes: &[u8]) -> Result<Self, Phrase> {
        if bytes.len() > MAX_HAND_IN_BYTES {
            let most = (MAX_HAND_IN_BYTES >> 20) as u32;
            return Err(phrase!("hand_in.large", "it has more than {most} MiB", most));
        }
        let damaged = || phrase!("hand_in.zip", "it is not a ZIP that can be read");
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| damaged())?;
        if archive.has_duplicate_names() {
            return Err(phrase!("hand_in.twice", "two of its files have the same name"));
        }
        if archive.len() > MAX_ENTRIES {
            return Err(phrase!("hand_in.many", "it has more than {most} files", most = MAX_ENTRIES));
        }
        let (mut files, mut room) = (vec![], MAX_UNPACKED_BYTES);
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).map_err(|_| damaged())?;
            let name = entry.name().map_err(|_| damaged())?.into_owned();
            check_name(&name)?;
            if !is_file(&entry, &name)? || is_noise(&name) {
                continue;
            }
            let content = read_bounded(&mut entry, room).map_err(|_| damaged())?.ok_or_else(bomb)?;
            room -= content.len() as u64;
            check_content(&name, &content)?;
            files.push((name, content));
        }
        Self::of_files(files)
    }

    /// The hand-in of files whose names and contents have been checked one by one.
    fn of_files(files: Vec<(String, Vec<u8>)>) -> Result<Self, Phrase> {
        let folder = common_folder(&files)?;
        let (mut names, mut memo): (Vec<String>, Option<(String, Vec<u8>)>) = (vec![], None);
        for (path, content) in files {
            let name = path.rsplit('/').next().unwrap_or_default().to_owned();
            if has_extension(&name, &["pdf"]) {
                if let Some((other, _)) = &memo {
                    return Err(phrase!(
                        "hand_in.pdfs",
                        "there are two PDFs, \"{one}\" and \"{other}\": hand in the memo alone",
                        one = quoted(other),
                        other = quoted(&name)
                    ));
                }
                memo = Some((name.clone(), content));
            }
            names.push(name);
        }
        Ok(Self { folder, names, memo })
    }
}

fn is_noise(name: &str) -> bool {
    NOISE.iter().any(|noise| name.starts_with(noise) || name.ends_with(noise))
}

fn bomb() -> Phrase {
    let most = (MAX_UNPACKED_BYTES >> 20) as u32;
    phrase!("hand_in.bomb", "unpacked it has more than {most} MiB", most)
}

/// A name fit to be repeated.
fn quoted(name: &str) -> String {
    shown(name, 60).to_string()
}

/// Checks that a name reads as it is, and leads nowhere else.
fn check_name(name: &str) -> Result<(), Phrase> {
    if name.chars().any(is_unseen) || name.len() > MAX_NAME_BYTES {
        return Err(phrase!(
            "hand_in.name",
            "the name \"{name}\" is too long, or has characters that cannot be seen or that turn the direction of text",
            name = quoted(name)
        ));
    }
    let is_astray = name.contains(['\\', ':']) || name.split('/').any(|part| part == ".." || part == ".");
    if is_astray || name.starts_with('/') || name.contains("//") {
        return Err(phrase!("hand_in.path", "\"{name}\" is no plain name of a file", name = quoted(name)));
    }
    Ok(())
}

/// Whether an entry is a file (`true`) or a folder (`false`). Links and special files are refused.
fn is_file(entry: &ZipFile<'_, Cursor<&[u8]>>, name: &str) -> Result<bool, Phrase> {
    match entry.unix_mode().map_or(0, |mode| mode & MODE_TYPE_MASK) {
        0 | MODE_FILE | MODE_FOLDER => Ok(!entry.is_dir()),
        _ => Err(phrase!("hand_in.link", "\"{name}\" is a link, or no file at all", name = quoted(name))),
    }
}

/// Checks that a file is neither a program nor an archive under another name, and a PDF if its name says so.
fn check_content(name: &str, content: &[u8]) -> Result<(), Phrase> {
    let begins = |all: &[&[u8]]| all.iter().any(|begin| content.starts_with(begin));
    // A source may begin with MZ; a program of Windows has zeros soon after.
    let is_windows = content.starts_with(b"MZ") && content.iter().take(64).any(|byte| *byte == 0);
    if begins(&PROGRAM_BEGINS) || is_windows || has_extension(name, &PROGRAMS) {
        return Err(phrase!(
            "hand_in.program",
            "\"{name}\" is a compiled program or one that starts others: hand in what you wrote",
            name = quoted(name)
        ));
    }
    if begins(&ARCHIVE_BEGINS) && !is_office(name) {
        return Err(phrase!(
            "hand_in.archive",
            "\"{name}\" is an archive: put its files in the ZIP",
            name = quoted(name)
        ));
    }
    let head = &content[..content.len().min(PDF_HEADER_BYTES)];
    if has_extension(name, &["pdf"]) && !head.windows(5).any(|window| window == b"%PDF-") {
        return Err(phrase!("hand_in.pdf", "\"{name}\" is called a PDF and is none", name = quoted(name)));
    }
    Ok(())
}

/// Whether a name is that of a document that is an archive inside.
fn is_office(name: &str) -> bool {
    has_extension(name, &["docx", "odt", "ods", "xlsx"])
}

/// Whether a name ends in a dot and one of these, in any case.
fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| extensions.contains(&extension.as_str()))
}

/// The one folder in which all files lie, if there is one.
fn common_folder(files: &[(String, Vec<u8>)]) -> Result<Option<String>, Phrase> {
    let (first, _) = files.first().ok_or_else(|| phrase!("hand_in.empty", "there is no file in it"))?;
    let folder = first.split_once('/').map(|(folder, _)| folder.to_owned());
    for (name, _) in files {
        let rest = match &folder {
            None => Some(name.as_str()),
            Some(folder) => name.strip_prefix(folder.as_str()).and_then(|rest| rest.strip_prefix('/')),
        };
        if rest.is_none_or(|rest| rest.contains('/')) {
            return Err(phrase!(
                "hand_in.folders",
                "its files lie in several folders (\"{name}\"): put all of them in one, or in none",
                name = quoted(name)
            ));
        }
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(vec![]));
        for (name, content) in files {
            writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
            writer.write_all(content).expect("its content");
        }
        writer.finish().expect("a zip").into_inner()
    }

    fn good() -> Vec<u8> {
        zip(&[("p1/Lento.h", b"class Lento;"), ("p1/Lento.cpp", b"int x;"), ("p1/Memoria final.pdf", b"%PDF-1.4\n")])
    }

    /// The key of the reason why this is refused.
    #[track_caller]
    fn refused(files: &[(&str, &[u8])]) -> &'static str {
        HandIn::read(&zip(files)).expect_err("it is refused").0.key().expect("a key")
    }

    #[test]
    fn one_folder_is_taken_off() {
        let read = HandIn::read(&good()).expect("a good one");
        assert_eq!(read.folder.as_deref(), Some("p1"));
        assert_eq!(read.names, ["Lento.h", "Lento.cpp", "Memoria final.pdf"]);
        assert_eq!(read.memo.as_ref().map(|(name, _)| name.as_str()), Some("Memoria final.pdf"));
        assert!(read.has_source());
        let read = HandIn::read(&zip(&[("MEMO.PDF", b"\xef\xbb\xbf%PDF-2.0")])).expect("a memo alone");
        assert_eq!((read.folder.as_ref(), read.has_source(), read.memo.is_some()), (None, false, true));
    }

    #[test]
    fn what_lies_is_refused() {
        assert_eq!(refused(&[("bot.cpp", b"\x7fELF\x02\x01")]), "hand_in.program");
        assert_eq!(refused(&[("bot.cpp", b"MZ\x90\0\x03")]), "hand_in.program");
        assert_eq!(refused(&[("run.EXE", b"text")]), "hand_in.program");
        assert_eq!(refused(&[("memo.pdf", b"I am a text")]), "hand_in.pdf");
        assert_eq!(refused(&[("inner.txt", &zip(&[("a", b"b")]))]), "hand_in.archive");
        assert_eq!(refused(&[("a/b/c.cpp", b"")]), "hand_in.folders");
        assert_eq!(refused(&[("a/b.cpp", b""), ("c.cpp", b"")]), "hand_in.folders");
        assert_eq!(refused(&[("a/b.cpp", b""), ("ab/c.cpp", b"")]), "hand_in.folders");
        assert_eq!(refused(&[("../b.cpp", b"")]), "hand_in.path");
        assert_eq!(refused(&[("/b.cpp", b"")]), "hand_in.path");
        assert_eq!(refused(&[("..\\b.cpp", b"")]), "hand_in.path");
        assert_eq!(refused(&[("fdp.\u{202e}ppc", b"")]), "hand_in.name");
        assert_eq!(refused(&[("a.pdf", b"%PDF-"), ("b.pdf", b"%PDF-")]), "hand_in.pdfs");
        assert_eq!(refused(&[]), "hand_in.empty");
        assert_eq!(HandIn::read(b"no zip").expect_err("refused").0.key(), Some("hand_in.zip"));
        let large = vec![0; MAX_HAND_IN_BYTES + 1];
        assert_eq!(HandIn::read(&large).expect_err("refused").0.key(), Some("hand_in.large"));
    }

    #[test]
    fn what_only_looks_odd_is_taken() {
        for (name, content) in
            [("MZ.cpp", &b"MZ is a name\n"[..]), ("notas.docx", b"PK\x03\x04"), ("práctica 1.cpp", b"")]
        {
            assert!(HandIn::read(&zip(&[(name, content)])).is_ok(), "{name}");
        }
        let noise = [("p/a.cpp", &b""[..]), ("__MACOSX/p/._a.cpp", b""), ("p/.DS_Store", b"")];
        assert_eq!(HandIn::read(&zip(&noise)).expect("noise is skipped").names, ["a.cpp"]);
    }

    #[test]
    fn a_zip_bomb_is_refused() {
        let zeros = vec![0; MAX_UNPACKED_BYTES as usize / 2 + 1];
        let bomb = zip(&[("a.txt", &zeros), ("b.txt", &zeros)]);
        assert!(bomb.len() < 1 << 20);
        assert_eq!(HandIn::read(&bomb).expect_err("refused").0.key(), Some("hand_in.bomb"));
    }

    #[test]
    fn all_hand_ins_make_one_zip() {
        let mut bundle = HandInBundle::new(Cursor::new(vec![]));
        bundle.add("A1 Ana", &good()).expect("a good one");
        bundle.add("A1 Ben", &zip(&[("bot.py", b"pass"), ("__MACOSX/._bot.py", b"")])).expect("a good one");
        let bytes = bundle.finish().expect("a zip").into_inner();
        let mut read = ZipArchive::new(Cursor::new(bytes)).expect("a zip");
        let names: Vec<_> =
            (0..read.len()).map(|at| read.by_index(at).expect("it").name().expect("it").into_owned()).collect();
        assert_eq!(names, ["A1 Ana/Lento.h", "A1 Ana/Lento.cpp", "A1 Ana/Memoria final.pdf", "A1 Ben/bot.py"]);
        let mut text = String::new();
        io::Read::read_to_string(&mut read.by_index(3).expect("it"), &mut text).expect("its text");
        assert_eq!(text, "pass");
    }

    #[test]
    fn links_are_refused() {
        let mut writer = ZipWriter::new(Cursor::new(vec![]));
        writer.add_symlink("a.cpp", "/etc/passwd", SimpleFileOptions::default()).expect("a link");
        let bytes = writer.finish().expect("a zip").into_inner();
        assert_eq!(HandIn::read(&bytes).expect_err("refused").0.key(), Some("hand_in.link"));
    }

    proptest! {
        #[test]
        fn no_mutation_does_harm(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..6),
        ) {
            let mut bytes = good();
            for (at, byte, kind) in changes {
                let at = at.index(bytes.len());
                match kind {
                    0 => bytes[at] = byte,
                    1 => bytes.insert(at, byte),
                    _ => drop(bytes.remove(at)),
                }
            }
            if let Ok(read) = HandIn::read(&bytes) {
                prop_assert!(read.names.iter().all(|name| !name.contains('/') && !name.chars().any(is_unseen)));
                prop_assert!(read.memo.is_none_or(|(_, pdf)| pdf.windows(5).any(|window| window == b"%PDF-")));
            }
        }
    }
}
