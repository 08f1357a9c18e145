//! The page of a sequential test: is the new version better than the old one?

use askama::Template;

use super::page::{Heading, rendered};
use super::svg::{Bars, Curves, Whiskers};
use super::{Interval, NAME_WIDTH, filters, minus, visible};

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
    rendered(&SprtPage {
        heading: Heading::new(&report.game, &title, &report.verdict, &report.facts),
        likelihood: likelihood(report),
        elo: elo(report),
        pairs: pairs(report),
        numbers: numbers(report),
    })
}

#[derive(Template)]
#[template(path = "sprt.html")]
struct SprtPage<'a> {
    heading: Heading,
    likelihood: Option<Curves<'a>>,
    elo: Option<Whiskers<'a>>,
    pairs: Bars,
    /// What was counted and computed, as pairs of what and how much.
    numbers: [(&'static str, String); 5],
}

fn likelihood(report: &SprtReport) -> Option<Curves<'_>> {
    let (lower, upper) = report.bounds;
    let bounds = minus(&format!("{lower:.2} and {upper:.2}"));
    let title = format!("Log-likelihood ratio after each pair of games, and the bounds {bounds}.");
    Curves::of_course(title, "pairs", &report.llr, &[(upper, "better"), (lower, "not better")])
}

fn elo(report: &SprtReport) -> Option<Whiskers<'_>> {
    let title = "Elo difference of the new version: a dot, and a line over the range.";
    Whiskers::new(title, [(report.names[0].as_str(), report.elo?)], &[report.claims.0, report.claims.1])
}

fn pairs(report: &SprtReport) -> Bars {
    /// What a pair can bring.
    const POINTS: [&str; 5] = ["0 points", "½ point", "1 point", "1½ points", "2 points"];
    Bars::new("How many pairs brought the new version 0 to 2 points.", POINTS.into_iter().zip(report.pairs))
}

fn numbers(report: &SprtReport) -> [(&'static str, String); 5] {
    let [won, drawn, lost] = report.games;
    let (lower, upper) = report.bounds;
    let llr = report.llr.last().copied().unwrap_or(0.0);
    let elo = report.elo.map_or_else(String::new, |elo| {
        format!("{:+.0} ({:+.0} to {:+.0} with 95 % confidence)", elo.value, elo.low, elo.high)
    });
    [
        ("Games", (won + drawn + lost).to_string()),
        ("Won, drawn, lost", format!("{won}, {drawn}, {lost}")),
        ("Pairs with 0, ½, 1, 1½, 2 points", report.pairs.map(|count| count.to_string()).join(", ")),
        ("Log-likelihood ratio", format!("{llr:.2} (ends at {lower:.2} or {upper:.2})")),
        ("Elo difference", elo),
    ]
}
