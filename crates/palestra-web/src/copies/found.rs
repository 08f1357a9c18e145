//! What there is to compare in a course: the version that plays for each team, and its hand-ins that count.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use palestra_store::{Course, EnteredVersion, Id, blob_hash};

use crate::app::App;
use crate::http::error::Refused;

/// Something that is compared, as addresses of pages name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// All sources of a team.
    Team(Id),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Team(team) => write!(f, "t{team}"),
        }
    }
}

impl FromStr for Subject {
    type Err = Refused;

    fn from_str(text: &str) -> Result<Self, Refused> {
        let team = text.strip_prefix('t').and_then(|id| id.parse().ok());
        team.map(Self::Team).ok_or(Refused::NotFound)
    }
}

/// The sources of a team.
#[derive(Clone, Debug)]
pub(super) struct TeamSources {
    pub(super) team: Id,
    pub(super) version: Option<EnteredVersion>,
    /// The hand-ins that count, the assignment with the first deadline first.
    pub(super) hand_ins: Vec<CountedHandIn>,
}

/// A hand-in that counts.
#[derive(Clone, Debug)]
pub(super) struct CountedHandIn {
    pub(super) assignment: Id,
    /// The title of the assignment.
    pub(super) title: String,
    pub(super) archive_hash: String,
}

impl TeamSources {
    /// What tells these sources from all others.
    pub(super) fn key(&self) -> String {
        let version = self.version.as_ref().map_or(0, |version| version.version_id);
        let hand_ins = self.hand_ins.iter().map(|hand_in| format!(" {}", hand_in.archive_hash));
        format!("{version}{}", hand_ins.collect::<String>())
    }
}

/// All that can be compared in a course.
pub(super) struct Found {
    pub(super) course: Id,
    pub(super) teams: Vec<TeamSources>,
}

impl Found {
    /// What the store has of a course.
    pub(super) async fn of(app: &App, course: &Course) -> Result<Self, Refused> {
        let mut teams: BTreeMap<Id, TeamSources> = BTreeMap::new();
        for version in app.store.entered_versions(course.id).await? {
            let team = version.team_id;
            teams.insert(team, TeamSources { team, version: Some(version), hand_ins: vec![] });
        }
        for assignment in app.store.assignments_of(course.id).await? {
            for hand_in in app.store.counted_hand_ins(assignment.id).await? {
                let new = |&team: &Id| TeamSources { team, version: None, hand_ins: vec![] };
                let sources = teams.entry(hand_in.team_id).or_insert_with_key(new);
                let (title, archive_hash) = (assignment.title.clone(), hand_in.archive_hash);
                sources.hand_ins.push(CountedHandIn { assignment: assignment.id, title, archive_hash });
            }
        }
        Ok(Self { course: course.id, teams: teams.into_values().collect() })
    }

    /// The sources of a team.
    pub(super) fn team(&self, team: Id) -> Option<&TeamSources> {
        self.teams.iter().find(|sources| sources.team == team)
    }

    /// What tells a report on all this from others.
    pub(super) fn key(&self) -> String {
        let teams = self.teams.iter().map(|team| format!("{} {}\n", team.team, team.key()));
        blob_hash(format!("{}\n{}", self.course, teams.collect::<String>()).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_found_again_by_its_address() {
        let subject = Subject::Team(7);
        assert_eq!(subject.to_string().parse(), Ok(subject));
        for text in ["", "t", "7", "x7", "t-", "t7x"] {
            assert_eq!(text.parse::<Subject>(), Err(Refused::NotFound), "{text}");
        }
    }
}
