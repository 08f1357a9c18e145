//! Test doubles: scripted bots in this process, under a virtual clock.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use palestra_protocol::{Fault, Lines, Received, Transport, take};

use crate::driver::Clock;

/// A virtual clock: time passes only while a seat is waited for. Copies share the time.
#[derive(Clone, Debug, Default)]
pub struct VirtualClock(Arc<AtomicU64>);

impl VirtualClock {
    /// A clock that shows zero.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets time pass.
    pub fn advance(&self, time: Duration) {
        self.advance_to(self.now().saturating_add(time));
    }

    /// Lets time pass until that moment, if it has not come yet.
    fn advance_to(&self, moment: Duration) {
        self.0.fetch_max(nanoseconds(moment), Ordering::Relaxed);
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

/// Five centuries fit; who waits longer waits for that long.
fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos().try_into().unwrap_or(u64::MAX)
}

/// What a bot in memory does about a line, one thing after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Writes these bytes, whatever they are.
    Say(Vec<u8>),
    /// Thinks: does nothing else for this time, and uses this CPU time meanwhile. After its answer this is off turn.
    Think {
        /// Time by the clock on the wall.
        wall: Duration,
        /// CPU time; more than `wall` if it has several threads.
        cpu: Duration,
    },
    /// Is ready to run for so long, while other processes have the CPU.
    Wait(Duration),
    /// Writes on stderr.
    Complain(String),
    /// Is gone from here on, and why.
    Exit(Fault),
}

impl Reaction {
    /// Writes a line.
    #[must_use]
    pub fn line(text: &str) -> Self {
        Self::Say(format!("{text}\n").into_bytes())
    }

    /// Computes for so long, with one thread.
    #[must_use]
    pub const fn compute(time: Duration) -> Self {
        Self::Think { wall: time, cpu: time }
    }

    /// Waits for so long.
    #[must_use]
    pub const fn sleep(time: Duration) -> Self {
        Self::Think { wall: time, cpu: Duration::ZERO }
    }
}

/// The connection with a bot that is a function: it is called with each line that the bot is sent, and returns what the
/// bot does about it; nothing, if it stays silent. Lines that come while the bot thinks wait until it is done.
///
/// Time is the clock's. Waiting for the bot lets it pass, and the bot takes as long as its [`Reaction`]s say: what the
/// function itself takes counts for nothing, so games with it are the same on every machine. Both bots of a game and
/// the game itself share the clock.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use palestra_arena::testing::{Memory, Reaction, VirtualClock};
/// use palestra_arena::{Bot, GameToPlay, Reason, Referee, Rules};
/// use palestra_games::{GameKind, Record};
/// use palestra_protocol::Dialect;
///
/// let clock = VirtualClock::new();
/// let first_move = || {
///     let mut first = String::new();
///     move |line: &str| match line.split_once(' ').unwrap_or((line, "")) {
///         ("hello", _) => vec![Reaction::line("ready")],
///         ("legal", moves) => {
///             first = moves.split(' ').next().unwrap_or_default().to_owned();
///             vec![]
///         }
///         ("go", _) => vec![Reaction::line(&format!("move {first}"))],
///         _ => vec![],
///     }
/// };
/// let mut one = Bot::new(Memory::new(&clock, first_move()), Dialect::One);
/// let mut two = Bot::new(Memory::new(&clock, first_move()), Dialect::One);
/// let record = Record::new(GameKind::find("mancala").expect("a game"), "-")?;
/// let game = GameToPlay {
///     referee: Referee::new(record, Rules::default()),
///     seats: [&mut one, &mut two],
///     clock: &clock,
///     quit: &AtomicBool::new(false),
/// };
/// let played = game.play(&mut |_, _| {}).expect("nobody quits");
/// assert_eq!(played.verdict.reason, Reason::Finished);
/// # Ok::<(), palestra_games::ParseError>(())
/// ```
pub struct Memory<B> {
    bot: B,
    clock: VirtualClock,
    /// Lines that the bot has not looked at yet, and when they came.
    inbox: VecDeque<(Duration, String)>,
    /// What it is about to do.
    plan: VecDeque<Reaction>,
    /// Up to when the bot's own doings are done; a thought under way began then.
    done: Duration,
    cpu: Duration,
    waited: Duration,
    /// How long it had waited for a CPU when its turn began.
    waited_before: Duration,
    lines: Lines,
    stderr: String,
    gone: Option<Fault>,
}

/// How much of stderr is kept.
const MAX_STDERR: usize = 1 << 16;

impl<B: FnMut(&str) -> Vec<Reaction>> Memory<B> {
    /// A connection with this bot.
    pub fn new(clock: &VirtualClock, bot: B) -> Self {
        Self {
            bot,
            clock: clock.clone(),
            inbox: VecDeque::new(),
            plan: VecDeque::new(),
            done: Duration::ZERO,
            cpu: Duration::ZERO,
            waited: Duration::ZERO,
            waited_before: Duration::ZERO,
            lines: Lines::new(),
            stderr: String::new(),
            gone: None,
        }
    }

    /// Does what the bot has done by now.
    fn catch_up(&mut self) {
        let now = self.clock.now();
        while self.gone.is_none() && self.due().is_some_and(|due| due <= now) {
            let Some(reaction) = self.plan.pop_front() else {
                self.read();
                continue;
            };
            match reaction {
                Reaction::Say(bytes) => self.lines.push(&bytes),
                Reaction::Think { wall, cpu } => {
                    self.done += wall;
                    self.cpu = self.cpu.saturating_add(cpu);
                }
                Reaction::Wait(wall) => {
                    self.done += wall;
                    self.waited += wall;
                }
                Reaction::Complain(text) => self.complain(&text),
                Reaction::Exit(fault) => self.gone = Some(fault),
            }
        }
    }

    /// When the bot will have done the next thing; never, if it waits for a line.
    fn due(&self) -> Option<Duration> {
        match self.plan.front() {
            Some(Reaction::Think { wall, .. } | Reaction::Wait(wall)) => Some(self.done.saturating_add(*wall)),
            Some(_) => Some(self.done),
            None => self.inbox.front().map(|(came, _)| self.done.max(*came)),
        }
    }

    fn read(&mut self) {
        if let Some((came, line)) = self.inbox.pop_front() {
            self.done = self.done.max(came);
            self.plan.extend((self.bot)(&line));
        }
    }

    fn complain(&mut self, text: &str) {
        self.stderr.push_str(text);
        let mut excess = self.stderr.len().saturating_sub(MAX_STDERR);
        while !self.stderr.is_char_boundary(excess) {
            excess += 1;
        }
        self.stderr.drain(..excess);
    }
}

impl<B: FnMut(&str) -> Vec<Reaction> + Send> Transport for Memory<B> {
    fn send(&mut self, text: &str) {
        let now = self.clock.now();
        self.inbox.extend(text.lines().map(|line| (now, line.to_owned())));
        self.catch_up();
    }

    fn receive(&mut self, wait: Duration, line: &mut String) -> Received {
        let until = self.clock.now().saturating_add(wait);
        loop {
            self.catch_up();
            if let Some(received) = take(&mut self.lines, self.gone.as_ref(), line) {
                return received;
            }
            match self.due() {
                Some(due) if due <= until => self.clock.advance_to(due),
                _ => {
                    self.clock.advance_to(until);
                    return Received::Quiet;
                }
            }
        }
    }

    fn cpu(&mut self) -> Option<Duration> {
        self.catch_up();
        let under_way = match self.plan.front() {
            Some(&Reaction::Think { wall, cpu }) if self.gone.is_none() => {
                part(cpu, self.clock.now().saturating_sub(self.done), wall)
            }
            _ => Duration::ZERO,
        };
        Some(self.cpu.saturating_add(under_way))
    }

    fn waited(&mut self) -> Duration {
        self.catch_up();
        let under_way = match self.plan.front() {
            Some(Reaction::Wait(_)) if self.gone.is_none() => self.clock.now().saturating_sub(self.done),
            _ => Duration::ZERO,
        };
        (self.waited + under_way).saturating_sub(self.waited_before)
    }

    fn wake(&mut self) {
        self.waited_before = self.waited;
    }

    fn stderr(&mut self) -> String {
        self.stderr.clone()
    }

    fn unfinished(&self) -> String {
        self.lines.rest()
    }
}

/// How much of the CPU time was used when a part of the time has passed.
fn part(cpu: Duration, passed: Duration, wall: Duration) -> Duration {
    let share = u128::from(nanoseconds(cpu)) * u128::from(nanoseconds(passed)) / u128::from(nanoseconds(wall).max(1));
    Duration::from_nanos(share.try_into().unwrap_or(u64::MAX))
}

impl<B> std::fmt::Debug for Memory<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").field("clock", &self.clock).field("plan", &self.plan).finish_non_exhaustive()
    }
}
