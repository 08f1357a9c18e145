//! What a game brings so that programs can play it: its evaluations and the strengths of its graded players.

use std::ops::ControlFlow;

use palestra_games::{Draw, Game};

use crate::rng::Rng;
use crate::{Guide, Score};

/// A game that the built-in players play. One implementation a game, in the folder named after it.
pub trait Playable: Draw {
    /// The strongest evaluation there is, the one that is tuned. Its name is `strong` in every game.
    type Strong: Tunable<Self> + 'static;

    /// All evaluations, the course's own first.
    const EVALUATIONS: &'static [Evaluation];

    /// The evaluation that a program uses after `option eval test`, so that its search can be compared. A simple one, which
    /// docs/arena.md describes and the kits have.
    const TEST: &'static str = Self::EVALUATIONS[0].name;

    /// How strong the graded players are, the weakest first: `ninja1`, `ninja2`, `ninja3`, `maestro`.
    const GRADES: [Grade; 4];

    /// How the player `house` thinks, where there is one: the course's unseen examiner.
    const HOUSE: Option<Grade> = None;

    /// The lead by the evaluation `strong` with which about three games in four are won: how a score is read as a chance to win.
    /// Measured by logistic regression over games of `ninja2`.
    const LEAD: Score = 100;

    /// How many kinds of boards matches are played on, one after the other.
    const BOARDS: usize = 1;

    /// The openings from which matches are played, as [`openings`](crate::openings) writes them.
    const OPENINGS: &'static str = "";

    /// How many positions are visited to find out whether an opening is balanced.
    const OPENING_STATES: u64 = 200_000;

    /// How many positions are visited at most to find out whether an opening is won soon.
    const UNDECIDED_STATES: u64 = 20_000_000;

    /// Pairs (stronger, weaker) that the ladder checks, beside each grade against the one below it.
    const RUNGS: &'static [(&'static str, &'static str)] = &[];

    /// A board of this kind, below [`BOARDS`](Self::BOARDS), for a match.
    fn board(_kind: usize, _rng: &mut Rng) -> Self::Options {
        Self::Options::default()
    }

    /// Makes the evaluation with this name for a game that stands at `position`, and hands it to the visitor. `None`
    /// when the game has no such evaluation.
    fn with_guide<V: Visitor<Self>>(name: &str, position: &Self, visitor: V) -> Option<V::Output>;

    /// The move of the player `greedy`: the one after which things look best, further moves not considered.
    fn greedy(&self) -> Self::Move;

    /// The order in which the course's own programs try moves: which of several equal ones is played depends on it.
    #[inline]
    fn each_move_as_taught<B>(&self, f: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.each_move(f)
    }
}

/// An evaluation, for lists and help.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// The name in `alphabeta:DEPTH:NAME`.
    pub name: &'static str,
    /// What it looks at, in a sentence.
    pub summary: &'static str,
    /// The depth at which its author used it, where that is known.
    pub depth: Option<u32>,
    /// What one of the things it counts is worth: a seed, a step, a flag. Scores are shown in this unit.
    pub unit: Score,
}

/// How a graded player thinks: the engine with this evaluation, as deep or as long as this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grade {
    /// The name of one of the game's evaluations.
    pub evaluation: &'static str,
    /// At most this many plies.
    pub depth: u32,
    /// At most this many positions a move.
    pub states: u64,
}

/// An operation that is generic over the guide: how the name of an evaluation becomes a type.
pub trait Visitor<G: Game> {
    /// The result of the operation.
    type Output;

    /// Runs the operation with this guide.
    fn visit<E: Guide<G> + 'static>(self, guide: E) -> Self::Output;
}

/// An evaluation with weights that `palestra tune` can set.
pub trait Tunable<G: Game>: Guide<G> + Sized {
    /// The weights, in the order in which `with_weights` takes them.
    const WEIGHTS: &'static [Weight];

    /// The evaluation for a game that stands at `position`, with these weights.
    fn with_weights(position: &G, weights: &[Score]) -> Self;
}

/// A number in an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// What it is the weight of, one word or several joined by `_`.
    pub name: &'static str,
    /// Its value as tuned: what the players use.
    pub tuned: Score,
    /// Its value before any tuning: the simplest sensible one, often 0. Tuning begins here.
    pub plain: Score,
    /// How far a careful change goes: about the size that would just be noticed in play.
    pub step: Score,
}
