//! The cells: a cross of four arms, three squares wide and eight long, on 19 by 19.
//!
//! Yellow's arm points down, blue's to the right, red's up, green's to the left, and pieces run counter-clockwise. A
//! colour's last square of the ring lies at the tip of its arm; from there its queue leads to its part of the centre.
//! Its home lies in the corner beside its start, with a tray for its dice.

use super::board::{Colour, PIECES, Place, QUEUE, RING};
use super::moves::Die;
use crate::draw::{Arrows, Cell, Id, Label, Layout, Point, rectangle};

/// The width and the height of the drawing.
const SIZE: f32 = 19.0;

pub(super) fn layout() -> Layout {
    let mut cells: Vec<Cell> = (1..=RING).map(ring_cell).chain(Colour::ALL.into_iter().flat_map(own_cells)).collect();
    let reading_order = |a: &Cell, b: &Cell| {
        let (a, b) = (centre(a), centre(b));
        a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x))
    };
    cells.sort_by(reading_order);
    let arrows: Vec<Arrows> = cells.iter().map(|cell| arrows(cell, &cells)).collect();
    cells.iter_mut().zip(arrows).for_each(|(cell, arrows)| cell.arrows = arrows);
    Layout { size: Point { x: SIZE, y: SIZE }, text_scale: Point { x: 3.0, y: 1.0 }, text_width: 3, cells }
}

/// The cell where a piece lies.
pub(super) fn place_id(colour: Colour, piece: u8, place: Place) -> Id {
    match (place.ring(), place.queue()) {
        (Some(square), _) => format!("r{square}"),
        (_, Some(square)) => format!("q{colour}{square}"),
        _ if place == Place::GOAL => format!("goal{colour}"),
        _ => format!("home{colour}-{piece}"),
    }
}

/// The cell where a die lies; the bonuses share one.
pub(super) fn tray_id(colour: Colour, die: Die) -> Id {
    if die.is_bonus() { format!("pool{colour}-bonus") } else { format!("pool{colour}-{die}") }
}

/// The cell where the marker lies while a colour is on turn.
pub(super) fn turn_id(colour: Colour) -> Id {
    format!("turn{colour}")
}

fn ring_cell(square: u8) -> Cell {
    let place = Place::from_code(square).expect("squares of the ring are places");
    let (quarter, step) = ((square - 1) / 17, f32::from((square - 1) % 17));
    // Up the right lane of yellow's arm, out along the near lane of blue's, and its tip; then the same turned.
    let polygon = match (square - 1) % 17 {
        0..=7 => rectangle(10.0, 18.0 - step, 1.0, 1.0),
        8..=15 => rectangle(3.0 + step, 10.0, 1.0, 1.0),
        _ => rectangle(18.0, 9.0, 1.0, 1.0),
    };
    let start_of = Colour::ALL.into_iter().find(|colour| colour.start() == place);
    let kind = match start_of {
        Some(colour) => ["safe-yellow", "safe-blue", "safe-red", "safe-green"][colour.index()],
        None if place.is_safe() => "safe",
        None => "square",
    };
    let label = if place.is_safe() { "safe square" } else { "square" };
    let symbol = if place.is_safe() { 'o' } else { '.' };
    cell(format!("r{square}"), kind, symbol, Label::new(label, [&square]), turned(polygon, quarter))
}

/// The cells of one colour: queue, goal, home and tray.
fn own_cells(colour: Colour) -> Vec<Cell> {
    let quarter = colour.index() as u8;
    let right = matches!(colour, Colour::Yellow | Colour::Blue);
    let below = matches!(colour, Colour::Yellow | Colour::Green);
    let corner = if right { 11.0 } else { 0.0 };
    let mut cells = Vec::new();

    for square in 1..=QUEUE {
        let kind = ["queue-yellow", "queue-blue", "queue-red", "queue-green"][colour.index()];
        let polygon = turned(rectangle(9.0, 18.0 - f32::from(square), 1.0, 1.0), quarter);
        let label = Label::new("queue", [&colour, &square]);
        cells.push(cell(format!("q{colour}{square}"), kind, colour.letter().to_ascii_lowercase(), label, polygon));
    }

    let kind = ["goal-yellow", "goal-blue", "goal-red", "goal-green"][colour.index()];
    let triangle = [(8.0, 11.0), (11.0, 11.0), (9.5, 9.5)].map(|(x, y)| Point { x, y });
    let polygon = turned(triangle.to_vec(), quarter);
    cells.push(cell(format!("goal{colour}"), kind, '*', Label::new("goal", [&colour]), polygon));

    for piece in 0..PIECES as u8 {
        let kind = ["home-yellow", "home-blue", "home-red", "home-green"][colour.index()];
        let (column, row) = (f32::from(piece % 2), f32::from(piece / 2));
        let polygon = rectangle(corner + 2.0 + 2.0 * column, if below { 12.0 } else { 3.0 } + 2.0 * row, 2.0, 2.0);
        let label = Label::new("home", [&colour, &piece]);
        cells.push(cell(place_id(colour, piece, Place::HOME), kind, '_', label, polygon));
    }

    // A little smaller than a square, to stand apart from the ring beside it.
    let tray =
        |column: u8| rectangle(corner + f32::from(column) + 0.125, if below { 17.125 } else { 1.125 }, 0.75, 0.75);
    cells.push(cell(turn_id(colour), "turn", ' ', Label::new("turn", [&colour]), tray(0)));
    for die in Die::ALL.into_iter().filter(|die| !die.is_bonus()) {
        let label = Label::new("die of", [&colour, &die]);
        cells.push(cell(tray_id(colour, die), "pool", ' ', label, tray(die.value())));
    }
    cells.push(cell(format!("pool{colour}-bonus"), "pool", ' ', Label::new("bonus of", [&colour]), tray(7)));
    cells
}

fn cell(id: Id, kind: &'static str, symbol: char, label: Label, polygon: Vec<Point>) -> Cell {
    Cell { id, kind, symbol, label, polygon, arrows: Arrows::default(), ghosts: Vec::new() }
}

/// The outline turned counter-clockwise about the centre by quarters.
fn turned(polygon: Vec<Point>, quarters: u8) -> Vec<Point> {
    let turn = |point: Point| Point { x: point.y, y: SIZE - point.x };
    (0..quarters).fold(polygon, |polygon, _| polygon.into_iter().map(turn).collect())
}

fn centre(cell: &Cell) -> Point {
    let n = cell.polygon.len() as f32;
    let (x, y) = cell.polygon.iter().fold((0.0, 0.0), |(x, y), point| (x + point.x, y + point.y));
    Point { x: x / n, y: y / n }
}

fn arrows(from: &Cell, cells: &[Cell]) -> Arrows {
    let nearest = |dx, dy| nearest(centre(from), (dx, dy), cells);
    Arrows { up: nearest(0.0, -1.0), down: nearest(0.0, 1.0), left: nearest(-1.0, 0.0), right: nearest(1.0, 0.0) }
}

/// The nearest cell more in this direction than aside.
fn nearest(from: Point, (dx, dy): (f32, f32), cells: &[Cell]) -> Option<Id> {
    let way = |cell: &Cell| {
        let (x, y) = (centre(cell).x - from.x, centre(cell).y - from.y);
        let (ahead, aside) = (x * dx + y * dy, (x * dy).abs() + (y * dx).abs());
        (ahead > 0.0 && aside <= ahead).then_some(ahead + 2.0 * aside)
    };
    let ahead = cells.iter().filter_map(|cell| Some((way(cell)?, cell)));
    ahead.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, cell)| cell.id.clone())
}
