//! The page of a match between two players.

use askama::Template;

use super::games::{GameRow, Moves};
use super::page::{Heading, rendered};
use super::svg::{Curves, Whiskers};
use super::{Interval, MOVES_WIDTH, NAME_WIDTH, TEXT_WIDTH, filters, forfeits, visible};

/// A page lists at most this many games.
const MAX_GAMES: usize = 20_000;

/// The moves of at most this many games are on the page.
const MAX_GAMES_WITH_MOVES: usize = 1_000;

/// The report of a match.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchReport {
    /// The game that was played.
    pub game: String,
    /// What came of it, in sentences.
    pub summary: String,
    /// How it was played, as pairs of what and how.
    pub facts: Vec<(String, String)>,
    /// Both players.
    pub rows: [MatchRow; 2],
    /// The Elo difference of the first player; none before the first game.
    pub elo: Option<Interval>,
    /// Every game, by number.
    pub games: Vec<MatchGame>,
    /// Where lost games turned.
    pub turnings: Vec<TurningLine>,
}

/// A player of a match.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchRow {
    /// The name, as the player gave it.
    pub name: String,
    /// How many games it won.
    pub wins: u32,
    /// How many it drew.
    pub draws: u32,
    /// How many it lost.
    pub losses: u32,
    /// The points of the game itself that it made.
    pub scored: i64,
    /// The time charged to it over all games, in milliseconds.
    pub charged_ms: u64,
    /// The games it lost by its own fault: which fault, and how often.
    pub forfeits: Vec<(String, u32)>,
}

/// A game of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchGame {
    /// Its number, from 1.
    pub number: u32,
    /// Who played, as indices into [`MatchReport::rows`]: side 1, side 2.
    pub players: [usize; 2],
    /// The points of both sides, as the game counts them.
    pub points: [i32; 2],
    /// The index of the side that won; none after a draw.
    pub winner: Option<usize>,
    /// Why it ended.
    pub reason: String,
    /// The time charged to each side, in milliseconds.
    pub charged_ms: [u64; 2],
    /// The moves from which it began.
    pub opening: String,
    /// The moves that were played after these.
    pub moves: String,
    /// How many moves there are, the opening's included.
    pub plies: usize,
}

/// The move at which a lost game turned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurningLine {
    /// The number of the game, from 1.
    pub game: u32,
    /// Who lost it, as an index into [`MatchReport::rows`].
    pub player: usize,
    /// The number of the move, from 1.
    pub ply: usize,
    /// The move.
    pub mv: String,
    /// What the position was worth before it.
    pub before: String,
    /// What it was worth afterwards.
    pub after: String,
    /// What would have been better.
    pub better: String,
}

/// The page.
#[must_use]
pub fn match_html(report: &MatchReport) -> String {
    let [first, second] = report.rows.each_ref().map(|row| visible(&row.name, NAME_WIDTH));
    let title = format!("{first} against {second}");
    rendered(&MatchPage {
        heading: Heading::new(&report.game, &title, &report.summary, &report.facts),
        report,
        elo: elo(report),
        points: points(report),
        games: games(report),
    })
}

fn games(report: &MatchReport) -> Vec<GameRow<'_>> {
    let listed = report.games.iter().take(MAX_GAMES).enumerate();
    let rows = listed.map(|(index, game)| GameRow {
        number: game.number,
        round: None,
        names: report.names(game),
        winner: game.winner,
        result: game.result(),
        tint: Some(game.tint()),
        points: game.points,
        reason: &game.reason,
        plies: game.plies,
        moves: (index < MAX_GAMES_WITH_MOVES).then_some(Moves { opening: &game.opening, played: &game.moves }),
        charged_ms: game.charged_ms,
    });
    rows.collect()
}

#[derive(Template)]
#[template(path = "match.html")]
struct MatchPage<'a> {
    heading: Heading,
    report: &'a MatchReport,
    games: Vec<GameRow<'a>>,
    elo: Option<Whiskers<'a>>,
    points: Option<Curves<'a>>,
}

impl MatchReport {
    /// The name of a player, or a question mark if there is no such player.
    fn name(&self, player: usize) -> &str {
        self.rows.get(player).map_or("?", |row| &row.name)
    }

    /// The names of those who played a game.
    fn names(&self, game: &MatchGame) -> [&str; 2] {
        game.players.map(|player| self.name(player))
    }

    fn has_faults(&self) -> bool {
        self.rows.iter().any(|row| !row.forfeits.is_empty())
    }
}

impl MatchRow {
    fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points, 0 to 1; a half before the first game.
    fn share(&self) -> f64 {
        let halves = 2 * u64::from(self.wins) + u64::from(self.draws);
        if self.games() == 0 { 0.5 } else { halves as f64 / (2.0 * f64::from(self.games())) }
    }

    fn faults(&self) -> String {
        forfeits(&self.forfeits, ", ")
    }
}

impl MatchGame {
    fn result(&self) -> &'static str {
        ["1–0", "0–1", "½–½"][self.winner.map_or(2, |winner| winner.min(1))]
    }

    /// What the first player of the match won, in tenths.
    fn tint(&self) -> u32 {
        match self.winner.and_then(|winner| self.players.get(winner)) {
            None => 5,
            Some(0) => 10,
            Some(_) => 0,
        }
    }
}

/// The Elo difference of the first player.
fn elo(report: &MatchReport) -> Option<Whiskers<'_>> {
    let name = report.rows[0].name.as_str();
    let title = format!("Elo difference of {}: a dot, and a line over the range.", visible(name, NAME_WIDTH));
    Whiskers::new(title, [(name, report.elo?)], &[0.0])
}

/// The points of both players after each game.
fn points(report: &MatchReport) -> Option<Curves<'_>> {
    let names = report.rows.iter().map(|row| row.name.as_str()).collect();
    Curves::of_points("Points of both players after each game. The result has the sums.", names, &progress(report))
}

/// The points of both players after each game.
fn progress(report: &MatchReport) -> Vec<Vec<f64>> {
    let mut lines = vec![vec![]; 2];
    for game in &report.games {
        for (side, &player) in game.players.iter().enumerate() {
            let points = game.winner.map_or(0.5, |winner| f64::from(u8::from(winner == side)));
            if let Some(line) = lines.get_mut(player) {
                line.push(line.last().copied().unwrap_or(0.0) + points);
            }
        }
    }
    lines
}
