//! Files that the system can run.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// Whether a file may be run.
#[cfg(unix)]
pub fn is_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
pub fn is_executable(_: &Metadata) -> bool {
    true
}

/// The system's own Python.
pub const PYTHON: &str = "/usr/bin/python3";

/// Whether a file is the system's: it is in every box at its own place, unlike what people keep for themselves.
pub fn is_systems(real: &Path) -> bool {
    real.starts_with("/usr") && !["/usr/local", "/usr/src"].iter().any(|folder| real.starts_with(folder))
}

/// The program that the system would run by this name.
pub fn in_path(program: impl AsRef<OsStr>) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    let mut paths = env::split_paths(&folders).map(|folder| folder.join(program.as_ref()));
    paths.find(|path| fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && is_executable(&metadata)))
}
