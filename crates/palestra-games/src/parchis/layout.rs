//! The cells: a cross of four arms, three squares wide and eight long, on 19 by 19.
//!
//! Yellow's arm points down, blue's to the right, red's up, green's to the left, and pieces run counter-clockwise. A
//! colour's last square of the ring lies at the tip of its arm; from there its queue leads to its part of the centre.
//! Its home lies in the corner beside its start, with a tray for its dice.

use super::board::{Colour, PIECES, Place, QUEUE, RING};
use super::moves::Die;
use crate::draw::{Area, Arrows, Cell, Id, Label, Layout, Point, Rect};

/// The width and the height of the drawing.
const SIZE: f32 = 19.0;

pub(super) fn layout() -> Layout {
    let mut cells: Vec<Cell> = (1..=RING).map(ring_cell).chain(Colour::ALL.into_iter().flat_map(own_cells)).collect();
    let reading_order = |a: &Cell, b: &Cell| {
        let (a, b) = (a.middle(), b.middle());
        a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x))
    };
    cells.sort_by(reading_order);
    let arrows: Vec<Arrows> = cells.iter().map(|cell| arrows(cell, &cells)).collect();
    cells.iter_mut().zip(arrows).for_each(|(cell, arrows)| cell.arrows = arrows);
    Layout {
        size: Point { x: SIZE, y: SIZE },
        text_scale: Point { x: 4.0, y: 1.0 },
        text_width: 4,
        cells,
        areas: areas(),
        turns: false,
    }
}

/// The plaster, and in each corner a house with its court and the tray of the dice.
fn areas() -> Vec<Area> {
    let field = Rect::new(-0.3, -0.3, SIZE + 0.6, SIZE + 0.6);
    let mut areas = vec![Area { kind: "field", rect: field, radius: 0.7 }];
    for colour in Colour::ALL {
        let Point { x, y } = corner(colour);
        let house = Rect::new(x + 1.1, y + home_top(colour) - 0.72, 5.8, 5.44);
        let [kind, pattern] = HOUSES[colour.index()];
        areas.push(Area { kind, rect: house, radius: 0.9 });
        areas.push(Area { kind: pattern, rect: house, radius: 0.9 });
        let court = Rect::new(x + 4.0 - 2.36, y + home_top(colour) + 2.0 - 2.36, 4.72, 4.72);
        areas.push(Area { kind: "court", rect: court, radius: 2.36 });
        areas.push(Area { kind: "tray", rect: Rect::new(x + 0.05, y + tray_top(colour) - 0.1, 7.9, 1.2), radius: 0.3 });
    }
    areas
}

/// The looks of the houses, and of the pattern on them.
const HOUSES: [[&str; 2]; 4] = [
    ["house-yellow", "pattern-yellow"],
    ["house-blue", "pattern-blue"],
    ["house-red", "pattern-red"],
    ["house-green", "pattern-green"],
];

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
        0..=7 => Rect::new(10.0, 18.0 - step, 1.0, 1.0).corners(),
        8..=15 => Rect::new(3.0 + step, 10.0, 1.0, 1.0).corners(),
        _ => Rect::new(18.0, 9.0, 1.0, 1.0).corners(),
    };
    let start_of = Colour::ALL.into_iter().find(|colour| colour.start() == place);
    let kind = match start_of {
        Some(colour) => ["safe-yellow", "safe-blue", "safe-red", "safe-green"][colour.index()],
        None if place.is_safe() => "safe",
        None => "square",
    };
    let label = if place.is_safe() { "safe square" } else { "square" };
    let symbol = if place.is_safe() { 'o' } else { '.' };
    let cell = cell(format!("r{square}"), kind, symbol, Label::new(label, [&square]), turned(polygon, quarter));
    Cell { tag: Some(square.to_string()), ..cell }
}

fn own_cells(colour: Colour) -> impl Iterator<Item = Cell> {
    let queue = (1..=QUEUE).map(move |square| queue_cell(colour, square));
    let home = (0..PIECES as u8).map(move |piece| home_cell(colour, piece));
    queue.chain([goal_cell(colour)]).chain(home).chain(tray_cells(colour))
}

fn queue_cell(colour: Colour, square: u8) -> Cell {
    let kind = ["queue-yellow", "queue-blue", "queue-red", "queue-green"][colour.index()];
    let symbol = colour.letter().to_ascii_lowercase();
    let polygon = Rect::new(9.0, 18.0 - f32::from(square), 1.0, 1.0).corners();
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
    let (x, y) = (corner.x + 2.0 + 2.0 * column, corner.y + 2.0 * row);
    let polygon = Rect::new(x, y + home_top(colour), 2.0, 2.0).corners();
    let cell = cell(place_id(colour, piece, Place::HOME), kind, '_', Label::new("home", [&colour, &piece]), polygon);
    Cell { text_place: Some(Point { x: x + 1.0, y: y + 4.0 }), ..cell }
}

/// The place of the marker and those of the dice, in a row.
fn tray_cells(colour: Colour) -> Vec<Cell> {
    let corner = corner(colour);
    let slot = |column: u8, id: Id, kind, label| {
        let x = corner.x + f32::from(column);
        // A little smaller than a square, to stand apart from the ring beside it.
        let polygon = Rect::new(x + 0.125, corner.y + tray_top(colour) + 0.125, 0.75, 0.75).corners();
        let text_place = Some(Point { x: x + 0.5, y: corner.y + 1.5 });
        Cell { text_place, ..cell(id, kind, ' ', label, polygon) }
    };
    let mut cells = vec![slot(0, turn_id(colour), "turn", Label::new("turn", [&colour]))];
    for die in Die::ALL.into_iter().filter(|die| !die.is_bonus()) {
        cells.push(slot(die.value(), tray_id(colour, die), "pool", Label::new("place of die", [&colour, &die])));
    }
    cells.push(slot(7, format!("pool{colour}-bonus"), "pool", Label::new("place of bonus", [&colour])));
    cells
}

/// Whether a colour's corner is one of the upper two. Trays lie at the outer edge of the board; a text board has them
/// above the homes everywhere.
fn is_above(colour: Colour) -> bool {
    corner(colour).y == 0.0
}

/// From the top of a colour's corner to its tray.
fn tray_top(colour: Colour) -> f32 {
    if is_above(colour) { 1.0 } else { 6.0 }
}

/// From the top of a colour's corner to its home.
fn home_top(colour: Colour) -> f32 {
    if is_above(colour) { 3.0 } else { 1.0 }
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
    Cell { id, kind, symbol, label, polygon, ..Cell::default() }
}

/// The outline turned counter-clockwise about the centre by quarters.
fn turned(polygon: Vec<Point>, quarters: u8) -> Vec<Point> {
    let turn = |point: Point| Point { x: point.y, y: SIZE - point.x };
    (0..quarters).fold(polygon, |polygon, _| polygon.into_iter().map(turn).collect())
}

fn arrows(from: &Cell, cells: &[Cell]) -> Arrows {
    let nearest = |dx, dy| nearest(from.middle(), (dx, dy), cells);
    Arrows { up: nearest(0.0, -1.0), down: nearest(0.0, 1.0), left: nearest(-1.0, 0.0), right: nearest(1.0, 0.0) }
}

/// The nearest cell more in this direction than aside.
fn nearest(from: Point, (dx, dy): (f32, f32), cells: &[Cell]) -> Option<Id> {
    let way = |cell: &Cell| {
        let Point { x, y } = cell.middle();
        let (x, y) = (x - from.x, y - from.y);
        let (ahead, aside) = (x * dx + y * dy, (x * dy).abs() + (y * dx).abs());
        (ahead > 0.0 && aside <= ahead).then_some(ahead + 2.0 * aside)
    };
    let ahead = cells.iter().filter_map(|cell| Some((way(cell)?, cell)));
    ahead.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, cell)| cell.id.clone())
}
