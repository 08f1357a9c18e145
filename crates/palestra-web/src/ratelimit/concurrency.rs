//! Concurrency limits: how many WebSockets or analyses a person and an address have at a time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ratelimit::Key;

/// Concurrency limiter: counts the slots that each key holds. Clones share the counts.
#[derive(Clone, Default)]
pub(crate) struct ConcurrencyLimit(Arc<Mutex<HashMap<Key, usize>>>);

/// A slot that counts for a person and an address until it is dropped.
pub(crate) struct Slot {
    limit: ConcurrencyLimit,
    holders: [Key; 2],
}

impl ConcurrencyLimit {
    /// Takes a slot for these keys, each with its maximum; none if one of them has reached it.
    pub(crate) fn take(&self, holders: [(Key, usize); 2]) -> Option<Slot> {
        let mut held = self.lock();
        if holders.iter().any(|(key, most)| held.get(key).is_some_and(|has| has >= most)) {
            return None;
        }
        let holders = holders.map(|(key, _)| key);
        holders.iter().for_each(|key| *held.entry(*key).or_default() += 1);
        Some(Slot { limit: self.clone(), holders })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut held = self.limit.lock();
        for key in self.holders {
            if let Some(count) = held.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    held.remove(&key);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_has_a_share_and_so_has_an_address() {
        let (shares, address) = (ConcurrencyLimit::default(), |text: &str| Key::address(text.parse().unwrap()));
        let take = |account, at: &str| shares.take([(Key::Account(account), 2), (address(at), 32)]);
        let mut taken = vec![take(1, "10.0.0.1").unwrap(), take(1, "10.0.0.1").unwrap()];
        assert!(take(1, "10.0.0.1").is_none(), "two at a time");
        taken.extend((2..32).map(|account| take(account, "10.0.0.1").unwrap()));
        assert!(take(100, "10.0.0.1").is_none(), "the address has enough");
        assert!(take(100, "10.0.0.2").is_some());
        taken.remove(0);
        assert!(take(1, "10.0.0.1").is_some());
        drop(taken);
        assert!(shares.lock().is_empty(), "nothing is remembered of who has nothing");
    }
}
