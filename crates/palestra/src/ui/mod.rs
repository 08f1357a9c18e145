//! What the terminal shows: boards, tables, numbers, colours, progress and errors.

pub(crate) mod board;
pub(crate) mod difference;
pub(crate) mod error;
pub(crate) mod match_report;
pub(crate) mod progress;
pub(crate) mod score;
pub(crate) mod style;
pub(crate) mod text;
pub(crate) mod tree;
pub(crate) mod units;
pub(crate) mod watch;
