//! `palestra backup` and `palestra restore`.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use palestra_store::{BlockingStore, OpenOptions};
use palestra_web::DataFolder;
use tempfile::NamedTempFile;

use crate::cli::{Backup, Place, Restore};
use crate::ui::error::HintExt;
use crate::ui::units::counted;

/// Writes a backup; a server may run meanwhile.
pub(crate) fn backup(args: &Backup, out: &mut impl Write) -> Result<()> {
    let path = &args.file;
    if path.exists() {
        bail!("{} exists: backups never replace files", path.display());
    }
    let store = open_existing(&args.place)?;
    let draft = draft(path)?;
    let mut file = BufWriter::new(draft.as_file());
    let rows = store.backup(&mut file)?;
    file.flush()?;
    drop(file);
    draft.as_file().sync_all()?;
    draft.persist_noclobber(path).with_context(|| format!("cannot write {}", path.display()))?;
    store.close();
    writeln!(out, "{} in {}", counted(rows, "row", "rows"), path.display())?;
    Ok(())
}

fn open_existing(place: &Place) -> Result<BlockingStore> {
    check_existing(place)?;
    let options = OpenOptions { must_exist: true, ..OpenOptions::default() };
    Ok(match place.database()? {
        Some(address) => BlockingStore::open(&address, &options)?,
        None => BlockingStore::open_file(&DataFolder::database(&place.data()), &options)?,
    })
}

/// Refuses a folder without a database.
pub(super) fn check_existing(place: &Place) -> Result<()> {
    if place.database()?.is_some() || DataFolder::database(&place.data()).exists() {
        return Ok(());
    }
    let missing = Err(anyhow::anyhow!("no database in {}", place.data().display()));
    missing.hint(|| "choose the server's folder with --data, or its PostgreSQL database with --database".to_owned())
}

/// Fills an empty database with a backup.
pub(crate) fn restore(args: &Restore, out: &mut impl Write) -> Result<()> {
    let path = args.file.display();
    let file = File::open(&args.file).with_context(|| format!("cannot read {path}"))?;
    let rows = fill(&args.place, &mut BufReader::new(file)).with_context(|| format!("{path} cannot be restored"))?;
    writeln!(out, "{} from {path}", counted(rows, "row", "rows"))?;
    Ok(())
}

fn fill(place: &Place, file: &mut BufReader<File>) -> Result<u64> {
    // The lock of the folder keeps a running server out.
    let folder = DataFolder::open(&place.data())?;
    let options = OpenOptions::default();
    let store = match place.database()? {
        Some(address) => BlockingStore::open(&address, &options)?,
        None => BlockingStore::open_file(&DataFolder::database(folder.path()), &options)?,
    };
    let restored = store.restore(file);
    store.close();
    restored.hint(|| "nothing was changed; restore into a new folder or an empty database".to_owned())
}

/// A file beside this one, readable for its owner alone; it is removed unless it is persisted.
pub(super) fn draft(path: &Path) -> Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let draft = NamedTempFile::new_in(folder).with_context(|| format!("cannot write {}", path.display()));
    draft.hint(|| "the folder must exist and be writable".to_owned())
}
