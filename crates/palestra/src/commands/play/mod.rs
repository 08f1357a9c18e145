//! A game at the terminal, between people and built-in players.

mod clocks;
mod input;
mod table;

use std::io::Write;
use std::path::Path;

use anyhow::{Result, anyhow};
use palestra_games::{GameKind, Record, Side};
use palestra_search::{AnyPlayer, PlayerError, any_player};

use crate::cli;
use crate::commands::show;
use crate::contest_setup::{interrupted, quoted};
use crate::file::Rewritten;
use crate::start;
use crate::ui::error::HintExt;
use crate::ui::style::{HEADING, owner, paint};
use crate::ui::text::{hang, width};
use clocks::Clocks;
use input::Input;
use table::Table;

/// Plays a game and says how it ended.
pub(crate) fn run(args: &cli::Play, out: &mut impl Write) -> Result<()> {
    let mut record = args.start.reach()?.record;
    let kind = record.kind();
    let seed = args.seed.unwrap_or_else(start::short_seed);
    let names = [args.first.as_deref().unwrap_or("human"), args.second.as_deref().unwrap_or("ninja1")];
    let seats = [Seat::new(kind, names[0], seed)?, Seat::new(kind, names[1], seed.wrapping_add(1))?];
    label(&mut record, names, seed)?;
    let file = args.record.as_deref().map(Rewritten::create).transpose()?;
    greet(kind, names, &seats, out)?;
    interrupted();
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
            Err(PlayerError::Unknown { .. }) if is_path(name) => {
                Err(anyhow!("'{name}' is a program or a path, and play takes people and built-in players only"))
                    .hint(|| other_ways(kind, name))
            }
            Err(error) => Err(error).hint(|| format!("'palestra games {}' lists the players; human is you", kind.id())),
        }
    }

    const fn is_person(&self) -> bool {
        matches!(self, Self::Person)
    }
}

/// Whether a name that is no player's looks like a program, or is one.
fn is_path(name: &str) -> bool {
    name.contains(['/', '.', '=']) || Path::new(name).exists()
}

/// The commands with which a program can be watched and played against.
fn other_ways(kind: &GameKind, name: &str) -> String {
    let path = name.split_once('=').map_or(name, |(_, path)| path);
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).filter(|stem| !stem.is_empty());
    let bot = quoted(&format!("{}={path}", stem.unwrap_or("bot")));
    format!(
        "watch it play with 'palestra match {} {} ninja1 --show', or play it in the browser with \
         'palestra serve --bot {bot}'",
        kind.id(),
        quoted(path)
    )
}

/// Says who plays; with which seed, if chance plays too.
fn label(record: &mut Record, names: [&str; 2], seed: u64) -> Result<()> {
    record.set_tag("Player1", names[0])?;
    record.set_tag("Player2", names[1])?;
    if names.contains(&"random") {
        record.set_tag("Seed", &seed.to_string())?;
    }
    Ok(())
}

fn greet(kind: &GameKind, names: [&str; 2], seats: &[Seat; 2], out: &mut impl Write) -> Result<()> {
    let side = |side, name: &str| paint(owner(Some(side)), format!("{} ({name})", show::name(side)));
    let (one, two) = (side(Side::One, names[0]), side(Side::Two, names[1]));
    writeln!(out, "{}: {one} against {two}", paint(HEADING, kind.about.name))?;
    if seats.iter().any(Seat::is_person) {
        let line = format!("Moves: {}. Type help for what else you can say.", kind.about.move_notation);
        writeln!(out, "{}", hang(0, line.split(' '), width()))?;
    }
    Ok(())
}
