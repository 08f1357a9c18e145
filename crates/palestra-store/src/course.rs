//! Courses and those who teach them.

use std::fmt;
use std::str::FromStr;

use crate::db::{new_id, transaction, with_pool};
use crate::row::row;
use crate::token::code;
use crate::{Account, Id, Store, StoreError};

/// A course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// Which row.
    pub id: Id,
    /// The unique word in its address.
    pub code: String,
    /// The name.
    pub name: String,
    /// The year, such as 2026/27.
    pub year: String,
    /// The id of its game.
    pub game: String,
    /// The options of its game.
    pub options: String,
    /// What a program may use for a move.
    pub time_rule: TimeRule,
    /// Mail domains whose members need not wait for a teacher, in lower case, with a blank between them.
    pub domains: String,
    /// The name of its time zone in the IANA database.
    pub time_zone: String,
    /// When it ends: after that its roster, sources and hand-ins are deleted.
    pub ends_ms: i64,
    /// Whether fingerprints of sources are kept after the end.
    pub keeps_fingerprints: bool,
    /// When the teachers were last told of the end.
    pub warned_ms: Option<i64>,
    /// When what ends with the course was deleted.
    pub purged_ms: Option<i64>,
    /// Since when.
    pub created_ms: i64,
}

row!(Course {
    id,
    code,
    name,
    year,
    game,
    options,
    time_rule: String,
    domains,
    time_zone,
    ends_ms,
    keeps_fingerprints,
    warned_ms,
    purged_ms,
    created_ms,
});

impl Course {
    /// Whether the owners of addresses in this domain need not wait for a teacher.
    #[must_use]
    pub fn allows(&self, email: &str) -> bool {
        let domain = email.rsplit_once('@').map(|(_, domain)| domain.to_lowercase());
        domain.is_some_and(|domain| self.domains.split(' ').any(|allowed| allowed == domain))
    }
}

/// What a teacher says of a course; see [`Course`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCourse {
    /// The name.
    pub name: String,
    /// The year.
    pub year: String,
    /// The id of its game.
    pub game: String,
    /// The options of its game.
    pub options: String,
    /// What a program may use for a move.
    pub time_rule: TimeRule,
    /// Mail domains, in lower case, with a blank between them.
    pub domains: String,
    /// The name of its time zone.
    pub time_zone: String,
    /// When it ends.
    pub ends_ms: i64,
    /// Whether fingerprints of sources are kept after the end.
    pub keeps_fingerprints: bool,
}

/// What a program may use for a move. Its text is a word and a number: `cpu 2000`, `depth 8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeRule {
    /// Milliseconds of CPU time.
    Cpu(u32),
    /// Milliseconds by the clock, strictly.
    Wall(u32),
    /// A depth of search, which programs are told and trusted to keep.
    Depth(u32),
    /// A number of visited states, which programs are told and trusted to keep.
    States(u32),
}

impl TimeRule {
    /// The word for its kind.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Cpu(_) => "cpu",
            Self::Wall(_) => "wall",
            Self::Depth(_) => "depth",
            Self::States(_) => "states",
        }
    }

    /// Its number: milliseconds, plies or states.
    #[must_use]
    pub const fn amount(self) -> u32 {
        match self {
            Self::Cpu(amount) | Self::Wall(amount) | Self::Depth(amount) | Self::States(amount) => amount,
        }
    }
}

impl fmt::Display for TimeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind(), self.amount())
    }
}

impl FromStr for TimeRule {
    type Err = UnknownTimeRule;

    fn from_str(text: &str) -> Result<Self, UnknownTimeRule> {
        let wrong = || UnknownTimeRule(text.to_owned());
        let (kind, amount) = text.split_once(' ').ok_or_else(wrong)?;
        let amount = amount.parse().ok().filter(|&amount: &u32| amount > 0).ok_or_else(wrong)?;
        match kind {
            "cpu" => Ok(Self::Cpu(amount)),
            "wall" => Ok(Self::Wall(amount)),
            "depth" => Ok(Self::Depth(amount)),
            "states" => Ok(Self::States(amount)),
            _ => Err(wrong()),
        }
    }
}

impl TryFrom<String> for TimeRule {
    type Error = UnknownTimeRule;

    fn try_from(text: String) -> Result<Self, UnknownTimeRule> {
        text.parse()
    }
}

/// A text that is no time rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no time rule: cpu, wall, depth or states, a blank, and a number")]
pub struct UnknownTimeRule(String);

/// A course in a person's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CourseEntry {
    /// The course itself.
    pub course: Course,
    /// What the person is in it.
    pub part: CoursePart,
}

/// What a person is in a course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CoursePart {
    /// One of its teachers.
    Teacher,
    /// A member.
    Member,
    /// On the roster, with an account, but not joined yet.
    Invited,
    /// Waits for a teacher to accept them.
    Waiting,
    /// Neither: an admin sees all courses.
    Admin,
}

macro_rules! columns {
    () => {
        "c.id, c.code, c.name, c.year, c.game, c.options, c.time_rule, c.domains, c.time_zone, c.ends_ms, \
         c.keeps_fingerprints, c.warned_ms, c.purged_ms, c.created_ms"
    };
}
pub(crate) use columns as course_columns;

/// Who teaches which course, without those who have lost the role.
macro_rules! teachers {
    () => {
        "(SELECT own.course_id, own.account_id FROM course_teachers own JOIN accounts held ON held.id = own.account_id \
         WHERE held.role <> 'student')"
    };
}
pub(crate) use teachers;

impl Store {
    /// Makes a course with its first teacher, and returns its code.
    pub async fn create_course(&self, teacher: Id, new: &NewCourse, now_ms: i64) -> Result<String, StoreError> {
        const INSERT: &str = "INSERT INTO courses (id, code, name, year, game, options, time_rule, domains, time_zone, \
                              ends_ms, keeps_fingerprints, created_ms) \
                              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
        let (id, code) = (new_id(now_ms), code());
        transaction!(self, transaction => {
            let query = sqlx::query(INSERT).bind(id).bind(&code).bind(&new.name).bind(&new.year).bind(&new.game);
            let query = query.bind(&new.options).bind(new.time_rule.to_string()).bind(&new.domains);
            let query = query.bind(&new.time_zone).bind(new.ends_ms).bind(new.keeps_fingerprints).bind(now_ms);
            query.execute(&mut *transaction).await?;
            sqlx::query(TEACH).bind(id).bind(teacher).execute(&mut *transaction).await?;
            Ok(code)
        })
    }

    /// Changes what a teacher says of a course. A new end is announced anew, and comes also if there was one before.
    pub async fn change_course(&self, course: Id, new: &NewCourse) -> Result<(), StoreError> {
        const QUERY: &str = "UPDATE courses SET name = $1, year = $2, game = $3, options = $4, time_rule = $5, \
                             domains = $6, time_zone = $7, keeps_fingerprints = $8, \
                             warned_ms = CASE WHEN ends_ms = $9 THEN warned_ms ELSE NULL END, \
                             purged_ms = CASE WHEN ends_ms = $9 THEN purged_ms ELSE NULL END, ends_ms = $9 \
                             WHERE id = $10";
        let _writer = self.writer().await?;
        with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(&new.name).bind(&new.year).bind(&new.game).bind(&new.options);
            let query = query.bind(new.time_rule.to_string()).bind(&new.domains).bind(&new.time_zone);
            query.bind(new.keeps_fingerprints).bind(new.ends_ms).bind(course).execute(pool).await?;
        });
        Ok(())
    }

    /// The course with this code.
    pub async fn course(&self, code: &str) -> Result<Option<Course>, StoreError> {
        const QUERY: &str = concat!("SELECT ", columns!(), " FROM courses c WHERE c.code = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(code).fetch_optional(pool).await)?)
    }

    /// The course with this id.
    pub async fn course_by_id(&self, id: Id) -> Result<Option<Course>, StoreError> {
        const QUERY: &str = concat!("SELECT ", columns!(), " FROM courses c WHERE c.id = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(id).fetch_optional(pool).await)?)
    }

    /// The courses that a person teaches, has joined, or could join because the roster has their address: the latest first.
    pub async fn courses_of(&self, account: &Account) -> Result<Vec<CourseEntry>, StoreError> {
        const TAUGHT: &str = concat!(
            "SELECT ",
            columns!(),
            " FROM courses c JOIN ",
            teachers!(),
            " t ON t.course_id = c.id WHERE t.account_id = $1 ORDER BY c.id DESC"
        );
        const JOINED: &str = concat!(
            "SELECT ",
            columns!(),
            " FROM courses c JOIN course_members m ON m.course_id = c.id \
             WHERE m.account_id = $1 AND m.state = $2 ORDER BY c.id DESC"
        );
        const INVITED: &str = concat!(
            "SELECT ",
            columns!(),
            " FROM courses c JOIN course_members m ON m.course_id = c.id \
             WHERE m.email = $1 AND m.account_id IS NULL AND m.state = $2 ORDER BY c.id DESC"
        );
        let (id, email) = (account.id, &account.email);
        let lists: [(CoursePart, Vec<Course>); 4] = with_pool!(self, pool => [
            (CoursePart::Teacher, sqlx::query_as(TAUGHT).bind(id).fetch_all(pool).await?),
            (CoursePart::Member, sqlx::query_as(JOINED).bind(id).bind("member").fetch_all(pool).await?),
            (CoursePart::Waiting, sqlx::query_as(JOINED).bind(id).bind("waiting").fetch_all(pool).await?),
            (CoursePart::Invited, sqlx::query_as(INVITED).bind(email).bind("pending").fetch_all(pool).await?),
        ]);
        let entries = |(part, courses): (CoursePart, Vec<Course>)| {
            courses.into_iter().map(move |course| CourseEntry { course, part })
        };
        Ok(lists.into_iter().flat_map(entries).collect())
    }

    /// All courses, for admins: the latest first.
    pub async fn all_courses(&self) -> Result<Vec<Course>, StoreError> {
        const QUERY: &str = concat!("SELECT ", columns!(), " FROM courses c ORDER BY c.id DESC");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).fetch_all(pool).await)?)
    }

    /// Whether a person teaches a course, or is on the list of its members.
    pub async fn has_courses(&self, account: &Account) -> Result<bool, StoreError> {
        const QUERY: &str = concat!(
            "SELECT (SELECT COUNT(*) FROM ",
            teachers!(),
            " t WHERE t.account_id = $1) + (SELECT COUNT(*) FROM course_members WHERE account_id = $1) \
             + (SELECT COUNT(*) FROM course_members WHERE email = $2 AND account_id IS NULL)"
        );
        let (id, email) = (account.id, &account.email);
        let query = with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(id).bind(email).fetch_one(pool).await);
        let count: i64 = query?;
        Ok(count > 0)
    }

    /// Whether an account is among the teachers of a course.
    pub async fn is_course_teacher(&self, course: Id, account: Id) -> Result<bool, StoreError> {
        const QUERY: &str =
            concat!("SELECT COUNT(*) FROM ", teachers!(), " t WHERE t.course_id = $1 AND t.account_id = $2");
        let query =
            with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(course).bind(account).fetch_one(pool).await);
        let count: i64 = query?;
        Ok(count > 0)
    }

    /// The teachers of a course, by nickname.
    pub async fn course_teachers(&self, course: Id) -> Result<Vec<Account>, StoreError> {
        const QUERY: &str = crate::account::select_account!(
            "WHERE role <> 'student' AND id IN (SELECT account_id FROM course_teachers WHERE course_id = $1) \
             ORDER BY nickname_key"
        );
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(course).fetch_all(pool).await)?)
    }

    /// Adds a teacher to a course. `false` if the account is one already.
    pub async fn add_course_teacher(&self, course: Id, account: Id) -> Result<bool, StoreError> {
        let _writer = self.writer().await?;
        let added = with_pool!(self, pool => {
            sqlx::query(TEACH).bind(course).bind(account).execute(pool).await?.rows_affected()
        });
        Ok(added > 0)
    }

    /// Removes a teacher of a course. `false` if the account is none, or the last one, who stays.
    pub async fn remove_course_teacher(&self, course: Id, account: Id) -> Result<bool, StoreError> {
        // Locks the row: of two teachers who remove each other at once one stays.
        const LOCK: &str = "UPDATE courses SET name = name WHERE id = $1";
        const OTHERS: &str =
            concat!("SELECT COUNT(*) FROM ", teachers!(), " t WHERE t.course_id = $1 AND t.account_id <> $2");
        const DELETE: &str = "DELETE FROM course_teachers WHERE course_id = $1 AND account_id = $2";
        transaction!(self, transaction => {
            sqlx::query(LOCK).bind(course).execute(&mut *transaction).await?;
            let others: i64 =
                sqlx::query_scalar(OTHERS).bind(course).bind(account).fetch_one(&mut *transaction).await?;
            if others == 0 {
                return Ok(false);
            }
            let removed = sqlx::query(DELETE).bind(course).bind(account).execute(&mut *transaction).await?;
            Ok(removed.rows_affected() > 0)
        })
    }

    /// Whether a league of the course has a run that counts for marks: from then on its members stay in their groups.
    pub async fn has_counted_run(&self, course: Id) -> Result<bool, StoreError> {
        const QUERY: &str = "SELECT COUNT(*) FROM runs r JOIN leagues l ON l.id = r.league_id \
                             WHERE l.course_id = $1 AND r.is_counted";
        let count: i64 = with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(course).fetch_one(pool).await)?;
        Ok(count > 0)
    }
}

const TEACH: &str = "INSERT INTO course_teachers (course_id, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
