//! SplitMix64, a pseudo-random number generator: small, seeded, the same on every machine.

use crate::hash::{GAMMA, mix};

/// SplitMix64: a counter and a good mixing function. Plenty for choosing moves, openings and maps.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The numbers that belong to this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    #[inline]
    pub const fn next(&mut self) -> u64 {
        let word = mix(self.0);
        self.0 = self.0.wrapping_add(GAMMA);
        word
    }

    /// A number below `n`, which must not be 0, all equally likely.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        let n = n as u64;
        loop {
            // The whole part of a fraction of `n`; what is left of it tells whether this number has one way too many.
            let product = u128::from(self.next()) * u128::from(n);
            let rest = product as u64;
            if rest >= n || rest >= n.wrapping_neg() % n {
                return (product >> 64) as usize;
            }
        }
    }

    /// The seed of the `index`-th of many independent things.
    #[must_use]
    pub const fn fork(&self, index: u64) -> Self {
        let mut own = Self(self.0 ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03));
        let seed = own.next();
        Self(seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_splitmix64() {
        let mut rng = Rng::new(1_234_567);
        let numbers = [rng.next(), rng.next(), rng.next()];
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn all_numbers_below_a_bound_are_about_equally_likely() {
        let mut rng = Rng::new(7);
        let mut counts = [0; 6];
        (0..60_000).for_each(|_| counts[rng.below(6)] += 1);
        assert!(counts.iter().all(|count| (9_600..=10_400).contains(count)), "{counts:?}");
    }
}
