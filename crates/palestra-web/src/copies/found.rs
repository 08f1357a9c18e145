//! What there is to compare in a course: the version that plays for each team, its hand-ins that count, the course's house
//! bots, the sources that teachers have added, and the fingerprints of what is gone.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use palestra_store::{AddedSources, Bot, Course, EnteredVersion, House, Id, KeptFingerprint, blob_hash};

use crate::app::App;
use crate::http::error::Refused;

/// Something that is compared, as addresses of pages name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// All sources of a team.
    Team(Id),
    /// A house bot: the version that plays.
    House(Id),
    /// A program of added sources: the row, and which one.
    Added(Id, usize),
    /// What was kept of sources that are gone: the row.
    Kept(Id),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Team(team) => write!(f, "t{team}"),
            Self::House(version) => write!(f, "h{version}"),
            Self::Added(row, program) => write!(f, "a{row}-{program}"),
            Self::Kept(row) => write!(f, "k{row}"),
        }
    }
}

impl FromStr for Subject {
    type Err = Refused;

    fn from_str(text: &str) -> Result<Self, Refused> {
        let number = |text: &str| text.parse().ok();
        let subject = match text.split_at_checked(1) {
            Some(("t", team)) => number(team).map(Self::Team),
            Some(("h", version)) => number(version).map(Self::House),
            Some(("a", rest)) => {
                rest.split_once('-').and_then(|(row, program)| Some(Self::Added(number(row)?, program.parse().ok()?)))
            }
            Some(("k", row)) => number(row).map(Self::Kept),
            _ => None,
        };
        subject.ok_or(Refused::NotFound)
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

/// A house bot of the course.
#[derive(Clone, Debug)]
pub(super) struct HouseBot {
    pub(super) name: String,
    /// The version that plays.
    pub(super) version: Id,
}

impl HouseBot {
    /// The bot, if it is a house bot of which a version plays.
    fn of(bot: Bot) -> Option<Self> {
        let version = bot.active_version_id.filter(|_| bot.house != House::No)?;
        Some(Self { name: bot.name, version })
    }
}

/// All that can be compared in a course.
pub(super) struct Found {
    pub(super) course: Id,
    pub(super) game: String,
    pub(super) teams: Vec<TeamSources>,
    pub(super) house: Vec<HouseBot>,
    /// Sources that are compared with, and those that were given to all.
    pub(super) added: Vec<AddedSources>,
    pub(super) given: Vec<AddedSources>,
    pub(super) kept: Vec<KeptFingerprint>,
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
        let house = app.store.bots_of_course(course.id).await?.into_iter().filter_map(HouseBot::of).collect();
        let (given, added) = app.store.added_sources(course.id).await?.into_iter().partition(|it| it.is_given);
        let kept = app.store.kept_fingerprints(&course.game).await?;
        let teams = teams.into_values().collect();
        Ok(Self { course: course.id, game: course.game.clone(), teams, house, added, given, kept })
    }

    /// The sources of a team.
    pub(super) fn team(&self, team: Id) -> Option<&TeamSources> {
        self.teams.iter().find(|sources| sources.team == team)
    }

    /// What tells the code that was given to all from other such code.
    pub(super) fn given_key(&self) -> String {
        self.given.iter().map(|given| format!("{} ", given.archive_hash)).collect()
    }

    /// What tells a report on all this from others.
    pub(super) fn key(&self) -> String {
        let teams = self.teams.iter().map(|team| format!("{} {}\n", team.team, team.key()));
        let house = self.house.iter().map(|bot| format!("{} ", bot.version));
        let added = self.added.iter().map(|added| format!("{} ", added.id));
        let kept = self.kept.iter().map(|kept| format!("{} ", kept.id));
        let [teams, house, added, kept]: [String; 4] =
            [teams.collect(), house.collect(), added.collect(), kept.collect()];
        let parts = [self.course.to_string(), self.given_key(), teams, house, added, kept];
        blob_hash(parts.join("\n\n").as_bytes())
    }

    /// Whether two subjects are one bot, at different times.
    pub(super) fn is_one_bot(&self, subjects: [Subject; 2]) -> bool {
        let [Subject::Team(team), Subject::Kept(row)] = subjects else { return false };
        let bot = self.team(team).and_then(|team| team.version.as_ref()).map(|version| version.bot_id);
        bot.is_some() && self.kept.iter().any(|kept| kept.id == row && kept.bot_id == bot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_found_again_by_its_address() {
        for subject in [Subject::Team(7), Subject::House(8), Subject::Added(12, 3), Subject::Kept(5)] {
            assert_eq!(subject.to_string().parse(), Ok(subject));
        }
        for text in ["", "t", "7", "x7", "t-", "t7x", "h", "h-", "a7", "a7-", "a-1", "a7-x", "añ", "ñ7"] {
            assert_eq!(text.parse::<Subject>(), Err(Refused::NotFound), "{text}");
        }
    }
}
