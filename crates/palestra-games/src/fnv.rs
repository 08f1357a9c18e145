//! FNV-1a, a checksum that tells whether bytes are still the same. It is no defence against forgery.

/// FNV-1a. Every step is a bijection of the state, so that a single wrong byte never goes unnoticed.
#[derive(Clone, Copy, Debug)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    /// Hashes more bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 = bytes.iter().fold(self.0, step);
    }

    /// The checksum of all that was added.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

/// The checksum of bytes.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = Checksum::default();
    sum.add(bytes);
    sum.value()
}
