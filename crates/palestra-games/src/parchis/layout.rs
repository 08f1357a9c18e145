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
    Layout { size: Point { x: SIZE, y: SIZE }, text_scale: Point { x: 4.0, y: 1.0 }, text_width: 4, cells }
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

fn own_cells(colour: Colour) -> impl Iterator<Item = Cell> {
    let queue = (1..=QUEUE).map(move |square| queue_cell(colour, square));
    let home = (0..PIECES as u8).map(move |piece| home_cell(colour, piece));
    queue.chain([goal_cell(colour)]).chain(home).chain(tray_cells(colour))
}

fn queue_cell(colour: Colour, square: u8) -> Cell {
    let kind = ["queue-yellow", "queue-blue", "queue-red", "queue-green"][colour.index()];
    let symbol = colour.letter().to_ascii_lowercase();
    let polygon = rectangle(9.0, 18.0 - f32::from(square), 1.0, 1.0);
    let label = Label::new("queue", [&colour, &square]);
    cell(format!("q{colour}{square}"), kind, symbol, label, turned(polygon, colour as u8))
}

fn goal_cell(colour: Colour) -> Cell {
    let kind = ["goal-yellow", "goal-blue", "goal-red", "goal-green"][colour.index()];
    let polygon = [(8.0, 11.0), (11.0, 11.0), (9.5, 9.5)].map(|(x, y)| Point { x, y }).to_vec();
    cell(format!("goal{colour}"), kind, '*', Label::new("goal", [&colour]), turned(polygon, colour as u8))
}

fn home_cell(colour: Colour, piece: u8) -> Cell {
    let kind = ["home-yellow", "home-blue", "home-red", "home-green"][colour.index()];
    let (corner, column, row) = (corner(colour), f32::from(piece % 2), f32::from(piece / 2));
    let polygon = rectangle(corner.x + 2.0 + 2.0 * column, corner.y + 3.0 + 2.0 * row, 2.0, 2.0);
    cell(place_id(colour, piece, Place::HOME), kind, '_', Label::new("home", [&colour, &piece]), polygon)
}

/// The place of the marker and those of the dice, in a row.
fn tray_cells(colour: Colour) -> Vec<Cell> {
    let corner = corner(colour);
    // A little smaller than a square, to stand apart from the ring beside it.
    let slot = |column: u8| rectangle(corner.x + f32::from(column) + 0.125, corner.y + 1.125, 0.75, 0.75);
    let mut cells = vec![cell(turn_id(colour), "turn", ' ', Label::new("turn", [&colour]), slot(0))];
    for die in Die::ALL.into_iter().filter(|die| !die.is_bonus()) {
        let label = Label::new("place of die", [&colour, &die]);
        cells.push(cell(tray_id(colour, die), "pool", ' ', label, slot(die.value())));
    }
    cells.push(cell(format!("pool{colour}-bonus"), "pool", ' ', Label::new("place of bonus", [&colour]), slot(7)));
    cells
}

/// Where the corner of 8 by 8 squares begins that a colour's start lies at.
fn corner(colour: Colour) -> Point {
    let (x, y) = match colour {
        Colour::Yellow => (11.0, 11.0),
        Colour::Blue => (11.0, 0.0),
        Colour::Red => (0.0, 0.0),
        Colour::Green => (0.0, 11.0),
    };
    Point { x, y }
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
