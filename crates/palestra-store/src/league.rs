//! Official leagues: what teachers say of them, when they play next, and their guests.

use crate::db::{new_id, transaction, with_pool};
use crate::job::{COUNTED_PRIORITY, LEAGUE_PRIORITY};
use crate::row::row;
use crate::token::code;
use crate::{Id, Store, StoreError};

/// A league of a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct League {
    /// Which row.
    pub id: Id,
    /// The unique word in its address.
    pub code: String,
    /// The course.
    pub course_id: Id,
    /// The group; `None` for all groups of the course.
    pub group_id: Option<Id>,
    /// The short name of the group.
    pub group_code: Option<String>,
    /// The name.
    pub name: String,
    /// When it plays: JSON.
    pub schedule: String,
    /// The criteria of the ranking, the first first.
    pub ranking: String,
    /// Milliseconds a move, by the course's time rule.
    pub move_ms: i64,
    /// How often each pair of players meets on both sides.
    pub rounds: i64,
    /// Whether everyone may see it, with the names of bots alone.
    pub is_published: bool,
    /// Since when members see no standings, until the final run is published.
    pub hidden_from_ms: Option<i64>,
    /// Whether runs are scheduled.
    pub is_open: bool,
    /// When the next run is to start; a moment that has passed says that it waits for the one before.
    pub due_ms: Option<i64>,
    /// Since when.
    pub created_ms: i64,
}

row!(League {
    id,
    code,
    course_id,
    group_id,
    group_code,
    name,
    schedule,
    ranking,
    move_ms,
    rounds,
    is_published,
    hidden_from_ms,
    is_open,
    due_ms,
    created_ms,
});

/// What a teacher says of a league; see [`League`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLeague {
    /// The group; `None` for all groups.
    pub group_id: Option<Id>,
    /// The name.
    pub name: String,
    /// When it plays: JSON.
    pub schedule: String,
    /// The criteria of the ranking.
    pub ranking: String,
    /// Milliseconds a move.
    pub move_ms: i64,
    /// How often each pair meets.
    pub rounds: i64,
    /// Whether everyone may see it.
    pub is_published: bool,
    /// Since when members see no standings.
    pub hidden_from_ms: Option<i64>,
    /// Whether runs are scheduled.
    pub is_open: bool,
    /// When the next run is to start.
    pub due_ms: Option<i64>,
    /// The house bots of the course that play outside the ranking; others are left out.
    pub guests: Vec<Id>,
}

/// What has been measured of games that programs of a course played in leagues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredGames {
    /// How many games there were.
    pub games: i64,
    /// The time charged to both sides in all of them, in microseconds.
    pub charged_us: i64,
}

row!(MeasuredGames { games, charged_us });

/// The condition that the standings of a run `r` of a league `l` are hidden: it began since its league hides them, and no final
/// run has been published. A run of no league hides nothing.
macro_rules! is_hidden {
    () => {
        "(COALESCE(r.started_ms >= l.hidden_from_ms, FALSE) AND NOT EXISTS (SELECT 1 FROM runs final \
         WHERE final.league_id = l.id AND final.is_final AND final.is_published))"
    };
}
pub(crate) use is_hidden;

macro_rules! select_league {
    ($rest:literal) => {
        concat!(
            "SELECT l.id, l.code, l.course_id, l.group_id, g.code AS group_code, l.name, l.schedule, l.ranking, l.move_ms, \
             l.rounds, l.is_published, l.hidden_from_ms, l.is_open, l.due_ms, l.created_ms \
             FROM leagues l LEFT JOIN course_groups g ON g.id = l.group_id ",
            $rest
        )
    };
}

/// In a transaction: says which house bots of its course play in a league.
macro_rules! set_guests {
    ($transaction:ident, $league:expr, $guests:expr) => {
        const INVITE: &str = "INSERT INTO league_guests (league_id, bot_id) SELECT l.id, b.id FROM leagues l \
                              JOIN bots b ON b.course_id = l.course_id WHERE l.id = $1 AND b.id = $2 \
                              AND b.house IS NOT NULL ON CONFLICT DO NOTHING";
        let clear = sqlx::query("DELETE FROM league_guests WHERE league_id = $1").bind($league);
        clear.execute(&mut *$transaction).await?;
        for guest in $guests {
            sqlx::query(INVITE).bind($league).bind(guest).execute(&mut *$transaction).await?;
        }
    };
}

impl Store {
    /// Makes a league of a course, and returns its code. The group, if there is one, is of the course.
    pub async fn create_league(&self, course: Id, new: &NewLeague, now_ms: i64) -> Result<String, StoreError> {
        const INSERT: &str = "INSERT INTO leagues (id, code, course_id, group_id, name, schedule, ranking, move_ms, rounds, \
                              is_published, hidden_from_ms, is_open, due_ms, created_ms) \
                              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
        let (id, code) = (new_id(now_ms), code());
        transaction!(self, transaction => {
            let query = sqlx::query(INSERT).bind(id).bind(&code).bind(course).bind(new.group_id).bind(&new.name);
            let query = query.bind(&new.schedule).bind(&new.ranking).bind(new.move_ms).bind(new.rounds);
            let query = query.bind(new.is_published).bind(new.hidden_from_ms).bind(new.is_open).bind(new.due_ms);
            query.bind(now_ms).execute(&mut *transaction).await?;
            set_guests!(transaction, id, &new.guests);
            Ok(code)
        })
    }

    /// Changes what a teacher says of a league.
    pub async fn change_league(&self, league: Id, new: &NewLeague) -> Result<(), StoreError> {
        const UPDATE: &str = "UPDATE leagues SET group_id = $1, name = $2, schedule = $3, ranking = $4, move_ms = $5, \
                              rounds = $6, is_published = $7, hidden_from_ms = $8, is_open = $9, due_ms = $10 \
                              WHERE id = $11";
        transaction!(self, transaction => {
            let query = sqlx::query(UPDATE).bind(new.group_id).bind(&new.name).bind(&new.schedule).bind(&new.ranking);
            let query = query.bind(new.move_ms).bind(new.rounds).bind(new.is_published).bind(new.hidden_from_ms);
            query.bind(new.is_open).bind(new.due_ms).bind(league).execute(&mut *transaction).await?;
            set_guests!(transaction, league, &new.guests);
            Ok(())
        })
    }

    /// Deletes a league that has not had a run yet. `false` if it had one, or is not there.
    pub async fn delete_league(&self, league: Id) -> Result<bool, StoreError> {
        const QUERY: &str =
            "DELETE FROM leagues WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM runs WHERE league_id = $1)";
        let _writer = self.writer().await?;
        let deleted = with_pool!(self, pool => {
            sqlx::query(QUERY).bind(league).execute(pool).await?.rows_affected()
        });
        Ok(deleted > 0)
    }

    /// The league with this code.
    pub async fn league(&self, code: &str) -> Result<Option<League>, StoreError> {
        const QUERY: &str = select_league!("WHERE l.code = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(code).fetch_optional(pool).await)?)
    }

    /// The league with this id.
    pub async fn league_by_id(&self, id: Id) -> Result<Option<League>, StoreError> {
        const QUERY: &str = select_league!("WHERE l.id = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(id).fetch_optional(pool).await)?)
    }

    /// The leagues of a course, by group and then by age; those of all groups first.
    pub async fn leagues_of_course(&self, course: Id) -> Result<Vec<League>, StoreError> {
        const QUERY: &str = select_league!("WHERE l.course_id = $1 ORDER BY COALESCE(g.code, ''), l.id");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(course).fetch_all(pool).await)?)
    }

    /// The published leagues, the latest first.
    pub async fn published_leagues(&self, limit: u32) -> Result<Vec<League>, StoreError> {
        const QUERY: &str = select_league!("WHERE l.is_published ORDER BY l.id DESC LIMIT $1");
        let limit = i64::from(limit);
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(limit).fetch_all(pool).await)?)
    }

    /// The leagues whose next run is due, the one that waits longest first.
    pub async fn due_leagues(&self, now_ms: i64) -> Result<Vec<League>, StoreError> {
        const QUERY: &str = select_league!("WHERE l.is_open AND l.due_ms <= $1 ORDER BY l.due_ms, l.id");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(now_ms).fetch_all(pool).await)?)
    }

    /// When the next run of any league is to start that is not due yet.
    pub async fn next_due_ms(&self, now_ms: i64) -> Result<Option<i64>, StoreError> {
        const QUERY: &str = "SELECT MIN(due_ms) FROM leagues WHERE is_open AND due_ms > $1";
        Ok(with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(now_ms).fetch_one(pool).await)?)
    }

    /// Says when the next run of a league is to start, unless that has been said anew since it was `old`.
    pub async fn set_league_due(&self, league: Id, old: Option<i64>, new: Option<i64>) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE leagues SET due_ms = $1 WHERE id = $2 AND (due_ms = $3 OR ($4 AND due_ms IS NULL))";
        let _writer = self.writer().await?;
        let set = with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(new).bind(league).bind(old).bind(old.is_none());
            query.execute(pool).await?.rows_affected()
        });
        Ok(set > 0)
    }

    /// The ids of the house bots that play in a league.
    pub async fn league_guests(&self, league: Id) -> Result<Vec<Id>, StoreError> {
        const QUERY: &str = "SELECT bot_id FROM league_guests WHERE league_id = $1 ORDER BY bot_id";
        Ok(with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(league).fetch_all(pool).await)?)
    }

    /// Says whether a run counts for marks, and whether it is the last one of its league. The games of a run that counts go
    /// before those of others.
    pub async fn mark_run(&self, run: Id, is_counted: bool, is_final: bool) -> Result<(), StoreError> {
        const MARK: &str = "UPDATE runs SET is_counted = $1, is_final = $2 WHERE id = $3";
        const HASTEN: &str = "UPDATE jobs SET priority = $1 WHERE lane = $2 AND kind = 'game' AND priority = $3";
        let (counted, others) = (COUNTED_PRIORITY, LEAGUE_PRIORITY);
        let (new, old) = if is_counted { (counted, others) } else { (others, counted) };
        transaction!(self, transaction => {
            let query = sqlx::query(MARK).bind(is_counted).bind(is_final).bind(run);
            query.execute(&mut *transaction).await?;
            sqlx::query(HASTEN).bind(new).bind(run).bind(old).execute(&mut *transaction).await?;
            Ok(())
        })
    }

    /// The number of the run of a league that has games to play.
    pub async fn unfinished_run(&self, league: Id) -> Result<Option<i64>, StoreError> {
        const QUERY: &str = "SELECT number FROM runs WHERE league_id = $1 AND state IN ('playing', 'paused') \
                             ORDER BY number DESC LIMIT 1";
        Ok(with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(league).fetch_optional(pool).await)?)
    }

    /// The names of the players of all runs of a league, by run and by their numbers: which run, which player, its
    /// name and its team.
    pub async fn names_in_league(&self, league: Id) -> Result<Vec<(Id, i64, String, Option<Id>)>, StoreError> {
        const QUERY: &str = "SELECT p.run_id, p.player, p.name, p.team_id FROM run_players p JOIN runs r ON r.id = p.run_id \
                             WHERE r.league_id = $1 ORDER BY r.number, p.player";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(league).fetch_all(pool).await)?)
    }

    /// What has been measured of the games of a course's leagues.
    pub async fn measured_games(&self, course: Id) -> Result<MeasuredGames, StoreError> {
        const QUERY: &str = "SELECT COUNT(*) AS games, \
                             CAST(COALESCE(SUM(g.charged_1_us + g.charged_2_us), 0) AS BIGINT) AS charged_us \
                             FROM run_games g JOIN runs r ON r.id = g.run_id JOIN leagues l ON l.id = r.league_id \
                             WHERE l.course_id = $1 AND g.voided_ms IS NULL";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(course).fetch_one(pool).await)?)
    }
}
