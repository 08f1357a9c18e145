//! Plots, drawn so that they can be read at any width: heights are in pixels, places from left to right in per cent. So
//! the plot stretches and its letters do not. Colours and fonts come from the page's style sheet.

use super::page::escaped;
use super::{Interval, Report, visible, whole};

/// How many lines have a colour and a label; the others are the faint background.
pub(super) const HIGHLIGHTED: usize = 12;

/// How many colours there are. Lines beyond are dashed, in the same colours again.
pub(super) const COLOURS: usize = 6;

/// More points on a line than this cannot be told apart.
const MAX_POINTS: usize = 300;

/// The height of a label.
const LINE: f64 = 17.0;

/// The height of a player's line among the ratings.
const ROW: f64 = 20.0;

/// Names beside a plot are shorter than elsewhere.
const LABEL_WIDTH: usize = 16;

/// The ratings of all players with their ranges: which rating, and the plot.
pub(super) fn ratings(report: &Report) -> Option<(&'static str, String)> {
    let elo = report.rows.iter().any(|row| row.elo.is_some());
    let rated =
        report.rows.iter().filter_map(|row| Some((row.name.as_str(), if elo { row.elo? } else { row.glicko? })));
    let rating = if elo { "Elo" } else { "Glicko-2" };
    let title =
        format!("{rating} ratings: a dot for each player and a line over the range. The standings say the same.");
    Some((rating, whiskers(&rated.collect::<Vec<_>>(), &[], &title)?))
}

/// Estimates with their ranges, a line for each name, and marks at values to compare them with.
pub(super) fn whiskers(rows: &[(&str, Interval)], marked: &[f64], title: &str) -> Option<String> {
    let rows: Vec<_> = rows.iter().filter(|(_, interval)| interval.value.is_finite()).collect();
    rows.first()?;
    let ends = rows.iter().flat_map(|(_, interval)| [interval.low, interval.value, interval.high]);
    let axis = Axis::over(ends.chain(marked.iter().copied()))?;
    let place = |value: f64| 38.0 + 49.0 * axis.part(value);
    let height = ROW * (rows.len() as f64 + 1.5);
    let mut marks = String::new();
    for tick in axis.ticks() {
        let (x, label) = (place(tick), minus(&whole(tick)));
        marks += &format!(r#"<line class="grid" x1="{x:.2}%" x2="{x:.2}%" y1="{ROW}" y2="{height:.1}"/>"#);
        marks += &format!(r#"<text class="tick" x="{x:.2}%" y="12" text-anchor="middle">{label}</text>"#);
    }
    for x in marked.iter().map(|&value| place(value)) {
        marks += &format!(r#"<line class="mark" x1="{x:.2}%" x2="{x:.2}%" y1="{ROW}" y2="{height:.1}"/>"#);
    }
    for (line, (name, interval)) in rows.iter().enumerate() {
        let y = ROW * (line as f64 + 2.0);
        let [low, value, high] = [interval.low, interval.value, interval.high].map(place);
        let (name, label) = (escaped(&visible(name, LABEL_WIDTH)), minus(&whole(interval.value)));
        let text_y = y + 4.0;
        marks += &format!(r#"<text class="name" x="0" y="{text_y}">{name}</text>"#);
        marks += &format!(r#"<line class="range" x1="{low:.2}%" x2="{high:.2}%" y1="{y}" y2="{y}"/>"#);
        marks += &format!(r#"<circle class="dot" cx="{value:.2}%" cy="{y}" r="3.5"/>"#);
        marks += &format!(r#"<text x="100%" y="{text_y}" text-anchor="end">{label}</text>"#);
        marks.push('\n');
    }
    Some(drawing(height + 4.0, title, &marks))
}

/// The points of all players after each of their games.
pub(super) fn points(names: &[&str], progress: &[Vec<f64>], title: &str) -> Option<String> {
    let lines: Vec<_> = progress.iter().take(names.len()).map(|points| Line::of(points)).collect();
    let field = Field::over(&lines, &[], "games")?;
    let marks = [field.grid(), field.curves(&lines), field.labels(names, &lines)].concat();
    Some(drawing(Field::BOTTOM + 24.0, title, &marks))
}

/// A number after each of so many steps, and the bounds at which it ends: their values and names.
pub(super) fn course(values: &[f64], unit: &'static str, bounds: &[(f64, &str)], title: &str) -> Option<String> {
    let lines = [Line::of(values)];
    let ends: Vec<f64> = bounds.iter().map(|&(value, _)| value).collect();
    let field = Field::over(&lines, &ends, unit)?;
    let bounds: String = bounds.iter().map(|&(value, name)| field.bound(value, name)).collect();
    let marks = [field.grid(), bounds, field.curves(&lines)].concat();
    Some(drawing(Field::BOTTOM + 24.0, title, &marks))
}

/// Counts as bars, a line for each name.
pub(super) fn bars(rows: &[(&str, u32)], title: &str) -> String {
    let most = rows.iter().map(|&(_, count)| count).max().unwrap_or(0).max(1);
    let bar = |(line, &(name, count)): (usize, &(&str, u32))| {
        let y = ROW * (line as f64 + 0.5);
        let (text_y, end) = (y + 4.0, 22.0 + 66.0 * f64::from(count) / f64::from(most));
        format!(
            "<text class=\"name\" x=\"0\" y=\"{text_y}\">{name}</text>\
             <line class=\"bar\" x1=\"22%\" x2=\"{end:.2}%\" y1=\"{y}\" y2=\"{y}\"/>\
             <text x=\"100%\" y=\"{text_y}\" text-anchor=\"end\">{count}</text>\n"
        )
    };
    let marks: String = rows.iter().enumerate().map(bar).collect();
    drawing(ROW * rows.len() as f64 + 4.0, title, &marks)
}

/// Where curves are drawn.
struct Field {
    /// The most steps of a curve.
    longest: usize,
    /// What the steps are: games, pairs.
    unit: &'static str,
    axis: Axis,
}

impl Field {
    const TOP: f64 = 10.0;
    const HEIGHT: f64 = 300.0;
    const BOTTOM: f64 = Self::TOP + Self::HEIGHT;
    const LEFT: f64 = 9.0;
    const WIDTH: f64 = 59.0;
    const RIGHT: f64 = Self::LEFT + Self::WIDTH;

    /// A field that holds all lines and these values; none if there is nothing to draw.
    fn over(lines: &[Line], values: &[f64], unit: &'static str) -> Option<Self> {
        let longest = lines.iter().map(|line| line.games).max().filter(|&games| games > 0)?;
        let points = lines.iter().flat_map(|line| line.points.iter().map(|&(_, points)| points));
        let axis = Axis::over(points.chain(values.iter().copied()))?;
        Some(Self { longest, unit, axis })
    }

    /// A value that curves are to reach or not, with its name at the side.
    fn bound(&self, value: f64, name: &str) -> String {
        let (left, right, y) = (Self::LEFT, Self::RIGHT, self.y(value));
        let (text_x, text_y) = (right + 3.0, y + 4.0);
        format!(
            "<line class=\"mark\" x1=\"{left}%\" x2=\"{right}%\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"name\" x=\"{text_x}%\" y=\"{text_y:.1}\">{name}</text>\n"
        )
    }

    /// How far to the right a game lies, from 0 to 1.
    fn across(&self, game: usize) -> f64 {
        game as f64 / self.longest as f64
    }

    /// How far down points lie, from 0 to 1.
    fn down(&self, points: f64) -> f64 {
        1.0 - self.axis.part(points)
    }

    fn y(&self, points: f64) -> f64 {
        Self::TOP + Self::HEIGHT * self.down(points)
    }

    fn grid(&self) -> String {
        let (left, right, below) = (Self::LEFT, Self::RIGHT, Self::BOTTOM + 18.0);
        let mut marks = String::new();
        for tick in self.axis.ticks() {
            let (y, x, label) = (self.y(tick), left - 1.5, minus(&whole(tick)));
            let text_y = y + 4.0;
            marks += &format!(r#"<line class="grid" x1="{left}%" x2="{right}%" y1="{y:.1}" y2="{y:.1}"/>"#);
            marks += &format!(r#"<text class="tick" x="{x}%" y="{text_y:.1}" text-anchor="end">{label}</text>"#);
        }
        let (longest, unit) = (self.longest, self.unit);
        marks += &format!(r#"<text class="tick" x="{left}%" y="{below}">0 {unit}</text>"#);
        marks + &format!(r#"<text class="tick" x="{right}%" y="{below}" text-anchor="end">{longest}</text>"#)
    }

    /// The curves, in a drawing of their own that stretches. The best are on top of the others.
    fn curves(&self, lines: &[Line]) -> String {
        let curve = |(rank, line): (usize, &Line)| {
            let class = if rank < HIGHLIGHTED { colour(rank) } else { "faint".to_owned() };
            let point = |&(game, points): &(usize, f64)| {
                format!("{:.0},{:.0}", 1000.0 * self.across(game), 1000.0 * self.down(points))
            };
            let points: Vec<_> = line.points.iter().map(point).collect();
            format!("<polyline class=\"line {class}\" points=\"{}\"/>\n", points.join(" "))
        };
        let curves: String = lines.iter().enumerate().rev().map(curve).collect();
        let (left, top, width, height) = (Self::LEFT, Self::TOP, Self::WIDTH, Self::HEIGHT);
        format!(
            "<svg x=\"{left}%\" y=\"{top}\" width=\"{width}%\" height=\"{height}\" viewBox=\"0 0 1000 1000\" \
             preserveAspectRatio=\"none\" overflow=\"visible\">\n{curves}</svg>\n"
        )
    }

    /// The names of the best, each beside the end of its curve.
    fn labels(&self, names: &[&str], lines: &[Line]) -> String {
        let ends: Vec<_> = lines.iter().take(HIGHLIGHTED).map(Line::end).collect();
        let wished: Vec<_> = ends.iter().map(|&(_, points)| self.y(points)).collect();
        let placed = apart(&wished, Self::TOP, Self::BOTTOM);
        let label = |rank: usize| {
            let (colour, from, y) = (colour(rank), wished[rank], placed[rank]);
            let (x, text_y) = (Self::LEFT + Self::WIDTH * self.across(ends[rank].0), y + 4.0);
            let (to, text_x) = (Self::RIGHT + 2.5, Self::RIGHT + 3.0);
            let name = escaped(&visible(names[rank], LABEL_WIDTH - 3));
            format!(
                "<line class=\"leader {colour}\" x1=\"{x:.2}%\" y1=\"{from:.1}\" x2=\"{to}%\" y2=\"{y:.1}\"/>\
                 <text class=\"name {colour}\" x=\"{text_x}%\" y=\"{text_y:.1}\">{name}</text>\n"
            )
        };
        (0..ends.len()).map(label).collect()
    }
}

fn drawing(height: f64, title: &str, marks: &str) -> String {
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"100%\" height=\"{height:.0}\">\
         <title>{title}</title>\n{marks}</svg>\n"
    )
}

fn colour(rank: usize) -> String {
    let dash = if rank < COLOURS { "" } else { " dash" };
    format!("k{}{dash}", rank % COLOURS)
}

/// A number with the sign of a typographer.
pub(super) fn minus(number: &str) -> String {
    number.replace('-', "−")
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
