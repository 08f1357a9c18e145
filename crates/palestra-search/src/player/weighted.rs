//! The strong evaluation with weights of the caller's choice, as a player: what tuning compares.

use palestra_games::with_game;

use super::any::wrap;
use super::{AnyPlayer, Choice, Player, PlayerError, forced};
use crate::engine::{Engine, Limits, Report, Settings, Stop};
use crate::{Playable, Score, Tunable, Weight};

/// Bytes of a player's transposition table: its searches are shallow.
const TABLE_BYTES: usize = 1 << 18;

/// The weights of a game's strong evaluation.
pub fn weights(game: &str) -> Result<&'static [Weight], PlayerError> {
    with_game!(game, G => weights_of::<G>()).ok_or_else(|| PlayerError::UnknownGame(game.to_owned()))
}

const fn weights_of<G: Playable>() -> &'static [Weight] {
    <G::Strong as Tunable<G>>::WEIGHTS
}

/// A player that searches `depth` plies with these weights, one for each of [`weights`].
pub fn weighted_player(game: &str, weights: &[Score], depth: u32) -> Result<Box<dyn AnyPlayer>, PlayerError> {
    let made =
        with_game!(game, G => Weighted::new(weights, depth).map(|player| wrap::<G>("weighted", Box::new(player))));
    made.unwrap_or_else(|| Err(PlayerError::UnknownGame(game.to_owned())))
}

struct Weighted {
    weights: Vec<Score>,
    engine: Engine,
    depth: u32,
}

impl Weighted {
    fn new(weights: &[Score], depth: u32) -> Result<Self, PlayerError> {
        let engine = Engine::new(Settings { memory: TABLE_BYTES, ..Settings::default() })?;
        Ok(Self { weights: weights.to_vec(), engine, depth })
    }
}

impl<G: Playable> Player<G> for Weighted {
    fn choose_with(
        &mut self,
        position: &G,
        stop: &mut dyn Stop,
        on_progress: &mut dyn FnMut(&Choice<G>),
    ) -> Option<Choice<G>> {
        if let Some(choice) = forced(position) {
            return choice;
        }
        // The answer depends on the position alone, so that equal weights play equal games.
        self.engine.forget();
        // Anew for each move, as the graded players do: some evaluations are made from the position as it stands.
        let guide = G::Strong::with_weights(position, &self.weights);
        let limits = Limits { depth: self.depth, lines: 1 };
        let mut on_iteration = |report: &Report<G>| on_progress(&report.clone().into());
        let report = self.engine.search_with(position, &guide, limits, stop, &mut (), &mut on_iteration)?;
        Some(report.into())
    }
}
