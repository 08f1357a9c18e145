//! Zip archives in memory: packs files, and unpacks untrusted ones with limits on entries and decompressed size.

use std::io::{Cursor, Read, Write};

use palestra_protocol::shown;
use palestra_sandbox::plain_file::read_bounded;
use zip::read::ZipFile;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::upload::UploadError;
use super::{MAX_BYTES, MAX_FILES};

/// Metadata that operating systems add to zips; these entries are skipped.
const NOISE: [&str; 2] = ["__MACOSX/", ".DS_Store"];

/// Limits of an archive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Bytes of all files, decompressed.
    pub(crate) bytes: u64,
    /// Bytes of the archive.
    pub(crate) packed_bytes: u64,
    /// Files. Folders and metadata may be three times as many.
    pub(crate) files: usize,
}

/// Limits of the source of one program.
const OF_PROGRAM: Bounds = Bounds { bytes: MAX_BYTES, packed_bytes: MAX_BYTES, files: MAX_FILES };

/// The file type bits of a Unix mode (`S_IFMT`), and their values for a regular file (`S_IFREG`) and a folder
/// (`S_IFDIR`).
const MODE_TYPE_MASK: u32 = 0o170_000;
const MODE_FILE: u32 = 0o100_000;
const MODE_FOLDER: u32 = 0o040_000;

/// The files of a zip; a single top-level folder is stripped.
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, UploadError> {
    without_folder(unpack_all(bytes, OF_PROGRAM)?)
}

/// The files of a zip with their paths, as the zip tells them. Limits apply to the decompressed bytes, not to the sizes
/// that the headers claim.
pub(crate) fn unpack_all(bytes: &[u8], bounds: Bounds) -> Result<Vec<(String, Vec<u8>)>, UploadError> {
    if bytes.len() as u64 > bounds.packed_bytes {
        return Err(UploadError::TooLarge);
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    if archive.has_duplicate_names() {
        return Err(UploadError::Zip("two of its entries have the same name".to_owned()));
    }
    if archive.len() > 4 * bounds.files {
        return Err(UploadError::TooMany);
    }
    let (mut files, mut room) = (vec![], bounds.bytes);
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(damaged)?;
        let name = entry.name().map_err(damaged)?.into_owned();
        let is_noise = NOISE.iter().any(|noise| name.starts_with(noise) || name.ends_with(noise));
        if is_file(&entry, &name)? && !is_noise {
            let content = read(&mut entry, room)?;
            room -= content.len() as u64;
            files.push((name, content));
        }
    }
    Ok(files)
}

/// A zip of these files. An error is one of a name that a zip cannot have.
pub fn pack<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> std::io::Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(vec![]));
    for (name, content) in files {
        writer.start_file(name, SimpleFileOptions::default())?;
        writer.write_all(content)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn damaged(error: ZipError) -> UploadError {
    UploadError::Zip(error.to_string())
}

/// Whether an entry is a file (`true`) or a folder (`false`). Symlinks and special files are refused.
fn is_file(entry: &ZipFile<'_, Cursor<&[u8]>>, name: &str) -> Result<bool, UploadError> {
    match entry.unix_mode().map_or(0, |mode| mode & MODE_TYPE_MASK) {
        0 | MODE_FILE | MODE_FOLDER => Ok(!entry.is_dir()),
        _ => Err(UploadError::Zip(format!("'{}' is a link, or no file at all", shown(name, 64)))),
    }
}

/// Decompresses an entry of at most `room` bytes.
fn read(entry: &mut impl Read, room: u64) -> Result<Vec<u8>, UploadError> {
    let content = read_bounded(entry, room).map_err(|error| UploadError::Zip(error.to_string()))?;
    content.ok_or(UploadError::TooLarge)
}

/// Strips the top-level folder, if the archive has one.
fn without_folder(files: Vec<(String, Vec<u8>)>) -> Result<Vec<(String, Vec<u8>)>, UploadError> {
    let folder = files.first().and_then(|(name, _)| name.split_once('/')).map(|(folder, _)| folder);
    let folder = match folder {
        Some("" | "..") => return Err(UploadError::Zip("its files lie outside of it".to_owned())),
        folder => folder.map(|folder| format!("{folder}/")).unwrap_or_default(),
    };
    let stripped = files.into_iter().map(|(name, content)| match name.strip_prefix(&folder) {
        Some(rest) if !rest.contains('/') => Ok((rest.to_owned(), content)),
        _ => Err(UploadError::Zip("its files lie in several folders".to_owned())),
    });
    stripped.collect()
}
