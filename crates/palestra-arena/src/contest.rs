//! Many games: who plays whom from where, on several threads.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use palestra_games::{AnyGame, GameKind, Record};
use palestra_protocol::shown;
use palestra_search::openings::{AnyOpening, Book};
use palestra_search::player::PlayerError;
use palestra_search::rng::Rng;

use crate::beginning::{BeginError, Beginning, begin};
use crate::driver::{GameEvent, GameToPlay, PlayedGame, RealTime};
use crate::roster::{Entrant, EntrantError, Entrants};
use crate::{Referee, Rules, Seat};

/// What all games of a match or a tournament have in common.
#[derive(Debug)]
pub struct Contest {
    /// The game.
    pub kind: &'static GameKind,
    /// Who takes part.
    pub entrants: Entrants,
    /// By which rules.
    pub rules: Rules,
    /// Where games begin.
    pub starts: Starts,
    /// How many bytes of memory a program may hold.
    pub memory: Option<u64>,
    /// Whatever is random comes from this.
    pub seed: u64,
}

/// Where the games of a contest begin.
#[derive(Debug)]
pub enum Starts {
    /// At these places in turn; there is at least one, and they come round again.
    Given(Vec<GameStart>),
    /// At the bundled openings of the game, and when those are used up at random ones: none leads through another.
    Openings(Book),
}

/// Where a game begins.
#[derive(Clone, Debug)]
pub enum GameStart {
    /// With options, and after some moves.
    Opening(AnyOpening),
    /// In a position, and after some moves.
    Position(Arc<dyn AnyGame>, Vec<String>),
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its number in the contest.
    pub number: u32,
    /// Who plays, as indices into the entrants: side 1, side 2.
    pub players: [usize; 2],
    /// From which of the starts.
    pub opening: usize,
}

/// Why a game could not be played; it says nothing about the players.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// A player could not be seated.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
    /// There are no openings.
    #[error(transparent)]
    Opening(#[from] PlayerError),
    /// A start is no position of the game, or has a move that cannot be played.
    #[error("where the games begin: {0}")]
    Start(#[from] BeginError),
    /// The system gives no threads.
    #[error("no thread could be started: {0}")]
    Thread(std::io::Error),
}

/// Who hears what happens in a game while it is played.
pub type Watcher<'a> = dyn Fn(&Task, &mut GameToPlay<'_>, GameEvent<'_>) + Sync + 'a;

impl GameStart {
    /// A game about to begin here.
    pub fn record(&self, kind: &GameKind) -> Result<Record, ContestError> {
        let (beginning, moves) = match self {
            Self::Opening(opening) => (Beginning::Options(&opening.options), &opening.moves),
            Self::Position(position, moves) => (Beginning::Position(&**position), moves),
        };
        Ok(begin(kind, beginning, moves)?)
    }

    /// How many moves are made before the players make theirs.
    #[must_use]
    pub const fn plies(&self) -> usize {
        match self {
            Self::Opening(opening) => opening.moves.len(),
            Self::Position(_, moves) => moves.len(),
        }
    }
}

impl Contest {
    /// Where a game begins.
    pub fn start(&self, index: usize) -> Result<GameStart, ContestError> {
        match &self.starts {
            Starts::Given(starts) => Ok(starts[index % starts.len()].clone()),
            Starts::Openings(book) => Ok(GameStart::Opening(book.opening(index))),
        }
    }

    /// If programs run in boxes, what the boxes lack, in words; nothing at best.
    #[must_use]
    pub fn box_lacks(&self) -> Option<String> {
        self.entrants.iter().find_map(Entrant::box_lacks)
    }

    /// Plays the games that `next` gives, `threads` at a time, and hands each finished one to `done`, in the order in
    /// which they finish. When `next` has none it is asked again after each finished game: the end is when it has none
    /// and none is being played, or when `done` breaks off, or when `quit` is set. Games that are then being played are
    /// given up.
    pub fn play(
        &self,
        threads: usize,
        quit: &AtomicBool,
        watcher: &Watcher<'_>,
        next: &mut dyn FnMut() -> Option<Task>,
        done: &mut dyn FnMut(Task, PlayedGame) -> ControlFlow<()>,
    ) -> Result<(), ContestError> {
        let stop = AtomicBool::new(false);
        let (give, tasks) = mpsc::channel::<Task>();
        let (finish, finished) = mpsc::channel();
        let tasks = Mutex::new(tasks);
        thread::scope(|scope| {
            let give = give;
            let mut workers = 0;
            for _ in 0..threads.max(1) {
                let (tasks, finish, stop) = (&tasks, finish.clone(), &stop);
                let started = thread::Builder::new().spawn_scoped(scope, move || {
                    let mut worker = Worker { contest: self, seats: HashMap::new(), stop, watcher };
                    loop {
                        let task = tasks.lock().map(|tasks| tasks.recv());
                        let Ok(Ok(task)) = task else { return };
                        if finish.send((task, worker.play(&task))).is_err() {
                            return;
                        }
                    }
                });
                match started {
                    Ok(_) => workers += 1,
                    Err(error) if workers == 0 => return Err(ContestError::Thread(error)),
                    Err(_) => break,
                }
            }
            drop(finish);
            let result = self.conduct(workers, &give, &finished, (quit, &stop), next, done);
            stop.store(true, Ordering::Relaxed);
            result
        })
    }

    fn conduct(
        &self,
        workers: usize,
        give: &mpsc::Sender<Task>,
        finished: &mpsc::Receiver<(Task, Result<Option<PlayedGame>, ContestError>)>,
        (quit, stop): (&AtomicBool, &AtomicBool),
        next: &mut dyn FnMut() -> Option<Task>,
        done: &mut dyn FnMut(Task, PlayedGame) -> ControlFlow<()>,
    ) -> Result<(), ContestError> {
        let mut playing = 0;
        loop {
            while playing < workers && !quit.load(Ordering::Relaxed) {
                let Some(task) = next() else { break };
                give.send(task).expect("the workers wait for tasks");
                playing += 1;
            }
            if playing == 0 {
                return Ok(());
            }
            let (task, played) = match finished.recv_timeout(POLL_INTERVAL) {
                Ok(finished) => finished,
                Err(_) if quit.load(Ordering::Relaxed) => return Ok(()),
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
                Err(mpsc::RecvTimeoutError::Disconnected) => unreachable!("workers end when they are told to"),
            };
            playing -= 1;
            let Some(played) = played? else { return Ok(()) };
            if stop.load(Ordering::Relaxed) || done(task, played).is_break() {
                return Ok(());
            }
        }
    }

    fn seed_of(&self, task: &Task, side: usize) -> u64 {
        Rng::new(self.seed).fork(u64::from(task.number) * 2 + side as u64).next()
    }
}

/// How much is written about a fault in a record.
const MAX_FAULT_CHARS: usize = 300;

/// How often to look whether the contest is to stop.
const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_millis(50);

/// A thread that plays. It keeps built-in players from game to game: making one costs more than a short game.
struct Worker<'a> {
    contest: &'a Contest,
    seats: HashMap<(usize, usize), Box<dyn Seat>>,
    stop: &'a AtomicBool,
    watcher: &'a Watcher<'a>,
}

impl Worker<'_> {
    fn play(&mut self, task: &Task) -> Result<Option<PlayedGame>, ContestError> {
        let contest = self.contest;
        let mut record = contest.start(task.opening)?.record(contest.kind)?;
        for (tag, player) in ["Player1", "Player2"].into_iter().zip(task.players) {
            // A name that cannot stand in a record is left out of it.
            let _ = record.set_tag(tag, &contest.entrants[player].name);
        }
        let _ = record.set_tag("Number", &(task.number + 1).to_string());
        let _ = record.set_tag("Seed", &contest.seed.to_string());
        if let Some(lacks) = contest.box_lacks() {
            let _ = record.set_tag("Boxes", if lacks.is_empty() { "whole" } else { &lacks });
        }
        let mut seats = [self.take_seat(task, 0)?, self.take_seat(task, 1)?];
        let [one, two] = &mut seats;
        let game = GameToPlay {
            referee: Referee::new(record, contest.rules),
            seats: [&mut **one, &mut **two],
            clock: &RealTime::start(),
            quit: self.stop,
        };
        let mut played = game.play(&mut |game, event| (self.watcher)(task, game, event));
        if let Some(played) = &mut played
            && let Some(fault) = played.verdict.fault()
        {
            let _ = played.record.set_tag("Fault", shown(fault.detail.trim(), MAX_FAULT_CHARS).to_string().trim());
        }
        for (side, seat) in seats.into_iter().enumerate() {
            if contest.entrants[task.players[side]].can_stay() {
                self.seats.insert((side, task.players[side]), seat);
            }
        }
        Ok(played)
    }

    fn take_seat(&mut self, task: &Task, side: usize) -> Result<Box<dyn Seat>, ContestError> {
        let player = task.players[side];
        match self.seats.remove(&(side, player)) {
            Some(seat) => Ok(seat),
            None => {
                let seed = self.contest.seed_of(task, side);
                let Contest { kind, entrants, rules, memory, .. } = self.contest;
                Ok(entrants[player].seat(kind.id(), seed, *memory, rules.cpu_in_all())?)
            }
        }
    }
}
