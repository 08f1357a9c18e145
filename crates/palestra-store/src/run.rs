//! Runs: games between players that are frozen at the start, for a league or for marks.
//!
//! The games that are still to be played are jobs, whose lane is the run. A run is over when none is left.

use crate::db::{new_id, transaction, with_pool};
use crate::job::{COUNTED_PRIORITY, JobKind, LEAGUE_PRIORITY, NewJob, TRIAL_PRIORITY, insert_jobs};
use crate::row::row;
use crate::token::code;
use crate::{Id, Store, StoreError, StoreFuture};

/// What a run is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[strum(parse_err_ty = UnknownRunWord, parse_err_fn = unknown_word)]
pub enum RunKind {
    /// The ranking of a league.
    League,
    /// The marks of an assignment.
    Marking,
    /// The provisional mark of one team.
    Trial,
}

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[strum(parse_err_ty = UnknownRunWord, parse_err_fn = unknown_word)]
pub enum RunState {
    /// There are games to play.
    Playing,
    /// There are games to play, which wait until it goes on.
    Paused,
    /// Each game has been played.
    Finished,
    /// A teacher ended it before.
    #[strum(serialize = "given up")]
    GivenUp,
}

/// A word that is neither a kind nor a state of a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is said of no run")]
pub struct UnknownRunWord(String);

fn unknown_word(word: &str) -> UnknownRunWord {
    UnknownRunWord(word.to_owned())
}

/// Implements what the two enums have in common: their words.
macro_rules! words {
    ($($type:ident),*) => {$(
        impl $type {
            /// The word for it, as in the database.
            #[must_use]
            pub fn word(self) -> &'static str {
                self.into()
            }
        }

        impl TryFrom<String> for $type {
            type Error = UnknownRunWord;

            fn try_from(word: String) -> Result<Self, UnknownRunWord> {
                word.parse()
            }
        }
    )*};
}
words!(RunKind, RunState);

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Which row.
    pub id: Id,
    /// Its address.
    pub code: String,
    /// What it is for.
    pub kind: RunKind,
    /// The league that it is a run of.
    pub league_id: Option<Id>,
    /// The assignment that it marks.
    pub assignment_id: Option<Id>,
    /// The team whose trial it is.
    pub team_id: Option<Id>,
    /// Its number in its league, among the markings of its assignment or the trials of its team, from 1.
    pub number: i64,
    /// The moment for which it was scheduled.
    pub due_ms: i64,
    /// How far it is.
    pub state: RunState,
    /// Whether it counts for marks.
    pub is_counted: bool,
    /// Whether it is the last one of its league.
    pub is_final: bool,
    /// Of a final run: whether hidden standings are shown again.
    pub is_published: bool,
    /// Who meets whom: JSON.
    pub plan: String,
    /// Game, options, rules, seed, version of Palestra, slots, machine: JSON.
    pub settings: String,
    /// Why a teacher started it.
    pub reason: Option<String>,
    /// Why it is paused or was given up.
    pub stop_reason: Option<String>,
    /// The teacher who started it.
    pub account_id: Option<Id>,
    /// When it was started.
    pub started_ms: i64,
    /// When it ended.
    pub ended_ms: Option<i64>,
}

row!(Run {
    id,
    code,
    kind: String,
    league_id,
    assignment_id,
    team_id,
    number,
    due_ms,
    state: String,
    is_counted,
    is_final,
    is_published,
    plan,
    settings,
    reason,
    stop_reason,
    account_id,
    started_ms,
    ended_ms
});

/// A run about to be started.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// What it is for.
    pub kind: RunKind,
    /// The league that it is a run of.
    pub league_id: Option<Id>,
    /// The assignment that it marks.
    pub assignment_id: Option<Id>,
    /// The team whose trial it is.
    pub team_id: Option<Id>,
    /// The moment for which it was scheduled; a league has one run for each.
    pub due_ms: i64,
    /// Whether it counts for marks.
    pub is_counted: bool,
    /// Whether it is the last one of its league.
    pub is_final: bool,
    /// Who meets whom: JSON.
    pub plan: String,
    /// Under what circumstances: JSON.
    pub settings: String,
    /// Why a teacher started it.
    pub reason: Option<String>,
    /// The teacher who started it.
    pub account_id: Option<Id>,
    /// Who plays, in the order in which the plan counts them.
    pub players: Vec<RunPlayer>,
    /// The number of games of the plan.
    pub games: u32,
    /// The players whose searches are compared, as the plan counts them. A run without games and searches is finished at
    /// once.
    pub searches: Vec<i64>,
}

/// A player of a run, as it was when the run was started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunPlayer {
    /// Its name.
    pub name: String,
    /// If it is a built-in player: which one.
    pub built_in: Option<String>,
    /// If it is a bot: which one.
    pub bot_id: Option<Id>,
    /// Which version of it, while that is kept.
    pub version_id: Option<Id>,
    /// The number of the version.
    pub version: Option<i64>,
    /// The hash of the version's source.
    pub source_hash: Option<String>,
    /// The compiler, with its version.
    pub compiler: Option<String>,
    /// The flags of the compiler.
    pub flags: Option<String>,
    /// The team that entered it.
    pub team_id: Option<Id>,
    /// The short code of the team's group.
    pub group_code: Option<String>,
    /// Whether it stands in the ranking.
    pub is_ranked: bool,
}

row!(RunPlayer {
    name,
    built_in,
    bot_id,
    version_id,
    version,
    source_hash,
    compiler,
    flags,
    team_id,
    group_code,
    is_ranked
});

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunProgress {
    /// Games that count.
    pub played: i64,
    /// Games that are still to be played, those that were set aside included.
    pub left: i64,
    /// Games that are being played.
    pub playing: i64,
    /// Games and searches that were set aside, since they could not be done.
    pub failed: i64,
    /// Searches of players that are still to be compared, those that were set aside included.
    pub searches: i64,
}

row!(RunProgress { played, left, playing, failed, searches });

/// Of how many of the last runs of a league what the programs thought and wrote is kept.
const TRACED_RUNS: i64 = 3;

/// The condition that a job is a game or a search of the run `$1`.
macro_rules! of_run {
    () => {
        "state IN ('waiting', 'leased', 'held', 'failed') AND priority IN (1, 2, 3) AND lane = $1 \
         AND kind IN ('game', 'search')"
    };
}

/// Ends a run whose last game or search is done, in the transaction in which it is.
pub(crate) const END_RUN: &str = concat!(
    "UPDATE runs SET state = 'finished', ended_ms = $2, stop_reason = NULL \
     WHERE id = $1 AND state IN ('playing', 'paused') AND NOT EXISTS (SELECT 1 FROM jobs WHERE ",
    of_run!(),
    ")"
);

macro_rules! select_run {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.code, r.kind, r.league_id, r.assignment_id, r.team_id, r.number, r.due_ms, r.state, \
             r.is_counted, r.is_final, r.is_published, r.plan, r.settings, r.reason, r.stop_reason, r.account_id, \
             r.started_ms, r.ended_ms FROM runs r ",
            $rest
        )
    };
}

/// The priority of the jobs of a run.
fn priority(kind: RunKind, is_counted: bool) -> i64 {
    match kind {
        RunKind::Marking => COUNTED_PRIORITY,
        RunKind::League if is_counted => COUNTED_PRIORITY,
        RunKind::League => LEAGUE_PRIORITY,
        RunKind::Trial => TRIAL_PRIORITY,
    }
}

/// The job that plays a game of a run.
pub(crate) fn game_job(run: Id, number: i64, kind: RunKind, is_counted: bool) -> NewJob {
    let priority = priority(kind, is_counted);
    let body = format!(r#"{{"run":{run},"number":{number}}}"#);
    NewJob { subject: game_subject(run, number), kind: JobKind::Game, body, priority, lane: run }
}

/// The job that compares the search of a player of a run.
fn search_job(run: Id, player: i64, new: &NewRun) -> NewJob {
    let body = format!(r#"{{"run":{run},"player":{player}}}"#);
    let priority = priority(new.kind, new.is_counted);
    NewJob { subject: search_subject(run, player), kind: JobKind::Search, body, priority, lane: run }
}

/// The subject of the job that compares the search of a player of a run.
pub(crate) fn search_subject(run: Id, player: i64) -> String {
    format!("run {run} search {player}")
}

/// The subject of the job that plays a game of a run.
pub(crate) fn game_subject(run: Id, number: i64) -> String {
    format!("run {run} game {number}")
}

/// In a transaction: adds the players of a run.
macro_rules! insert_players {
    ($transaction:ident, $run:expr, $players:expr) => {
        const INSERT_PLAYERS: &str = "INSERT INTO run_players (run_id, player, name, built_in, bot_id, version_id, version, \
                                      source_hash, compiler, flags, team_id, group_code, is_ranked) ";
        let (run, players): ($crate::Id, &[$crate::RunPlayer]) = ($run, $players);
        let mut number = 0_i64;
        for chunk in players.chunks($crate::job::CHUNK) {
            let mut query = sqlx::QueryBuilder::new(INSERT_PLAYERS);
            query.push_values(chunk, |mut row, player| {
                row.push_bind(run).push_bind(number).push_bind(&player.name).push_bind(&player.built_in);
                row.push_bind(player.bot_id).push_bind(player.version_id).push_bind(player.version);
                row.push_bind(&player.source_hash).push_bind(&player.compiler).push_bind(&player.flags);
                row.push_bind(player.team_id).push_bind(&player.group_code).push_bind(player.is_ranked);
                number += 1;
            });
            query.build().execute(&mut *$transaction).await?;
        }
    };
}

/// In a transaction: deletes what programs thought and wrote in the runs beside this one up to a number. The reports of
/// forfeits stay.
macro_rules! forget_traces {
    ($transaction:ident, $new:expr, $up_to:expr) => {
        const OLD: &str = " AND run_id IN (SELECT id FROM runs WHERE kind = $1 AND number <= $2 AND (league_id = $3 \
                           OR (kind = 'marking' AND assignment_id = $4) OR (kind = 'trial' AND team_id = $5)))";
        let (new, up_to): (&$crate::NewRun, i64) = ($new, $up_to);
        for statement in [
            "UPDATE game_traces SET thoughts = '[]', stderr_1 = '', stderr_2 = '' WHERE fault IS NOT NULL",
            "DELETE FROM game_traces WHERE fault IS NULL",
        ] {
            let mut query = sqlx::QueryBuilder::new(statement);
            query.push(OLD);
            let query = query.build().bind(new.kind.word()).bind(up_to).bind(new.league_id);
            query.bind(new.assignment_id).bind(new.team_id).execute(&mut *$transaction).await?;
        }
    };
}

impl Store {
    /// Starts a run: the run, its players and a job for each game and each search, all or nothing. [`StoreError::Taken`] if
    /// its league has a run for this moment already.
    pub fn start_run<'a>(&'a self, new: &'a NewRun, now_ms: i64) -> StoreFuture<'a, Run> {
        // One of the three is given: it says among which runs this one is counted.
        const NUMBER: &str = "SELECT COALESCE(MAX(number), 0) + 1 FROM runs WHERE kind = $1 \
                              AND (league_id = $2 OR (kind = 'marking' AND assignment_id = $3) \
                              OR (kind = 'trial' AND team_id = $4))";
        const INSERT: &str = "INSERT INTO runs (id, code, kind, league_id, assignment_id, team_id, number, due_ms, \
                              is_counted, is_final, is_published, plan, settings, reason, account_id, started_ms, \
                              state, ended_ms) \
                              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)";
        const RUN: &str = select_run!("WHERE r.id = $1");
        Box::pin(async move {
            let (id, kind) = (new_id(now_ms), new.kind);
            let numbers = 0..i64::from(new.games);
            let games = numbers.map(|number| game_job(id, number, kind, new.is_counted));
            let searches = new.searches.iter().map(|&player| search_job(id, player, new));
            let jobs: Vec<NewJob> = games.chain(searches).collect();
            let (state, ended_ms) =
                if jobs.is_empty() { (RunState::Finished, Some(now_ms)) } else { (RunState::Playing, None) };
            transaction!(self, transaction => {
                let query = sqlx::query_scalar(NUMBER).bind(kind.word()).bind(new.league_id).bind(new.assignment_id);
                let number: i64 = query.bind(new.team_id).fetch_one(&mut *transaction).await?;
                let query = sqlx::query(INSERT).bind(id).bind(code()).bind(kind.word()).bind(new.league_id);
                let query = query.bind(new.assignment_id).bind(new.team_id).bind(number).bind(new.due_ms);
                let query = query.bind(new.is_counted).bind(new.is_final).bind(false).bind(&new.plan);
                let query = query.bind(&new.settings).bind(&new.reason).bind(new.account_id).bind(now_ms);
                let query = query.bind(state.word()).bind(ended_ms);
                query.execute(&mut *transaction).await?;
                insert_players!(transaction, id, &new.players);
                insert_jobs!(transaction, &jobs, now_ms);
                forget_traces!(transaction, new, number - TRACED_RUNS);
                Ok(sqlx::query_as(RUN).bind(id).fetch_one(&mut *transaction).await?)
            })
        })
    }

    /// The run at this address.
    pub async fn run(&self, code: &str) -> Result<Option<Run>, StoreError> {
        const QUERY: &str = select_run!("WHERE r.code = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(code).fetch_optional(pool).await)?)
    }

    /// The run with this id.
    pub async fn run_by_id(&self, id: Id) -> Result<Option<Run>, StoreError> {
        const QUERY: &str = select_run!("WHERE r.id = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(id).fetch_optional(pool).await)?)
    }

    /// The run of a league with this number.
    pub async fn league_run(&self, league: Id, number: i64) -> Result<Option<Run>, StoreError> {
        const QUERY: &str = select_run!("WHERE r.league_id = $1 AND r.number = $2");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(league).bind(number).fetch_optional(pool).await)?)
    }

    /// The runs of a league, the last one first.
    pub async fn runs_of_league(&self, league: Id) -> Result<Vec<Run>, StoreError> {
        const QUERY: &str = select_run!("WHERE r.league_id = $1 ORDER BY r.number DESC");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(league).fetch_all(pool).await)?)
    }

    /// The markings of an assignment, the last one first.
    pub async fn markings(&self, assignment: Id) -> Result<Vec<Run>, StoreError> {
        const QUERY: &str = select_run!("WHERE r.assignment_id = $1 AND r.kind = 'marking' ORDER BY r.number DESC");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(assignment).fetch_all(pool).await)?)
    }

    /// The trials that a team started since this moment, the last one first.
    pub async fn trials(&self, team: Id, since_ms: i64) -> Result<Vec<Run>, StoreError> {
        const QUERY: &str =
            select_run!("WHERE r.team_id = $1 AND r.kind = 'trial' AND r.started_ms >= $2 ORDER BY r.number DESC");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(team).bind(since_ms).fetch_all(pool).await)?)
    }

    /// The players of a run, in the order in which its plan counts them.
    pub async fn run_players(&self, run: Id) -> Result<Vec<RunPlayer>, StoreError> {
        const QUERY: &str = "SELECT name, built_in, bot_id, version_id, version, source_hash, compiler, flags, team_id, \
                             group_code, is_ranked FROM run_players WHERE run_id = $1 ORDER BY player";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(run).fetch_all(pool).await)?)
    }

    /// How far a run is.
    pub async fn run_progress(&self, run: Id) -> Result<RunProgress, StoreError> {
        const QUERY: &str = concat!(
            "SELECT (SELECT COUNT(*) FROM run_games WHERE run_id = $1 AND voided_ms IS NULL) AS played, \
             COALESCE(SUM(CASE WHEN kind = 'game' THEN 1 ELSE 0 END), 0) AS \"left\", \
             COALESCE(SUM(CASE WHEN kind = 'search' THEN 1 ELSE 0 END), 0) AS searches, \
             COALESCE(SUM(CASE WHEN state = 'leased' THEN 1 ELSE 0 END), 0) AS playing, \
             COALESCE(SUM(CASE WHEN state = 'failed' THEN 1 ELSE 0 END), 0) AS failed FROM jobs WHERE ",
            of_run!()
        );
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(run).fetch_one(pool).await)?)
    }

    /// Holds the games of a run that have not begun. `false` if it is not being played.
    pub fn pause_run<'a>(&'a self, run: Id, reason: &'a str) -> StoreFuture<'a, bool> {
        const PAUSE: &str = "UPDATE runs SET state = 'paused', stop_reason = $1 WHERE id = $2 AND state = 'playing'";
        const HOLD: &str = concat!("UPDATE jobs SET state = 'held' WHERE state = 'waiting' AND ", of_run!());
        Box::pin(async move {
            transaction!(self, transaction => {
                let query = sqlx::query(PAUSE).bind(reason).bind(run);
                if query.execute(&mut *transaction).await?.rows_affected() == 0 {
                    return Ok(false);
                }
                sqlx::query(HOLD).bind(run).execute(&mut *transaction).await?;
                Ok(true)
            })
        })
    }

    /// Lets a run that was paused go on, from where the others are. `false` if it was not paused.
    pub fn resume_run(&self, run: Id) -> StoreFuture<'_, bool> {
        const RESUME: &str = "UPDATE runs SET state = 'playing', stop_reason = NULL WHERE id = $1 AND state = 'paused'";
        const NEXT: &str = "SELECT COALESCE(MIN(turn), 0) FROM jobs WHERE state IN ('waiting', 'leased') \
                            AND priority = (SELECT MIN(priority) FROM jobs WHERE state = 'held' AND lane = $1)";
        const OWN: &str = "SELECT COALESCE(MIN(turn), 0) FROM jobs WHERE state = 'held' AND lane = $1";
        const RELEASE: &str = "UPDATE jobs SET state = 'waiting', turn = turn + $1 WHERE state = 'held' AND lane = $2";
        Box::pin(async move {
            transaction!(self, transaction => {
                if sqlx::query(RESUME).bind(run).execute(&mut *transaction).await?.rows_affected() == 0 {
                    return Ok(false);
                }
                let next: i64 = sqlx::query_scalar(NEXT).bind(run).fetch_one(&mut *transaction).await?;
                let own: i64 = sqlx::query_scalar(OWN).bind(run).fetch_one(&mut *transaction).await?;
                let query = sqlx::query(RELEASE).bind((next - own).max(0)).bind(run);
                query.execute(&mut *transaction).await?;
                Ok(true)
            })
        })
    }

    /// Ends a run before all of its games have been played. `false` if it has ended already.
    pub fn give_up_run<'a>(&'a self, run: Id, reason: &'a str, now_ms: i64) -> StoreFuture<'a, bool> {
        const END: &str = "UPDATE runs SET state = 'given up', stop_reason = $1, ended_ms = $2 \
                           WHERE id = $3 AND state IN ('playing', 'paused')";
        const CLEAR: &str = concat!("DELETE FROM jobs WHERE ", of_run!());
        Box::pin(async move {
            transaction!(self, transaction => {
                let query = sqlx::query(END).bind(reason).bind(now_ms).bind(run);
                if query.execute(&mut *transaction).await?.rows_affected() == 0 {
                    return Ok(false);
                }
                sqlx::query(CLEAR).bind(run).execute(&mut *transaction).await?;
                Ok(true)
            })
        })
    }

    /// Shows or hides the results of a final run.
    pub async fn publish_run(&self, run: Id, is_published: bool) -> Result<(), StoreError> {
        const QUERY: &str = "UPDATE runs SET is_published = $1 WHERE id = $2";
        let _writer = self.writer().await?;
        with_pool!(self, pool => sqlx::query(QUERY).bind(is_published).bind(run).execute(pool).await.map(drop))?;
        Ok(())
    }
}
