//! How often somebody may do what costs something.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use palestra_store::Id;

use crate::refused::Refused;
use crate::visitor::Visitor;

/// All limits. Those by address leave room for a class of 120 behind one; those by account or e-mail are the strict ones.
pub(crate) struct Limits {
    salt: RandomState,
    /// Passwords tried, by address.
    pub(crate) sign_in: Limit,
    /// Passwords tried for one account from one address.
    pub(crate) sign_in_pair: Limit,
    /// Passwords tried for one account from anywhere.
    pub(crate) sign_in_email: Limit,
    /// Registrations, by address.
    pub(crate) register: Limit,
    /// Mails to one e-mail address that anybody can ask for.
    pub(crate) mail: Limit,
    /// Links for forgotten passwords, by address.
    pub(crate) forgotten: Limit,
    /// API tokens made.
    pub(crate) tokens: Limit,
    /// Tables opened.
    pub(crate) tables: Limit,
    /// Rematches, by person.
    pub(crate) rematches: Limit,
    /// Words said at tables.
    pub(crate) chat: Limit,
    /// Analyses asked for.
    pub(crate) analyse: Limit,
    /// Files uploaded.
    pub(crate) uploads: Limit,
    /// Pages that take long to make.
    pub(crate) heavy: Limit,
    /// Whatever is done at tables: by person, and by address.
    pub(crate) commands: Limit,
    pub(crate) commands_address: Limit,
    /// Codes and links that were wrong.
    pub(crate) guesses: Limit,
    /// Not so many in a time, but so many at a time.
    pub(crate) sockets: Sockets,
}

/// For whom something is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Address(IpAddr),
    Account(Id),
    /// A hash of something that somebody typed.
    Text(u64),
}

impl Key {
    /// By address.
    pub(crate) fn address(address: IpAddr) -> Self {
        Self::Address(network(address))
    }

    /// By account, or for guests by address: a guest can be somebody new at any time.
    pub(crate) fn visitor(visitor: &Visitor) -> Self {
        visitor.account.as_ref().map_or_else(|| Self::address(visitor.address), |account| Self::Account(account.id))
    }
}

/// Whoever has an IPv6 address has the 2^64 beside it too: they count as one.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => Ipv6Addr::from_bits(six.to_bits() >> 64 << 64).into(),
    }
}

/// Connections that stay open, and whose they are.
#[derive(Clone, Default)]
pub(crate) struct Sockets(Arc<Mutex<HashMap<Key, usize>>>);

/// One of them; it is given back when this is dropped.
pub(crate) struct OpenSocket {
    sockets: Sockets,
    keys: [Key; 2],
}

/// How many connections a person may have open, and an address: a class with several windows each.
const PERSONS_SOCKETS: usize = 50;
const ADDRESS_SOCKETS: usize = 1500;

/// When there are too many, some will have ended after that.
const COME_BACK: Duration = Duration::from_secs(60);

impl Sockets {
    /// One more, or a refusal.
    pub(crate) fn open(&self, person: Key, address: IpAddr) -> Result<OpenSocket, Refused> {
        let keys = [person, Key::address(address)];
        let mut open = self.lock();
        let has = |key: &Key| open.get(key).copied().unwrap_or_default();
        if has(&keys[0]) >= PERSONS_SOCKETS || has(&keys[1]) >= ADDRESS_SOCKETS {
            return Err(Refused::Limited(COME_BACK));
        }
        keys.iter().for_each(|key| *open.entry(*key).or_default() += 1);
        drop(open);
        Ok(OpenSocket { sockets: self.clone(), keys })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenSocket {
    fn drop(&mut self) {
        let mut open = self.sockets.lock();
        for key in self.keys {
            if let Some(count) = open.get_mut(&key) {
                *count -= 1;
            }
        }
        open.retain(|_, count| *count > 0);
    }
}

/// One limit.
pub(crate) struct Limit(DefaultKeyedRateLimiter<Key>);

impl Limit {
    /// So many at once; they are all there again after that time, one after the other.
    fn new(burst: u32, seconds: u64) -> Self {
        let burst = NonZeroU32::new(burst).expect("limits allow something");
        let quota = Quota::with_period(Duration::from_secs(seconds) / burst.get()).expect("limits take time");
        Self(RateLimiter::keyed(quota.allow_burst(burst)))
    }

    /// Counts one, or says how long to wait.
    pub(crate) fn check(&self, key: Key) -> Result<(), Refused> {
        self.0.check_key(&key).map_err(|wait| Refused::Limited(wait.wait_time_from(DefaultClock::default().now())))
    }
}

impl Limits {
    pub(crate) fn new() -> Self {
        Self {
            salt: RandomState::new(),
            sign_in: Limit::new(240, 120),
            sign_in_pair: Limit::new(10, 600),
            sign_in_email: Limit::new(100, 600),
            register: Limit::new(200, 400),
            mail: Limit::new(5, 3600),
            forgotten: Limit::new(120, 1200),
            tokens: Limit::new(20, 3600),
            tables: Limit::new(240, 240),
            rematches: Limit::new(30, 300),
            chat: Limit::new(10, 20),
            analyse: Limit::new(240, 120),
            uploads: Limit::new(20, 600),
            heavy: Limit::new(240, 120),
            commands: Limit::new(120, 12),
            commands_address: Limit::new(3000, 10),
            guesses: Limit::new(60, 600),
            sockets: Sockets::default(),
        }
    }

    /// Counts by something that somebody typed.
    pub(crate) fn text(&self, text: &str) -> Key {
        Key::Text(self.salt.hash_one(text.trim().to_lowercase()))
    }

    /// An attempt to sign in.
    pub(crate) fn try_sign_in(&self, visitor: &Visitor, email: &str) -> Result<(), Refused> {
        // As the store compares addresses: blanks around one make no other of it.
        let email = email.trim();
        self.sign_in.check(Key::address(visitor.address))?;
        self.sign_in_pair.check(self.text(&format!("{email} {:?}", Key::address(visitor.address))))?;
        self.sign_in_email.check(self.text(email))
    }

    /// Something is wanted at a table. A class of guests has one address, so that each counts, and all together.
    pub(crate) fn try_command(&self, visitor: &Visitor) -> Result<(), Refused> {
        self.commands_address.check(Key::address(visitor.address))?;
        self.commands.check(self.person(visitor))
    }

    /// By account, or for guests by browser. Whoever counts so must count by address too.
    pub(crate) fn person(&self, visitor: &Visitor) -> Key {
        match &visitor.account {
            Some(account) => Key::Account(account.id),
            None => self.text(visitor.guest().as_str()),
        }
    }

    /// Forgets whoever has not been seen for so long that nothing is counted any more.
    pub(crate) fn forget_idle(&self) {
        let Self {
            salt: _,
            sockets: _,
            sign_in,
            sign_in_pair,
            sign_in_email,
            register,
            mail,
            forgotten,
            tokens,
            tables,
            rematches,
            chat,
            analyse,
            uploads,
            heavy,
            commands,
            commands_address,
            guesses,
        } = self;
        let all = [
            sign_in,
            sign_in_pair,
            sign_in_email,
            register,
            mail,
            forgotten,
            tokens,
            tables,
            rematches,
            chat,
            analyse,
            uploads,
            heavy,
            commands,
            commands_address,
            guesses,
        ];
        for limit in all {
            limit.0.retain_recent();
            limit.0.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Key {
        Key::address(text.parse().unwrap())
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one() {
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff:1"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_ne!(address("192.0.2.1"), address("192.0.2.2"));
    }

    #[test]
    fn what_is_too_much_for_one_is_not_for_another() {
        let limit = Limit::new(2, 3600);
        let (one, other) = (address("192.0.2.1"), address("192.0.2.2"));
        assert!(limit.check(one).is_ok() && limit.check(one).is_ok());
        let Err(Refused::Limited(wait)) = limit.check(one) else { panic!("the third is too much") };
        assert!(wait > Duration::from_secs(1000) && wait <= Duration::from_secs(1800), "{wait:?}");
        assert!(limit.check(other).is_ok());
    }

    #[test]
    fn whoever_has_too_many_connections_closes_one_first() {
        let (sockets, school) = (Sockets::default(), "192.0.2.1".parse().unwrap());
        let mut open: Vec<_> = (0..PERSONS_SOCKETS).map(|_| sockets.open(Key::Account(1), school).unwrap()).collect();
        assert!(sockets.open(Key::Account(1), school).is_err());
        open.extend((50..ADDRESS_SOCKETS).map(|id| sockets.open(Key::Account(id as Id), school).unwrap()));
        assert!(sockets.open(Key::Account(2), school).is_err(), "the address has enough");
        assert!(sockets.open(Key::Account(2), "192.0.2.2".parse().unwrap()).is_ok());
        open.pop();
        assert!(sockets.open(Key::Account(2), school).is_ok());
        drop(open);
        assert!(sockets.lock().is_empty());
    }

    #[test]
    fn a_class_behind_one_address_can_begin_all_at_once() {
        let (limits, school) = (Limits::new(), address("192.0.2.1"));
        for _ in 0..120 {
            limits.register.check(school).unwrap();
            limits.sign_in.check(school).unwrap();
            limits.tables.check(school).unwrap();
            limits.analyse.check(school).unwrap();
        }
    }
}
