//! Starts a run of a league: each bot that is entered with a ready version plays, and that version is frozen.

use palestra_games::GameKind;
use palestra_store::{Bot, Course, Id, League, Run, RunKind, RunPlayer, TeamEntry};
use palestra_tournament::{Format, Plan};

use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::runs::{self, NewRun, RunPlan, StartRunError, rules_of};

/// How a run is started.
pub(super) struct Launch {
    /// The moment for which it was scheduled, or now.
    pub(super) due_ms: i64,
    pub(super) is_counted: bool,
    pub(super) is_final: bool,
    /// Why a teacher started it.
    pub(super) reason: Option<String>,
    pub(super) account_id: Option<Id>,
}

/// What came of starting a run.
pub(super) enum Launched {
    Run(Box<Run>),
    /// Fewer than two bots could play.
    FewBots,
    /// There is a run for this moment.
    Already,
}

/// The fewest bots of a run.
const MIN_BOTS: usize = 2;

/// A run that a teacher wants.
pub(crate) struct Wish {
    pub(crate) is_counted: bool,
    pub(crate) is_final: bool,
    pub(crate) reason: String,
    pub(crate) account_id: Option<Id>,
}

/// Starts a run that is not on the schedule.
pub(crate) async fn start(app: &App, league: &League, course: &Course, wish: Wish) -> Result<Run, Refused> {
    let players = players(app, league, course).await?;
    start_with(app, league, course, (players, wish)).await
}

/// Starts a run between these players.
pub(crate) async fn start_with(
    app: &App,
    league: &League,
    course: &Course,
    (players, wish): (Vec<RunPlayer>, Wish),
) -> Result<Run, Refused> {
    if app.store.unfinished_run(league.id).await?.is_some() {
        return Err(Refused::bad("league.still_plays"));
    }
    let Wish { is_counted, is_final, reason, account_id } = wish;
    let how = Launch { due_ms: now_ms(), is_counted, is_final, reason: Some(reason), account_id };
    match launch_with(app, league, course, (players, how)).await? {
        Launched::Run(run) => Ok(*run),
        Launched::FewBots => Err(Refused::bad("league.few_bots")),
        Launched::Already => Err(Refused::bad("league.still_plays")),
    }
}

/// Starts a run of a league.
pub(super) async fn launch(app: &App, league: &League, course: &Course, how: Launch) -> Result<Launched, Refused> {
    let players = players(app, league, course).await?;
    launch_with(app, league, course, (players, how)).await
}

async fn launch_with(
    app: &App,
    league: &League,
    course: &Course,
    (players, how): (Vec<RunPlayer>, Launch),
) -> Result<Launched, Refused> {
    if players.len() < MIN_BOTS {
        return Ok(Launched::FewBots);
    }
    let kind = GameKind::find(&course.game).ok_or_else(|| unplayable(league, "its game is unknown"))?;
    let rules = rules_of(&course.time_rule.to_string(), league.move_ms, kind)
        .ok_or_else(|| unplayable(league, "its time rule is unknown"))?;
    let rounds = u32::try_from(league.rounds).unwrap_or(1);
    // A round robin leaves nothing to chance.
    let plan = Plan::new(players.len(), Format::RoundRobin, rounds, 0)
        .map_err(|error| Refused::bad_with("league.too_large", error.to_string()))?;
    let new = NewRun {
        kind: RunKind::League,
        league_id: Some(league.id),
        assignment_id: None,
        team_id: None,
        due_ms: how.due_ms,
        is_counted: how.is_counted,
        is_final: how.is_final,
        game: kind,
        options: course.options.clone(),
        rules,
        players,
        plan: RunPlan::Rounds(plan),
        needs_searches: false,
        seed: None,
        reason: how.reason,
        account_id: how.account_id,
    };
    match runs::start(app, new).await {
        Ok(run) => Ok(Launched::Run(Box::new(run))),
        Err(StartRunError::Started) => Ok(Launched::Already),
        Err(StartRunError::Store(error)) => Err(error.into()),
        Err(error) => Err(unplayable(league, &error.to_string())),
    }
}

/// What should have been refused when the course was made.
fn unplayable(league: &League, problem: &str) -> Refused {
    tracing::error!(league = league.code, problem, "a league cannot be played");
    Refused::Fault
}

/// The bots that play, by name: the entries of all teams, then the house bots.
async fn players(app: &App, league: &League, course: &Course) -> Result<Vec<RunPlayer>, Refused> {
    let entries = app.store.team_entries(course.id, league.group_id).await?;
    let mut players: Vec<RunPlayer> = entries.into_iter().filter_map(entrant).collect();
    for id in app.store.league_guests(league.id).await? {
        if let Some(bot) = app.store.bot_by_id(id).await? {
            players.extend(guest(app, bot).await?);
        }
    }
    Ok(players)
}

/// The bot of a team, if a version of it is ready.
fn entrant(entry: TeamEntry) -> Option<RunPlayer> {
    Some(RunPlayer {
        name: entry.bot_name?,
        built_in: None,
        bot_id: entry.bot_id,
        version_id: Some(entry.version_id?),
        version: entry.version,
        source_hash: entry.source_hash,
        compiler: entry.compiler,
        flags: entry.flags,
        team_id: Some(entry.team_id),
        group_code: Some(entry.group_code),
        is_ranked: true,
    })
}

/// A house bot, if a version of it is ready.
async fn guest(app: &App, bot: Bot) -> Result<Option<RunPlayer>, Refused> {
    let Some(version) = bot.active_version_id else { return Ok(None) };
    let Some(version) = app.store.version_by_id(version).await? else { return Ok(None) };
    Ok(Some(RunPlayer {
        name: bot.name,
        built_in: None,
        bot_id: Some(bot.id),
        version_id: Some(version.id),
        version: Some(version.number),
        source_hash: Some(version.source_hash),
        compiler: version.compiler,
        flags: version.flags,
        team_id: None,
        group_code: None,
        is_ranked: false,
    }))
}
