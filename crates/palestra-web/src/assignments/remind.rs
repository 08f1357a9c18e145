//! Mails about deadlines: a day before, to the teams that have not handed in.

use std::collections::BTreeSet;

use palestra_store::{Assignment, Audience, Id, MailKind, StoreError};

use super::access::path;
use crate::app::{App, now_ms};
use crate::courses::mails::mail_members;

/// How long before the deadline the mail is sent.
const BEFORE_MS: i64 = 24 * 3600 * 1000;

/// Tells members whose team has handed in nothing that a deadline is near. Each deadline is told of once.
pub(crate) async fn remind(app: &App) -> Result<(), StoreError> {
    for assignment in app.store.assignments_to_remind(now_ms(), BEFORE_MS).await? {
        let teams = idle_teams(app, &assignment).await?;
        tracing::info!(assignment = assignment.code, teams = teams.len(), "a deadline is near");
        for team in teams {
            mail_members(app, Audience::Team(team), MailKind::Deadline, &path(&assignment, "")).await?;
        }
    }
    Ok(())
}

/// The teams of the course that have handed in nothing.
async fn idle_teams(app: &App, assignment: &Assignment) -> Result<BTreeSet<Id>, StoreError> {
    let handed_in = app.store.counted_hand_ins(assignment.id).await?;
    let members = app.store.members(assignment.course_id).await?;
    let teams = members.iter().map(|member| member.team_id);
    Ok(teams.filter(|team| !handed_in.iter().any(|it| it.team_id == *team)).collect())
}
