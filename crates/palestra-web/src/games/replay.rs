//! Games that can be looked at move by move.

use std::sync::Arc;

use palestra_games::{AnyGame, Record};
use palestra_store::KeptGame;
use serde_json::Value;

use super::record;
use crate::app::App;
use crate::board;
use crate::cache::{Cache, Weighed};
use crate::drawings::{Drawing, layout_key};
use crate::http::error::Refused;
use crate::rendering::Load;

/// Games that were looked at lately, by their codes: a finished game does not change any more.
pub(crate) type Replays = Cache<Replay>;

/// Memory for them.
pub(crate) const REPLAY_BYTES: usize = 32 << 20;

/// A game that can be looked at move by move.
pub(crate) struct Replay {
    pub(super) record: Record,
    /// The key of the layout of its board.
    layout_key: String,
    /// The cost of drawing the replay.
    load: Load,
}

impl Replay {
    /// The replay of a game, read once.
    pub(super) async fn of(app: &App, game: KeptGame) -> Result<Arc<Self>, Refused> {
        let (load, code) = (load(&game), game.code.clone());
        app.replays.get_or_render(&app.rendering, load, &code, move || Self::read(&game)).await
    }

    fn read(game: &KeptGame) -> Result<Self, Refused> {
        let record = record(game)?;
        let layout_key = layout_key(record.kind().id(), &record.start().notation());
        Ok(Self { record, layout_key, load: load(game) })
    }

    /// The layout of the board.
    pub(super) async fn layout(self: &Arc<Self>, app: &App) -> Result<Arc<Drawing>, Refused> {
        let replay = self.clone();
        let draw = move || Ok(board::layout(&replay.record.start().layout()));
        app.drawings.get(&app.rendering, self.load, &self.layout_key, draw).await
    }

    /// The board after so many moves, of which there are as many.
    pub(super) async fn scene(self: &Arc<Self>, app: &App, code: &str, ply: usize) -> Result<Arc<Drawing>, Refused> {
        let replay = self.clone();
        app.drawings.get(&app.rendering, self.load, &format!("scene {code} {ply}"), move || replay.draw(ply)).await
    }

    fn draw(&self, ply: usize) -> Result<Value, Refused> {
        let last = self.record.moves()[..ply].last().map(|mv| (mv.played.side, mv.text.as_str()));
        let scene = self.position(ply)?.scene(last).map_err(|error| unreadable(&error))?;
        Ok(board::scene(&scene))
    }

    /// The position after so many moves.
    fn position(&self, ply: usize) -> Result<Box<dyn AnyGame>, Refused> {
        let mut position = self.record.start().boxed_clone();
        for mv in &self.record.moves()[..ply] {
            position.play(&mv.text).map_err(|error| unreadable(&error))?;
        }
        Ok(position)
    }

    /// The last position in which there was something to decide, as the game writes it.
    pub(super) fn last_undecided(&self) -> Result<String, Refused> {
        let plies = self.record.moves().len();
        let is_over = self.record.position().outcome().is_some();
        Ok(self.position(plies - usize::from(is_over && plies > 0))?.notation())
    }
}

fn unreadable(error: &impl std::fmt::Display) -> Refused {
    tracing::error!(%error, "a move that was played cannot be read");
    Refused::Fault
}

/// The cost of parsing and drawing a game. A game with a starting position of its own is played on an uploaded map.
pub(super) fn load(game: &KeptGame) -> Load {
    if game.record.contains("\nPosition: ") { Load::Heavy } else { Load::of(game.record.len()) }
}

/// Approximate size of a move in a record, without notes.
const MOVE_BYTES: usize = 64;

impl Weighed for Replay {
    fn bytes(&self) -> usize {
        let notes = self.record.moves().iter().filter_map(|mv| mv.note.as_ref()).map(String::len);
        // Both positions, where it began and where it ended, may hold a map.
        2 * self.record.start().notation().len() + MOVE_BYTES * self.record.moves().len() + notes.sum::<usize>()
    }
}
