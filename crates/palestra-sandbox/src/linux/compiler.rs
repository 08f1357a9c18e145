//! The compilers of this machine, as they are called in a box.
//!
//! A box has the system's own programs in `/usr`, but not the links in `/etc` that choose among them, and nothing that
//! people have installed for themselves. So compilers are called by their real paths, and a Rust that is not the
//! system's is brought in.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::BuildFailure;
use crate::executable::{PYTHON, is_systems};

/// Where a Rust that is not the system's lies in a box.
const RUST_INSIDE: &str = "/rust";

/// A compiler that boxes can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// Its path, and what it must be told because it is in a box.
    pub words: Vec<String>,
    /// The folder of the machine that it lies in, if that is not among the system's.
    pub folder: Option<PathBuf>,
}

impl Compiler {
    /// The compiler that is usually called so.
    pub fn named(name: &str) -> Result<Self, BuildFailure> {
        let found = match name {
            "rustc" => rustc(),
            _ => real(Path::new("/usr/bin").join(name)).map(|program| Self { words: vec![program], folder: None }),
        };
        found.ok_or_else(|| BuildFailure::NoCompiler { compiler: name.to_owned() })
    }
}

/// The system's Python.
pub fn python() -> Result<String, BuildFailure> {
    real(PYTHON).ok_or_else(|| BuildFailure::NoCompiler { compiler: "python3".to_owned() })
}

/// What all links lead to, if that is in the box.
fn real(path: impl AsRef<Path>) -> Option<String> {
    let path = fs::canonicalize(path).ok()?;
    is_systems(&path).then(|| path.to_str().map(str::to_owned))?
}

/// The Rust that is found where programs are looked for. It is asked once: installing another one takes a new start.
fn rustc() -> Option<Compiler> {
    static RUST: OnceLock<Option<Compiler>> = OnceLock::new();
    RUST.get_or_init(|| {
        let folder = sysroot().filter(|folder| can_be_read(folder))?;
        let linker = real("/usr/bin/cc")?;
        let words = |program: String| vec![program, "-C".to_owned(), format!("linker={linker}")];
        if is_systems(&folder) {
            let program = folder.join("bin/rustc").to_str()?.to_owned();
            return Some(Compiler { words: words(program), folder: None });
        }
        Some(Compiler { words: words(format!("{RUST_INSIDE}/bin/rustc")), folder: Some(folder) })
    })
    .clone()
}

/// Where the compiler and its libraries lie. What is called `rustc` is often a program that chooses among several.
fn sysroot() -> Option<PathBuf> {
    let mut rustc = Command::new("rustc");
    // It also looks for files that name another Rust, which a stranger may have left where we are.
    rustc.args(["--print", "sysroot"]).current_dir("/").stdin(Stdio::null()).stderr(Stdio::null());
    let output = rustc.output().ok().filter(|output| output.status.success())?;
    fs::canonicalize(str::from_utf8(&output.stdout).ok()?.trim_end()).ok()
}

/// Whether a box can read it: boxes of root run under other numbers. How they get there does not matter.
fn can_be_read(folder: &Path) -> bool {
    let all = [folder.to_owned(), folder.join("bin"), folder.join("bin/rustc"), folder.join("lib")];
    let is_open = |path: &PathBuf| fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o5 == 0o5);
    all.iter().all(is_open)
}
