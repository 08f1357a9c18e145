//! The transposition table: what was found about positions met before, shared by all threads without locks.
//!
//! A cluster is one cache line and holds four entries of two words: the data, and the key XORed with the data (Hyatt's
//! lockless hashing). Two threads that write one entry at the same time leave words that do not belong together, and
//! then the key does not come out right: a torn entry is never believed.

use std::sync::atomic::Ordering::Relaxed;

use super::memory::{Cluster, Memory, prefetch};
use crate::Score;

/// Which bound on the value a score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Bound {
    /// The value itself, of a node within its window.
    Exact = 1,
    /// A lower bound: the node failed high (a cutoff).
    Lower = 2,
    /// An upper bound: the node failed low.
    Upper = 3,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The mover's, beyond what is banked; wins are counted from this position.
    pub(super) score: Score,
    /// The place of the best move in the game's order, or [`NO_MOVE`].
    pub(super) mv: u8,
    /// How many plies the search looked ahead.
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// Whether the score rests on finished games alone, so that it holds for every greater depth too.
    pub(super) solved: bool,
}

/// The lowest bit of the age in an entry's data.
const AGE_SHIFT: u32 = 51;

/// The number of different ages: the age is reset when it reaches this.
const AGES: u64 = 1 << (64 - AGE_SHIFT);

/// In [`Entry::mv`]: the best move is not known.
pub(super) const NO_MOVE: u8 = u8::MAX;

impl Entry {
    const fn pack(self, age: u64) -> u64 {
        (self.score as u32 as u64)
            | (self.mv as u64) << 32
            | (self.depth as u64) << 40
            | (self.bound as u64) << 48
            | (self.solved as u64) << 50
            | age << AGE_SHIFT
    }

    const fn unpack(data: u64) -> Self {
        let bound = match (data >> 48) & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        };
        Self {
            score: data as u32 as Score,
            mv: (data >> 32) as u8,
            depth: (data >> 40) as u8,
            bound,
            solved: (data >> 50) & 1 == 1,
        }
    }

    /// Whether the score is what a search of `depth` plies would find.
    #[inline]
    pub(super) const fn holds_at(self, depth: u32) -> bool {
        self.depth as u32 == depth || self.solved && (self.depth as u32) < depth
    }
}

/// Why there is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// More than the system can give.
    #[error("there is no room for a table of {0} bytes")]
    NoRoom(usize),
}

/// The transposition table.
#[derive(Debug)]
pub(super) struct Table {
    clusters: Memory,
    /// Incremented by each search; entries of older searches are replaced first.
    age: u64,
    /// Mixed into all keys: a new one makes the table forget at no cost.
    epoch: u64,
}

impl Table {
    /// A table of at most that many bytes, and at least one cluster.
    pub(super) fn new(bytes: usize) -> Result<Self, TableError> {
        let count = (bytes / size_of::<Cluster>()).max(1);
        let clusters = Memory::new(count).ok_or(TableError::NoRoom(bytes))?;
        Ok(Self { clusters, age: 1, epoch: 0 })
    }

    /// A new search begins.
    pub(super) fn grow_older(&mut self) {
        self.age += 1;
        if self.age == AGES {
            // Once in a long while old entries would seem new.
            self.age = 1;
            self.clusters.iter().flat_map(|Cluster(words)| words).for_each(|word| word.store(0, Relaxed));
        }
    }

    /// Empties the table at no cost, by another epoch.
    pub(super) fn forget(&mut self) {
        self.epoch = self.epoch.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        // The high half of the product spreads keys evenly over any number of clusters.
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// The key as entries have it.
    #[inline]
    fn signature(&self, key: u64) -> u64 {
        key ^ self.epoch
    }

    /// Asks for the line of a key that will soon be needed.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// What is known about the position with this key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let Cluster(words) = self.cluster(key);
        let signature = self.signature(key);
        for pair in words.chunks_exact(2) {
            let data = pair[1].load(Relaxed);
            if pair[0].load(Relaxed) ^ data == signature && data != 0 {
                return Some(Entry::unpack(data));
            }
        }
        None
    }

    /// Remembers an entry in place of the same position's, of one of an older search, or of the shallowest.
    #[inline]
    pub(super) fn put(&self, key: u64, entry: Entry) {
        let Cluster(words) = self.cluster(key);
        let signature = self.signature(key);
        let (mut place, mut least) = (0, u8::MAX);
        for (index, pair) in words.chunks_exact(2).enumerate() {
            let data = pair[1].load(Relaxed);
            if data >> AGE_SHIFT != self.age || pair[0].load(Relaxed) ^ data == signature {
                place = index;
                break;
            }
            let depth = (data >> 40) as u8;
            if depth < least {
                (place, least) = (index, depth);
            }
        }
        let data = entry.pack(self.age);
        words[2 * place].store(signature ^ data, Relaxed);
        words[2 * place + 1].store(data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry = Entry { score: -77, mv: 3, depth: 9, bound: Bound::Lower, solved: true };

    #[test]
    fn entries_are_kept_as_they_are() {
        let table = Table::new(1 << 16).expect("room");
        for (key, score) in [(0, 5), (1, -5), (u64::MAX, crate::WIN), (1 << 63, -crate::WIN)] {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let entry = Entry { score, bound, solved: false, ..ENTRY };
                table.put(key, entry);
                assert_eq!(table.get(key), Some(entry));
            }
        }
        assert_eq!(table.get(2), None);
        assert_eq!(Table::new(64).expect("room").get(0), None, "an empty place is not an entry of the key 0");
    }

    #[test]
    fn a_torn_entry_is_not_believed() {
        let table = Table::new(64).expect("room");
        table.put(1, ENTRY);
        table.clusters[0].0[1].store(Entry { score: 1, ..ENTRY }.pack(1), Relaxed);
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn shallow_and_old_entries_give_way() {
        let mut table = Table::new(64).expect("room");
        for (key, depth) in (0..).zip([12, 13, 10, 11]) {
            table.put(key, Entry { depth, ..ENTRY });
        }
        table.put(4, ENTRY);
        assert_eq!(table.get(2), None, "the shallowest was replaced");
        assert!([0, 1, 3, 4].into_iter().all(|key| table.get(key).is_some()));
        table.grow_older();
        table.put(5, Entry { depth: 1, ..ENTRY });
        table.put(6, Entry { depth: 2, ..ENTRY });
        assert!(table.get(5).is_some() && table.get(6).is_some(), "entries of this search stay");
        table.forget();
        assert!((0..=6).all(|key| table.get(key).is_none()));
    }

    #[test]
    fn too_much_memory_is_refused() {
        assert_eq!(Table::new(usize::MAX).unwrap_err(), TableError::NoRoom(usize::MAX));
    }
}
