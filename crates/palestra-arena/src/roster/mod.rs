//! Entrants: from the text that names a player to a player that is ready to be seated.

mod boxed;
mod error;
mod file;
mod identity;
mod language;
mod words;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use palestra_games::GAMES;
use palestra_protocol::Dialect;
use palestra_search::player::{PlayerError, any_player};

pub use boxed::InBox;
pub use error::EntrantError;

use palestra_sandbox::{Launch, Process};

use crate::seat::{Bot, BuiltIn, Seat};
use crate::source::{Source, Workshop};

/// A player that takes part in a match or tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// What it is called in tables and records.
    pub name: String,
    /// Who it is.
    pub kind: EntrantKind,
}

/// Who takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntrantKind {
    /// A built-in player, by its name.
    BuiltIn(String),
    /// A program.
    Program(Program),
}

/// A program that plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What to run, and with which arguments.
    pub command: Vec<OsString>,
    /// Which language it speaks.
    pub dialect: Dialect,
    /// The box that it runs in; without one it runs as the user who starts it.
    pub in_box: Option<InBox>,
}

impl Entrant {
    /// Finds out who is meant by a built-in player's name, a program's path, or a path with arguments; any of them may
    /// have a name of its own in front: `fast=./bot`. A built-in player goes before a file of its name; `./ninja1` is
    /// the file. Programs given as source are built. Programs are started once to see whether that works, and which
    /// language they speak; in boxes, if the workshop has them.
    pub fn find(game: &str, text: &str, workshop: &mut Workshop<'_>) -> Result<Self, EntrantError> {
        let (name, what) = words::split_name(text);
        match any_player(game, what, 0) {
            Ok(_) => {
                let name = name.unwrap_or(what).to_owned();
                Ok(Self { name, kind: EntrantKind::BuiltIn(what.to_owned()) })
            }
            Err(PlayerError::Unknown { nearest, .. }) => Self::find_program(game, (name, what), nearest, workshop),
            Err(PlayerError::Human) => Err(EntrantError::Human),
            // A file may be called much like a player; but only a path can be one that exists.
            Err(_) if Path::new(what).exists() => Self::find_program(game, (name, what), vec![], workshop),
            Err(error) => Err(error.into()),
        }
    }

    /// Refuses a text that names neither a built-in player of any game nor a program that is there. Nothing is built or
    /// started: [`find`](Self::find) may still refuse it.
    pub fn look_for(text: &str) -> Result<(), EntrantError> {
        let (_, what) = words::split_name(text);
        let mut nearest = vec![];
        for kind in GAMES {
            match any_player(kind.id(), what, 0) {
                Err(PlayerError::Unknown { nearest: names, .. }) => nearest = names,
                _ => return Ok(()),
            }
        }
        file::find(what, nearest).map(drop)
    }

    fn find_program(
        game: &str,
        (name, what): (Option<&str>, &str),
        nearest: Vec<&'static str>,
        workshop: &mut Workshop<'_>,
    ) -> Result<Self, EntrantError> {
        let source = Source::find(Path::new(what), game, workshop.links())?;
        let command = match &source {
            Some(source) => workshop.command(source)?,
            None => file::command(what, nearest, workshop)?,
        };
        let folder = source.as_ref().and_then(Source::script_folder);
        let in_box = workshop.sandbox().map(|sandbox| InBox::pack(sandbox, &command, folder)).transpose()?;
        let mut program = Program { command, dialect: Dialect::One, in_box };
        let found = language::of(game, &program)?;
        let is_course = source.as_ref().is_some_and(Source::is_of_mancala_course);
        program.dialect = if is_course { Dialect::Course } else { found.dialect };
        let usual = || source.as_ref().map_or_else(|| words::default_name(&program.command), Source::name);
        let name = name.map(str::to_owned).or(found.name).unwrap_or_else(usual);
        if any_player(game, &name, 0).is_ok() {
            return Err(EntrantError::BuiltInName { name, what: what.to_owned() });
        }
        Ok(Self { name, kind: EntrantKind::Program(program) })
    }

    /// Takes a seat for a game: a program is started anew, with a limit on its memory in bytes and, in a box, on its total
    /// CPU time in all. Only `random` needs the seed.
    pub fn seat(
        &self,
        game: &str,
        seed: u64,
        memory: Option<u64>,
        cpu: Duration,
    ) -> Result<Box<dyn Seat>, EntrantError> {
        match &self.kind {
            EntrantKind::BuiltIn(name) => Ok(Box::new(BuiltIn::new(any_player(game, name, seed)?))),
            EntrantKind::Program(program) => Ok(Box::new(Bot::new(program.start(memory, cpu)?, program.dialect))),
        }
    }

    /// If it is a program in a box, what the box lacks, in words; nothing at best.
    #[must_use]
    pub fn box_lacks(&self) -> Option<String> {
        match &self.kind {
            EntrantKind::BuiltIn(_) => None,
            EntrantKind::Program(program) => program.in_box.as_ref().map(InBox::lacks),
        }
    }

    /// Whether it is a program, not a built-in player.
    #[must_use]
    pub const fn is_program(&self) -> bool {
        matches!(self.kind, EntrantKind::Program(_))
    }

    /// Whether its seat can be kept for another game: built-in players answer from the position alone, but for
    /// `random`, which has a seed for each game.
    #[must_use]
    pub fn can_stay(&self) -> bool {
        matches!(&self.kind, EntrantKind::BuiltIn(name) if name != "random")
    }
}

impl Program {
    /// Starts the program, with a limit on its memory in bytes and, in a box, on its total CPU time.
    pub fn start(&self, memory: Option<u64>, cpu: Duration) -> Result<Process, EntrantError> {
        match &self.in_box {
            Some(in_box) => in_box.start(&self.command, memory, cpu),
            None => Process::start(&self.launch(memory)).map_err(|error| file::explain(&self.command, error)),
        }
    }

    fn launch(&self, memory: Option<u64>) -> Launch {
        let (program, args) = self
            .command
            .split_first()
            .map_or_else(Default::default, |(program, args)| (program.clone(), args.to_vec()));
        Launch { program, args, dir: None, memory }
    }
}

/// The protocol that a program speaks. It is started for that.
#[cfg(target_os = "linux")]
pub(crate) fn dialect_of(game: &str, program: &Program) -> Result<Dialect, EntrantError> {
    language::of(game, program).map(|found| found.dialect)
}

/// All entrants, with unique names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrants(Vec<Entrant>);

impl Entrants {
    /// All of them, if their names differ.
    pub fn new(entrants: Vec<Entrant>) -> Result<Self, EntrantError> {
        for (index, entrant) in entrants.iter().enumerate() {
            if entrants[..index].iter().any(|other| other.name == entrant.name) {
                return Err(EntrantError::SameName { name: entrant.name.clone() });
            }
        }
        Ok(Self(entrants))
    }

    /// Finds all of them; see [`Entrant::find`].
    pub fn find(game: &str, texts: &[impl AsRef<str>], workshop: &mut Workshop<'_>) -> Result<Self, EntrantError> {
        let found = texts.iter().map(|text| Entrant::find(game, text.as_ref(), workshop));
        Self::new(found.collect::<Result<_, _>>()?)
    }
}

impl std::ops::Deref for Entrants {
    type Target = [Entrant];

    fn deref(&self) -> &[Entrant] {
        &self.0
    }
}
