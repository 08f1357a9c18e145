//! Which connections are open, whose they are, and which of them are idle.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::metrics::CONNECTIONS;
use crate::ratelimit::Key;

/// All open connections of a server.
pub(super) struct Registry {
    total: usize,
    per_address: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    /// Counts connections, and the times at which they became idle.
    counter: u64,
    connections: HashMap<u64, Connection>,
    addresses: HashMap<Key, Address>,
    /// Idle connections, the one that has been idle longest first: when it became idle, and which it is.
    idle: BTreeMap<u64, u64>,
}

struct Connection {
    /// Whose share it counts in; a trusted proxy's in none.
    owner: Option<Key>,
    /// The key among the idle connections, if this one is idle.
    idle: Option<u64>,
    close: Arc<Notify>,
}

#[derive(Default)]
struct Address {
    open: usize,
    idle: BTreeMap<u64, u64>,
}

impl Registry {
    pub(super) fn new(total: usize, per_address: usize) -> Arc<Self> {
        Arc::new(Self { total, per_address, open: Mutex::default() })
    }

    /// A place for a new connection. If its owner has a full share, or there are too many in all, the one that has been
    /// idle longest is closed for it; if none is idle, there is no place.
    pub(super) fn admit(self: &Arc<Self>, owner: Option<Key>) -> Option<Arc<Place>> {
        let mut open = self.lock();
        let share = owner.and_then(|key| open.addresses.get(&key)).filter(|address| address.open >= self.per_address);
        if let Some(oldest) = share.map(|address| address.idle.values().next().copied()) {
            open.close(oldest?);
        }
        if open.connections.len() >= self.total {
            let oldest = open.idle.values().next().copied();
            open.close(oldest?);
        }
        let (id, close) = (open.count(), Arc::new(Notify::new()));
        open.connections.insert(id, Connection { owner, idle: None, close: close.clone() });
        if let Some(key) = owner {
            open.addresses.entry(key).or_default().open += 1;
        }
        open.set_idle(id, true);
        open.measure();
        Some(Arc::new(Place { registry: self.clone(), id, close }))
    }

    /// Closes the connection that has been idle longest. Whether there is one.
    pub(super) fn close_oldest_idle(&self) -> bool {
        let mut open = self.lock();
        let oldest = open.idle.values().next().copied();
        oldest.inspect(|id| open.close(*id)).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    const fn count(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    /// Notes that a connection is idle from now on, or is not.
    fn set_idle(&mut self, id: u64, is_idle: bool) {
        let now = self.count();
        // One that was closed to make room is not known any more.
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let share = connection.owner.and_then(|key| self.addresses.get_mut(&key)).map(|address| &mut address.idle);
        for idle in [Some(&mut self.idle), share].into_iter().flatten() {
            if let Some(since) = connection.idle {
                idle.remove(&since);
            }
            if is_idle {
                idle.insert(now, id);
            }
        }
        connection.idle = is_idle.then_some(now);
    }

    fn close(&mut self, id: u64) {
        if let Some(connection) = self.remove(id) {
            connection.close.notify_one();
        }
    }

    fn remove(&mut self, id: u64) -> Option<Connection> {
        self.set_idle(id, false);
        let connection = self.connections.remove(&id)?;
        if let Some(key) = connection.owner
            && let Some(address) = self.addresses.get_mut(&key)
        {
            address.open -= 1;
            if address.open == 0 {
                self.addresses.remove(&key);
            }
        }
        self.measure();
        Some(connection)
    }

    fn measure(&self) {
        metrics::gauge!(CONNECTIONS).set(self.connections.len() as f64);
    }
}

/// The place of a connection among all; given up when dropped.
pub(super) struct Place {
    registry: Arc<Registry>,
    id: u64,
    close: Arc<Notify>,
}

/// A response under way: its connection is idle again when this is dropped, unless it has become a WebSocket.
pub(super) struct Busy {
    place: Arc<Place>,
    is_upgraded: bool,
}

impl Place {
    /// Completes when the connection is to be closed to make room for another.
    pub(super) async fn closed(&self) {
        self.close.notified().await;
    }

    /// The server works for the connection.
    pub(super) fn set_busy(&self) {
        self.registry.lock().set_idle(self.id, false);
    }

    /// The connection is busy as long as the answer lives.
    pub(super) fn busy(self: &Arc<Self>) -> Busy {
        self.set_busy();
        Busy { place: self.clone(), is_upgraded: false }
    }
}

impl Busy {
    /// The connection has become a WebSocket, which is never idle.
    pub(super) const fn upgrade(&mut self) {
        self.is_upgraded = true;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.registry.lock().remove(self.id);
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        if !self.is_upgraded {
            self.place.registry.lock().set_idle(self.place.id, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Option<Key> {
        Some(Key::address(text.parse().unwrap()))
    }

    fn is_closed(place: &Place) -> bool {
        !place.registry.lock().connections.contains_key(&place.id)
    }

    #[test]
    fn the_connection_that_has_been_idle_longest_makes_room() {
        let registry = Registry::new(3, 3);
        let places = [0; 3].map(|_| registry.admit(None).unwrap());
        let busy = places[0].busy();
        drop(places[1].busy());
        let newer = registry.admit(None).unwrap();
        assert_eq!([0, 1, 2].map(|index| is_closed(&places[index])), [false, false, true]);
        let newest = registry.admit(None).unwrap();
        assert!(is_closed(&places[1]) && !is_closed(&newer));
        let _busy = [newer.busy(), newest.busy()];
        assert!(registry.admit(None).is_none(), "all are busy");
        drop(busy);
        assert!(registry.admit(None).is_some());
    }

    #[test]
    fn an_address_has_a_share_and_a_proxy_has_none() {
        let registry = Registry::new(10, 2);
        let other = registry.admit(address("192.0.2.2")).unwrap();
        let one = [0; 2].map(|_| registry.admit(address("192.0.2.1")).unwrap());
        let more = registry.admit(address("192.0.2.1")).unwrap();
        assert!(is_closed(&one[0]) && !is_closed(&one[1]) && !is_closed(&other));
        let _busy = [one[1].busy(), more.busy()];
        assert!(registry.admit(address("192.0.2.1")).is_none());
        let proxied: Vec<_> = (0..7).map(|_| registry.admit(None).unwrap()).collect();
        assert!(proxied.iter().all(|place| !is_closed(place)) && !is_closed(&other));
    }

    #[test]
    fn a_websocket_is_never_idle_and_counts_until_it_ends() {
        let registry = Registry::new(1, 1);
        let place = registry.admit(address("192.0.2.1")).unwrap();
        let mut busy = place.busy();
        busy.upgrade();
        drop(busy);
        assert!(registry.admit(address("192.0.2.2")).is_none());
        drop(place);
        assert!(registry.admit(address("192.0.2.2")).is_some());
        assert!(registry.lock().addresses.is_empty() && registry.lock().idle.is_empty(), "nothing is left behind");
    }
}
