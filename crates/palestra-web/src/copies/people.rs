//! Whose a program is, as the teachers of a course may know it.

use std::collections::{HashMap, HashSet};

use palestra_protocol::shown;
use palestra_store::{Course, CoursePart, Id, KeptFingerprint, Member, MemberState, Role};

use super::found::{Found, HouseBot, Subject};
use super::report::Compared;
use crate::app::App;
use crate::assignments::team_names;
use crate::http::error::Refused;
use crate::visitor::Visitor;

/// The most characters of a program's name in a ZIP.
const MAX_NAME: usize = 60;

/// Who wrote something that is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Who {
    /// The names of the team's members, or what it is called.
    pub(super) name: String,
    /// The code of their group, or where it comes from.
    pub(super) group: String,
    /// The name of their bot.
    pub(super) bot: Option<String>,
    /// Whether it is no team of the course.
    pub(super) is_other: bool,
    /// Whether all of them have left the course.
    pub(super) has_left: bool,
}

/// All that is compared, by today's names.
pub(super) struct People {
    teams: HashMap<Id, Who>,
    house: HashMap<Id, Who>,
    /// What added sources are called.
    added: HashMap<Id, String>,
    kept: HashMap<Id, Who>,
}

impl People {
    pub(super) async fn of(app: &App, visitor: &Visitor, course: &Course, found: &Found) -> Result<Self, Refused> {
        Ok(Self {
            teams: teams(app, course, found).await?,
            house: found.house.iter().map(|bot| (bot.version, house(visitor, bot))).collect(),
            added: found.added.iter().map(|sources| (sources.id, sources.name.clone())).collect(),
            kept: kept(app, visitor, course, found).await?,
        })
    }

    /// Whose a program is.
    pub(super) fn who(&self, compared: &Compared) -> Who {
        let who = match compared.subject {
            Subject::Team(team) => self.teams.get(&team).cloned(),
            Subject::House(version) => self.house.get(&version).cloned(),
            Subject::Added(row, _) => self.added.get(&row).map(|sources| Who {
                name: shown(&compared.name, MAX_NAME).to_string(),
                group: sources.clone(),
                is_other: true,
                ..Who::default()
            }),
            Subject::Kept(row) => self.kept.get(&row).cloned(),
        };
        who.unwrap_or_default()
    }
}

async fn teams(app: &App, course: &Course, found: &Found) -> Result<HashMap<Id, Who>, Refused> {
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
            is_other: false,
            has_left: members.iter().all(|member| member.state == MemberState::Withdrawn),
        };
        (team, who)
    };
    Ok(teams.into_iter().map(who).collect())
}

fn house(visitor: &Visitor, bot: &HouseBot) -> Who {
    let group = visitor.locale.t("bots.house_bot").to_owned();
    Who { name: bot.name.clone(), group, is_other: true, ..Who::default() }
}

/// What fingerprints are called. Those of courses that the visitor does not teach have no name.
async fn kept(app: &App, visitor: &Visitor, course: &Course, found: &Found) -> Result<HashMap<Id, Who>, Refused> {
    let account = visitor.signed_in()?;
    let courses = app.store.courses_of(account).await?;
    let taught: HashSet<Id> =
        courses.iter().filter(|entry| entry.part == CoursePart::Teacher).map(|entry| entry.course.id).collect();
    let is_taught =
        |id: Option<Id>| account.role == Role::Admin || id.is_some_and(|id| id == course.id || taught.contains(&id));
    let locale = visitor.locale;
    let who = |kept: &KeptFingerprint| {
        let name = match (is_taught(kept.course_id), kept.is_foreign) {
            (true, _) => kept.label.clone(),
            (false, true) => locale.t("copies.foreign_elsewhere").to_owned(),
            (false, false) => locale.t("copies.bot_elsewhere").to_owned(),
        };
        let from = if kept.is_foreign { "copies.foreign_of" } else { "copies.withdrawn_of" };
        let group = locale.with(from, &[("what", &kept.year)]);
        (kept.id, Who { name, group, is_other: true, ..Who::default() })
    };
    Ok(found.kept.iter().map(who).collect())
}
