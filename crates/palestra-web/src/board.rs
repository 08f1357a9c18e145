//! Boards as JSON.

use palestra_games::{AnyGame, Side};
use serde_json::Value;

pub(crate) fn scene(_: &dyn AnyGame, _: Option<(Side, &str)>) -> Value {
    Value::Null
}

pub(crate) fn steps(_: &dyn AnyGame, _: &str) -> Value {
    Value::Null
}
