//! The compiler's input: a program's source and the files of its kit, in memory.

use super::files::Files;
use super::kind::Kind;

/// All files of a program, its kit's included, and the names of the files on the compiler's command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bundle {
    kind: Kind,
    files: Files,
    /// The names of the compiled files: the author's, and the one on the command line.
    units: Vec<(String, String)>,
}

impl Bundle {
    /// A trusted program: its files keep their names, which may appear in its messages at run time.
    pub(super) fn trusted(kind: &Kind, files: &Files) -> Self {
        let plain = |unit: String| if is_option_like(&unit) { format!("./{unit}") } else { unit };
        let units = kind.units().into_iter().map(|unit| (unit.clone(), plain(unit))).collect();
        Self::new(kind, files, units)
    }

    /// An untrusted program: its compiled files are renamed, because a file name could pass for an option of the
    /// compiler. So no text of the author's stands on the command line.
    #[cfg(target_os = "linux")]
    pub(super) fn renamed(kind: &Kind, files: &Files) -> Self {
        let inside = |number: usize| match kind {
            Kind::Python { .. } => "bot.py".to_owned(),
            Kind::Cpp { .. } => "bot.cpp".to_owned(),
            Kind::Rust { .. } => "bot.rs".to_owned(),
            Kind::Class { .. } => format!("unit-{number}.cpp"),
            Kind::Player => "player.cpp".to_owned(),
            Kind::Cargo => "Cargo.toml".to_owned(),
        };
        let units = kind.units().into_iter().zip(1..).map(|(unit, number)| (unit, inside(number))).collect();
        let mut bundle = Self::new(kind, files, units);
        let is_taken = |name: &str| bundle.units.iter().any(|(_, inside)| inside == name);
        let is_unit = |name: &str| bundle.units.iter().any(|(own, _)| own == name);
        bundle.files.retain(|(name, _)| is_unit(name) || !is_taken(name));
        for (name, _) in &mut bundle.files {
            if let Some((_, inside)) = bundle.units.iter().find(|(own, _)| own == name) {
                name.clone_from(inside);
            }
        }
        bundle
    }

    fn new(kind: &Kind, files: &Files, units: Vec<(String, String)>) -> Self {
        let kit = kind.kit_files(files).into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes()));
        Self { kind: kind.clone(), files: kind.own_files(files).cloned().chain(kit).collect(), units }
    }

    /// The files of the bundle, under the names that the compiler sees.
    pub(super) fn files(&self) -> &Files {
        &self.files
    }

    /// The compiler's command line for a dialect.
    pub(super) fn command(&self, dialect: &str, output: &str) -> Vec<String> {
        let units: Vec<String> = self.units.iter().map(|(_, name)| name.clone()).collect();
        self.kind.command(dialect, &units, output)
    }

    /// The command as its author would type it.
    pub(super) fn shown_command(&self, dialect: &str) -> String {
        let units: Vec<String> = self.units.iter().map(|(name, _)| name.clone()).collect();
        self.kind.command(dialect, &units, "program").join(" ")
    }

    /// A compiler's message with the author's file names instead of ours.
    #[cfg(target_os = "linux")]
    fn in_users_words(&self, message: String) -> String {
        let renamed = self.units.iter().filter(|(own, name)| own != name);
        renamed.fold(message, |message, (own, name)| message.replace(name.as_str(), own))
    }
}

/// Whether a compiler could take a file's name for an option or a response file.
fn is_option_like(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

#[cfg(target_os = "linux")]
mod in_box {
    use palestra_sandbox::{BuildFailure, Compiler, Effort, Job, Sandbox, python};

    use super::{Bundle, Kind};

    impl Bundle {
        /// The compiler as it is run in the box.
        pub(in crate::source) fn compiler(&self, dialect: &str) -> Result<Compiler, BuildFailure> {
            if matches!(self.kind, Kind::Python { .. }) {
                let options = "-I -X pycache_prefix=/tmp/cache -m py_compile";
                let files = self.files.iter().map(|(name, _)| name.clone());
                let words = [python()?].into_iter().chain(options.split(' ').map(str::to_owned)).chain(files).collect();
                return Ok(Compiler { words, folder: None });
            }
            let told = self.command(dialect, "/tmp/program");
            let (name, told) = told.split_first().map_or(("", &[][..]), |(name, told)| (name.as_str(), told));
            let mut compiler = Compiler::named(name)?;
            compiler.words.extend_from_slice(told);
            if matches!(self.kind, Kind::Rust { .. }) {
                // Overrides what the source says about the kind of output.
                compiler.words.extend(["--crate-type", "bin"].map(str::to_owned));
            }
            Ok(compiler)
        }

        /// Compiles the bundle and returns the program's bytes. Python is only checked for syntax.
        pub(in crate::source) fn compile(&self, dialect: &str, sandbox: &Sandbox) -> Result<Vec<u8>, BuildFailure> {
            let compiler = self.compiler(dialect)?;
            let files: Vec<(&str, &[u8])> = self.files.iter().map(|(name, text)| (name.as_str(), &text[..])).collect();
            let command: Vec<&str> = compiler.words.iter().map(String::as_str).collect();
            let effort = if matches!(self.kind, Kind::Rust { .. }) { Effort::LARGE } else { Effort::USUAL };
            let job = Job {
                files: &files,
                command: &command,
                toolchain: compiler.folder.as_deref(),
                makes_program: !matches!(self.kind, Kind::Python { .. }),
                effort,
            };
            sandbox.build(&job).map_err(|failure| match failure {
                BuildFailure::Compile { message } => BuildFailure::Compile { message: self.in_users_words(message) },
                other => other,
            })
        }
    }
}
