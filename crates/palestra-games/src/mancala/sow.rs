//! A lookup table of all sowings, computed at compile time.

use super::{PITS, SEEDS};

/// What sowing a pit adds to the two sides (wrapping: the pit itself loses its seeds), and where it ends.
#[derive(Clone, Copy)]
pub(super) struct Sow {
    pub(super) own: u64,
    pub(super) opp: u64,
    /// 0 the own store, 1 to 6 an own pit, 7 the other side.
    pub(super) last: u8,
}

/// Rows are padded to a power of two, so that a look-up needs no multiplication and no check.
pub(super) struct Table([[Sow; 64]; 8]);

pub(super) static SOW: Table = Table(sowings());

impl Table {
    #[inline]
    pub(super) fn get(&self, pit: u8, seeds: u64) -> Sow {
        self.0[usize::from(pit) % 8][seeds as usize % 64]
    }

    /// Where a sowing ends.
    #[inline]
    pub(super) fn last(&self, pit: u8, seeds: u64) -> u8 {
        self.0[usize::from(pit) % 8][seeds as usize % 64].last
    }
}

const fn sowings() -> [[Sow; 64]; 8] {
    let mut table = [[Sow { own: 0, opp: 0, last: 7 }; 64]; 8];
    let mut pit = 1;
    while pit <= PITS {
        let mut seeds = 1;
        while seeds <= SEEDS as usize {
            table[pit][seeds] = sowing(pit, seeds);
            seeds += 1;
        }
        pit += 1;
    }
    table
}

/// The cycle has 13 places: own pits down to 1, the own store, the other side's pits from 6 down to 1. The origin is
/// not skipped.
const fn sowing(pit: usize, seeds: usize) -> Sow {
    let mut sow = Sow { own: 0u64.wrapping_sub((seeds as u64) << (8 * pit)), opp: 0, last: 7 };
    let mut place = pit;
    let mut left = seeds;
    while left > 0 {
        place = (place + 12) % 13;
        if place <= PITS {
            sow.own = sow.own.wrapping_add(1 << (8 * place));
            sow.last = place as u8;
        } else {
            sow.opp += 1 << (8 * (place - PITS));
            sow.last = 7;
        }
        left -= 1;
    }
    sow
}
