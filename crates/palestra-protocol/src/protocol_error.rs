//! What a bot said wrong.

use crate::lines::LineFault;

/// A line that ends the talk: the bot has lost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// No line of the protocol.
    #[error("it wrote a line that the protocol does not know ({why})")]
    Unknown {
        /// The line.
        line: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A line of the protocol, but not at that point.
    #[error("it wrote a line when it was not asked to ({expected})")]
    Unasked {
        /// The line.
        line: String,
        /// What would have been right.
        expected: &'static str,
    },
    /// Not even a line.
    #[error(transparent)]
    Line(#[from] LineFault),
}

impl ProtocolError {
    /// What it wrote, as far as that is text.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        match self {
            Self::Unknown { line, .. } | Self::Unasked { line, .. } => Some(line),
            Self::Line(fault) => fault.line(),
        }
    }

    /// Whether it wrote too much, rather than the wrong thing.
    #[must_use]
    pub const fn is_too_much(&self) -> bool {
        matches!(self, Self::Line(LineFault::TooLong { .. } | LineFault::TooMuch))
    }
}
