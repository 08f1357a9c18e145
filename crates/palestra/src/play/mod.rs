//! A game at the terminal, between people and built-in players.

mod clocks;
mod input;
mod table;

use std::io::Write;

use anyhow::Result;
use palestra_games::{GameKind, Record, Side};
use palestra_search::{AnyPlayer, PlayerError, any_player};

use crate::cli;
use crate::error::HintExt;
use crate::file::Rewritten;
use crate::style::{HEADING, owner, paint};
use crate::text::{hang, width};
use crate::{show, start};
use clocks::Clocks;
use input::Input;
use table::Table;

/// Plays a game and says how it ended.
pub(crate) fn run(args: &cli::Play, out: &mut impl Write) -> Result<()> {
    let kind = args.start.game;
    let seed = args.seed.unwrap_or_else(start::short_seed);
    let seats = [Seat::new(kind, &args.first, seed)?, Seat::new(kind, &args.second, seed.wrapping_add(1))?];
    let mut record = args.start.record()?;
    label(&mut record, args, seed)?;
    let file = args.record.as_deref().map(Rewritten::create).transpose()?;
    greet(kind, args, &seats, out)?;
    let before = record.moves().len();
    let clocks = args.clock.map(Clocks::new);
    let table = Table { seats, record, before, clocks, cpu: args.cpu, input: Input::new(), file, out };
    table.run()
}

/// Who plays a side.
enum Seat {
    Person,
    Player(Box<dyn AnyPlayer>),
}

impl Seat {
    fn new(kind: &GameKind, name: &str, seed: u64) -> Result<Self> {
        match any_player(kind.id(), name, seed) {
            Ok(player) => Ok(Self::Player(player)),
            Err(PlayerError::Human) => Ok(Self::Person),
            Err(error) => Err(error).hint(|| format!("'palestra games {}' lists the players; human is you", kind.id())),
        }
    }

    const fn is_person(&self) -> bool {
        matches!(self, Self::Person)
    }
}

/// Says who plays; with which seed, if chance plays too.
fn label(record: &mut Record, args: &cli::Play, seed: u64) -> Result<()> {
    record.set_tag("Player1", &args.first)?;
    record.set_tag("Player2", &args.second)?;
    if [&args.first, &args.second].iter().any(|name| *name == "random") {
        record.set_tag("Seed", &seed.to_string())?;
    }
    Ok(())
}

fn greet(kind: &GameKind, args: &cli::Play, seats: &[Seat; 2], out: &mut impl Write) -> Result<()> {
    let side = |side, name: &str| paint(owner(Some(side)), format!("{} ({name})", show::name(side)));
    let (one, two) = (side(Side::One, &args.first), side(Side::Two, &args.second));
    writeln!(out, "{}: {one} against {two}", paint(HEADING, kind.about.name))?;
    if seats.iter().any(Seat::is_person) {
        let line = format!("Moves: {}. Type help for what else you can say.", kind.about.move_notation);
        writeln!(out, "{}", hang(0, line.split(' '), width()))?;
    }
    Ok(())
}
