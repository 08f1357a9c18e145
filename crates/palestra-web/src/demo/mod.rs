//! A demonstration: a server with a course, two groups, twelve bots, an assignment and a league that has been played.
//!
//! It is made in an empty folder, by what teachers and students do themselves: the bots are sources of the starter kits,
//! compiled and tried in boxes. Where there are no boxes, built-in players play under their names.

mod bots;
mod class;
mod plays;

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use palestra_store::StoreError;

use crate::app::App;
use crate::config::Config;
use crate::http::error::Refused;
use crate::jobs;
use crate::locale::Locale;
use crate::server::{Server, StartError};

/// The demonstration, made.
#[derive(Clone, Debug)]
pub struct Demo {
    /// Who can sign in.
    pub accounts: Vec<DemoAccount>,
    /// The address of the course on the server.
    pub course: String,
    /// The address of the run of the league.
    pub run: String,
    /// The address of the marks.
    pub marks: String,
}

/// A person who can sign in.
#[derive(Clone, Debug)]
pub struct DemoAccount {
    /// `admin`, `teacher` or `student`.
    pub role: &'static str,
    /// The address, used to sign in.
    pub email: String,
    /// The password.
    pub password: String,
}

/// What happens while the demonstration is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DemoNews {
    /// Built-in players play in place of the bots, for this reason.
    BuiltIn(String),
    /// So many of the bots have been compiled and tried.
    Built {
        /// How many.
        done: usize,
        /// Of how many.
        of: usize,
    },
    /// A bot does not play.
    NoBot {
        /// Its name.
        bot: String,
        /// Why not.
        reason: String,
    },
    /// So many games of the league have been played.
    Played {
        /// How many.
        done: i64,
        /// Of how many.
        of: i64,
    },
}

/// Why the demonstration cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// There is something in the folder.
    #[error("the folder {} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// The folder cannot be read.
    #[error("the folder {}: {cause}", path.display())]
    Folder {
        /// Which folder.
        path: PathBuf,
        /// The underlying error.
        cause: io::Error,
    },
    /// Others could reach the server.
    #[error("the demonstration is for this machine alone, and others can reach {0}")]
    NotLoopback(SocketAddr),
    /// The server cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The database fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The server refuses something.
    #[error("{0}")]
    Refused(String),
    /// What was just made is gone.
    #[error("something changes the database meanwhile")]
    Lost,
    /// Ctrl-C came before all was made.
    #[error("interrupted: the demonstration is unfinished")]
    Interrupted,
}

impl From<Refused> for DemoError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused.text(Locale::English))
    }
}

/// Interval at which is looked how far bots and games are.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// Makes the demonstration and starts its server, unless it is interrupted.
pub async fn start(
    config: Config,
    interrupt: impl Future<Output = ()>,
    on_news: &mut dyn FnMut(DemoNews),
) -> Result<(Server, Demo), DemoError> {
    check(&config)?;
    let server = Server::start(config).await?;
    let app = server.app().clone();
    let made = tokio::select! {
        made = fill(&app, on_news) => made,
        () = jobs::renew(&app) => unreachable!("leases are renewed for ever"),
        () = interrupt => Err(DemoError::Interrupted),
    };
    match made {
        Ok(demo) => Ok((server, demo)),
        Err(error) => {
            jobs::stop(&app).await;
            app.store.close().await;
            Err(error)
        }
    }
}

/// Only an empty folder is filled, and only this machine sees it.
fn check(config: &Config) -> Result<(), DemoError> {
    if !config.listen.ip().is_loopback() {
        return Err(DemoError::NotLoopback(config.listen));
    }
    match fs::read_dir(&config.data).map(Iterator::count) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(cause) => Err(DemoError::Folder { path: config.data.clone(), cause }),
        Ok(0) => Ok(()),
        Ok(_) => Err(DemoError::NotEmpty(config.data.clone())),
    }
}

async fn fill(app: &App, on_news: &mut dyn FnMut(DemoNews)) -> Result<Demo, DemoError> {
    let class = class::enrol(app).await?;
    let bots = plays::register(app, &class).await?;
    let no_bots = match &app.config.sandbox {
        Ok(_) => plays::build(app, &bots, on_news).await?,
        Err(why) => Err(format!("uploaded programs cannot run here: {why}")),
    };
    if let Err(why) = &no_bots {
        on_news(DemoNews::BuiltIn(why.clone()));
    }
    let (league, run) = plays::play_league(app, &class, no_bots.is_ok(), on_news).await?;
    let marks = plays::assign(app, &class, &league).await?;
    Ok(Demo {
        accounts: class.accounts,
        course: format!("/courses/{}", class.course.code),
        run: format!("/leagues/{}/runs/{}", league.code, run.number),
        marks,
    })
}
