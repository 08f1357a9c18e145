//! Threads that work, and the queue of what they do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use palestra_arena::BudgetStop;
use palestra_protocol::Budget;

use super::queue::{Kind, Queue, Ticket};
use crate::ratelimit::Owner;

/// Maximum number of analyses in the queue.
pub(crate) const MAX_WAITING_ANALYSES: usize = 64;

/// A task, which may be cancelled before it is done.
pub(super) type Work = Box<dyn FnOnce(&AtomicBool) + Send>;

/// Threads that work. When it is dropped, they end.
pub(super) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// Signals new tasks and the shutdown.
    news: Condvar,
}

struct State {
    queue: Queue<Task>,
    /// The running tasks.
    running: Vec<Arc<AtomicBool>>,
    is_closed: bool,
}

struct Task {
    work: Work,
    quit: Arc<AtomicBool>,
}

impl Task {
    fn is_wanted(&self) -> bool {
        !self.quit.load(Ordering::Relaxed)
    }
}

/// The caller's side of a task; dropping it cancels the task.
pub(super) struct Asked {
    shared: Arc<Shared>,
    quit: Arc<AtomicBool>,
}

/// Niceness of search threads, so that they yield to the threads that serve requests.
const NICENESS: i32 = 10;

/// Stack size of search threads: that of a main thread, as searches recurse deeply.
const STACK_BYTES: usize = 8 << 20;

impl Pool {
    /// A system that gives fewer threads than asked for gives fewer for a reason; what there is to do waits longer
    /// then.
    pub(super) fn new(threads: usize) -> Self {
        let state = State { queue: Queue::new(threads), running: vec![], is_closed: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), news: Condvar::new() });
        for _ in 0..threads {
            let its = shared.clone();
            let thread = thread::Builder::new().name("thinking".to_owned()).stack_size(STACK_BYTES);
            if let Err(error) = thread.spawn(move || its.work()) {
                tracing::error!(%error, "a thread that thinks cannot be started");
            }
        }
        Self { shared }
    }

    /// Queues the search for a move. Moves are never refused: a table asks for one at a time.
    pub(super) fn ask_move(&self, owner: Owner, bound: Duration, work: Work) -> Asked {
        self.push(self.shared.lock(), Ticket { kind: Kind::Move, owner, bound }, work)
    }

    /// Has a position analysed; or says when there will be room for it.
    pub(super) fn ask_analysis(&self, owner: Owner, bound: Duration, work: Work) -> Result<Asked, Duration> {
        let state = self.shared.lock();
        if state.is_closed || state.queue.waiting(Kind::Analysis) >= MAX_WAITING_ANALYSES {
            drop(state);
            return Err(self.refused(bound));
        }
        Ok(self.push(state, Ticket { kind: Kind::Analysis, owner, bound }, work))
    }

    fn push(&self, mut state: MutexGuard<'_, State>, ticket: Ticket, work: Work) -> Asked {
        let quit = Arc::<AtomicBool>::default();
        if !state.is_closed {
            state.queue.push(ticket, Task { work, quit: quit.clone() });
        }
        self.shared.tell(state);
        Asked { shared: self.shared.clone(), quit }
    }

    /// Counts a refused analysis, and returns the time until all queued tasks are done if each takes as long as it may.
    pub(super) fn refused(&self, bound: Duration) -> Duration {
        metrics::counter!("palestra_thinking_refused_total").increment(1);
        self.shared.lock().queue.wait(bound)
    }

    /// Whether a task runs or waits.
    pub(super) fn is_busy(&self) -> bool {
        let state = self.shared.lock();
        !state.running.is_empty() || [Kind::Move, Kind::Analysis].into_iter().any(|kind| state.queue.waiting(kind) > 0)
    }

    /// Nothing is done any more.
    pub(super) fn close(&self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        state.queue.retain(|_| false);
        for quit in &state.running {
            quit.store(true, Ordering::Relaxed);
        }
        self.shared.tell(state);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.quit.store(true, Ordering::Relaxed);
        let mut state = self.shared.lock();
        state.queue.retain(Task::is_wanted);
        state.measure();
    }
}

impl State {
    fn next(&mut self) -> Option<(Ticket, Task)> {
        let (ticket, task) = self.queue.pop()?;
        self.running.push(task.quit.clone());
        self.measure();
        Some((ticket, task))
    }

    fn finish(&mut self, ticket: Ticket, quit: &Arc<AtomicBool>, cost: Duration) {
        self.queue.finish(ticket, cost);
        self.running.retain(|other| !Arc::ptr_eq(other, quit));
        self.measure();
    }

    fn measure(&self) {
        for (kind, word) in [(Kind::Move, "move"), (Kind::Analysis, "analysis")] {
            metrics::gauge!(crate::metrics::THINKING, "for" => word).set(self.queue.waiting(kind) as f64);
        }
        metrics::gauge!("palestra_thinking_busy").set(self.running.len() as f64);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // No panic leaves the queue half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, state: MutexGuard<'_, State>) {
        state.measure();
        drop(state);
        self.news.notify_all();
    }

    /// The loop of a search thread.
    fn work(&self) {
        step_back();
        while let Some((ticket, Task { work, quit })) = self.take() {
            let within = BudgetStop::new(Budget::INFINITE, &quit);
            // What goes wrong with one question is no reason to leave the others unanswered.
            if catch_unwind(AssertUnwindSafe(|| work(&quit))).is_err() {
                tracing::error!("a search failed");
            }
            let cost = within.cpu();
            self.lock().finish(ticket, &quit, cost);
        }
    }

    /// Waits for something to do; `None` when there will be nothing any more.
    fn take(&self) -> Option<(Ticket, Task)> {
        let mut state = self.lock();
        while !state.is_closed {
            match state.next() {
                Some(next) => return Some(next),
                None => state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
        None
    }
}

/// Lets other threads go first. To Linux each thread is a process of its own here.
fn step_back() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::warn!(%error, "a thread that thinks cannot step back");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;
    use crate::ratelimit::Key;

    const BOUND: Duration = Duration::from_secs(1);

    fn owner(number: u64) -> Owner {
        Owner { group: Key::Text(number), person: Key::Text(number) }
    }

    /// A pool of one thread, which is held up until it is let go, and what tells in which order things are done.
    struct Held {
        pool: Pool,
        go: Sender<()>,
        tell: Sender<&'static str>,
        told: Receiver<&'static str>,
        _asked: Asked,
    }

    impl Held {
        fn new() -> Self {
            let pool = Pool::new(1);
            let ((go, wait), (tell, told), (begun, has_begun)) = (channel(), channel(), channel());
            let held = Box::new(move |_: &AtomicBool| {
                begun.send(()).unwrap();
                let _: Result<(), _> = wait.recv();
            });
            let asked = pool.ask_move(owner(0), BOUND, held);
            has_begun.recv().unwrap();
            Self { pool, go, tell, told, _asked: asked }
        }

        fn ask(&self, number: u64, word: &'static str) -> Asked {
            self.pool.ask_move(owner(number), BOUND, self.telling(word))
        }

        fn analyse(&self, word: &'static str) -> Result<Asked, Duration> {
            self.pool.ask_analysis(owner(9), BOUND, self.telling(word))
        }

        fn telling(&self, word: &'static str) -> Work {
            let tell = self.tell.clone();
            Box::new(move |_| tell.send(word).unwrap())
        }

        fn all_told(self) -> Vec<&'static str> {
            let Self { go, tell, told, pool, .. } = self;
            drop(tell);
            go.send(()).unwrap();
            let all = told.iter().collect();
            drop(pool);
            all
        }
    }

    #[test]
    fn a_heavy_user_does_not_delay_others() {
        let held = Held::new();
        // The thread is taken by an owner with many more tasks in the queue.
        let _many = ["a1", "a2", "a3"].map(|word| held.ask(0, word));
        let _move = held.ask(1, "move");
        let _analysis = held.analyse("analysis").ok().unwrap();
        let all = held.all_told();
        let place = |word| all.iter().position(|other| *other == word).unwrap();
        assert!(place("move") < place("a1") && place("analysis") <= 1, "{all:?}");
    }

    #[test]
    fn what_nobody_waits_for_is_not_done() {
        let held = Held::new();
        let one = held.analyse("one").ok().unwrap();
        let _two = held.analyse("two").ok().unwrap();
        drop(one);
        assert_eq!(held.all_told(), ["two"]);
    }

    #[test]
    fn what_is_under_way_is_told_that_nobody_waits() {
        let pool = Pool::new(1);
        let ((begun, has_begun), (ended, has_ended)) = (channel(), channel());
        let work = Box::new(move |quit: &AtomicBool| {
            begun.send(()).unwrap();
            while !quit.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            ended.send(()).unwrap();
        });
        let asked = pool.ask_move(owner(1), BOUND, work);
        has_begun.recv().unwrap();
        drop(asked);
        assert_eq!(has_ended.recv(), Ok(()));
    }

    #[test]
    fn a_full_queue_says_when_to_come_back() {
        let held = Held::new();
        let mut waiting: Vec<_> = (0..64).map(|_| held.analyse("done").ok().unwrap()).collect();
        assert_eq!(held.analyse("done").err(), Some(65 * BOUND), "64 wait");
        let _move = held.ask(1, "move");
        waiting.pop();
        assert!(held.analyse("done").is_ok());
        drop(waiting);
        assert_eq!(held.all_told(), ["move"]);
    }

    #[test]
    fn a_panic_ends_no_thread() {
        let held = Held::new();
        let _bad = held.pool.ask_move(owner(1), BOUND, Box::new(|_| panic!("as a test")));
        let _good = held.ask(1, "still there");
        assert_eq!(held.all_told(), ["still there"]);
    }

    #[test]
    fn after_the_end_nothing_is_done() {
        let held = Held::new();
        let _waiting = held.ask(1, "waiting");
        held.pool.close();
        let _late = held.ask(1, "late");
        assert!(held.analyse("later").is_err());
        assert!(held.all_told().is_empty());
    }
}
