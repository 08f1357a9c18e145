//! A program's source in memory, as it goes into a compile box.

use super::kind::Kind;
use crate::sandbox::{BuildFailure, Compiler, Effort, Job, Sandbox, python};

/// All files that a program is made of, its kit's included. Whoever wrote it named its main file, which may be called
/// like an option of a compiler: here it has a name of ours, and nothing that a user wrote is among the compiler's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bundle {
    kind: Kind,
    files: Vec<(String, Vec<u8>)>,
}

impl Bundle {
    /// What goes into the box for a program of this kind with these files.
    pub(super) fn new(kind: Kind, files: Vec<(String, Vec<u8>)>) -> Self {
        let (outside, inside) = (kind.main(), main_inside(&kind));
        let kit = kind.kit_files(|name| files.iter().any(|(brought, _)| brought == name));
        let own = files.into_iter().filter(|(name, _)| *name == outside || name != inside);
        let renamed = own.map(|(name, text)| (if name == outside { inside.to_owned() } else { name }, text));
        let kit = kit.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes()));
        Self { files: renamed.chain(kit).collect(), kind }
    }

    /// Its files, as they are called in the box.
    pub(super) fn files(&self) -> &[(String, Vec<u8>)] {
        &self.files
    }

    /// What is run in the box.
    pub(super) fn compiler(&self) -> Result<Compiler, BuildFailure> {
        if matches!(self.kind, Kind::Python { .. }) {
            let options = "-I -X pycache_prefix=/tmp/cache -m py_compile";
            let files = self.files.iter().map(|(name, _)| name.clone());
            let words = [python()?].into_iter().chain(options.split(' ').map(str::to_owned)).chain(files).collect();
            return Ok(Compiler { words, folder: None });
        }
        let told = self.kind.command(main_inside(&self.kind), "/tmp/program");
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
    pub(super) fn compile(&self, compiler: &Compiler, sandbox: &Sandbox) -> Result<Vec<u8>, BuildFailure> {
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
        sandbox.build(&job).map_err(|failure| self.in_users_words(failure))
    }

    /// Messages name the main file as its author does.
    fn in_users_words(&self, failure: BuildFailure) -> BuildFailure {
        match failure {
            BuildFailure::Compile { message } => {
                BuildFailure::Compile { message: message.replace(main_inside(&self.kind), &self.kind.main()) }
            }
            other => other,
        }
    }
}

/// What the main file is called in the box.
const fn main_inside(kind: &Kind) -> &'static str {
    match kind {
        Kind::Python { .. } => "bot.py",
        Kind::Cpp { .. } | Kind::Class { .. } => "bot.cpp",
        Kind::Rust { .. } => "bot.rs",
        Kind::Player => "player.cpp",
        Kind::Cargo => "Cargo.toml",
    }
}
