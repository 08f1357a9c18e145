//! Who may see a league: teachers and members of its course, of all groups, and everyone once it is published.

use palestra_store::{Course, Id, League, Run, RunPlayer};

use crate::app::App;
use crate::courses::access::Access;
use crate::http::error::Refused;
use crate::time_zone::Zone;
use crate::visitor::Visitor;

/// A league and what the visitor is in its course.
pub(super) struct LeagueAccess {
    pub(super) league: League,
    pub(super) course: Course,
    pub(super) zone: Zone,
    viewer: Viewer,
}

/// Who looks at a league.
enum Viewer {
    Teacher,
    /// A member of the course, and their team.
    Member(Id),
    /// Anyone: they see the names of bots alone.
    Public,
}

impl LeagueAccess {
    /// The league with this code, for those who may see it. Who is not signed in is told the same of every code but those of
    /// published leagues.
    pub(super) async fn find(app: &App, visitor: &Visitor, code: &str) -> Result<Self, Refused> {
        let Some(league) = app.store.league(code).await? else {
            visitor.signed_in()?;
            return Err(Refused::NotFound);
        };
        let course = app.store.course_by_id(league.course_id).await?.ok_or(Refused::NotFound)?;
        match Access::of(app, visitor, course.clone()).await {
            Ok(access) => {
                let member = access.member().map(|member| member.team_id);
                let viewer = match member {
                    _ if access.is_teacher() => Viewer::Teacher,
                    Some(team) => Viewer::Member(team),
                    None => return Err(Refused::NotFound),
                };
                Ok(Self::new(league, access.course, viewer))
            }
            Err(Refused::NotFound | Refused::SignIn) if league.is_published => {
                Ok(Self::new(league, course, Viewer::Public))
            }
            Err(refused) => Err(refused),
        }
    }

    /// The league with this code, for teachers of its course.
    pub(super) async fn find_taught(app: &App, visitor: &Visitor, code: &str) -> Result<Self, Refused> {
        let access = Self::find(app, visitor, code).await?;
        if access.is_teacher() { Ok(access) } else { Err(Refused::Forbidden) }
    }

    fn new(league: League, course: Course, viewer: Viewer) -> Self {
        Self { zone: Zone::of(&course.time_zone), league, course, viewer }
    }

    /// The run of the league with this number.
    pub(super) async fn run(&self, app: &App, number: &str) -> Result<Run, Refused> {
        let number = number.parse().map_err(|_| Refused::NotFound)?;
        app.store.league_run(self.league.id, number).await?.ok_or(Refused::NotFound)
    }

    pub(super) const fn is_teacher(&self) -> bool {
        matches!(self.viewer, Viewer::Teacher)
    }

    /// Whether the visitor is neither a teacher nor a member.
    pub(super) const fn is_public(&self) -> bool {
        matches!(self.viewer, Viewer::Public)
    }

    /// Why a teacher did something, for those who belong to the course: it may name people.
    pub(super) fn reason(&self, reason: Option<&String>) -> Option<String> {
        reason.filter(|_| !self.is_public()).cloned()
    }

    /// Whether a player is the bot of the visitor's team.
    pub(super) fn is_own(&self, player: &RunPlayer) -> bool {
        self.team().is_some_and(|team| player.team_id == Some(team))
    }

    /// The team of a visitor who is a member.
    pub(super) const fn team(&self) -> Option<Id> {
        match self.viewer {
            Viewer::Member(team) => Some(team),
            Viewer::Teacher | Viewer::Public => None,
        }
    }

    /// Whether the results of a run are shown to the visitor: not those of runs since the standings are hidden, until the
    /// final run is published. `runs` are all of the league.
    pub(super) fn shows(&self, run: &Run, runs: &[Run]) -> bool {
        let is_hidden = self.league.hidden_from_ms.is_some_and(|from| run.started_ms >= from);
        let is_over = runs.iter().any(|run| run.is_final && run.is_published);
        !is_hidden || is_over || self.is_teacher()
    }

    /// The address of a page of the league.
    pub(super) fn path(&self, rest: &str) -> String {
        format!("/leagues/{}{rest}", self.league.code)
    }
}
