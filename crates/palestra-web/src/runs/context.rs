//! What all games of a run have in common, read once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use palestra_arena::{BeginError, Beginning, begin};
use palestra_games::{GameKind, Record};
use palestra_search::openings::{AnyOpening, any_openings};
use palestra_store::{Id, RunPlayer, Store, StoreError};
use palestra_tournament::Pairing;

use super::{RunPlan, RunSettings};

/// What all games of a run have in common.
pub(crate) struct Context {
    pub(super) kind: &'static GameKind,
    pub(super) settings: RunSettings,
    pub(super) players: Vec<RunPlayer>,
    pub(super) pairings: Vec<Pairing>,
    /// Openings that begin with the same options.
    openings: Vec<AnyOpening>,
}

/// Why the games of a run cannot be played.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ContextError {
    /// The run was deleted.
    #[error("there is no such run")]
    Gone,
    /// A later Palestra wrote it, or the game is no longer there.
    #[error("the run cannot be read: {0}")]
    Unreadable(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The runs whose games were played lately.
#[derive(Default)]
pub(crate) struct Contexts(Mutex<HashMap<Id, Arc<Context>>>);

/// Maximum number of runs that are kept in memory.
const MAX_CONTEXTS: usize = 32;

impl Contexts {
    /// What the games of this run have in common. What it says never changes, so that it is read once.
    pub(super) async fn of(&self, store: &Store, run: Id) -> Result<Arc<Context>, ContextError> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&run).cloned();
        if let Some(context) = kept {
            return Ok(context);
        }
        let context = Arc::new(Context::read(store, run).await?);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_CONTEXTS {
            all.clear();
        }
        all.insert(run, context.clone());
        Ok(context)
    }
}

impl Context {
    async fn read(store: &Store, run: Id) -> Result<Self, ContextError> {
        let run = store.run_by_id(run).await?.ok_or(ContextError::Gone)?;
        let unreadable = |error: serde_json::Error| ContextError::Unreadable(error.to_string());
        let settings: RunSettings = serde_json::from_str(&run.settings).map_err(unreadable)?;
        let plan: RunPlan = serde_json::from_str(&run.plan).map_err(unreadable)?;
        let unknown = || ContextError::Unreadable(format!("there is no game {}", settings.game));
        let kind = GameKind::find(&settings.game).ok_or_else(unknown)?;
        let players = store.run_players(run.id).await?;
        let openings = openings(kind, &settings.options);
        Ok(Self { kind, settings, players, pairings: plan.pairings(), openings })
    }

    /// A game about to begin: the first round of a run begins as the course says, further ones at openings, so that programs
    /// that always play the same do not play the same game again.
    pub(super) fn record(&self, opening: u32) -> Result<Record, BeginError> {
        let chosen = (opening as usize).checked_sub(1).and_then(|index| self.openings.iter().cycle().nth(index));
        let moves = chosen.map_or(&[][..], |opening| &opening.moves);
        begin(self.kind, Beginning::Options(&self.settings.options), moves)
    }
}

/// The bundled openings of a game that begin with these options.
fn openings(kind: &'static GameKind, options: &str) -> Vec<AnyOpening> {
    let usual = |options: &str| Record::new(kind, options).map(|record| record.options().to_owned()).ok();
    // A map of the course's own has none.
    let wanted = usual(options).filter(|_| !options.contains(char::is_whitespace));
    let mut all = any_openings(kind.id()).unwrap_or_default();
    all.retain(|opening| wanted.is_some() && usual(&opening.options) == wanted);
    all
}
