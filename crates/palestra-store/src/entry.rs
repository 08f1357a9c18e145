//! Entries: the bot with which each team of a course takes part in its leagues. The newest one counts; all are kept.

use crate::db::{new_id, transaction, with_pool};
use crate::row::row;
use crate::{Id, Store, StoreError, StoreFuture};

/// A team of a course, and the bot with which it takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamEntry {
    /// Which team.
    pub team_id: Id,
    /// Its group.
    pub group_id: Id,
    /// The short name of the group.
    pub group_code: String,
    /// The bot; `None` as long as none has been chosen.
    pub bot_id: Option<Id>,
    /// The name of the bot.
    pub bot_name: Option<String>,
    /// The version of the bot that plays; `None` if none is ready.
    pub version_id: Option<Id>,
    /// The number of the version.
    pub version: Option<i64>,
    /// The hash of its source.
    pub source_hash: Option<String>,
    /// The compiler, with its version.
    pub compiler: Option<String>,
    /// The flags of the compiler.
    pub flags: Option<String>,
    /// Why a teacher changed the choice.
    pub reason: Option<String>,
}

row!(TeamEntry {
    team_id,
    group_id,
    group_code,
    bot_id,
    bot_name,
    version_id,
    version,
    source_hash,
    compiler,
    flags,
    reason,
});

/// The version of a bot with which a team of a course takes part, or did before its members left. Its sources are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnteredVersion {
    /// Which team.
    pub team_id: Id,
    /// The bot.
    pub bot_id: Id,
    /// The name of the bot.
    pub bot_name: String,
    /// The version that plays.
    pub version_id: Id,
}

row!(EnteredVersion { team_id, bot_id, bot_name, version_id });

/// A bot about to be entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewEntry<'a> {
    /// For which team.
    pub team: Id,
    /// Which bot.
    pub bot: Id,
    /// Who chose it.
    pub account: Id,
    /// Why, if a teacher changes the choice: only they may do so from the first counted run on.
    pub reason: Option<&'a str>,
}

/// What came of entering a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// It is entered.
    Done,
    /// A run has counted for marks: only a teacher may change the choice.
    Locked,
    /// The bot is nobody's of the team, or a house bot, or there is no such bot or team.
    NotTheirs,
    /// The bot plays another game than the course.
    OtherGame,
    /// The bot takes part in another course.
    OtherCourse,
}

/// A bot and a team, as the checks before an entry need them.
struct Fit {
    course_id: Id,
    is_theirs: bool,
    is_game: bool,
    is_free: bool,
    has_counted: bool,
}

row!(Fit { course_id, is_theirs, is_game, is_free, has_counted });

impl Store {
    /// Enters a bot for a team: one of its members' own, of the course's game, and in no other course.
    pub fn enter_bot<'a>(&'a self, new: &'a NewEntry<'_>, now_ms: i64) -> StoreFuture<'a, Entered> {
        const FIT: &str = "SELECT c.id AS course_id, \
                           EXISTS (SELECT 1 FROM course_members m WHERE m.team_id = t.id AND m.state = 'member' \
                           AND m.account_id = b.account_id) AND b.house IS NULL AND b.withdrawn IS NULL AS is_theirs, \
                           b.game = c.game AS is_game, COALESCE(b.course_id, c.id) = c.id AS is_free, \
                           EXISTS (SELECT 1 FROM runs r JOIN leagues l ON l.id = r.league_id \
                           WHERE l.course_id = c.id AND r.is_counted) AS has_counted \
                           FROM course_teams t JOIN course_groups g ON g.id = t.group_id JOIN courses c ON c.id = g.course_id \
                           JOIN bots b ON b.id = $2 WHERE t.id = $1";
        // Also of two choices in one millisecond, or after the clock was set back, the later one is the newest.
        const LAST: &str = "SELECT COALESCE(MAX(id), 0) FROM entries WHERE team_id = $1";
        const INSERT: &str = "INSERT INTO entries (id, team_id, bot_id, account_id, reason, created_ms) \
                              VALUES ($1, $2, $3, $4, $5, $6)";
        const ADOPT: &str = "UPDATE bots SET course_id = $1 WHERE id = $2";
        Box::pin(async move {
            transaction!(self, transaction => {
                let fit = sqlx::query_as(FIT).bind(new.team).bind(new.bot).fetch_optional(&mut *transaction).await?;
                let fit: Fit = match fit {
                    Some(Fit { is_theirs: false, .. }) | None => return Ok(Entered::NotTheirs),
                    Some(Fit { has_counted: true, .. }) if new.reason.is_none() => return Ok(Entered::Locked),
                    Some(Fit { is_game: false, .. }) => return Ok(Entered::OtherGame),
                    Some(Fit { is_free: false, .. }) => return Ok(Entered::OtherCourse),
                    Some(fit) => fit,
                };
                let last: Id = sqlx::query_scalar(LAST).bind(new.team).fetch_one(&mut *transaction).await?;
                let id = new_id(now_ms).max(last + 1);
                let query = sqlx::query(INSERT).bind(id).bind(new.team).bind(new.bot).bind(new.account);
                query.bind(new.reason).bind(now_ms).execute(&mut *transaction).await?;
                sqlx::query(ADOPT).bind(fit.course_id).bind(new.bot).execute(&mut *transaction).await?;
                Ok(Entered::Done)
            })
        })
    }

    /// The teams of a course, or of one of its groups, that have a member, each with its entry, by the bot's name; those that
    /// have entered no bot are last.
    pub async fn team_entries(&self, course: Id, group: Option<Id>) -> Result<Vec<TeamEntry>, StoreError> {
        const QUERY: &str = "SELECT t.id AS team_id, g.id AS group_id, g.code AS group_code, b.id AS bot_id, \
                             b.name AS bot_name, v.id AS version_id, v.number AS version, v.source_hash, v.compiler, v.flags, \
                             e.reason FROM course_teams t JOIN course_groups g ON g.id = t.group_id \
                             LEFT JOIN entries e ON e.id = (SELECT MAX(n.id) FROM entries n WHERE n.team_id = t.id) \
                             LEFT JOIN bots b ON b.id = e.bot_id AND b.withdrawn IS NULL \
                             LEFT JOIN bot_versions v ON v.id = b.active_version_id \
                             WHERE g.course_id = $1 AND ($2 OR g.id = $3) AND EXISTS (SELECT 1 FROM course_members m \
                             WHERE m.team_id = t.id AND m.state = 'member') \
                             ORDER BY b.name_key IS NULL, b.name_key, t.id";
        let found = with_pool!(self, pool => {
            sqlx::query_as(QUERY).bind(course).bind(group.is_none()).bind(group).fetch_all(pool).await
        });
        Ok(found?)
    }

    /// The versions that play for the teams of a course and whose sources are kept.
    pub async fn entered_versions(&self, course: Id) -> Result<Vec<EnteredVersion>, StoreError> {
        const QUERY: &str = "SELECT t.id AS team_id, b.id AS bot_id, b.name AS bot_name, v.id AS version_id \
                             FROM course_teams t JOIN course_groups g ON g.id = t.group_id \
                             JOIN entries e ON e.id = (SELECT MAX(n.id) FROM entries n WHERE n.team_id = t.id) \
                             JOIN bots b ON b.id = e.bot_id JOIN bot_versions v ON v.id = b.active_version_id \
                             WHERE g.course_id = $1 AND EXISTS (SELECT 1 FROM bot_files f WHERE f.version_id = v.id) \
                             ORDER BY t.id";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(course).fetch_all(pool).await)?)
    }
}
