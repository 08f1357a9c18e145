//! The stores, and what the seeds that are not yet in them promise.

use palestra_games::mancala::{Mancala, PITS, Pit, SEEDS};
use palestra_games::{Game, Outcome, Side};

use super::Stores;
use crate::{Guide, Score, Tunable, Weight};

/// What a seed in store is worth; the weights are fractions of it.
pub(super) const UNIT: Score = 32;

/// The difference of the stores, plus what the board promises: seeds and moves that are kept, turns and captures that
/// are near.
///
/// All that depends on one pit alone is in a table, so that a side is six look-ups. Captures are between pits and are
/// looked for.
#[derive(Clone, Debug)]
pub struct Strong {
    /// By pit and number of seeds: what the pit promises its owner. The rows are padded, so that a look-up needs no check.
    pits: [[i16; 64]; PITS],
    /// For each seed of the greatest capture on the board: the mover's, the other's.
    capture: [Score; 2],
    /// For having the move.
    tempo: Score,
}

impl Strong {
    /// What the pits of `own` promise apart from captures.
    #[inline]
    fn promise(&self, own: &[u8; PITS + 1]) -> Score {
        own[1..].iter().zip(&self.pits).map(|(&seeds, row)| Score::from(row[usize::from(seeds) % 64])).sum()
    }
}

/// The most seeds that a single move of `own` can capture, its own one not counted.
#[inline]
fn greatest_capture(own: &[u8; PITS + 1], opp: &[u8; PITS + 1]) -> Score {
    let mut greatest = 0;
    for end in 1..PITS {
        // A pit beyond `end` with as many seeds as there are steps to it ends there.
        let reached = (end + 1..=PITS).any(|pit| usize::from(own[pit]) == pit - end);
        if own[end] == 0 && reached {
            greatest = greatest.max(opp[PITS + 1 - end]);
        }
    }
    Score::from(greatest)
}

impl Guide<Mancala> for Strong {
    const ANTISYMMETRIC: bool = true;
    const EXPERIENCE: bool = false;

    #[inline]
    fn score(&self, position: &Mancala, side: Side) -> Score {
        let mover = position.turn();
        let (own, opp) = (position.seeds(mover), position.seeds(mover.other()));
        let captures = self.capture[0] * greatest_capture(&own, &opp) - self.capture[1] * greatest_capture(&opp, &own);
        let score = self.promise(&own) - self.promise(&opp) + captures + self.tempo;
        if side == mover { score } else { -score }
    }

    #[inline]
    fn banked(&self, position: &Mancala, side: Side) -> Score {
        UNIT * Stores.banked(position, side)
    }

    #[inline]
    fn finished(&self, _: &Mancala, _: Outcome, _: Side) -> Score {
        0
    }

    #[inline]
    fn hint(&self, position: &Mancala, mv: Pit) -> i32 {
        Stores.hint(position, mv)
    }
}

impl Tunable<Mancala> for Strong {
    const WEIGHTS: &'static [Weight] = &[
        Weight { name: "seed", tuned: -1, plain: 0, step: 2 },
        Weight { name: "hoard", tuned: 6, plain: 0, step: 2 },
        Weight { name: "surplus", tuned: 2, plain: 0, step: 2 },
        Weight { name: "move", tuned: 52, plain: 0, step: 6 },
        Weight { name: "again", tuned: 10, plain: 0, step: 4 },
        Weight { name: "capture", tuned: 28, plain: 0, step: 4 },
        Weight { name: "threat", tuned: 6, plain: 0, step: 4 },
        Weight { name: "tempo", tuned: 22, plain: 0, step: 8 },
    ];

    fn with_weights(_: &Mancala, weights: &[Score]) -> Self {
        let weight = |name: &str| {
            let index = Self::WEIGHTS.iter().position(|weight| weight.name == name);
            index.and_then(|index| weights.get(index)).copied().unwrap_or(0).clamp(-256, 256)
        };
        let mut pits = [[0; 64]; PITS];
        for (pit, row) in (1..).zip(&mut pits) {
            for seeds in 1..=SEEDS as Score {
                // The last pit is safe and feeds all others; what exceeds the way to the store goes to the other side.
                let hoarded = if pit == PITS as Score { weight("hoard") * seeds } else { 0 };
                let surplus = weight("surplus") * (seeds - pit).max(0);
                let again = if seeds % 13 == pit { weight("again") } else { 0 };
                let worth = weight("seed") * seeds + hoarded + surplus + again + weight("move");
                row[seeds as usize] = worth.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            }
        }
        Self { pits, capture: [weight("capture"), weight("threat")], tempo: weight("tempo") }
    }
}

impl Default for Strong {
    fn default() -> Self {
        let tuned: Vec<Score> = Self::WEIGHTS.iter().map(|weight| weight.tuned).collect();
        Self::with_weights(&Mancala::new(&palestra_games::NoOptions), &tuned)
    }
}
