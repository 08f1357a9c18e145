//! Examples on the rules pages: a position, the moves that are shown, and what the tests hold true of them.

use std::collections::BTreeSet;

use palestra_games::draw::{Change, Layout, Point, Scene, Step};
use palestra_games::{AnyGame, GameKind, PlayError, Side};
use serde_json::{Value, json};

use crate::board;
use crate::http::error::Refused;
use crate::locale::Catalog;

/// An example of a game. Its data are a section of the game's file of examples:
///
/// ```text
/// [again]
/// position = 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4
/// moves = 4 1              the moves that are shown
/// view = 8 8 11 11         the part of the board that is seen: left, top, width, height in units of the layout
/// marks = pit1-4           what is marked before the first move; without it what is clicked for that move
/// after = 2:2,0,...        the rest is for the tests: the position that follows,
/// legal = 1 2              moves that are legal there,
/// illegal = 3              moves that are not,
/// losing = 3               moves that lose there at once,
/// wins = 1                 and the side that wins there, or `draw`
/// ```
pub(super) struct Example<'a> {
    kind: &'static GameKind,
    name: &'a str,
    data: &'a Catalog,
}

impl<'a> Example<'a> {
    /// The example with this name, if the file has it.
    pub(super) fn find(kind: &'static GameKind, name: &'a str, data: &'a Catalog) -> Option<Self> {
        let example = Self { kind, name, data };
        example.value("position").is_some().then_some(example)
    }

    /// What the file says of the example.
    pub(super) fn value(&self, key: &str) -> Option<&'a str> {
        self.data.get(&format!("{}.{key}", self.name))
    }

    /// The words of a list that the file has.
    pub(super) fn words(&self, key: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.value(key).unwrap_or_default().split_whitespace()
    }

    /// The position as it is written.
    pub(super) fn notation(&self) -> &'a str {
        self.value("position").unwrap_or_default()
    }

    /// The keys of what the file says.
    #[cfg(test)]
    pub(super) fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.data.keys().filter_map(|key| key.strip_prefix(self.name)?.strip_prefix('.'))
    }

    /// The position before the moves.
    pub(super) fn position(&self) -> Result<Box<dyn AnyGame>, Refused> {
        (self.kind.parse)(self.notation()).map_err(|error| self.fault(&error))
    }

    pub(super) fn has_moves(&self) -> bool {
        self.value("moves").is_some()
    }

    /// The scene before the moves, and for each move its steps and the scene after it.
    pub(super) fn replay(&self) -> Result<Value, Refused> {
        let mut position = self.position()?;
        let mut plies: Vec<Value> = vec![];
        let mut before = self.scene(&*position, None)?;
        before.last = match self.words("moves").next() {
            _ if self.value("marks").is_some() => self.words("marks").map(str::to_owned).collect(),
            Some(first) => touched(&*position, first).map_err(|error| self.fault(&error))?,
            None => vec![],
        };
        for mv in self.words("moves") {
            let side = position.turn();
            let steps = position.steps(mv).map_err(|error| self.fault(&error))?;
            position.play(mv).map_err(|error| self.fault(&error))?;
            let scene = self.scene(&*position, Some((side, mv)))?;
            plies.push(json!({"steps": board::steps(&steps), "scene": board::scene(&scene)}));
        }
        Ok(json!({"before": board::scene(&before), "plies": plies}))
    }

    /// The scene of a position as a picture: nothing can be clicked.
    fn scene(&self, position: &dyn AnyGame, last: Option<(Side, &str)>) -> Result<Scene, Refused> {
        let scene = position.scene(last).map_err(|error| self.fault(&error))?;
        Ok(Scene { choices: vec![], controls: vec![], ..scene })
    }

    fn fault(&self, error: &dyn std::fmt::Display) -> Refused {
        tracing::error!(game = self.kind.id(), example = self.name, %error, "an example of the rules is wrong");
        Refused::Fault
    }
}

/// What is clicked on the board for a move; for a move that is only a button, the pieces that it takes away.
fn touched(position: &dyn AnyGame, mv: &str) -> Result<Vec<String>, PlayError> {
    let steps = position.steps(mv)?;
    let Ok(scene) = position.scene(None) else { return Ok(vec![]) };
    let controls: BTreeSet<&String> = scene.controls.iter().map(|control| &control.id).collect();
    let choice = scene.choices.iter().find(|choice| choice.text == mv);
    let clicks = choice.into_iter().flat_map(|choice| &choice.clicks).filter(|click| !controls.contains(click));
    let clicked: Vec<String> = clicks.cloned().collect();
    Ok(if clicked.is_empty() { removed(&steps) } else { clicked })
}

fn removed(steps: &[Step]) -> Vec<String> {
    let gone = steps.iter().filter_map(|step| match &step.change {
        Change::Remove { piece, .. } => Some(piece.clone()),
        _ => None,
    });
    gone.collect()
}

/// How much of the extent of a cell its picture shows: nothing of its neighbours, also where cells are hexagons.
const INNER: f32 = 0.66;

/// The part of the board that shows one cell, as `view` has it.
pub(super) fn part_of(layout: &Layout, cell: &str) -> Option<String> {
    let cell = layout.cells.iter().find(|other| other.id == cell)?;
    let extent = |along: fn(&Point) -> f32| {
        let ends = cell.polygon.iter().map(along);
        ends.fold((f32::MAX, f32::MIN), |(least, most), end| (least.min(end), most.max(end)))
    };
    let inner = |(least, most): (f32, f32)| {
        let size = INNER * (most - least);
        ((least + most - size) / 2.0, size)
    };
    let ((left, width), (top, height)) = (inner(extent(|point| point.x)), inner(extent(|point| point.y)));
    Some(format!("{left:.3} {top:.3} {width:.3} {height:.3}"))
}
