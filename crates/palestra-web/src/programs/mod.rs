//! Programs as players: local ones of the server's owner, and remote ones over a WebSocket.

mod link;
mod offer;
mod own;
mod remote;

pub(crate) use link::{FromProgram, Link, ToProgram};
pub(crate) use offer::Offers;
pub use own::OwnBot;
pub(crate) use own::start;
pub(crate) use remote::{Seated, bot};
