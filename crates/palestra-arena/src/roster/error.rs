//! Why an entrant is refused, and what to do about it.

use std::io;
use std::path::PathBuf;

use palestra_sandbox::SandboxError;
use palestra_search::player::PlayerError;

use crate::source::BuildError;

/// Why an entrant is refused.
#[derive(Debug, thiserror::Error)]
pub enum EntrantError {
    /// Neither a built-in player nor a file.
    #[error("there is no player '{name}', and no file of that name")]
    Unknown {
        /// What was given.
        name: String,
        /// The players who are called much like it.
        nearest: Vec<&'static str>,
    },
    /// Nothing was given.
    #[error("a player's name or a program is missing")]
    Empty,
    /// No file at that path.
    #[error("there is no file {}", path.display())]
    NoFile {
        /// The path.
        path: PathBuf,
    },
    /// Source that does not become a program.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A program with the name of a built-in player.
    #[error("a program cannot be called '{name}': that is a built-in player")]
    BuiltInName {
        /// The name.
        name: String,
        /// What was given.
        what: String,
    },
    /// A file that may not be run.
    #[error("{} may not be run", path.display())]
    NotExecutable {
        /// The path.
        path: PathBuf,
    },
    /// A script whose interpreter is not there, or a program whose loader is not.
    #[error("{} is to be run by {interpreter}, which is not there", path.display())]
    NoInterpreter {
        /// The path.
        path: PathBuf,
        /// The first line of the script, or the loader.
        interpreter: String,
    },
    /// Nothing that this machine can run.
    #[error("{} cannot be run: it is {what}", path.display())]
    NotAProgram {
        /// The path.
        path: PathBuf,
        /// What it looks like.
        what: String,
    },
    /// A program that could not be started for another reason.
    #[error("{} could not be started", path.display())]
    Start {
        /// The path.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A Python script, and no Python that boxes have.
    #[error("{} needs /usr/bin/python3, which is not there", path.display())]
    NoSystemPython {
        /// The path.
        path: PathBuf,
    },
    /// A script whose interpreter is there, but not in boxes.
    #[error("{} is to be run by {interpreter}, which is not in the box", path.display())]
    OutsideBox {
        /// The path.
        path: PathBuf,
        /// The interpreter.
        interpreter: String,
    },
    /// A program that needs what is not in boxes.
    #[error("{} does not start in a box: {message}", path.display())]
    NoLibrary {
        /// The path.
        path: PathBuf,
        /// What the system says.
        message: String,
    },
    /// A program that does not get into a box.
    #[error("{} cannot be run in a box", path.display())]
    Box {
        /// The path.
        path: PathBuf,
        /// What is wrong.
        source: SandboxError,
    },
    /// Two players of the same name.
    #[error("two players are called '{name}'")]
    SameName {
        /// The name.
        name: String,
    },
    /// A person.
    #[error("'human' cannot play here: nobody would ask for the moves")]
    Human,
    /// Much like a built-in player, but not quite.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

impl EntrantError {
    /// What to do about it, if there is anything to be said.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Unknown { nearest, .. } if !nearest.is_empty() => format!("did you mean {}?", nearest.join(" or ")),
            Self::Unknown { .. } | Self::Empty => {
                "a player is a built-in one such as ninja1, or the path of a program such as ./bot".to_owned()
            }
            Self::NoFile { .. } => "a path counts from the current folder".to_owned(),
            Self::Build(error) => error.hint(),
            Self::BuiltInName { what, .. } => format!("put another name before it: mine={what}"),
            Self::NotExecutable { path } => format!("chmod +x '{}'", path.display()),
            Self::NoInterpreter { interpreter, .. } if interpreter.ends_with("\\r") => {
                "the file has the line ends of Windows: convert it, for example with dos2unix".to_owned()
            }
            Self::NoInterpreter { .. } => "install it, or change the first line of the script".to_owned(),
            Self::NotAProgram { what, .. } if what.starts_with("text") => {
                "its first line must say who runs it, such as #!/usr/bin/env python3".to_owned()
            }
            Self::NotAProgram { .. } => "compile the program on this machine".to_owned(),
            Self::NoSystemPython { .. } => {
                "in a box there is no Python but the system's own; on Debian: apt install python3".to_owned()
            }
            Self::OutsideBox { .. } => {
                "in a box there are only the programs of /usr, without /usr/local: name one of those".to_owned()
            }
            Self::NoLibrary { .. } => {
                "in a box there are only the libraries of /usr, without /usr/local: link the others statically"
                    .to_owned()
            }
            Self::Box { source, .. } => return source.hint(),
            Self::SameName { .. } => "put a name before one of them, such as new=./bot or other=ninja1".to_owned(),
            Self::Human => "palestra play has a board and a keyboard for people".to_owned(),
            Self::Start { .. } | Self::Player(_) => return None,
        })
    }
}
