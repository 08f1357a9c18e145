//! The board: player 1's pits below, 6 to 1 from the left, with the store at the right; player 2's the other way round
//! above.

use super::look::{LABELS, LOOK};
use super::{Mancala, PITS, Pit};
use crate::draw::{
    About, Area, Arrows, Cell, Change, Choice, Counter, Draw, Id, Label, Layout, Look, Point, Rect, Scene, Step,
    Wording,
};
use crate::{Game, Side};

impl Draw for Mancala {
    const ABOUT: About = About {
        id: "mancala",
        name: "Mancala",
        summary: "Kalah with 6 pits and 4 seeds a pit: sow, capture, collect more seeds than the other",
        rules: &[
            "Each side has six pits, 1 next to the own store, and a store; four seeds a pit. A move takes all seeds of \
             an own pit and sows them one by one into the pits towards the own store, the store, the other side's pits \
             from 6 to 1, and on; never into the other's store.",
            "The last seed in the own store: move again. The last seed in an own pit that was empty, with seeds in the \
             pit across: both go to the store.",
            "When a side's pits are empty the game ends and each side banks what is left in its own pits. More seeds \
             win. Choosing an empty pit loses 0-48 at once.",
        ],
        options: &[],
        move_notation: "the pit to sow, 1 to 6",
        position_notation: "turn:store,P1..P6/store,P1..P6, as in 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4",
        losing_choice: Some("chose an empty pit"),
        move_cap: None,
    };

    const LOOK: Look = LOOK;

    const LABELS: &'static [Wording] = LABELS;

    fn layout(&self) -> Layout {
        let cells = Side::BOTH.iter().rev().flat_map(|&side| (0..=PITS).map(move |place| cell(side, place)));
        // Room for the numbers of seeds above and below the pits.
        let rect = Rect::new(-0.34, -0.5, 8.68, 3.0);
        let areas = ["edge", "plank", "grain"].map(|kind| Area { kind, rect, radius: 0.66 });
        Layout {
            size: Point { x: 8.0, y: 2.0 },
            text_scale: Point { x: 5.0, y: 2.0 },
            text_width: 4,
            cells: cells.collect(),
            areas: areas.to_vec(),
            turns: true,
        }
    }

    fn scene(&self, last: Option<(Side, Pit)>) -> Scene {
        let counters = Side::BOTH.iter().flat_map(|&side| {
            let seeds = self.seeds(side);
            (0..=PITS).map(move |place| counter(side, place, seeds[place]))
        });
        let choices = self
            .moves()
            .into_iter()
            .map(|mv| Choice::new(mv.to_string(), vec![cell_id(self.turn(), usize::from(mv.number()))]));
        Scene {
            counters: counters.collect(),
            choices: choices.collect(),
            last: last.iter().map(|(side, mv)| cell_id(*side, usize::from(mv.number()))).collect(),
            end: self.outcome().map(|_| self.end()),
            ..Scene::default()
        }
    }

    fn steps(&self, mv: Pit) -> Vec<Step> {
        let mover = self.turn();
        let mut seeds = Side::BOTH.map(|side| self.seeds(side));
        let mut steps = Vec::new();
        let mut place = (mover, usize::from(mv.number()));
        let hand = std::mem::take(&mut seeds[mover.index()][place.1]);
        steps.push(count(0, place, 0));
        for beat in 1..=u16::from(hand) {
            place = next_place(mover, place);
            seeds[place.0.index()][place.1] += 1;
            steps.push(count(beat, place, seeds[place.0.index()][place.1]));
        }
        let mut beat = u16::from(hand);
        let across = (mover.other(), PITS + 1 - place.1);
        if place.0 == mover && place.1 > 0 && at(&seeds, place) == 1 && at(&seeds, across) > 0 {
            beat += 1;
            let store = at(&seeds, (mover, 0)) + 1 + at(&seeds, across);
            for (place, value) in [(place, 0), (across, 0), ((mover, 0), store)] {
                seeds[place.0.index()][place.1] = value;
                steps.push(count(beat, place, value));
            }
        }
        let mut after = *self;
        after.play(mv);
        // What still differs is banked at the end.
        let end = Side::BOTH.map(|side| after.seeds(side));
        let banked = places().filter(|&place| at(&end, place) != at(&seeds, place));
        steps.extend(banked.map(|place| count(beat + 1, place, at(&end, place))));
        steps
    }
}

impl Mancala {
    /// How the game ended. Only whoever chose an empty pit has nothing.
    fn end(&self) -> Label {
        let seeds = self.points();
        match Side::BOTH.into_iter().find(|side| seeds[side.index()] == 0) {
            Some(side) => Label::new("nothing left", [&side]),
            None => Label::new("all banked", []),
        }
    }
}

/// The seeds at a place.
const fn at(seeds: &[[u8; PITS + 1]; 2], (side, place): (Side, usize)) -> u8 {
    seeds[side.index()][place]
}

fn places() -> impl Iterator<Item = (Side, usize)> {
    Side::BOTH.into_iter().flat_map(|side| (0..=PITS).map(move |place| (side, place)))
}

fn next_place(mover: Side, (side, place): (Side, usize)) -> (Side, usize) {
    match place {
        0 => (mover.other(), PITS),
        1 if side == mover => (mover, 0),
        1 => (mover, PITS),
        _ => (side, place - 1),
    }
}

fn cell_id(side: Side, place: usize) -> Id {
    match place {
        0 => format!("store{side}"),
        pit => format!("pit{side}-{pit}"),
    }
}

fn label(side: Side, place: usize) -> Label {
    match place {
        0 => Label::new("store", [&side]),
        pit => Label::new("pit", [&side, &pit]),
    }
}

fn counter(side: Side, place: usize, value: u8) -> Counter {
    Counter {
        kind: "",
        id: format!("seeds-{}", cell_id(side, place)),
        owner: Some(side),
        cell: Some(cell_id(side, place)),
        piece: None,
        max: None,
        label: label(side, place),
        value: i32::from(value),
    }
}

fn count(beat: u16, (side, place): (Side, usize), value: u8) -> Step {
    let counter = format!("seeds-{}", cell_id(side, place));
    Step { beat, change: Change::Count { counter, value: i32::from(value) } }
}

fn cell(side: Side, place: usize) -> Cell {
    let column = match side {
        Side::One => 7 - place,
        Side::Two => place,
    };
    let (x, row) = (column as f32, if side == Side::One { 1.0 } else { 0.0 });
    let rect = if place == 0 { Rect::new(x, 0.0, 1.0, 2.0) } else { Rect::new(x, row, 1.0, 1.0) };
    Cell {
        id: cell_id(side, place),
        kind: if place == 0 { "store" } else { "pit" },
        symbol: ' ',
        label: label(side, place),
        polygon: rect.corners(),
        arrows: arrows(side, place),
        tag: (place > 0).then(|| place.to_string()),
        ..Cell::default()
    }
}

fn arrows(side: Side, place: usize) -> Arrows {
    let towards_store = place.checked_sub(1).map(|next| cell_id(side, next));
    let away = if place < PITS { Some(cell_id(side, place + 1)) } else { Some(cell_id(side.other(), 0)) };
    let across = (place > 0).then(|| cell_id(side.other(), PITS + 1 - place));
    match side {
        Side::One => Arrows { up: across, down: None, left: away, right: towards_store },
        Side::Two => Arrows { up: None, down: across, left: towards_store, right: away },
    }
}
