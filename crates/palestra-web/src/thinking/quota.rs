//! How much of the queue one person may have.

use std::collections::HashMap;
use std::net::IpAddr;

use palestra_store::{Id, TokenHash};

use crate::limits::network;
use crate::visitor::Visitor;

/// Who wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asker {
    person: Share,
    address: Share,
}

/// Somebody who has a share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Share {
    Account(Id),
    Guest(TokenHash),
    Address(IpAddr),
}

impl Share {
    /// How many questions may wait or be under way at a time. A classroom has one address: that may fill half of the queue,
    /// and the other half is left to the rest of the world.
    const fn most(&self) -> usize {
        match self {
            Self::Account(_) => 2,
            Self::Guest(_) => 1,
            Self::Address(_) => super::pool::MOST_WAITING / 2,
        }
    }
}

impl From<&Visitor> for Asker {
    fn from(visitor: &Visitor) -> Self {
        let guest = || Share::Guest(visitor.guest());
        let person = visitor.account.as_ref().map_or_else(guest, |account| Share::Account(account.id));
        Self { person, address: Share::Address(network(visitor.address)) }
    }
}

/// What everybody has now.
#[derive(Debug, Default)]
pub(super) struct Quotas(HashMap<Share, usize>);

impl Quotas {
    /// Whether somebody may have one more.
    pub(super) fn has_room(&self, asker: &Asker) -> bool {
        [&asker.person, &asker.address].into_iter().all(|share| self.0.get(share).is_none_or(|&has| has < share.most()))
    }

    /// Somebody has one more.
    pub(super) fn take(&mut self, asker: &Asker) {
        for share in [&asker.person, &asker.address] {
            *self.0.entry(share.clone()).or_default() += 1;
        }
    }

    /// Somebody has one less.
    pub(super) fn give_back(&mut self, asker: &Asker) {
        for share in [&asker.person, &asker.address] {
            if let Some(has) = self.0.get_mut(share) {
                *has -= 1;
                if *has == 0 {
                    self.0.remove(share);
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn asker(account: Id, address: &str) -> Asker {
    Asker { person: Share::Account(account), address: Share::Address(network(address.parse().unwrap())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_has_a_share_and_so_has_an_address() {
        let mut quotas = Quotas::default();
        let one = asker(1, "10.0.0.1");
        quotas.take(&one);
        assert!(quotas.has_room(&one));
        quotas.take(&one);
        assert!(!quotas.has_room(&one), "two at a time");
        assert!(quotas.has_room(&asker(2, "10.0.0.1")));
        for account in 2..32 {
            quotas.take(&asker(account, "10.0.0.1"));
        }
        assert!(!quotas.has_room(&asker(100, "10.0.0.1")), "the address has half of the queue");
        assert!(quotas.has_room(&asker(100, "10.0.0.2")));
        quotas.give_back(&one);
        assert!(quotas.has_room(&one));
    }

    #[test]
    fn nothing_is_remembered_of_who_has_nothing() {
        let mut quotas = Quotas::default();
        quotas.take(&asker(1, "::1"));
        quotas.give_back(&asker(1, "::1"));
        assert!(quotas.0.is_empty());
    }
}
