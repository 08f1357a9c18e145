//! Starts a run.

use std::collections::BTreeMap;

use palestra_arena::{Rules, machine_speed};
use palestra_games::GameKind;
use palestra_search::player::any_player;
use palestra_store::{Id, Run, RunKind, RunPlayer, StoreError};
use palestra_tournament::rubric::SearchResult;
use tokio::task::spawn_blocking;

use super::settings::turn_of;
use super::{RunPlan, RunSettings};
use crate::app::{App, now_ms};
use crate::bots::Report;

/// A run to be started.
#[derive(Clone, Debug)]
pub(crate) struct NewRun {
    pub(crate) kind: RunKind,
    /// The league of a run of a league.
    pub(crate) league_id: Option<Id>,
    /// The assignment of a marking or a trial.
    pub(crate) assignment_id: Option<Id>,
    /// The team of a trial.
    pub(crate) team_id: Option<Id>,
    /// The moment for which it was scheduled, or now.
    pub(crate) due_ms: i64,
    /// Whether it counts for marks: then it goes before others.
    pub(crate) is_counted: bool,
    pub(crate) is_final: bool,
    pub(crate) game: &'static GameKind,
    pub(crate) options: String,
    pub(crate) rules: Rules,
    /// Whom the plan counts, in this order. A bot has a version that is ready, and the hash of its sources.
    pub(crate) players: Vec<RunPlayer>,
    pub(crate) plan: RunPlan,
    /// Whether the searches of the teams' bots are needed: those that were never tried are compared now.
    pub(crate) needs_searches: bool,
    /// Decides what chance decides; by default it is drawn.
    pub(crate) seed: Option<u64>,
    /// Why a teacher started it.
    pub(crate) reason: Option<String>,
    pub(crate) account_id: Option<Id>,
}

/// Why a run cannot be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartRunError {
    /// The plan does not fit the players: for instance, there is only one.
    #[error("the plan does not fit the players")]
    Plan,
    /// The options are none of the game's.
    #[error("the game cannot begin with these options")]
    Options,
    /// The name of a player who is neither a built-in player of the game nor a bot.
    #[error("{0} cannot play")]
    Player(String),
    /// The league has a run for this moment.
    #[error("the league has a run for this moment already")]
    Started,
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for StartRunError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Taken => Self::Started,
            error => Self::Store(error),
        }
    }
}

/// Starts a run. Its games are played from now on, even if this request is dropped.
pub(crate) async fn start(app: &App, new: NewRun) -> Result<Run, StartRunError> {
    new.check()?;
    let (known, untried) =
        if new.assignment_id.is_some() { searches(app, &new.players).await? } else { Default::default() };
    let searches = if new.needs_searches { untried } else { vec![] };
    let settings = settings(app, &new, known).await?;
    let NewRun { kind, league_id, assignment_id, team_id, due_ms, is_counted, is_final, reason, account_id, .. } = new;
    let new = palestra_store::NewRun {
        kind,
        league_id,
        assignment_id,
        team_id,
        due_ms,
        is_counted,
        is_final,
        games: u32::try_from(new.plan.pairings().len()).map_err(|_| StartRunError::Plan)?,
        searches,
        plan: json(&new.plan),
        settings: json(&settings),
        reason,
        account_id,
        players: new.players,
    };
    let run = app.store.start_run(&new, now_ms()).await?;
    tracing::info!(run = run.code, games = new.games, "a run begins");
    app.jobs.wake();
    Ok(run)
}

impl NewRun {
    fn has_programs(&self) -> bool {
        self.players.iter().any(|player| player.built_in.is_none())
    }

    fn check(&self) -> Result<(), StartRunError> {
        if !self.plan.fits(self.players.len()) {
            return Err(StartRunError::Plan);
        }
        if (self.game.start)(&self.options).is_err() {
            return Err(StartRunError::Options);
        }
        let can_play = |player: &&RunPlayer| match &player.built_in {
            Some(name) => any_player(self.game.id(), name, 0).is_ok(),
            None => player.version_id.is_some() && player.source_hash.is_some(),
        };
        match self.players.iter().find(|player| !can_play(player)) {
            Some(player) => Err(StartRunError::Player(player.name.clone())),
            None => Ok(()),
        }
    }
}

/// The circumstances, as far as they are known at the start.
async fn settings(
    app: &App,
    new: &NewRun,
    searches: BTreeMap<usize, SearchResult>,
) -> Result<RunSettings, StartRunError> {
    let is_busy = app.thinking.is_busy() || !app.jobs.under_way().is_empty();
    let (game, turn, slots) = (new.game, turn_of(&new.rules), app.jobs.slots);
    let measured = turn.map(|turn| spawn_blocking(move || machine_speed(game, turn)));
    let states = match measured {
        // Without a number the run is played all the same.
        Some(measured) => measured.await.ok(),
        None => None,
    };
    Ok(RunSettings {
        searches,
        game: new.game.id().to_owned(),
        options: new.options.clone(),
        rules: new.rules,
        seed: new.seed.unwrap_or_else(seed),
        palestra: env!("CARGO_PKG_VERSION").to_owned(),
        slots: slots.most(),
        cores: slots.cores(),
        is_shared: is_busy,
        lacks: new.has_programs().then(|| lacks(app)),
        states,
    })
}

/// What was found about the searches of the teams' bots when their versions were tried, and the players of which that was
/// not a part.
async fn searches(app: &App, players: &[RunPlayer]) -> Result<(BTreeMap<usize, SearchResult>, Vec<i64>), StoreError> {
    let (mut known, mut untried) = (BTreeMap::new(), vec![]);
    for (index, player) in players.iter().enumerate().filter(|(_, player)| player.team_id.is_some()) {
        let Some(version) = player.version_id else { continue };
        let Some(version) = app.store.version_by_id(version).await? else { continue };
        match Report::read(&version.report).search {
            Some(search) => drop(known.insert(index, search)),
            None => untried.push(index as i64),
        }
    }
    Ok((known, untried))
}

/// What the boxes of programs lack, in words.
fn lacks(app: &App) -> String {
    match &app.config.sandbox {
        Ok(sandbox) => sandbox.lacks(),
        Err(why) => why.clone(),
    }
}

/// A seed that JSON of any reader can hold.
fn seed() -> u64 {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    u64::from(u32::from_le_bytes(bytes))
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plans and settings have only words and numbers")
}
