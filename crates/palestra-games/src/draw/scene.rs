//! What lies on the board in one position.

use std::collections::BTreeMap;

use super::{Change, Id, Label, Step};
use crate::Side;

/// What lies on the board, and what can be clicked.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Scene {
    /// The pieces, in the order they are drawn.
    pub pieces: Vec<Piece>,
    /// The numbers on the board and beside it.
    pub counters: Vec<Counter>,
    /// What can be clicked beside cells and pieces.
    pub controls: Vec<Control>,
    /// The legal moves and their clicks.
    pub choices: Vec<Choice>,
    /// Cells to mark as the last move.
    pub last: Vec<Id>,
    /// The cells of the line that won or lost the game.
    pub line: Vec<Id>,
    /// How the rules ended the game, once they have: a sentence.
    pub end: Option<Label>,
}

/// Something that lies on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Piece {
    /// Its name in this scene.
    pub id: Id,
    /// The side that owns it, if any.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::json::side"))]
    pub owner: Option<Side>,
    /// Its looks, a word: `stone`, `bomb`, `flag`.
    pub kind: &'static str,
    /// What a text board shows: a character or two.
    pub symbol: String,
    /// Where it lies.
    pub cell: Id,
    /// What a screen reader says.
    pub label: Label,
}

/// A number shown, on a cell or beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Counter {
    /// The id of the counter, unique in the scene.
    pub id: Id,
    /// What a piece has so much of, a word: the key of its text, and the kind of pieces whose shape stands for it. Empty for a
    /// counter that belongs to no piece.
    pub kind: &'static str,
    /// The side that owns it, if any.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::json::side"))]
    pub owner: Option<Side>,
    /// The cell on which it stands, if any.
    pub cell: Option<Id>,
    /// The piece that it belongs to, if any.
    pub piece: Option<Id>,
    /// The value that fills a bar, if it is shown as one.
    pub max: Option<i32>,
    /// What is counted.
    pub label: Label,
    /// The number.
    pub value: i32,
}

/// A button beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Control {
    /// The id of the button, unique in the scene.
    pub id: Id,
    /// Its looks, a word.
    pub kind: &'static str,
    /// What it says.
    pub label: Label,
}

/// A legal move, and what a person clicks to make it. No choice's clicks begin with another's.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Choice {
    /// The move's notation.
    pub text: String,
    /// The ids of cells, pieces and controls, in order.
    pub clicks: Vec<Id>,
    /// What the move would change.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Preview::is_empty"))]
    pub preview: Preview,
}

/// What a move would change on the board, for a front end to show before it is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Preview {
    /// The cell that the clicked piece leaves and the one it reaches; for sowing, the clicked cell and that of the last
    /// seed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub way: Option<[Id; 2]>,
    /// The cell where the clicked piece, or a new one, would lie.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub to: Option<Id>,
    /// The new piece.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub adds: Option<Piece>,
    /// The pieces of both sides that would be gone.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub gone: Vec<Id>,
    /// How much of its bar the clicked piece would lose; less than nothing if it would gain.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub cost: Option<i32>,
}

impl Choice {
    /// A choice without a preview.
    #[must_use]
    pub fn new(text: String, clicks: Vec<Id>) -> Self {
        Self { text, clicks, preview: Preview::default() }
    }
}

impl Preview {
    /// What these steps change in a scene, as far as it can be shown: the steps of the move that is made by these
    /// clicks.
    #[must_use]
    pub fn of(steps: &[Step], scene: &Scene, clicks: &[Id]) -> Self {
        let mut preview = Self { way: scene.way(steps, clicks), ..Self::default() };
        for step in steps {
            match &step.change {
                Change::Move { piece, to, .. } if clicks.contains(piece) => preview.to = Some(to.clone()),
                Change::Add { piece } if clicks.contains(&piece.cell) => {
                    preview.to = Some(piece.cell.clone());
                    preview.adds = Some(piece.clone());
                }
                Change::Remove { piece, .. } if !clicks.contains(piece) && scene.is_owned(piece) => {
                    preview.gone.push(piece.clone());
                }
                Change::Count { counter, value } => {
                    preview.cost = scene.bar(counter, clicks).map(|was| was - value).or(preview.cost);
                }
                _ => {}
            }
        }
        preview
    }

    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Scene {
    /// Whether a piece belongs to a side.
    fn is_owned(&self, id: &Id) -> bool {
        self.pieces.iter().any(|piece| piece.id == *id && piece.owner.is_some())
    }

    /// The value of a counter, if it is the bar of one of these pieces.
    fn bar(&self, counter: &Id, pieces: &[Id]) -> Option<i32> {
        let found = self.counters.iter().find(|one| one.id == *counter && one.max.is_some())?;
        found.piece.as_ref().filter(|piece| pieces.contains(piece)).map(|_| found.value)
    }

    /// Where the move with these steps leads from and to, if it leads somewhere.
    fn way(&self, steps: &[Step], clicks: &[Id]) -> Option<[Id; 2]> {
        self.walked(steps, clicks).or_else(|| self.sown(steps, clicks))
    }

    /// The cells where the clicked piece that moves is before and after.
    fn walked(&self, steps: &[Step], clicks: &[Id]) -> Option<[Id; 2]> {
        let moves: Vec<_> = steps.iter().filter_map(|step| walk(&step.change)).collect();
        let is_moved = |piece: &&Piece| clicks.contains(&piece.id) && moves.iter().any(|(id, ..)| **id == piece.id);
        let piece = self.pieces.iter().find(is_moved)?;
        let (mut id, mut at) = (&piece.id, &piece.cell);
        for (moved, to, becomes) in moves {
            if moved == id {
                (id, at) = (becomes, to);
            }
        }
        Some([piece.cell.clone(), at.clone()])
    }

    /// The clicked cell whose counter is emptied, and the cell of the last seed: the seeds fall one a beat.
    fn sown(&self, steps: &[Step], clicks: &[Id]) -> Option<[Id; 2]> {
        let mut beats: BTreeMap<u16, Vec<(&Counter, i32)>> = BTreeMap::new();
        let mut values: BTreeMap<&Id, i32> = self.counters.iter().map(|one| (&one.id, one.value)).collect();
        for step in steps {
            let Change::Count { counter, value } = &step.change else { continue };
            let counter = self.counters.iter().find(|one| one.id == *counter)?;
            let was = values.insert(&counter.id, *value)?;
            beats.entry(step.beat).or_default().push((counter, value - was));
        }
        let emptied = beats.remove(&0)?.into_iter().filter_map(|(counter, _)| counter.cell.as_ref());
        let from = emptied.into_iter().find(|cell| clicks.contains(cell))?;
        let seeds = beats.values().map_while(|counted| match counted.as_slice() {
            [(counter, 1)] => counter.cell.as_ref(),
            _ => None,
        });
        seeds.last().map(|to| [from.clone(), to.clone()])
    }
}

/// The piece that a change moves, where to, and its id from then on.
fn walk(change: &Change) -> Option<(&Id, &Id, &Id)> {
    match change {
        Change::Move { piece, to, becomes } => Some((piece, to, becomes)),
        _ => None,
    }
}
