//! The form of a league: what was typed, and what it means.

use std::collections::HashMap;

use palestra_store::{Bot, Course, Group, Id, League, NewLeague, TimeRule};
use palestra_tournament::Order;
use palestra_tournament::schedule::{Rule, Schedule, ScheduleError, read_date, read_date_time, read_time};
use serde::Deserialize;

use super::{moment_ms, timestamp};
use crate::http::error::Refused;
use crate::text::clean_name;
use crate::time_zone::Zone;

/// The most characters of a league's name.
pub(super) const MAX_NAME: usize = 60;

/// The most rounds: more would be a plan that no machine plays.
pub(super) const MAX_ROUNDS: i64 = 10;

/// The longest time of a move.
const MAX_MOVE_MS: f64 = 600_000.0;

/// The time of a move where the course's rule is no time.
const LONG_MOVE_MS: u32 = 10_000;

/// Rankings to choose from: the course's, then others that tell equal points apart in another way.
pub(super) const ORDERS: [&str; 4] = [
    "points,timeouts,charged,difference,scored",
    "points,difference,scored,timeouts,charged",
    "points,wins,timeouts,difference",
    "score,wins,timeouts,charged",
];

/// What the names of the fields of house bots begin with; the id follows.
pub(super) const GUEST: &str = "guest-";

/// The form as it was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct LeagueForm {
    pub(super) name: String,
    /// The id of a group; empty for all.
    pub(super) group: String,
    /// `every`, `cron` or `none`.
    pub(super) how: String,
    pub(super) days: String,
    pub(super) at: String,
    pub(super) from: String,
    pub(super) cron: String,
    /// Single dates, one a line.
    pub(super) dates: String,
    pub(super) seconds: String,
    pub(super) rounds: String,
    pub(super) ranking: String,
    pub(super) hidden_from: String,
    is_published: String,
    is_open: String,
    /// `preview` only shows what the form means.
    act: String,
    /// The house bots that were ticked, and what else was sent.
    #[serde(flatten)]
    others: HashMap<String, String>,
}

/// A field with something wrong in it.
pub(super) type Mistake = (&'static str, Refused);

/// What a form means.
pub(super) struct Meant {
    pub(super) league: NewLeague,
    pub(super) schedule: Schedule,
}

impl LeagueForm {
    /// The form of a new league of a course.
    pub(super) fn new(course: &Course, zone: &Zone, now_ms: i64) -> Self {
        let tomorrow = zone.local(now_ms).date().tomorrow().map(|day| day.to_string()).unwrap_or_default();
        let move_ms = match course.time_rule {
            TimeRule::Cpu(ms) | TimeRule::Wall(ms) => ms,
            TimeRule::Depth(_) | TimeRule::States(_) => LONG_MOVE_MS,
        };
        Self {
            how: "every".to_owned(),
            days: "3".to_owned(),
            at: "18:00".to_owned(),
            from: tomorrow,
            seconds: seconds(i64::from(move_ms)),
            rounds: "1".to_owned(),
            ranking: Order::COURSE.to_string(),
            is_open: "yes".to_owned(),
            ..Self::default()
        }
    }

    /// A league of all groups of a course as most leagues are.
    pub(crate) fn usual(course: &Course, name: &str, now_ms: i64) -> Result<NewLeague, Refused> {
        let zone = Zone::of(&course.time_zone);
        let form = Self { name: name.to_owned(), ..Self::new(course, &zone, now_ms) };
        let meant = form.meant(&[], &[], &zone, now_ms);
        meant.map(|meant| meant.league).map_err(|(_, refused)| refused)
    }

    /// The form of a league that is there.
    pub(super) fn of(league: &League, guests: &[Id], zone: &Zone, now_ms: i64, course: &Course) -> Self {
        let schedule = Schedule::read(&league.schedule).unwrap_or_default();
        let mut form = Self::new(course, zone, now_ms);
        "none".clone_into(&mut form.how);
        match schedule.rule() {
            Some(Rule::Days { days, at, from }) => {
                "every".clone_into(&mut form.how);
                form.days = days.to_string();
                form.at = at.strftime("%H:%M").to_string();
                form.from = from.to_string();
            }
            Some(Rule::Cron(cron)) => {
                "cron".clone_into(&mut form.how);
                form.cron = cron.to_string();
            }
            None => {}
        }
        let yes = |is: bool| if is { "yes" } else { "" }.to_owned();
        let local = |ms| zone.local(ms).strftime("%Y-%m-%dT%H:%M").to_string();
        Self {
            name: league.name.clone(),
            group: league.group_id.map_or_else(String::new, |id| id.to_string()),
            dates: schedule.dates().map(|at| at.strftime("%Y-%m-%d %H:%M\n").to_string()).collect(),
            seconds: seconds(league.move_ms),
            rounds: league.rounds.to_string(),
            ranking: league.ranking.clone(),
            hidden_from: league.hidden_from_ms.map_or_else(String::new, local),
            is_published: yes(league.is_published),
            is_open: yes(league.is_open),
            others: guests.iter().map(|id| (format!("{GUEST}{id}"), "yes".to_owned())).collect(),
            ..form
        }
    }

    pub(super) fn is_published(&self) -> bool {
        !self.is_published.is_empty()
    }

    pub(super) fn is_open(&self) -> bool {
        !self.is_open.is_empty()
    }

    /// Whether what the form means is only to be shown.
    pub(super) fn is_preview(&self) -> bool {
        self.act == "preview"
    }

    /// Whether a house bot is ticked.
    pub(super) fn has_guest(&self, bot: &Bot) -> bool {
        self.others.contains_key(&format!("{GUEST}{}", bot.id))
    }

    /// What the form means.
    pub(super) fn meant(&self, groups: &[Group], house: &[Bot], zone: &Zone, now_ms: i64) -> Result<Meant, Mistake> {
        let schedule = self.schedule()?;
        let is_open = self.is_open();
        let next = schedule.next(zone.time_zone(), timestamp(now_ms)).map(moment_ms);
        let league = NewLeague {
            group_id: self.group_id(groups).map_err(|refused| ("group", refused))?,
            name: self.checked_name().map_err(|refused| ("name", refused))?,
            schedule: schedule.json(),
            ranking: self.checked_ranking().map_err(|refused| ("ranking", refused))?,
            move_ms: self.move_ms().map_err(|refused| ("seconds", refused))?,
            rounds: self.checked_rounds().map_err(|refused| ("rounds", refused))?,
            is_published: self.is_published(),
            hidden_from_ms: self.hidden_from_ms(zone).map_err(|error| ("hidden_from", said(&error)))?,
            is_open,
            due_ms: next.filter(|_| is_open),
            guests: house.iter().filter(|bot| self.has_guest(bot)).map(|bot| bot.id).collect(),
        };
        Ok(Meant { league, schedule })
    }

    fn schedule(&self) -> Result<Schedule, Mistake> {
        let wrong = |field: &'static str| move |error: ScheduleError| (field, said(&error));
        let rule = match self.how.as_str() {
            "every" => Some(Rule::Days {
                days: self.days.trim().parse().map_err(|_| ("days", Refused::bad("league.days_number")))?,
                at: read_time(self.at.trim()).map_err(wrong("at"))?,
                from: read_date(self.from.trim()).map_err(wrong("from"))?,
            }),
            "cron" => {
                let cron = self.cron.parse().map_err(ScheduleError::Cron);
                Some(Rule::Cron(cron.map_err(wrong("cron"))?))
            }
            "none" => None,
            _ => return Err(("", Refused::bad("refused.form"))),
        };
        let lines = self.dates.lines().map(str::trim).filter(|line| !line.is_empty());
        let dates: Vec<_> = lines.map(read_date_time).collect::<Result<_, _>>().map_err(wrong("dates"))?;
        let field = |error: &ScheduleError| if matches!(error, ScheduleError::Days(_)) { "days" } else { "dates" };
        Schedule::new(rule, dates).map_err(|error| (field(&error), said(&error)))
    }

    fn group_id(&self, groups: &[Group]) -> Result<Option<Id>, Refused> {
        if self.group.is_empty() {
            return Ok(None);
        }
        let id = self.group.parse().ok().filter(|id| groups.iter().any(|group| group.id == *id));
        id.map(Some).ok_or_else(|| Refused::bad("refused.form"))
    }

    fn checked_name(&self) -> Result<String, Refused> {
        let name = clean_name(&self.name, MAX_NAME + 1);
        let is_name = (1..=MAX_NAME).contains(&name.chars().count());
        if is_name { Ok(name) } else { Err(Refused::bad_with("league.name_length", MAX_NAME.to_string())) }
    }

    fn checked_ranking(&self) -> Result<String, Refused> {
        let order: Order = self.ranking.parse().map_err(|_| Refused::bad("refused.form"))?;
        Ok(order.to_string())
    }

    fn move_ms(&self) -> Result<i64, Refused> {
        let seconds: f64 = self.seconds.trim().replace(',', ".").parse().unwrap_or(0.0);
        let ms = (seconds * 1000.0).round();
        if (1.0..=MAX_MOVE_MS).contains(&ms) { Ok(ms as i64) } else { Err(Refused::bad("league.seconds_number")) }
    }

    fn checked_rounds(&self) -> Result<i64, Refused> {
        let rounds = self.rounds.trim().parse().ok().filter(|rounds| (1..=MAX_ROUNDS).contains(rounds));
        rounds.ok_or_else(|| Refused::bad_with("league.rounds_number", MAX_ROUNDS.to_string()))
    }

    fn hidden_from_ms(&self, zone: &Zone) -> Result<Option<i64>, ScheduleError> {
        let text = self.hidden_from.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let local = read_date_time(text)?;
        let moment = zone.time_zone().to_timestamp(local);
        moment.map(|moment| Some(moment_ms(moment))).map_err(|_| ScheduleError::DateTime(text.to_owned()))
    }
}

/// What is wrong with a schedule.
fn said(error: &ScheduleError) -> Refused {
    Refused::bad_with("league.wrong", error.phrase())
}

/// Seconds as they are typed.
fn seconds(ms: i64) -> String {
    format!("{}", ms as f64 / 1000.0)
}
