//! Games that can be looked at move by move.

use std::sync::Arc;

use palestra_games::Record;
use palestra_store::KeptGame;

use super::record;
use crate::app::App;
use crate::cache::{Cache, Weighed};
use crate::http::error::Refused;
use crate::rendering::Load;

/// Games that were looked at lately, by their codes: a finished game does not change any more.
pub(crate) type Replays = Cache<Replay>;

/// Memory for them.
pub(crate) const REPLAY_BYTES: usize = 32 << 20;

/// A game that can be looked at move by move.
pub(crate) struct Replay {
    pub(super) record: Arc<Record>,
}

impl Replay {
    /// The replay of a game, read once.
    pub(super) async fn of(app: &App, game: KeptGame) -> Result<Arc<Self>, Refused> {
        let (load, code) = (load(&game), game.code.clone());
        app.replays.get_or_render(&app.rendering, load, &code, move || Self::read(&game)).await
    }

    fn read(game: &KeptGame) -> Result<Self, Refused> {
        Ok(Self { record: Arc::new(record(game)?) })
    }
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
