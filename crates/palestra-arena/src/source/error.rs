//! Errors of building a program from source, each with a hint.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use palestra_protocol::shown;

use super::{MAX_BYTES, MAX_FILES};
#[cfg(target_os = "linux")]
use palestra_sandbox::BuildFailure;
use palestra_sandbox::plain_file::{FileType, MAX_SHOWN_PATH, NotPlain};

/// Why a source could not be made a program.
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
    /// A folder with more than one class that may be the bot.
    #[error("{} has more than one program: {}", folder.display(), class_files(classes))]
    SeveralClasses {
        /// The folder.
        folder: PathBuf,
        /// The classes, each with the file that can be given instead of the folder.
        classes: Vec<(String, PathBuf)>,
    },
    /// A symlink, or something else that is not a plain file.
    #[error(transparent)]
    NotPlain(NotPlain),
    /// The source exceeds the limit on bytes with this file.
    #[error("{} is too large: the source of a program may have {} MiB in all", path.display(), MAX_BYTES >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The source exceeds the limit on files with this file.
    #[error("{} is one too many: the source of a program may have {MAX_FILES} files", path.display())]
    TooManyFiles {
        /// The file.
        path: PathBuf,
    },
    /// The cache folder cannot be used.
    #[error("programs cannot be kept in {}", folder.display())]
    Cache {
        /// The folder.
        folder: PathBuf,
        /// The underlying error.
        source: io::Error,
    },
    /// A Cargo package without an executable.
    #[error("{} has a Cargo.toml, but no program", folder.display())]
    NoProgram {
        /// The folder.
        folder: PathBuf,
    },
    /// The compiler or interpreter is not installed.
    #[error("{} needs {compiler}, which is not installed", path.display())]
    NoCompiler {
        /// The compiler.
        compiler: String,
        /// The source.
        path: PathBuf,
    },
    /// The compiler reports an error.
    #[error("{} does not compile\n{message}", path.display())]
    Failed {
        /// The source.
        path: PathBuf,
        /// The compiler's message, from the first error on.
        message: String,
    },
    /// The build in a box failed for another reason than the source.
    #[cfg(target_os = "linux")]
    #[error("{} was not built: {failure}", path.display())]
    Boxed {
        /// The source.
        path: PathBuf,
        /// Why the box failed.
        failure: BuildFailure,
    },
    /// A Cargo package, whose build scripts would run outside of a box.
    #[error("{} is a package, which is not built in a box", folder.display())]
    Package {
        /// The package.
        folder: PathBuf,
    },
    /// An I/O error of the operating system.
    #[error("{} could not be built", path.display())]
    Io {
        /// The source.
        path: PathBuf,
        /// The underlying error.
        source: io::Error,
    },
}

impl BuildError {
    /// The error for a file that could not be read.
    pub(crate) fn reading(path: &Path, error: io::Error) -> Self {
        match NotPlain::within(&error) {
            Some(reason) => Self::NotPlain(reason.clone()),
            None => Self::Io { path: path.into(), source: error },
        }
    }

    /// What the user can do about the error.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NoSource { file: Some(file), .. } => {
                format!("if this file is the program, name it: {}", file.display())
            }
            Self::NoSource { file: None, .. } => {
                "a program is a folder with bot.cpp, bot.py or bot.rs ('palestra new' makes one), \
                 player.cpp and player.h for the Boom games, or a class that derives from Bot for Mancala"
                    .to_owned()
            }
            Self::Several { folder, programs } => {
                let first = programs.first().unwrap_or(folder);
                format!("name the one that you mean: {}", first.display())
            }
            Self::SeveralClasses { folder, classes } => {
                let first = classes.first().map_or(folder, |(_, file)| file);
                format!("let main.cpp make the one that you mean, or name its file: {}", first.display())
            }
            Self::NotPlain(NotPlain { path, what: FileType::Symlink }) => match fs::canonicalize(path) {
                Ok(real) if real.is_file() => {
                    let real = shown(&real.to_string_lossy(), MAX_SHOWN_PATH).to_string();
                    format!("name the file that it leads to, or put a copy of that in its place: {real}")
                }
                _ => "remove it, or put a file in its place".to_owned(),
            },
            Self::NotPlain(_) => "remove it, or put a file in its place".to_owned(),
            Self::TooLarge { .. } => {
                "remove what is not source, or compute large tables when the program starts".to_owned()
            }
            Self::TooManyFiles { .. } => "give each program a folder of its own".to_owned(),
            Self::Cache { .. } => {
                "choose a folder of your own: XDG_CACHE_HOME=/home/you/.cache palestra ...".to_owned()
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

/// The files of classes, each with its class where the name of the file differs.
fn class_files(classes: &[(String, PathBuf)]) -> String {
    let name = |(class, path): &(String, PathBuf)| match names(std::slice::from_ref(path)) {
        file if path.file_stem().is_some_and(|stem| stem == class.as_str()) => file,
        file => format!("{file} (class {class})"),
    };
    classes.iter().map(name).collect::<Vec<_>>().join(", ")
}
