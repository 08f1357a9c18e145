//! The members of a course, in a table that can be imported as a roster.

use std::collections::HashMap;
use std::io::Write;

use palestra_store::{Id, Member};

use super::csv::{number, table, text};
use super::{Archive, ArchiveError};

impl<W: Write> Archive<'_, W> {
    /// The roster. Two rows with the same number of a team are a pair.
    pub(super) fn roster(&mut self) -> Result<(), ArchiveError> {
        let (store, course) = (&self.app.store, self.course.id);
        let groups: HashMap<Id, String> =
            self.wait(store.groups(course))?.into_iter().map(|group| (group.id, group.code)).collect();
        let members = self.wait(store.members(course))?;
        let mut teams: Vec<Id> = members.iter().map(|member| member.team_id).collect();
        teams.sort_unstable();
        teams.dedup();
        let rows = members.iter().map(|member| {
            let Member { name, email, group_id, id_number, nickname, state, team_id, withdrawn, .. } = member;
            let team = teams.binary_search(team_id).unwrap_or_default() + 1;
            [
                text(name),
                text(email),
                groups.get(group_id).cloned().unwrap_or_default(),
                text(id_number),
                text(nickname),
                state.to_string(),
                team.to_string(),
                number(*withdrawn),
            ]
        });
        let head = ["name", "email", "group", "id_number", "nickname", "state", "team", "withdrawn"];
        self.add("roster.csv", &table(head, rows))
    }
}
