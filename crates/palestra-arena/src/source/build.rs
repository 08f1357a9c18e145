//! Builds programs from source, with a cache keyed by the source.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use palestra_protocol::shown;
use serde::Deserialize;

use super::bundle::Bundle;
use super::cache::{Cache, Inputs, sum};
use super::kind::in_first_dialect;
use super::{BuildError, Kind, Source};
#[cfg(target_os = "linux")]
use palestra_sandbox::executable::in_path;
use palestra_sandbox::plain_file::{Links, open, read_bounded};
use palestra_sandbox::{BuildFailure, Sandbox};

/// Maximum size of a program that is copied: as large as the output of a compile box may be.
const MAX_PROGRAM_BYTES: u64 = 64 << 20;

/// Maximum length of a compiler's message that is passed on.
const MAX_MESSAGE_BYTES: usize = 16 << 10;

/// Maximum length of a notice, which holds names of files.
const MAX_NOTICE_CHARS: usize = 2000;

/// Builds programs and caches them in a folder.
pub struct Workshop<'a> {
    folder: PathBuf,
    on_notice: &'a mut dyn FnMut(&str),
    sandbox: Option<Arc<Sandbox>>,
}

impl<'a> Workshop<'a> {
    /// Caches programs in this folder, which is created on demand. `on_notice` gets a line for each command before it
    /// is run, such as `building: g++ ...`, and for anything else that the user should know.
    pub fn new(folder: PathBuf, on_notice: &'a mut dyn FnMut(&str)) -> Self {
        Self { folder, on_notice, sandbox: None }
    }

    /// Treats programs as untrusted: they are compiled and run in boxes, if there is a sandbox.
    #[must_use]
    pub fn in_boxes(self, sandbox: Option<Arc<Sandbox>>) -> Self {
        Self { sandbox, ..self }
    }

    /// The sandbox in which programs run; `None` if they run with the caller's rights.
    pub(crate) const fn sandbox(&self) -> Option<&Arc<Sandbox>> {
        self.sandbox.as_ref()
    }

    /// Whether a file that the user names may be a symlink: only if its author is trusted.
    pub(crate) const fn links(&self) -> Links {
        if self.sandbox.is_some() { Links::Refuse } else { Links::Follow }
    }

    /// The user's cache folder: `$XDG_CACHE_HOME/palestra/programs`, by default below `~/.cache`.
    #[must_use]
    pub fn usual_folder() -> PathBuf {
        let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
        let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        cache.or_else(home).unwrap_or_else(env::temp_dir).join("palestra").join("programs")
    }

    /// The command that runs a source, which is built first unless the cache has it.
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

    /// Passes a notice to the user.
    pub(crate) fn notice(&mut self, text: &str) {
        (self.on_notice)(&shown(text, MAX_NOTICE_CHARS).to_string());
    }

    /// An executable copy of a program, with the same file name.
    pub(crate) fn executable_copy(&mut self, path: &Path) -> Result<PathBuf, BuildError> {
        let failed = |error| BuildError::reading(path, error);
        let file = open(path, self.links()).map_err(failed)?;
        let program = read_bounded(file, MAX_PROGRAM_BYTES).map_err(failed)?;
        let program = program.ok_or_else(|| failed(ErrorKind::FileTooLarge.into()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut inputs = Inputs::default();
        [b"copy", name.as_bytes(), &program].into_iter().for_each(|part| inputs.add(part));
        let copy = |draft: &Path| write_program(&draft.join(&name), &program);
        self.cache()?
            .get(sum(&[b"copy", name.as_bytes(), &program]), &inputs, &name, copy)
            .and_then(|it| it)
            .map_err(failed)
    }

    fn compile(&mut self, source: &Source) -> Result<PathBuf, BuildError> {
        #[cfg(target_os = "linux")]
        if let Some(sandbox) = self.sandbox.clone() {
            let bundle = Bundle::renamed(&source.kind, &source.files);
            let compiler = bundle.compiler(source.kind.dialects()[0]).map_err(|failure| source.boxed(failure))?;
            let words = compiler.words.join(" ") + IN_BOX;
            return self.keep(source, &words, IN_BOX, |dialect, draft| {
                let program = bundle.compile(dialect, &sandbox).map_err(|failure| source.boxed(failure))?;
                write_program(&draft.join("program"), &program).map_err(|error| source.io_error(error))
            });
        }
        let bundle = Bundle::trusted(&source.kind, &source.files);
        let words = bundle.command(source.kind.dialects()[0], "program").join(" ");
        self.keep(source, &words, "", |dialect, draft| {
            lay_out(&bundle, draft).map_err(|error| source.io_error(error))?;
            run(&bundle.command(dialect, "program"), draft, source).map(drop)
        })
    }

    /// The cached program, or the one that `build` makes in the first dialect in which it compiles.
    fn keep(
        &mut self,
        source: &Source,
        words: &str,
        place: &str,
        build: impl Fn(&str, &Path) -> Result<(), BuildError>,
    ) -> Result<PathBuf, BuildError> {
        let cache = self.cache()?;
        let shown = Bundle::trusted(&source.kind, &source.files);
        let make = |draft: &Path| {
            let build = |dialect: &'static str| {
                self.notice(&format!("building: {}{}{place}", source.described(), shown.shown_command(dialect)));
                build(dialect, draft)
            };
            let is_about_source = |error: &BuildError| matches!(error, BuildError::Failed { .. });
            let ((), dialect) = in_first_dialect(source.kind.dialects(), build, is_about_source)?;
            let usual = source.kind.dialects()[0];
            if dialect != usual {
                self.notice(&format!("built as {dialect}: it does not compile as {usual}"));
            }
            Ok(())
        };
        let kept = cache.get(source.sum(words), &source.inputs(words), "program", make);
        kept.map_err(|error| source.io_error(error))?
    }

    fn cache(&self) -> Result<Cache, BuildError> {
        Cache::open(&self.folder).map_err(|source| BuildError::Cache { folder: self.folder.clone(), source })
    }

    /// Builds a Cargo package in place: Cargo knows what has changed, and reports the path of the executable.
    fn cargo(&mut self, source: &Source) -> Result<PathBuf, BuildError> {
        if self.sandbox.is_some() {
            return Err(BuildError::Package { folder: source.folder.clone() });
        }
        let shown = "cargo build --release";
        self.notice(&format!("building: {shown} (in {})", source.folder.display()));
        let command = format!("{shown} --quiet --message-format json-render-diagnostics");
        let command: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let told = run(&command, &source.folder, source)?;
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

/// Suffix of the shown command when it runs in a box.
#[cfg(target_os = "linux")]
const IN_BOX: &str = " (in a box)";

/// Cargo's JSON message about an executable that it has built.
#[derive(Deserialize)]
struct Artifact {
    executable: PathBuf,
}

impl Artifact {
    /// The path of the executable in a line of Cargo's messages, if it has one.
    fn program(line: &str) -> Option<PathBuf> {
        serde_json::from_str::<Self>(line).ok().map(|artifact| artifact.executable)
    }
}

impl std::fmt::Debug for Workshop<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workshop").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// Writes all files of a program into a folder.
fn lay_out(bundle: &Bundle, folder: &Path) -> io::Result<()> {
    bundle.files().iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
}

impl Source {
    fn io_error(&self, source: io::Error) -> BuildError {
        BuildError::Io { path: self.path.clone(), source }
    }

    fn no_compiler(&self, compiler: &str) -> BuildError {
        BuildError::NoCompiler { compiler: compiler.to_owned(), path: self.path.clone() }
    }

    #[cfg(target_os = "linux")]
    fn boxed(&self, failure: BuildFailure) -> BuildError {
        match failure {
            BuildFailure::Compile { message } => {
                BuildError::Failed { path: self.path.clone(), message: first_error_on(&message) }
            }
            failure => BuildError::Boxed { path: self.path.clone(), failure },
        }
    }

    /// The class that the source was recognised as, where the names of the files do not say it.
    fn described(&self) -> String {
        match &self.kind {
            Kind::Class { name, header, .. } => format!("class {name} of {}: ", self.folder.join(header).display()),
            _ => String::new(),
        }
    }

    /// A checksum of the command and the files. Journals hold it as a part of the program's path, so it must stay the
    /// same for unchanged source.
    fn sum(&self, words: &str) -> u64 {
        let kit = self.kind.kit_files(&self.files);
        let own = self.kind.own_files(&self.files).flat_map(|(name, text)| [name.as_bytes(), &[0], text, &[0]]);
        let kit = kit.iter().flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()]);
        sum(&[words.as_bytes()].into_iter().chain(own).chain(kit).collect::<Vec<_>>())
    }

    /// Everything on which the built program depends.
    fn inputs(&self, words: &str) -> Inputs {
        let mut inputs = Inputs::default();
        inputs.add(words.as_bytes());
        self.kind.dialects().iter().for_each(|dialect| inputs.add(dialect.as_bytes()));
        for (name, text) in Bundle::trusted(&self.kind, &self.files).files() {
            inputs.add(name.as_bytes());
            inputs.add(text);
        }
        inputs
    }
}

/// Writes an executable file.
fn write_program(path: &Path, program: &[u8]) -> io::Result<()> {
    fs::write(path, program)?;
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

/// Runs a compiler and returns its standard output.
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

/// A compiler's message from its first error on, cut to [`MAX_MESSAGE_BYTES`].
fn first_error_on(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    // The compiler's own `error: ld returned 1` also is an error, but it does not say which symbol is missing.
    let is_error = |line: &&str| ["error:", "error[", "/ld: "].iter().any(|mark| line.contains(mark));
    let first = lines.iter().position(is_error).unwrap_or(0);
    let mut message = String::new();
    for line in &lines[first..] {
        if message.len() + line.len() > MAX_MESSAGE_BYTES {
            message.push_str("...");
            break;
        }
        message.push_str(line);
        message.push('\n');
    }
    message.trim_end().to_owned()
}
