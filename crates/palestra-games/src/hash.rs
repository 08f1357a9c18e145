//! Mixing functions for Zobrist-like keys.
//!
//! A Zobrist key is the XOR of a random word for each piece on its square. Ours are equal to it in use (64 bits, updated
//! move by move where a position is large), but no table of random words is stored: [`mix`] computes the word of a piece
//! from its packed description, and a position of two machine words is hashed whole by [`fold`].

/// The increment of SplitMix64's counter: 2^64 divided by the golden ratio, made odd.
pub(crate) const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A step of SplitMix64: a bijection of 64-bit words whose every output bit depends on every input bit.
#[must_use]
#[inline]
pub(crate) const fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(GAMMA);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Two words folded into one by a 128-bit product.
#[must_use]
#[inline]
pub(crate) const fn fold(a: u64, b: u64) -> u64 {
    let product = (a ^ GAMMA) as u128 * (b ^ 0xd1b5_4a32_d192_ed03) as u128;
    product as u64 ^ (product >> 64) as u64
}
