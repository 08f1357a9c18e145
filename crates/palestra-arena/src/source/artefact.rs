//! Build artefacts: what the compile sandbox makes of an upload, ready to be run in another sandbox.

use std::process::{Command, Stdio};
use std::sync::Arc;

use palestra_protocol::Dialect;
use palestra_sandbox::{Boxed, BuildFailure, Sandbox, SandboxError, python};
use serde::{Deserialize, Serialize};

use super::bundle::Bundle;
use super::kind::{Kind, in_first_dialect};
use super::upload::Upload;
use crate::roster::{EntrantError, InBox, Program, dialect_of};

/// A program that was compiled, or only checked if its language needs no compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artefact {
    /// The files of the program.
    #[serde(skip)]
    pub files: Vec<(String, Vec<u8>)>,
    /// The command that runs it in a box, where the files lie in `/bot`.
    pub command: Vec<String>,
    /// Whether it speaks the protocol of the Mancala course. `None`: it was not asked yet.
    pub is_of_course: Option<bool>,
}

/// An upload that was compiled, with what a log says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The program.
    pub artefact: Artefact,
    /// The compiler's command as the author would type it; empty if there is no compiler.
    pub command: String,
    /// The dialect of the language in which it was compiled, if that is not the usual one.
    pub other_dialect: Option<&'static str>,
}

impl Upload {
    /// Builds the upload in a box.
    pub fn build(&self, sandbox: &Sandbox) -> Result<Artefact, BuildFailure> {
        self.compile(sandbox).map(|compiled| compiled.artefact)
    }

    /// Builds the upload in a box, and says how.
    pub fn compile(&self, sandbox: &Sandbox) -> Result<Compiled, BuildFailure> {
        let bundle = Bundle::renamed(&self.kind, &self.files);
        let is_about_source = |failure: &BuildFailure| matches!(failure, BuildFailure::Compile { .. });
        let build = |dialect: &'static str| bundle.compile(dialect, sandbox);
        let (program, dialect) = in_first_dialect(self.kind.dialects(), build, is_about_source)?;
        let is_of_course = matches!(self.kind, Kind::Class { .. }).then_some(true);
        let (files, command) = if matches!(self.kind, Kind::Python { .. }) {
            (bundle.files().clone(), vec![python()?, "/bot/bot.py".to_owned()])
        } else {
            (vec![("program".to_owned(), program)], vec!["/bot/program".to_owned()])
        };
        let artefact = Artefact { files, command, is_of_course };
        let other_dialect = (dialect != self.kind.dialects()[0]).then_some(dialect);
        Ok(Compiled { artefact, command: self.command_in(dialect), other_dialect })
    }

    /// The compiler's command in the dialect that is tried first, as the author would type it.
    #[must_use]
    pub fn command(&self) -> String {
        self.command_in(self.kind.dialects()[0])
    }

    fn command_in(&self, dialect: &str) -> String {
        Bundle::trusted(&self.kind, &self.files).shown_command(dialect)
    }

    /// The compiler with its version, as it says it itself; its name if it does not.
    #[must_use]
    pub fn compiler(&self) -> String {
        let name = match self.kind {
            Kind::Python { .. } => "python3",
            Kind::Rust { .. } | Kind::Cargo => "rustc",
            Kind::Cpp { .. } | Kind::Class { .. } | Kind::Player => "g++",
        };
        let mut compiler = Command::new(name);
        compiler.arg("--version").current_dir("/").stdin(Stdio::null()).stderr(Stdio::null());
        let told = compiler.output().ok().filter(|output| output.status.success());
        let told = told.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        told.lines().next().map(str::trim).filter(|line| !line.is_empty()).unwrap_or(name).to_owned()
    }
}

impl Artefact {
    /// Prepares the artefact to be run in boxes of this sandbox.
    pub fn pack(&self, sandbox: &Sandbox) -> Result<Boxed, SandboxError> {
        let files: Vec<(&str, &[u8])> =
            self.files.iter().map(|(name, content)| (name.as_str(), &content[..])).collect();
        let command: Vec<&str> = self.command.iter().map(String::as_str).collect();
        sandbox.pack(&files, &command)
    }

    /// A program that plays this game in a box of its own whenever it is started. It is started once to see whether that
    /// works, and which protocol it speaks, if that is not known yet.
    pub fn program(&mut self, game: &str, sandbox: &Arc<Sandbox>) -> Result<Program, EntrantError> {
        let command = self.command.iter().map(Into::into).collect();
        let boxed = self.pack(sandbox).map_err(|source| EntrantError::Box { path: "program".into(), source })?;
        let in_box = Some(InBox::new(sandbox, boxed));
        let mut program = Program { command, dialect: Dialect::One, in_box };
        let is_of_course = match self.is_of_course {
            Some(is_of_course) => is_of_course,
            None => dialect_of(game, &program)? == Dialect::Course,
        };
        self.is_of_course = Some(is_of_course);
        if is_of_course {
            program.dialect = Dialect::Course;
        }
        Ok(program)
    }
}
