//! Where programs lie while they run in boxes: copies that nobody can change, in a place that boxes can reach.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use palestra_protocol::shown;
use rustix::fs::{StatVfsMountFlags, statvfs};

/// Our folders begin with this.
const PREFIX: &str = "palestra-box-";

/// What a folder that is copied may have at most.
const MOST_BYTES: u64 = 256 << 20;
const MOST_FILES: u64 = 4_000;

static FOLDERS: AtomicU64 = AtomicU64::new(0);

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
        sweep(place);
        let folder = place.join(format!("{PREFIX}{}-{}", process::id(), FOLDERS.fetch_add(1, Ordering::Relaxed)));
        // It must be new: somebody else may have made one of this name to see what comes.
        fs::DirBuilder::new().mode(0o700).create(&folder)?;
        let lock = File::create(folder.join("lock"))?;
        lock.lock()?;
        let stage = Self { folder, _lock: lock };
        for part in ["root", "rust"] {
            fs::create_dir(stage.folder.join(part))?;
        }
        // Boxes of root pass through here under other numbers, and need not see what else there is.
        fs::set_permissions(&stage.folder, Permissions::from_mode(0o711))?;
        Ok(stage)
    }

    /// The empty folder that boxes build their roots on.
    pub(super) fn root(&self) -> PathBuf {
        self.folder.join("root")
    }

    /// An empty folder for a program.
    pub(super) fn empty(&self) -> io::Result<Staged> {
        let folder = self.folder.join(FOLDERS.fetch_add(1, Ordering::Relaxed).to_string());
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
#[derive(Debug)]
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

    /// Copies a file.
    pub(super) fn copy(&self, file: &Path, name: &OsStr) -> io::Result<()> {
        copy(file, &self.folder.join(name))
    }

    /// Copies a folder with all that is in it. Links are left out.
    pub(super) fn copy_folder(&self, from: &Path) -> io::Result<()> {
        copy_folder(from, &self.folder, &mut (MOST_BYTES, MOST_FILES))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    fs::set_permissions(to, Permissions::from_mode(0o555))
}

fn copy_folder(from: &Path, to: &Path, left: &mut (u64, u64)) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            fs::create_dir(&to)?;
            fs::set_permissions(&to, Permissions::from_mode(0o755))?;
            copy_folder(&entry.path(), &to, left)?;
        } else if kind.is_file() {
            let size = entry.metadata()?.len();
            let too_much = || io::Error::other(format!("more than {} MiB or {MOST_FILES} files", MOST_BYTES >> 20));
            *left = (left.0.checked_sub(size).ok_or_else(too_much)?, left.1.checked_sub(1).ok_or_else(too_much)?);
            copy(&entry.path(), &to)?;
        }
    }
    Ok(())
}

/// Where folders for the time of running are made, the best first; only those that programs can be run from.
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

/// Removes what processes that were killed have left.
fn sweep(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        let is_left = || File::open(entry.path().join("lock")).is_ok_and(|lock| lock.try_lock().is_ok());
        if is_ours && is_left() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
