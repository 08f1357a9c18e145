//! A game at the terminal, between people, built-in players and programs: a driver of the arena's referee.

mod desk;
mod editor;
mod input;
mod interrupt;
mod narration;
mod opponent;
mod person;

use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::Result;
use palestra_arena::{Entrant, GameToPlay, RealTime, Referee, Rules, Seat, TimeControl};
use palestra_games::{GameKind, Record, Side};
use palestra_search::{PlayerError, any_player};

use crate::cli;
use crate::commands::show;
use crate::contest_setup::{print_build_notice, with_hint, workshop};
use crate::file::Rewritten;
use crate::start;
use crate::ui::error::HintExt;
use crate::ui::style::{HEADING, owner, paint};
use crate::ui::text::{hang, width};
use desk::Desk;
use opponent::Opponent;
use person::Person;

/// The CPU time that a program is told for a move, unless the command line has one.
const PROGRAM_CPU: Duration = Duration::from_secs(2);

/// How many bytes of memory a program may hold.
const PROGRAM_MEMORY: u64 = 1 << 30;

/// Plays a game and says how it ended.
pub(crate) fn run(args: &cli::Play, out: &mut (impl Write + Send)) -> Result<()> {
    let mut record = args.start.reach()?.record;
    let kind = record.kind();
    let seed = args.seed.unwrap_or_else(start::short_seed);
    let typed = [args.first.as_deref().unwrap_or("human"), args.second.as_deref().unwrap_or("ninja1")];
    let players =
        [Player::find(kind, typed[0], args, seed)?, Player::find(kind, typed[1], args, seed.wrapping_add(1))?];
    label(&mut record, &players, seed)?;
    let file = args.record.as_deref().map(Rewritten::create).transpose()?;
    greet(kind, &players, out)?;
    interrupt::install();
    let rules = rules(args, kind, &players);
    let mut desk = Desk::new(&players, &record, file, args.clock.is_some(), out);
    desk.begin(&record)?;
    play(Referee::new(record, rules), players, desk)
}

/// Lets the referee's driver play, with people at the desk.
fn play<W: Write + Send>(referee: Referee, players: [Player; 2], desk: Desk<'_, W>) -> Result<()> {
    let (desk, clock) = (Mutex::new(desk), RealTime::start());
    let mut sides = Side::BOTH.into_iter();
    let [mut one, mut two] = players.map(|player| -> Box<dyn Seat + '_> {
        let side = sides.next().expect("there are as many sides as players");
        match player.opponent {
            Some(opponent) => Box::new(opponent),
            None => Box::new(Person::new(side, &desk)),
        }
    });
    let game = GameToPlay { referee, seats: [&mut *one, &mut *two], clock: &clock, quit: interrupt::left() };
    let played = game.play(&mut |game, event| desk::lock(&desk).on_event(game.referee.record(), &event));
    drop((one, two));
    let desk = desk.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    desk.finish(played)
}

/// Who plays a side.
struct Player {
    name: String,
    /// A built-in player or a program; `None` for a person.
    opponent: Option<Opponent>,
    is_program: bool,
}

impl Player {
    fn find(kind: &GameKind, typed: &str, args: &cli::Play, seed: u64) -> Result<Self> {
        if typed == "me" {
            return Ok(Self::person(typed));
        }
        match any_player(kind.id(), typed, seed) {
            Ok(player) => {
                let opponent = Some(Opponent::built_in(player, args.cpu));
                Ok(Self { name: typed.to_owned(), opponent, is_program: false })
            }
            Err(PlayerError::Human) => Ok(Self::person(typed)),
            Err(PlayerError::Unknown { .. }) if is_program(typed) => Self::program(kind, typed, args, seed),
            Err(error) => Err(error).hint(|| {
                let id = kind.id();
                format!("'palestra games {id}' lists the players; human is you, and ./bot is a program")
            }),
        }
    }

    fn person(name: &str) -> Self {
        Self { name: name.to_owned(), opponent: None, is_program: false }
    }

    fn program(kind: &GameKind, typed: &str, args: &cli::Play, seed: u64) -> Result<Self> {
        let mut on_notice = print_build_notice;
        let entrant = Entrant::find(kind.id(), typed, &mut workshop(&mut on_notice)).or_else(with_hint)?;
        let seat = entrant.seat(kind.id(), seed, Some(PROGRAM_MEMORY), Duration::MAX).or_else(with_hint)?;
        let opponent = Opponent::program(seat, entrant.name.clone(), args.cpu.unwrap_or(PROGRAM_CPU));
        Ok(Self { name: entrant.name, opponent: Some(opponent), is_program: true })
    }

    const fn is_person(&self) -> bool {
        self.opponent.is_none()
    }
}

/// Whether a name that is no player's looks like a program or a command, or is one.
fn is_program(name: &str) -> bool {
    name.contains(['/', '.', '=', ' ']) || Path::new(name).exists()
}

/// A person may think as long as they like unless there is a clock. Programs among themselves have a time for each move.
fn rules(args: &cli::Play, kind: &GameKind, players: &[Player; 2]) -> Rules {
    let is_timed = !players.iter().any(Player::is_person) && players.iter().any(|player| player.is_program);
    let time = match args.clock {
        Some(total) => TimeControl::Game { total, increment: Duration::ZERO },
        None if is_timed => TimeControl::cpu(args.cpu.unwrap_or(PROGRAM_CPU)),
        None => TimeControl::Unlimited,
    };
    Rules { time, cap: kind.about.move_cap, ..Rules::default() }
}

/// Names the players in the record, and the seed if chance plays too.
fn label(record: &mut Record, players: &[Player; 2], seed: u64) -> Result<()> {
    record.set_tag("Player1", &players[0].name)?;
    record.set_tag("Player2", &players[1].name)?;
    if players.iter().any(|player| player.name == "random") {
        record.set_tag("Seed", &seed.to_string())?;
    }
    Ok(())
}

fn greet(kind: &GameKind, players: &[Player; 2], out: &mut impl Write) -> Result<()> {
    let side = |side: Side| paint(owner(Some(side)), format!("{} ({})", show::name(side), players[side.index()].name));
    let (one, two) = (side(Side::One), side(Side::Two));
    writeln!(out, "{}: {one} against {two}", paint(HEADING, kind.about.name))?;
    if players.iter().any(Player::is_person) {
        let line = format!("Moves: {}. Type help for what else you can say.", kind.about.move_notation);
        writeln!(out, "{}", hang(0, line.split(' '), width()))?;
    }
    Ok(())
}
