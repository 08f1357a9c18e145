//! Fingerprints: the hashes that winnowing keeps of a program, as a set and as bytes.
//!
//! Nothing of the source can be read from them, so they may be kept when the sources are gone.

use super::winnow::{GRAM, WINDOW};

/// The distinct hashes that winnowing keeps of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    hashes: Vec<u64>, // in ascending order, none twice
}

/// Bytes that are no fingerprint, or one that was made in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no fingerprint that can be compared with those of today")]
pub struct FingerprintError;

/// The first bytes of every fingerprint. Fingerprints made from other tokens or hashes cannot be compared: a new tokenizer
/// or hash needs a new first number.
const HEADER: [u8; 4] = [1, GRAM as u8, WINDOW as u8, 0];

/// Bytes of a hash.
const HASH_BYTES: usize = size_of::<u64>();

impl Fingerprint {
    /// The number of hashes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there is nothing to compare.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The hashes in ascending order, none twice.
    #[must_use]
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The fingerprint as bytes that can be stored.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        HEADER.into_iter().chain(self.hashes.iter().flat_map(|hash| hash.to_be_bytes())).collect()
    }

    /// The fingerprint from its bytes.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, FingerprintError> {
        let hashes = bytes.strip_prefix(&HEADER).filter(|rest| rest.len().is_multiple_of(HASH_BYTES));
        let chunks = hashes.ok_or(FingerprintError)?.chunks_exact(HASH_BYTES);
        let hashes: Vec<u64> = chunks.filter_map(|chunk| chunk.try_into().ok().map(u64::from_be_bytes)).collect();
        let is_ascending = hashes.windows(2).all(|pair| pair[0] < pair[1]);
        is_ascending.then_some(Self { hashes }).ok_or(FingerprintError)
    }
}

impl FromIterator<u64> for Fingerprint {
    fn from_iter<T: IntoIterator<Item = u64>>(hashes: T) -> Self {
        let mut hashes: Vec<u64> = hashes.into_iter().collect();
        hashes.sort_unstable();
        hashes.dedup();
        Self { hashes }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bytes_come_back(hashes in prop::collection::vec(any::<u64>(), 0..40)) {
            let fingerprint: Fingerprint = hashes.into_iter().collect();
            prop_assert_eq!(Fingerprint::of_bytes(&fingerprint.to_bytes()), Ok(fingerprint));
        }

        #[test]
        fn changed_bytes_do_no_harm(
            hashes in prop::collection::vec(any::<u64>(), 0..8),
            at in any::<prop::sample::Index>(),
            byte in any::<u8>(),
            is_cut in any::<bool>(),
        ) {
            let mut bytes = hashes.into_iter().collect::<Fingerprint>().to_bytes();
            let at = at.index(bytes.len());
            if is_cut { bytes.truncate(at) } else { bytes[at] = byte }
            if let Ok(read) = Fingerprint::of_bytes(&bytes) {
                prop_assert_eq!(read.to_bytes(), bytes);
            }
        }
    }
}
