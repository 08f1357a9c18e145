//! Whose a program is, as teachers know them.

use std::collections::HashMap;

use palestra_store::{Course, Id, Member, MemberState};

use super::found::{Found, Subject};
use crate::app::App;
use crate::assignments::team_names;
use crate::http::error::Refused;

/// Who wrote something that is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Who {
    /// The names of the team's members.
    pub(super) name: String,
    /// The code of their group.
    pub(super) group: String,
    /// The name of their bot.
    pub(super) bot: Option<String>,
    /// Whether all of them have left the course.
    pub(super) has_left: bool,
}

/// The teams of a course, by today's names.
pub(super) struct People(HashMap<Id, Who>);

impl People {
    pub(super) async fn of(app: &App, course: &Course, found: &Found) -> Result<Self, Refused> {
        let groups: HashMap<Id, String> =
            app.store.groups(course.id).await?.into_iter().map(|group| (group.id, group.code)).collect();
        let mut teams: HashMap<Id, Vec<Member>> = HashMap::new();
        for member in app.store.members(course.id).await? {
            if member.state != MemberState::Waiting {
                teams.entry(member.team_id).or_default().push(member);
            }
        }
        let who = |(team, members): (Id, Vec<Member>)| {
            let version = found.team(team).and_then(|sources| sources.version.as_ref());
            let group = members.first().and_then(|member| groups.get(&member.group_id));
            let who = Who {
                name: team_names(&members),
                group: group.cloned().unwrap_or_default(),
                bot: version.map(|version| version.bot_name.clone()),
                has_left: members.iter().all(|member| member.state == MemberState::Withdrawn),
            };
            (team, who)
        };
        Ok(Self(teams.into_iter().map(who).collect()))
    }

    /// Whose a program is.
    pub(super) fn who(&self, subject: Subject) -> Who {
        match subject {
            Subject::Team(team) => self.0.get(&team).cloned().unwrap_or_default(),
        }
    }
}
