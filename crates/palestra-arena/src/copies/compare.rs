//! Pairs of programs ranked by what they have in common.

use std::borrow::Borrow;

use super::fingerprint::Fingerprint;

/// The share from which two programs count as alike. `docs/copies.md` has the measurements behind it.
pub const THRESHOLD: f64 = 0.25;

/// Hashes in more programs than this many, and in more than a quarter of all, belong to what everybody writes.
const MAX_PROGRAMS_OF_HASH: usize = 10;

/// Hashes that a pair must share to be listed. A few are shared by accident.
const MIN_SHARED: usize = 5;

/// Two programs and what they have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The two programs, the smaller index first.
    pub programs: [usize; 2],
    /// The hashes that both have.
    pub shared: usize,
    /// The share of each program's hashes that the other one has too, from 0 to 1.
    pub shares: [f64; 2],
}

impl Pair {
    /// The larger of both shares: a program that lies in a larger one whole is alike.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.shares[0].max(self.shares[1])
    }
}

/// Many programs compared with each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The pairs that have something in common, those with the largest share first.
    pub pairs: Vec<Pair>,
    /// Hashes that were left out because too many programs have them.
    pub common: usize,
}

/// Compares each program with each other one, and with programs that are not compared among themselves: their indices
/// follow.
#[must_use]
pub fn compare<T: Borrow<Fingerprint>>(programs: &[T], others: &[T]) -> Comparison {
    let all: Vec<&Fingerprint> = programs.iter().chain(others).map(Borrow::borrow).collect();
    let limit = MAX_PROGRAMS_OF_HASH.max(all.len() / 4);
    let owners = owners(&all);
    let (common, telling): (Vec<_>, Vec<_>) = owners.chunk_by(|a, b| a.0 == b.0).partition(|group| group.len() > limit);
    let mut sizes = vec![0_usize; all.len()];
    // A row for each program. Counting in a table bounds the time also where many share much.
    let mut shared = vec![0_u32; programs.len() * all.len()];
    for group in telling {
        for (at, &(_, one)) in group.iter().enumerate() {
            sizes[one] += 1;
            let row = shared.chunks_exact_mut(all.len()).nth(one);
            row.into_iter().for_each(|row| group[at + 1..].iter().for_each(|&(_, other)| row[other] += 1));
        }
    }
    let pair = |(place, &shared): (usize, &u32)| {
        let (programs, shared) = ([place / all.len(), place % all.len()], shared as usize);
        Pair { programs, shared, shares: programs.map(|program| shared as f64 / sizes[program] as f64) }
    };
    let enough = shared.iter().enumerate().filter(|&(_, &shared)| shared as usize >= MIN_SHARED);
    let mut pairs: Vec<Pair> = enough.map(pair).collect();
    pairs.sort_by(|a, b| {
        b.share().total_cmp(&a.share()).then(b.shared.cmp(&a.shared)).then(a.programs.cmp(&b.programs))
    });
    Comparison { pairs, common: common.len() }
}

/// All hashes, each with a program that has it, in ascending order.
fn owners(programs: &[&Fingerprint]) -> Vec<(u64, usize)> {
    let all = programs.iter().enumerate();
    let mut owners: Vec<(u64, usize)> =
        all.flat_map(|(program, print)| print.hashes().iter().map(move |&hash| (hash, program))).collect();
    owners.sort_unstable();
    owners
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn print(hashes: impl IntoIterator<Item = u64>) -> Fingerprint {
        hashes.into_iter().collect()
    }

    #[test]
    fn shares_are_told_in_both_directions() {
        let found = compare(&[print(0..10), print(5..45), print(100..110)], &[]);
        assert_eq!(found.pairs, [Pair { programs: [0, 1], shared: 5, shares: [0.5, 0.125] }]);
    }

    #[test]
    fn a_few_hashes_are_an_accident() {
        assert_eq!(compare(&[print(0..2), print(0..2)], &[]).pairs, []);
        assert_eq!(compare(&[print([]), print([])], &[]), Comparison::default());
    }

    #[test]
    fn what_too_many_have_does_not_count() {
        let of =
            |count: u64| (0..count).map(|n| print((0..5).chain(n * 100 + 1000..n * 100 + 1010))).collect::<Vec<_>>();
        assert_eq!(compare(&of(10), &[]).common, 0);
        let found = compare(&of(11), &[]);
        assert_eq!((found.common, found.pairs.len()), (5, 0));
    }

    #[test]
    fn others_are_not_compared_among_themselves() {
        let [one, other, third] = [print(0..10), print(0..20), print(0..40)];
        let found = compare(&[one], &[other, third]);
        assert_eq!(found.pairs.iter().map(|pair| pair.programs).collect::<Vec<_>>(), [[0, 1], [0, 2]]);
        assert_eq!(found.pairs[1].shares, [1.0, 0.25]);
        assert_eq!(compare(&[], &[print(0..9), print(0..9)]), Comparison::default());
    }

    proptest! {
        #[test]
        fn pairs_are_what_a_comparison_of_two_sets_gives(
            sets in prop::collection::vec(prop::collection::btree_set(0_u64..40, 0..20), 0..9),
        ) {
            let prints: Vec<Fingerprint> = sets.iter().map(|set| print(set.iter().copied())).collect();
            let found = compare(&prints, &[]);
            for (a, one) in sets.iter().enumerate() {
                for (b, other) in sets.iter().enumerate().skip(a + 1) {
                    let shared = one.intersection(other).count();
                    let pair = found.pairs.iter().find(|pair| pair.programs == [a, b]);
                    prop_assert_eq!(pair.map_or(0, |pair| pair.shared), if shared < MIN_SHARED { 0 } else { shared });
                    if let Some(pair) = pair {
                        prop_assert_eq!(pair.shares, [one, other].map(|set| shared as f64 / set.len() as f64));
                    }
                }
            }
            prop_assert!(found.pairs.windows(2).all(|two| two[0].share() >= two[1].share()));
        }
    }
}
