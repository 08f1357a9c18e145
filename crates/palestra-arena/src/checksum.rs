//! Telling whether bytes are still the same.

/// FNV-1a. Every step is a bijection of the state, so that a single wrong byte never goes unnoticed.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
