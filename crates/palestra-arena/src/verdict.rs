//! Adjudication: how a game ended, and why.

use std::fmt;

use palestra_games::{AnyGame, Outcome, Side, record};
use palestra_protocol::message::Ending;
use palestra_protocol::{Fault, ForfeitKind};
use palestra_tournament::Wdl;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The points of both sides.
    pub points: [i32; 2],
    /// Why the game ended.
    pub reason: Reason,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The game ended by its rules.
    Finished,
    /// The move limit was reached: a draw.
    Capped,
    /// The players agreed to a draw.
    Agreed,
    /// The loser resigned.
    Resigned,
    /// The loser forfeited the game.
    Forfeit(Fault),
}

impl Verdict {
    /// A game that came to its end.
    #[must_use]
    pub fn finished(position: &dyn AnyGame, outcome: Outcome) -> Self {
        Self { winner: outcome.winner(), points: position.points(), reason: Reason::Finished }
    }

    /// A game without a winner.
    #[must_use]
    pub fn draw(position: &dyn AnyGame, reason: Reason) -> Self {
        Self { winner: None, points: position.points(), reason }
    }

    /// A game that one side gave away: the other has all points.
    #[must_use]
    pub fn lost(position: &dyn AnyGame, loser: Side, reason: Reason) -> Self {
        let mut points = [0; 2];
        points[loser.other().index()] = position.most_points();
        Self { winner: Some(loser.other()), points, reason }
    }

    /// The result for a side, as statistics count it.
    #[must_use]
    pub fn result(&self, side: Side) -> Wdl {
        Wdl::of(self.winner, side)
    }

    /// The result for a side, as its player hears it.
    #[must_use]
    pub fn ending(&self, side: Side) -> Ending {
        match self.result(side) {
            Wdl::Win => Ending::Win,
            Wdl::Draw => Ending::Draw,
            Wdl::Loss => Ending::Loss,
        }
    }

    /// The loser's fault, if it was one.
    #[must_use]
    pub const fn fault(&self) -> Option<&Fault> {
        match &self.reason {
            Reason::Forfeit(fault) => Some(fault),
            _ => None,
        }
    }

    /// Who won a game with this result in its record. A side that loses by a fault or resigns has no points, and the
    /// other has all of them.
    #[must_use]
    pub fn winner_of(result: &record::GameResult, outcome: Option<Outcome>) -> Option<Side> {
        match (outcome, result.reason.as_str()) {
            (Some(outcome), _) => outcome.winner(),
            (None, "capped" | "agreed") => None,
            (None, _) => Outcome::by_points(result.points).winner(),
        }
    }
}

impl Reason {
    /// The words of all reasons, one for each kind of forfeit included.
    pub fn words() -> impl Iterator<Item = &'static str> {
        let others = [Self::Finished, Self::Resigned, Self::Agreed, Self::Capped].map(|reason| reason.word());
        others.into_iter().chain(ForfeitKind::ALL.iter().map(|kind| kind.word()))
    }

    /// The word for the reason, in records and tables.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Capped => "capped",
            Self::Agreed => "agreed",
            Self::Resigned => "resigned",
            Self::Forfeit(Fault { kind, .. }) => kind.word(),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
