//! Why source does not become a program, and what to do about it.

use std::io;
use std::path::PathBuf;

#[cfg(target_os = "linux")]
use crate::sandbox::BuildFailure;

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A folder without a program in it.
    #[error("{} is a folder without a program that Palestra knows", folder.display())]
    NoSource {
        /// The folder.
        folder: PathBuf,
        /// A file in it that may be a program by itself.
        file: Option<PathBuf>,
    },
    /// A folder with more than one program in it.
    #[error("{} has more than one program: {}", folder.display(), names(programs))]
    Several {
        /// The folder.
        folder: PathBuf,
        /// The programs, each of which can be given instead of the folder.
        programs: Vec<PathBuf>,
    },
    /// A package that is only a library.
    #[error("{} has a Cargo.toml, but no program", folder.display())]
    NoProgram {
        /// The folder.
        folder: PathBuf,
    },
    /// The compiler or interpreter is not there.
    #[error("{} needs {compiler}, which is not installed", path.display())]
    NoCompiler {
        /// The compiler.
        compiler: String,
        /// What was to be built or run.
        path: PathBuf,
    },
    /// The compiler does not take it.
    #[error("{} does not compile\n{message}", path.display())]
    Failed {
        /// What was to be built.
        path: PathBuf,
        /// What the compiler says, from the first error on.
        message: String,
    },
    /// The compile box made nothing of it.
    #[cfg(target_os = "linux")]
    #[error("{} was not built: {failure}", path.display())]
    Boxed {
        /// What was to be built.
        path: PathBuf,
        /// Why.
        failure: BuildFailure,
    },
    /// A package whose scripts would run while it is built.
    #[error("{} is a package, which is not built in a box", folder.display())]
    Package {
        /// The package.
        folder: PathBuf,
    },
    /// The system does not let us.
    #[error("{} could not be built", path.display())]
    Io {
        /// What was to be built.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl BuildError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NoSource { file: Some(file), .. } => {
                format!("if this file is the program, name it: {}", file.display())
            }
            Self::NoSource { file: None, .. } => {
                "a program is a folder with bot.cpp, bot.py or bot.rs ('palestra new' makes one), \
                 player.cpp and player.h for the Boom games, or Name.cpp and Name.h for Mancala"
                    .to_owned()
            }
            Self::Several { folder, programs } => {
                let first = programs.first().unwrap_or(folder);
                format!("name the one that you mean: {}", first.display())
            }
            Self::NoProgram { .. } => "write one in src/main.rs".to_owned(),
            Self::NoCompiler { compiler, .. } => match compiler.as_str() {
                "rustc" | "cargo" => "install Rust from https://rustup.rs".to_owned(),
                other => format!("install it; on Debian and Ubuntu: apt install {other}"),
            },
            Self::Failed { .. } => "the first error is often the cause of the others".to_owned(),
            #[cfg(target_os = "linux")]
            Self::Boxed { failure, .. } => failure.hint().to_owned(),
            Self::Package { .. } => {
                "build it yourself and name the program, or make it one file that rustc compiles".to_owned()
            }
            Self::Io { .. } => "look whether there is room, and whether you may write there".to_owned(),
        }
    }
}

fn names(programs: &[PathBuf]) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    programs.iter().map(name).collect::<Vec<_>>().join(", ")
}
