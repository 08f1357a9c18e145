//! Bots: their names, which stay for ever, and who may do what with them.

use crate::account::nickname_key;
use crate::course::teachers;
use crate::db::{new_id, transaction, with_pool};
use crate::row::row;
use crate::{Id, Store, StoreError, StoreFuture};

/// A registered bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bot {
    /// Which row.
    pub id: Id,
    /// Its name, which never changes.
    pub name: String,
    /// The game that it plays.
    pub game: String,
    /// The language in which it is written.
    pub language: String,
    /// Whose it is, while they have an account.
    pub account_id: Option<Id>,
    /// The current nickname of the owner.
    pub nickname: Option<String>,
    /// The course for which it was registered or in which it was entered.
    pub course_id: Option<Id>,
    /// The address of that course.
    pub course_code: Option<String>,
    /// The name of that course.
    pub course_name: Option<String>,
    /// Whether it is a teacher's house bot.
    pub house: House,
    /// The version that plays.
    pub active_version_id: Option<Id>,
    /// The number of that version.
    pub active: Option<i64>,
    /// The number under which its results stand when its owner is gone.
    pub withdrawn: Option<i64>,
    /// Since when.
    pub created_ms: i64,
}

row!(Bot {
    id,
    name,
    game,
    language,
    account_id,
    nickname,
    course_id,
    course_code,
    course_name,
    house: Option<String>,
    active_version_id,
    active,
    withdrawn,
    created_ms
});

/// Whether a bot is a house bot: a teacher's, whose sources are hidden and which belongs to the course.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum House {
    /// A person's own bot.
    #[default]
    No,
    /// A house bot that members of the course see.
    Playable,
    /// A house bot that only the course's teachers see.
    Hidden,
}

impl House {
    /// The word for it in the database.
    #[must_use]
    pub fn word(self) -> Option<&'static str> {
        (self != Self::No).then(|| self.into())
    }
}

impl TryFrom<Option<String>> for House {
    type Error = UnknownHouse;

    fn try_from(word: Option<String>) -> Result<Self, UnknownHouse> {
        match word.as_deref() {
            None => Ok(Self::No),
            Some("playable") => Ok(Self::Playable),
            Some("hidden") => Ok(Self::Hidden),
            Some(other) => Err(UnknownHouse(other.to_owned())),
        }
    }
}

/// A word that is no kind of house bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no kind of house bot: playable or hidden")]
pub struct UnknownHouse(String);

/// A bot about to be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBot<'a> {
    /// Its name.
    pub name: &'a str,
    /// The game that it plays.
    pub game: &'a str,
    /// The language in which it is written.
    pub language: &'a str,
    /// Its owner.
    pub account: Id,
    /// The course for which it is registered.
    pub course: Option<Id>,
    /// Whether it is a house bot of that course.
    pub house: House,
}

/// What came of registering a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registered {
    /// It is registered.
    Bot(Id),
    /// The name is the nickname of another account.
    Nickname,
    /// The account has as many bots as it can have.
    TooMany,
}

/// A course for which an account can register bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotCourse {
    /// Which row.
    pub id: Id,
    /// Its address.
    pub code: String,
    /// Its name.
    pub name: String,
    /// The game of the course.
    pub game: String,
    /// Whether the account teaches it, and may register house bots.
    pub is_taught: bool,
}

row!(BotCourse { id, code, name, game, is_taught });

/// What an account has to do with a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotRole {
    /// It is theirs, or that of the other half of their pair.
    Owner,
    /// They teach the course of the bot.
    Teacher,
    /// They are a member of the course of the bot.
    Member,
    /// Nothing.
    Stranger,
}

/// Limits on what an account can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotas {
    /// Bots of an account.
    pub bots: i64,
    /// Versions of a bot.
    pub versions: i64,
    /// Bytes of all sources that an account has uploaded.
    pub bytes: i64,
    /// Versions of an account that wait to be compiled or are being tried.
    pub builds: i64,
}

impl Default for Quotas {
    fn default() -> Self {
        Self { bots: 20, versions: 100, bytes: 64 << 20, builds: 3 }
    }
}

/// The name under which the results of a withdrawn bot or member stand.
#[must_use]
pub fn withdrawn_name(number: i64) -> String {
    format!("withdrawn {number}")
}

/// The key by which names of bots must differ.
fn name_key(name: &str) -> String {
    name.to_ascii_lowercase()
}

macro_rules! select_bot {
    ($rest:literal) => {
        concat!(
            "SELECT b.id, b.name, b.game, b.language, b.account_id, a.nickname, b.course_id, c.code AS course_code, \
             c.name AS course_name, b.house, b.active_version_id, v.number AS active, b.withdrawn, b.created_ms \
             FROM bots b LEFT JOIN accounts a ON a.id = b.account_id LEFT JOIN courses c ON c.id = b.course_id \
             LEFT JOIN bot_versions v ON v.id = b.active_version_id ",
            $rest
        )
    };
}

/// A condition on `$account` and a bot `b`: they are the two members of a pair, and the bot is of the pair's course.
macro_rules! is_mate {
    ($account:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM course_members own JOIN course_members mate ON mate.team_id = own.team_id \
             WHERE own.course_id = b.course_id AND own.account_id = b.account_id AND own.state = 'member' \
             AND mate.state = 'member' AND mate.account_id = ",
            $account,
            ")"
        )
    };
}

/// In a transaction: deletes the sources of all versions of the bots that fit a condition with one value, and all that
/// people wrote about them or that repeats their sources.
macro_rules! forget_sources {
    ($transaction:ident, $which:literal, $value:expr) => {
        const FILES: &str = concat!(
            "DELETE FROM bot_files WHERE version_id IN \
             (SELECT v.id FROM bot_versions v JOIN bots b ON b.id = v.bot_id WHERE ",
            $which,
            ")"
        );
        const TEXTS: &str = concat!(
            "UPDATE bot_versions SET note = '', report = '' WHERE bot_id IN (SELECT b.id FROM bots b WHERE ",
            $which,
            ")"
        );
        sqlx::query(FILES).bind($value).execute(&mut *$transaction).await?;
        sqlx::query(TEXTS).bind($value).execute(&mut *$transaction).await?;
    };
}
pub(crate) use forget_sources;

/// In a transaction that deletes an account: its bots go to the other half of a pair, house bots stay with their course,
/// and all others are withdrawn: their names stay taken, their sources go, and their results stand under a number.
macro_rules! withdraw_bots {
    ($transaction:ident, $account:expr) => {
        const MATES: &str = "SELECT b.id, mate.account_id FROM bots b JOIN course_members own \
                             ON own.course_id = b.course_id AND own.account_id = b.account_id AND own.state = 'member' \
                             JOIN course_members mate ON mate.team_id = own.team_id AND mate.id <> own.id \
                             AND mate.state = 'member' AND mate.account_id IS NOT NULL \
                             WHERE b.account_id = $1 AND b.house IS NULL";
        const GIVE: &str = "UPDATE bots SET account_id = $1 WHERE id = $2";
        const KEEP: &str = "UPDATE bots SET account_id = NULL \
                            WHERE account_id = $1 AND house IS NOT NULL AND course_id IS NOT NULL";
        const NUMBER: &str = "SELECT MAX(number) FROM (SELECT COALESCE(MAX(withdrawn), 0) + 1 AS number FROM bots \
                              UNION ALL SELECT COALESCE(MAX(withdrawn), 0) + 1 FROM course_members) AS numbers";
        const WITHDRAW: &str = "UPDATE bots SET withdrawn = $1, active_version_id = NULL WHERE account_id = $2";
        const FINGERPRINTS: &str = "UPDATE fingerprints SET label = $1 WHERE NOT is_foreign \
                                    AND label IN (SELECT b.name FROM bots b WHERE b.account_id = $2)";
        const PLAYERS: &str = "UPDATE run_players SET name = $1 \
                               WHERE bot_id IN (SELECT b.id FROM bots b WHERE b.account_id = $2)";
        let mates: Vec<($crate::Id, $crate::Id)> =
            sqlx::query_as(MATES).bind($account).fetch_all(&mut *$transaction).await?;
        for (bot, mate) in mates {
            sqlx::query(GIVE).bind(mate).bind(bot).execute(&mut *$transaction).await?;
        }
        sqlx::query(KEEP).bind($account).execute(&mut *$transaction).await?;
        $crate::bot::forget_sources!($transaction, "b.account_id = $1", $account);
        let number: i64 = sqlx::query_scalar(NUMBER).fetch_one(&mut *$transaction).await?;
        sqlx::query(WITHDRAW).bind(number).bind($account).execute(&mut *$transaction).await?;
        let name = $crate::withdrawn_name(number);
        sqlx::query(FINGERPRINTS).bind(&name).bind($account).execute(&mut *$transaction).await?;
        sqlx::query(PLAYERS).bind(name).bind($account).execute(&mut *$transaction).await?;
    };
}
pub(crate) use withdraw_bots;

impl Store {
    /// Registers a bot. [`StoreError::Taken`] if a bot has the name, or had it before it was withdrawn.
    pub fn register_bot<'a>(&'a self, new: &'a NewBot<'_>, most: i64, now_ms: i64) -> StoreFuture<'a, Registered> {
        // Locks the row: of several calls for one account each counts the bots of those before it.
        const LOCK: &str = "UPDATE accounts SET role = role WHERE id = $1";
        const COUNT: &str = "SELECT COUNT(*) FROM bots WHERE account_id = $1";
        const NICKNAME: &str = "SELECT COUNT(*) FROM accounts WHERE nickname_key = $1 AND id <> $2";
        const INSERT: &str = "INSERT INTO bots (id, name, name_key, game, language, account_id, course_id, house, \
                              created_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        Box::pin(async move {
            let id = new_id(now_ms);
            transaction!(self, transaction => {
                sqlx::query(LOCK).bind(new.account).execute(&mut *transaction).await?;
                let count: i64 = sqlx::query_scalar(COUNT).bind(new.account).fetch_one(&mut *transaction).await?;
                if count >= most {
                    return Ok(Registered::TooMany);
                }
                let query = sqlx::query_scalar(NICKNAME).bind(nickname_key(new.name)).bind(new.account);
                let others: i64 = query.fetch_one(&mut *transaction).await?;
                if others > 0 {
                    return Ok(Registered::Nickname);
                }
                let query = sqlx::query(INSERT).bind(id).bind(new.name).bind(name_key(new.name)).bind(new.game);
                let query = query.bind(new.language).bind(new.account).bind(new.course).bind(new.house.word());
                query.bind(now_ms).execute(&mut *transaction).await?;
                Ok(Registered::Bot(id))
            })
        })
    }

    /// The bot of this name, in any case; withdrawn ones too.
    pub async fn bot(&self, name: &str) -> Result<Option<Bot>, StoreError> {
        const QUERY: &str = select_bot!("WHERE b.name_key = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(name_key(name)).fetch_optional(pool).await)?)
    }

    /// The bot with this id.
    pub async fn bot_by_id(&self, id: Id) -> Result<Option<Bot>, StoreError> {
        const QUERY: &str = select_bot!("WHERE b.id = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(id).fetch_optional(pool).await)?)
    }

    /// The bots that an account has by itself or as half of a pair, the newest first; house bots as long as it teaches their
    /// course.
    pub async fn bots_of(&self, account: Id) -> Result<Vec<Bot>, StoreError> {
        const QUERY: &str = concat!(
            select_bot!("WHERE b.withdrawn IS NULL AND CASE WHEN b.house IS NULL THEN b.account_id = $1 OR "),
            is_mate!("$1"),
            " ELSE b.account_id = $1 AND EXISTS (SELECT 1 FROM ",
            teachers!(),
            " t WHERE t.course_id = b.course_id AND t.account_id = $1) END ORDER BY b.id DESC"
        );
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(account).fetch_all(pool).await)?)
    }

    /// The bots of a course by name, house bots included and withdrawn ones left out.
    pub async fn bots_of_course(&self, course: Id) -> Result<Vec<Bot>, StoreError> {
        const QUERY: &str = select_bot!("WHERE b.course_id = $1 AND b.withdrawn IS NULL ORDER BY b.name_key");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(course).fetch_all(pool).await)?)
    }

    /// What an account has to do with a bot. House bots of a course belong to all its teachers.
    pub async fn bot_role(&self, bot: &Bot, account: Id) -> Result<BotRole, StoreError> {
        const MATE: &str = concat!("SELECT COUNT(*) FROM bots b WHERE b.id = $1 AND ", is_mate!("$2"));
        const TEACHER: &str =
            concat!("SELECT COUNT(*) FROM ", teachers!(), " t WHERE t.course_id = $1 AND t.account_id = $2");
        const MEMBER: &str =
            "SELECT COUNT(*) FROM course_members WHERE course_id = $1 AND account_id = $2 AND state = 'member'";
        if bot.course_id.is_none() {
            return Ok(if bot.account_id == Some(account) { BotRole::Owner } else { BotRole::Stranger });
        }
        let [mate, teacher, member]: [i64; 3] = with_pool!(self, pool => [
            sqlx::query_scalar(MATE).bind(bot.id).bind(account).fetch_one(pool).await?,
            sqlx::query_scalar(TEACHER).bind(bot.course_id).bind(account).fetch_one(pool).await?,
            sqlx::query_scalar(MEMBER).bind(bot.course_id).bind(account).fetch_one(pool).await?,
        ]);
        let is_house = bot.house != House::No;
        Ok(match () {
            () if is_house && teacher > 0 => BotRole::Owner,
            () if !is_house && (bot.account_id == Some(account) || mate > 0) => BotRole::Owner,
            () if teacher > 0 => BotRole::Teacher,
            () if member > 0 => BotRole::Member,
            () => BotRole::Stranger,
        })
    }

    /// The courses for which an account can register bots: those that it has joined or teaches, by name.
    pub async fn courses_for_bots(&self, account: Id) -> Result<Vec<BotCourse>, StoreError> {
        const QUERY: &str = concat!(
            "SELECT c.id, c.code, c.name, c.game, t.account_id IS NOT NULL AS is_taught FROM courses c LEFT JOIN ",
            teachers!(),
            " t ON t.course_id = c.id AND t.account_id = $1 WHERE c.purged_ms IS NULL AND (t.account_id IS NOT NULL \
             OR EXISTS (SELECT 1 FROM course_members m WHERE m.course_id = c.id AND m.account_id = $1 \
             AND m.state = 'member')) ORDER BY c.name, c.id"
        );
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(account).fetch_all(pool).await)?)
    }

    /// Says whether members of the course see a house bot.
    pub async fn show_house_bot(&self, bot: Id, house: House) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE bots SET house = $1 WHERE id = $2 AND house IS NOT NULL";
        let Some(word) = house.word() else { return Ok(false) };
        let _writer = self.writer().await?;
        let changed =
            with_pool!(self, pool => sqlx::query(QUERY).bind(word).bind(bot).execute(pool).await?.rows_affected());
        Ok(changed > 0)
    }

    /// Says for which course a bot is: its teachers see the sources.
    pub async fn set_bot_course(&self, bot: Id, course: Option<Id>) -> Result<(), StoreError> {
        const QUERY: &str = "UPDATE bots SET course_id = $1 WHERE id = $2";
        let _writer = self.writer().await?;
        with_pool!(self, pool => sqlx::query(QUERY).bind(course).bind(bot).execute(pool).await.map(drop))?;
        Ok(())
    }
}
