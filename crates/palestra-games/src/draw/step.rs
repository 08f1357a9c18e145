//! How a scene becomes the next one.

use super::{Id, Piece, Scene};

/// A part of the way from one scene to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Step {
    /// Steps of one beat happen at once; beats count up from 0.
    pub beat: u16,
    /// The change to the scene.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub change: Change,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "is", rename_all = "lowercase"))]
pub enum Change {
    /// A piece goes to another cell.
    Move {
        /// The id of the piece.
        piece: Id,
        /// Its new cell.
        to: Id,
        /// Its id from now on, often the same.
        becomes: Id,
    },
    /// A piece appears.
    Add {
        /// The piece, on its cell.
        piece: Piece,
    },
    /// A piece goes away.
    Remove {
        /// The id of the piece.
        piece: Id,
        /// The looks of its going, a word: `taken`, `blown`, `used`.
        how: &'static str,
    },
    /// A counter changes.
    Count {
        /// The id of the counter.
        counter: Id,
        /// Its new value.
        value: i32,
    },
}

impl Scene {
    /// Applies steps to pieces and counters. An id that is not there, or there already, is an error that names it.
    pub fn apply(&mut self, steps: &[Step]) -> Result<(), String> {
        steps.iter().try_for_each(|step| self.apply_one(&step.change))
    }

    fn apply_one(&mut self, change: &Change) -> Result<(), String> {
        match change {
            Change::Move { piece, to, becomes } => {
                let found = self.pieces.iter_mut().find(|p| p.id == *piece);
                let found = found.ok_or_else(|| format!("no piece {piece} to move"))?;
                found.cell.clone_from(to);
                found.id.clone_from(becomes);
            }
            Change::Add { piece } => {
                if self.pieces.iter().any(|p| p.id == piece.id) {
                    return Err(format!("piece {} is there already", piece.id));
                }
                self.pieces.push(piece.clone());
            }
            Change::Remove { piece, .. } => {
                let index = self.pieces.iter().position(|p| p.id == *piece);
                self.pieces.remove(index.ok_or_else(|| format!("no piece {piece} to remove"))?);
            }
            Change::Count { counter, value } => {
                let found = self.counters.iter_mut().find(|c| c.id == *counter);
                found.ok_or_else(|| format!("no counter {counter}"))?.value = *value;
            }
        }
        Ok(())
    }
}
