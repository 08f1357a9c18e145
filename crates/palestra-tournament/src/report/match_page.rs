//! The page of a match between two players.

use super::page::{Heading, figure, named, page, scrolling, section, shown, side_by_side, table};
use super::svg::{self, minus};
use super::{Interval, NAME_WIDTH, TEXT_WIDTH, duration, visible};

/// A page lists at most this many games.
const MAX_GAMES: usize = 20_000;

/// The moves of at most this many games are on the page.
const MAX_GAMES_WITH_MOVES: usize = 1_000;

/// How long the moves of a game may be, in characters.
const MOVES_WIDTH: usize = 20_000;

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
    let main = [result(report), plots(report), turnings(report), games(report)].concat();
    page(&Heading { game: &report.game, title: &title, lead: &report.summary, facts: &report.facts }, &main)
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
}

fn name(report: &MatchReport, player: usize) -> String {
    named(report.rows.get(player).map_or("?", |row| &row.name))
}

fn result(report: &MatchReport) -> String {
    const HEADS: [&str; 8] = ["Player", "Points", "Games", "Won", "Drawn", "Lost", "Score", "Time"];
    let has_faults = report.rows.iter().any(|row| !row.forfeits.is_empty());
    let mut heads = HEADS.to_vec();
    heads.extend(has_faults.then_some("Lost by faults"));
    let row = |player: usize| {
        let row = &report.rows[player];
        let forfeits = row.forfeits.iter().map(|(kind, count)| format!("{} {count}", shown(kind, NAME_WIDTH)));
        let mut cells = vec![
            row.games().to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            minus(&row.scored.to_string()),
            duration(row.charged_ms),
        ];
        cells.extend(has_faults.then(|| forfeits.collect::<Vec<_>>().join(", ")));
        let (name, share) = (name(report, player), row.share());
        let (tint, cells) = ((10.0 * share).round(), cells.join("</td><td>"));
        let percent = 100.0 * share;
        format!("<tr><th scope=\"row\">{name}</th><td class=\"s{tint}\">{percent:.1} %</td><td>{cells}</td></tr>\n")
    };
    let note = "Points are shares of the games: a draw is half a win. The score is what the game itself counts.";
    section("result", "Result", note, &table(&heads, &[row(0), row(1)].concat()))
}

fn plots(report: &MatchReport) -> String {
    let names = report.rows.each_ref().map(|row| row.name.as_str());
    let title = format!("Elo difference of {}: a dot, and a line over the range.", visible(names[0], NAME_WIDTH));
    let elo = report.elo.and_then(|elo| svg::whiskers(&[(names[0], elo)], &[0.0], &title));
    let mut plots = String::new();
    if let Some(plot) = elo {
        let caption = "The dot is the estimate, the line its 95 % range. At 0 both are equally strong.";
        plots += &figure("Elo difference", &plot, caption);
    }
    let title = "Points of both players after each game. The result has the sums.";
    if let Some(plot) = svg::points(&names, &progress(report), title) {
        plots += &figure("Points", &plot, "Points after each game: 1 for a win, ½ for a draw.");
    }
    side_by_side(&plots)
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

fn turnings(report: &MatchReport) -> String {
    const HEADS: [&str; 7] = ["Game", "Lost by", "Move", "Played", "Worth before", "Worth after", "Better"];
    if report.turnings.is_empty() {
        return String::new();
    }
    let row = |line: &TurningLine| {
        let texts = [&line.mv, &line.before, &line.after, &line.better].map(|text| minus(&shown(text, NAME_WIDTH)));
        let (game, name, ply) = (line.game, name(report, line.player), line.ply);
        format!("<tr><td>{game}</td><td>{name}</td><td>{ply}</td><td>{}</td></tr>\n", texts.join("</td><td>"))
    };
    let rows: String = report.turnings.iter().map(row).collect();
    let note = "The move after which the loser stood much worse than before, as a search sees it.";
    section("turnings", "Where lost games turned", note, &table(&HEADS, &rows))
}

fn games(report: &MatchReport) -> String {
    const HEADS: [&str; 10] = [
        "No.",
        "First",
        "Second",
        "Result",
        "Score",
        "Ended by",
        "Moves",
        "The moves",
        "Time of first",
        "Time of second",
    ];
    let count = report.games.len();
    if count == 0 {
        return "<p>No games.</p>\n".to_owned();
    }
    let rows: String =
        report.games.iter().take(MAX_GAMES).enumerate().map(|(index, line)| game(report, index, line)).collect();
    let mut note = "Winners in bold; the result is tinted as the first player of the match sees it. \
                    The moves of the opening come first, in grey."
        .to_owned();
    if count > MAX_GAMES {
        note += &format!(" The first {MAX_GAMES} games are listed.");
    }
    if count > MAX_GAMES_WITH_MOVES {
        note += &format!(" The first {MAX_GAMES_WITH_MOVES} have their moves.");
    }
    let scrolling = scrolling("played", "Games", &table(&HEADS, &rows));
    format!(
        "<section aria-labelledby=\"games\">\n<h2 id=\"games\">Games</h2>\n<details>\n\
         <summary>All games ({count})</summary>\n<p class=\"note\">{note}</p>\n{scrolling}</details>\n</section>\n"
    )
}

fn game(report: &MatchReport, index: usize, game: &MatchGame) -> String {
    let [first, second] = [0, 1].map(|side| {
        let name = name(report, game.players[side]);
        if game.winner == Some(side) { format!("<b>{name}</b>") } else { name }
    });
    let result = ["1–0", "0–1", "½–½"][game.winner.map_or(2, |winner| winner.min(1))];
    let tint = match game.winner.and_then(|winner| game.players.get(winner)) {
        None => 5,
        Some(0) => 10,
        Some(_) => 0,
    };
    let [own, other] = game.points.map(|points| minus(&points.to_string()));
    let [time, other_time] = game.charged_ms.map(duration);
    let cells = [
        format!("{own} : {other}"),
        shown(&game.reason, TEXT_WIDTH),
        game.plies.to_string(),
        if index < MAX_GAMES_WITH_MOVES { moves(game) } else { String::new() },
        time,
        other_time,
    ];
    let (number, cells) = (game.number, cells.join("</td><td>"));
    format!(
        "<tr><td>{number}</td><td>{first}</td><td>{second}</td><td class=\"s{tint}\">{result}</td><td>{cells}</td></tr>\n"
    )
}

/// The moves of a game, folded: the opening and what was played.
fn moves(game: &MatchGame) -> String {
    let [opening, played] = [&game.opening, &game.moves].map(|moves| shown(moves, MOVES_WIDTH));
    let opening = if opening.is_empty() { String::new() } else { format!("<span>{opening}</span> ") };
    let summary = if game.opening.is_empty() { "from the start".to_owned() } else { shown(&game.opening, NAME_WIDTH) };
    format!("<details><summary>{summary}</summary><p class=\"moves\">{opening}{played}</p></details>")
}
