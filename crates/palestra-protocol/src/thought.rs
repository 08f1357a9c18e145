//! What a player reports about its search: depth, score, states, principal variation.

use std::fmt;

use crate::message::Info;
use crate::shown;

/// What a player reports about its search. Every part is optional.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Score of the position, from the player's own side.
    pub score: Option<f64>,
    /// Number of positions visited.
    pub states: Option<u64>,
    /// Principal variation: the moves that the player expects.
    pub line: Vec<String>,
    /// Free text.
    pub text: Option<String>,
}

impl Thought {
    /// The `info` message with which a bot reports this.
    #[must_use]
    pub fn info(&self) -> Info<'_> {
        let Self { depth, score, states, line, text } = self;
        let pv = line.iter().map(String::as_str).collect();
        Info { depth: *depth, score: *score, states: *states, pv, text: text.as_deref() }
    }

    /// Fills the missing parts from an earlier thought of the same turn.
    #[must_use]
    pub fn or(self, earlier: Option<Self>) -> Self {
        let Some(earlier) = earlier else { return self };
        Self {
            depth: self.depth.or(earlier.depth),
            score: self.score.or(earlier.score),
            states: self.states.or(earlier.states),
            line: if self.line.is_empty() { earlier.line } else { self.line },
            text: self.text.or(earlier.text),
        }
    }
}

impl From<Info<'_>> for Thought {
    fn from(info: Info<'_>) -> Self {
        let Info { depth, score, states, pv, text } = info;
        let line = pv.into_iter().map(str::to_owned).collect();
        Self { depth, score, states, line, text: text.map(str::to_owned) }
    }
}

/// How much of a bot's own words a note in a record holds, in characters or moves.
const MAX_TEXT: usize = 200;

/// Written as the end of a note in a record: ` depth 7 score 12 pv 4 1`. Nothing in it can end the note.
impl fmt::Display for Thought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
        }
        if let Some(states) = self.states {
            write!(f, " states {states}")?;
        }
        let line: Vec<String> = self.line.iter().take(MAX_TEXT).filter_map(|mv| plain(mv)).collect();
        if !line.is_empty() {
            write!(f, " pv {}", line.join(" "))?;
        }
        match self.text.as_deref().and_then(plain) {
            Some(text) => write!(f, " text {text}"),
            None => Ok(()),
        }
    }
}

/// A bot's words without the characters that a record cannot hold; `None` if nothing is left.
fn plain(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| shown(text, MAX_TEXT).to_string().replace(['{', '}'], "|"))
}
