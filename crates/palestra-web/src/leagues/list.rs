//! Lists of leagues: all that a visitor may see, those of a course, and published ones.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use palestra_games::GameKind;
use palestra_store::{Bot, Course, House, League, Member, TeamEntry};

use super::entries::MAX_REASON;
use super::local_moment;
use super::standing::People;
use crate::app::App;
use crate::courses::access::Access;
use crate::courses::head::CourseHead;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::page::{Frame, page};
use crate::time_zone::Zone;
use crate::visitor::Visitor;

/// A league in a list.
pub(crate) struct Row {
    pub(crate) code: String,
    pub(crate) name: String,
    pub(crate) group: Option<String>,
    pub(crate) course: String,
    pub(crate) game: String,
    /// What it does now or next.
    pub(crate) state: String,
    pub(crate) is_playing: bool,
    pub(crate) is_published: bool,
}

impl Row {
    async fn of(app: &App, league: League, course: &Course, locale: Locale) -> Result<Self, Refused> {
        let playing = app.store.unfinished_run(league.id).await?;
        let zone = Zone::of(&course.time_zone);
        let next = league.due_ms.filter(|_| league.is_open);
        let state = match (playing, next) {
            (Some(number), _) => locale.with("league.plays_run", &[("what", &number.to_string())]),
            (None, Some(due_ms)) => locale.with("league.next_is", &[("what", &local_moment(&zone, due_ms, locale))]),
            (None, None) => locale.t("league.no_next").to_owned(),
        };
        Ok(Self {
            code: league.code,
            name: league.name,
            group: league.group_code,
            course: format!("{} {}", course.name, course.year),
            game: GameKind::find(&course.game).map_or(course.game.as_str(), |kind| kind.about.name).to_owned(),
            state,
            is_playing: playing.is_some(),
            is_published: league.is_published,
        })
    }
}

/// Published leagues in a list.
const MAX_PUBLISHED: u32 = 20;

/// The published leagues, the latest first.
pub(crate) async fn published(app: &App, limit: u32, locale: Locale) -> Result<Vec<Row>, Refused> {
    let mut rows = vec![];
    for league in app.store.published_leagues(limit).await? {
        if let Some(course) = app.store.course_by_id(league.course_id).await? {
            rows.push(Row::of(app, league, &course, locale).await?);
        }
    }
    Ok(rows)
}

#[derive(Template)]
#[template(path = "leagues.html")]
struct Leagues {
    frame: Frame,
    /// Of the visitor's courses.
    own: Vec<Row>,
    /// Others that are published.
    published: Vec<Row>,
}

/// All leagues that the visitor may see.
pub(crate) async fn all(State(app): State<App>, visitor: Visitor) -> Result<Response, Refused> {
    let frame = Frame::new(&visitor);
    let mut own = vec![];
    if let Some(account) = &visitor.account {
        for entry in app.store.courses_of(account).await? {
            use palestra_store::CoursePart::{Admin, Member, Teacher};
            if matches!(entry.part, Teacher | Member | Admin) {
                for league in app.store.leagues_of_course(entry.course.id).await? {
                    own.push(Row::of(&app, league, &entry.course, frame.locale).await?);
                }
            }
        }
    }
    let mut published = published(&app, MAX_PUBLISHED, frame.locale).await?;
    published.retain(|row| !own.iter().any(|own| own.code == row.code));
    page(&Leagues { frame, own, published })
}

#[derive(Template)]
#[template(path = "course_leagues.html")]
struct CourseLeagues {
    frame: Frame,
    head: CourseHead,
    access: Access,
    leagues: Vec<Row>,
    /// The visitor's own entry, and the bots from which they may choose.
    own: Option<TeamEntry>,
    bots: Vec<Bot>,
    is_locked: bool,
    /// For teachers: the nicknames of each team, and what it entered.
    teams: Vec<(String, TeamEntry)>,
}

impl CourseLeagues {
    /// Whether a bot is the one that is entered.
    fn is_entered(&self, bot: &Bot) -> bool {
        self.own.as_ref().is_some_and(|entry| entry.bot_id == Some(bot.id))
    }
}

/// The leagues of a course, and the bots that take part in them.
pub(crate) async fn of_course(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let access = Access::find(&app, &visitor, &code).await?;
    let frame = Frame::new(&visitor);
    let course = &access.course;
    let mut leagues = vec![];
    for league in app.store.leagues_of_course(course.id).await? {
        leagues.push(Row::of(&app, league, course, frame.locale).await?);
    }
    let entries = app.store.team_entries(course.id, None).await?;
    let team = access.member().map(|member: &Member| member.team_id);
    let own = team.and_then(|team| entries.iter().find(|entry| entry.team_id == team).cloned());
    let mut bots = match &visitor.account {
        Some(account) if own.is_some() => app.store.bots_of(account.id).await?,
        _ => vec![],
    };
    bots.retain(|bot| {
        bot.game == course.game && bot.house == House::No && bot.course_id.is_none_or(|id| id == course.id)
    });
    let teams = if access.is_teacher() {
        let people = People::of_course(&app, course.id).await?;
        let named = |entry: TeamEntry| (people.team(entry.team_id), entry);
        entries.into_iter().map(named).collect()
    } else {
        vec![]
    };
    let is_locked = app.store.has_counted_run(course.id).await?;
    let head = CourseHead::new(&access, frame.locale, "/leagues");
    page(&CourseLeagues { frame, head, access, leagues, own, bots, is_locked, teams })
}
