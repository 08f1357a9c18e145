//! The board, seven columns of seven cells. To drop a piece one clicks the cell where it will lie.

use super::bits::{cells, in_lines};
use super::look::LABELS;
use super::{Action, Boom, COLUMNS, ROWS, Rules};
use crate::draw::{
    About, Area, Arrows, Cell, Change, Choice, Control, Counter, Draw, Id, Label, Layout, Look, Piece, Point, Rect,
    Scene, Step, Wording,
};
use crate::{Game, Outcome, Side};

/// The id of the button that explodes the bomb, and its looks.
const BOOM: &str = "boom";

impl<R: Rules> Draw for Boom<R> {
    const ABOUT: About = R::ABOUT;

    const LOOK: Look = R::LOOK;

    const LABELS: &'static [Wording] = LABELS;

    fn layout(&self) -> Layout {
        let rows = (0..ROWS).rev();
        let (width, height) = (COLUMNS as f32, ROWS as f32);
        let rect = Rect::new(-0.22, -0.22, width + 0.44, height + 0.44);
        let areas = ["edge", "panel", "stars"].map(|kind| Area { kind, rect, radius: 0.34 });
        Layout {
            size: Point { x: width, y: height },
            text_scale: Point { x: 2.0, y: 1.0 },
            text_width: 1,
            cells: rows.flat_map(|row| (0..COLUMNS).map(move |column| cell(column, row))).collect(),
            areas: areas.to_vec(),
            turns: false,
        }
    }

    fn scene(&self, last: Option<(Side, Action)>) -> Scene {
        let moves = self.moves();
        let boom = Control { id: BOOM.to_owned(), kind: BOOM, label: Label::new(BOOM, []) };
        let last = last.and_then(|(_, mv)| Some((mv.id().into(), self.height(mv).checked_sub(1)?)));
        Scene {
            pieces: cells(self.filled).map(|at| self.piece(at)).collect(),
            counters: self.counters(),
            controls: moves.contains(&Action::BOOM).then_some(boom).into_iter().collect(),
            choices: moves.iter().map(|&mv| self.choice(mv)).collect(),
            last: last.map(cell_id).into_iter().collect(),
            line: cells(self.line()).map(cell_id).collect(),
            end: self.outcome.map(|outcome| self.end(outcome)),
        }
    }

    fn steps(&self, mv: Action) -> Vec<Step> {
        let mut after = *self;
        after.play(mv);
        let mut steps = if mv == Action::BOOM {
            self.explosion()
        } else {
            let landing = (mv.id().into(), self.height(mv));
            vec![Step { beat: 0, change: Change::Add { piece: after.piece(landing) } }]
        };
        let beat = steps.last().map_or(0, |step| step.beat);
        let changed = after.counters().into_iter().filter(|counter| !self.counters().contains(counter));
        steps.extend(
            changed.map(|Counter { id, value, .. }| Step { beat, change: Change::Count { counter: id, value } }),
        );
        steps
    }
}

impl<R: Rules> Boom<R> {
    /// The pieces in the column of a drop; none in that of an explosion.
    fn height(&self, mv: Action) -> usize {
        (0..ROWS).take_while(|&row| self.cell(mv.id().into(), row).is_some()).count()
    }

    /// The pieces of the lines that decided the game.
    fn line(&self) -> u64 {
        let Some(winner) = self.outcome.and_then(Outcome::winner) else { return 0 };
        // Where four in a line lose, the loser has them.
        [winner, winner.other()]
            .map(|side| in_lines(self.pieces(side)))
            .into_iter()
            .find(|&line| line != 0)
            .unwrap_or(0)
    }

    /// How the game ended.
    fn end(&self, outcome: Outcome) -> Label {
        match outcome.winner() {
            Some(winner) if in_lines(self.pieces(winner)) != 0 => Label::new("four win", []),
            Some(_) if self.line() != 0 => Label::new("four lose", []),
            Some(winner) => Label::new("no move left", [&winner.other()]),
            None => Label::new("board full", []),
        }
    }

    fn choice(&self, mv: Action) -> Choice {
        let click = if mv == Action::BOOM { BOOM.to_owned() } else { cell_id((mv.id().into(), self.height(mv))) };
        Choice::new(mv.to_string(), vec![click])
    }

    /// The piece on a cell that has one.
    fn piece(&self, (column, row): (usize, usize)) -> Piece {
        let stone = self.cell(column, row).expect("only cells with a piece are asked for");
        let (kind, kinds) = if stone.bomb { ("bomb", ["bomb-1", "bomb-2"]) } else { ("stone", ["stone-1", "stone-2"]) };
        let symbol = stone.symbol().to_string();
        Piece {
            id: piece_id(&symbol, (column, row)),
            owner: Some(stone.owner),
            kind: kinds[stone.owner.index()],
            symbol,
            cell: cell_id((column, row)),
            label: Label::new(kind, [&stone.owner]),
        }
    }

    fn counters(&self) -> Vec<Counter> {
        let counter = |id: &str, key, value, max| Counter {
            kind: "",
            id: id.to_owned(),
            owner: None,
            cell: None,
            piece: None,
            max,
            label: Label::new(key, []),
            value,
        };
        let mut counters = vec![
            counter("turn", "turn", self.turn_number() as i32, None),
            counter("bomb-due", "next piece is a bomb", i32::from(self.next_drop_is_bomb()), None),
        ];
        if R::MOVES > 1 {
            let (left, all) = (self.moves_left() as i32, R::MOVES as i32);
            counters.push(counter("moves-left", "moves left in this turn", left, Some(all)));
        }
        counters
    }

    /// First pieces vanish, then those above fall, the lower ones first: each takes on the id of its new cell.
    fn explosion(&self) -> Vec<Step> {
        let blast = self.blast();
        let gone = cells(blast.gone).map(|at| (0, Change::Remove { piece: self.piece(at).id, how: "blown" }));
        let falling = cells(blast.falling & self.filled).map(|(column, row)| {
            let Piece { id, symbol, .. } = self.piece((column, row));
            let below = (column, row - 1);
            (1, Change::Move { piece: id, to: cell_id(below), becomes: piece_id(&symbol, below) })
        });
        gone.chain(falling).map(|(beat, change)| Step { beat, change }).collect()
    }
}

/// Columns and rows count from 1 for people.
fn cell_id((column, row): (usize, usize)) -> Id {
    format!("c{}r{}", column + 1, row + 1)
}

fn piece_id(symbol: &str, at: (usize, usize)) -> Id {
    format!("{symbol}-{}", cell_id(at))
}

fn cell(column: usize, row: usize) -> Cell {
    let neighbour = |column: Option<usize>, row: Option<usize>| {
        let at = column.filter(|&column| column < COLUMNS).zip(row.filter(|&row| row < ROWS));
        at.map(cell_id)
    };
    Cell {
        id: cell_id((column, row)),
        kind: "square",
        symbol: '.',
        label: Label::new("cell", [&(column + 1), &(row + 1)]),
        polygon: Rect::new(column as f32, (ROWS - 1 - row) as f32, 1.0, 1.0).corners(),
        arrows: Arrows {
            up: neighbour(Some(column), Some(row + 1)),
            down: neighbour(Some(column), row.checked_sub(1)),
            left: neighbour(column.checked_sub(1), Some(row)),
            right: neighbour(Some(column + 1), Some(row)),
        },
        tag: (row + 1 == ROWS).then(|| (column + 1).to_string()),
        lane: Some(column as u16),
        ..Cell::default()
    }
}
