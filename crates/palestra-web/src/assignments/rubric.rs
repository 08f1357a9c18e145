//! Rubrics of assignments: bundled ones by name, and those that teachers write.

use palestra_games::GameKind;
use palestra_search::player::any_player;
use palestra_store::{Assignment, Bot, Course, House};
use palestra_tournament::rubric::{PartKind, Rubric, RubricError};

use crate::app::App;
use crate::http::error::Refused;
use crate::locale::Locale;

/// The rubric of an assignment, which was checked before it was stored.
pub(super) fn rubric_of(assignment: &Assignment) -> Result<Rubric, Refused> {
    parse(&assignment.rubric).map_err(|refused| {
        tracing::error!(assignment = assignment.code, ?refused, "a stored rubric cannot be read");
        Refused::Fault
    })
}

/// The rubric of this name, or in this text.
fn parse(text: &str) -> Result<Rubric, Refused> {
    let text = Rubric::bundled(text).unwrap_or(text);
    text.parse().map_err(|error: RubricError| Refused::bad_with("assignment.wrong.rubric", error.phrase()))
}

/// The rubric of this name or in this text, for a course: for its game, with opponents who can be found.
pub(super) async fn checked(app: &App, course: &Course, text: &str) -> Result<Rubric, Refused> {
    let rubric = parse(text)?;
    if !rubric.is_for(&course.game) {
        return Err(Refused::bad_with("assignment.wrong.rubric_game", rubric.games.join(", ")));
    }
    let house = house_bots(app, course).await?;
    for name in rubric.opponents() {
        if any_player(&course.game, name, 0).is_err() && find(&house, name).is_none() {
            return Err(Refused::bad_with("assignment.wrong.opponent", name.to_owned()));
        }
    }
    Ok(rubric)
}

/// The house bots of a course.
pub(super) async fn house_bots(app: &App, course: &Course) -> Result<Vec<Bot>, Refused> {
    let mut bots = app.store.bots_of_course(course.id).await?;
    bots.retain(|bot| bot.house != House::No && bot.game == course.game);
    Ok(bots)
}

/// The house bot of this name.
pub(super) fn find<'a>(house: &'a [Bot], name: &str) -> Option<&'a Bot> {
    house.iter().find(|bot| bot.name == name)
}

/// How the points of a part come about, in words.
pub(super) fn way(kind: &PartKind, locale: Locale) -> String {
    let with = |key: &str, values: &[(&str, &str)]| locale.with(key, values);
    match kind {
        PartKind::Entered(_) => locale.t("rubric.way.entered").to_owned(),
        PartKind::Beats(levels) => {
            let level = |level: &palestra_tournament::rubric::Level| {
                with("rubric.way.beats", &[("points", &points(level.points)), ("name", &level.opponent)])
            };
            levels.iter().map(level).collect::<Vec<_>>().join(locale.t("rubric.way.else"))
        }
        PartKind::Wins { opponents, points: each } => {
            with("rubric.way.wins", &[("points", &points(*each)), ("names", &opponents.join(", "))])
        }
        PartKind::Search(worth) => with("rubric.way.search", &[("points", &points(*worth))]),
        PartKind::League { points: most, best_of, .. } => {
            let key = format!("rubric.way.league.{best_of}");
            with(&key, &[("points", &points(*most))])
        }
    }
}

/// Points without zeros at the end: 1.5.
pub(super) fn points(hundredths: u64) -> String {
    let text = written(hundredths);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Points with two decimals.
pub(super) fn written(hundredths: u64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Points that a teacher writes, with a point or a comma: hundredths.
pub(super) fn typed(text: &str) -> Option<u64> {
    let text = text.trim().replace(',', ".");
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, "0"));
    let is_digits = |text: &str, most| (1..=most).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit());
    if !is_digits(whole, 3) || !is_digits(decimals, 2) {
        return None;
    }
    let scale = if decimals.len() == 1 { 10 } else { 1 };
    Some(whole.parse::<u64>().ok()? * 100 + decimals.parse::<u64>().ok()? * scale)
}

/// The game of a course.
pub(super) fn game_of(course: &Course) -> Result<&'static GameKind, Refused> {
    GameKind::find(&course.game).ok_or(Refused::Fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_typed_with_a_point_or_a_comma() {
        let cases = [("2.75", 275), ("2,5", 250), ("3", 300), (" 0.05 ", 5), ("10", 1000)];
        for (text, hundredths) in cases {
            assert_eq!(typed(text), Some(hundredths), "{text}");
        }
        for text in ["", "-1", "1.234", "1e1", "2.", ".5", "+1", "1 0", "1000"] {
            assert_eq!(typed(text), None, "{text}");
        }
    }

    #[test]
    fn points_are_written() {
        assert_eq!([0, 5, 150, 1000].map(points), ["0", "0.05", "1.5", "10"]);
        assert_eq!([0, 5, 150, 1000].map(written), ["0.00", "0.05", "1.50", "10.00"]);
    }
}
