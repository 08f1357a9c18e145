//! A row of squares, with the plain looks of the front end.

use super::{CELLS, Content, Shells, Walk};
use crate::draw::{
    About, Arrows, Cell, Change, Choice, Counter, Draw, Id, Label, Layout, Piece, Point, Rect, Scene, Step, Wording,
};
use crate::{Game, Side};

impl Draw for Shells {
    const ABOUT: About = About {
        id: "shells",
        name: "Shells",
        summary: "Two walkers meet on a row of cells and take the shells that lie there",
        rules: &[
            "In turn each walker goes one or two cells ahead, takes the shell there and leaves a print where it stood. \
             Nobody enters a cell with a print. The shell in the middle counts three.",
            "Who cannot go on ends the game. More shells win.",
        ],
        options: &[],
        move_notation: "how many cells, 1 or 2",
        position_notation: "turn:cells:points-points, as in 1:1ooooooo2:0-0; 1 and 2 walkers, o shells, _ prints",
        losing_choice: None,
        move_cap: None,
    };

    const LABELS: &'static [Wording] = &[
        Wording::new("cell", "Cell {1}", "Casilla {1}"),
        Wording::new("walker", "walker of player {1}", "caminante del jugador {1}"),
        Wording::new("shell", "shell", "concha"),
        Wording::new("print", "print", "huella"),
        Wording::new("no way on", "Walker {1} cannot go on.", "El caminante {1} no puede seguir."),
        Wording::new("shells of", "Shells of player {1}", "Conchas del jugador {1}"),
    ];

    fn layout(&self) -> Layout {
        Layout {
            size: Point { x: CELLS as f32, y: 1.0 },
            text_scale: Point { x: 2.0, y: 1.0 },
            text_width: 1,
            cells: (0..CELLS).map(cell).collect(),
            areas: Vec::new(),
            turns: true,
        }
    }

    fn scene(&self, last: Option<(Side, Walk)>) -> Scene {
        let choice = |mv: Walk| Some(Choice::new(mv.to_string(), vec![cell_id(self.target(mv)?)]));
        Scene {
            pieces: (0..).zip(self.cells).map(|(cell, content)| piece(cell, content)).collect(),
            counters: Side::BOTH.map(|side| self.counter(side)).to_vec(),
            choices: self.moves().into_iter().filter_map(choice).collect(),
            last: last.iter().map(|&(side, _)| cell_id(self.walker(side))).collect(),
            end: self.outcome().map(|_| Label::new("no way on", [&self.turn])),
            ..Scene::default()
        }
    }

    fn steps(&self, mv: Walk) -> Vec<Step> {
        let (Some(to), side) = (self.target(mv), self.turn) else { return Vec::new() };
        let from = self.walker(side);
        let mut after = *self;
        after.play(mv);
        let walker = piece(from, Content::Walker(side)).id;
        let counter = after.counter(side);
        let walk = Change::Move { becomes: walker.clone(), piece: walker, to: cell_id(to) };
        let changes = [
            Change::Remove { piece: piece(to, Content::Shell).id, how: "taken" },
            Change::Add { piece: piece(from, Content::Print) },
            Change::Count { counter: counter.id, value: counter.value },
        ];
        let arrived = changes.map(|change| Step { beat: 1, change });
        [Step { beat: 0, change: walk }].into_iter().chain(arrived).collect()
    }
}

impl Shells {
    fn counter(&self, side: Side) -> Counter {
        Counter {
            id: format!("shells-{side}"),
            kind: "shell",
            owner: Some(side),
            cell: None,
            piece: Some(format!("walker{side}")),
            max: None,
            label: Label::new("shells of", [&side]),
            value: self.points()[side.index()],
        }
    }
}

fn cell_id(cell: usize) -> Id {
    format!("c{}", cell + 1)
}

fn piece(cell: usize, content: Content) -> Piece {
    let (id, owner, kind, label) = match content {
        Content::Walker(side) => (format!("walker{side}"), Some(side), "walker", Label::new("walker", [&side])),
        Content::Shell => (format!("shell-{}", cell_id(cell)), None, "shell", Label::new("shell", [])),
        Content::Print => (format!("print-{}", cell_id(cell)), None, "print", Label::new("print", [])),
    };
    Piece { id, owner, kind, symbol: content.symbol().to_string(), cell: cell_id(cell), label }
}

fn cell(index: usize) -> Cell {
    Cell {
        id: cell_id(index),
        kind: "square",
        symbol: '.',
        label: Label::new("cell", [&(index + 1)]),
        polygon: Rect::new(index as f32, 0.0, 1.0, 1.0).corners(),
        arrows: Arrows {
            left: index.checked_sub(1).map(cell_id),
            right: (index + 1 < CELLS).then(|| cell_id(index + 1)),
            ..Arrows::default()
        },
        tag: Some((index + 1).to_string()),
        ..Cell::default()
    }
}
