//! The store for programs without an async runtime, such as the commands that write and restore backups.

use std::io::{BufRead, Write};
use std::path::Path;

use tokio::runtime::{Builder, Runtime};

use crate::{BackupError, OpenOptions, Store, StoreError};

/// A [`Store`] with a runtime of its own. Its functions block the calling thread, and must not be called from async code.
// None of them is generic: so their futures are compiled in this crate, not in each that calls them.
pub struct BlockingStore {
    store: Store,
    runtime: Runtime,
}

impl BlockingStore {
    /// Opens the database at an address, see [`Store::open_with`].
    pub fn open(address: &str, options: &OpenOptions) -> Result<Self, StoreError> {
        let runtime = runtime()?;
        let store = runtime.block_on(Store::open_with(address, options))?;
        Ok(Self { store, runtime })
    }

    /// Opens a SQLite file, see [`Store::open_file_with`].
    pub fn open_file(path: &Path, options: &OpenOptions) -> Result<Self, StoreError> {
        let runtime = runtime()?;
        let store = runtime.block_on(Store::open_file_with(path, options))?;
        Ok(Self { store, runtime })
    }

    /// Writes a backup, see [`Store::backup`].
    pub fn backup(&self, mut out: &mut (dyn Write + Send)) -> Result<u64, BackupError> {
        self.runtime.block_on(self.store.backup(&mut out))
    }

    /// Restores a backup, see [`Store::restore`].
    pub fn restore(&self, input: &mut (dyn BufRead + Send)) -> Result<u64, BackupError> {
        self.runtime.block_on(self.store.restore(input))
    }

    /// Closes the database.
    pub fn close(self) {
        self.runtime.block_on(self.store.close());
    }
}

fn runtime() -> Result<Runtime, StoreError> {
    Builder::new_current_thread().enable_all().build().map_err(|error| StoreError::Other(sqlx::Error::Io(error)))
}
