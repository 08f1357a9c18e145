//! Building programs, once for each state of their source.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
#[cfg(target_os = "linux")]
use std::sync::Arc;

use super::Source;
#[cfg(target_os = "linux")]
use super::bundle::Bundle;
use super::kind::Kind;
use crate::checksum::checksum;
#[cfg(target_os = "linux")]
use crate::sandbox::{BuildFailure, Sandbox};

/// How much of what a compiler says is passed on.
const MAX_MESSAGE: usize = 16 << 10;

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A folder without a program in it.
    #[error("{} is a folder without a program that Palestra knows", folder.display())]
    NoSource {
        /// The folder.
        folder: PathBuf,
    },
    /// A folder with more than one class.
    #[error("{} has more than one class: {}", folder.display(), names.join(", "))]
    Several {
        /// The folder.
        folder: PathBuf,
        /// The classes.
        names: Vec<String>,
    },
    /// The compiler is not there.
    #[error("{compiler} is needed to build {}, and is not installed", folder.display())]
    NoCompiler {
        /// The compiler.
        compiler: String,
        /// What was to be built.
        folder: PathBuf,
    },
    /// The compiler does not take it.
    #[error("{} does not compile\n{message}", folder.display())]
    Failed {
        /// What was to be built.
        folder: PathBuf,
        /// What the compiler says, from the first error on.
        message: String,
    },
    /// The compile box made nothing of it.
    #[cfg(target_os = "linux")]
    #[error("{} was not built: {failure}", folder.display())]
    Boxed {
        /// What was to be built.
        folder: PathBuf,
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
    #[error("{} could not be built", folder.display())]
    Io {
        /// What was to be built.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl BuildError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NoSource { .. } => {
                "a program is a folder with bot.cpp, bot.py or bot.rs ('palestra new' makes one), \
                 player.cpp and player.h for the Boom games, or Name.cpp and Name.h for Mancala"
                    .to_owned()
            }
            Self::Several { folder, names } => {
                let first = names.first().map_or("Bot", String::as_str);
                format!("name the one that you mean: {}", folder.join(format!("{first}.cpp")).display())
            }
            Self::NoCompiler { compiler, .. } if compiler == "g++" => "on Debian: apt install g++".to_owned(),
            Self::NoCompiler { compiler, .. } if compiler.starts_with("python") => {
                "on Debian: apt install python3".to_owned()
            }
            Self::NoCompiler { .. } => "install Rust from https://rustup.rs".to_owned(),
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

/// Where programs are built and kept.
pub struct Workshop<'a> {
    folder: PathBuf,
    told: &'a mut dyn FnMut(&str),
    #[cfg(target_os = "linux")]
    sandbox: Option<Arc<Sandbox>>,
}

impl<'a> Workshop<'a> {
    /// Programs are kept in this folder, which is made when needed; `told` hears each command before it is run.
    pub fn new(folder: PathBuf, told: &'a mut dyn FnMut(&str)) -> Self {
        Self {
            folder,
            told,
            #[cfg(target_os = "linux")]
            sandbox: None,
        }
    }

    /// Compilers run in boxes of this sandbox, if there is one.
    #[cfg(target_os = "linux")]
    #[must_use]
    pub fn in_boxes(self, sandbox: Option<Arc<Sandbox>>) -> Self {
        Self { sandbox, ..self }
    }

    /// The folder for what can be made again, as systems have it.
    #[must_use]
    pub fn usual_folder() -> PathBuf {
        let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
        let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        cache.or_else(home).unwrap_or_else(env::temp_dir).join("palestra").join("programs")
    }

    /// What to run for a source: built now, unless it was before.
    pub(crate) fn command(&mut self, source: &Source) -> Result<Vec<OsString>, BuildError> {
        let failed = |error| BuildError::Io { folder: source.folder.clone(), source: error };
        match &source.kind {
            Kind::Python { main } => {
                let main = std::path::absolute(source.folder.join(main)).map_err(failed)?;
                Ok(vec!["python3".into(), main.into()])
            }
            Kind::Cargo => self.cargo(source).map(|program| vec![program.into()]),
            _ => self.compile(source).map(|program| vec![program.into()]),
        }
    }

    /// Compiles in a folder of the workshop, which appears under its name only when all is well.
    fn compile(&mut self, source: &Source) -> Result<PathBuf, BuildError> {
        let failed = |error| BuildError::Io { folder: source.folder.clone(), source: error };
        let files = source.files().map_err(failed)?;
        #[cfg(target_os = "linux")]
        if let Some(sandbox) = self.sandbox.clone() {
            return self.compile_in_box(source, &files, &sandbox);
        }
        let command = source.kind.command(&source.kind.main(), "program");
        self.keep(source, &files, &command, |draft| {
            lay_out(source, &files, draft).map_err(failed)?;
            run(&command, draft, &source.folder)
        })
    }

    /// The same, but nobody has to trust the source.
    #[cfg(target_os = "linux")]
    fn compile_in_box(&mut self, source: &Source, files: &[PathBuf], sandbox: &Sandbox) -> Result<PathBuf, BuildError> {
        let failed = |error| BuildError::Io { folder: source.folder.clone(), source: error };
        let boxed = |failure| match failure {
            BuildFailure::Compile { message } => {
                BuildError::Failed { folder: source.folder.clone(), message: first_error_on(&message) }
            }
            failure => BuildError::Boxed { folder: source.folder.clone(), failure },
        };
        let contents = files.iter().map(|file| Ok((file_name(file), fs::read(file)?))).collect::<io::Result<_>>();
        let bundle = Bundle::new(source.kind.clone(), contents.map_err(failed)?);
        let compiler = bundle.compiler().map_err(boxed)?;
        self.keep(source, files, &compiler.words, |draft| {
            let program = bundle.compile(&compiler, sandbox).map_err(boxed)?;
            write_program(draft, &program).map_err(failed)
        })
    }

    /// What `build` makes for these files with this command, unless it was made before.
    fn keep(
        &mut self,
        source: &Source,
        files: &[PathBuf],
        command: &[String],
        build: impl FnOnce(&Path) -> Result<(), BuildError>,
    ) -> Result<PathBuf, BuildError> {
        let failed = |error| BuildError::Io { folder: source.folder.clone(), source: error };
        let place = self.folder.join(format!("{:016x}", sum(source, files, command).map_err(failed)?));
        let program = place.join("program");
        if program.is_file() {
            return Ok(program);
        }
        let draft = self.folder.join(format!("draft-{}", process::id()));
        let _ = fs::remove_dir_all(&draft);
        (self.told)(&command.join(" "));
        let moved = build(&draft).and_then(|()| match fs::rename(&draft, &place) {
            // Somebody else was faster with the same.
            Err(_) if program.is_file() => Ok(()),
            moved => moved.map_err(failed),
        });
        let _ = fs::remove_dir_all(&draft);
        moved.map(|()| program)
    }

    /// A package is built where it is: its tools know best what is new.
    fn cargo(&mut self, source: &Source) -> Result<PathBuf, BuildError> {
        #[cfg(target_os = "linux")]
        if self.sandbox.is_some() {
            return Err(BuildError::Package { folder: source.folder.clone() });
        }
        let failed = |error| BuildError::Io { folder: source.folder.clone(), source: error };
        let manifest = fs::read_to_string(source.folder.join("Cargo.toml")).map_err(failed)?;
        let name = manifest.lines().find_map(|line| line.trim().strip_prefix("name")?.trim_start().strip_prefix('='));
        let name = name.map(|name| name.trim().trim_matches('"').to_owned()).unwrap_or_default();
        let command: Vec<String> = ["cargo", "build", "--release", "--quiet"].map(str::to_owned).to_vec();
        (self.told)(&format!("{} (in {})", command.join(" "), source.folder.display()));
        run(&command, &source.folder, &source.folder)?;
        let program = source.folder.join("target/release").join(&name);
        let program = std::path::absolute(program).map_err(failed)?;
        if program.is_file() {
            Ok(program)
        } else {
            Err(failed(io::Error::new(ErrorKind::NotFound, format!("there is no {}", program.display()))))
        }
    }
}

impl std::fmt::Debug for Workshop<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workshop").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// Puts all files together: the student's, and the course's.
fn lay_out(source: &Source, files: &[PathBuf], place: &Path) -> io::Result<()> {
    fs::create_dir_all(place)?;
    for file in files {
        fs::copy(file, place.join(file.file_name().unwrap_or_default()))?;
    }
    for (name, text) in source.kit_files() {
        fs::write(place.join(name), text)?;
    }
    Ok(())
}

impl Source {
    /// The files of its kit, made for this program.
    fn kit_files(&self) -> Vec<(&'static str, String)> {
        self.kind.kit_files(|file| self.folder.join(file).is_file())
    }
}

#[cfg(target_os = "linux")]
fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes a program that can be run.
#[cfg(target_os = "linux")]
fn write_program(place: &Path, program: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(place)?;
    fs::write(place.join("program"), program)?;
    fs::set_permissions(place.join("program"), fs::Permissions::from_mode(0o755))
}

/// A checksum of all that decides what comes out.
fn sum(source: &Source, files: &[PathBuf], command: &[String]) -> io::Result<u64> {
    let mut text = command.join(" ").into_bytes();
    for file in files {
        text.extend(file.file_name().unwrap_or_default().as_encoded_bytes());
        text.extend([0]);
        text.extend(fs::read(file)?);
        text.extend([0]);
    }
    for (name, content) in source.kit_files() {
        text.extend(name.bytes().chain(content.bytes()));
    }
    Ok(checksum(&text))
}

/// Runs a compiler, and takes what it says.
fn run(command: &[String], place: &Path, folder: &Path) -> Result<(), BuildError> {
    let mut compiler = Command::new(&command[0]);
    compiler.args(&command[1..]).current_dir(place).stdin(Stdio::null());
    let output = compiler.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => BuildError::NoCompiler { compiler: command[0].clone(), folder: folder.into() },
        _ => BuildError::Io { folder: folder.into(), source: error },
    })?;
    if output.status.success() {
        return Ok(());
    }
    let mut message = first_error_on(&String::from_utf8_lossy(&output.stderr));
    if message.is_empty() {
        let _ = write!(message, "{} ended with {}", command[0], output.status);
    }
    Err(BuildError::Failed { folder: folder.into(), message })
}

/// What a compiler says from its first error on, and not without end.
fn first_error_on(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|line| line.contains("error")).unwrap_or(0);
    let mut message = String::new();
    for line in &lines[first..] {
        if message.len() + line.len() > MAX_MESSAGE {
            message.push_str("...");
            break;
        }
        message.push_str(line);
        message.push('\n');
    }
    message.trim_end().to_owned()
}
