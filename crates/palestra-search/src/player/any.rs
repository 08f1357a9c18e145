//! Players of a game that is known only at run time: what crosses the borders of crates.

use palestra_games::{AnyGame, with_game};

use super::{Choice, Player, PlayerError, PlayerKind, player, players};
use crate::engine::Stop;
use crate::{Playable, Score};

/// A player of a game that is known only at run time.
pub trait AnyPlayer: Send {
    /// The name of the player, as given to [`any_player`].
    fn name(&self) -> &str;

    /// See [`Player::choose`]. `None` when the game is over, or is not the player's game.
    fn choose(&mut self, position: &dyn AnyGame, stop: &mut dyn Stop) -> Option<AnyChoice>;

    /// See [`Player::choose_with`]. `None` when the game is over, or is not the player's game.
    fn choose_with(
        &mut self,
        position: &dyn AnyGame,
        stop: &mut dyn Stop,
        on_progress: &mut dyn FnMut(&AnyChoice),
    ) -> Option<AnyChoice>;

    /// See [`Player::hold_to`].
    fn hold_to(&mut self, depth: u32);
}

/// A [`Choice`] with moves as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyChoice {
    /// See [`Choice::mv`].
    pub mv: String,
    /// See [`Choice::score`].
    pub score: Option<Score>,
    /// See [`Choice::depth`].
    pub depth: u32,
    /// See [`Choice::nodes`].
    pub nodes: u64,
    /// See [`Choice::line`].
    pub line: Vec<String>,
    /// See [`Choice::proven`].
    pub proven: bool,
}

impl<G: Playable> From<Choice<G>> for AnyChoice {
    fn from(choice: Choice<G>) -> Self {
        let Choice { mv, score, depth, nodes, line, proven } = choice;
        Self { mv: mv.to_string(), score, depth, nodes, line: line.iter().map(ToString::to_string).collect(), proven }
    }
}

/// The built-in player of this game with this name; see [`player`].
pub fn any_player(game: &str, name: &str, seed: u64) -> Result<Box<dyn AnyPlayer>, PlayerError> {
    let made = with_game!(game, G => named::<G>(name, seed));
    made.unwrap_or_else(|| Err(PlayerError::UnknownGame(game.to_owned())))
}

/// The built-in players of this game; see [`players`].
pub fn any_players(game: &str) -> Result<Vec<PlayerKind>, PlayerError> {
    with_game!(game, G => players::<G>()).ok_or_else(|| PlayerError::UnknownGame(game.to_owned()))
}

struct Named<G: Playable> {
    name: String,
    player: Box<dyn Player<G>>,
}

fn named<G: Playable>(name: &str, seed: u64) -> Result<Box<dyn AnyPlayer>, PlayerError> {
    Ok(wrap::<G>(name, player::<G>(name, seed)?))
}

/// A player whose game the caller need not know.
pub(super) fn wrap<G: Playable>(name: &str, player: Box<dyn Player<G>>) -> Box<dyn AnyPlayer> {
    Box::new(Named { name: name.to_owned(), player })
}

impl<G: Playable> AnyPlayer for Named<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, position: &dyn AnyGame, stop: &mut dyn Stop) -> Option<AnyChoice> {
        let position = position.as_any().downcast_ref::<G>()?;
        self.player.choose(position, stop).map(Into::into)
    }

    fn choose_with(
        &mut self,
        position: &dyn AnyGame,
        stop: &mut dyn Stop,
        on_progress: &mut dyn FnMut(&AnyChoice),
    ) -> Option<AnyChoice> {
        let position = position.as_any().downcast_ref::<G>()?;
        let mut each = |choice: &Choice<G>| on_progress(&choice.clone().into());
        self.player.choose_with(position, stop, &mut each).map(Into::into)
    }

    fn hold_to(&mut self, depth: u32) {
        self.player.hold_to(depth);
    }
}
