//! Games of runs: finished ones, void ones, and what programs thought and wrote in them.

use crate::db::{first_id, new_id, transaction, with_pool};
use crate::game::insert_game;
use crate::job::insert_jobs;
use crate::league::is_hidden;
use crate::row::row;
use crate::run::{END_RUN, game_job, game_subject};
use crate::{Id, NewGame, RunKind, RunState, Store, StoreError, StoreFuture};

/// A game of a run, finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunGame {
    /// Its number in the plan, from 0.
    pub number: i64,
    /// Who had side 1, as a number of the run's players.
    pub player_1: i64,
    /// Who had side 2.
    pub player_2: i64,
    /// The code of the game's record.
    pub game_code: String,
    /// The points of side 1.
    pub points_1: i64,
    /// The points of side 2.
    pub points_2: i64,
    /// The side that won, 1 or 2; none after a draw.
    pub winner: Option<i64>,
    /// The time charged to side 1, in microseconds.
    pub charged_1_us: i64,
    /// The time charged to side 2, in microseconds.
    pub charged_2_us: i64,
    /// How the loser lost by its own fault, if it did.
    pub forfeit: Option<String>,
    /// How many moves were made.
    pub plies: i64,
    /// When it ended.
    pub ended_ms: i64,
    /// When it was declared void; only a game that was not counts.
    pub voided_ms: Option<i64>,
    /// Why it was declared void.
    pub void_reason: Option<String>,
    /// The teacher who declared it void.
    pub void_account_id: Option<Id>,
}

row!(RunGame {
    number,
    player_1,
    player_2,
    game_code,
    points_1,
    points_2,
    winner,
    charged_1_us,
    charged_2_us,
    forfeit,
    plies,
    ended_ms,
    voided_ms,
    void_reason,
    void_account_id
});

/// What the programs thought and wrote during a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// What they thought: JSON.
    pub thoughts: String,
    /// The last of what side 1 wrote on stderr.
    pub stderr_1: String,
    /// The last of what side 2 wrote on stderr.
    pub stderr_2: String,
    /// The report of a forfeit.
    pub fault: Option<String>,
}

row!(Trace { thoughts, stderr_1, stderr_2, fault });

/// A game of a run that has just ended.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// Of which run.
    pub run_id: Id,
    /// Its number in the plan, from 0.
    pub number: i64,
    /// Who played, as numbers of the run's players.
    pub players: [i64; 2],
    /// The game itself.
    pub game: NewGame,
    /// The time charged to each, in microseconds.
    pub charged_us: [i64; 2],
    /// How the loser lost by its own fault, if it did.
    pub forfeit: Option<String>,
    /// How many moves were made.
    pub plies: i64,
    /// What the programs thought and wrote.
    pub trace: Trace,
}

/// What came of a game that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameCounted {
    /// Whether it counts: not if the game of this number had been played, or the run was given up.
    pub counts: bool,
    /// Whether the run was finished by it.
    pub ends_run: bool,
}

/// To whom the game of a run may be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunAudience {
    /// What the run is for.
    pub kind: RunKind,
    /// The course.
    pub course_id: Option<Id>,
    /// Whether the league is published.
    pub is_published: bool,
    /// Whether the league hides its standings: then members do not see its games either.
    pub is_hidden: bool,
    /// The deadline of the assignment for which the league counts; the last one if there are more.
    pub deadline_ms: Option<i64>,
    /// The teams whose programs played.
    pub team_1: Option<Id>,
    /// The other team.
    pub team_2: Option<Id>,
    /// The name of the player of side 1 today: another one if it was withdrawn.
    pub name_1: Option<String>,
    /// The name of the player of side 2 today.
    pub name_2: Option<String>,
}

row!(RunAudience { kind: String, course_id, is_published, is_hidden, deadline_ms, team_1, team_2, name_1, name_2 });

/// Selects the audience of the game in a table `g`.
macro_rules! audience {
    ($games:literal, $which:literal) => {
        concat!(
            "SELECT r.kind, COALESCE(l.course_id, a.course_id) AS course_id, \
             COALESCE(l.is_published, FALSE) AS is_published, ",
            is_hidden!(),
            " AS is_hidden, (SELECT MAX(d.due_ms) FROM assignments d WHERE d.league_id = l.id) AS deadline_ms, p1.team_id AS team_1, \
             p2.team_id AS team_2, p1.name AS name_1, p2.name AS name_2 FROM ",
            $games,
            " g JOIN runs r ON r.id = g.run_id \
             LEFT JOIN leagues l ON l.id = r.league_id LEFT JOIN assignments a ON a.id = r.assignment_id \
             LEFT JOIN run_players p1 ON p1.run_id = g.run_id AND p1.player = g.player_1 \
             LEFT JOIN run_players p2 ON p2.run_id = g.run_id AND p2.player = g.player_2",
            $which
        )
    };
}

/// What is stored for a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CourseBytes {
    /// The name of the course.
    pub name: String,
    /// The year.
    pub year: String,
    /// Bytes of the sources of its bots, and of those that its teachers have added.
    pub sources: i64,
    /// Bytes of its hand-ins.
    pub hand_ins: i64,
    /// Number of games of its leagues.
    pub games: i64,
}

row!(CourseBytes { name, year, sources, hand_ins, games });

impl Store {
    /// Keeps a game of a run and what belongs to it, and deletes its job, in one transaction. A game counts once: if the
    /// game of this number has been played, nothing is kept. After the last game the run is finished.
    pub fn finish_game<'a>(&'a self, finished: &'a FinishedGame) -> StoreFuture<'a, GameCounted> {
        // Locks the row: of two games that end at the same time, the second one sees that the first is done.
        const LOCK: &str = "UPDATE runs SET state = state WHERE id = $1 RETURNING state";
        const JOB: &str = "DELETE FROM jobs WHERE subject = $1";
        const INSERT: &str = "INSERT INTO run_games (id, run_id, number, player_1, player_2, game_code, points_1, points_2, \
                              winner, charged_1_us, charged_2_us, forfeit, plies, ended_ms) \
                              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) \
                              ON CONFLICT (run_id, number) WHERE voided_ms IS NULL DO NOTHING";
        const TRACE: &str = "INSERT INTO game_traces (game_code, run_id, thoughts, stderr_1, stderr_2, fault) \
                             VALUES ($1, $2, $3, $4, $5, $6)";
        let FinishedGame { run_id, number, players, game, charged_us, forfeit, plies, trace } = finished;
        Box::pin(async move {
            transaction!(self, transaction => {
                let query = sqlx::query_scalar(LOCK).bind(run_id);
                let state: Option<String> = query.fetch_optional(&mut *transaction).await?;
                sqlx::query(JOB).bind(game_subject(*run_id, *number)).execute(&mut *transaction).await?;
                let is_open = state.is_some_and(|word| word != RunState::GivenUp.word());
                let mut counted = GameCounted { counts: false, ends_run: false };
                if !is_open {
                    return Ok(counted);
                }
                let query = sqlx::query(INSERT).bind(new_id(game.ended_ms)).bind(run_id).bind(number);
                let query = query.bind(players[0]).bind(players[1]).bind(&game.code);
                let query = query.bind(game.points[0]).bind(game.points[1]).bind(game.winner);
                let query = query.bind(charged_us[0]).bind(charged_us[1]).bind(forfeit).bind(plies).bind(game.ended_ms);
                counted.counts = query.execute(&mut *transaction).await?.rows_affected() > 0;
                if counted.counts {
                    insert_game!(transaction, game);
                    let query = sqlx::query(TRACE).bind(&game.code).bind(run_id).bind(plain(&trace.thoughts));
                    let query = query.bind(plain(&trace.stderr_1)).bind(plain(&trace.stderr_2));
                    query.bind(trace.fault.as_deref().map(plain)).execute(&mut *transaction).await?;
                }
                let query = sqlx::query(END_RUN).bind(run_id).bind(game.ended_ms);
                counted.ends_run = query.execute(&mut *transaction).await?.rows_affected() > 0;
                Ok(counted)
            })
        })
    }

    /// Declares a game of a run void, and has it played again. `false` if the run has no game of this number that counts,
    /// or was given up.
    pub fn void_game<'a>(
        &'a self,
        (run, number): (Id, i64),
        account: Id,
        reason: &'a str,
        now_ms: i64,
    ) -> StoreFuture<'a, bool> {
        const VOID: &str = "UPDATE run_games SET voided_ms = $1, void_reason = $2, void_account_id = $3 \
                            WHERE run_id = $4 AND number = $5 AND voided_ms IS NULL \
                            AND EXISTS (SELECT 1 FROM runs WHERE id = $4 AND state <> 'given up')";
        const REOPEN: &str = "UPDATE runs SET state = CASE WHEN state = 'paused' THEN state ELSE 'playing' END, \
                              ended_ms = NULL WHERE id = $1 RETURNING kind, is_counted";
        // Of a run that is paused the game waits like all others.
        const HOLD: &str = "UPDATE jobs SET state = 'held' WHERE subject = $1 AND state = 'waiting' \
                            AND EXISTS (SELECT 1 FROM runs WHERE id = $2 AND state = 'paused')";
        Box::pin(async move {
            transaction!(self, transaction => {
                let query = sqlx::query(VOID).bind(now_ms).bind(reason).bind(account).bind(run).bind(number);
                if query.execute(&mut *transaction).await?.rows_affected() == 0 {
                    return Ok(false);
                }
                let query = sqlx::query_as(REOPEN).bind(run);
                let (kind, is_counted): (String, bool) = query.fetch_one(&mut *transaction).await?;
                let kind = kind.parse().unwrap_or(RunKind::League);
                let job = game_job(run, number, kind, is_counted);
                insert_jobs!(transaction, std::slice::from_ref(&job), now_ms);
                sqlx::query(HOLD).bind(&job.subject).bind(run).execute(&mut *transaction).await?;
                Ok(true)
            })
        })
    }

    /// The games of a run that have been played, by number: first those that were declared void, then the one that counts.
    pub async fn run_games(&self, run: Id) -> Result<Vec<RunGame>, StoreError> {
        const QUERY: &str = "SELECT number, player_1, player_2, game_code, points_1, points_2, winner, charged_1_us, \
                             charged_2_us, forfeit, plies, ended_ms, voided_ms, void_reason, void_account_id \
                             FROM run_games WHERE run_id = $1 ORDER BY number, voided_ms IS NULL, voided_ms";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(run).fetch_all(pool).await)?)
    }

    /// How many games of runs have ended since this moment.
    pub async fn run_games_since(&self, since_ms: i64) -> Result<i64, StoreError> {
        // Ids grow with the time of the end, and have an index.
        const QUERY: &str = "SELECT COUNT(*) FROM run_games WHERE id >= $1";
        Ok(with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(first_id(since_ms)).fetch_one(pool).await)?)
    }

    /// What is stored for each course, by year and name.
    pub async fn course_bytes(&self) -> Result<Vec<CourseBytes>, StoreError> {
        const QUERY: &str = "SELECT c.name, c.year, \
            (SELECT CAST(COALESCE(SUM(v.size_bytes), 0) AS BIGINT) FROM bot_versions v JOIN bots b ON b.id = v.bot_id \
             WHERE b.course_id = c.id) \
            + (SELECT CAST(COALESCE(SUM(LENGTH(k.bytes)), 0) AS BIGINT) FROM added_sources s \
             JOIN blobs k ON k.hash = s.archive_hash WHERE s.course_id = c.id) AS sources, \
            (SELECT CAST(COALESCE(SUM(LENGTH(k.bytes)), 0) AS BIGINT) FROM hand_ins h \
             JOIN assignments a ON a.id = h.assignment_id JOIN blobs k ON k.hash = h.archive_hash \
             WHERE a.course_id = c.id) AS hand_ins, \
            (SELECT COUNT(*) FROM run_games g JOIN runs r ON r.id = g.run_id JOIN leagues l ON l.id = r.league_id \
             WHERE l.course_id = c.id) AS games \
            FROM courses c ORDER BY c.year DESC, c.name";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).fetch_all(pool).await)?)
    }

    /// The run in which a game was played, and its number in the plan.
    pub async fn run_of_game(&self, game_code: &str) -> Result<Option<(Id, i64)>, StoreError> {
        const QUERY: &str = "SELECT run_id, number FROM run_games WHERE game_code = $1";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(game_code).fetch_optional(pool).await)?)
    }

    /// What the programs thought and wrote in a game, if that is still kept.
    pub async fn trace(&self, game_code: &str) -> Result<Option<Trace>, StoreError> {
        const QUERY: &str = "SELECT thoughts, stderr_1, stderr_2, fault FROM game_traces WHERE game_code = $1";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(game_code).fetch_optional(pool).await)?)
    }

    /// To whom a game may be shown, if it was played in a run.
    pub async fn run_audience(&self, game_code: &str) -> Result<Option<RunAudience>, StoreError> {
        const QUERY: &str = audience!("run_games", " WHERE g.game_code = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(game_code).fetch_optional(pool).await)?)
    }

    /// To whom a game of a run may be shown while it is played, by the numbers of the run's players.
    pub async fn live_audience(&self, run: Id, players: [i64; 2]) -> Result<Option<RunAudience>, StoreError> {
        const QUERY: &str = audience!(
            "(SELECT CAST($1 AS BIGINT) AS run_id, CAST($2 AS BIGINT) AS player_1, CAST($3 AS BIGINT) AS player_2)",
            ""
        );
        let [one, two] = players;
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(run).bind(one).bind(two).fetch_optional(pool).await)?)
    }

    /// Whether an account is a member of this course.
    pub async fn is_course_member(&self, course: Id, account: Id) -> Result<bool, StoreError> {
        const QUERY: &str = "SELECT EXISTS (SELECT 1 FROM course_members WHERE course_id = $1 AND account_id = $2 \
                             AND state = 'member')";
        Ok(with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(course).bind(account).fetch_one(pool).await)?)
    }

    /// Whether an account is a member of this team.
    pub async fn is_in_team(&self, team: Id, account: Id) -> Result<bool, StoreError> {
        const QUERY: &str = "SELECT EXISTS (SELECT 1 FROM course_members WHERE team_id = $1 AND account_id = $2 \
                             AND state = 'member')";
        Ok(with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(team).bind(account).fetch_one(pool).await)?)
    }
}

/// Without the one character that PostgreSQL cannot store, which programs may write.
fn plain(text: &str) -> String {
    text.replace('\0', "")
}
