//! Winnowing (Schleimer, Wilkerson and Aiken, SIGMOD 2003): of the hashes of all runs of [`GRAM`] tokens, the smallest one
//! of each window of [`WINDOW`] is kept.
//!
//! Two programs that share at least `GRAM + WINDOW - 1` tokens in a row share a kept hash, wherever these stand; two that
//! share fewer than `GRAM` in a row share none. On average one hash in `(WINDOW + 1) / 2` is kept.

use super::token::Token;

/// Tokens that are hashed together.
pub const GRAM: usize = 20;

/// Hashes of which the smallest is kept.
pub const WINDOW: usize = 14;

/// The modulus of the rolling hash, a Mersenne prime.
const PRIME: u64 = (1 << 61) - 1;

/// The base of the rolling hash: any number below the prime that is not small.
const BASE: u64 = 0x0b5a_d4ec_eda1_ce2a;

const fn times(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    let sum = (product as u64 & PRIME) + (product >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// The hashes of all runs of [`GRAM`] tokens, by a polynomial that rolls on from each to the next.
pub(super) fn grams(tokens: &[Token]) -> Vec<u64> {
    let leading = (1..GRAM).fold(1, |power, _| times(power, BASE));
    let (mut hash, mut hashes) = (0, Vec::with_capacity(tokens.len().saturating_sub(GRAM - 1)));
    for (at, token) in tokens.iter().enumerate() {
        if let Some(gone) = at.checked_sub(GRAM).and_then(|gone| tokens.get(gone)) {
            hash = (hash + PRIME - times(leading, u64::from(gone.symbol))) % PRIME;
        }
        hash = (times(hash, BASE) + u64::from(token.symbol)) % PRIME;
        if at + 1 >= GRAM {
            hashes.push(scattered(hash));
        }
    }
    hashes
}

/// A bijection after which the smallest hash is any of them, and not the one that begins with a small token.
const fn scattered(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash ^ (hash >> 29)
}

/// The places of the hashes that are kept: the smallest of each window, the last one of several.
pub(super) fn winnow(hashes: &[u64]) -> Vec<usize> {
    let mut kept: Vec<usize> = vec![];
    for (begin, window) in hashes.windows(WINDOW.min(hashes.len()).max(1)).enumerate() {
        // The one that was kept last is still the smallest unless it has left the window or a new one undercuts it.
        let last = kept.last().copied().filter(|&last| last >= begin);
        let newest = begin + window.len() - 1;
        let smallest = match last {
            Some(last) if hashes[newest] > hashes[last] => last,
            Some(_) => newest,
            None => begin + smallest(window),
        };
        if kept.last() != Some(&smallest) {
            kept.push(smallest);
        }
    }
    kept
}

/// The place of the smallest hash, the last one of several.
fn smallest(window: &[u64]) -> usize {
    let places = window.iter().enumerate().rev();
    places.min_by_key(|&(_, hash)| hash).map_or(0, |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn tokens_of(symbols: &[u32]) -> Vec<Token> {
        symbols.iter().map(|&symbol| Token { symbol, line: 1 }).collect()
    }

    fn kept(symbols: &[u32]) -> HashSet<u64> {
        let hashes = grams(&tokens_of(symbols));
        winnow(&hashes).into_iter().map(|at| hashes[at]).collect()
    }

    #[test]
    fn rolling_gives_the_hash_of_each_run_alone() {
        let symbols: Vec<u32> = (0..200).map(|n: u32| n.wrapping_mul(2_654_435_761) >> 7).collect();
        for (at, hash) in grams(&tokens_of(&symbols)).into_iter().enumerate() {
            assert_eq!(grams(&tokens_of(&symbols[at..at + GRAM])), [hash]);
        }
        assert!(grams(&tokens_of(&symbols[..GRAM - 1])).is_empty());
    }

    #[test]
    fn a_short_program_keeps_one_hash() {
        assert!(winnow(&[]).is_empty());
        assert_eq!(winnow(&[3, 1, 2]), [1]);
        assert_eq!(winnow(&[1; WINDOW]), [WINDOW - 1]);
    }

    #[test]
    fn about_one_hash_in_half_a_window_is_kept() {
        let symbols: Vec<u32> = (0..20_000).map(|n: u32| n.wrapping_mul(2_654_435_761) >> 9).collect();
        let expected = 20_000 * 2 / (WINDOW + 1);
        let kept = winnow(&grams(&tokens_of(&symbols))).len();
        assert!(kept.abs_diff(expected) < expected / 10, "{kept}, expected {expected}");
    }

    proptest! {
        #[test]
        fn every_match_of_the_guaranteed_length_is_found(
            shared in prop::collection::vec(0_u32..6, GRAM + WINDOW - 1..GRAM + WINDOW + 20),
            around in prop::array::uniform4(prop::collection::vec(0_u32..6, 0..80)),
        ) {
            let [a, b, c, d] = &around;
            let (one, other) = ([&a[..], &shared, b].concat(), [&c[..], &shared, d].concat());
            prop_assert!(!kept(&one).is_disjoint(&kept(&other)));
        }

        #[test]
        fn each_window_keeps_its_smallest_hash(hashes in prop::collection::vec(0_u64..50, 0..120)) {
            let kept = winnow(&hashes);
            prop_assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
            for begin in 0..(hashes.len() + 1).saturating_sub(WINDOW) {
                let window = begin..begin + WINDOW;
                let smallest = hashes[window.clone()].iter().min();
                prop_assert!(kept.iter().any(|at| window.contains(at) && Some(&hashes[*at]) == smallest));
            }
        }
    }
}
