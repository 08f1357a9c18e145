//! Threads that work, and two queues of work.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::limits::Key;

/// How much may wait in the second queue.
pub(crate) const MOST_WAITING: usize = 64;

/// Something to do, until it is done or nobody wants it any more.
pub(super) type Work = Box<dyn FnOnce(&AtomicBool) + Send>;

/// Threads that work. When it is dropped, they end.
pub(super) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    queues: Mutex<Queues>,
    /// There is something to do, or nothing any more.
    news: Condvar,
    threads: usize,
}

#[derive(Default)]
struct Queues {
    /// What goes before everything else.
    first: Turns,
    others: VecDeque<Task>,
    /// What is being done.
    running: Vec<Arc<AtomicBool>>,
    is_closed: bool,
}

/// What waits for several owners, who take turns: whoever has much waiting holds up nobody but themselves.
#[derive(Default)]
struct Turns(VecDeque<(Key, VecDeque<Task>)>);

impl Turns {
    fn push(&mut self, owner: Key, task: Task) {
        match self.0.iter_mut().find(|(key, _)| *key == owner) {
            Some((_, tasks)) => tasks.push_back(task),
            None => self.0.push_back((owner, VecDeque::from([task]))),
        }
    }

    fn pop(&mut self) -> Option<Task> {
        let (owner, mut tasks) = self.0.pop_front()?;
        let task = tasks.pop_front();
        if !tasks.is_empty() {
            self.0.push_back((owner, tasks));
        }
        task
    }

    /// Drops what nobody wants any more.
    fn tidy(&mut self) {
        self.0.iter_mut().for_each(|(_, tasks)| tasks.retain(Task::is_wanted));
        self.0.retain(|(_, tasks)| !tasks.is_empty());
    }

    fn len(&self) -> usize {
        self.0.iter().map(|(_, tasks)| tasks.len()).sum()
    }
}

struct Task {
    work: Work,
    quit: Arc<AtomicBool>,
    /// How long it may take.
    cost: Duration,
}

impl Task {
    fn is_wanted(&self) -> bool {
        !self.quit.load(Ordering::Relaxed)
    }
}

/// Somebody waits for something; when this is dropped, nobody does.
pub(super) struct Asked {
    shared: Arc<Shared>,
    quit: Arc<AtomicBool>,
}

/// Threads that think are nice to those that serve.
const NICENESS: i32 = 10;

/// As much as the main thread of a program has: searches go deep.
const STACK: usize = 8 << 20;

impl Pool {
    /// A system that gives fewer threads than asked for gives fewer for a reason; what there is to do waits longer then.
    pub(super) fn new(threads: usize) -> Self {
        let shared = Arc::new(Shared { queues: Mutex::default(), news: Condvar::new(), threads });
        for _ in 0..threads {
            let its = shared.clone();
            let thread = thread::Builder::new().name("thinking".to_owned()).stack_size(STACK);
            if let Err(error) = thread.spawn(move || its.work()) {
                tracing::error!(%error, "a thread that thinks cannot be started");
            }
        }
        Self { shared }
    }

    /// Has something done before everything but the same of others.
    pub(super) fn ask_first(&self, owner: Key, work: Work) -> Asked {
        let asked = self.asked();
        let mut queues = self.shared.lock();
        if !queues.is_closed {
            queues.first.push(owner, Task { work, quit: asked.quit.clone(), cost: Duration::ZERO });
        }
        self.shared.tell(queues);
        asked
    }

    /// Has something done that may take so long; or says when there will be room for it.
    pub(super) fn ask(&self, cost: Duration, work: Work) -> Result<Asked, Duration> {
        let mut queues = self.shared.lock();
        if queues.is_closed || queues.others.len() >= MOST_WAITING {
            drop(queues);
            return Err(self.refused(cost));
        }
        let asked = self.asked();
        queues.others.push_back(Task { work, quit: asked.quit.clone(), cost });
        self.shared.tell(queues);
        Ok(asked)
    }

    /// Counts a refusal, and says when what waits now will be done.
    pub(super) fn refused(&self, cost: Duration) -> Duration {
        metrics::counter!("palestra_thinking_refused_total").increment(1);
        self.shared.lock().wait(self.shared.threads, cost)
    }

    fn asked(&self) -> Asked {
        Asked { shared: self.shared.clone(), quit: Arc::default() }
    }

    /// Nothing is done any more.
    pub(super) fn close(&self) {
        let mut queues = self.shared.lock();
        queues.is_closed = true;
        queues.first = Turns::default();
        queues.others.clear();
        for quit in &queues.running {
            quit.store(true, Ordering::Relaxed);
        }
        self.shared.tell(queues);
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
        let mut queues = self.shared.lock();
        queues.first.tidy();
        queues.others.retain(Task::is_wanted);
        queues.measure();
    }
}

impl Queues {
    fn next(&mut self) -> Option<Task> {
        let task = self.first.pop().or_else(|| self.others.pop_front())?;
        self.running.push(task.quit.clone());
        self.measure();
        Some(task)
    }

    /// When what waits now will be done, if all of it takes as long as it may.
    fn wait(&self, threads: usize, cost: Duration) -> Duration {
        let waiting: Duration = self.others.iter().map(|task| task.cost).sum();
        (waiting + cost) / u32::try_from(threads).unwrap_or(u32::MAX)
    }

    fn measure(&self) {
        metrics::gauge!(crate::measure::THINKING, "for" => "move").set(self.first.len() as f64);
        metrics::gauge!(crate::measure::THINKING, "for" => "analysis").set(self.others.len() as f64);
        metrics::gauge!("palestra_thinking_busy").set(self.running.len() as f64);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queues> {
        // No panic leaves the queues half changed.
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, queues: MutexGuard<'_, Queues>) {
        queues.measure();
        drop(queues);
        self.news.notify_all();
    }

    /// What a thread does.
    fn work(&self) {
        step_back();
        while let Some(Task { work, quit, .. }) = self.take() {
            // What goes wrong with one question is no reason to leave the others unanswered.
            if catch_unwind(AssertUnwindSafe(|| work(&quit))).is_err() {
                tracing::error!("a search failed");
            }
            let mut queues = self.lock();
            queues.running.retain(|other| !Arc::ptr_eq(other, &quit));
            queues.measure();
        }
    }

    /// Waits for something to do; `None` when there will be nothing any more.
    fn take(&self) -> Option<Task> {
        let mut queues = self.lock();
        while !queues.is_closed {
            match queues.next() {
                Some(task) => return Some(task),
                None => queues = self.news.wait(queues).unwrap_or_else(PoisonError::into_inner),
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

    const COST: Duration = Duration::from_secs(1);

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
            let asked = pool.ask_first(
                Key::Text(0),
                Box::new(move |_| {
                    begun.send(()).unwrap();
                    let _: Result<(), _> = wait.recv();
                }),
            );
            has_begun.recv().unwrap();
            Self { pool, go, tell, told, _asked: asked }
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
    fn moves_overtake_analysis() {
        let held = Held::new();
        let _analysis = held.pool.ask(COST, held.telling("analysis")).ok().unwrap();
        let _moves = ["move 1", "move 2"].map(|word| held.pool.ask_first(Key::Text(1), held.telling(word)));
        assert_eq!(held.all_told(), ["move 1", "move 2", "analysis"]);
    }

    #[test]
    fn whoever_asks_for_much_holds_up_nobody_else() {
        let held = Held::new();
        let ask = |owner, word| held.pool.ask_first(Key::Text(owner), held.telling(word));
        let _many = ["a1", "a2", "a3"].map(|word| ask(1, word));
        let _few = ["b1", "b2"].map(|word| ask(2, word));
        assert_eq!(held.all_told(), ["a1", "b1", "a2", "b2", "a3"]);
    }

    #[test]
    fn what_nobody_waits_for_is_not_done() {
        let held = Held::new();
        let one = held.pool.ask(COST, held.telling("one")).ok().unwrap();
        let _two = held.pool.ask(COST, held.telling("two")).ok().unwrap();
        drop(one);
        assert_eq!(held.all_told(), ["two"]);
    }

    #[test]
    fn what_is_under_way_is_told_that_nobody_waits() {
        let pool = Pool::new(1);
        let ((begun, has_begun), (ended, has_ended)) = (channel(), channel());
        let asked = pool.ask_first(
            Key::Text(1),
            Box::new(move |quit| {
                begun.send(()).unwrap();
                while !quit.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
                ended.send(()).unwrap();
            }),
        );
        has_begun.recv().unwrap();
        drop(asked);
        assert_eq!(has_ended.recv(), Ok(()));
    }

    #[test]
    fn a_full_queue_says_when_to_come_back() {
        let held = Held::new();
        let ask = || held.pool.ask(COST, held.telling("done"));
        let mut waiting: Vec<_> = (0..64).map(|_| ask().ok().unwrap()).collect();
        assert_eq!(ask().err(), Some(65 * COST), "64 wait");
        let _move = held.pool.ask_first(Key::Text(1), held.telling("move"));
        waiting.pop();
        assert!(ask().is_ok());
        drop(waiting);
        assert_eq!(held.all_told(), ["move"]);
    }

    #[test]
    fn a_panic_ends_no_thread() {
        let held = Held::new();
        let _bad = held.pool.ask_first(Key::Text(1), Box::new(|_| panic!("as a test")));
        let _good = held.pool.ask_first(Key::Text(1), held.telling("still there"));
        assert_eq!(held.all_told(), ["still there"]);
    }

    #[test]
    fn after_the_end_nothing_is_done() {
        let held = Held::new();
        let _waiting = held.pool.ask_first(Key::Text(1), held.telling("waiting"));
        held.pool.close();
        let _late = held.pool.ask_first(Key::Text(1), held.telling("late"));
        assert!(held.pool.ask(COST, held.telling("later")).is_err());
        assert!(held.all_told().is_empty());
    }
}
