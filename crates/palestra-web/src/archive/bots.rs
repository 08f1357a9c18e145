//! The bots of a course, with the sources of all their versions.

use std::io::Write;

use palestra_store::{Bot, BotVersion};

use super::csv::{number, table, text};
use super::{Archive, ArchiveError};
use crate::page::time;

impl<W: Write> Archive<'_, W> {
    /// A list of the bots, and a folder for each version.
    pub(super) fn bots(&mut self) -> Result<(), ArchiveError> {
        let bots = self.wait(self.app.store.bots_of_course(self.course.id))?;
        let row = |bot: &Bot| {
            let Bot { name, game, language, nickname, house, active, withdrawn, created_ms, .. } = bot;
            let house = house.word().unwrap_or_default().to_owned();
            let since = time(*created_ms);
            [
                name.clone(),
                game.clone(),
                language.clone(),
                text(nickname),
                house,
                number(*active),
                number(*withdrawn),
                since,
            ]
        };
        let head = ["name", "game", "language", "owner", "house", "active_version", "withdrawn", "created"];
        self.add("bots.csv", &table(head, bots.iter().map(row)))?;
        bots.iter().try_for_each(|bot| self.versions(bot))
    }

    fn versions(&mut self, bot: &Bot) -> Result<(), ArchiveError> {
        let folder = format!("bots/{}", bot.name);
        let versions = self.wait(self.app.store.versions_of(bot.id))?;
        let row = |version: &BotVersion| {
            let BotVersion { number, note, source_hash, state, compiler, flags, created_ms, .. } = version;
            let (number, state, since) = (number.to_string(), state.to_string(), time(*created_ms));
            [number, state, note.clone(), source_hash.clone(), text(compiler), text(flags), since]
        };
        let head = ["version", "state", "note", "source_sha256", "compiler", "flags", "created"];
        self.add(&format!("{folder}/versions.csv"), &table(head, versions.iter().map(row)))?;
        for version in versions {
            for (name, content) in self.wait(self.app.store.version_files(version.id))? {
                self.add(&format!("{folder}/{}/{name}", version.number), &content)?;
            }
        }
        Ok(())
    }
}
