//! The page of a sequential test: is the new version better than the old one?

use super::page::{Heading, figure, page, section, side_by_side, table};
use super::svg::{self, minus};
use super::{Interval, NAME_WIDTH, visible};

/// The report of an SPRT.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SprtReport {
    /// The game that was played.
    pub game: String,
    /// The new version and the old one.
    pub names: [String; 2],
    /// What the test says, in sentences.
    pub verdict: String,
    /// How it was played, as pairs of what and how.
    pub facts: Vec<(String, String)>,
    /// Games that the new version won, drew and lost.
    pub games: [u32; 3],
    /// How many pairs brought it 0, 1, 2, 3 and 4 half points; pairs that only repeat earlier games are left out.
    pub pairs: [u32; 5],
    /// The log-likelihood ratio after each pair.
    pub llr: Vec<f64>,
    /// The ratios at which the test ends: not better, better.
    pub bounds: (f64, f64),
    /// The Elo differences that are tested against each other.
    pub claims: (f64, f64),
    /// The Elo difference of the new version; none before the first pair.
    pub elo: Option<Interval>,
}

/// The page.
#[must_use]
pub fn sprt_html(report: &SprtReport) -> String {
    let [new, old] = report.names.each_ref().map(|name| visible(name, NAME_WIDTH));
    let title = format!("Is {new} better than {old}?");
    let main = [plots(report), result(report)].concat();
    page(&Heading { game: &report.game, title: &title, lead: &report.verdict, facts: &report.facts }, &main)
}

/// What a pair can bring, in points.
const PAIR_POINTS: [&str; 5] = ["0 points", "½ point", "1 point", "1½ points", "2 points"];

fn plots(report: &SprtReport) -> String {
    let (lower, upper) = report.bounds;
    let mut plots = String::new();
    let title = format!("Log-likelihood ratio after each pair of games, and the bounds {lower:.2} and {upper:.2}.");
    if let Some(plot) = svg::course(&report.llr, "pairs", &[(upper, "better"), (lower, "not better")], &minus(&title)) {
        let caption = "How much likelier the results are under the higher claim than under the lower one (LLR). \
                       The test ends where the curve reaches a dashed line.";
        plots += &figure("Likelihood", &plot, caption);
    }
    let (elo0, elo1) = report.claims;
    let title = "Elo difference of the new version: a dot, and a line over the range.";
    if let Some(plot) = report.elo.and_then(|elo| svg::whiskers(&[(&report.names[0], elo)], &[elo0, elo1], title)) {
        let bars = svg::bars(&PAIR_POINTS.into_iter().zip(report.pairs).collect::<Vec<_>>(), BARS_TITLE);
        let caption = "The dot is the estimate, the line its 95 % range. Dashed are the two claims.";
        let caption_of_pairs = "Pairs of games of one opening, sides changed, by the points of the new version.";
        let pairs = figure("Pairs", &bars, caption_of_pairs);
        plots += &format!("<div>\n{}{pairs}</div>\n", figure("Elo difference", &plot, caption));
    }
    side_by_side(&plots)
}

const BARS_TITLE: &str = "How many pairs brought the new version 0 to 2 points.";

fn result(report: &SprtReport) -> String {
    let [won, drawn, lost] = report.games;
    let (lower, upper) = report.bounds;
    let llr = report.llr.last().copied().unwrap_or(0.0);
    let elo = report.elo.map_or_else(String::new, |elo| {
        format!("{:+.0} ({:+.0} to {:+.0} with 95 % confidence)", elo.value, elo.low, elo.high)
    });
    let rows = [
        ("Games", (won + drawn + lost).to_string()),
        ("Won, drawn, lost", format!("{won}, {drawn}, {lost}")),
        ("Pairs with 0, ½, 1, 1½, 2 points", report.pairs.map(|count| count.to_string()).join(", ")),
        ("Log-likelihood ratio", format!("{llr:.2} (ends at {lower:.2} or {upper:.2})")),
        ("Elo difference", elo),
    ];
    let row = |(what, how): &(&str, String)| format!("<tr><th scope=\"row\">{what}</th><td>{}</td></tr>\n", minus(how));
    let rows: String = rows.iter().map(row).collect();
    section("result", "Numbers", "As the new version sees them.", &table(&["What", "How much"], &rows))
}
