//! Boxes are made of what Linux has: on other systems there are none.

use std::convert::Infallible;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use crate::Process;

/// The hidden word by which a program that contains the helper is asked to be it.
pub const HELPER_WORD: &str = "box-helper";

/// What a program in a box may hold of memory, unless told otherwise.
pub const USUAL_MEMORY: u64 = 512 << 20;

/// Why a program does not run in a box.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// Boxes are not supported on this system.
    #[error("programs run in boxes on Linux only")]
    NotLinux,
    /// The program cannot be started in its box.
    #[error("the program cannot be started in its box")]
    Program(#[source] io::Error),
    /// Something went wrong beside the box.
    #[error("the box cannot be prepared")]
    Io(#[from] io::Error),
}

impl SandboxError {
    /// What to do about it, if there is anything to be said.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some("run palestra on Linux, in a virtual machine for example".to_owned())
    }
}

/// The program that contains the helper.
#[derive(Debug)]
pub struct Helper;

impl Helper {
    /// The running program itself.
    pub const fn this_program() -> io::Result<Self> {
        Ok(Self)
    }
}

/// There is nothing that it could do.
#[must_use]
pub fn helper_main() -> ExitCode {
    ExitCode::FAILURE
}

/// Makes boxes; there is none.
#[derive(Debug)]
pub struct Sandbox(Infallible);

/// A program to be run in a box; there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boxed(Infallible);

/// What a program in a box may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Memory, in bytes.
    pub memory: u64,
    /// CPU time in all.
    pub cpu: Duration,
}

impl Sandbox {
    /// Returns an error: boxes are not supported.
    pub const fn new(_: Helper) -> Result<Self, SandboxError> {
        Err(SandboxError::NotLinux)
    }

    /// What boxes lack here, in words.
    #[must_use]
    pub fn lacks(&self) -> String {
        match self.0 {}
    }

    /// A program made of copies.
    pub fn pack_copies(&self, _: &[&Path], _: &[&str]) -> Result<Boxed, SandboxError> {
        match self.0 {}
    }

    /// The number of pages of a PDF.
    pub fn count_pages(&self, _: &[u8]) -> Result<Option<u32>, SandboxError> {
        match self.0 {}
    }

    /// Starts a program in a box of its own.
    pub fn start(&self, _: &Boxed, _: Allowance) -> Result<Process, SandboxError> {
        match self.0 {}
    }
}
