//! `palestra backup` and `palestra restore`.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use palestra_store::{OpenOptions, Store};
use palestra_web::DataFolder;
use tempfile::NamedTempFile;

use crate::cli::{Backup, Place, Restore};
use crate::commands::serve::runtime;
use crate::ui::error::HintExt;
use crate::ui::units::counted;

/// Writes a backup; a server may run meanwhile.
pub(crate) fn backup(args: &Backup, out: &mut impl Write) -> Result<()> {
    let path = &args.file;
    if path.exists() {
        bail!("{} exists already: a backup is never written over", path.display());
    }
    let rows = runtime()?.block_on(async {
        let store = open_existing(&args.place).await?;
        let draft = draft(path)?;
        let mut file = BufWriter::new(draft.as_file());
        let rows = store.backup(&mut file).await?;
        file.flush()?;
        drop(file);
        draft.as_file().sync_all()?;
        draft.persist_noclobber(path).with_context(|| format!("cannot write {}", path.display()))?;
        store.close().await;
        anyhow::Ok(rows)
    })?;
    writeln!(out, "{} in {}", counted(rows, "row", "rows"), path.display())?;
    Ok(())
}

async fn open_existing(place: &Place) -> Result<Store> {
    let options = OpenOptions { must_exist: true, ..OpenOptions::default() };
    if let Some(address) = place.database()? {
        return Ok(Store::open_with(&address, &options).await?);
    }
    let path = DataFolder::database(&place.data());
    if !path.exists() {
        let missing = Err(anyhow::anyhow!("there is no database in {}", place.data().display()));
        return missing.hint(|| "--data names the folder of the server, --database its PostgreSQL".to_owned());
    }
    Ok(Store::open_file_with(&path, &options).await?)
}

/// Fills an empty database with a backup.
pub(crate) fn restore(args: &Restore, out: &mut impl Write) -> Result<()> {
    let path = args.file.display();
    let file = File::open(&args.file).with_context(|| format!("cannot read {path}"))?;
    let restored = runtime()?.block_on(async {
        // A server that runs on the same folder would be surprised.
        let folder = DataFolder::open(&args.place.data())?;
        let store = match args.place.database()? {
            Some(address) => Store::open(&address).await?,
            None => Store::open_file(&DataFolder::database(folder.path())).await?,
        };
        let restored = store.restore(BufReader::new(file)).await;
        store.close().await;
        let empty = || "nothing was changed; a backup is restored into a new folder or an empty database".to_owned();
        restored.hint(empty)
    });
    let rows = restored.with_context(|| format!("{path} cannot be restored"))?;
    writeln!(out, "{} from {path}", counted(rows, "row", "rows"))?;
    Ok(())
}

/// A file beside this one, readable for its owner alone; it is removed unless it is persisted.
fn draft(path: &Path) -> Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let draft = NamedTempFile::new_in(folder).with_context(|| format!("cannot write {}", path.display()));
    draft.hint(|| "the folder must be there, and you must be allowed to write in it".to_owned())
}
