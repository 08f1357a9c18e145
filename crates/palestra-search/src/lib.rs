//! Adversarial search over [`palestra_games`]: the textbook algorithms, a fast and exact engine, evaluations and graded
//! players. Nothing here does I/O, reads a clock of its own, holds a global that changes or starts a thread unasked.

pub mod bandera;
pub mod boom;
pub mod engine;
mod guide;
pub mod mancala;
pub mod openings;
pub mod order;
pub mod parchis;
mod playable;
pub mod player;
mod playout;
mod score;
pub mod teach;
pub mod tree;
mod worth;

pub use guide::Guide;
pub use palestra_games::rng;
pub use playable::{Evaluation, Grade, Playable, Tunable, Visitor, Weight};
pub use player::{
    AnyChoice, AnyPlayer, Choice, Player, PlayerError, PlayerKind, any_player, any_players, player, players,
};
pub use playout::playout;
pub use score::{Score, WIN, WIN_BOUND, is_decided, plies_to_end};
pub use worth::{Amount, Worth, any_value, strong_lead, strong_unit};
