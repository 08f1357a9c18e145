//! The sources of what is compared, read from the store.

use std::sync::Arc;

use palestra_arena::copies::{Given, Program, Sources};
use palestra_store::AddedSources;

use super::found::{Found, TeamSources};
use crate::app::App;
use crate::http::error::Refused;
use crate::rendering::Load;

/// A file: its name and its text.
pub(super) type File = (String, Vec<u8>);

/// Sources as they were read.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadSources {
    pub(super) files: Vec<File>,
    /// Whether some cannot be read, or are too large.
    pub(super) is_partial: bool,
}

impl ReadSources {
    /// The sources of a team. A file of a hand-in that is the same as one of the bot is there once.
    pub(super) async fn of_team(app: &App, team: &TeamSources) -> Result<Self, Refused> {
        let mut read = Self::default();
        if let Some(version) = &team.version {
            read.files = app.store.version_files(version.version_id).await?;
        }
        for hand_in in &team.hand_ins {
            let Some(archive) = app.store.blob(&hand_in.archive_hash).await? else { continue };
            let title = hand_in.title.clone();
            let unpack = move || Sources::of_hand_in(&title, &archive);
            match app.rendering.run(Load::Heavy, unpack).await? {
                Ok(sources) => read.add(sources),
                Err(_) => read.is_partial = true,
            }
        }
        Ok(read)
    }

    /// Adds the files of a hand-in that are not there yet.
    fn add(&mut self, sources: Sources) {
        for (file, text) in sources.files {
            let has = |name: &String| self.files.iter().any(|(other, _)| other == name);
            if !self.files.iter().any(|(_, other)| *other == text) {
                // Two assignments may have one title.
                let numbered = (2..).map(|number| format!("{} {number}/{file}", sources.name));
                let mut names = std::iter::once(format!("{}/{file}", sources.name)).chain(numbered);
                self.files.extend(names.find(|name| !has(name)).map(|name| (name, text)));
            }
        }
    }

    /// The program made of them, and the files.
    pub(super) fn scanned(self, given: &Given) -> (Program, Vec<File>) {
        (Program::new(&self.files, given), self.files)
    }
}

/// The programs that a teacher has added in one ZIP.
pub(super) async fn added(app: &App, added: &AddedSources) -> Result<Vec<Sources>, Refused> {
    let Some(archive) = app.store.blob(&added.archive_hash).await? else { return Ok(vec![]) };
    let unpack = move || Sources::of_zip(&archive);
    // It was read when it came.
    Ok(app.rendering.run(Load::Heavy, unpack).await?.unwrap_or_default())
}

/// The code that does not count in a course: that of the kits, and what its teachers have given to all.
pub(super) async fn given(app: &App, found: &Found) -> Result<Arc<Given>, Refused> {
    let mut programs = vec![];
    for given in &found.given {
        programs.extend(added(app, given).await?);
    }
    let make = move || {
        let mut given = Given::kits().clone();
        programs.iter().flat_map(|program| &program.files).for_each(|(name, text)| given.add(name, text));
        given
    };
    Ok(Arc::new(app.rendering.run(Load::Heavy, make).await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_handed_in_unchanged_counts_once() {
        let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        let mut read = ReadSources { files: vec![file("Bot.cpp", "int a;")], is_partial: false };
        let hand_in = |other: &str| {
            let files = vec![file("Bot.cpp", "int a;"), file("Other.cpp", other)];
            Sources { name: "P1".to_owned(), files }
        };
        read.add(hand_in("int b;"));
        assert_eq!(read.files, [file("Bot.cpp", "int a;"), file("P1/Other.cpp", "int b;")]);
        read.add(hand_in("int c;"));
        assert_eq!(read.files[2..], [file("P1 2/Other.cpp", "int c;")], "no two have one name");
    }
}
