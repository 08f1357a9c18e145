//! Setup and reports shared by the commands that play many games.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use palestra_arena::{
    Contest, ContestError, EntrantError, Entrants, GameStart, PlayedGame, Reason, Rules, Starts, Task, TimeControl,
    Watcher, Workshop,
};
use palestra_games::{GameKind, Record, Side};
use palestra_protocol::shown;
use palestra_search::openings::{AnyOpening, Book, any_openings};
use palestra_tournament::{Tally, fingerprint};

use crate::cli::{self, Conditions};
use crate::start::words_to;
use crate::ui::error::{HintExt, INTERRUPTED};
use crate::ui::units::{counted, written_memory, written_time};
use crate::{clock, file, sandboxes};

/// CPU time for a move when only states or depth are limited: long enough not to matter, but not for ever.
const FALLBACK_CPU: Duration = Duration::from_secs(60);

/// The contest that a command line describes. By default more than one pair of games begins from openings.
pub(crate) fn contest(start: &cli::Start, players: &[&str], conditions: &Conditions, games: u32) -> Result<Contest> {
    let kind = start.game;
    let sandbox = sandboxes::sandbox(conditions.sandbox)?;
    let mut on_notice = print_build_notice;
    let mut workshop = workshop(&mut on_notice).in_boxes(sandbox);
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

/// The memory limit of a program, in bytes.
fn memory(conditions: &Conditions) -> u64 {
    let usual = if conditions.sandbox { sandboxes::USUAL_MEMORY } else { USUAL_MEMORY };
    conditions.memory.map_or(usual, |memory| memory as u64)
}

/// The cache in which programs given as source are built. `on_notice` receives the progress of a build.
pub(crate) fn workshop(on_notice: &mut dyn FnMut(&str)) -> Workshop<'_> {
    Workshop::new(Workshop::usual_folder(), on_notice)
}

/// Prints the progress of a build on stderr, where it does not mix with the command's output.
pub(crate) fn print_build_notice(notice: &str) {
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
        (None, None) if states.is_some() || depth.is_some() => TimeControl::cpu(FALLBACK_CPU),
        (None, None) => usual.time,
    };
    Rules { time, states, depth, retry, cap: kind.about.move_cap, ..usual }
}

fn starts(start: &cli::Start, conditions: &Conditions, games: u32) -> Result<Starts> {
    let kind = start.game;
    let pairs = games.div_ceil(2);
    match conditions.openings {
        Some(0) => {}
        Some(count) => {
            let openings = any_openings(kind.id())?.into_iter().take(count.into());
            return Ok(Starts::Given(openings.map(GameStart::Opening).collect()));
        }
        None if start.setup.is_custom() || pairs == 1 => {}
        None => return Ok(Starts::Openings(Book::new(kind.id(), conditions.seed)?)),
    }
    let record = start.record()?;
    if record.position().outcome().is_some() {
        return Err(anyhow!("the game is already over at the start position"))
            .hint(|| "choose another --position, or fewer --moves".to_owned());
    }
    let moves = record.moves().iter().map(|mv| mv.text.clone()).collect();
    let has_options = record.beginning() == record.options();
    Ok(Starts::Given(vec![match has_options {
        true => GameStart::Opening(AnyOpening { options: record.options().to_owned(), moves }),
        false => GameStart::Position(record.start().boxed_clone().into(), moves),
    }]))
}

/// A sentence about the games that repeat earlier ones and so do not count in the `what`, or `None` without repeats.
pub(crate) fn repeats(tally: &Tally, what: &str) -> Option<String> {
    repeats_of(tally.repeats, tally.games(), what)
}

/// A sentence about `repeats` of `games` that repeat earlier games, as in [`repeats`].
pub(crate) fn repeats_of(repeats: u32, games: u32, what: &str) -> Option<String> {
    match repeats {
        0 => None,
        1 => Some(format!("1 of {games} games repeats an earlier one and does not count in the {what}.")),
        _ => Some(format!("{repeats} of {games} games repeat earlier ones and do not count in the {what}.")),
    }
}

/// The [`fingerprint`] of a game's start, moves and end: equal for equal games.
pub(crate) fn identity(record: &Record) -> u64 {
    let moves: Vec<&str> = record.moves().iter().map(|mv| mv.text.as_str()).collect();
    let end = record.result().map(|result| (result.points, result.reason.as_str()));
    fingerprint((record.start().notation(), moves, end))
}

/// The number of games played at a time.
pub(crate) fn concurrency(conditions: &Conditions) -> Result<usize> {
    match conditions.concurrency {
        Some(count) => Ok(count.into()),
        // Under a wall clock, games that share the cores would slow each other down.
        None if conditions.wall.is_some() && conditions.cpu.is_none() => Ok(1),
        None => clock::threads(0),
    }
}

/// The limits of a move and whether programs are sandboxed, as a phrase. Journals compare it when a tournament is
/// resumed, so its text must not change.
pub(crate) fn describe_conditions(contest: &Contest) -> String {
    let sandboxed = if contest.box_lacks().is_some() { ", programs in boxes" } else { "" };
    describe_rules(&contest.rules) + sandboxed
}

fn describe_rules(rules: &Rules) -> String {
    let mut words = match rules.time {
        TimeControl::Unlimited => "no clock".to_owned(),
        TimeControl::Cpu { cpu, .. } if cpu == FALLBACK_CPU && (rules.states.is_some() || rules.depth.is_some()) => {
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

/// A flag that the first Ctrl-C sets: commands then abandon the games in progress and report what they have. The second
/// Ctrl-C ends the process immediately.
pub(crate) fn interrupted() -> &'static AtomicBool {
    catch_interrupts();
    &QUIT
}

/// Installs the handler of Ctrl-C; see [`interrupted`].
pub(crate) fn catch_interrupts() {
    // A second installation fails, and without a handler Ctrl-C ends the program.
    let _ = ctrlc::set_handler(|| {
        if QUIT.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
}

/// Remembers that Ctrl-C was pressed, where a command handles it by itself.
pub(crate) fn interrupt() {
    QUIT.store(true, Ordering::Relaxed);
}

/// Set when Ctrl-C was pressed, where [`interrupted`] or another handler is installed.
pub(crate) const fn interrupt_flag() -> &'static AtomicBool {
    &QUIT
}

/// Whether Ctrl-C was pressed.
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

    /// The number of games in the file, which is also the number of the last one.
    pub(crate) const fn games(&self) -> u32 {
        self.games
    }
}

/// Refuses a path for `--html` that cannot be written, or is that of the records: known before hours of play.
pub(crate) fn check_page(html: Option<&str>, record: Option<&str>) -> Result<()> {
    let Some(html) = html else { return Ok(()) };
    let resolve = |path: &str| {
        let path = std::path::absolute(path).ok()?;
        Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?))
    };
    let is_record = |record| resolve(html).is_some_and(|html| resolve(record) == Some(html));
    if record.is_some_and(is_record) {
        return Err(anyhow!("'{html}' is also the file for --record"))
            .hint(|| "choose another file for --html".to_owned());
    }
    file::check_replaceable(html)
}

/// Reports faults for the authors of programs: in full the first of each kind by each player, no others.
pub(crate) struct Faults<'a> {
    contest: &'a Contest,
    /// The players as they were typed.
    typed: Vec<&'a str>,
    conditions: &'a Conditions,
    /// The players and kinds of the faults reported so far.
    reported: Vec<(usize, &'static str)>,
}

impl<'a> Faults<'a> {
    pub(crate) const fn new(contest: &'a Contest, typed: Vec<&'a str>, conditions: &'a Conditions) -> Self {
        Self { contest, typed, conditions, reported: vec![] }
    }

    /// Reports the fault of a game, if it is a new one, below the game's line.
    pub(crate) fn report(&mut self, task: &Task, played: &PlayedGame, out: &mut impl Write) -> Result<()> {
        let Some(player) = self.newly_at_fault(task, played) else { return Ok(()) };
        let Self { typed, conditions, .. } = self;
        self.reported.push((player, played.verdict.reason.word()));
        FaultReport { typed, conditions, task: *task, played }.write(out)
    }

    /// Reports the fault of a game, if it is a new one, where games have no lines of their own.
    pub(crate) fn report_with_game(&mut self, task: &Task, played: &PlayedGame, out: &mut impl Write) -> Result<()> {
        let Some(player) = self.newly_at_fault(task, played) else { return Ok(()) };
        let name = shown(&self.contest.entrants[player].name, 40);
        writeln!(out, "{:5}  {name} lost by {}", task.number + 1, describe_reason(&played.verdict.reason))?;
        self.report(task, played, out)
    }

    fn newly_at_fault(&self, task: &Task, played: &PlayedGame) -> Option<usize> {
        let (fault, winner) = played.verdict.fault().zip(played.verdict.winner)?;
        let player = task.players[winner.other().index()];
        (!self.reported.contains(&(player, fault.kind.word()))).then_some(player)
    }
}

/// A game that was lost by a fault.
struct FaultReport<'a> {
    typed: &'a [&'a str],
    conditions: &'a Conditions,
    task: Task,
    played: &'a PlayedGame,
}

/// The default memory limit of a program outside a sandbox, in bytes.
const USUAL_MEMORY: u64 = 1 << 30;

/// The longest part of a program's line that is shown, in characters.
const MAX_SHOWN_CHARS: usize = 300;

/// The number of last lines on stderr that are shown.
const MAX_STDERR_LINES: usize = 6;

/// Positions and lists of moves with more bytes are left out: the command shows them.
const MAX_ROW_BYTES: usize = 400;

impl FaultReport<'_> {
    fn write(&self, out: &mut impl Write) -> Result<()> {
        let PlayedGame { record, verdict, stderr, .. } = self.played;
        let (Some(fault), Some(winner)) = (verdict.fault(), verdict.winner) else { return Ok(()) };
        let mut row = |name: &str, text: &str| writeln!(out, "       {name:10}{text}");
        if let Some(line) = &fault.line {
            row("it wrote", &format!("{}", shown(line, MAX_SHOWN_CHARS)))?;
        }
        let position = record.position();
        let legal = position.moves().join(" ");
        for (name, text) in [("position", position.notation()), ("legal", legal)] {
            if text.len() <= MAX_ROW_BYTES {
                row(name, &text)?;
            }
        }
        let lines: Vec<&str> = stderr[winner.other().index()].lines().collect();
        for (index, line) in lines[lines.len().saturating_sub(MAX_STDERR_LINES)..].iter().enumerate() {
            row(if index == 0 { "stderr" } else { "" }, &shown(line, MAX_SHOWN_CHARS).to_string())?;
        }
        row("again", &self.command())?;
        Ok(())
    }

    /// The command that replays the game up to the fault, with the same sides.
    fn command(&self) -> String {
        let record = &self.played.record;
        let [first, second] = self.task.players.map(|player| quoted(self.typed[player]));
        let (game, way, limits) = (record.kind().id(), words_to(record), limit_options(self.conditions));
        format!("palestra match {game} {first} {second} --games 1 --show{way}{limits}")
    }
}

/// The options with which a command plays under the same limits, each after a blank.
fn limit_options(conditions: &Conditions) -> String {
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

/// A word quoted for a shell, where it needs quotes.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Why a game ended: the word, and the detail of a fault.
pub(crate) fn describe_reason(reason: &Reason) -> String {
    match reason {
        Reason::Forfeit(fault) => format!("{}: {}", fault.kind, shown(&fault.detail, MAX_SHOWN_CHARS)),
        other => other.word().to_owned(),
    }
}

/// Plays the games that `next` gives on `threads` threads, until it has no more, `on_game` breaks off or fails, or Ctrl-C
/// is pressed. An error of `on_game` is the result.
pub(crate) fn play_games(
    contest: &Contest,
    threads: usize,
    watcher: &Watcher<'_>,
    next: &mut dyn FnMut() -> Option<Task>,
    on_game: &mut dyn FnMut(Task, PlayedGame) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let mut failed = Ok(());
    let played = contest.play(threads, &QUIT, watcher, next, &mut |task, played| {
        on_game(task, played).unwrap_or_else(|error| {
            failed = Err(error);
            ControlFlow::Break(())
        })
    });
    failed.and_then(|()| hinted(played))
}

/// The result of a contest, its error with a hint.
fn hinted(result: Result<(), ContestError>) -> Result<()> {
    match result {
        Ok(()) => Ok(()),
        Err(ContestError::Entrant(error)) => with_hint(error),
        Err(error) => Err(error.into()),
    }
}

/// Why a player cannot take part, with a hint.
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
