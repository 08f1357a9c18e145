//! Which task goes next: weighted fair queueing by measured CPU time.
//!
//! The visitor who has used least goes next (start-time fair queueing). That is decided three times: first between the
//! kinds of work, then between groups (an account, or all guests of a network), then between the people of a group. A
//! task that begins is charged with all it may use; when it ends the charge is corrected to what it did use. A visitor
//! who comes back after a pause starts where the others are: first in line, but with nothing saved up.

use std::collections::HashMap;
use std::time::Duration;

use super::ledger::Ledger;
use crate::ratelimit::{Key, Owner};

/// The kind of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// A move that a table waits for.
    Move,
    /// An analysis that a visitor waits for.
    Analysis,
}

impl Kind {
    /// Shares of the thread time while both kinds wait: three quarters for moves, a quarter for analyses.
    const fn weight(self) -> u32 {
        match self {
            Self::Move => 3,
            Self::Analysis => 1,
        }
    }
}

/// The entry of a task in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ticket {
    pub(super) kind: Kind,
    pub(super) owner: Owner,
    /// The CPU time that it may use.
    pub(super) bound: Duration,
}

/// Tasks that wait, and what those who asked for them have used.
#[derive(Debug)]
pub(super) struct Queue<T> {
    waiting: Vec<(Ticket, T)>,
    kinds: Ledger<Kind>,
    /// Apart for each kind, so that they cannot disturb each other's order.
    lanes: HashMap<Kind, Lane>,
    running: usize,
    running_analyses: usize,
    max_analyses: usize,
}

/// The CPU time that groups, and the people in each, have used for one kind of task.
#[derive(Debug, Default)]
struct Lane {
    groups: Ledger<Key>,
    people: HashMap<Key, Ledger<Key>>,
}

impl<T> Queue<T> {
    /// A queue for this number of threads. An analysis takes longer than a move, so where there are several threads one
    /// is left to moves.
    pub(super) fn new(threads: usize) -> Self {
        Self {
            waiting: vec![],
            kinds: Ledger::default(),
            lanes: HashMap::new(),
            running: 0,
            running_analyses: 0,
            max_analyses: threads.saturating_sub(1).max(1),
        }
    }

    pub(super) fn push(&mut self, ticket: Ticket, task: T) {
        self.kinds.join(ticket.kind);
        self.lanes.entry(ticket.kind).or_default().join(ticket.owner);
        self.waiting.push((ticket, task));
    }

    /// The task that goes next, charged with all that it may use.
    pub(super) fn pop(&mut self) -> Option<(Ticket, T)> {
        let may_run = |ticket: &Ticket| ticket.kind == Kind::Move || self.running_analyses < self.max_analyses;
        let candidates = self.waiting.iter().enumerate().filter(|(_, (ticket, _))| may_run(ticket));
        let (index, _) = candidates.min_by_key(|(index, (ticket, _))| (self.place(ticket), *index))?;
        let (ticket, task) = self.waiting.remove(index);
        self.running += 1;
        self.running_analyses += usize::from(ticket.kind == Kind::Analysis);
        self.kinds.begin(ticket.kind, ticket.bound / ticket.kind.weight());
        if let Some(lane) = self.lanes.get_mut(&ticket.kind) {
            lane.begin(&ticket);
        }
        Some((ticket, task))
    }

    /// The sort key of a task: the least goes first.
    fn place(&self, ticket: &Ticket) -> (Duration, Kind, [Duration; 2]) {
        let used = self.lanes.get(&ticket.kind).map_or_else(Default::default, |lane| lane.used(ticket.owner));
        (self.kinds.used(ticket.kind), ticket.kind, used)
    }

    /// A task has ended and used this much CPU time.
    pub(super) fn finish(&mut self, ticket: Ticket, cost: Duration) {
        let Ticket { kind, bound, .. } = ticket;
        self.running -= 1;
        self.running_analyses -= usize::from(kind == Kind::Analysis);
        self.kinds.correct(kind, bound / kind.weight(), cost / kind.weight());
        if let Some(lane) = self.lanes.get_mut(&kind) {
            lane.correct(&ticket, cost);
        }
        self.leave(&ticket);
    }

    /// Drops what waits and is not wanted any more.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(&T) -> bool) {
        let unwanted: Vec<_> = self.waiting.extract_if(.., |(_, task)| !is_wanted(task)).collect();
        unwanted.iter().for_each(|(ticket, _)| self.leave(ticket));
    }

    fn leave(&mut self, ticket: &Ticket) {
        self.kinds.leave(ticket.kind);
        if let Some(lane) = self.lanes.get_mut(&ticket.kind) {
            lane.leave(ticket.owner);
        }
        // Nobody has to wait for what was used when there was enough for all.
        if self.running == 0 && self.waiting.is_empty() {
            (self.kinds, self.lanes) = (Ledger::default(), HashMap::new());
        }
    }

    /// Number of queued tasks of a kind.
    pub(super) fn waiting(&self, kind: Kind) -> usize {
        self.of(kind).count()
    }

    /// Time until one more analysis would be done, if all queued tasks use as much as they may.
    pub(super) fn wait(&self, bound: Duration) -> Duration {
        let waiting: Duration = self.of(Kind::Analysis).map(|ticket| ticket.bound).sum();
        (waiting + bound) / u32::try_from(self.max_analyses).unwrap_or(u32::MAX)
    }

    fn of(&self, kind: Kind) -> impl Iterator<Item = &Ticket> {
        self.waiting.iter().map(|(ticket, _)| ticket).filter(move |ticket| ticket.kind == kind)
    }
}

impl Lane {
    fn join(&mut self, Owner { group, person }: Owner) {
        self.groups.join(group);
        self.people.entry(group).or_default().join(person);
    }

    fn used(&self, Owner { group, person }: Owner) -> [Duration; 2] {
        let of_person = self.people.get(&group).map_or_else(Duration::default, |people| people.used(person));
        [self.groups.used(group), of_person]
    }

    fn begin(&mut self, ticket: &Ticket) {
        let Owner { group, person } = ticket.owner;
        self.groups.begin(group, ticket.bound);
        if let Some(people) = self.people.get_mut(&group) {
            people.begin(person, ticket.bound);
        }
    }

    fn correct(&mut self, ticket: &Ticket, cost: Duration) {
        let Owner { group, person } = ticket.owner;
        self.groups.correct(group, ticket.bound, cost);
        if let Some(people) = self.people.get_mut(&group) {
            people.correct(person, ticket.bound, cost);
        }
    }

    fn leave(&mut self, Owner { group, person }: Owner) {
        self.groups.leave(group);
        if let Some(people) = self.people.get_mut(&group) {
            people.leave(person);
        }
        self.people.retain(|group, _| self.groups.knows(*group));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const BOUND: Duration = Duration::from_millis(250);

    /// A queue that is drained by one thread, task after task, with made-up costs.
    struct Drained(Queue<&'static str>);

    impl Drained {
        fn new() -> Self {
            Self(Queue::new(1))
        }

        fn push(&mut self, kind: Kind, (group, person): (u64, u64), word: &'static str) {
            let owner = Owner { group: Key::Text(group), person: Key::Text(person) };
            self.0.push(Ticket { kind, owner, bound: BOUND }, word);
        }

        /// Does the next task, which costs this many milliseconds.
        fn step(&mut self, cost_ms: u32) -> &'static str {
            let (ticket, word) = self.0.pop().unwrap();
            self.0.finish(ticket, MS * cost_ms);
            word
        }

        /// Keeps a task of each of these waiting, with its cost in milliseconds, and says what time each was given.
        fn share(&mut self, wanted: &[(Kind, (u64, u64), &'static str, u32)], rounds: usize) -> Vec<Duration> {
            wanted.iter().for_each(|&(kind, owner, word, _)| self.push(kind, owner, word));
            let mut used = vec![Duration::ZERO; wanted.len()];
            for _ in 0..rounds {
                let (ticket, word) = self.0.pop().unwrap();
                let index = wanted.iter().position(|(_, _, other, _)| *other == word).unwrap();
                let (kind, owner, word, cost_ms) = wanted[index];
                // The next is there before this one ends, as with an owner of many tables.
                self.push(kind, owner, word);
                self.0.finish(ticket, MS * cost_ms);
                used[index] += MS * cost_ms;
            }
            used
        }
    }

    fn ratio(one: Duration, other: Duration) -> f64 {
        one.as_secs_f64() / other.as_secs_f64()
    }

    #[test]
    fn time_is_shared_by_cost_not_by_number() {
        let wanted = [(Kind::Move, (1, 1), "dear", 200), (Kind::Move, (2, 2), "cheap", 5)];
        let used = Drained::new().share(&wanted, 2000);
        assert!((ratio(used[0], used[1]) - 1.0).abs() < 0.1, "{used:?}");
    }

    #[test]
    fn a_newcomer_goes_before_a_heavy_user() {
        let mut queue = Drained::new();
        (0..40).for_each(|_| queue.push(Kind::Move, (1, 1), "greedy"));
        (0..10).for_each(|_| assert_eq!(queue.step(250), "greedy"));
        queue.push(Kind::Move, (2, 2), "newcomer");
        assert_eq!(queue.step(1), "newcomer");
        queue.push(Kind::Analysis, (3, 3), "analysis");
        assert_eq!(queue.step(1), "analysis");
        assert_eq!(queue.step(250), "greedy");
    }

    #[test]
    fn a_pause_earns_nothing() {
        let mut queue = Drained::new();
        queue.push(Kind::Move, (1, 1), "early");
        queue.push(Kind::Move, (2, 2), "steady");
        assert_eq!(queue.step(10), "early");
        // While the first one pauses, the second has a lot done.
        (0..100).for_each(|_| queue.push(Kind::Move, (2, 2), "steady"));
        (0..50).for_each(|_| assert_eq!(queue.step(100), "steady"));
        (0..100).for_each(|_| queue.push(Kind::Move, (1, 1), "early"));
        let done: Vec<_> = (0..20).map(|_| queue.step(100)).collect();
        let early = done.iter().filter(|word| **word == "early").count();
        assert!((10..=11).contains(&early), "{done:?}");
    }

    #[test]
    fn a_short_pause_forgives_nothing() {
        let mut queue = Drained::new();
        (0..9).for_each(|_| queue.push(Kind::Move, (2, 2), "other"));
        queue.push(Kind::Move, (1, 1), "dear");
        assert_eq!(queue.step(1), "other");
        assert_eq!(queue.step(200), "dear");
        queue.push(Kind::Move, (1, 1), "dear");
        for _ in 0..8 {
            assert_eq!(queue.step(20), "other", "it asked again at once, and still waits");
        }
    }

    #[test]
    fn analyses_have_a_quarter_while_moves_wait() {
        let wanted = [(Kind::Move, (1, 1), "move", 100), (Kind::Analysis, (2, 2), "analysis", 100)];
        let used = Drained::new().share(&wanted, 400);
        assert!((ratio(used[0], used[1]) - 3.0).abs() < 0.1, "{used:?}");
    }

    #[test]
    fn analyses_have_everything_while_no_move_waits() {
        let mut queue = Drained::new();
        (0..5).for_each(|_| queue.push(Kind::Analysis, (2, 2), "analysis"));
        (0..5).for_each(|_| assert_eq!(queue.step(100), "analysis"));
    }

    #[test]
    fn new_cookies_do_not_multiply_a_guest() {
        let cookies = ["a", "b", "c", "d", "e"].into_iter().zip(1..);
        let of_guest = cookies.map(|(word, person)| (Kind::Move, (1, person), word, 100));
        let all: Vec<_> = of_guest.chain([(Kind::Move, (2, 9), "other network", 100)]).collect();
        let used = Drained::new().share(&all, 400);
        let of_guest: Duration = used[..5].iter().sum();
        assert!((ratio(of_guest, used[5]) - 1.0).abs() < 0.1, "{used:?}");
    }

    #[test]
    fn a_classmate_is_not_starved_by_another() {
        let wanted = [(Kind::Move, (1, 1), "greedy", 250), (Kind::Move, (1, 2), "classmate", 5)];
        let used = Drained::new().share(&wanted, 2000);
        assert!((ratio(used[0], used[1]) - 1.0).abs() < 0.1, "{used:?}");
    }

    #[test]
    fn an_owner_that_runs_on_all_threads_is_not_next() {
        let mut queue = Queue::new(2);
        let ticket = |owner| {
            let owner = Owner { group: Key::Text(owner), person: Key::Text(owner) };
            Ticket { kind: Kind::Move, owner, bound: BOUND }
        };
        (0..3).for_each(|_| queue.push(ticket(1), "greedy"));
        queue.push(ticket(2), "other");
        assert_eq!(queue.pop().unwrap().1, "greedy");
        assert_eq!(queue.pop().unwrap().1, "other", "a task is charged when it begins, not when it ends");
    }

    #[test]
    fn what_a_running_task_is_charged_is_not_forgiven_when_another_ends() {
        let mut queue = Queue::new(2);
        let ticket = |owner| {
            let owner = Owner { group: Key::Text(owner), person: Key::Text(owner) };
            Ticket { kind: Kind::Move, owner, bound: BOUND }
        };
        queue.push(ticket(1), "long");
        queue.push(ticket(2), "short");
        assert_eq!(queue.pop().unwrap().1, "long");
        let (short, _) = queue.pop().unwrap();
        queue.finish(short, MS);
        queue.push(ticket(1), "long again");
        queue.push(ticket(2), "short again");
        assert_eq!(queue.pop().unwrap().1, "short again");
    }

    #[test]
    fn groups_that_want_nothing_are_forgotten_while_others_run() {
        let mut queue = Queue::new(2);
        let ticket = |owner| {
            let owner = Owner { group: Key::Text(owner), person: Key::Text(owner) };
            Ticket { kind: Kind::Move, owner, bound: BOUND }
        };
        queue.push(ticket(1), "running");
        queue.pop().unwrap();
        for owner in 2..100 {
            queue.push(ticket(owner), "gone");
            let (gone, _) = queue.pop().unwrap();
            queue.finish(gone, Duration::ZERO);
        }
        assert_eq!(queue.lanes[&Kind::Move].people.len(), 1, "only the one that runs");
    }

    #[test]
    fn analyses_leave_a_thread_to_moves() {
        let mut queue = Queue::new(2);
        let ticket = |kind| {
            let owner = Owner { group: Key::Text(1), person: Key::Text(1) };
            Ticket { kind, owner, bound: BOUND }
        };
        (0..2).for_each(|_| queue.push(ticket(Kind::Analysis), "analysis"));
        let (first, _) = queue.pop().unwrap();
        assert!(queue.pop().is_none(), "the other thread waits for moves");
        queue.push(ticket(Kind::Move), "move");
        assert_eq!(queue.pop().unwrap().1, "move");
        queue.finish(first, MS);
        assert_eq!(queue.pop().unwrap().1, "analysis");
    }

    #[test]
    fn what_is_dropped_is_charged_to_nobody() {
        let mut queue = Drained::new();
        queue.push(Kind::Move, (1, 1), "dropped");
        queue.push(Kind::Move, (1, 1), "kept");
        queue.0.retain(|word| *word == "kept");
        assert_eq!(queue.0.waiting(Kind::Move), 1);
        assert_eq!(queue.step(1), "kept");
        assert!(queue.0.pop().is_none());
        assert!(queue.0.lanes.is_empty(), "nothing is remembered of those who want nothing");
    }
}
