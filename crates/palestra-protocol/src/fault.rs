//! Faults of players: what went wrong, before the referee has adjudicated it.

use crate::{ForfeitKind, ProtocolError};

/// A player's own fault, in words for its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Of which kind it is.
    pub kind: ForfeitKind,
    /// What happened; a sentence about `it`, without a full stop.
    pub detail: String,
    /// What it wrote, if that was the fault.
    pub line: Option<String>,
}

impl Fault {
    /// A fault that is not about a line.
    #[must_use]
    pub fn new(kind: ForfeitKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), line: None }
    }
}

impl From<ProtocolError> for Fault {
    fn from(fault: ProtocolError) -> Self {
        let kind = if fault.is_too_much() { ForfeitKind::Output } else { ForfeitKind::Protocol };
        Self { kind, detail: fault.to_string(), line: fault.line().map(str::to_owned) }
    }
}
