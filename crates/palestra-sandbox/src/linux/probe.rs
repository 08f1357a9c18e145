//! The probe: a program that runs in a box and tells what it sees there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::UdpSocket;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::ExitCode;

use rustix::process::{getpid, getuid};
use rustix::system::uname;
use rustix::thread::{SecureComputingMode, capabilities, no_new_privs, secure_computing_mode};
use serde::{Deserialize, Serialize};

/// After [`HELPER_WORD`](super::HELPER_WORD), the word that makes the helper the probe.
pub(super) const PROBE_WORD: &str = "box-probe";

/// Where nothing may be written.
const READ_ONLY: [&str; 4] = ["/", "/usr", "/bot", "/dev"];

/// What a program sees in a box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    pub(super) uid: u32,
    pub(super) pid: i32,
    pub(super) host: String,
    pub(super) has_capabilities: bool,
    pub(super) may_gain_privileges: bool,
    pub(super) has_filters: bool,
    /// Whether a socket of any kind could be made.
    pub(super) has_sockets: bool,
    pub(super) has_proc: bool,
    /// The folders that could be written.
    pub(super) written: Vec<String>,
    /// Whether a folder that the mode lets everybody read could not be read.
    pub(super) has_fence: bool,
}

/// Looks around, writes a line about it, and waits to be sent away.
pub(super) fn look_around() -> ExitCode {
    let Ok(line) = serde_json::to_string(&Seen::now()) else { return ExitCode::FAILURE };
    if writeln!(io::stdout(), "{line}").is_err() {
        return ExitCode::FAILURE;
    }
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    ExitCode::SUCCESS
}

impl Seen {
    fn now() -> Self {
        let rights = capabilities(None).map(|sets| sets.effective | sets.permitted | sets.inheritable);
        let written = READ_ONLY.into_iter().filter(|folder| File::create(Path::new(folder).join("probe")).is_ok());
        Self {
            uid: getuid().as_raw(),
            pid: getpid().as_raw_pid(),
            host: uname().nodename().to_string_lossy().into_owned(),
            has_capabilities: !rights.is_ok_and(|rights| rights.is_empty()),
            may_gain_privileges: !no_new_privs().is_ok_and(|on| on),
            has_filters: secure_computing_mode().is_ok_and(|mode| mode == SecureComputingMode::Filter),
            has_sockets: UnixDatagram::unbound().is_ok() || UdpSocket::bind("127.0.0.1:0").is_ok(),
            has_proc: Path::new("/proc").exists(),
            written: written.map(str::to_owned).collect(),
            has_fence: fs::read_dir("/").is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied),
        }
    }
}
