//! All that a course holds, as one zip: roster, sources of bots, runs with their games and standings, hand-ins, marks and
//! sources that teachers have added.
//!
//! It is written while it is sent, so that no copy lies anywhere.

mod bots;
mod csv;
mod people;
mod pipe;
mod runs;
mod work;

use std::io::{self, Write};

use palestra_store::{Course, StoreError};
use serde_json::json;
use tokio::runtime::Handle;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{DateTime, ZipWriter};

use crate::app::App;
use crate::http::error::Refused;
use crate::page::time;
pub(crate) use pipe::{Turn, response};

/// Why an archive cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Something that the course holds cannot be read; the log has the reason.
    #[error("something in the course cannot be read")]
    Damaged,
}

impl From<Refused> for ArchiveError {
    fn from(_: Refused) -> Self {
        Self::Damaged
    }
}

/// An archive that is being written.
struct Archive<'a, W: Write> {
    app: &'a App,
    runtime: &'a Handle,
    course: &'a Course,
    zip: ZipWriter<StreamWriter<W>>,
}

/// Writes the archive of a course. It blocks, and must not be called from async code.
pub(crate) fn write(app: &App, runtime: &Handle, course: &Course, file: impl Write) -> Result<(), ArchiveError> {
    let mut archive = Archive { app, runtime, course, zip: ZipWriter::new_stream(file) };
    archive.course()?;
    archive.roster()?;
    archive.bots()?;
    archive.leagues()?;
    archive.assignments()?;
    archive.added_sources()?;
    archive.zip.finish().map_err(io::Error::from)?.into_inner().flush()?;
    Ok(())
}

impl<W: Write> Archive<'_, W> {
    /// Waits for a query.
    fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Adds a file.
    fn add(&mut self, name: &str, content: &[u8]) -> Result<(), ArchiveError> {
        self.begin(name)?;
        Ok(self.zip.write_all(content)?)
    }

    /// Begins a file: what is written then goes into it.
    fn begin(&mut self, name: &str) -> Result<(), ArchiveError> {
        // The same course makes the same archive.
        let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
        Ok(self.zip.start_file(name, options).map_err(io::Error::from)?)
    }

    fn course(&mut self) -> Result<(), ArchiveError> {
        let Course { code, name, year, game, options, time_rule, time_zone, ends_ms, .. } = self.course;
        let groups = self.wait(self.app.store.groups(self.course.id))?;
        let groups: Vec<_> = groups.iter().map(|group| json!({"code": group.code, "name": group.name})).collect();
        let course = json!({
            "code": code,
            "name": name,
            "year": year,
            "game": game,
            "options": options,
            "time_rule": time_rule.to_string(),
            "time_zone": time_zone,
            "ends": time(*ends_ms),
            "groups": groups,
        });
        self.add("course.json", format!("{course:#}\n").as_bytes())
    }
}

/// A name for a folder: the letters and digits of a text, and a code that tells apart what has the same name.
fn folder(name: &str, code: &str) -> String {
    const MAX_LENGTH: usize = 40;
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words.collect::<Vec<_>>().join("-").chars().take(MAX_LENGTH).collect();
    if name.is_empty() { code.to_owned() } else { format!("{name}-{code}") }
}

#[cfg(test)]
mod tests {
    use super::folder;

    #[test]
    fn a_folder_has_a_name_that_every_system_takes() {
        assert_eq!(folder("Liga oficial: A1/A2", "abc"), "Liga-oficial-A1-A2-abc");
        assert_eq!(folder("../..\\ \u{202e}", "abc"), "abc");
        assert_eq!(folder(&"ñ".repeat(99), "abc").chars().count(), 44);
    }
}
