//! Build artefacts: what the compile sandbox makes of an upload, ready to be run in another sandbox.

use palestra_sandbox::{Boxed, BuildFailure, Sandbox, SandboxError, python};

use super::bundle::Bundle;
use super::kind::{Kind, in_first_dialect};
use super::upload::Upload;

/// A program that was compiled, or only checked if its language needs no compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artefact {
    /// The files of the program.
    pub files: Vec<(String, Vec<u8>)>,
    /// The command that runs it in a box, where the files lie in `/bot`.
    pub command: Vec<String>,
}

impl Upload {
    /// Builds the upload in a box.
    pub fn build(&self, sandbox: &Sandbox) -> Result<Artefact, BuildFailure> {
        let bundle = Bundle::renamed(&self.kind, &self.files);
        let is_about_source = |failure: &BuildFailure| matches!(failure, BuildFailure::Compile { .. });
        let build = |dialect: &'static str| bundle.compile(dialect, sandbox);
        let (program, _) = in_first_dialect(self.kind.dialects(), build, is_about_source)?;
        if matches!(self.kind, Kind::Python { .. }) {
            return Ok(Artefact { files: bundle.files().clone(), command: vec![python()?, "/bot/bot.py".to_owned()] });
        }
        Ok(Artefact { files: vec![("program".to_owned(), program)], command: vec!["/bot/program".to_owned()] })
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
}
