//! The form of a course, read into types.

use palestra_games::{GAMES, GameKind};
use palestra_store::{Course, NewCourse, TimeRule};
use serde::Deserialize;

use super::checked_name;
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::Wrong;
use crate::locale::Locale;
use crate::maps;
use crate::page::Frame;
use crate::text::clean_name;
use crate::time_zone::Zone;
use crate::visitor::Visitor;

/// The longest name of a course, in characters.
pub(super) const MAX_NAME: usize = 80;

/// The longest year, such as 2026/27.
pub(super) const MAX_YEAR: usize = 20;

/// The most mail domains of a course.
const MAX_DOMAINS: usize = 20;

/// How far in the future a course may end.
const MAX_LENGTH_MS: i64 = 5 * 366 * DAY_MS;

const DAY_MS: i64 = 24 * 3600 * 1000;

/// Milliseconds that a program may have for a move.
const MOVE_MS: std::ops::RangeInclusive<u32> = 50..=60_000;

/// Depths to which a program may search.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=40;

/// States that a program may visit.
const STATES: std::ops::RangeInclusive<u32> = 100..=100_000_000;

/// The word for a map that the course has already and no list shows.
pub(super) const OWN_MAP: &str = "own";

/// The form of a course, as it is filled in.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CourseForm {
    pub(super) name: String,
    pub(super) year: String,
    /// The id of a game; for a game with options a slash and a word follow.
    pub(super) game: String,
    /// The address or the link of a map, instead of the word.
    pub(super) map: String,
    pub(super) rule: String,
    /// Seconds, plies or states.
    pub(super) amount: String,
    pub(super) domains: String,
    pub(super) time_zone: String,
    /// The last day, as 2027-07-31.
    pub(super) ends: String,
    /// A checkbox.
    pub(super) keeps_fingerprints: Option<String>,
}

impl CourseForm {
    /// What a new course begins with: what the teacher's last one had, or else what most courses have.
    pub(super) fn begin(last: Option<&Course>, locale: Locale, now_ms: i64) -> Self {
        let zone = match locale {
            Locale::Spanish => "Europe/Madrid",
            Locale::English => "UTC",
        };
        let zone = Zone::of(last.map_or(zone, |course| &course.time_zone));
        let today = zone.local(now_ms).date();
        // A school year ends in July.
        let first = if today.month() < 7 { today.year() - 1 } else { today.year() };
        let dates = Self {
            year: format!("{first}/{:02}", (first + 1) % 100),
            ends: format!("{:04}-07-31", first + 1),
            name: String::new(),
            ..Self::default()
        };
        match last {
            Some(course) => Self { year: dates.year, ends: dates.ends, name: dates.name, ..Self::of(course) },
            None => Self {
                game: GAMES[0].id().to_owned(),
                rule: "cpu".to_owned(),
                amount: "2".to_owned(),
                time_zone: zone.name().to_owned(),
                keeps_fingerprints: Some(String::new()),
                ..dates
            },
        }
    }

    /// The form of a course as it is.
    pub(super) fn of(course: &Course) -> Self {
        let options = GameKind::find(&course.game).map_or(&[][..], |kind| kind.about.options);
        let game = match options {
            [] => course.game.clone(),
            words if words.iter().any(|(word, _)| *word == course.options) => {
                format!("{}/{}", course.game, course.options)
            }
            _ => format!("{}/{OWN_MAP}", course.game),
        };
        let amount = match course.time_rule {
            TimeRule::Cpu(ms) | TimeRule::Wall(ms) => (f64::from(ms) / 1000.0).to_string(),
            rule => rule.amount().to_string(),
        };
        Self {
            name: course.name.clone(),
            year: course.year.clone(),
            game,
            map: String::new(),
            rule: course.time_rule.kind().to_owned(),
            amount,
            domains: course.domains.clone(),
            time_zone: course.time_zone.clone(),
            ends: Zone::of(&course.time_zone).date(course.ends_ms - 1),
            keeps_fingerprints: course.keeps_fingerprints.then(String::new),
        }
    }

    /// The course that it describes; `before` is the course that it changes.
    pub(super) async fn checked(
        &self,
        app: &App,
        visitor: &Visitor,
        before: Option<&Course>,
    ) -> Result<NewCourse, Refused> {
        let chosen = self.game(app, visitor, before).await?;
        self.with_game(chosen, before)
    }

    /// A course of the first game as most courses are, with members of these domains.
    pub(crate) fn usual(name: &str, domains: &str) -> Result<NewCourse, Refused> {
        let form = Self::begin(None, Locale::English, now_ms());
        let game = (form.game.clone(), "-".to_owned());
        Self { name: name.to_owned(), domains: domains.to_owned(), ..form }.with_game(game, None)
    }

    /// The course that it describes, with this game and its options.
    fn with_game(&self, (game, options): (String, String), before: Option<&Course>) -> Result<NewCourse, Refused> {
        let name = checked_name(&self.name, MAX_NAME, "course.wrong.name")?;
        let year = checked_name(&self.year, MAX_YEAR, "course.wrong.year")?;
        let time_rule = self.time_rule()?;
        let domains = domains(&self.domains)?;
        let zone = Zone::find(self.time_zone.trim()).ok_or(Refused::bad("course.wrong.time_zone"))?;
        let ends_ms = self.ends_ms(&zone, before)?;
        let keeps_fingerprints = self.keeps_fingerprints.is_some();
        let time_zone = zone.name().to_owned();
        Ok(NewCourse { name, year, game, options, time_rule, domains, time_zone, ends_ms, keeps_fingerprints })
    }

    async fn game(&self, app: &App, visitor: &Visitor, before: Option<&Course>) -> Result<(String, String), Refused> {
        let (game, word) = self.game.split_once('/').unwrap_or((&self.game, "-"));
        let kind = GameKind::all().find(|kind| kind.id() == game).ok_or(Refused::bad("course.wrong.game"))?;
        let options = match before.filter(|course| word == OWN_MAP && course.game == game) {
            _ if game == "bandera" && !self.map.trim().is_empty() => {
                maps::chosen(app, visitor, self.map.trim()).await?.text
            }
            Some(course) => course.options.clone(),
            None if kind.about.options.is_empty() => "-".to_owned(),
            None if kind.about.options.iter().any(|(option, _)| *option == word) => word.to_owned(),
            None => return Err(Refused::bad("course.wrong.game")),
        };
        Ok((game.to_owned(), options))
    }

    fn time_rule(&self) -> Result<TimeRule, Refused> {
        let amount = self.amount.trim().replace(',', ".");
        let number = || amount.parse::<u32>().ok();
        let milliseconds = || {
            let seconds: f64 = amount.parse().ok()?;
            (0.0..=f64::from(*MOVE_MS.end())).contains(&seconds).then(|| (seconds * 1000.0).round() as u32)
        };
        let within =
            |amount: Option<u32>, range: std::ops::RangeInclusive<u32>| amount.filter(|amount| range.contains(amount));
        let (rule, wrong) = match self.rule.as_str() {
            "cpu" => (within(milliseconds(), MOVE_MS).map(TimeRule::Cpu), "course.wrong.seconds"),
            "wall" => (within(milliseconds(), MOVE_MS).map(TimeRule::Wall), "course.wrong.seconds"),
            "depth" => (within(number(), DEPTHS).map(TimeRule::Depth), "course.wrong.depth"),
            "states" => (within(number(), STATES).map(TimeRule::States), "course.wrong.states"),
            _ => (None, "refused.form"),
        };
        rule.ok_or(Refused::bad(wrong))
    }

    /// A course may end at any later day, or stay with the end it has.
    fn ends_ms(&self, zone: &Zone, before: Option<&Course>) -> Result<i64, Refused> {
        let wrong = || Refused::bad("course.wrong.ends");
        let ends_ms = zone.day_end_ms(self.ends.trim()).ok_or_else(wrong)?;
        let now_ms = now_ms();
        let is_kept = before.is_some_and(|course| course.ends_ms == ends_ms);
        if is_kept || (now_ms..now_ms + MAX_LENGTH_MS).contains(&ends_ms) { Ok(ends_ms) } else { Err(wrong()) }
    }
}

/// Mail domains, with any separators.
fn domains(text: &str) -> Result<String, Refused> {
    let words = text.split(|letter: char| letter.is_whitespace() || ",;".contains(letter));
    let words: Vec<String> =
        words.filter(|word| !word.is_empty()).map(|word| word.trim_start_matches('@').to_lowercase()).collect();
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() < 64
            && label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
    };
    let is_domain = |word: &String| word.len() < 254 && word.contains('.') && word.split('.').all(is_label);
    match words.iter().find(|word| !is_domain(word)) {
        Some(wrong) => Err(Refused::bad_with("course.wrong.domains", clean_name(wrong, MAX_NAME))),
        None if words.len() > MAX_DOMAINS => {
            Err(Refused::bad_with("course.wrong.many_domains", MAX_DOMAINS.to_string()))
        }
        None => Ok(words.join(" ")),
    }
}

/// The field that a refusal concerns.
fn field_of(refused: &Refused) -> &'static str {
    let Refused::Bad(key, _) = refused else { return "" };
    match *key {
        "course.wrong.name" => "name",
        "course.wrong.year" => "year",
        "course.wrong.game" => "game",
        "course.wrong.seconds" | "course.wrong.depth" | "course.wrong.states" => "amount",
        "course.wrong.domains" | "course.wrong.many_domains" => "domains",
        "course.wrong.time_zone" => "time_zone",
        "course.wrong.ends" => "ends",
        key if key.starts_with("maps.") => "map",
        _ => "",
    }
}

/// What is wrong with the form, beside its field. Refusals that no change of the form would help stay as they are.
pub(super) fn wrong(refused: Refused, locale: Locale) -> Result<Wrong, Refused> {
    match &refused {
        Refused::Bad(..) => Ok(Wrong::at(field_of(&refused), &refused, locale)),
        _ => Err(refused),
    }
}

/// The fields of the form, for a page.
#[derive(askama::Template)]
#[template(path = "parts/course_form.html")]
pub(super) struct CourseFields {
    frame: Frame,
    form: CourseForm,
    wrong: Wrong,
    games: Vec<GameChoice>,
    zones: Vec<String>,
}

// What it renders is escaped already.
impl askama::filters::HtmlSafe for CourseFields {}

/// A game with its options, to choose from.
struct GameChoice {
    name: &'static str,
    /// The values of the form, and what they are called.
    choices: Vec<(String, String)>,
}

impl CourseFields {
    fn rule(&self, word: &str) -> String {
        self.frame.t(&format!("course.rule.{word}")).to_owned()
    }

    pub(super) fn new(frame: Frame, form: CourseForm, wrong: Wrong) -> Self {
        let games = GameKind::all().map(|kind| GameChoice::of(kind, &form, &frame)).collect();
        let mut zones: Vec<String> = Zone::names().collect();
        zones.sort_unstable();
        Self { frame, form, wrong, games, zones }
    }
}

impl GameChoice {
    fn of(kind: &'static GameKind, form: &CourseForm, frame: &Frame) -> Self {
        let (id, name) = (kind.id(), kind.about.name);
        let choice = |(word, _): &(&str, &str)| (format!("{id}/{word}"), format!("{word}: {}", frame.option(id, word)));
        let mut choices: Vec<_> = kind.about.options.iter().map(choice).collect();
        if choices.is_empty() {
            choices.push((id.to_owned(), name.to_owned()));
        }
        let own = format!("{id}/{OWN_MAP}");
        if form.game == own {
            choices.push((own, frame.t("course.own_map").to_owned()));
        }
        Self { name, choices }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_course_ends_with_the_school_year() {
        let begin = |date: &str| {
            let now_ms = Zone::of("UTC").day_end_ms(date).unwrap() - 1;
            let form = CourseForm::begin(None, Locale::English, now_ms);
            (form.year, form.ends)
        };
        assert_eq!(begin("2026-09-10"), ("2026/27".to_owned(), "2027-07-31".to_owned()));
        assert_eq!(begin("2027-02-01"), ("2026/27".to_owned(), "2027-07-31".to_owned()));
        assert_eq!(begin("2099-12-31"), ("2099/00".to_owned(), "2100-07-31".to_owned()));
    }

    #[test]
    fn a_time_rule_is_typed_in_seconds_plies_or_states() {
        let rule = |rule: &str, amount: &str| {
            CourseForm { rule: rule.to_owned(), amount: amount.to_owned(), ..CourseForm::default() }.time_rule().ok()
        };
        assert_eq!(rule("cpu", "2"), Some(TimeRule::Cpu(2000)));
        assert_eq!(rule("wall", " 0,5 "), Some(TimeRule::Wall(500)));
        assert_eq!(rule("depth", "8"), Some(TimeRule::Depth(8)));
        assert_eq!(rule("states", "140000"), Some(TimeRule::States(140_000)));
        let wrong = [
            ("cpu", "0"),
            ("cpu", "nan"),
            ("cpu", "-1"),
            ("wall", "1e9"),
            ("depth", "0"),
            ("depth", "2.5"),
            ("x", "1"),
        ];
        for (kind, amount) in wrong {
            assert_eq!(rule(kind, amount), None, "{kind} {amount}");
        }
    }

    #[test]
    fn domains_are_read_however_they_are_listed() {
        assert_eq!(domains(" @UGR.es, correo.ugr.es;\n"), Ok("ugr.es correo.ugr.es".to_owned()));
        assert_eq!(domains(""), Ok(String::new()));
        for wrong in ["ugr", "a@ugr.es", "ugr..es", "<b>.es", "ñ.es", &"x.es ".repeat(21)] {
            assert!(domains(wrong).is_err(), "{wrong}");
        }
    }
}
