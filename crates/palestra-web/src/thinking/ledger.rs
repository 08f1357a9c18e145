//! The virtual times of start-time fair queueing: how much each visitor has used.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// The CPU time used by each key (a group or a person), for fair queueing.
#[derive(Debug)]
pub(super) struct Ledger<K> {
    accounts: HashMap<K, Account>,
    /// The virtual time: what the visitor served last had used before. A visitor who joins now starts here.
    now: Duration,
}

#[derive(Debug, Default)]
struct Account {
    used: Duration,
    /// Tasks that wait or run.
    tasks: usize,
}

impl<K> Default for Ledger<K> {
    fn default() -> Self {
        Self { accounts: HashMap::new(), now: Duration::ZERO }
    }
}

impl<K: Copy + Eq + Hash> Ledger<K> {
    /// One more task. Who had none starts where the others are: a pause earns nothing.
    pub(super) fn join(&mut self, key: K) {
        let account = self.accounts.entry(key).or_default();
        if account.tasks == 0 {
            account.used = account.used.max(self.now);
        }
        account.tasks += 1;
    }

    /// The virtual time of a visitor: the one with the least goes next.
    pub(super) fn used(&self, key: K) -> Duration {
        self.accounts.get(&key).map_or(self.now, |account| account.used)
    }

    /// A task begins and is charged with its bound.
    pub(super) fn begin(&mut self, key: K, bound: Duration) {
        if let Some(account) = self.accounts.get_mut(&key) {
            self.now = self.now.max(account.used);
            account.used += bound;
        }
    }

    /// A task that was charged with its bound has used this much.
    pub(super) fn correct(&mut self, key: K, bound: Duration, cost: Duration) {
        if let Some(account) = self.accounts.get_mut(&key) {
            account.used = (account.used + cost).saturating_sub(bound);
        }
    }

    /// One task less. Accounts that say nothing any more are forgotten.
    pub(super) fn leave(&mut self, key: K) {
        if let Some(account) = self.accounts.get_mut(&key) {
            account.tasks = account.tasks.saturating_sub(1);
        }
        let now = self.now;
        self.accounts.retain(|_, account| account.tasks > 0 || account.used > now);
    }

    /// Whether there is an account for this visitor.
    pub(super) fn knows(&self, key: K) -> bool {
        self.accounts.contains_key(&key)
    }
}
