//! Reports of tournaments, matches and tests: pages for the browser; of tournaments also tables for a spreadsheet and text
//! for the terminal.
//!
//! Everything was computed before; a report only shows it. Its strings are written by strangers (a bot chooses its
//! name, and what it printed last may be the reason of a loss), so each of them is made visible before it is shown: no
//! control character, nothing that reorders or hides text, nothing longer than a line can bear.

mod csv;
mod filters;
mod games;
mod match_page;
mod page;
mod sprt_page;
mod svg;
mod text;
mod tournament_page;

use palestra_protocol::is_unseen;
use unicode_width::UnicodeWidthChar;

pub use csv::{csv, field as csv_field};
pub use match_page::{MatchGame, MatchReport, MatchRow, TurningLine, match_html};
pub use sprt_page::{SprtReport, sprt_html};
pub use text::text;
pub use tournament_page::html;

/// The report of a tournament.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What the tournament is called.
    pub title: String,
    /// The game that was played.
    pub game: String,
    /// How it was played, as pairs of what and how: `("time", "2 s CPU a move")`.
    pub facts: Vec<(String, String)>,
    /// The players, best first. Every other list speaks of them by their index here.
    pub rows: Vec<Row>,
    /// How each player (first index) did against each other (second index); none where they did not meet.
    pub cross: Vec<Vec<Option<Cell>>>,
    /// Every game.
    pub games: Vec<GameLine>,
    /// The points of each player after each of its games.
    pub progress: Vec<Vec<f64>>,
}

/// A player in the standings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The place, from 1.
    pub rank: usize,
    /// The name, as the player gave it.
    pub name: String,
    /// How many games it played.
    pub games: u32,
    /// How many it won.
    pub wins: u32,
    /// How many it drew.
    pub draws: u32,
    /// How many it lost.
    pub losses: u32,
    /// The points of the tournament.
    pub points: u32,
    /// How many games it lost on time.
    pub time_outs: u32,
    /// The time charged to it over all games, in milliseconds.
    pub charged_ms: u64,
    /// The points of the game itself that it made.
    pub scored: i64,
    /// The points of the game itself that its opponents made.
    pub conceded: i64,
    /// The Elo rating.
    pub elo: Option<Interval>,
    /// The Glicko-2 rating.
    pub glicko: Option<Interval>,
    /// The games it lost by its own fault: which fault, and how often.
    pub forfeits: Vec<(String, u32)>,
}

/// An estimate and the range in which the true value is believed to lie.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower end of the range.
    pub low: f64,
    /// The upper end of the range.
    pub high: f64,
}

/// How a player did against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

/// A game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameLine {
    /// Which game of the tournament it was.
    pub number: u32,
    /// The round it belonged to.
    pub round: u32,
    /// Who played, as indices into [`Report::rows`]: side 1, side 2.
    pub players: [usize; 2],
    /// The points of both, as the game counts them.
    pub points: [i32; 2],
    /// `1-0`, `0-1` or `1/2`.
    pub result: String,
    /// Why it ended.
    pub reason: String,
    /// How many moves were made.
    pub plies: u32,
    /// The time charged to each, in milliseconds.
    pub charged_ms: [u64; 2],
}

impl Report {
    /// The name of a player, or a question mark if there is no such player.
    fn name(&self, player: usize) -> &str {
        self.rows.get(player).map_or("?", |row| &row.name)
    }

    /// The names of those who played a game.
    fn names(&self, game: &GameLine) -> [&str; 2] {
        game.players.map(|player| self.name(player))
    }

    /// How a player did against another.
    fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        self.cross.get(row)?.get(column).copied().flatten().filter(|cell| cell.games() > 0)
    }

    /// Whether any two players met.
    fn has_cross(&self) -> bool {
        (0..self.rows.len()).any(|row| (0..self.rows.len()).any(|column| self.cell(row, column).is_some()))
    }
}

impl Cell {
    /// How many games it sums up.
    fn games(self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }

    /// The part of the possible points that was won, in steps of a tenth and rounded: 0 to 10.
    fn tenths(self) -> u64 {
        let halves = 2 * u64::from(self.wins) + u64::from(self.draws);
        let all = 2 * self.games().max(1);
        (20 * halves + all) / (2 * all)
    }
}

/// A column of figures in the standings.
struct Column {
    head: &'static str,
    /// The head in full.
    meaning: &'static str,
    /// Where there is no room for all columns, those with less weight go first.
    weight: u8,
    cells: Vec<String>,
}

/// The columns beside rank and name. Those that would say nothing are left out.
fn columns(rows: &[Row]) -> Vec<Column> {
    let column = |head, meaning, weight, cell: &dyn Fn(&Row) -> String| Column {
        head,
        meaning,
        weight,
        cells: rows.iter().map(cell).collect(),
    };
    let mut columns = vec![
        column("Points", "Points", 9, &|row| row.points.to_string()),
        column("Games", "Games played", 7, &|row| row.games.to_string()),
        column("W", "Wins", 8, &|row| row.wins.to_string()),
        column("D", "Draws", 8, &|row| row.draws.to_string()),
        column("L", "Losses", 8, &|row| row.losses.to_string()),
    ];
    if rows.iter().any(|row| row.elo.is_some()) {
        columns.push(column("Elo", "Elo rating", 6, &|row| estimate(row.elo)));
        columns.push(column("Elo range", "Range of the Elo rating", 2, &|row| range(row.elo)));
    }
    if rows.iter().any(|row| row.glicko.is_some()) {
        columns.push(column("Glicko", "Glicko-2 rating", 5, &|row| estimate(row.glicko)));
        columns.push(column("Glicko range", "Range of the Glicko-2 rating", 1, &|row| range(row.glicko)));
    }
    if rows.iter().any(|row| (row.scored, row.conceded) != (0, 0)) {
        columns.push(column("For", "Points scored in the games", 3, &|row| row.scored.to_string()));
        columns.push(column("Against", "Points conceded in the games", 3, &|row| row.conceded.to_string()));
    }
    if rows.iter().any(|row| row.games > 0) {
        columns.push(column("Time", "Time charged", 4, &|row| duration(row.charged_ms)));
    }
    if rows.iter().any(|row| row.time_outs > 0) {
        columns.push(column("Time-outs", "Games lost on time", 4, &|row| row.time_outs.to_string()));
    }
    if rows.iter().any(|row| !row.forfeits.is_empty()) {
        columns.push(column("Forfeits", "Games lost by its own fault", 2, &|row| forfeits(&row.forfeits, ", ")));
    }
    columns
}

fn estimate(interval: Option<Interval>) -> String {
    interval.map_or_else(String::new, |interval| whole(interval.value))
}

fn range(interval: Option<Interval>) -> String {
    interval.map_or_else(String::new, |interval| format!("{} to {}", whole(interval.low), whole(interval.high)))
}

/// A number without decimals; a player that won all games may have no upper bound.
fn whole(value: f64) -> String {
    match value {
        _ if value.is_nan() => "?".to_owned(),
        f64::INFINITY => "∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        // Adding zero makes a zero of a negative one.
        _ => format!("{:.0}", value.round() + 0.0),
    }
}

fn forfeits(forfeits: &[(String, u32)], separator: &str) -> String {
    let words: Vec<_> = forfeits.iter().map(|(kind, times)| format!("{} {times}", visible(kind, NAME_WIDTH))).collect();
    words.join(separator)
}

/// Numbers with a minus sign where they have a hyphen.
fn minus(numbers: &str) -> String {
    numbers.replace('-', "−")
}

/// A time as a person would say it.
fn duration(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..60 => format!("{seconds}.{} s", ms % 1000 / 100),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// How wide a name may be.
const NAME_WIDTH: usize = 40;

/// How wide any other text may be.
const TEXT_WIDTH: usize = 200;

/// How long the moves of a game may be, in characters.
const MOVES_WIDTH: usize = 20_000;

/// The text as it may be shown: what is invisible, or would change how its neighbours are shown, is written as an
/// escape (`\u{202e}`), and what is wider than `limit` loses its middle, since names differ at
/// the start and paths at the end.
fn visible(text: &str, limit: usize) -> String {
    // At least one character in three takes a column, so this much is enough to see that a text is too wide.
    let start = spelled(text.chars().take(4 * limit + 4));
    if width(&start) <= limit {
        return start;
    }
    let tail_room = limit.saturating_sub(1) / 3;
    let head_room = limit.saturating_sub(1 + tail_room);
    let mut end: Vec<char> = text.chars().rev().take(tail_room).collect();
    end.reverse();
    let end = spelled(end.into_iter());
    let tail: Vec<char> = within(end.chars().rev(), tail_room).collect();
    within(start.chars(), head_room).chain(['…']).chain(tail.into_iter().rev()).collect()
}

/// The longest beginning of the text that fits.
fn within(text: impl Iterator<Item = char>, room: usize) -> impl Iterator<Item = char> {
    text.scan(0, |taken, c| {
        *taken += columns_of(c);
        Some((*taken, c))
    })
    .take_while(move |&(taken, _)| taken <= room)
    .map(|(_, c)| c)
}

fn spelled(text: impl Iterator<Item = char>) -> String {
    /// Letters may bear this many marks; more would spill into other lines.
    const MAX_MARKS: usize = 2;
    let mut shown = String::new();
    let mut marks = 0;
    for c in text {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        if c.is_control() {
            shown.extend(c.escape_default());
        } else if is_unseen(c) || marks > MAX_MARKS {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Whether a character is drawn over the one before it.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{64b}'..='\u{65f}'
        | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

/// How many columns of a terminal a text takes.
fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// How many columns a character takes: two in the scripts of East Asia and for pictures, none for marks.
fn columns_of(c: char) -> usize {
    c.width().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_spelled_out() {
        assert_eq!(visible("mybot", 40), "mybot");
        assert_eq!(visible("\u{1b}[31mred\n", 40), r"\u{1b}[31mred\n");
        assert_eq!(visible("a\u{202e}b\u{200b}c\u{feff}", 40), r"a\u{202e}b\u{200b}c\u{feff}");
        assert_eq!(visible("e\u{301}\u{301}\u{301}", 40), "e\u{301}\u{301}\\u{301}");
    }

    #[test]
    fn what_is_too_wide_loses_its_middle() {
        assert_eq!(visible("0123456789", 10), "0123456789");
        assert_eq!(visible("0123456789a", 10), "012345…89a");
        assert_eq!(visible("日本語日本語", 7), "日本…語");
        assert_eq!(width(&visible(&"\u{202e}".repeat(10_000), 40)), 40);
        assert_eq!(visible("abc", 1), "…");
    }

    #[test]
    fn times_are_short() {
        assert_eq!([0, 59_990, 60_000, 3_723_000].map(duration), ["0.0 s", "59.9 s", "1 min 00 s", "1 h 02 min"]);
    }

    #[test]
    fn scores_round_to_tenths() {
        let tenths = |wins, draws, losses| Cell { wins, draws, losses }.tenths();
        assert_eq!([tenths(0, 0, 3), tenths(1, 0, 1), tenths(2, 1, 0), tenths(4, 0, 0)], [0, 5, 8, 10]);
    }
}
