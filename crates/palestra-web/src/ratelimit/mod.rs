//! Rate limits (token buckets per account, address or text) and limits on what a visitor has under way at a time.

mod concurrency;

use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use palestra_store::Id;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::error::Refused;
use crate::thinking::MAX_WAITING_ANALYSES;
use crate::visitor::Visitor;
use concurrency::ConcurrencyLimit;
pub(crate) use concurrency::Slot;

/// Makes all rate limits from one list: a name, the size of the bucket, and the seconds in which an empty one refills.
macro_rules! limits {
    ($($(#[$meaning:meta])* $name:ident: $burst:literal in $seconds:literal,)*) => {
        /// All rate limits. Those by address leave room for a class of 120 behind one; those by account or e-mail are
        /// the strict ones.
        pub(crate) struct Limits {
            salt: RandomState,
            sockets: ConcurrencyLimit,
            all_sockets: Arc<Semaphore>,
            analyses: ConcurrencyLimit,
            large_lines: ConcurrencyLimit,
            $($(#[$meaning])* pub(crate) $name: Limit,)*
        }

        impl Limits {
            /// All rate limits, with `max_sockets` WebSockets in all.
            pub(crate) fn new(max_sockets: usize) -> Self {
                Self {
                    salt: RandomState::new(),
                    sockets: ConcurrencyLimit::default(),
                    all_sockets: Arc::new(Semaphore::new(max_sockets)),
                    analyses: ConcurrencyLimit::default(),
                    large_lines: ConcurrencyLimit::default(),
                    $($name: Limit::new($burst, $seconds),)*
                }
            }

            /// Drops the buckets that are full again.
            pub(crate) fn forget_idle(&self) {
                $(self.$name.forget_idle();)*
            }
        }
    };
}

limits! {
    /// Passwords tried, by address.
    sign_in: 240 in 120,
    /// Passwords tried for one account from one address.
    sign_in_pair: 10 in 600,
    /// Passwords tried for one account from anywhere.
    sign_in_email: 100 in 600,
    /// Registrations, by address.
    register: 200 in 400,
    /// Mails to one e-mail address that anybody can ask for.
    mail: 5 in 3600,
    /// Links for forgotten passwords, by address.
    forgotten: 120 in 1200,
    /// API tokens made.
    tokens: 20 in 3600,
    /// Tables opened.
    tables: 240 in 240,
    /// Rematches, by person.
    rematches: 30 in 300,
    /// Words said at tables.
    chat: 10 in 20,
    /// Analyses asked for.
    analyse: 240 in 120,
    /// Files uploaded.
    uploads: 20 in 600,
    /// Courses and groups made.
    courses: 60 in 3600,
    /// Notices and invitations to courses, by teacher: each may send many mails.
    notices: 20 in 3600,
    /// Teachers named for courses, which tells whether a teacher has an address.
    teachers: 20 in 3600,
    /// Bots registered.
    new_bots: 20 in 3600,
    /// Versions of bots uploaded, or tried again.
    bot_uploads: 30 in 900,
    /// Comparisons of versions.
    comparisons: 20 in 3600,
    /// Maps kept by the editor.
    saved_maps: 60 in 60,
    /// Reports on maps that are being drawn: by person, and by address.
    map_reports: 60 in 60,
    map_reports_address: 2400 in 120,
    /// Maps generated: by person, and by address.
    generated_maps: 20 in 60,
    generated_maps_address: 240 in 240,
    /// Pages that take long to make.
    heavy: 240 in 120,
    /// Layouts and scenes: a class steps through games.
    drawings: 6000 in 120,
    /// Lines of play: a class steps through games and side lines.
    lines: 2400 in 120,
    /// Commands at tables, by person and by address.
    commands: 120 in 12,
    commands_address: 3000 in 10,
    /// WebSockets opened: by person, and by address.
    opening: 60 in 60,
    opening_address: 2000 in 100,
    /// Codes and links that were wrong.
    guesses: 60 in 600,
}

/// The key of a bucket: for whom something is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Address(IpAddr),
    Account(Id),
    /// A hash of text that a visitor typed, such as an e-mail address.
    Text(u64),
    /// Everyone who opened a table before the server was restarted: their addresses are not kept.
    Earlier,
}

/// Who is charged for the CPU time of a move or an analysis: a person, within the group with which they share. Guests
/// of one network are a group, so that new cookies do not multiply a guest; every account is a group of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) group: Key,
    pub(crate) person: Key,
}

impl Key {
    /// The key of an address, or of its /64 network.
    pub(crate) fn address(address: IpAddr) -> Self {
        Self::Address(network(address))
    }

    /// The key of an account, or for guests of their address: a new cookie makes a new guest.
    pub(crate) fn visitor(visitor: &Visitor) -> Self {
        visitor.account.as_ref().map_or_else(|| Self::address(visitor.address), |account| Self::Account(account.id))
    }
}

/// The /64 network of an IPv6 address, all of which belongs to one subscriber; an IPv4 address as it is.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => Ipv6Addr::from_bits(six.to_bits() >> 64 << 64).into(),
    }
}

/// WebSockets that a person may have open.
const MAX_SOCKETS_PER_PERSON: usize = 50;
/// WebSockets that an address may have open: a class with several windows each.
const MAX_SOCKETS_PER_ADDRESS: usize = 1500;

/// A WebSocket that counts for its visitor and among all, until it is dropped.
pub(crate) struct OpenSocket {
    _slot: Slot,
    _of_all: OwnedSemaphorePermit,
}

/// `Retry-After` of a refusal because of too many open WebSockets.
const RETRY_AFTER: Duration = Duration::from_secs(60);

/// Analyses of a guest that may wait or be under way.
const MAX_GUEST_ANALYSES: usize = 1;
/// Analyses of an account that may wait or be under way.
const MAX_ACCOUNT_ANALYSES: usize = 2;
/// Analyses of an address that may wait or be under way. A classroom has one address: it may fill half of the queue,
/// and the other half is left to others.
const MAX_ADDRESS_ANALYSES: usize = MAX_WAITING_ANALYSES / 2;

/// Lines on maps that a person may be waiting for: each may take a second to draw.
const MAX_LARGE_LINES_PER_PERSON: usize = 2;
/// Lines on maps that an address may be waiting for: others are still served within the time that a drawing may wait.
const MAX_LARGE_LINES_PER_ADDRESS: usize = 16;
/// `Retry-After` of a line that is refused because of those.
const LARGE_LINE_RETRY_AFTER: Duration = Duration::from_secs(2);

/// A rate limit: a token bucket for each key.
pub(crate) struct Limit(DefaultKeyedRateLimiter<Key>);

impl Limit {
    /// A bucket of `burst` tokens, which is full again after `seconds`.
    fn new(burst: u32, seconds: u64) -> Self {
        let burst = NonZeroU32::new(burst).expect("limits allow something");
        let quota = Quota::with_period(Duration::from_secs(seconds) / burst.get()).expect("limits take time");
        Self(RateLimiter::keyed(quota.allow_burst(burst)))
    }

    /// Takes a token from the bucket of a key, or says how long to wait for the next.
    pub(crate) fn check(&self, key: Key) -> Result<(), Refused> {
        self.0.check_key(&key).map_err(|wait| Refused::Limited(wait.wait_time_from(DefaultClock::default().now())))
    }

    fn forget_idle(&self) {
        self.0.retain_recent();
        self.0.shrink_to_fit();
    }
}

impl Limits {
    /// The key of text that a visitor typed.
    pub(crate) fn text(&self, text: &str) -> Key {
        Key::Text(self.salt.hash_one(text.trim().to_lowercase()))
    }

    /// Counts an attempt to sign in: by address, by account, and by both together.
    pub(crate) fn try_sign_in(&self, visitor: &Visitor, email: &str) -> Result<(), Refused> {
        // As the store compares addresses: blanks around one make no other of it.
        let email = email.trim();
        self.sign_in.check(Key::address(visitor.address))?;
        self.sign_in_pair.check(self.text(&format!("{email} {:?}", Key::address(visitor.address))))?;
        self.sign_in_email.check(self.text(email))
    }

    /// Counts a command at a table: by person, and by address, which a class of guests shares.
    pub(crate) fn try_command(&self, visitor: &Visitor) -> Result<(), Refused> {
        self.commands_address.check(Key::address(visitor.address))?;
        self.commands.check(self.person(visitor))
    }

    /// Counts a report on a map that is being drawn.
    pub(crate) fn try_map_report(&self, visitor: &Visitor) -> Result<(), Refused> {
        self.map_reports_address.check(Key::address(visitor.address))?;
        self.map_reports.check(self.person(visitor))
    }

    /// Counts a map that is generated.
    pub(crate) fn try_generated_map(&self, visitor: &Visitor) -> Result<(), Refused> {
        self.generated_maps_address.check(Key::address(visitor.address))?;
        self.generated_maps.check(self.person(visitor))
    }

    /// The key of an account, or for guests of their browser. A limit by person needs one by address beside it.
    pub(crate) fn person(&self, visitor: &Visitor) -> Key {
        match &visitor.account {
            Some(account) => Key::Account(account.id),
            None => self.text(visitor.guest().as_str()),
        }
    }

    /// The owner who is charged for the CPU time of this visitor.
    pub(crate) fn owner(&self, visitor: &Visitor) -> Owner {
        Owner { group: Key::visitor(visitor), person: self.person(visitor) }
    }

    /// The owner who is charged for a table that was opened before the server was restarted.
    pub(crate) fn earlier_owner(&self, creator: &str) -> Owner {
        Owner { group: Key::Earlier, person: self.text(creator) }
    }

    /// Counts a WebSocket that is opened, until it is dropped.
    pub(crate) fn open_socket(&self, visitor: &Visitor) -> Result<OpenSocket, Refused> {
        self.opening_address.check(Key::address(visitor.address))?;
        self.opening.check(self.person(visitor))?;
        let of_all = self.all_sockets.clone().try_acquire_owned().map_err(|_| Refused::Limited(RETRY_AFTER))?;
        let holders =
            [(self.person(visitor), MAX_SOCKETS_PER_PERSON), (Key::address(visitor.address), MAX_SOCKETS_PER_ADDRESS)];
        let slot = self.sockets.take(holders).ok_or(Refused::Limited(RETRY_AFTER))?;
        Ok(OpenSocket { _slot: slot, _of_all: of_all })
    }

    /// Counts an analysis that waits or is under way; none if the visitor has as many as allowed.
    pub(crate) fn begin_analysis(&self, visitor: &Visitor) -> Option<Slot> {
        let most = if visitor.account.is_some() { MAX_ACCOUNT_ANALYSES } else { MAX_GUEST_ANALYSES };
        self.analyses.take([(self.person(visitor), most), (Key::address(visitor.address), MAX_ADDRESS_ANALYSES)])
    }

    /// Counts a line on a map until it is drawn.
    pub(crate) fn begin_large_line(&self, visitor: &Visitor) -> Result<Slot, Refused> {
        let holders = [
            (self.person(visitor), MAX_LARGE_LINES_PER_PERSON),
            (Key::address(visitor.address), MAX_LARGE_LINES_PER_ADDRESS),
        ];
        self.large_lines.take(holders).ok_or(Refused::Limited(LARGE_LINE_RETRY_AFTER))
    }

    /// What a secret link or code leads to. Guesses that lead nowhere are rate-limited by address.
    pub(crate) fn found<T>(&self, visitor: &Visitor, found: Option<T>, wrong: Refused) -> Result<T, Refused> {
        if found.is_none() {
            self.guesses.check(Key::address(visitor.address))?;
        }
        found.ok_or(wrong)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use palestra_store::{Account, Role, Token};

    use super::*;
    use crate::locale::Locale;

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

    /// A guest at the address with this number.
    fn guest(number: u32) -> Visitor {
        Visitor {
            locale: Locale::English,
            theme: crate::theme::Theme::Auto,
            path: String::new(),
            is_switch: false,
            address: Ipv4Addr::from_bits(0x0a00_0000 + number).into(),
            reached: None,
            token: Token::random(),
            account: None,
            has_courses: false,
            scopes: None,
        }
    }

    /// Number of these requests that pass in a burst.
    fn let_through(mut attempt: impl FnMut(u32) -> Result<(), Refused>) -> u32 {
        (0..1000).find(|&number| attempt(number).is_err()).expect("there is a limit")
    }

    #[test]
    fn passwords_are_limited_by_account_by_address_and_by_both() {
        let limits = Limits::new(1);
        let from_anywhere = let_through(|number| limits.try_sign_in(&guest(number), "ada@example.org"));
        assert_eq!(from_anywhere, 100, "for one account from all addresses");
        assert!(limits.try_sign_in(&guest(2000), " ADA@example.org ").is_err(), "however it is written");
        let of_one = let_through(|_| limits.try_sign_in(&guest(3000), "bob@example.org"));
        assert_eq!(of_one, 10, "for one account from one address");
        limits.try_sign_in(&guest(3001), "bob@example.org").unwrap();
        let of_all = let_through(|number| limits.try_sign_in(&guest(4000), &format!("{number}@example.org")));
        assert!((240..=250).contains(&of_all), "{of_all} for all accounts from one address");
    }

    fn account(id: Id, number: u32) -> Visitor {
        let account = Account {
            id,
            nickname: format!("n{id}"),
            name: String::new(),
            email: String::new(),
            password: String::new(),
            role: Role::Student,
            created_ms: 0,
        };
        Visitor { account: Some(account), ..guest(number) }
    }

    #[test]
    fn new_cookies_do_not_multiply_the_commands_of_an_address() {
        let limits = Limits::new(1);
        let one = guest(1);
        let of_one = let_through(|_| limits.try_command(&one));
        assert!((120..200).contains(&of_one), "{of_one} commands of one guest");
        let refused = (0..20_000).find(|_| limits.try_command(&guest(2)).is_err());
        assert!(refused.is_some_and(|number| number >= 3000), "{refused:?} commands of one address");
        limits.try_command(&guest(3)).unwrap();
    }

    #[test]
    fn websockets_are_limited_for_a_person_and_in_all() {
        let limits = Limits::new(70);
        let one = guest(1);
        let mut open: Vec<OpenSocket> = std::iter::from_fn(|| limits.open_socket(&one).ok()).collect();
        assert_eq!(open.len(), MAX_SOCKETS_PER_PERSON, "of one person");
        open.extend((2..).map_while(|number| limits.open_socket(&guest(number)).ok()));
        assert_eq!(open.len(), 70, "of all");
        open.pop();
        assert!(limits.open_socket(&guest(1000)).is_ok(), "one that is closed makes room");
    }

    #[test]
    fn analyses_are_limited_for_a_person_and_an_address() {
        let limits = Limits::new(1);
        for (visitor, most) in [(guest(1), MAX_GUEST_ANALYSES), (account(7, 1), MAX_ACCOUNT_ANALYSES)] {
            let under_way: Vec<Slot> = std::iter::from_fn(|| limits.begin_analysis(&visitor)).collect();
            assert_eq!(under_way.len(), most, "{:?}", visitor.account);
        }
        let class: Vec<Slot> = std::iter::from_fn(|| limits.begin_analysis(&guest(2))).take(1000).collect();
        assert_eq!(class.len(), MAX_WAITING_ANALYSES / 2, "others find room in the queue");
    }

    #[test]
    fn guests_of_a_network_share_their_cpu_time_and_accounts_do_not() {
        let limits = Limits::new(1);
        let (one, other) = (limits.owner(&guest(1)), limits.owner(&guest(1)));
        assert!(one.group == other.group && one.person != other.person, "{one:?} {other:?}");
        let (one, other) = (limits.owner(&account(1, 1)), limits.owner(&account(2, 1)));
        assert!(one.group != other.group && one.person != other.person, "{one:?} {other:?}");
    }

    #[test]
    fn a_class_behind_one_address_can_begin_all_at_once() {
        let (limits, school) = (Limits::new(1), address("192.0.2.1"));
        for _ in 0..120 {
            limits.register.check(school).unwrap();
            limits.sign_in.check(school).unwrap();
            limits.tables.check(school).unwrap();
            limits.analyse.check(school).unwrap();
        }
    }
}
