//! A cache, bounded by bytes, that makes each value once however many ask for it at the same time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OnceCell;

use crate::http::error::Refused;
use crate::rendering::{Load, Rendering};

/// A value with a size, for a cache that is bounded in bytes.
pub(crate) trait Weighed {
    /// The approximate size in bytes.
    fn bytes(&self) -> usize;
}

/// Values by key. The values that were used last are kept.
pub(crate) struct Cache<T> {
    max_bytes: usize,
    entries: Mutex<Entries<T>>,
}

struct Entries<T> {
    by_key: HashMap<String, Entry<T>>,
    bytes: usize,
    /// Counts uses.
    clock: u64,
}

struct Entry<T> {
    value: Arc<OnceCell<Arc<T>>>,
    bytes: usize,
    used: u64,
}

/// A value that was asked for: the cache is put in order when it is there, cannot be made, or is not waited for any
/// more.
struct Asked<'a, T: Weighed> {
    cache: &'a Cache<T>,
    key: &'a str,
    cell: Arc<OnceCell<Arc<T>>>,
}

impl<T: Weighed> Drop for Asked<'_, T> {
    fn drop(&mut self) {
        self.cache.settle(self.key, &self.cell);
    }
}

impl<T: Weighed + Send + Sync + 'static> Cache<T> {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { max_bytes, entries: Mutex::new(Entries { by_key: HashMap::new(), bytes: 0, clock: 0 }) }
    }

    /// The value of a key; if there is none, it is made, at this load.
    pub(crate) async fn get_or_render<F>(
        &self,
        rendering: &Rendering,
        load: Load,
        key: &str,
        make: F,
    ) -> Result<Arc<T>, Refused>
    where
        F: FnOnce() -> Result<T, Refused> + Send + 'static,
    {
        let asked = Asked { cache: self, key, cell: self.cell(key) };
        asked.cell.get_or_try_init(async || rendering.run(load, make).await?.map(Arc::new)).await.cloned()
    }
}

impl<T: Weighed> Cache<T> {
    /// The value of a key, if it is there.
    pub(crate) fn find(&self, key: &str) -> Option<Arc<T>> {
        let mut entries = self.lock();
        entries.clock += 1;
        let used = entries.clock;
        let entry = entries.by_key.get_mut(key)?;
        entry.used = used;
        entry.value.get().cloned()
    }

    /// Keeps a value that was made elsewhere, unless there is one.
    pub(crate) fn keep(&self, key: &str, value: Arc<T>) {
        let asked = Asked { cache: self, key, cell: self.cell(key) };
        // Who came first has made the same.
        let _ = asked.cell.set(value);
    }

    /// The place of a value, which may have to be made yet.
    fn cell(&self, key: &str) -> Arc<OnceCell<Arc<T>>> {
        let mut entries = self.lock();
        entries.clock += 1;
        let used = entries.clock;
        let entry = entries.by_key.entry(key.to_owned());
        let entry = entry.or_insert_with(|| Entry { value: Arc::default(), bytes: 0, used });
        entry.used = used;
        entry.value.clone()
    }

    /// Counts a value that was just made, or forgets the place of one that nobody waits for, and makes room.
    fn settle(&self, key: &str, cell: &Arc<OnceCell<Arc<T>>>) {
        let mut entries = self.lock();
        // Other threads may have made room already, and one of them a new place.
        let Some(entry) = entries.by_key.get_mut(key).filter(|entry| Arc::ptr_eq(&entry.value, cell)) else { return };
        match cell.get() {
            Some(value) if entry.bytes == 0 => {
                entry.bytes = value.bytes().max(1);
                let bytes = entry.bytes;
                entries.bytes += bytes;
            }
            Some(_) => {}
            // The cache holds it, and the one who asks.
            None if Arc::strong_count(cell) <= 2 => drop(entries.by_key.remove(key)),
            None => {}
        }
        while entries.bytes > self.max_bytes {
            entries.forget_oldest();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Entries<T>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Entries<T> {
    fn forget_oldest(&mut self) {
        let counted = self.by_key.iter().filter(|(_, entry)| entry.bytes > 0);
        let Some(key) = counted.min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone()) else { return };
        let forgotten = self.by_key.remove(&key).map_or(0, |entry| entry.bytes);
        self.bytes -= forgotten;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::FutureExt;

    use super::*;

    impl Weighed for String {
        fn bytes(&self) -> usize {
            self.len()
        }
    }

    #[tokio::test]
    async fn what_many_ask_for_at_once_is_made_once() {
        let (cache, rendering) = (Cache::<String>::new(100), Rendering::new());
        let made = Arc::new(AtomicUsize::new(0));
        let ask = || {
            let made = made.clone();
            cache.get_or_render(&rendering, Load::Heavy, "key", move || {
                made.fetch_add(1, Ordering::Relaxed);
                Ok("value".to_owned())
            })
        };
        for value in futures_util::future::join_all((0..20).map(|_| ask())).await {
            assert_eq!(*value.unwrap(), "value");
        }
        assert_eq!(made.load(Ordering::Relaxed), 1);
        let failed = cache.get_or_render(&rendering, Load::Heavy, "other", || Err(Refused::NotFound)).await;
        assert_eq!(failed.err(), Some(Refused::NotFound));
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let last_long = move || {
            let _ = ended.recv();
            Ok(String::new())
        };
        assert!(cache.get_or_render(&rendering, Load::Heavy, "long", last_long).now_or_never().is_none());
        drop(end);
        assert_eq!(cache.lock().by_key.len(), 1, "what was not made takes no room");
    }

    #[tokio::test]
    async fn what_was_used_last_is_kept() {
        let (cache, rendering) = (Cache::<String>::new(100), Rendering::new());
        let get = async |key: &'static str| {
            cache.get_or_render(&rendering, Load::Light, key, move || Ok(key.repeat(40))).await.unwrap();
        };
        for key in ["a", "b", "a", "c"] {
            get(key).await;
        }
        let mut kept: Vec<String> = cache.lock().by_key.keys().cloned().collect();
        kept.sort();
        assert_eq!((kept, cache.lock().bytes), (vec!["a".to_owned(), "c".to_owned()], 80));
        cache.get_or_render(&rendering, Load::Light, "d", || Ok("d".repeat(200))).await.unwrap();
        assert_eq!(cache.lock().bytes, 0, "larger than the cache");
    }
}
