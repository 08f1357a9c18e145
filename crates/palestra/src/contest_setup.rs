//! What the commands that play many games have in common: from their words to a contest, and what is told of a game.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use palestra_arena::{
    Contest, ContestError, EntrantError, Entrants, GameStart, PlayedGame, Reason, Rules, Starts, Task, TimeControl,
    Workshop,
};
use palestra_games::{GameKind, Record, Side};
use palestra_protocol::shown;
use palestra_search::openings::{AnyOpening, Book, any_openings};
use palestra_tournament::{Tally, fingerprint};

use crate::cli::{Conditions, Start};
use crate::start::words_to;
use crate::ui::error::{HintExt, INTERRUPTED};
use crate::ui::units::{counted, written_memory, written_time};
use crate::{boxes, clock, file};

/// When only states or depth are limited, time is no matter; but nobody waits for ever.
const AMPLE: Duration = Duration::from_secs(60);

/// The contest that a command line describes. Unless it says otherwise, more than one pair of games begins from openings.
pub(crate) fn contest(start: &Start, players: &[&str], conditions: &Conditions, games: u32) -> Result<Contest> {
    let kind = start.game;
    let sandbox = boxes::sandbox(conditions.sandbox)?;
    let mut told = told_build;
    let mut workshop = workshop(&mut told).in_boxes(sandbox);
    let entrants = Entrants::find(kind.id(), players, &mut workshop).or_else(with_hint)?;
    Ok(Contest {
        kind,
        entrants,
        rules: rules(kind, conditions),
        starts: starts(start, conditions, games)?,
        memory: Some(memory(conditions)),
        seed: conditions.seed,
    })
}

/// How many bytes of memory a program may hold.
fn memory(conditions: &Conditions) -> u64 {
    let usual = if conditions.sandbox { boxes::USUAL_MEMORY } else { USUAL_MEMORY };
    conditions.memory.map_or(usual, |memory| memory as u64)
}

/// Where programs given as source are built and kept.
pub(crate) fn workshop(told: &mut dyn FnMut(&str)) -> Workshop<'_> {
    Workshop::new(Workshop::usual_folder(), told)
}

/// Shows how a program is built, or what else is done with it; on stderr, because it is no part of what was asked for.
pub(crate) fn told_build(notice: &str) {
    let _ = writeln!(anstream::stderr(), "{notice}");
}

fn rules(kind: &GameKind, conditions: &Conditions) -> Rules {
    let &Conditions { cpu, wall, states, depth, debug, retry, .. } = conditions;
    let usual = Rules::default();
    let time = match (cpu, wall) {
        _ if debug => TimeControl::Unlimited,
        (Some(cpu), Some(wall)) => TimeControl::Cpu { cpu, wall },
        (Some(cpu), None) => TimeControl::cpu(cpu),
        (None, Some(wall)) => TimeControl::Wall(wall),
        (None, None) if states.is_some() || depth.is_some() => TimeControl::cpu(AMPLE),
        (None, None) => usual.time,
    };
    Rules { time, states, depth, retry, cap: kind.about.move_cap, ..usual }
}

fn starts(start: &Start, conditions: &Conditions, games: u32) -> Result<Starts> {
    let kind = start.game;
    let pairs = games.div_ceil(2);
    match conditions.openings {
        Some(0) => {}
        Some(count) => {
            let openings = any_openings(kind.id())?.into_iter().take(count.into());
            return Ok(Starts::Given(openings.map(GameStart::Opening).collect()));
        }
        None if start.setup.is_told() || pairs == 1 => {}
        None => return Ok(Starts::Openings(Book::new(kind.id(), conditions.seed)?)),
    }
    let record = start.record()?;
    if record.position().outcome().is_some() {
        return Err(anyhow!("the game is over where the games would begin"))
            .hint(|| "choose another --position, or fewer --moves".to_owned());
    }
    let moves = record.moves().iter().map(|mv| mv.text.clone()).collect();
    let has_options = record.beginning() == record.options();
    Ok(Starts::Given(vec![match has_options {
        true => GameStart::Opening(AnyOpening { options: record.options().to_owned(), moves }),
        false => GameStart::Position(record.start().boxed_clone().into(), moves),
    }]))
}

/// How many games repeat earlier ones, in words, and in what they do not count; none if there is no such game.
pub(crate) fn repeats(tally: &Tally, what: &str) -> Option<String> {
    repeats_of(tally.repeats, tally.games(), what)
}

/// The same of so many of so many games.
pub(crate) fn repeats_of(repeats: u32, games: u32, what: &str) -> Option<String> {
    match repeats {
        0 => None,
        1 => Some(format!("1 of {games} games repeats an earlier one and does not count in the {what}.")),
        _ => Some(format!("{repeats} of {games} games repeat earlier ones and do not count in the {what}.")),
    }
}

/// A number that is the same for games with the same start, moves and end; see [`fingerprint`].
pub(crate) fn identity(record: &Record) -> u64 {
    let moves: Vec<&str> = record.moves().iter().map(|mv| mv.text.as_str()).collect();
    let end = record.result().map(|result| (result.points, result.reason.as_str()));
    fingerprint((record.start().notation(), moves, end))
}

/// How many games at a time.
pub(crate) fn concurrency(conditions: &Conditions) -> Result<usize> {
    match conditions.concurrency {
        Some(count) => Ok(count.into()),
        // By the clock on the wall, a game beside another would be unfair to both.
        None if conditions.wall.is_some() && conditions.cpu.is_none() => Ok(1),
        None => clock::threads(0),
    }
}

/// What a move may cost, and where programs run, in words.
pub(crate) fn told_conditions(contest: &Contest) -> String {
    let boxes = if contest.box_lacks().is_some() { ", programs in boxes" } else { "" };
    told_rules(&contest.rules) + boxes
}

fn told_rules(rules: &Rules) -> String {
    let mut words = match rules.time {
        TimeControl::Unlimited => "no clock".to_owned(),
        TimeControl::Cpu { cpu, .. } if cpu == AMPLE && (rules.states.is_some() || rules.depth.is_some()) => {
            String::new()
        }
        TimeControl::Cpu { cpu, wall } => {
            format!("{} of CPU time a move, {} by the clock", written_time(cpu), written_time(wall))
        }
        TimeControl::Wall(wall) => format!("{} by the clock a move, strictly", written_time(wall)),
        TimeControl::Game { total, .. } => format!("{} a game", written_time(total)),
    };
    let states = rules.states.map(|count| counted(count, "state", "states"));
    let plies = rules.depth.map(|count| counted(count.into(), "ply", "plies"));
    for limit in [states, plies].into_iter().flatten() {
        let comma = if words.is_empty() { "" } else { ", " };
        let _ = write!(words, "{comma}{limit} a move (programs on trust)");
    }
    words
}

/// Set when somebody presses Ctrl-C: games under way are given up, and what is known is told. Pressed again, the program
/// ends at once.
pub(crate) fn interrupted() -> &'static AtomicBool {
    // It can be installed once only, and without it Ctrl-C simply ends the program.
    let _ = ctrlc::set_handler(|| {
        if QUIT.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    &QUIT
}

/// Remembers that Ctrl-C was pressed, where a command handles it by itself.
pub(crate) fn interrupt() {
    QUIT.store(true, Ordering::Relaxed);
}

/// Set when Ctrl-C was pressed, where [`interrupted`] or another handler is installed.
pub(crate) const fn interrupt_flag() -> &'static AtomicBool {
    &QUIT
}

/// Whether somebody has pressed Ctrl-C.
pub(crate) fn is_interrupted() -> bool {
    QUIT.load(Ordering::Relaxed)
}

static QUIT: AtomicBool = AtomicBool::new(false);

/// A file to which games are added as they are finished.
pub(crate) struct RecordFile {
    path: String,
    file: File,
    games: u32,
}

impl RecordFile {
    pub(crate) fn create(path: &str) -> Result<Self> {
        Ok(Self { path: path.to_owned(), file: file::create_new(path)?, games: 0 })
    }

    /// Adds a game, in one piece.
    pub(crate) fn add(&mut self, text: &str) -> Result<()> {
        self.file.write_all(text.as_bytes()).with_context(|| format!("cannot write '{}'", self.path))?;
        self.games += 1;
        Ok(())
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// How many games it holds, which is the number of the last.
    pub(crate) const fn games(&self) -> u32 {
        self.games
    }
}

/// Refuses a page that could not be written in the end, or would replace the games.
pub(crate) fn check_page(html: Option<&str>, record: Option<&str>) -> Result<()> {
    let Some(html) = html else { return Ok(()) };
    let place = |path: &str| {
        let path = std::path::absolute(path).ok()?;
        Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?))
    };
    let is_record = |record| place(html).is_some_and(|html| place(record) == Some(html));
    if record.is_some_and(is_record) {
        return Err(anyhow!("'{html}' is to hold the games, and cannot hold the page"))
            .hint(|| "choose another file for --html".to_owned());
    }
    file::check_replaceable(html)
}

/// Tells of faults: the first of each kind of each player in full, for the author of the program.
pub(crate) struct Faults<'a> {
    contest: &'a Contest,
    /// The players as they were typed.
    typed: Vec<&'a str>,
    conditions: &'a Conditions,
    told: Vec<(usize, &'static str)>,
}

impl<'a> Faults<'a> {
    pub(crate) const fn new(contest: &'a Contest, typed: Vec<&'a str>, conditions: &'a Conditions) -> Self {
        Self { contest, typed, conditions, told: vec![] }
    }

    /// Tells of a game's fault, if it is a new one, below the line of the game.
    pub(crate) fn tell(&mut self, task: &Task, played: &PlayedGame, out: &mut impl Write) -> Result<()> {
        let Some(player) = self.newly_at_fault(task, played) else { return Ok(()) };
        let Self { typed, conditions, .. } = self;
        self.told.push((player, played.verdict.reason.word()));
        FaultReport { typed, conditions, task: *task, played }.write(out)
    }

    /// The same where games have no lines.
    pub(crate) fn announce(&mut self, task: &Task, played: &PlayedGame, out: &mut impl Write) -> Result<()> {
        let Some(player) = self.newly_at_fault(task, played) else { return Ok(()) };
        let name = shown(&self.contest.entrants[player].name, 40);
        writeln!(out, "{:5}  {name} lost by {}", task.number + 1, told_reason(&played.verdict.reason))?;
        self.tell(task, played, out)
    }

    fn newly_at_fault(&self, task: &Task, played: &PlayedGame) -> Option<usize> {
        let (fault, winner) = played.verdict.fault().zip(played.verdict.winner)?;
        let player = task.players[winner.other().index()];
        (!self.told.contains(&(player, fault.kind.word()))).then_some(player)
    }
}

/// A game that was lost by a fault.
struct FaultReport<'a> {
    typed: &'a [&'a str],
    conditions: &'a Conditions,
    task: Task,
    played: &'a PlayedGame,
}

/// What a program may hold of memory unless told, outside of boxes.
const USUAL_MEMORY: u64 = 1 << 30;

/// How much of what a program wrote is shown.
const SHOWN: usize = 300;
const STDERR_LINES: usize = 6;

/// Positions and lists of moves longer than this are not shown: the command leads there.
const LONG: usize = 400;

impl FaultReport<'_> {
    fn write(&self, out: &mut impl Write) -> Result<()> {
        let PlayedGame { record, verdict, stderr, .. } = self.played;
        let (Some(fault), Some(winner)) = (verdict.fault(), verdict.winner) else { return Ok(()) };
        let mut row = |name: &str, text: &str| writeln!(out, "       {name:10}{text}");
        if let Some(line) = &fault.line {
            row("it wrote", &format!("{}", shown(line, SHOWN)))?;
        }
        let position = record.position();
        let legal = position.moves().join(" ");
        for (name, text) in [("position", position.notation()), ("legal", legal)] {
            if text.len() <= LONG {
                row(name, &text)?;
            }
        }
        let lines: Vec<&str> = stderr[winner.other().index()].lines().collect();
        for (index, line) in lines[lines.len().saturating_sub(STDERR_LINES)..].iter().enumerate() {
            row(if index == 0 { "stderr" } else { "" }, &shown(line, SHOWN).to_string())?;
        }
        row("again", &self.command())?;
        Ok(())
    }

    /// What to type to see it again: the game up to the fault, with the same sides.
    fn command(&self) -> String {
        let record = &self.played.record;
        let [first, second] = self.task.players.map(|player| quoted(self.typed[player]));
        let (game, way, time) = (record.kind().id(), words_to(record), time_words(self.conditions));
        format!("palestra match {game} {first} {second} --games 1 --show{way}{time}")
    }
}

fn time_words(conditions: &Conditions) -> String {
    let mut words = String::new();
    for (flag, time) in [("cpu", conditions.cpu), ("wall", conditions.wall)] {
        if let Some(time) = time {
            let _ = write!(words, " --{flag} {}ms", time.as_millis());
        }
    }
    for (flag, count) in [("states", conditions.states), ("depth", conditions.depth.map(u64::from))] {
        if let Some(count) = count {
            let _ = write!(words, " --{flag} {count}");
        }
    }
    if let Some(memory) = conditions.memory {
        let _ = write!(words, " --memory {}", written_memory(memory as u64).replace(' ', ""));
    }
    if conditions.sandbox {
        words.push_str(" --sandbox");
    }
    if conditions.retry {
        words.push_str(" --retry");
    }
    words
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Why a game ended, for a table: the word, and the sentence of a fault.
pub(crate) fn told_reason(reason: &Reason) -> String {
    match reason {
        Reason::Forfeit(fault) => format!("{}: {}", fault.kind, shown(&fault.detail, SHOWN)),
        other => other.word().to_owned(),
    }
}

/// A contest's error with what to do about it.
pub(crate) fn hinted(result: Result<(), ContestError>) -> Result<()> {
    match result {
        Ok(()) => Ok(()),
        Err(ContestError::Entrant(error)) => with_hint(error),
        Err(error) => Err(error.into()),
    }
}

/// Why a player cannot take part, and what to do about it.
pub(crate) fn with_hint<T>(error: EntrantError) -> Result<T> {
    match error.hint() {
        Some(hint) => Err(error).hint(|| hint),
        None => Err(error.into()),
    }
}

/// The side of a player in a game.
pub(crate) fn side_of(task: &Task, player: usize) -> Side {
    if task.players[0] == player { Side::One } else { Side::Two }
}
