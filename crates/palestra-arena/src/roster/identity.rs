//! What stands behind the name of an entrant, so that a journal notices when it was changed.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use palestra_games::fnv::Checksum;
use palestra_sandbox::executable::in_path;
use palestra_sandbox::plain_file::{Links, open};

use super::file::{is_script, modules};
use super::words::is_interpreter;
use super::{Entrant, EntrantKind};

impl Entrant {
    /// What stands behind the name: two entrants with the same identity play alike, and a program that was changed has
    /// another one. An interpreter that the system finds by its name counts by that name, wherever it lies.
    #[must_use]
    pub fn identity(&self) -> String {
        self.identified(|command| match command.split_first() {
            Some((program, args)) if is_found_interpreter(Path::new(program)) => {
                let name = Path::new(program).file_name().unwrap_or(program);
                (vec![name.to_owned()].into_iter().chain(args.iter().cloned()).collect(), fingerprint(args))
            }
            _ => (command.to_vec(), fingerprint(command)),
        })
    }

    /// The identity by which earlier journals know it, in which every interpreter counts with its path and its bytes.
    #[must_use]
    pub fn former_identity(&self) -> String {
        self.identified(|command| (command.to_vec(), fingerprint(command)))
    }

    fn identified(&self, of_command: impl FnOnce(&[OsString]) -> (Vec<OsString>, u64)) -> String {
        match &self.kind {
            EntrantKind::BuiltIn(name) => name.clone(),
            EntrantKind::Program(program) => {
                let (words, sum) = of_command(&program.command);
                let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
                format!("{} {sum:016x}", words.join(" "))
            }
        }
    }
}

/// Whether a program is an interpreter, and the one that its name alone would start.
fn is_found_interpreter(program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default();
    is_interpreter(program) && in_path(name).as_deref() == Some(program)
}

/// A checksum of the files that a command names: the program, its script with all that it may import, whatever it is
/// given.
fn fingerprint(command: &[OsString]) -> u64 {
    let mut sum = Checksum::default();
    for path in command.iter().map(Path::new).filter(|path| path.is_file()) {
        let modules = if is_script(path) { modules(path).unwrap_or_default() } else { vec![] };
        let others = modules.iter().skip(1).map(PathBuf::as_path);
        let files = [open(path, Links::Follow)].into_iter().chain(others.map(|path| open(path, Links::Refuse)));
        // What cannot be read is found out when the program starts.
        files.flatten().for_each(|file| drop(add(&mut sum, file)));
    }
    sum.value()
}

/// Adds a file piece by piece: it may be large.
fn add(sum: &mut Checksum, mut file: File) -> io::Result<()> {
    let mut piece = vec![0; 64 << 10];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(()),
            count => sum.add(&piece[..count]),
        }
    }
}
