//! The staging folder: read-only copies of the files of programs, bind-mounted into their boxes while they run.

use std::env;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use palestra_protocol::shown;
use rustix::fs::{StatVfsMountFlags, statvfs};

use crate::plain_file::{Entry, Folder, Links, NotPlain, open};

/// The names of our staging folders begin with this.
const STAGE_PREFIX: &str = "palestra-box-";

/// The most that a copied folder may hold.
const MAX_COPIED_BYTES: u64 = 256 << 20;
const MAX_COPIED_FILES: u64 = 4_000;

static NEXT_STAGE: AtomicU64 = AtomicU64::new(0);

/// A folder for all boxes of a sandbox, removed when dropped.
#[derive(Debug)]
pub(super) struct Stage {
    folder: PathBuf,
    /// Held as long as the folder is in use; what nobody holds was left by a process that was killed.
    _lock: File,
}

impl Stage {
    /// A new folder where programs can run from.
    pub(super) fn new() -> io::Result<Self> {
        let mut failure = io::Error::new(io::ErrorKind::NotFound, "there is no folder to run programs from");
        for place in places() {
            match Self::at(&place) {
                Ok(stage) => return Ok(stage),
                Err(error) => failure = io::Error::new(error.kind(), format!("{}: {error}", place.display())),
            }
        }
        Err(failure)
    }

    fn at(place: &Path) -> io::Result<Self> {
        if is_seen_in_boxes(place) {
            return Err(io::Error::other("all programs in boxes can read what lies there"));
        }
        sweep(place);
        let stage = loop {
            let folder =
                place.join(format!("{STAGE_PREFIX}{}-{}", process::id(), NEXT_STAGE.fetch_add(1, Ordering::Relaxed)));
            // It must be new: another user may have made one of this name to see what is put there.
            fs::DirBuilder::new().mode(0o700).create(&folder)?;
            let lock = File::create(folder.join("lock"))?;
            lock.lock()?;
            // A concurrent sweep may have taken it for a leftover before it was locked.
            if folder.join("lock").exists() {
                break Self { folder, _lock: lock };
            }
        };
        for part in ["root", "rust"] {
            fs::create_dir(stage.folder.join(part))?;
        }
        // Boxes of root pass through here under other numbers, and need not see what else there is.
        let mode = if rustix::process::getuid().is_root() { 0o711 } else { 0o700 };
        fs::set_permissions(&stage.folder, Permissions::from_mode(mode))?;
        Ok(stage)
    }

    /// Where all of it lies.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The empty folder that boxes build their roots on.
    pub(super) fn root(&self) -> PathBuf {
        self.folder.join("root")
    }

    /// An empty folder for a program.
    pub(super) fn empty(&self) -> io::Result<Staged> {
        let folder = self.folder.join(format!("{:016x}{:016x}", secret(), secret()));
        fs::DirBuilder::new().mode(0o755).create(&folder)?;
        fs::set_permissions(&folder, Permissions::from_mode(0o755))?;
        Ok(Staged { folder })
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The files of one program, removed when dropped.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Staged {
    folder: PathBuf,
}

impl Staged {
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a file that can be run, of this name and nowhere else.
    pub(super) fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let is_name = Path::new(name).file_name().is_some_and(|last| last == name);
        if !is_name {
            let what = format!("'{}' is no name of a file", shown(name, 64));
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let path = self.folder.join(name);
        File::create_new(&path)?.write_all(content)?;
        fs::set_permissions(path, Permissions::from_mode(0o555))
    }

    /// Copies a file of ours under another name.
    pub(super) fn copy_as(&self, file: &Path, name: &str) -> io::Result<()> {
        CopyBudget::default().copy(open(file, Links::Follow)?, &self.folder.join(name))
    }

    /// Copies files, and folders with all that is in them. A symlink is an error, unless it leads to a folder that is
    /// named here.
    pub(super) fn copy(&self, paths: &[&Path]) -> io::Result<()> {
        let mut budget = CopyBudget::default();
        for path in paths {
            let copied = match path.is_dir() {
                true => Folder::open(path).and_then(|folder| budget.copy_folder(&folder, &self.folder)),
                false => open(path, Links::Refuse)
                    .and_then(|file| budget.copy(file, &self.folder.join(path.file_name().unwrap_or_default()))),
            };
            copied.map_err(|error| match NotPlain::within(&error) {
                Some(_) => error,
                None => io::Error::new(error.kind(), format!("{}: {error}", path.display())),
            })?;
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// An unguessable number: a user who cannot list our folder must not find a program in it.
fn secret() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(NEXT_STAGE.fetch_add(1, Ordering::Relaxed))
}

/// How much more may be copied.
struct CopyBudget {
    bytes: u64,
    files: u64,
}

impl Default for CopyBudget {
    fn default() -> Self {
        Self { bytes: MAX_COPIED_BYTES, files: MAX_COPIED_FILES }
    }
}

impl CopyBudget {
    fn copy(&mut self, from: File, to: &Path) -> io::Result<()> {
        let too_much =
            || io::Error::other(format!("more than {} MiB or {MAX_COPIED_FILES} files", MAX_COPIED_BYTES >> 20));
        self.files = self.files.checked_sub(1).ok_or_else(too_much)?;
        let mut copy = File::create_new(to).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => io::Error::other("another file of the program has the same name"),
            _ => error,
        })?;
        if from.metadata()?.len() > self.bytes {
            return Err(too_much());
        }
        let copied = io::copy(&mut from.take(self.bytes + 1), &mut copy)?;
        self.bytes = self.bytes.checked_sub(copied).ok_or_else(too_much)?;
        copy.set_permissions(Permissions::from_mode(0o555))
    }

    fn copy_folder(&mut self, from: &Folder, to: &Path) -> io::Result<()> {
        for name in from.names()? {
            let to = to.join(&name);
            match from.entry(&name)? {
                Entry::File(file) => self.copy(file, &to)?,
                Entry::Folder(folder) => {
                    fs::create_dir(&to)?;
                    fs::set_permissions(&to, Permissions::from_mode(0o755))?;
                    self.copy_folder(&folder, &to)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether every program in a box can read what lies there: it sees all that belongs to the system.
#[must_use]
pub fn is_seen_in_boxes(path: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let path = real(path);
    ["/usr", "/bin", "/lib", "/lib32", "/lib64", "/sbin"].iter().any(|seen| path.starts_with(real(Path::new(seen))))
}

/// Places for temporary folders, the best first; only file systems from which programs can be run.
fn places() -> Vec<PathBuf> {
    let own = ["RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    // What others than root cannot enter is of no use to boxes of root.
    let is_root = rustix::process::getuid().is_root();
    let own = own.filter(|_| !is_root);
    let all = own.chain(["/run".into(), env::temp_dir(), "/var/tmp".into()]);
    all.filter(|place| {
        let may_run = |flags: StatVfsMountFlags| !flags.contains(StatVfsMountFlags::NOEXEC);
        place.is_absolute() && statvfs(place).is_ok_and(|found| may_run(found.f_flag))
    })
    .collect()
}

/// Removes what processes that were killed have left. In places that everybody writes to, others may have put anything
/// there under our names, such as a lock that is a pipe and blocks the process that opens it.
fn sweep(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    let own = rustix::process::getuid().as_raw();
    for entry in entries.flatten() {
        let is_named = entry.file_name().to_str().is_some_and(|name| name.starts_with(STAGE_PREFIX));
        let is_ours = is_named && entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == own);
        let lock = is_ours.then(|| File::open(entry.path().join("lock")).ok()).flatten();
        // Held until all is removed: a process that has just made the folder notices.
        if lock.as_ref().is_some_and(|lock| lock.try_lock().is_ok()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_the_system_is_seen() {
        for seen in ["/usr", "/usr/local", "/usr/share/data", "/bin", "/lib"] {
            assert!(is_seen_in_boxes(Path::new(seen)), "{seen}");
        }
        for hidden in ["/", "/tmp", "/usrlocal", "/home/usr"] {
            assert!(!is_seen_in_boxes(Path::new(hidden)), "{hidden}");
        }
        let refused = Stage::at(Path::new("/usr/share")).expect_err("it is seen");
        assert_eq!(refused.to_string(), "all programs in boxes can read what lies there");
    }
}
