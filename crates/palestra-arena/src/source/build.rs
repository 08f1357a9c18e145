//! Building programs, once for each state of their source.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::Arc;

use serde::Deserialize;

#[cfg(target_os = "linux")]
use super::bundle::Bundle;
use super::{BuildError, Kind, Source};
use crate::checksum::checksum;
use crate::executable::in_path;
#[cfg(target_os = "linux")]
use crate::sandbox::BuildFailure;
use crate::sandbox::Sandbox;

/// How much of what a compiler says is passed on.
const MAX_MESSAGE: usize = 16 << 10;

/// Where programs are built and kept.
pub struct Workshop<'a> {
    folder: PathBuf,
    told: &'a mut dyn FnMut(&str),
    sandbox: Option<Arc<Sandbox>>,
}

impl<'a> Workshop<'a> {
    /// Programs are kept in this folder, which is made when needed; `told` hears each command before it is run.
    pub fn new(folder: PathBuf, told: &'a mut dyn FnMut(&str)) -> Self {
        Self { folder, told, sandbox: None }
    }

    /// Programs are trusted no more than strangers': whatever is run of them is run in boxes, if there are any.
    #[must_use]
    pub fn in_boxes(self, sandbox: Option<Arc<Sandbox>>) -> Self {
        Self { sandbox, ..self }
    }

    /// Where programs run, unless they run as the caller.
    pub(crate) const fn sandbox(&self) -> Option<&Arc<Sandbox>> {
        self.sandbox.as_ref()
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
        match &source.kind {
            Kind::Python { main } => {
                let main = std::path::absolute(source.folder.join(main)).map_err(|error| source.io_error(error))?;
                let python = in_path("python3").ok_or_else(|| source.no_compiler("python3"))?;
                Ok(vec![python.into(), main.into()])
            }
            Kind::Cargo => self.cargo(source).map(|program| vec![program.into()]),
            _ => self.compile(source).map(|program| vec![program.into()]),
        }
    }

    /// Compiles in a folder of the workshop, which appears under its name only when all is well.
    fn compile(&mut self, source: &Source) -> Result<PathBuf, BuildError> {
        let failed = |error| source.io_error(error);
        let files = source.files().map_err(failed)?;
        #[cfg(target_os = "linux")]
        if let Some(sandbox) = self.sandbox.clone() {
            return self.compile_in_box(source, &files, &sandbox);
        }
        let command = source.kind.command(&source.kind.main(), "program");
        self.keep(source, &files, &command, |draft| {
            lay_out(source, &files, draft).map_err(failed)?;
            run(&command, draft, source).map(drop)
        })
    }

    /// The same, but nobody has to trust the source.
    #[cfg(target_os = "linux")]
    fn compile_in_box(&mut self, source: &Source, files: &[PathBuf], sandbox: &Sandbox) -> Result<PathBuf, BuildError> {
        let failed = |error| source.io_error(error);
        let boxed = |failure| match failure {
            BuildFailure::Compile { message } => {
                BuildError::Failed { path: source.path.clone(), message: first_error_on(&message) }
            }
            failure => BuildError::Boxed { path: source.path.clone(), failure },
        };
        let contents = files.iter().map(|file| Ok((file_name(file), fs::read(file)?))).collect::<io::Result<_>>();
        let bundle = Bundle::new(source.kind.clone(), contents.map_err(failed)?);
        let compiler = bundle.compiler().map_err(boxed)?;
        let told = [&compiler.words[..], &["(in a box)".to_owned()]].concat();
        self.keep(source, files, &told, |draft| {
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
        let failed = |error| source.io_error(error);
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

    /// A package is built where it is: its tools know best what is new, and say where the program lies.
    fn cargo(&mut self, source: &Source) -> Result<PathBuf, BuildError> {
        if self.sandbox.is_some() {
            return Err(BuildError::Package { folder: source.folder.clone() });
        }
        let shown = "cargo build --release";
        (self.told)(&format!("{shown} (in {})", source.folder.display()));
        let command = format!("{shown} --quiet --message-format json-render-diagnostics");
        let told = run(&words(&command), &source.folder, source)?;
        let mut programs: Vec<PathBuf> = String::from_utf8_lossy(&told).lines().filter_map(Artifact::program).collect();
        let folder = source.folder.clone();
        match (programs.pop(), programs.is_empty()) {
            (Some(program), true) => Ok(program),
            (Some(program), false) => {
                programs.push(program);
                Err(BuildError::Several { folder, programs })
            }
            (None, _) => Err(BuildError::NoProgram { folder }),
        }
    }
}

/// What Cargo tells of something that it has built.
#[derive(Deserialize)]
struct Artifact {
    executable: PathBuf,
}

impl Artifact {
    /// The program that a line tells of, if it is one.
    fn program(line: &str) -> Option<PathBuf> {
        serde_json::from_str::<Self>(line).ok().map(|artifact| artifact.executable)
    }
}

impl std::fmt::Debug for Workshop<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workshop").field("folder", &self.folder).finish_non_exhaustive()
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
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
    fn io_error(&self, source: io::Error) -> BuildError {
        BuildError::Io { path: self.path.clone(), source }
    }

    fn no_compiler(&self, compiler: &str) -> BuildError {
        BuildError::NoCompiler { compiler: compiler.to_owned(), path: self.path.clone() }
    }

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
fn run(command: &[String], place: &Path, source: &Source) -> Result<Vec<u8>, BuildError> {
    let mut compiler = Command::new(&command[0]);
    compiler.args(&command[1..]).current_dir(place).stdin(Stdio::null());
    let output = compiler.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => source.no_compiler(&command[0]),
        _ => source.io_error(error),
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let mut message = first_error_on(&String::from_utf8_lossy(&output.stderr));
    if message.is_empty() {
        let _ = write!(message, "{} ended with {}", command[0], output.status);
    }
    Err(BuildError::Failed { path: source.path.clone(), message })
}

/// What a compiler says from its first error on, and not without end.
fn first_error_on(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    // The compiler's last word on what the linker misses is an error too, but it does not say what is missing.
    let is_error = |line: &&str| ["error:", "error[", "/ld: "].iter().any(|mark| line.contains(mark));
    let first = lines.iter().position(is_error).unwrap_or(0);
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
