//! All data about an account, for its owner to download (GDPR, article 20).

use crate::db::with_pool;
use crate::league::is_hidden;
use crate::row::row;
use crate::{Account, ApiToken, Id, MailKind, MapVisibility, MemberState, Store, StoreFuture};

/// All data about an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountExport {
    /// The account itself.
    pub account: Account,
    /// The sessions of the account.
    pub sessions: Vec<ExportedSession>,
    /// The API tokens of the account.
    pub api_tokens: Vec<ApiToken>,
    /// The games that it played.
    pub games: Vec<ExportedGame>,
    /// The maps that it keeps.
    pub maps: Vec<ExportedMap>,
    /// The bots that it registered.
    pub bots: Vec<ExportedBot>,
    /// The versions of bots that it uploaded.
    pub versions: Vec<ExportedVersion>,
    /// The courses that it has joined.
    pub memberships: Vec<ExportedMembership>,
    /// What its teams have handed in.
    pub hand_ins: Vec<ExportedHandIn>,
    /// What teachers have entered about its teams, for assignments whose marks are published.
    pub marks: Vec<ExportedMark>,
    /// The games of its bots in runs.
    pub run_games: Vec<ExportedRunGame>,
    /// The notices that it posted.
    pub notices: Vec<ExportedNotice>,
    /// The courses that it teaches, by name.
    pub taught: Vec<String>,
    /// The kinds of mail that it does not want.
    pub unwanted_mails: Vec<MailKind>,
}

/// A session in an export, without its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedSession {
    /// When the session was opened.
    pub created_ms: i64,
    /// When the session expires.
    pub expires_ms: i64,
}

row!(ExportedSession { created_ms, expires_ms });

/// A game in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedGame {
    /// The code of the game.
    pub code: String,
    /// The id of the game's kind.
    pub game: String,
    /// The side of the account, 1 or 2.
    pub side: i64,
    /// The side that won.
    pub winner: Option<i64>,
    /// The word for the reason for which the game ended.
    pub reason: String,
    /// When the game began.
    pub started_ms: i64,
    /// When the game ended.
    pub ended_ms: i64,
    /// The moves of the game.
    pub record: String,
}

row!(ExportedGame { code, game, side, winner, reason, started_ms, ended_ms, record });

/// A map in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedMap {
    /// The address of the map.
    pub address: String,
    /// The name of the map.
    pub name: String,
    /// The map itself.
    pub body: String,
    /// Who can see the map.
    pub visibility: MapVisibility,
    /// When the map was first kept.
    pub created_ms: i64,
}

row!(ExportedMap { address, name, body, visibility: String, created_ms });

/// A bot in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedBot {
    /// The name of the bot.
    pub name: String,
    /// The game that it plays.
    pub game: String,
    /// The language in which it is written.
    pub language: String,
    /// When it was registered.
    pub created_ms: i64,
}

row!(ExportedBot { name, game, language, created_ms });

/// A version of a bot in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedVersion {
    /// The name of the bot.
    pub bot: String,
    /// The number of the version.
    pub number: i64,
    /// What its author said about it.
    pub note: String,
    /// How far it came.
    pub state: String,
    /// The SHA-256 of its sources.
    pub source_hash: String,
    /// The bytes of its sources.
    pub size_bytes: i64,
    /// When it was uploaded.
    pub created_ms: i64,
}

row!(ExportedVersion { bot, number, note, state, source_hash, size_bytes, created_ms });

/// A membership in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedMembership {
    /// The name of the course.
    pub course: String,
    /// The year of the course.
    pub year: String,
    /// The code of the group.
    pub group_code: String,
    /// How far the member has come.
    pub state: MemberState,
    /// The name on the roster.
    pub name: Option<String>,
    /// The ID number on the roster.
    pub id_number: Option<String>,
    /// Since when.
    pub created_ms: i64,
}

row!(ExportedMembership { course, year, group_code, state: String, name, id_number, created_ms });

/// A hand-in in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedHandIn {
    /// The name of the course.
    pub course: String,
    /// The code of the assignment.
    pub assignment_code: String,
    /// The title of the assignment.
    pub assignment: String,
    /// Which row.
    pub id: Id,
    /// The SHA-256 of the archive.
    pub archive_hash: String,
    /// The name of the memo in it.
    pub memo_name: Option<String>,
    /// Its pages.
    pub memo_pages: Option<i64>,
    /// Whether it came after the deadline.
    pub is_late: bool,
    /// Whether this account handed it in, and not its partner.
    pub is_own: bool,
    /// When it came.
    pub created_ms: i64,
}

row!(ExportedHandIn {
    course,
    assignment_code,
    assignment,
    id,
    archive_hash,
    memo_name,
    memo_pages,
    is_late,
    is_own,
    created_ms,
});

/// An entry of a teacher about a mark in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedMark {
    /// The name of the course.
    pub course: String,
    /// The title of the assignment.
    pub assignment: String,
    /// The key of the part, or `total` or `copy`.
    pub part: String,
    /// The points in hundredths.
    pub hundredths: Option<i64>,
    /// The reason, or a remark.
    pub reason: String,
    /// When it was entered.
    pub created_ms: i64,
}

row!(ExportedMark { course, assignment, part, hundredths, reason, created_ms });

/// A game of a bot in a run, in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedRunGame {
    /// The name of the bot.
    pub bot: String,
    /// The version that played.
    pub version: Option<i64>,
    /// The word for the kind of the run.
    pub kind: String,
    /// The code of the game.
    pub code: String,
    /// The side of the bot, 1 or 2.
    pub side: i64,
    /// The side that won.
    pub winner: Option<i64>,
    /// The word for the fault by which the game was lost.
    pub forfeit: Option<String>,
    /// When the game ended.
    pub ended_ms: i64,
}

row!(ExportedRunGame { bot, version, kind, code, side, winner, forfeit, ended_ms });

/// A notice in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedNotice {
    /// The name of the course.
    pub course: String,
    /// What it says.
    pub text: String,
    /// When it was posted.
    pub created_ms: i64,
}

row!(ExportedNotice { course, text, created_ms });

impl Store {
    /// All data about an account; `None` if it does not exist.
    pub fn export_account(&self, account: Id) -> StoreFuture<'_, Option<AccountExport>> {
        Box::pin(async move {
            const SESSIONS: &str =
                "SELECT created_ms, expires_ms FROM sessions WHERE account_id = $1 ORDER BY created_ms";
            const GAMES: &str = "SELECT code, game, side, winner, reason, started_ms, ended_ms, record FROM games \
                             JOIN game_players ON game_id = games.id WHERE account_id = $1 ORDER BY ended_ms, side";
            const MAPS: &str = "SELECT address, name, body, visibility, created_ms FROM maps \
                                WHERE account_id = $1 ORDER BY name, id";
            const BOTS: &str =
                "SELECT name, game, language, created_ms FROM bots WHERE account_id = $1 ORDER BY name_key";
            const VERSIONS: &str = "SELECT b.name AS bot, v.number, v.note, v.state, v.source_hash, v.size_bytes, \
                                    v.created_ms FROM bot_versions v JOIN bots b ON b.id = v.bot_id \
                                    WHERE v.account_id = $1 ORDER BY b.name_key, v.number";
            const MEMBERSHIPS: &str = "SELECT c.name AS course, c.year, g.code AS group_code, m.state, m.name, \
                                       m.id_number, m.created_ms FROM course_members m \
                                       JOIN courses c ON c.id = m.course_id JOIN course_teams t ON t.id = m.team_id \
                                       JOIN course_groups g ON g.id = t.group_id \
                                       WHERE m.account_id = $1 ORDER BY m.id";
            const TAUGHT: &str = "SELECT c.name FROM courses c JOIN course_teachers t ON t.course_id = c.id \
                                  WHERE t.account_id = $1 ORDER BY c.id";
            const HAND_INS: &str = "SELECT c.name AS course, a.code AS assignment_code, a.title AS assignment, h.id, \
                                    h.archive_hash, h.memo_name, h.memo_pages, h.is_late, \
                                    COALESCE(h.account_id = $1, FALSE) AS is_own, h.created_ms FROM hand_ins h \
                                    JOIN assignments a ON a.id = h.assignment_id JOIN courses c ON c.id = a.course_id \
                                    WHERE h.team_id IN (SELECT team_id FROM course_members WHERE account_id = $1) \
                                    ORDER BY h.id";
            const MARKS: &str = "SELECT c.name AS course, a.title AS assignment, e.part, e.hundredths, e.reason, \
                                 e.created_ms FROM mark_entries e JOIN assignments a ON a.id = e.assignment_id \
                                 JOIN courses c ON c.id = a.course_id \
                                 WHERE e.team_id IN (SELECT team_id FROM course_members WHERE account_id = $1) \
                                 AND a.published_ms IS NOT NULL ORDER BY e.id";
            const RUN_GAMES: &str = concat!(
                "SELECT b.name AS bot, p.version, r.kind, g.game_code AS code, \
                 CAST(CASE WHEN g.player_1 = p.player THEN 1 ELSE 2 END AS BIGINT) AS side, g.winner, g.forfeit, \
                 g.ended_ms FROM run_games g JOIN runs r ON r.id = g.run_id \
                 JOIN run_players p ON p.run_id = g.run_id AND p.player IN (g.player_1, g.player_2) \
                 JOIN bots b ON b.id = p.bot_id LEFT JOIN leagues l ON l.id = r.league_id \
                 WHERE b.account_id = $1 AND NOT ",
                is_hidden!(),
                " ORDER BY g.id"
            );
            const NOTICES: &str = "SELECT c.name AS course, n.text, n.created_ms FROM notices n \
                                   JOIN courses c ON c.id = n.course_id WHERE n.account_id = $1 ORDER BY n.id";
            let Some(owner) = self.account(account).await? else { return Ok(None) };
            let api_tokens = self.api_tokens(account).await?;
            let unwanted_mails = self.unwanted_mails(account).await?;
            let (sessions, games, maps, bots, versions, memberships, taught) = with_pool!(self, pool => (
                sqlx::query_as(SESSIONS).bind(account).fetch_all(pool).await?,
                sqlx::query_as(GAMES).bind(account).fetch_all(pool).await?,
                sqlx::query_as(MAPS).bind(account).fetch_all(pool).await?,
                sqlx::query_as(BOTS).bind(account).fetch_all(pool).await?,
                sqlx::query_as(VERSIONS).bind(account).fetch_all(pool).await?,
                sqlx::query_as(MEMBERSHIPS).bind(account).fetch_all(pool).await?,
                sqlx::query_scalar(TAUGHT).bind(account).fetch_all(pool).await?,
            ));
            let (hand_ins, marks, run_games, notices) = with_pool!(self, pool => (
                sqlx::query_as(HAND_INS).bind(account).fetch_all(pool).await?,
                sqlx::query_as(MARKS).bind(account).fetch_all(pool).await?,
                sqlx::query_as(RUN_GAMES).bind(account).fetch_all(pool).await?,
                sqlx::query_as(NOTICES).bind(account).fetch_all(pool).await?,
            ));
            Ok(Some(AccountExport {
                account: owner,
                sessions,
                api_tokens,
                games,
                maps,
                bots,
                versions,
                memberships,
                hand_ins,
                marks,
                run_games,
                notices,
                taught,
                unwanted_mails,
            }))
        })
    }
}
