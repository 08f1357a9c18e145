//! Fingerprints of what is compared, kept in memory: after a change only what changed is read anew.

use std::sync::Arc;

use palestra_arena::copies::{Fingerprint, Given, Program, Sources};
use palestra_store::{AddedSources, Id};

use super::found::{Found, TeamSources};
use super::program::{ReadSources, given};
use crate::app::App;
use crate::cache::Weighed;
use crate::http::error::Refused;
use crate::rendering::Load;

/// The fingerprints of a team, of a version of a bot, or of the programs in a ZIP.
#[derive(Debug, Default)]
pub(super) struct Prints {
    /// Each with the name of its folder, if it is one of a ZIP.
    pub(super) programs: Vec<(String, Fingerprint)>,
    /// Whether sources are missing.
    pub(super) is_partial: bool,
}

impl Weighed for Prints {
    fn bytes(&self) -> usize {
        let program = |(name, print): &(String, Fingerprint)| name.len() + print.len() * size_of::<u64>();
        let programs: usize = self.programs.iter().map(program).sum();
        size_of::<Self>() + size_of_val(self.programs.as_slice()) + programs
    }
}

/// Makes fingerprints without the code that was given to all of a course.
pub(super) struct Printer<'a> {
    app: &'a App,
    given: Arc<Given>,
    given_key: String,
}

impl<'a> Printer<'a> {
    pub(super) async fn new(app: &'a App, found: &Found) -> Result<Self, Refused> {
        Ok(Self { app, given: given(app, found).await?, given_key: found.given_key() })
    }

    /// The fingerprint of a team's sources.
    pub(super) async fn team(&self, team: &TeamSources) -> Result<Arc<Prints>, Refused> {
        let key = format!("team {}/ {}", self.given_key, team.key());
        if let Some(prints) = self.app.copies.prints.find(&key) {
            return Ok(prints);
        }
        let read = ReadSources::of_team(self.app, team).await?;
        let program = Sources { name: String::new(), files: read.files };
        self.make(&key, || vec![program], read.is_partial).await
    }

    /// The fingerprint of a version of a bot.
    pub(super) async fn version(&self, version: Id) -> Result<Arc<Prints>, Refused> {
        let key = format!("version {}/ {version}", self.given_key);
        if let Some(prints) = self.app.copies.prints.find(&key) {
            return Ok(prints);
        }
        let files = self.app.store.version_files(version).await?;
        self.make(&key, || vec![Sources { name: String::new(), files }], false).await
    }

    /// The fingerprints of sources that a teacher has added, a program each.
    pub(super) async fn added(&self, sources: &AddedSources) -> Result<Arc<Prints>, Refused> {
        let key = format!("zip {}/ {}", self.given_key, sources.archive_hash);
        if let Some(prints) = self.app.copies.prints.find(&key) {
            return Ok(prints);
        }
        let Some(archive) = self.app.store.blob(&sources.archive_hash).await? else { return Ok(Arc::default()) };
        // It was read when it came.
        self.make(&key, move || Sources::of_zip(&archive).unwrap_or_default(), false).await
    }

    /// Makes fingerprints of programs and keeps them, also if the visitor does not wait so long.
    async fn make(
        &self,
        key: &str,
        programs: impl FnOnce() -> Vec<Sources> + Send + 'static,
        is_partial: bool,
    ) -> Result<Arc<Prints>, Refused> {
        let (app, given, key) = (self.app.clone(), self.given.clone(), key.to_owned());
        let scan = move || {
            let scanned = |Sources { name, files }| (name, Program::new(&files, &given).fingerprint());
            let prints = Arc::new(Prints { programs: programs().into_iter().map(scanned).collect(), is_partial });
            app.copies.prints.keep(&key, prints.clone());
            prints
        };
        self.app.rendering.run(Load::Heavy, scan).await
    }
}
