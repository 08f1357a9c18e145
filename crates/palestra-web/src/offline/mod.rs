//! The data of a server that need not run, for the commands of its owner.

mod league;

use std::io::Write;

pub(crate) use league::run_league;
pub use league::{LeagueOrder, LeagueProgress, RunEnd};
use palestra_store::{Course, StoreError};
use tokio::runtime::Runtime;

use crate::api::courses::ListedCourse;
use crate::app::App;
use crate::archive::{self, ArchiveError};
use crate::assignments::Marks;
use crate::config::Config;
use crate::http::error::Refused;
use crate::http::origin::Origins;
use crate::locale::Locale;
use crate::server::{StartError, open_store};

/// Why a command on the data of a server fails.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    /// The data cannot be opened.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An archive cannot be written.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// Nothing has this code.
    #[error("there is no {0} with the code {1}")]
    NotFound(&'static str, String),
    /// A server would refuse it too.
    #[error("{0}")]
    Refused(String),
    /// A server uses the database.
    #[error("a server uses this database")]
    Served,
    /// Uploaded programs cannot run on this machine.
    #[error("uploaded programs cannot run here: {0}")]
    NoSandbox(String),
}

impl From<Refused> for OfflineError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused.text(Locale::English))
    }
}

/// What the requests of a server share, without the server.
async fn open(config: &Config) -> Result<App, StartError> {
    let origins = Origins::new(config.public_url.as_deref(), config.listen)?;
    // The address of the server, to which mails would link, is not known here.
    let config = Config { sends_mails: false, ..config.clone() };
    let store = open_store(&config).await?;
    App::new(config, origins, store)
}

async fn find(app: &App, code: &str) -> Result<Course, OfflineError> {
    let course = app.store.course(code).await?;
    course.ok_or_else(|| OfflineError::NotFound("course", code.to_owned()))
}

/// All courses, the latest first.
pub(crate) async fn courses(config: &Config) -> Result<Vec<ListedCourse>, OfflineError> {
    let app = open(config).await?;
    let mut found = vec![];
    for course in app.store.all_courses().await? {
        found.push(ListedCourse::of(&app.store, &course).await?);
    }
    app.store.close().await;
    Ok(found)
}

/// The marks of an assignment, and which games they come from.
pub(crate) async fn marks(config: &Config, code: &str) -> Result<Marks, OfflineError> {
    let app = open(config).await?;
    let assignment = app.store.assignment(code).await?;
    let assignment = assignment.ok_or_else(|| OfflineError::NotFound("assignment", code.to_owned()))?;
    let marks = Marks::of(&app, &assignment, Locale::English).await?;
    app.store.close().await;
    Ok(marks)
}

/// Writes all that a course holds.
pub(crate) fn archive_course(
    runtime: &Runtime,
    config: &Config,
    code: &str,
    file: &mut dyn Write,
) -> Result<(), OfflineError> {
    let app = runtime.block_on(open(config))?;
    let course = runtime.block_on(find(&app, code))?;
    archive::write(&app, runtime.handle(), &course, file)?;
    runtime.block_on(app.store.close());
    Ok(())
}
