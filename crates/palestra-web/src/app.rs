//! What all requests share.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use palestra_store::Store;

use crate::account::Passwords;
use crate::archive::Turn;
#[cfg(target_os = "linux")]
use crate::bots::Artefacts;
use crate::config::Config;
use crate::copies::Copies;
use crate::drawings::Drawings;
use crate::evaluate::{JUDGEMENT_BYTES, Judgements};
use crate::games::{REPLAY_BYTES, Replays};
use crate::health::Health;
use crate::http::origin::Origins;
use crate::jobs::{Jobs, Slots};
use crate::leagues::{Alarm, RUN_GAMES_BYTES, RUN_RANKS_BYTES, RunGames, RunRanks};
use crate::mail::Mailer;
use crate::maps::{MapReports, REPORT_BYTES};
use crate::programs::Offers;
use crate::ratelimit::Limits;
use crate::rendering::Rendering;
use crate::runs::{Contexts, LiveGames};
use crate::server::StartError;
use crate::tables::Tables;
use crate::thinking::Thinking;

/// State shared by all requests. Clones share it.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

/// The parts.
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) origins: Origins,
    pub(crate) store: Store,
    pub(crate) tables: Tables,
    pub(crate) thinking: Thinking,
    pub(crate) jobs: Jobs,
    pub(crate) runs: Contexts,
    pub(crate) live_games: LiveGames,
    pub(crate) run_games: RunGames,
    pub(crate) run_ranks: RunRanks,
    pub(crate) copies: Copies,
    pub(crate) archives: Turn,
    /// Wakes the scheduler of leagues.
    pub(crate) alarm: Alarm,
    pub(crate) passwords: Passwords,
    pub(crate) limits: Limits,
    pub(crate) mailer: Mailer,
    pub(crate) rendering: Rendering,
    pub(crate) drawings: Drawings,
    pub(crate) map_reports: MapReports,
    pub(crate) replays: Replays,
    pub(crate) judgements: Judgements,
    pub(crate) health: Health,
    /// The owner's programs.
    pub(crate) offers: Offers,
    /// The programs of uploaded bots.
    #[cfg(target_os = "linux")]
    pub(crate) artefacts: Artefacts,
}

impl App {
    pub(crate) fn new(config: Config, origins: Origins, store: Store) -> Result<Self, StartError> {
        Ok(Self(Arc::new(Shared {
            mailer: Mailer::new(config.data.join("mail"), config.smtp.as_ref())?.silent(!config.sends_mails),
            thinking: Thinking::new(config.threads),
            jobs: Jobs::new(Slots::new(config.slots), config.lease),
            runs: Contexts::default(),
            live_games: LiveGames::default(),
            run_games: RunGames::new(RUN_GAMES_BYTES),
            run_ranks: RunRanks::new(RUN_RANKS_BYTES),
            copies: Copies::default(),
            archives: Turn::default(),
            alarm: Alarm::default(),
            passwords: Passwords::new(),
            limits: Limits::new(config.connections.websockets()),
            tables: Tables::default(),
            rendering: Rendering::new(),
            drawings: Drawings::new(),
            map_reports: MapReports::new(REPORT_BYTES),
            replays: Replays::new(REPLAY_BYTES),
            judgements: Judgements::new(JUDGEMENT_BYTES),
            health: Health::default(),
            offers: Offers::new(&config.bots),
            #[cfg(target_os = "linux")]
            artefacts: Artefacts::new(config.data.join("programs")),
            config,
            origins,
            store,
        })))
    }
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// The time, in milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(passed.as_millis()).unwrap_or(i64::MAX)
}
