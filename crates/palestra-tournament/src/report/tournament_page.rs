//! The page of a tournament.

use askama::Template;

use super::games::GameRow;
use super::page::{Heading, rendered};
use super::svg::{Curves, HIGHLIGHTED, Whiskers};
use super::{Column, GameLine, MOVES_WIDTH, NAME_WIDTH, Report, TEXT_WIDTH, columns, filters};

/// A page lists at most this many games; the tables for a spreadsheet have them all.
const MAX_LISTED_GAMES: usize = 20_000;

/// A sheet of paper is as wide as a cross table of this many players; wider ones are not printed.
const MAX_PRINTED_PLAYERS: usize = 24;

/// The page.
#[must_use]
pub fn html(report: &Report) -> String {
    rendered(&TournamentPage {
        heading: Heading::new(&report.game, &report.title, "", &report.facts),
        report,
        columns: columns(&report.rows),
        ratings: ratings(report),
        points: points(report),
        games: games(report),
    })
}

fn games(report: &Report) -> Vec<GameRow<'_>> {
    let rows = report.games.iter().take(MAX_LISTED_GAMES).map(|game| GameRow {
        number: game.number,
        round: Some(game.round),
        names: report.names(game),
        winner: ["1-0", "0-1"].iter().position(|result| game.result == *result),
        result: game.typeset_result(),
        tint: None,
        points: game.points,
        reason: &game.reason,
        plies: game.plies as usize,
        moves: None,
        charged_ms: game.charged_ms,
    });
    rows.collect()
}

#[derive(Template)]
#[template(path = "tournament.html")]
struct TournamentPage<'a> {
    heading: Heading,
    report: &'a Report,
    games: Vec<GameRow<'a>>,
    columns: Vec<Column>,
    /// Which rating, and the plot.
    ratings: Option<(&'static str, Whiskers<'a>)>,
    points: Option<Curves<'a>>,
}

impl GameLine {
    /// The result as it is printed.
    fn typeset_result(&self) -> &str {
        match self.result.as_str() {
            "1-0" => "1–0",
            "0-1" => "0–1",
            "1/2" => "½–½",
            other => other,
        }
    }
}

/// The ratings of all players with their ranges: which rating, and the plot.
fn ratings(report: &Report) -> Option<(&'static str, Whiskers<'_>)> {
    let elo = report.rows.iter().any(|row| row.elo.is_some());
    let rated =
        report.rows.iter().filter_map(|row| Some((row.name.as_str(), if elo { row.elo? } else { row.glicko? })));
    let rating = if elo { "Elo" } else { "Glicko-2" };
    let title =
        format!("{rating} ratings: a dot for each player and a line over the range. The standings say the same.");
    Some((rating, Whiskers::new(title, rated, &[])?))
}

fn points(report: &Report) -> Option<Curves<'_>> {
    let title = "Points of the players after each of their games. The standings have the sums.";
    let names = report.rows.iter().map(|row| row.name.as_str()).collect();
    Curves::of_points(title, names, &report.progress)
}
