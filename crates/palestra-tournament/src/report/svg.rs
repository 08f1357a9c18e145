//! Plots, drawn so that they can be read at any width: heights are in pixels, places from left to right in per cent. So
//! the plot stretches and its letters do not. Colours and fonts come from the page's style sheet.
//!
//! What is here says where everything lies; the templates draw it there, and escape the names. They pass arguments by
//! reference, numbers too.

use askama::Template;
use askama::filters::HtmlSafe;

use super::{Interval, filters};

/// How many lines have a colour and a label; the others are the faint background.
pub(super) const HIGHLIGHTED: usize = 12;

/// How many colours there are. Lines beyond are dashed, in the same colours again.
const COLOURS: usize = 6;

/// More points on a line than this cannot be told apart.
const MAX_POINTS: usize = 300;

/// The height of a label.
const LINE: f64 = 17.0;

/// The height of a line of a plot that has a line for each name.
const ROW: f64 = 20.0;

/// How far the feet of letters are below the middle of their line.
const BASELINE: f64 = 4.0;

/// Names beside a plot are shorter than elsewhere.
const LABEL_WIDTH: usize = 16;

/// Estimates with their ranges, a line for each name, and marks at values to compare them with.
#[derive(Template)]
#[template(path = "whiskers.svg")]
pub(super) struct Whiskers<'a> {
    title: String,
    rows: Vec<(&'a str, Interval)>,
    marked: Vec<f64>,
    axis: Axis,
}

impl<'a> Whiskers<'a> {
    /// A plot of all estimates that are numbers; none if there are none.
    pub(super) fn new(
        title: impl Into<String>,
        rows: impl IntoIterator<Item = (&'a str, Interval)>,
        marked: &[f64],
    ) -> Option<Self> {
        let rows: Vec<_> = rows.into_iter().filter(|(_, interval)| interval.value.is_finite()).collect();
        rows.first()?;
        let ends = rows.iter().flat_map(|(_, interval)| [interval.low, interval.value, interval.high]);
        let axis = Axis::over(ends.chain(marked.iter().copied()))?;
        Some(Self { title: title.into(), rows, marked: marked.to_vec(), axis })
    }

    fn x(&self, value: &f64) -> f64 {
        38.0 + 49.0 * self.axis.part(*value)
    }

    /// The middle of a line. The numbers of the axis are above all lines.
    fn y(&self, line: &usize) -> f64 {
        ROW * (*line as f64 + 2.0)
    }

    fn bottom(&self) -> f64 {
        ROW * (self.rows.len() as f64 + 1.5)
    }

    fn height(&self) -> f64 {
        self.bottom() + 4.0
    }
}

/// Numbers that change step by step, and the bounds that they are to reach or not.
#[derive(Template)]
#[template(path = "curves.svg")]
pub(super) struct Curves<'a> {
    title: String,
    /// What the steps are: games, pairs.
    unit: &'static str,
    lines: Vec<Line>,
    /// The names of the lines, if they have any.
    names: Vec<&'a str>,
    /// The bounds and their names.
    bounds: Vec<(f64, &'static str)>,
    /// The most steps of a line.
    longest: usize,
    axis: Axis,
}

impl<'a> Curves<'a> {
    const TOP: f64 = 10.0;
    const HEIGHT: f64 = 300.0;
    const BOTTOM: f64 = Self::TOP + Self::HEIGHT;
    const LEFT: f64 = 9.0;
    const WIDTH: f64 = 59.0;
    const RIGHT: f64 = Self::LEFT + Self::WIDTH;
    /// Where names begin.
    const LABEL_LEFT: f64 = Self::RIGHT + 3.0;

    /// The points of all players after each of their games; none if there are no games.
    pub(super) fn of_points(title: &str, names: Vec<&'a str>, progress: &[Vec<f64>]) -> Option<Self> {
        let lines = progress.iter().take(names.len()).map(|points| Line::of(points)).collect();
        Self::over(title.to_owned(), "games", lines, names, &[])
    }

    /// A number after each step, and the bounds at which it ends; none if there are no steps.
    pub(super) fn of_course(
        title: String,
        unit: &'static str,
        values: &[f64],
        bounds: &[(f64, &'static str)],
    ) -> Option<Self> {
        Self::over(title, unit, vec![Line::of(values)], vec![], bounds)
    }

    fn over(
        title: String,
        unit: &'static str,
        lines: Vec<Line>,
        names: Vec<&'a str>,
        bounds: &[(f64, &'static str)],
    ) -> Option<Self> {
        let longest = lines.iter().map(|line| line.games).max().filter(|&games| games > 0)?;
        let points = lines.iter().flat_map(|line| line.points.iter().map(|&(_, points)| points));
        let axis = Axis::over(points.chain(bounds.iter().map(|&(value, _)| value)))?;
        Some(Self { title, unit, lines, names, bounds: bounds.to_vec(), longest, axis })
    }

    fn height(&self) -> f64 {
        Self::BOTTOM + 24.0
    }

    /// How far to the right a game lies, from 0 to 1.
    fn across(&self, game: usize) -> f64 {
        game as f64 / self.longest as f64
    }

    /// How far down points lie, from 0 to 1.
    fn down(&self, points: f64) -> f64 {
        1.0 - self.axis.part(points)
    }

    fn y(&self, points: &f64) -> f64 {
        Self::TOP + Self::HEIGHT * self.down(*points)
    }

    /// The points of a line as SVG has them, in a square of a thousand by a thousand.
    fn polyline(&self, line: &Line) -> String {
        let point = |&(game, points): &(usize, f64)| {
            format!("{:.0},{:.0}", 1000.0 * self.across(game), 1000.0 * self.down(points))
        };
        line.points.iter().map(point).collect::<Vec<_>>().join(" ")
    }

    /// The names of the best, each beside the end of its curve.
    fn labels(&self) -> Vec<Label<'a>> {
        let named: Vec<_> = self.names.iter().zip(&self.lines).take(HIGHLIGHTED).collect();
        let ends: Vec<_> = named.iter().map(|(_, line)| self.y(&line.end().1)).collect();
        let placed = apart(&ends, Self::TOP, Self::BOTTOM);
        let label = |(rank, &(&name, line)): (usize, &(&&'a str, &Line))| Label {
            name,
            colour: colour(&rank),
            end: (Self::LEFT + Self::WIDTH * self.across(line.end().0), ends[rank]),
            y: placed[rank],
        };
        named.iter().enumerate().map(label).collect()
    }
}

/// A name beside a curve.
struct Label<'a> {
    name: &'a str,
    colour: String,
    /// Where the curve ends.
    end: (f64, f64),
    /// The height of the label.
    y: f64,
}

/// Counts as bars, a line for each name.
#[derive(Template)]
#[template(path = "bars.svg")]
pub(super) struct Bars {
    title: &'static str,
    rows: Vec<(&'static str, u32)>,
}

impl Bars {
    pub(super) fn new(title: &'static str, rows: impl IntoIterator<Item = (&'static str, u32)>) -> Self {
        Self { title, rows: rows.into_iter().collect() }
    }

    /// The middle of a line.
    fn y(&self, line: &usize) -> f64 {
        ROW * (*line as f64 + 0.5)
    }

    /// Where the bar of a count ends.
    fn end(&self, count: &u32) -> f64 {
        let most = self.rows.iter().map(|&(_, count)| count).max().unwrap_or(0).max(1);
        22.0 + 66.0 * f64::from(*count) / f64::from(most)
    }

    fn height(&self) -> f64 {
        ROW * self.rows.len() as f64 + 4.0
    }
}

// Pages take these drawings as they are: their templates have escaped all that is not markup.
impl HtmlSafe for Whiskers<'_> {}
impl HtmlSafe for Curves<'_> {}
impl HtmlSafe for Bars {}

/// The classes of the line or the label with this rank.
fn colour(rank: &usize) -> String {
    match *rank {
        0..COLOURS => format!("k{rank}"),
        COLOURS..HIGHLIGHTED => format!("k{} dash", rank % COLOURS),
        _ => "faint".to_owned(),
    }
}

/// A player's way through the tournament, thinned out.
struct Line {
    games: usize,
    /// After how many games, how many points.
    points: Vec<(usize, f64)>,
}

impl Line {
    fn of(progress: &[f64]) -> Self {
        let games = progress.len();
        let step = games.div_ceil(MAX_POINTS).max(1);
        let after = progress.iter().enumerate().map(|(game, &points)| (game + 1, tame(points)));
        let kept = after.filter(|&(game, _)| game % step == 0 || game == games);
        Self { games, points: std::iter::once((0, 0.0)).chain(kept).collect() }
    }

    fn end(&self) -> (usize, f64) {
        self.points.last().copied().unwrap_or_default()
    }
}

/// The number as far as it can be drawn.
fn tame(value: f64) -> f64 {
    const FAR: f64 = 1e9;
    if value.is_nan() { 0.0 } else { value.clamp(-FAR, FAR) }
}

/// The range of values that a plot shows.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// An axis that holds all values and has a few round ticks; none if there are no values.
    fn over(values: impl Iterator<Item = f64>) -> Option<Self> {
        let (low, high) = values.filter(|value| value.is_finite()).map(tame).fold(None, |ends, value| {
            let (low, high) = ends.unwrap_or((value, value));
            Some((f64::min(low, value), f64::max(high, value)))
        })?;
        let (low, high) = if high - low < 1.0 { (low - 0.5, high + 0.5) } else { (low, high) };
        let rough = (high - low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|&step| step >= rough).unwrap_or(rough);
        Some(Self { low, high, step: step.max(1.0) })
    }

    /// How far along the axis a value lies, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        ((tame(value) - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let first = (self.low / self.step).ceil();
        let last = (self.high / self.step).floor();
        (0..=(last - first).clamp(0.0, 12.0) as usize).map(move |n| (first + n as f64) * self.step)
    }
}

/// The heights, moved as little as needed so that labels do not touch.
fn apart(wished: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<_> = (0..wished.len()).collect();
    order.sort_by(|&a, &b| wished[a].total_cmp(&wished[b]).then(a.cmp(&b)));
    let mut placed = wished.to_vec();
    let mut least = top;
    for &label in &order {
        placed[label] = placed[label].max(least);
        least = placed[label] + LINE;
    }
    let mut most = bottom;
    for &label in order.iter().rev() {
        placed[label] = placed[label].min(most);
        most = placed[label] - LINE;
    }
    placed
}
