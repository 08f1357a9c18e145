//! Palestra's starter kit for Rust: the rules of the five games and the conversation with the referee, in one file
//! that needs nothing but the standard library. Put it beside your `bot.rs`:
//!
//! ```text
//! mod palestra;
//! use palestra::{Game, Mancala, Turn};
//!
//! fn main() {
//!     palestra::play::<Mancala>("first", |position: &Mancala, _: &Turn| position.moves()[0]);
//! }
//! ```
//!
//! Build it with `rustc --edition 2021 -O bot.rs`, and let it play: `palestra match mancala ./bot ninja1`.
//!
//! Never assume that turns alternate: only `position.turn()` says who moves. What you print for yourself goes to
//! stderr (`eprintln!`), never to stdout, where the referee listens.

#![allow(dead_code)] // A bot uses one of the games.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::{self, Debug, Display};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufRead, Write};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

// ---------------------------------------------------------------------------------------------------------------------
// What all games have
// ---------------------------------------------------------------------------------------------------------------------

/// A position of a game. `Display` writes it and `FromStr` reads it in Palestra's notation.
pub trait Game: Clone + Display + FromStr<Err = String> {
    /// The game's name in the arena.
    const NAME: &'static str;

    /// A move; it prints as the arena writes it.
    type Move: Copy + PartialEq + Debug + Display;

    /// Who moves now, 1 or 2.
    fn turn(&self) -> u8;

    /// The legal moves in the arena's order: none after the end, at least one before it.
    fn moves(&self) -> Vec<Self::Move>;

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The points of players 1 and 2, as the game counts them.
    fn points(&self) -> [i32; 2];

    /// What an unfinished position is worth for a player by the test evaluation.
    fn test_score(&self, player: u8) -> i32;

    /// What a position is worth for a player by the test evaluation, which Palestra has too: `palestra check --search`
    /// tells a bot to use it, and compares what the two searches find.
    fn test_value(&self, player: u8) -> i32 {
        match self.outcome() {
            Some(Outcome::Win(winner)) if winner == player => TEST_WIN,
            Some(Outcome::Win(_)) => -TEST_WIN,
            Some(Outcome::Draw) => 0,
            None => self.test_score(player),
        }
    }

    /// By how many points a player is ahead.
    fn lead(&self, player: u8) -> i32 {
        let [one, two] = self.points();
        if player == 1 { one - two } else { two - one }
    }

    /// The position after a legal move.
    fn after(&self, mv: Self::Move) -> Self {
        let mut child = self.clone();
        child.play(mv);
        child
    }

    /// The legal move that is written so.
    fn read_move(&self, text: &str) -> Option<Self::Move> {
        self.moves().into_iter().find(|mv| mv.to_string() == text)
    }
}

/// A win by the test evaluation.
pub const TEST_WIN: i32 = 1_000_000;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This player has won, 1 or 2.
    Win(u8),
    /// Nobody has.
    Draw,
}

impl Outcome {
    fn by_points([one, two]: [i32; 2]) -> Self {
        match one - two {
            0 => Self::Draw,
            lead => Self::Win(if lead > 0 { 1 } else { 2 }),
        }
    }
}

/// The opponent of a player.
pub fn other(player: u8) -> u8 {
    3 - player
}

// ---------------------------------------------------------------------------------------------------------------------
// The conversation with the referee
// ---------------------------------------------------------------------------------------------------------------------

/// Plays one game with the referee: `choose` is asked for a move whenever it is the bot's turn. Returns when the
/// referee says bye.
pub fn play<G: Game>(name: &str, choose: impl FnMut(&G, &Turn) -> G::Move) {
    play_following(name, &[], choose);
}

/// As [`play`], for a bot that follows options such as `eval test`; the referee is told so when it sets them.
pub fn play_following<G: Game>(name: &str, follows: &[&str], mut choose: impl FnMut(&G, &Turn) -> G::Move) {
    converse(name, follows, |turn| {
        if turn.game != G::NAME {
            return Err(format!("this bot plays {}, not {}", G::NAME, turn.game));
        }
        Ok(choose(&turn.position.parse()?, turn).to_string())
    });
}

/// A bot that plays all five games.
pub trait AnyBot {
    /// Chooses a legal move.
    fn choose<G: Game>(&mut self, position: &G, turn: &Turn) -> G::Move;
}

/// As [`play`], for a bot of all games.
pub fn play_any(name: &str, mut bot: impl AnyBot) {
    fn ask<G: Game>(bot: &mut impl AnyBot, turn: &Turn) -> Result<String, String> {
        Ok(bot.choose(&turn.position.parse::<G>()?, turn).to_string())
    }
    serve(name, |turn| match turn.game.as_str() {
        Mancala::NAME => ask::<Mancala>(&mut bot, turn),
        Conecta4Boom::NAME => ask::<Conecta4Boom>(&mut bot, turn),
        Desconecta4Boom::NAME => ask::<Desconecta4Boom>(&mut bot, turn),
        Parchis::NAME => ask::<Parchis>(&mut bot, turn),
        Bandera::NAME => ask::<Bandera>(&mut bot, turn),
        unknown => Err(format!("there is no game {unknown}")),
    });
}

/// What the referee has told when it is your turn.
#[derive(Clone)]
pub struct Turn {
    /// The game's name.
    pub game: String,
    /// Your side in it, 1 or 2.
    pub seat: u8,
    /// The game's options, such as the map; `-` if there are none.
    pub options: String,
    /// The position, written.
    pub position: String,
    /// The moves since you last answered; before your first turn, all moves of the opening.
    pub history: Vec<String>,
    /// The legal moves, written.
    pub legal: Vec<String>,
    /// The CPU time for this move, if it is limited.
    pub cpu: Option<Duration>,
    /// The time for this move by the clock, if it is limited.
    pub wall: Option<Duration>,
    /// Visit no more positions than this.
    pub states: Option<u64>,
    /// Look no deeper than this.
    pub depth: Option<u32>,
    /// What `option` lines have set.
    pub settings: BTreeMap<String, String>,
    started: Instant,
    /// Which `go` of the referee's it answers, from 1, and the last one that was stopped.
    number: u64,
    stopped: Arc<AtomicU64>,
}

impl Turn {
    /// How long this turn has lasted by the clock. A program with one thread has used at most as much CPU time.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time for this move, the shorter of CPU time and clock. `None` if only positions or depth are limited; two
    /// seconds without any limit, so that nobody waits for ever.
    pub fn time(&self) -> Option<Duration> {
        let is_unlimited = self.states.is_none() && self.depth.is_none();
        let unlimited = is_unlimited.then_some(Duration::from_secs(2));
        self.cpu.into_iter().chain(self.wall).min().or(unlimited)
    }

    /// What is left of it.
    pub fn time_left(&self) -> Option<Duration> {
        self.time().map(|time| time.saturating_sub(self.elapsed()))
    }

    /// Whether to answer now: the referee said stop, or three quarters of the time are over. (The rest is a margin: a
    /// move that comes too late loses the game.)
    pub fn is_over(&self) -> bool {
        let stopped = self.stopped.load(Ordering::Relaxed) >= self.number;
        stopped || self.time().is_some_and(|time| self.elapsed() >= time * 3 / 4)
    }

    /// Tells the referee how far you looked, how good you think it is for you, the positions you visited and the
    /// moves you expect. It is kept with the game.
    pub fn info<M: Display>(&self, depth: u32, score: impl Display, states: u64, line: &[M]) {
        let line: String = line.iter().map(|mv| format!(" {mv}")).collect();
        let line = if line.is_empty() { line } else { format!(" pv{line}") };
        send(&format!("info depth {depth} score {score} states {states}{line}"));
    }

    /// Tells the referee anything you like; it is kept with the game.
    pub fn say(&self, text: &str) {
        send(&format!("info text {}", text.replace(['\n', '\r'], " ")));
    }
}

/// The conversation itself, in words: `answer` gives the text of the move. Use it for a bot that needs no rules.
pub fn serve(name: &str, answer: impl FnMut(&Turn) -> Result<String, String>) {
    converse(name, &[], answer);
}

fn converse(name: &str, follows: &[&str], mut answer: impl FnMut(&Turn) -> Result<String, String>) {
    let stopped = Arc::new(AtomicU64::new(0));
    let mut turn = Turn {
        game: String::new(),
        seat: 1,
        options: "-".to_owned(),
        position: String::new(),
        history: Vec::new(),
        legal: Vec::new(),
        cpu: None,
        wall: None,
        states: None,
        depth: None,
        settings: BTreeMap::new(),
        started: Instant::now(),
        number: 0,
        stopped: Arc::clone(&stopped),
    };
    for line in read_lines(stopped) {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let rest = rest.trim_start();
        match word {
            "hello" => send(&format!("id name {name}\nready")),
            "game" => read_game(&mut turn, rest),
            "position" => turn.position = rest.to_owned(),
            "history" => turn.history = words(rest),
            "legal" => turn.legal = words(rest),
            "go" => {
                read_limits(&mut turn, rest);
                match answer(&turn) {
                    Ok(mv) => send(&format!("move {mv}")),
                    Err(problem) => {
                        eprintln!("{problem}");
                        std::process::exit(1);
                    }
                }
            }
            "ping" => send(&format!("pong {rest}")),
            "option" => {
                let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
                turn.settings.insert(name.to_owned(), value.to_owned());
                if follows.contains(&rest) {
                    send(&format!("option {rest}"));
                }
            }
            _ => {} // `stop`, `used`, `result`, and what later versions may say.
        }
    }
}

/// The lines of the referee. A thread of its own reads them, so that `stop` is heard while the bot thinks. Without a
/// limit a bot stops at the end, too; with one it may take its time, even if the whole session comes from a file.
fn read_lines(stopped: Arc<AtomicU64>) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let (mut number, mut endless) = (0, false);
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            match line.split_whitespace().next() {
                Some("go") => (number, endless) = (number + 1, line.contains("infinite")),
                Some("stop") => stopped.store(number, Ordering::Relaxed),
                Some("bye") => break,
                _ => {}
            }
            if sender.send(line).is_err() {
                return;
            }
        }
        if endless {
            stopped.store(number, Ordering::Relaxed);
        }
    });
    receiver
}

/// Writes a line and flushes it. Nobody may listen any more: then the end of input is near, too.
fn send(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// `NAME seat SIDE options WORD`
fn read_game(turn: &mut Turn, text: &str) {
    let words = words(text);
    turn.game = words.first().cloned().unwrap_or_default();
    for pair in words[1.min(words.len())..].chunks_exact(2) {
        match pair[0].as_str() {
            "seat" => turn.seat = pair[1].parse().unwrap_or(1),
            "options" => turn.options = pair[1].clone(),
            _ => {}
        }
    }
}

/// `cpu MS wall MS states N depth N` or `infinite`
fn read_limits(turn: &mut Turn, text: &str) {
    turn.started = Instant::now();
    turn.number += 1;
    let words = words(text);
    let value = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    turn.cpu = value("cpu").map(Duration::from_millis);
    turn.wall = value("wall").map(Duration::from_millis);
    turn.states = value("states");
    turn.depth = value("depth").map(|depth| depth.min(u32::MAX.into()) as u32);
}

/// Random numbers, others in every run.
pub struct Random(u64);

impl Random {
    /// A new source.
    pub fn new() -> Self {
        Self(RandomState::new().build_hasher().finish() | 1)
    }

    /// One of these; there must be one.
    pub fn choose<T: Copy>(&mut self, items: &[T]) -> T {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        items[(self.0 % items.len() as u64) as usize]
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Mancala
// ---------------------------------------------------------------------------------------------------------------------

/// Mancala. A move is the pit to sow, 1 (next to the own store) to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mancala {
    turn: u8,
    /// For each side the store and then pits 1 to 6.
    seeds: [[u8; 7]; 2],
}

impl Mancala {
    /// The store of a player and then pits 1 to 6.
    pub fn seeds(&self, player: u8) -> [u8; 7] {
        self.seeds[usize::from(player) - 1]
    }

    fn pits_are_empty(&self, side: usize) -> bool {
        self.seeds[side][1..] == [0; 6]
    }
}

impl Game for Mancala {
    const NAME: &'static str = "mancala";
    type Move = u8;

    fn turn(&self) -> u8 {
        self.turn
    }

    fn moves(&self) -> Vec<u8> {
        let seeds = self.seeds(self.turn);
        (1..=6).filter(|&pit| seeds[usize::from(pit)] > 0).collect()
    }

    fn play(&mut self, pit: u8) {
        let (me, opponent) = (usize::from(self.turn) - 1, usize::from(other(self.turn)) - 1);
        let mut hand = std::mem::take(&mut self.seeds[me][usize::from(pit)]);
        if hand == 0 {
            // Whoever chooses an empty pit has lost 0-48.
            self.seeds = [[0; 7]; 2];
            self.seeds[opponent][0] = 48;
            self.turn = other(self.turn);
            return;
        }
        let (mut side, mut place) = (me, usize::from(pit));
        while hand > 0 {
            (side, place) = match (side == me, place) {
                (true, 0) => (opponent, 6),
                (false, 1) => (me, 6), // The other's store is never sown.
                _ => (side, place - 1),
            };
            self.seeds[side][place] += 1;
            hand -= 1;
        }
        // The last seed fell into an own empty pit: it takes what lies across, if there is anything.
        let across = 7 - place;
        if side == me && place > 0 && self.seeds[me][place] == 1 && self.seeds[opponent][across] > 0 {
            self.seeds[me][0] += 1 + self.seeds[opponent][across];
            self.seeds[me][place] = 0;
            self.seeds[opponent][across] = 0;
        }
        // When a side is empty both bank what is left in their pits.
        if self.pits_are_empty(0) || self.pits_are_empty(1) {
            self.seeds = self.seeds.map(|side| [side.iter().sum(), 0, 0, 0, 0, 0, 0]);
        }
        // The last seed fell into the own store: the same player goes on.
        if !(side == me && place == 0) {
            self.turn = other(self.turn);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.pits_are_empty(0).then(|| Outcome::by_points(self.points()))
    }

    fn points(&self) -> [i32; 2] {
        self.seeds.map(|side| i32::from(side[0]))
    }

    fn test_score(&self, player: u8) -> i32 {
        self.lead(player)
    }

    /// The stores count, also when the game is over.
    fn test_value(&self, player: u8) -> i32 {
        self.lead(player)
    }

    /// An empty pit can be named, too, but loses: `moves` has no such move.
    fn read_move(&self, text: &str) -> Option<u8> {
        let pit = number(text, 6).ok().filter(|&pit| pit > 0 && self.outcome().is_none());
        pit.map(|pit| pit as u8)
    }
}

impl Display for Mancala {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, two] = self.seeds.map(|side| join(side, ","));
        write!(f, "{}:{one}/{two}", self.turn)
    }
}

impl FromStr for Mancala {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let [turn, seeds] = parts(text, ":")?;
        let mut position = Self { turn: player(turn)?, seeds: [[0; 7]; 2] };
        for (side, text) in position.seeds.iter_mut().zip(parts::<2>(seeds, "/")?) {
            for (place, text) in side.iter_mut().zip(parts::<7>(text, ",")?) {
                *place = number(text, 48)? as u8;
            }
        }
        let total: u32 = position.seeds.iter().flatten().map(|&seeds| u32::from(seeds)).sum();
        if total != 48 {
            return Err(format!("{total} seeds, there must be 48"));
        }
        if position.pits_are_empty(0) != position.pits_are_empty(1) {
            return Err("one side is empty and the other is not".to_owned());
        }
        Ok(position)
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Conecta-4 Boom and Desconecta-4 Boom
// ---------------------------------------------------------------------------------------------------------------------

/// Conecta-4 Boom: four in a line win, a turn has two moves.
pub type Conecta4Boom = Boom<true>;

/// Desconecta-4 Boom: four in a line lose, players alternate.
pub type Desconecta4Boom = Boom<false>;

/// Both games. Sets of cells are numbers of 64 bits: bit `8 * column + row`, column 0 at the left and row 0 below. The
/// eighth bit of each column is always 0, so that no line runs over the upper edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boom<const LINES_WIN: bool> {
    /// The pieces of each player, bombs included.
    pieces: [u64; 2],
    /// The bombs of both, at most one each.
    bombs: u64,
    /// The number of the next move, from 1.
    number: u32,
    outcome: Option<Outcome>,
}

/// A move of the Boom games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoomMove {
    /// A piece for this column, 1 to 7.
    Drop(u8),
    /// The own bomb explodes.
    Boom,
}

impl Display for BoomMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drop(column) => write!(f, "{column}"),
            Self::Boom => f.write_str("boom"),
        }
    }
}

/// All 49 cells.
const ALL_CELLS: u64 = 0x007f_7f7f_7f7f_7f7f;

/// The lowest cell of every column.
const BOTTOM: u64 = 0x0001_0101_0101_0101;

/// The steps from a cell to its neighbour: right, up, up and right, down and right.
const STEPS: [u32; 4] = [8, 1, 9, 7];

impl<const LINES_WIN: bool> Boom<LINES_WIN> {
    /// The pieces of a player, bombs included, as a set of cells.
    pub fn pieces(&self, player: u8) -> u64 {
        self.pieces[usize::from(player) - 1]
    }

    /// The bomb of a player as a set of one cell, or of none.
    pub fn bomb(&self, player: u8) -> u64 {
        self.pieces(player) & self.bombs
    }

    /// What lies on a cell, as it is written: `x` and `o` are pieces, `X` and `O` bombs.
    pub fn cell(&self, column: u32, row: u32) -> Option<char> {
        let has = |set: u64| set >> (8 * column + row) & 1 == 1;
        match (has(self.pieces[0]), has(self.pieces[1]), has(self.bombs)) {
            (true, _, false) => Some('x'),
            (true, _, true) => Some('X'),
            (_, true, false) => Some('o'),
            (_, true, true) => Some('O'),
            _ => None,
        }
    }

    /// The number of the next move, from 1.
    pub fn move_number(&self) -> u32 {
        self.number
    }

    /// The number of the turn, from 1; both players have a turn of each number. (The first has one move only.)
    pub fn turn_number(&self) -> u32 {
        if LINES_WIN { self.number / 4 + 1 } else { (self.number + 1) / 2 }
    }

    /// Whether a piece dropped now is a bomb.
    pub fn next_is_bomb(&self) -> bool {
        self.turn_number() % (if LINES_WIN { 4 } else { 5 }) == 0 && self.bomb(self.turn()) == 0
    }

    fn player_of(number: u32) -> u8 {
        let turn = if LINES_WIN { number / 2 } else { number - 1 };
        if turn % 2 == 0 { 1 } else { 2 }
    }

    fn filled(&self) -> u64 {
        self.pieces[0] | self.pieces[1]
    }

    fn explode(&mut self) {
        let me = self.turn();
        let bomb = self.bomb(me);
        let row = bomb.trailing_zeros() % 8;
        let in_row = BOTTOM << row;
        let taken = if LINES_WIN { bomb | self.pieces(other(me)) & in_row } else { self.pieces(me) & in_row };
        for column in (0..7).filter(|column| taken >> (8 * column + row) & 1 == 1) {
            for set in self.pieces.iter_mut().chain([&mut self.bombs]) {
                *set = without(*set, column, row);
            }
        }
    }

    /// How the game stands after a move. Lines of both are possible after an explosion.
    fn judge(&self) -> Option<Outcome> {
        let [one, two] = self.pieces.map(line_starts);
        if one | two != 0 {
            let one_wins = match (one != 0, two != 0) {
                (true, true) if LINES_WIN => Self::player_of((self.number - 1).max(1)) == 1,
                // Whose line begins lowest, or furthest left in the same row, loses.
                (true, true) => first_cell(one) > first_cell(two),
                (only_one, _) => only_one == LINES_WIN,
            };
            return Some(Outcome::Win(if one_wins { 1 } else { 2 }));
        }
        let full = self.filled() == ALL_CELLS;
        match LINES_WIN {
            true if full && self.bomb(self.turn()) == 0 => Some(Outcome::Win(other(self.turn()))),
            false if full => Some(Outcome::Draw),
            _ => None,
        }
    }
}

/// The set after one of its columns has lost a cell and all above it has fallen by one.
fn without(set: u64, column: u32, row: u32) -> u64 {
    let cells = set >> (8 * column) & 0x7f;
    let below = cells & ((1 << row) - 1);
    let above = cells >> (row + 1) << row;
    set & !(0x7f << (8 * column)) | (below | above) << (8 * column)
}

/// The cells where a line of four begins: its left end, or its lower one.
fn line_starts(set: u64) -> u64 {
    STEPS.iter().fold(0, |starts, step| starts | set & set >> step & set >> (2 * step) & set >> (3 * step))
}

/// Row and column of the lowest cell of a set, the leftmost of them.
fn first_cell(set: u64) -> (u32, u32) {
    (0..64).filter(|bit| set >> bit & 1 == 1).map(|bit| (bit % 8, bit / 8)).min().unwrap_or((8, 8))
}

impl<const LINES_WIN: bool> Game for Boom<LINES_WIN> {
    const NAME: &'static str = if LINES_WIN { "conecta4boom" } else { "desconecta4boom" };
    type Move = BoomMove;

    fn turn(&self) -> u8 {
        Self::player_of(self.number)
    }

    fn moves(&self) -> Vec<BoomMove> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let has_room = |column: &u8| self.filled() >> (8 * (column - 1) + 6) & 1 == 0;
        let mut moves: Vec<BoomMove> = (1..=7).filter(has_room).map(BoomMove::Drop).collect();
        if self.bomb(self.turn()) != 0 {
            moves.push(BoomMove::Boom);
        }
        moves
    }

    fn play(&mut self, mv: BoomMove) {
        match mv {
            BoomMove::Boom => self.explode(),
            BoomMove::Drop(column) => {
                // Adding 1 to a column carries through its pieces to the first empty cell.
                let landing = (self.filled() + (1 << (8 * (column - 1)))) & !self.filled();
                if self.next_is_bomb() {
                    self.bombs |= landing;
                }
                self.pieces[usize::from(self.turn()) - 1] |= landing;
            }
        }
        self.number += 1;
        self.outcome = self.judge();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn points(&self) -> [i32; 2] {
        [1, 2].map(|player| i32::from(self.outcome == Some(Outcome::Win(player))))
    }

    /// The own pieces, bombs left out, the more the nearer they are to the middle; the opponent's do not count.
    fn test_score(&self, player: u8) -> i32 {
        if self.filled() == ALL_CELLS {
            return 0;
        }
        let pieces = self.pieces(player) & !self.bombs;
        (0..7).map(|column| (3 - (column - 3_i32).abs()) * (pieces >> (8 * column) & 0x7f).count_ones() as i32).sum()
    }
}

impl<const LINES_WIN: bool> Display for Boom<LINES_WIN> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)?;
        for row in (0..7).rev() {
            f.write_str(if row == 6 { ":" } else { "/" })?;
            let mut empty = 0;
            for column in 0..7 {
                let Some(piece) = self.cell(column, row) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                write!(f, "{piece}")?;
                empty = 0;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
        }
        Ok(())
    }
}

impl<const LINES_WIN: bool> FromStr for Boom<LINES_WIN> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let [move_number, board] = parts(text, ":")?;
        let mut position = Self { pieces: [0; 2], bombs: 0, number: number(move_number, 1_000_000)?, outcome: None };
        if position.number == 0 {
            return Err("moves are numbered from 1".to_owned());
        }
        for (row, text) in (0..7).rev().zip(parts::<7>(board, "/")?) {
            let mut column = 0;
            for symbol in text.chars() {
                let empty = symbol.to_digit(8).unwrap_or(0);
                if empty == 0 {
                    let cell = if column < 7 { 1 << (8 * column + row) } else { 0 };
                    match symbol.to_ascii_lowercase() {
                        'x' => position.pieces[0] |= cell,
                        'o' => position.pieces[1] |= cell,
                        _ => return Err(format!("{symbol:?} on the board")),
                    }
                    position.bombs |= if symbol.is_ascii_uppercase() { cell } else { 0 };
                }
                column += empty.max(1);
            }
            if column != 7 {
                return Err(format!("a row of {column} cells"));
            }
        }
        let filled = position.filled();
        if filled & !(filled << 1 | BOTTOM) != 0 {
            return Err("a piece with nothing below it".to_owned());
        }
        if [1, 2].iter().any(|&player| position.bomb(player).count_ones() > 1) {
            return Err("more than one bomb of a player".to_owned());
        }
        position.outcome = position.judge();
        Ok(position)
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Parchís
// ---------------------------------------------------------------------------------------------------------------------

/// The colours in the order of their turns. Player 1 has yellow and red, player 2 blue and green.
const COLOURS: [char; 4] = ['Y', 'B', 'R', 'G'];

/// The square of the ring on which each colour comes out of home.
const STARTS: [u8; 4] = [4, 21, 38, 55];

/// The last square of the ring before each colour's queue.
const LASTS: [u8; 4] = [68, 17, 34, 51];

/// On these squares nobody is eaten.
const SAFE: [u8; 12] = [4, 13, 17, 21, 30, 34, 38, 47, 51, 55, 64, 68];

/// The squares of the ring, which all colours share.
const RING: u8 = 68;

/// So many bounces of one colour lose.
const MAX_BOUNCES: u8 = 31;

/// Parchís. Colours are numbers here: 0 yellow, 1 blue, 2 red, 3 green. Places are numbers, too: [`Parchis::HOME`], 1
/// to 68 on the ring, 71 to 77 in the colour's own queue, and [`Parchis::GOAL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parchis {
    pieces: [[u8; 4]; 4],
    /// The dice that each colour still has, bit 1 for the 1 to bit 6 for the 6.
    dice: [u8; 4],
    /// The bonus of the colour on turn, 10 or 20, or 0. It must be used before any die.
    bonus: u8,
    colour: usize,
    /// What the last move did: it ate, it brought a piece to the goal, it bounced.
    ate: bool,
    reached_goal: bool,
    bounced: bool,
    /// A 6 was used, and since then only bonuses: the colour goes on.
    six: bool,
    bounces: [u8; 4],
    /// The die of the last move, 0 before the first.
    last_die: u8,
    /// The number of the next move, from 1.
    number: u32,
    /// Colour and piece that the last move ate, if it is known.
    eaten: Option<(usize, usize)>,
    winner: Option<u8>,
}

/// A move of Parchís: a piece of the colour on turn uses a die, or the colour skips with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParchisMove {
    /// The colour on turn, 0 to 3.
    pub colour: usize,
    /// The piece, 0 to 3, or `None` for a skip.
    pub piece: Option<usize>,
    /// The die, 1 to 6, or a bonus of 10 or 20.
    pub die: u8,
}

impl Display for ParchisMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colour = COLOURS[self.colour];
        match self.piece {
            Some(piece) => write!(f, "{colour}{piece}:{}", self.die),
            None => write!(f, "{colour}s:{}", self.die),
        }
    }
}

impl Parchis {
    /// The place of a piece that has not come out yet.
    pub const HOME: u8 = 0;
    /// The place of a piece that has arrived.
    pub const GOAL: u8 = 90;
    const FULL_POOL: u8 = 0b111_1110;

    /// The colour on turn.
    pub fn colour(&self) -> usize {
        self.colour
    }

    /// The places of a colour's pieces.
    pub fn pieces(&self, colour: usize) -> [u8; 4] {
        self.pieces[colour]
    }

    /// The dice that a colour still has, its bonus not among them.
    pub fn dice(&self, colour: usize) -> Vec<u8> {
        dice_of(self.dice[colour]).collect()
    }

    /// The bonus of the colour on turn, 10 or 20, or 0.
    pub fn bonus(&self) -> u8 {
        self.bonus
    }

    /// How often a colour has bounced off its goal.
    pub fn bounces(&self, colour: usize) -> u8 {
        self.bounces[colour]
    }

    /// The player of a colour, 1 or 2.
    pub fn player_of(colour: usize) -> u8 {
        (colour % 2) as u8 + 1
    }

    /// Whether nobody is eaten on a place.
    pub fn is_safe(place: u8) -> bool {
        !is_ring(place) || SAFE.contains(&place)
    }

    /// The steps from a place to the goal; 74 from home.
    pub fn distance(colour: usize, place: u8) -> u8 {
        match place {
            Self::HOME => 74,
            Self::GOAL => 0,
            71..=77 => 78 - place,
            square => (LASTS[colour] + RING - square) % RING + 8,
        }
    }

    /// The place at this distance from the goal.
    fn place_at(colour: usize, distance: u8) -> u8 {
        match distance {
            0 => Self::GOAL,
            1..=7 => 78 - distance,
            // Squares count from 1 to 68.
            _ => (LASTS[colour] + 2 * RING - (distance - 8) - 1) % RING + 1,
        }
    }

    /// The dice that can be used now.
    fn available(&self) -> Vec<u8> {
        match (self.winner, self.bonus) {
            (Some(_), _) => Vec::new(),
            (None, 0) => self.dice(self.colour),
            (None, bonus) => vec![bonus],
        }
    }

    /// How far a die goes: a 6 counts 7 while the colour has nobody at home.
    fn steps(&self, die: u8) -> u8 {
        if die == 6 && !self.pieces[self.colour].contains(&Self::HOME) { 7 } else { die }
    }

    /// Where a die would bring a piece of the colour on turn, whoever stands in the way, and whether it bounces.
    fn target(&self, piece: usize, die: u8) -> Option<(u8, bool)> {
        let from = self.pieces[self.colour][piece];
        match from {
            Self::GOAL => None,
            Self::HOME => (die == 5).then_some((STARTS[self.colour], false)),
            _ => {
                let (distance, steps) = (Self::distance(self.colour, from), self.steps(die));
                Some((Self::place_at(self.colour, distance.abs_diff(steps)), steps > distance))
            }
        }
    }

    fn can_use(&self, piece: usize, die: u8, ring: &Ring) -> bool {
        let own = self.pieces[self.colour];
        let from = own[piece];
        let Some((to, _)) = self.target(piece, die) else { return false };
        let full = if is_ring(to) {
            ring.count[usize::from(to)] >= 2
        } else {
            to != Self::GOAL && own.iter().filter(|&&place| place == to).count() >= 2
        };
        let end = if is_ring(to) { to } else { LASTS[self.colour] };
        // Who has a wall of its own must use the 6 for one of its pieces.
        let held = die == 6 && has_wall(own) && !in_wall(own, piece);
        !held && (!full || to == from) && !(is_ring(from) && ring.blocks(from, end))
    }

    /// Moves a piece, and sends home whom it eats.
    fn advance(&mut self, piece: usize, die: u8) {
        let me = self.colour;
        let Some((to, bounces)) = self.target(piece, die) else { return };
        self.ate = false;
        if !Self::is_safe(to) {
            let others = (0..4).filter(|&colour| colour != me).flat_map(|colour| (0..4).map(move |p| (colour, p)));
            self.eaten = others.into_iter().find(|&(colour, p)| self.pieces[colour][p] == to);
            if let Some((colour, p)) = self.eaten {
                self.pieces[colour][p] = Self::HOME;
                self.ate = true;
            }
        }
        self.pieces[me][piece] = to;
        let all_arrived = self.pieces[me] == [Self::GOAL; 4];
        // The fourth piece wins, and is no longer rewarded.
        self.reached_goal = to == Self::GOAL && !all_arrived;
        self.bounced = bounces;
        self.bounces[me] += u8::from(bounces);
        if all_arrived {
            self.winner = Some(self.turn());
        } else if self.bounces[me] >= MAX_BOUNCES {
            self.winner = Some(other(self.turn()));
        }
    }
}

/// Who stands on the squares of the ring, as the colour on turn sees it.
struct Ring {
    /// The pieces of all colours on each square.
    count: [u8; 70],
    /// Two pieces of one other colour: nobody else may pass. The partner's count, the own do not.
    wall: [bool; 70],
}

impl Ring {
    fn of(position: &Parchis) -> Self {
        let mut ring = Self { count: [0; 70], wall: [false; 70] };
        for (colour, pieces) in position.pieces.iter().enumerate() {
            for (piece, &place) in pieces.iter().enumerate().filter(|&(_, &place)| is_ring(place)) {
                ring.count[usize::from(place)] += 1;
                ring.wall[usize::from(place)] |= colour != position.colour && in_wall(*pieces, piece);
            }
        }
        ring
    }

    /// Whether a wall stands on the way. This is the course's scan with all its oddities: after 68 it looks at 69,
    /// where nobody ever is, and goes on with 2; and a way that ends where it began is not scanned at all.
    fn blocks(&self, from: u8, end: u8) -> bool {
        if from == end {
            return false;
        }
        let mut square = from + 1;
        loop {
            if self.wall[usize::from(square)] {
                return true;
            }
            if square == end {
                return false;
            }
            square = square % RING + 1;
        }
    }
}

fn is_ring(place: u8) -> bool {
    (1..=RING).contains(&place)
}

/// Whether a piece shares a square of ring or queue with another of its colour.
fn in_wall(pieces: [u8; 4], piece: usize) -> bool {
    let place = pieces[piece];
    place != Parchis::HOME && place != Parchis::GOAL && pieces.iter().filter(|&&other| other == place).count() == 2
}

fn has_wall(pieces: [u8; 4]) -> bool {
    (0..4).any(|piece| in_wall(pieces, piece))
}

fn dice_of(pool: u8) -> impl Iterator<Item = u8> {
    (1..=6).filter(move |die| pool >> die & 1 == 1)
}

impl Game for Parchis {
    const NAME: &'static str = "parchis";
    type Move = ParchisMove;

    fn turn(&self) -> u8 {
        Self::player_of(self.colour)
    }

    /// For each die the pieces that can use it; if there are none, the skip.
    fn moves(&self) -> Vec<ParchisMove> {
        let ring = Ring::of(self);
        let mut moves = Vec::new();
        for die in self.available() {
            let before = moves.len();
            let usable = (0..4).filter(|&piece| self.can_use(piece, die, &ring));
            moves.extend(usable.map(|piece| ParchisMove { colour: self.colour, piece: Some(piece), die }));
            if moves.len() == before {
                moves.push(ParchisMove { colour: self.colour, piece: None, die });
            }
        }
        moves
    }

    fn play(&mut self, mv: ParchisMove) {
        self.eaten = None;
        match mv.piece {
            Some(piece) => self.advance(piece, mv.die),
            // A skip remembers whether the last move bounced.
            None => (self.ate, self.reached_goal) = (false, false),
        }
        self.six = mv.die == 6 || self.six && mv.die >= 10;
        let dice = &mut self.dice[self.colour];
        if mv.die <= 6 {
            *dice &= !(1 << mv.die);
        }
        if *dice == 0 {
            *dice = Self::FULL_POOL;
        }
        self.bonus = match (self.ate, self.reached_goal) {
            (true, _) => 20,
            (_, true) => 10,
            _ => 0,
        };
        if self.bonus == 0 && !self.six {
            self.colour = (self.colour + 1) % 4;
        }
        self.last_die = mv.die;
        self.number = self.number.saturating_add(1);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::Win)
    }

    /// The pieces in goal.
    fn points(&self) -> [i32; 2] {
        let arrived = |colour: usize| self.pieces[colour].iter().filter(|&&place| place == Self::GOAL).count() as i32;
        [arrived(0) + arrived(2), arrived(1) + arrived(3)]
    }

    /// A point for each piece on a safe square of the ring, five for each in goal; the opponent's are subtracted.
    fn test_score(&self, player: u8) -> i32 {
        let safe = |colour: usize| self.pieces[colour].iter().filter(|&place| SAFE.contains(place)).count() as i32;
        let lead = safe(0) + safe(2) - safe(1) - safe(3);
        5 * self.lead(player) + if player == 1 { lead } else { -lead }
    }
}

impl Display for Parchis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.pieces.map(|places| places.map(|place| format!("{place:02}")).concat()).join(".");
        let mut pools = self.dice.map(|pool| dice_of(pool).map(|die| die.to_string()).collect::<String>());
        if self.bonus > 0 {
            pools[self.colour] += &format!("+{}", self.bonus);
        }
        let flags = [(self.ate, 'e'), (self.reached_goal, 'g'), (self.bounced, 'b'), (self.six, 's')];
        let flags: String = flags.iter().filter(|(set, _)| *set).map(|(_, letter)| letter).collect();
        let flags = if flags.is_empty() { "-" } else { &flags };
        let (colour, player) = (COLOURS[self.colour], self.colour % 2);
        let last_die = if self.last_die == 0 { "-1".to_owned() } else { self.last_die.to_string() };
        write!(f, "{pieces}|{}|{colour}{player}|{flags}|", pools.join("."))?;
        write!(f, "{}|{last_die}|{}", join(self.bounces, "."), self.number)?;
        self.eaten.map_or(Ok(()), |(colour, piece)| write!(f, "|{}{piece}", COLOURS[colour]))
    }
}

impl FromStr for Parchis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split('|').collect();
        let (fields, eaten) = match fields[..] {
            [.., eaten] if fields.len() == 8 => (parts::<7>(&text[..text.len() - eaten.len() - 1], "|")?, Some(eaten)),
            _ => (parts::<7>(text, "|")?, None),
        };
        let [pieces, pools, colour, flags, bounces, last_die, move_number] = fields;
        let wrong = |what: &str| format!("no {what} of Parchís");
        let mut position = Self {
            pieces: [[Self::HOME; 4]; 4],
            dice: [0; 4],
            bonus: 0,
            colour: ["Y0", "B1", "R0", "G1"].iter().position(|&name| name == colour).ok_or(wrong("colour"))?,
            ate: flags.contains('e'),
            reached_goal: flags.contains('g'),
            bounced: flags.contains('b'),
            six: flags.contains('s'),
            bounces: [0; 4],
            last_die: if last_die == "-1" { 0 } else { number(last_die, 20)? as u8 },
            number: number(move_number, u32::MAX)?,
            eaten: None,
            winner: None,
        };
        if flags != "-" && (flags.is_empty() || !flags.chars().all(|flag| "egbs".contains(flag))) {
            return Err(wrong("flags"));
        }
        for (places, text) in position.pieces.iter_mut().zip(parts::<4>(pieces, ".")?) {
            *places = read_places(text).ok_or(wrong("places"))?;
        }
        for (colour, text) in parts::<4>(pools, ".")?.into_iter().enumerate() {
            let (dice, bonus) = text.split_once('+').unwrap_or((text, ""));
            position.dice[colour] = read_dice(dice).ok_or(wrong("pool"))?;
            match bonus {
                "" => {}
                "10" if colour == position.colour => position.bonus = 10,
                "20" if colour == position.colour => position.bonus = 20,
                _ => return Err(wrong("bonus")),
            }
        }
        for (count, text) in position.bounces.iter_mut().zip(parts::<4>(bounces, ".")?) {
            *count = number(text, u32::from(MAX_BOUNCES))? as u8;
        }
        if let Some(eaten) = eaten {
            let colour = COLOURS.iter().position(|&letter| eaten.starts_with(letter)).ok_or(wrong("colour"))?;
            position.eaten = Some((colour, number(&eaten[1..], 3)? as usize));
        }
        for colour in 0..4 {
            if position.pieces[colour] == [Self::GOAL; 4] {
                position.winner = Some(Self::player_of(colour));
            } else if position.bounces[colour] >= MAX_BOUNCES {
                position.winner = Some(other(Self::player_of(colour)));
            }
        }
        Ok(position)
    }
}

/// Four places of two digits each.
fn read_places(text: &str) -> Option<[u8; 4]> {
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = text.as_bytes();
    let places = [0, 2, 4, 6].map(|at| 10 * (digits[at] - b'0') + digits[at + 1] - b'0');
    places.iter().all(|place| matches!(place, 0..=68 | 71..=77 | 90)).then_some(places)
}

/// The dice of a pool, at least one.
fn read_dice(text: &str) -> Option<u8> {
    let mut pool = 0;
    for die in text.chars() {
        pool |= 1 << die.to_digit(7).filter(|&die| die > 0)?;
    }
    (pool != 0).then_some(pool)
}

// ---------------------------------------------------------------------------------------------------------------------
// El Juego de la Bandera
// ---------------------------------------------------------------------------------------------------------------------

/// The actions of a player, in the order in which moves are listed.
const ACTIONS: [&str; 7] = ["N", "NE", "SE", "S", "SW", "NW", "dig"];

/// The number of `dig` among the actions; those before it are directions.
const DIG: usize = 6;

/// The tiles: grass, water, mud, wall, pit, trench, flag, boat, axe, juice, shovel, forest.
const TILES: &[u8] = b".~%#oOFBAJS^";

/// The most rows or columns, and players a team.
const MAX_SIZE: u32 = 128;
const MAX_TEAM: usize = 8;

/// El Juego de la Bandera. Cells and players count from 0 here, and from 1 when they are written. Tiles are the
/// characters of the notation: `b'F'` is a flag, `b'#'` a wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bandera {
    rows: usize,
    cols: usize,
    /// The six neighbours of every cell, the same for all positions of a game.
    neighbours: Arc<Vec<[usize; 6]>>,
    tiles: Vec<u8>,
    /// Team 1's players, then as many of team 2.
    players: Vec<Player>,
    captured: [i32; 2],
    flags_left: i32,
    turn: u8,
    finished: bool,
}

/// A player of Bandera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// Where it stands.
    pub cell: usize,
    /// Without energy it is out.
    pub energy: u32,
    /// Units of the axe.
    pub axe: u32,
    /// Units of the boat.
    pub boat: u32,
    /// Units of the shovel.
    pub shovel: u32,
}

/// A move of Bandera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BanderaMove {
    /// The player, from 0.
    pub player: usize,
    /// 0 to 5 are the directions N, NE, SE, S, SW, NW; 6 is dig.
    pub action: usize,
}

impl Display for BanderaMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.player + 1, ACTIONS[self.action])
    }
}

impl Player {
    /// What entering a tile costs with the tools that the player holds; `None` for a wall.
    pub fn cost(&self, tile: u8) -> Option<u32> {
        Some(match tile {
            b'#' => return None,
            b'%' => 2,
            b'o' => 4,
            b'O' => 6,
            b'~' if self.boat > 0 => 3,
            b'~' => 6,
            b'^' if self.axe > 0 => 4,
            b'^' => 8,
            _ => 1,
        })
    }

    /// Whether the player can pay for entering a tile.
    pub fn can_enter(&self, tile: u8) -> bool {
        self.cost(tile).is_some_and(|cost| cost <= self.energy)
    }

    fn can_dig(&self, tile: u8) -> bool {
        self.energy > 0 && self.shovel >= 2 && matches!(tile, b'.' | b'o' | b'O')
    }

    /// Pays for a tile and takes what lies there. Gives what the tile becomes.
    fn enter(&mut self, tile: u8) -> u8 {
        self.energy = self.energy.saturating_sub(self.cost(tile).unwrap_or(0));
        match tile {
            b'F' => {}
            b'B' => self.boat += 20,
            b'A' => self.axe += 20,
            b'J' => self.energy += 20,
            b'S' => self.shovel += 10,
            b'^' if self.axe > 0 => self.axe -= 1, // The axe fells the forest.
            b'~' => {
                self.boat = self.boat.saturating_sub(1);
                return tile;
            }
            _ => return tile,
        }
        b'.'
    }
}

impl Bandera {
    /// Rows and columns of the board.
    pub fn size(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// The tiles, row by row.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// All players, team 1's first.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// The players of a team.
    pub fn team(&self, team: u8) -> &[Player] {
        let size = self.players.len() / 2;
        &self.players[usize::from(team - 1) * size..][..size]
    }

    /// The cells around a cell, in the order N, NE, SE, S, SW, NW. The board is closed in both directions.
    pub fn neighbours(&self, cell: usize) -> [usize; 6] {
        self.neighbours[cell]
    }

    /// How many steps every cell is away from this one, whatever they cost; as many as there are cells where there is
    /// no way.
    pub fn hops(&self, start: usize) -> Vec<usize> {
        let far = self.tiles.len();
        let mut hops = vec![far; far];
        hops[start] = 0;
        let mut reached = VecDeque::from([start]);
        while let Some(cell) = reached.pop_front() {
            for next in self.neighbours(cell) {
                if hops[next] == far && self.tiles[next] != b'#' {
                    hops[next] = hops[cell] + 1;
                    reached.push_back(next);
                }
            }
        }
        hops
    }

    /// Flags on the board.
    pub fn flags_left(&self) -> i32 {
        self.flags_left
    }

    fn can_do(&self, player: &Player, action: usize) -> bool {
        if action == DIG {
            player.can_dig(self.tiles[player.cell])
        } else {
            player.can_enter(self.tiles[self.neighbours[player.cell][action]])
        }
    }

    fn can_act(&self, team: u8) -> bool {
        self.team(team).iter().any(|player| (0..ACTIONS.len()).any(|action| self.can_do(player, action)))
    }

    /// Gives the turn to a team. Who cannot act is passed over; if nobody can, or no flag is left, it is the end.
    fn hand_over(&mut self, next: u8) {
        self.turn = next;
        self.finished = self.flags_left == 0;
        if !self.finished && !self.can_act(next) {
            if self.can_act(other(next)) {
                self.turn = other(next);
            } else {
                self.finished = true;
            }
        }
    }
}

impl Game for Bandera {
    const NAME: &'static str = "bandera";
    type Move = BanderaMove;

    fn turn(&self) -> u8 {
        self.turn
    }

    fn moves(&self) -> Vec<BanderaMove> {
        let mut moves = Vec::new();
        if !self.finished {
            let team = self.team(self.turn);
            let first = if self.turn == 1 { 0 } else { team.len() };
            for (player, state) in (first..).zip(team) {
                let actions = (0..ACTIONS.len()).filter(|&action| self.can_do(state, action));
                moves.extend(actions.map(|action| BanderaMove { player, action }));
            }
        }
        moves
    }

    fn play(&mut self, mv: BanderaMove) {
        let player = &mut self.players[mv.player];
        if mv.action == DIG {
            player.shovel = player.shovel.saturating_sub(2);
            let tile = &mut self.tiles[player.cell];
            *tile = if *tile == b'.' { b'o' } else { b'O' };
        } else {
            player.cell = self.neighbours[player.cell][mv.action];
            let tile = &mut self.tiles[player.cell];
            if *tile == b'F' {
                self.captured[usize::from(self.turn) - 1] += 1;
                self.flags_left -= 1;
            }
            *tile = player.enter(*tile);
        }
        self.hand_over(other(self.turn));
    }

    fn outcome(&self) -> Option<Outcome> {
        self.finished.then(|| Outcome::by_points(self.captured))
    }

    /// The flags captured.
    fn points(&self) -> [i32; 2] {
        self.captured
    }

    fn test_score(&self, player: u8) -> i32 {
        self.lead(player)
    }
}

/// The neighbours of all cells. Columns stand in turn half a hex higher and lower, so that the neighbours at the sides
/// are in this row and the one above, or in this row and the one below.
fn hexes(rows: usize, cols: usize) -> Vec<[usize; 6]> {
    let around = |cell: usize| {
        let at = |row: usize, col: usize| row % rows * cols + col % cols;
        let (row, col) = (cell / cols, cell % cols);
        let (up, down, left, right) = (row + rows - 1, row + 1, col + cols - 1, col + 1);
        let (upper, lower) = if col % 2 == 0 { (up, row) } else { (row, down) };
        [at(up, col), at(upper, right), at(lower, right), at(down, col), at(lower, left), at(upper, left)]
    };
    (0..rows * cols).map(around).collect()
}

impl Display for Bandera {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}:", self.rows, self.cols)?;
        for run in self.tiles.chunk_by(|a, b| a == b) {
            let tile = char::from(run[0]);
            if run.len() > 1 { write!(f, "{}{tile}", run.len())? } else { write!(f, "{tile}")? }
        }
        let write_player = |p: &Player| join([p.cell as u32 + 1, p.energy, p.axe, p.boat, p.shovel], ",");
        let [one, two] = [1, 2].map(|team| join(self.team(team).iter().map(write_player), ";"));
        write!(f, ":{one}/{two}:{}:{}", join(self.captured, "-"), self.turn)
    }
}

impl FromStr for Bandera {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let [size, tiles, teams, captured, turn] = parts(text, ":")?;
        let [rows, cols] = parts(size, "x")?;
        let (rows, cols) = (number(rows, MAX_SIZE)? as usize, number(cols, MAX_SIZE)? as usize);
        if rows < 3 || cols < 4 || cols % 2 == 1 {
            return Err(format!("{rows} rows and {cols} columns make no board"));
        }
        let tiles = read_tiles(tiles, rows * cols)?;
        let [one, two] = parts::<2>(teams, "/")?.map(|team| -> Result<Vec<Player>, String> {
            team.split(';').map(|text| read_player(text, &tiles)).collect()
        });
        let (mut players, two) = (one?, two?);
        if players.len() != two.len() || players.len() > MAX_TEAM {
            return Err(format!("teams of {} and {} players", players.len(), two.len()));
        }
        players.extend(two);
        let [one, two] = parts::<2>(captured, "-")?.map(|text| number(text, MAX_SIZE * MAX_SIZE));
        let mut position = Self {
            rows,
            cols,
            neighbours: Arc::new(hexes(rows, cols)),
            flags_left: tiles.iter().filter(|&&tile| tile == b'F').count() as i32,
            tiles,
            players,
            captured: [one? as i32, two? as i32],
            turn: 1,
            finished: false,
        };
        position.hand_over(player(turn)?);
        Ok(position)
    }
}

/// Tiles in runs: `12.3~F` is twelve times grass, three times water, and a flag.
fn read_tiles(text: &str, cells: usize) -> Result<Vec<u8>, String> {
    let mut tiles = Vec::with_capacity(cells);
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| !c.is_ascii_digit()) {
        let run = if at == 0 { 1 } else { number(&rest[..at], cells as u32)? as usize };
        let tile = rest.as_bytes()[at];
        if !TILES.contains(&tile) || run > cells - tiles.len() {
            return Err(format!("tiles that do not fit: {rest}"));
        }
        tiles.resize(tiles.len() + run, tile);
        rest = &rest[at + 1..];
    }
    if tiles.len() == cells && rest.is_empty() { Ok(tiles) } else { Err(format!("{} tiles", tiles.len())) }
}

/// `cell,energy,axe,boat,shovel`
fn read_player(text: &str, tiles: &[u8]) -> Result<Player, String> {
    let [cell, energy, axe, boat, shovel] = parts::<5>(text, ",")?.map(|text| number(text, 1_000_000));
    let cell = (cell? as usize).checked_sub(1).filter(|&cell| tiles.get(cell).is_some_and(|&tile| tile != b'#'));
    let cell = cell.ok_or_else(|| format!("nobody can stand there: {text}"))?;
    Ok(Player { cell, energy: energy?, axe: axe?, boat: boat?, shovel: shovel? })
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading and writing
// ---------------------------------------------------------------------------------------------------------------------

fn join<T: Display>(items: impl IntoIterator<Item = T>, separator: &str) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(separator)
}

/// The text in exactly `N` parts.
fn parts<'a, const N: usize>(text: &'a str, separator: &str) -> Result<[&'a str; N], String> {
    let parts: Vec<&str> = text.split(separator).collect();
    parts.try_into().map_err(|_| format!("{N} parts with {separator:?} between them expected: {text:?}"))
}

/// A number without sign or leading zeros.
fn number(text: &str, max: u32) -> Result<u32, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
    let value = text.parse().ok().filter(|&value: &u32| plain && value <= max);
    value.ok_or_else(|| format!("a number from 0 to {max} expected: {text:?}"))
}

fn player(text: &str) -> Result<u8, String> {
    match text {
        "1" => Ok(1),
        "2" => Ok(2),
        _ => Err(format!("1 or 2 expected: {text:?}")),
    }
}
