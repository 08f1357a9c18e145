//! The games of runs that are being played now, for those who watch them.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use palestra_arena::{PlayedGame, Verdict};
use palestra_store::Id;

use crate::app::App;
use crate::tables::{Clocks, Watched};

/// The games of runs that are being played now, by their codes.
#[derive(Default)]
pub(crate) struct LiveGames(RwLock<HashMap<String, Arc<LiveGame>>>);

/// A game of a run that is being played.
pub(crate) struct LiveGame {
    pub(crate) run: Id,
    /// Its number in the plan.
    pub(super) number: u32,
    /// Who plays, as numbers of the run's players.
    pub(super) players: [i64; 2],
    pub(crate) watched: Watched,
}

impl LiveGames {
    /// The game with this code.
    pub(crate) fn find(&self, code: &str) -> Option<Arc<LiveGame>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(code).cloned()
    }

    /// The games of a run, by number.
    pub(crate) fn of_run(&self, run: Id) -> Vec<Arc<LiveGame>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut games: Vec<_> = all.values().filter(|game| game.run == run).cloned().collect();
        drop(all);
        games.sort_by_key(|game| game.number);
        games
    }

    fn add(&self, game: &Arc<LiveGame>) {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.insert(game.watched.code().to_owned(), game.clone());
    }

    fn remove(&self, game: &LiveGame) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(game.watched.code());
    }
}

/// A game as long as it can be watched: until this is dropped.
pub(crate) struct OnAir {
    app: App,
    game: Arc<LiveGame>,
    verdict: Option<Verdict>,
}

impl OnAir {
    pub(super) fn new(app: &App, game: LiveGame) -> Self {
        let game = Arc::new(game);
        app.live_games.add(&game);
        Self { app: app.clone(), game, verdict: None }
    }

    pub(super) fn code(&self) -> &str {
        self.game.watched.code()
    }

    /// A side was asked for its move.
    pub(super) fn asked(&self, clocks: Clocks) {
        self.game.watched.set_clocks(clocks);
    }

    pub(super) fn moved(&self, text: &str, clocks: Clocks) {
        self.game.watched.moved(text, clocks);
    }

    /// The game was played: the clocks stop. Spectators are told how it ended once it is [kept](Self::kept).
    pub(super) fn ends(&mut self, played: &PlayedGame) {
        self.verdict = Some(played.verdict.clone());
        self.game.watched.stop_clocks(played.charged);
    }

    /// The game counts, and can be replayed from now on.
    pub(crate) fn kept(&self) {
        if let Some(verdict) = &self.verdict {
            self.game.watched.ended(verdict);
        }
    }
}

impl Drop for OnAir {
    fn drop(&mut self) {
        self.app.live_games.remove(&self.game);
        self.game.watched.close();
    }
}
