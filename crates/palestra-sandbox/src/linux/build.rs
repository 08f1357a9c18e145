//! The compile box: a compiler works on untrusted files, and the program that it makes comes out as bytes.
//!
//! It is the box in which programs play, but for what a compiler needs beyond that: it starts others, and has a larger
//! `/tmp`. Whatever it says is kept up to a bound; whatever it does ends at a deadline.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::time::{Duration, Instant};

use palestra_protocol::shown;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, WaitIdStatus, pidfd_open, waitid};

use super::plan::{Limits, Mount, Plan, Purpose};
use super::{BoxControl, Sandbox, SandboxError, helper};
use crate::process::{ProcessControl, ended};

/// How many bytes of a compiler's messages are kept.
const MAX_MESSAGE_BYTES: usize = 64 << 10;

/// How many characters of a line of them are shown.
const MAX_LINE_CHARS: usize = 1000;

/// The largest compiled program, in bytes.
const MAX_PROGRAM_BYTES: u64 = 64 << 20;

/// The name of the compiled program, in `/tmp`.
const ARTEFACT: &str = "program";

/// The longest report of the helper, in bytes: reports are short sentences.
const MAX_REPORT_BYTES: usize = 4 << 10;

/// A job for a compiler.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The files, which lie together in `/bot`, where the compiler runs. Nothing can be written there.
    pub files: &'a [(&'a str, &'a [u8])],
    /// The compiler and its arguments, as they are called in the box.
    pub command: &'a [&'a str],
    /// A folder of the machine that the compiler needs, which lies in `/rust`; it gets `/proc` too.
    pub toolchain: Option<&'a Path>,
    /// Whether it makes `/tmp/program`. Otherwise it only looks at the files.
    pub makes_program: bool,
    /// What it may use.
    pub effort: Effort,
}

/// What a compiler may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Addresses of each of its processes and, where there are control groups, memory of all of them, in bytes.
    pub memory: u64,
    /// CPU time of each of its processes. It may take twice as long.
    pub cpu: Duration,
}

impl Effort {
    /// For C++, and for looking at Python.
    pub const USUAL: Self = Self { memory: 2 << 30, cpu: Duration::from_secs(10) };

    /// For Rust, whose compiler reserves more than it needs.
    pub const LARGE: Self = Self { memory: 4 << 30, cpu: Duration::from_secs(20) };
}

/// Why a compile box made nothing.
#[derive(Debug, thiserror::Error)]
pub enum BuildFailure {
    /// The compiler does not take it.
    #[error("it does not compile\n{message}")]
    Compile {
        /// What the compiler says.
        message: String,
    },
    /// The compiler would have gone on.
    #[error("compiling it takes more than {} s", limit.as_secs())]
    Slow {
        /// What it may take.
        limit: Duration,
    },
    /// The compiler wanted more memory than there is.
    #[error("compiling it takes more than {} MiB of memory", limit >> 20)]
    Memory {
        /// What it may take.
        limit: u64,
    },
    /// What was made is not what a compiler makes.
    #[error("what the compiler made is refused: {0}")]
    Refused(String),
    /// There is no compiler that a box can run.
    #[error("{compiler} is needed, and there is none that a box can run")]
    NoCompiler {
        /// The compiler.
        compiler: String,
    },
    /// There is no box.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

impl BuildFailure {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Compile { .. } => "the first error is often the cause of the others",
            Self::Slow { .. } | Self::Memory { .. } => "templates, constexpr and large arrays with values cost most",
            Self::Refused(_) => "large arrays without values cost nothing in the file",
            Self::NoCompiler { compiler } => match compiler.as_str() {
                "g++" => "on Debian: apt install g++",
                "python3" => "on Debian: apt install python3",
                _ => "install Rust where everybody can read it; on Debian: apt install rustc",
            },
            Self::Sandbox(_) => "the machine must allow user namespaces",
        }
    }
}

impl From<io::Error> for BuildFailure {
    fn from(error: io::Error) -> Self {
        Self::Sandbox(error.into())
    }
}

impl Sandbox {
    /// Compiles in a box of its own, and gives what was made: the bytes of a program, which nobody has run yet.
    pub fn build(&self, job: &Job<'_>) -> Result<Vec<u8>, BuildFailure> {
        let staged = self.stage.empty()?;
        for (name, content) in job.files {
            staged.write(name, content)?;
        }
        let group = self.cgroups.group(job.effort.memory)?;
        let plan = job.with(self.plan(&staged, group.as_ref(), job.limits(), job.purpose()));
        let (child, report) = self.spawn(&plan)?;
        let pid = Pid::from_child(&child);
        let mut compilation =
            Compilation { child, pid, control: BoxControl::new(pid, group, job.effort.cpu, Arc::new(staged)) };
        compilation.watch(report.into(), job.effort)
    }
}

impl Job<'_> {
    const fn limits(&self) -> Limits {
        Limits {
            address_space: self.effort.memory,
            // As much as g++ would give itself.
            stack: 64 << 20,
            file: MAX_PROGRAM_BYTES,
            tmp: 256 << 20,
            files: 256,
            tasks: 64,
            cpu: self.effort.cpu.as_secs(),
        }
    }

    fn purpose(&self) -> Purpose {
        let artefact = self.makes_program.then(|| ARTEFACT.to_owned());
        Purpose::Build { artefact, most: MAX_PROGRAM_BYTES, proc: self.toolchain.is_some() }
    }

    /// The plan of a box in which it is done.
    fn with(&self, plan: Plan) -> Plan {
        let toolchain = self.toolchain.map(|from| Mount { from: from.to_owned(), to: "rust".to_owned() });
        let variables = ["PATH=/usr/bin:/bin", "HOME=/tmp", "TMPDIR=/tmp", "LANG=C.UTF-8"];
        Plan {
            command: self.command.iter().map(|&word| word.to_owned()).collect(),
            environment: variables.map(str::to_owned).to_vec(),
            more: toolchain.into_iter().collect(),
            ..plan
        }
    }
}

/// A compiler at work. Dropped, it is killed with all that it has started, and nothing is left.
struct Compilation {
    child: Child,
    pid: Pid,
    control: BoxControl,
}

impl Compilation {
    /// Takes all that is said and made until the end, or until it is too late.
    fn watch(&mut self, report: OwnedFd, effort: Effort) -> Result<Vec<u8>, BuildFailure> {
        // Nobody tells the compiler anything.
        drop(self.child.stdin.take());
        let pipe = |pipe: Option<OwnedFd>| pipe.ok_or_else(|| io::Error::from(ErrorKind::BrokenPipe));
        let mut made = BoundedRead::of(pipe(self.child.stdout.take().map(Into::into))?, MAX_PROGRAM_BYTES as usize);
        let mut said = BoundedRead::of(pipe(self.child.stderr.take().map(Into::into))?, MAX_MESSAGE_BYTES);
        let mut report = BoundedRead::of(report, MAX_REPORT_BYTES);
        let deadline = Instant::now() + 2 * effort.cpu;
        if !read_all([&mut made, &mut said, &mut report], deadline)? {
            return Err(BuildFailure::Slow { limit: effort.cpu });
        }
        let Some(end) = self.end(deadline)? else { return Err(BuildFailure::Slow { limit: effort.cpu }) };
        if let Some(why) = Some(report.text()).filter(|why| !why.is_empty()) {
            let refused =
                why.strip_prefix(helper::COLLECT_STEP).map(|why| why.trim_start_matches([':', ' ']).to_owned());
            return Err(refused.map_or_else(|| SandboxError::NoBox(why).into(), BuildFailure::Refused));
        }
        if end.exit_status() == Some(0) {
            return Ok(made.kept);
        }
        Err(self.failure(&end, said.text(), effort))
    }

    /// How it ended, if it did in time. It stays unreaped, so that its CPU time can be asked for.
    fn end(&self, deadline: Instant) -> io::Result<Option<WaitIdStatus>> {
        let end = pidfd_open(self.pid, PidfdFlags::empty())?;
        let left = Timespec::try_from(deadline.saturating_duration_since(Instant::now())).ok();
        poll(&mut [PollFd::new(&end, PollFlags::IN)], left.as_ref())?;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.pid), options)?)
    }

    /// What a compiler says about its own end is not to be understood by everybody.
    fn failure(&mut self, end: &WaitIdStatus, message: String, effort: Effort) -> BuildFailure {
        if self.control.ran_out_of_memory() {
            return BuildFailure::Memory { limit: effort.memory };
        }
        // RLIMIT_CPU counts in ticks of the clock: on a busy machine it ends compilers that have used less by the exact count.
        if self.control.cpu(true).is_some_and(|used| 4 * used >= 3 * effort.cpu) {
            return BuildFailure::Slow { limit: effort.cpu };
        }
        let silent = || ended(end.exit_status(), end.terminating_signal());
        BuildFailure::Compile { message: if message.is_empty() { silent() } else { message } }
    }
}

impl Drop for Compilation {
    fn drop(&mut self) {
        self.control.kill();
        let _ = self.child.wait();
    }
}

/// A pipe that is read to its end, and of which the beginning is kept.
struct BoundedRead {
    pipe: Option<File>,
    kept: Vec<u8>,
    most: usize,
}

impl BoundedRead {
    fn of(pipe: OwnedFd, most: usize) -> Self {
        Self { pipe: Some(pipe.into()), kept: vec![], most }
    }

    fn read(&mut self, buffer: &mut [u8]) {
        let Some(pipe) = &mut self.pipe else { return };
        match pipe.read(buffer) {
            Ok(count) if count > 0 => {
                let room = self.most - self.kept.len();
                self.kept.extend(&buffer[..count.min(room)]);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => self.pipe = None,
        }
    }

    /// What was kept, made safe to look at.
    fn text(&self) -> String {
        let mut text = String::new();
        for line in String::from_utf8_lossy(&self.kept).lines() {
            let line = shown(&line.replace('\t', "    "), MAX_LINE_CHARS).to_string();
            if text.len() + line.len() >= self.most {
                break;
            }
            text.push_str(&line);
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// Reads until all pipes are closed; whether they were in time.
fn read_all(reads: [&mut BoundedRead; 3], deadline: Instant) -> io::Result<bool> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(false);
        }
        let open: Vec<usize> = (0..reads.len()).filter(|&index| reads[index].pipe.is_some()).collect();
        if open.is_empty() {
            return Ok(true);
        }
        let pipes = open.iter().filter_map(|&index| reads[index].pipe.as_ref());
        let mut fds: Vec<PollFd<'_>> =
            pipes.map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)).collect();
        match poll(&mut fds, Timespec::try_from(left).ok().as_ref()) {
            Err(error) if error != rustix::io::Errno::INTR => return Err(error.into()),
            _ => {}
        }
        let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        for (index, _) in open.into_iter().zip(ready).filter(|&(_, is_ready)| is_ready) {
            reads[index].read(&mut buffer);
        }
    }
}
