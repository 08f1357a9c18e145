//! A program's source in memory, with its kit, as it is laid before a compiler.

use super::files::Files;
use super::kind::Kind;

/// All files that a program is made of, its kit's included, and what those are called that the compiler is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bundle {
    kind: Kind,
    files: Files,
    /// The names of the compiled files: the author's, and the compiler's.
    units: Vec<(String, String)>,
}

impl Bundle {
    /// A trusted program: its files keep their names, which its messages at run time may show.
    pub(super) fn trusted(kind: &Kind, files: &Files) -> Self {
        let plain = |unit: String| if is_option_like(&unit) { format!("./{unit}") } else { unit };
        let units = kind.units().into_iter().map(|unit| (unit.clone(), plain(unit))).collect();
        Self::new(kind, files, units)
    }

    /// A stranger's program. Its compiled files get names of ours, because a name may look like an option of the compiler:
    /// nothing that a stranger wrote is among the compiler's words.
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

    /// Its files, as they are called beside the compiler.
    pub(super) fn files(&self) -> &Files {
        &self.files
    }

    /// The compiler's command in a dialect.
    pub(super) fn command(&self, dialect: &str, output: &str) -> Vec<String> {
        let units: Vec<String> = self.units.iter().map(|(_, name)| name.clone()).collect();
        self.kind.command(dialect, &units, output)
    }

    /// The command as its author would type it.
    pub(super) fn shown_command(&self, dialect: &str) -> String {
        let units: Vec<String> = self.units.iter().map(|(name, _)| name.clone()).collect();
        self.kind.command(dialect, &units, "program").join(" ")
    }

    /// A message that names the files as their author does.
    #[cfg(target_os = "linux")]
    fn in_users_words(&self, message: String) -> String {
        let renamed = self.units.iter().filter(|(own, name)| own != name);
        renamed.fold(message, |message, (own, name)| message.replace(name.as_str(), own))
    }
}

/// Whether a compiler may take a file's name for something else.
fn is_option_like(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

#[cfg(target_os = "linux")]
mod in_box {
    use palestra_sandbox::{BuildFailure, Compiler, Effort, Job, Sandbox, python};

    use super::{Bundle, Kind};

    impl Bundle {
        /// What is run in the box.
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
                // Whatever the source says that it is.
                compiler.words.extend(["--crate-type", "bin"].map(str::to_owned));
            }
            Ok(compiler)
        }

        /// Compiles it: the program's bytes. What needs no compiler is only looked at.
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
