//! The data folder: private to its owner, and locked by one process.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A folder that only its owner can look into, and that one program has for itself as long as this lives.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    /// The system takes the lock away when the file is closed, however the program ends.
    _lock: File,
}

/// Why a data folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another process holds its lock.
    #[error("another Palestra uses the folder {}", .0.display())]
    InUse(PathBuf),
    /// The folder cannot be created, locked or made private.
    #[error("the folder for data, {}: {cause}", path.display())]
    Other {
        /// Which folder.
        path: PathBuf,
        /// The underlying error.
        cause: io::Error,
    },
}

impl DataFolder {
    /// Makes the folder if need be, and takes it.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        Self::make(path)?;
        let other = |error| FolderError::Other { path: path.to_owned(), cause: error };
        let lock = OpenOptions::new().create(true).write(true).truncate(false).open(path.join("lock"));
        let lock = lock.map_err(other)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(FolderError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => Err(other(error)),
        }
    }

    /// Makes the folder if need be, and leaves it to others.
    pub fn make(path: &Path) -> Result<(), FolderError> {
        make_private(path).map_err(|error| FolderError::Other { path: path.to_owned(), cause: error })
    }

    /// The address of the database in a folder, for a server that was not told of another.
    #[must_use]
    pub fn database(path: &Path) -> PathBuf {
        path.join("palestra.db")
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Makes a folder that only its owner can look into; one that is there becomes so.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}
