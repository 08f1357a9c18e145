//! Standings and cross table as plain text.

use super::{Cell, Column, NAME_WIDTH, Report, TEXT_WIDTH, columns, visible, width};

/// The space between two columns, in characters.
const COLUMN_GAP: usize = 2;

/// The width below which names are not cut to save a column.
const MIN_NAME_WIDTH: usize = 16;

/// The width to which names may be cut in the cross table.
const MIN_CROSS_NAME_WIDTH: usize = 8;

/// The report for a terminal that is `width` columns wide. Where that is too narrow for a table, it leaves out columns
/// and says so.
#[must_use]
pub fn text(report: &Report, width: usize) -> String {
    let mut parts = vec![heading(report)];
    if report.rows.is_empty() {
        parts.push("No players.\n".to_owned());
    } else {
        parts.push(standings(report, width));
    }
    if report.has_cross() {
        parts.push(cross(report, width));
    }
    parts.join("\n")
}

fn heading(report: &Report) -> String {
    let mut heading = format!("{}: {}\n", visible(&report.game, NAME_WIDTH), visible(&report.title, TEXT_WIDTH));
    for (what, how) in &report.facts {
        heading += &format!("  {}: {}\n", visible(what, NAME_WIDTH), visible(how, TEXT_WIDTH));
    }
    heading
}

fn standings(report: &Report, width: usize) -> String {
    let mut figures = columns(&report.rows);
    let mut left_out = Vec::new();
    while taken(report, &figures) + MIN_NAME_WIDTH.min(name_width(report)) > width {
        let Some(least) = figures.iter().map(|column| column.weight).min().filter(|&weight| weight < 9) else { break };
        left_out.extend(figures.extract_if(.., |column| column.weight == least).map(|column| column.head));
    }
    let name_room = width.saturating_sub(taken(report, &figures)).clamp(4, name_width(report).max(4));
    let mut table = vec![ranks(report), names(report, name_room)];
    table.extend(figures.into_iter().map(|column| Aligned::right(column.head, column.cells)));
    let mut text = lines(&table, COLUMN_GAP);
    if !left_out.is_empty() {
        text += &format!("(No room for: {}.)\n", left_out.join(", "));
    }
    text
}

fn cross(report: &Report, room: usize) -> String {
    let places = Aligned::right("", (1..=report.rows.len()).map(|place| place.to_string()).collect());
    let name_least = MIN_CROSS_NAME_WIDTH.min(name_width(report));
    let needed = |columns: &[Aligned], gap: usize| {
        places.width() + COLUMN_GAP + name_least + columns.iter().map(|column| gap + column.width()).sum::<usize>()
    };
    let full = against(report, |cell| format!("{}-{}-{}", cell.wins, cell.draws, cell.losses));
    let tenths = against(report, |cell| cell.tenths().to_string());
    let (note, columns, gap) = if needed(&full, COLUMN_GAP) <= room {
        ("Wins-draws-losses of the row against the column:", full, COLUMN_GAP)
    } else if needed(&tenths, 1) <= room {
        ("What the row won against the column, in tenths:", tenths, 1)
    } else {
        return format!("(No room for the cross table, which takes {} columns.)\n", needed(&tenths, 1));
    };
    let name_room = room - needed(&columns, gap) + name_least;
    let mut table = vec![places, names(report, name_room.min(name_width(report)))];
    table.extend(columns);
    format!("{note}\n{}", lines(&table, gap))
}

/// The columns of the cross table, one for each opponent.
fn against(report: &Report, shown: impl Fn(Cell) -> String) -> Vec<Aligned> {
    let players = 0..report.rows.len();
    let cell = |row, column| match report.cell(row, column) {
        Some(cell) => shown(cell),
        None if row == column => "-".to_owned(),
        None => ".".to_owned(),
    };
    players
        .clone()
        .map(|column| Aligned::right(&(column + 1).to_string(), players.clone().map(|row| cell(row, column)).collect()))
        .collect()
}

/// A column of text.
struct Aligned {
    to_the_right: bool,
    /// The head, then one for each player.
    cells: Vec<String>,
}

impl Aligned {
    fn right(head: &str, cells: Vec<String>) -> Self {
        Self { to_the_right: true, cells: std::iter::once(head.to_owned()).chain(cells).collect() }
    }

    fn width(&self) -> usize {
        self.cells.iter().map(|cell| width(cell)).max().unwrap_or(0)
    }

    fn padded(&self, line: usize, to: usize) -> String {
        let cell = &self.cells[line];
        let padding = " ".repeat(to - width(cell));
        if self.to_the_right { padding + cell } else { cell.clone() + &padding }
    }
}

fn ranks(report: &Report) -> Aligned {
    Aligned::right("", report.rows.iter().map(|row| row.rank.to_string()).collect())
}

fn names(report: &Report, room: usize) -> Aligned {
    let names = report.rows.iter().map(|row| visible(&row.name, room.min(NAME_WIDTH)));
    Aligned { to_the_right: false, cells: std::iter::once(visible("Player", room)).chain(names).collect() }
}

/// How wide the column of names would like to be.
fn name_width(report: &Report) -> usize {
    names(report, NAME_WIDTH).width()
}

/// The width that everything but the names takes.
fn taken(report: &Report, figures: &[Column]) -> usize {
    let figure = |column: &Column| column.cells.iter().map(|cell| width(cell)).fold(column.head.len(), usize::max);
    ranks(report).width() + COLUMN_GAP + figures.iter().map(|column| COLUMN_GAP + figure(column)).sum::<usize>()
}

/// The table as lines, with a gap between the columns after the name.
fn lines(columns: &[Aligned], gap: usize) -> String {
    let widths: Vec<_> = columns.iter().map(Aligned::width).collect();
    let count = columns.first().map_or(0, |column| column.cells.len());
    let line = |line| {
        let mut cells = columns.iter().zip(&widths).map(|(column, &width)| column.padded(line, width));
        let place = cells.next().unwrap_or_default();
        let rest: Vec<_> = cells.collect();
        format!("{place}{:COLUMN_GAP$}{}", "", rest.join(&" ".repeat(gap))).trim_end().to_owned() + "\n"
    };
    (0..count).map(line).collect()
}
