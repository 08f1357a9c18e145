//! A program in a box: what of it goes in, and what it is called there.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use palestra_sandbox::executable::{PYTHON, is_systems};
use palestra_sandbox::plain_file::NotPlain;
use palestra_sandbox::{Allowance, Boxed, Process, Sandbox, SandboxError, USUAL_MEMORY};

use super::{EntrantError, file};
use crate::source::BuildError;

/// A program that runs in a box whenever it is started.
#[derive(Clone, Debug)]
pub struct InBox {
    sandbox: Arc<Sandbox>,
    program: Boxed,
}

impl PartialEq for InBox {
    fn eq(&self, other: &Self) -> bool {
        self.program == other.program
    }
}

impl Eq for InBox {}

impl InBox {
    /// A program that is packed already.
    #[cfg(target_os = "linux")]
    pub(crate) fn new(sandbox: &Arc<Sandbox>, program: Boxed) -> Self {
        Self { sandbox: Arc::clone(sandbox), program }
    }

    /// Packs what a command names. A program of the system runs where it is; any other is copied, and so is every file
    /// that its arguments name. A Python file brings those beside it, or all of `folder` if that is the program.
    pub(super) fn pack(
        sandbox: &Arc<Sandbox>,
        command: &[OsString],
        folder: Option<&Path>,
    ) -> Result<Self, EntrantError> {
        let mut parcel = Parcel { folder, paths: BTreeSet::new(), words: vec![] };
        let (program, args) = command.split_first().ok_or(EntrantError::Empty)?;
        let path = Path::new(program);
        let failed = |source| match source {
            SandboxError::Io(error) if NotPlain::within(&error).is_some() => BuildError::reading(path, error).into(),
            source => EntrantError::Box { path: path.into(), source },
        };
        if is_python(path) {
            parcel.words.push(python(args.first().map_or(path, Path::new))?);
        } else if file::is_script(path) {
            parcel.words.push(python(path)?);
            parcel.add(path).map_err(failed)?;
        } else if let Some(real) = fs::canonicalize(path).ok().filter(|real| is_systems(real)) {
            parcel.words.push(text(real.as_os_str()).map_err(failed)?);
        } else {
            parcel.add(path).map_err(failed)?;
        }
        for arg in args {
            if Path::new(arg).is_file() {
                parcel.add(Path::new(arg)).map_err(failed)?;
            } else {
                parcel.words.push(text(arg).map_err(failed)?);
            }
        }
        let paths: Vec<&Path> = parcel.paths.iter().map(PathBuf::as_path).collect();
        let words: Vec<&str> = parcel.words.iter().map(String::as_str).collect();
        let program = sandbox.pack_copies(&paths, &words).map_err(failed)?;
        Ok(Self { sandbox: Arc::clone(sandbox), program })
    }

    /// Starts the program in its box, with these limits on memory in bytes and on its total CPU time.
    pub(super) fn start(
        &self,
        command: &[OsString],
        memory: Option<u64>,
        cpu: Duration,
    ) -> Result<Process, EntrantError> {
        let allowance = Allowance { memory: memory.unwrap_or(USUAL_MEMORY), cpu };
        self.sandbox.start(&self.program, allowance).map_err(|error| match error {
            SandboxError::Program(error) => file::explain_in_box(command, error),
            source => EntrantError::Box { path: command.first().cloned().unwrap_or_default().into(), source },
        })
    }

    /// What its box lacks, in words.
    pub(super) fn lacks(&self) -> String {
        self.sandbox.lacks()
    }
}

/// What is put together for a box.
struct Parcel<'a> {
    /// The folder that is the whole program.
    folder: Option<&'a Path>,
    /// What is copied.
    paths: BTreeSet<PathBuf>,
    /// The command as it is inside.
    words: Vec<String>,
}

impl Parcel<'_> {
    /// A file of the program, which the command names here.
    fn add(&mut self, path: &Path) -> Result<(), SandboxError> {
        let name = path.file_name().unwrap_or_default();
        self.words.push(format!("/bot/{}", text(name)?));
        match self.folder {
            Some(folder) => {
                self.paths.insert(folder.into());
            }
            None if file::is_script(path) => self.paths.extend(file::modules(path)?),
            None => {
                self.paths.insert(path.into());
            }
        }
        Ok(())
    }
}

fn text(word: &OsStr) -> Result<String, SandboxError> {
    let no_text = || std::io::Error::other(format!("'{}' is not written in UTF-8", word.display()));
    Ok(word.to_str().map(str::to_owned).ok_or_else(no_text)?)
}

fn is_python(program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') == "python"
}

/// The Python for a script, if it is there. Boxes have no other: those lie in homes, or where people keep their own
/// things.
fn python(script: &Path) -> Result<String, EntrantError> {
    let is_there = fs::canonicalize(PYTHON).is_ok_and(|real| is_systems(&real));
    if is_there { Ok(PYTHON.to_owned()) } else { Err(EntrantError::NoSystemPython { path: script.into() }) }
}
