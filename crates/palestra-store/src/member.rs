//! Members of courses: the roster, joining, waiting and leaving.

use crate::account::email_key;
use crate::db::{new_id, transaction, with_pool};
use crate::row::row;
use crate::{Account, Id, Store, StoreError, StoreFuture};

/// A row of a course's list of members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Which row.
    pub id: Id,
    /// The course.
    pub course_id: Id,
    /// Their team: alone, or with a partner.
    pub team_id: Id,
    /// The group of the team.
    pub group_id: Id,
    /// Their account; `None` before they join and after they leave.
    pub account_id: Option<Id>,
    /// The nickname of the account.
    pub nickname: Option<String>,
    /// How far they have come.
    pub state: MemberState,
    /// The name on the roster, or that of the account; for teachers of the course only.
    pub name: Option<String>,
    /// The address on the roster, or that of the account; for teachers of the course only.
    pub email: Option<String>,
    /// The ID number on the roster.
    pub id_number: Option<String>,
    /// The number under which the results of a withdrawn member stand.
    pub withdrawn: Option<i64>,
    /// The group to which the team asks to be moved.
    pub wanted_group_id: Option<Id>,
    /// Since when.
    pub created_ms: i64,
}

row!(Member {
    id,
    course_id,
    team_id,
    group_id,
    account_id,
    nickname,
    state: String,
    name,
    email,
    id_number,
    withdrawn,
    wanted_group_id,
    created_ms,
});

/// How far a member has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[strum(parse_err_ty = UnknownMemberState, parse_err_fn = unknown_member_state)]
pub enum MemberState {
    /// On the roster, without an account.
    Pending,
    /// Waits for a teacher.
    Waiting,
    /// Takes part.
    Member,
    /// Has left, or was removed: the results stay.
    Withdrawn,
}

impl MemberState {
    /// The word for it, as in the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }
}

impl TryFrom<String> for MemberState {
    type Error = UnknownMemberState;

    fn try_from(word: String) -> Result<Self, UnknownMemberState> {
        word.parse()
    }
}

/// A word that is no state of a member.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no state of a member: pending, waiting, member or withdrawn")]
pub struct UnknownMemberState(String);

fn unknown_member_state(word: &str) -> UnknownMemberState {
    UnknownMemberState(word.to_owned())
}

/// A line of a roster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RosterLine {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
    /// The group, which is one of the course.
    pub group_id: Id,
    /// The ID number; `None` leaves what was there.
    pub id_number: Option<String>,
}

macro_rules! select_member {
    ($rest:literal) => {
        concat!(
            "SELECT m.id, m.course_id, m.team_id, t.group_id, m.account_id, a.nickname, m.state, \
             CASE WHEN c.purged_ms IS NULL THEN COALESCE(m.name, a.name) END AS name, \
             CASE WHEN c.purged_ms IS NULL THEN COALESCE(m.email, a.email) END AS email, \
             m.id_number, m.withdrawn, t.wanted_group_id, m.created_ms FROM course_members m \
             JOIN courses c ON c.id = m.course_id JOIN course_teams t ON t.id = m.team_id \
             LEFT JOIN accounts a ON a.id = m.account_id ",
            $rest
        )
    };
}

/// In a transaction: makes a team of nobody in a group, and evaluates to its id.
macro_rules! insert_team {
    ($transaction:ident, $group:expr, $now_ms:expr) => {{
        const QUERY: &str = "INSERT INTO course_teams (id, group_id, created_ms) VALUES ($1, $2, $3)";
        let team = $crate::db::new_id($now_ms);
        sqlx::query(QUERY).bind(team).bind($group).bind($now_ms).execute(&mut *$transaction).await?;
        team
    }};
}
pub(crate) use insert_team;

/// In a transaction: withdraws a member. What was theirs alone goes; a team with results keeps them under a number, this
/// one or a new one.
macro_rules! withdraw {
    ($transaction:ident, $course:expr, $member:expr, $team:expr, $number:expr) => {{
        // No bot has it either: in standings bots and members stand under the same numbers.
        const NUMBER: &str = "SELECT MAX(number) FROM (SELECT COALESCE(MAX(withdrawn), 0) + 1 AS number FROM bots \
                              UNION ALL SELECT COALESCE(MAX(withdrawn), 0) + 1 FROM course_members) AS numbers";
        const WITHDRAW: &str = "UPDATE course_members SET state = 'withdrawn', account_id = NULL, email = NULL, \
                                name = NULL, id_number = NULL, withdrawn = $1 WHERE id = $2";
        // Locks the row: no number is given twice.
        const LOCK: &str = "UPDATE courses SET name = name WHERE id = $1";
        sqlx::query(LOCK).bind($course).execute(&mut *$transaction).await?;
        let has_results: i64 =
            sqlx::query_scalar($crate::team::RESULTS).bind($team).fetch_one(&mut *$transaction).await?;
        if has_results == 0 {
            sqlx::query("DELETE FROM course_members WHERE id = $1").bind($member).execute(&mut *$transaction).await?;
            $crate::team::delete_empty_team!($transaction, $team);
        } else {
            let new: i64 = sqlx::query_scalar(NUMBER).fetch_one(&mut *$transaction).await?;
            let number: i64 = $number.unwrap_or(new);
            sqlx::query(WITHDRAW).bind(number).bind($member).execute(&mut *$transaction).await?;
        }
    }};
}
pub(crate) use withdraw;

/// In a transaction: withdraws an account from all its courses, under the number of its withdrawn bots.
macro_rules! withdraw_account {
    ($transaction:ident, $account:expr) => {{
        const ROWS: &str = "SELECT id, course_id, team_id FROM course_members WHERE account_id = $1";
        let rows: Vec<($crate::Id, $crate::Id, $crate::Id)> =
            sqlx::query_as(ROWS).bind($account).fetch_all(&mut *$transaction).await?;
        let query = sqlx::query_scalar("SELECT MAX(withdrawn) FROM bots WHERE account_id = $1").bind($account);
        let number: Option<i64> = query.fetch_one(&mut *$transaction).await?;
        for (member, course, team) in rows {
            $crate::member::withdraw!($transaction, course, member, team, number);
        }
    }};
}
pub(crate) use withdraw_account;

/// In a transaction: gives an account the row of the roster with its address. Evaluates to whether there is one.
macro_rules! claim {
    ($transaction:ident, $course:expr, $account:expr) => {{
        const CLAIM: &str = "UPDATE course_members SET account_id = $1, state = 'member' \
                             WHERE course_id = $2 AND email = $3 AND account_id IS NULL AND state = 'pending'";
        let query = sqlx::query(CLAIM).bind($account.id).bind($course).bind(&$account.email);
        query.execute(&mut *$transaction).await?.rows_affected() > 0
    }};
}

impl Store {
    /// All rows of a course's list of members, by name.
    pub async fn members(&self, course: Id) -> Result<Vec<Member>, StoreError> {
        const QUERY: &str = select_member!("WHERE m.course_id = $1 ORDER BY m.id");
        let found = with_pool!(self, pool => sqlx::query_as(QUERY).bind(course).fetch_all(pool).await);
        let mut members: Vec<Member> = found?;
        // The databases sort differently.
        members.sort_by_cached_key(|member| member.name.as_deref().map(str::to_lowercase));
        Ok(members)
    }

    /// The members of a team.
    pub async fn team_members(&self, team: Id) -> Result<Vec<Member>, StoreError> {
        const QUERY: &str = select_member!("WHERE m.team_id = $1 ORDER BY m.id");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(team).fetch_all(pool).await)?)
    }

    /// A row of a course's list of members.
    pub async fn member(&self, course: Id, member: Id) -> Result<Option<Member>, StoreError> {
        const QUERY: &str = select_member!("WHERE m.course_id = $1 AND m.id = $2");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(course).bind(member).fetch_optional(pool).await)?)
    }

    /// The row of an account in a course, also while they wait for a teacher.
    pub async fn member_of(&self, course: Id, account: Id) -> Result<Option<Member>, StoreError> {
        const QUERY: &str = select_member!("WHERE m.course_id = $1 AND m.account_id = $2");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(course).bind(account).fetch_optional(pool).await)?)
    }

    /// The row of a course's roster with this address that has no account yet.
    pub async fn pending_member(&self, course: Id, email: &str) -> Result<Option<Member>, StoreError> {
        const QUERY: &str =
            select_member!("WHERE m.course_id = $1 AND m.email = $2 AND m.account_id IS NULL AND m.state = 'pending'");
        let email = email_key(email);
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(course).bind(email).fetch_optional(pool).await)?)
    }

    /// Joins a course. The row of the roster with the account's address is theirs, in the group that stands there; else
    /// they join this group, in this state. An account that is a member already stays what it is. Returns its state.
    pub fn join_course<'a>(
        &'a self,
        (course, group): (Id, Id),
        account: &'a Account,
        state: MemberState,
        now_ms: i64,
    ) -> StoreFuture<'a, MemberState> {
        Box::pin(async move {
            const STATE: &str = "SELECT state FROM course_members WHERE course_id = $1 AND account_id = $2";
            const INSERT: &str = "INSERT INTO course_members (id, course_id, team_id, account_id, state, created_ms) \
                                  VALUES ($1, $2, $3, $4, $5, $6)";
            transaction!(self, transaction => {
                let query = sqlx::query_scalar(STATE).bind(course).bind(account.id);
                let before: Option<String> = query.fetch_optional(&mut *transaction).await?;
                if let Some(before) = before.and_then(|word| word.parse().ok()) {
                    return Ok(before);
                }
                if claim!(transaction, course, account) {
                    return Ok(MemberState::Member);
                }
                let team = insert_team!(transaction, group, now_ms);
                let query = sqlx::query(INSERT).bind(new_id(now_ms)).bind(course).bind(team).bind(account.id);
                query.bind(state.word()).bind(now_ms).execute(&mut *transaction).await?;
                Ok(state)
            })
        })
    }

    /// Gives an account the row of the roster with its address. `false` if there is none.
    pub async fn claim_membership(&self, course: Id, account: &Account) -> Result<bool, StoreError> {
        transaction!(self, transaction => {
            Ok(claim!(transaction, course, account))
        })
    }

    /// Accepts a person who waits. `false` if they do not.
    pub async fn accept_member(&self, course: Id, member: Id) -> Result<bool, StoreError> {
        const QUERY: &str =
            "UPDATE course_members SET state = 'member' WHERE id = $1 AND course_id = $2 AND state = 'waiting'";
        let _writer = self.writer().await?;
        let accepted = with_pool!(self, pool => {
            sqlx::query(QUERY).bind(member).bind(course).execute(pool).await?.rows_affected()
        });
        Ok(accepted > 0)
    }

    /// Removes a member of a course, or lets them leave. Results of their team stay, and they
    /// are known by a number then. `false` if there is no such member, or they are withdrawn already.
    pub fn remove_member(&self, course: Id, member: Id) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            const FIND: &str =
                "SELECT team_id FROM course_members WHERE id = $1 AND course_id = $2 AND state <> 'withdrawn'";
            transaction!(self, transaction => {
                let query = sqlx::query_scalar(FIND).bind(member).bind(course);
                let Some(team): Option<Id> = query.fetch_optional(&mut *transaction).await? else { return Ok(false) };
                withdraw!(transaction, course, member, team, None);
                Ok(true)
            })
        })
    }

    /// Brings the list of members up to date with a roster: adds who is new, changes names, ID numbers and groups, and
    /// accepts who waits. Only the members named in `removed` are removed. All of it happens, or nothing.
    pub fn import_roster<'a>(
        &'a self,
        course: Id,
        lines: &'a [RosterLine],
        removed: &'a [Id],
        now_ms: i64,
    ) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            const FIND: &str = "SELECT id, team_id FROM course_members WHERE course_id = $1 AND state <> 'withdrawn' \
                                AND (email = $2 OR account_id = (SELECT id FROM accounts WHERE email = $2)) \
                                ORDER BY CASE WHEN account_id IS NULL THEN 1 ELSE 0 END LIMIT 1";
            const CHANGE: &str = "UPDATE course_members SET name = $1, email = $2, id_number = COALESCE($3, id_number), \
                                  state = CASE WHEN state = 'waiting' THEN 'member' ELSE state END WHERE id = $4";
            const MOVE: &str = "UPDATE course_teams SET group_id = $1, wanted_group_id = NULL \
                                WHERE id = $2 AND group_id <> $1";
            const INSERT: &str = "INSERT INTO course_members \
                                  (id, course_id, team_id, state, name, email, id_number, created_ms) \
                                  VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7)";
            const REMOVED: &str =
                "SELECT team_id FROM course_members WHERE id = $1 AND course_id = $2 AND state <> 'withdrawn'";
            transaction!(self, transaction => {
                for line in lines {
                    let email = email_key(&line.email);
                    let query = sqlx::query_as(FIND).bind(course).bind(&email);
                    let found: Option<(Id, Id)> = query.fetch_optional(&mut *transaction).await?;
                    if let Some((member, team)) = found {
                        let query = sqlx::query(CHANGE).bind(&line.name).bind(&email).bind(&line.id_number);
                        query.bind(member).execute(&mut *transaction).await?;
                        sqlx::query(MOVE).bind(line.group_id).bind(team).execute(&mut *transaction).await?;
                    } else {
                        let team = insert_team!(transaction, line.group_id, now_ms);
                        let query = sqlx::query(INSERT).bind(new_id(now_ms)).bind(course).bind(team);
                        let query = query.bind(&line.name).bind(&email).bind(&line.id_number).bind(now_ms);
                        query.execute(&mut *transaction).await?;
                    }
                }
                for member in removed {
                    let query = sqlx::query_scalar(REMOVED).bind(member).bind(course);
                    let team: Option<Id> = query.fetch_optional(&mut *transaction).await?;
                    if let Some(team) = team {
                        withdraw!(transaction, course, member, team, None);
                    }
                }
                Ok(())
            })
        })
    }
}
