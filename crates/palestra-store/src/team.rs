//! Teams of courses: one member, or a pair that shares bot, hand-in and mark.

use crate::db::{transaction, with_pool};
use crate::member::insert_team;
use crate::{Id, Store, StoreError, StoreFuture};

/// How many results a team has: entries, hand-ins, marks and runs.
pub(crate) const RESULTS: &str = "SELECT (SELECT COUNT(*) FROM entries WHERE team_id = $1) \
                                  + (SELECT COUNT(*) FROM hand_ins WHERE team_id = $1) \
                                  + (SELECT COUNT(*) FROM mark_entries WHERE team_id = $1) \
                                  + (SELECT COUNT(*) FROM run_players WHERE team_id = $1)";

/// In a transaction: deletes a team that nobody is in.
macro_rules! delete_empty_team {
    ($transaction:ident, $team:expr) => {
        const EMPTY: &str = "DELETE FROM course_teams WHERE id = $1 \
                             AND NOT EXISTS (SELECT 1 FROM course_members WHERE team_id = $1)";
        sqlx::query(EMPTY).bind($team).execute(&mut *$transaction).await?;
    };
}
pub(crate) use delete_empty_team;

/// What became of a wish to pair two members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// They are a pair now.
    Done,
    /// One of them is not a member, or both are the same.
    NotFound,
    /// One of them has a partner already.
    HasPartner,
    /// Both have results, of which a pair could keep only one's.
    BothHaveResults,
}

impl Store {
    /// Moves a team of a course to another group of it. `false` if the team or the group is not there.
    pub async fn move_team(&self, course: Id, team: Id, group: Id) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE course_teams SET group_id = $1, wanted_group_id = NULL WHERE id = $2 \
                             AND group_id IN (SELECT id FROM course_groups WHERE course_id = $3) \
                             AND EXISTS (SELECT 1 FROM course_groups WHERE id = $1 AND course_id = $3)";
        let _writer = self.writer().await?;
        let moved = with_pool!(self, pool => {
            sqlx::query(QUERY).bind(group).bind(team).bind(course).execute(pool).await?.rows_affected()
        });
        Ok(moved > 0)
    }

    /// A team asks to be moved to another group of its course, or no longer asks. `false` if the group is not there, or is
    /// theirs already.
    pub async fn ask_for_group(&self, course: Id, team: Id, group: Option<Id>) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE course_teams SET wanted_group_id = $1 WHERE id = $2 \
                             AND group_id IN (SELECT id FROM course_groups WHERE course_id = $3) \
                             AND ($4 OR (group_id <> $1 \
                             AND EXISTS (SELECT 1 FROM course_groups WHERE id = $1 AND course_id = $3)))";
        let _writer = self.writer().await?;
        let asked = with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(group).bind(team).bind(course).bind(group.is_none());
            query.execute(pool).await?.rows_affected()
        });
        Ok(asked > 0)
    }

    /// Makes a pair of two members of a course, in the group of the one who has results, or else of the first.
    pub fn pair_members(&self, course: Id, one: Id, other: Id) -> StoreFuture<'_, Pairing> {
        Box::pin(async move {
            const FIND: &str = "SELECT team_id FROM course_members WHERE id = $1 AND course_id = $2 AND state IN ('pending', 'member')";
            const COUNT: &str = "SELECT COUNT(*) FROM course_members WHERE team_id = $1 AND state <> 'withdrawn'";
            const MOVE: &str = "UPDATE course_members SET team_id = $1 WHERE team_id = $2";
            // Locks the row: of two calls at once the second sees what the first did.
            const LOCK: &str = "UPDATE courses SET name = name WHERE id = $1";
            if one == other {
                return Ok(Pairing::NotFound);
            }
            transaction!(self, transaction => {
                sqlx::query(LOCK).bind(course).execute(&mut *transaction).await?;
                let mut teams = vec![];
                for member in [one, other] {
                    let query = sqlx::query_scalar(FIND).bind(member).bind(course);
                    let Some(team): Option<Id> = query.fetch_optional(&mut *transaction).await? else {
                        return Ok(Pairing::NotFound);
                    };
                    let count: i64 = sqlx::query_scalar(COUNT).bind(team).fetch_one(&mut *transaction).await?;
                    let results: i64 = sqlx::query_scalar(RESULTS).bind(team).fetch_one(&mut *transaction).await?;
                    teams.push((team, count, results));
                }
                let [(first, first_count, first_results), (second, second_count, second_results)] = teams[..] else {
                    return Ok(Pairing::NotFound);
                };
                if first_count > 1 || second_count > 1 {
                    return Ok(Pairing::HasPartner);
                }
                let (kept, given_up) = match (first_results > 0, second_results > 0) {
                    (true, true) => return Ok(Pairing::BothHaveResults),
                    (false, true) => (second, first),
                    _ => (first, second),
                };
                sqlx::query(MOVE).bind(kept).bind(given_up).execute(&mut *transaction).await?;
                delete_empty_team!(transaction, given_up);
                Ok(Pairing::Done)
            })
        })
    }

    /// Parts a pair: this member gets a team of their own in the same group, and the results stay with the other. `false`
    /// if they are no pair.
    pub async fn part_members(&self, course: Id, member: Id, now_ms: i64) -> Result<bool, StoreError> {
        const FIND: &str = "SELECT m.team_id, t.group_id FROM course_members m JOIN course_teams t ON t.id = m.team_id \
                            WHERE m.id = $1 AND m.course_id = $2 AND m.state <> 'withdrawn' \
                            AND (SELECT COUNT(*) FROM course_members o \
                            WHERE o.team_id = m.team_id AND o.state <> 'withdrawn') > 1";
        const MOVE: &str = "UPDATE course_members SET team_id = $1 WHERE id = $2";
        transaction!(self, transaction => {
            let query = sqlx::query_as(FIND).bind(member).bind(course);
            let Some((_, group)): Option<(Id, Id)> = query.fetch_optional(&mut *transaction).await? else {
                return Ok(false);
            };
            let team = insert_team!(transaction, group, now_ms);
            sqlx::query(MOVE).bind(team).bind(member).execute(&mut *transaction).await?;
            Ok(true)
        })
    }
}
