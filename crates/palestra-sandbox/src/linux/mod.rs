//! The sandbox: boxes of namespaces, seccomp, Landlock, rlimits and cgroups for untrusted programs.
//!
//! A program in a box sees the system's own programs and libraries, itself, and a small `/tmp`. It has no network, no
//! other process, no right, one CPU, and only the calls of the system that a program needs that plays a game. When it
//! is not its turn it is frozen; when it ends, or the arena does, nothing of it is left.
//!
//! Layers are independent of each other, so that a hole in one is none in the whole: a user that the machine does not
//! know, namespaces, a root file system of its own, rlimits, no capabilities, Landlock, seccomp, and cgroups.

mod boxed_control;
mod build;
mod cgroup;
mod compiler;
mod helper;
mod landlock_rules;
mod layers;
mod page_count;
mod plan;
mod probe;
mod root_filesystem;
mod seccomp_bpf;
mod seccomp_policy;
mod stage;
mod sys;

use std::cell::OnceCell;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, PipeReader, Seek, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::thread::sched_getaffinity;

use boxed_control::BoxControl;
pub use build::{BuildFailure, Effort, Job};
pub use cgroup::CgroupPowers;
use cgroup::{Cgroup, Cgroups};
pub use compiler::{Compiler, python};
pub use helper::helper_main;
pub use layers::{Layer, LayerState, Layers, Missing};
use palestra_protocol::{Received, Transport};
use plan::{Limits, Plan, Purpose};
use probe::{PROBE_WORD, Seen};
pub use stage::is_seen_in_boxes;
use stage::{Stage, Staged};

use crate::Process;
use crate::process::ProcessControl;
use crate::spawner::spawn;

/// The hidden word by which a program that contains the helper is asked to be it.
pub const HELPER_WORD: &str = "box-helper";

/// What a program in a box may hold of memory, unless told otherwise.
pub const USUAL_MEMORY: u64 = 512 << 20;

/// `RLIMIT_AS` beyond its memory: stacks of threads, libraries, what was reserved and never used.
const EXTRA_ADDRESS_SPACE_BYTES: u64 = 1 << 30;

/// What it may use of CPU time beyond what the clocks of its game allow.
const EXTRA_CPU: Duration = Duration::from_secs(2);

/// How long the probe may take to tell what it sees.
const PROBE_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a program does not run in a box.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The machine lacks what a box needs.
    #[error("programs cannot run in boxes here: {}", first_missing(.0))]
    Lacking(Box<Layers>),
    /// The box is there, and the program cannot be started in it.
    #[error("the program cannot be started in its box")]
    Program(#[source] io::Error),
    /// The machine does not let us make one.
    #[error("the box cannot be made: {0}")]
    NoBox(String),
    /// Something went wrong beside the box.
    #[error("the box cannot be prepared")]
    Io(#[from] io::Error),
}

fn first_missing(layers: &Layers) -> String {
    layers.lacking().map(|(layer, missing)| format!("{}: {}", layer.name, missing.why)).unwrap_or_default()
}

impl SandboxError {
    /// What to do about it, if there is anything to be said.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Lacking(layers) => layers.lacking().map(|(_, missing)| missing.advice.clone()),
            Self::Program(_) | Self::NoBox(_) | Self::Io(_) => None,
        }
    }
}

/// The program that contains the helper.
#[derive(Debug)]
pub struct Helper {
    program: OsString,
    /// The helper is run by its file descriptor, so that replacing the file changes nothing.
    _file: Option<OwnedFd>,
}

impl Helper {
    /// The running program itself.
    pub fn this_program() -> io::Result<Self> {
        let file = above_helper_fds(File::open("/proc/self/exe")?)?;
        Ok(Self { program: format!("/proc/self/fd/{}", file.as_raw_fd()).into(), _file: Some(file) })
    }

    /// Another one.
    #[must_use]
    pub fn at(program: PathBuf) -> Self {
        Self { program: program.into(), _file: None }
    }
}

/// Makes boxes.
#[derive(Debug)]
pub struct Sandbox {
    helper: Helper,
    cgroups: Cgroups,
    stage: Stage,
    layers: Layers,
}

/// What a box costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// From the start of the box to the first line of the program in it.
    pub start: Duration,
    /// To freeze the program and let it go on.
    pub freeze: Duration,
}

/// A program to be run in a box, with all its files. It can be run many times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boxed {
    staged: Arc<Staged>,
    command: Vec<String>,
}

/// What a program in a box may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Memory, in bytes.
    pub memory: u64,
    /// CPU time in all.
    pub cpu: Duration,
}

impl Boxed {
    fn new(staged: Staged, command: &[&str]) -> Self {
        Self { staged: Arc::new(staged), command: command.iter().map(|&word| word.to_owned()).collect() }
    }
}

impl Default for Allowance {
    fn default() -> Self {
        Self { memory: USUAL_MEMORY, cpu: Duration::from_secs(3600) }
    }
}

impl Sandbox {
    /// A sandbox on this machine. A program that looks around is run in a box first: if a layer is missing that must
    /// not be, there is no sandbox.
    pub fn new(helper: Helper) -> Result<Self, SandboxError> {
        let mut sandbox = Self { helper, cgroups: Cgroups::find(), stage: Stage::new()?, layers: Layers::default() };
        let seen = match sandbox.probe().and_then(|probe| sandbox.look_around(&probe)) {
            Ok((_, seen)) => Ok(seen),
            Err(SandboxError::NoBox(why)) => Err(why),
            Err(error) => return Err(error),
        };
        sandbox.layers = Layers::of(seen.as_ref().map_err(String::as_str), &sandbox.cgroups);
        match sandbox.layers.lacking() {
            None => Ok(sandbox),
            Some(_) => Err(SandboxError::Lacking(Box::new(sandbox.layers))),
        }
    }

    /// What is around a program in a box, and what is not.
    #[must_use]
    pub const fn layers(&self) -> &Layers {
        &self.layers
    }

    /// The layers that boxes lack here, in words; nothing if there are all.
    #[must_use]
    pub fn lacks(&self) -> String {
        let missing: Vec<&str> = self.layers.missing().map(|(layer, _)| layer.name).collect();
        if missing.is_empty() { String::new() } else { format!("without {}", missing.join(", ")) }
    }

    /// Where programs lie while they run.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.stage.folder()
    }

    /// The median costs of this number of boxes; `on_box` gets the number of finished ones after each.
    pub fn costs(&self, boxes: usize, on_box: &mut dyn FnMut(usize)) -> Result<Costs, SandboxError> {
        let probe = self.probe()?;
        let (mut starts, mut freezes) = (vec![], vec![]);
        for count in 1..=boxes.max(1) {
            let begun = Instant::now();
            let (mut process, _) = self.look_around(&probe)?;
            starts.push(begun.elapsed());
            let begun = Instant::now();
            process.pause();
            process.wake();
            freezes.push(begun.elapsed());
            on_box(count);
        }
        Ok(Costs { start: median(&mut starts), freeze: median(&mut freezes) })
    }

    /// The helper's own program, which looks around in the box.
    fn probe(&self) -> Result<Boxed, SandboxError> {
        let staged = self.stage.empty()?;
        staged.copy_as(Path::new(&self.helper.program), "probe")?;
        Ok(Boxed::new(staged, &["/bot/probe", HELPER_WORD, PROBE_WORD]))
    }

    fn look_around(&self, probe: &Boxed) -> Result<(Process, Seen), SandboxError> {
        let mut process = self.start(probe, Allowance::default())?;
        let mut line = String::new();
        match process.receive(PROBE_TIMEOUT, &mut line) {
            Received::Line => match serde_json::from_str(&line) {
                Ok(seen) => Ok((process, seen)),
                Err(_) => Err(SandboxError::NoBox(format!("look around: the probe wrote '{line}'"))),
            },
            other => Err(SandboxError::NoBox(format!("look around: {other:?} {}", process.stderr()))),
        }
    }

    /// What the machine's control groups do for boxes.
    #[must_use]
    pub const fn cgroups(&self) -> CgroupPowers {
        self.cgroups.powers()
    }

    /// A program made of these files, which lie together in `/bot`. The command names things as they are in the box.
    pub fn pack(&self, files: &[(&str, &[u8])], command: &[&str]) -> Result<Boxed, SandboxError> {
        let staged = self.stage.empty()?;
        for (name, content) in files {
            staged.write(name, content)?;
        }
        Ok(Boxed::new(staged, command))
    }

    /// A program made of copies of these files, and of all that lies in these folders: together in `/bot`.
    pub fn pack_copies(&self, paths: &[&Path], command: &[&str]) -> Result<Boxed, SandboxError> {
        let staged = self.stage.empty()?;
        staged.copy(paths)?;
        Ok(Boxed::new(staged, command))
    }

    /// Starts a program in a box of its own.
    pub fn start(&self, program: &Boxed, allowance: Allowance) -> Result<Process, SandboxError> {
        let limits = Limits {
            address_space: allowance.memory.saturating_add(EXTRA_ADDRESS_SPACE_BYTES),
            stack: 16 << 20,
            file: 64 << 20,
            tmp: 16 << 20,
            files: 64,
            tasks: 32,
            cpu: allowance.cpu.saturating_add(EXTRA_CPU).as_secs(),
        };
        let group = self.cgroups.group(allowance.memory)?;
        let plan = Plan {
            command: program.command.clone(),
            environment: vec!["PATH=/usr/bin:/bin".into(), "HOME=/tmp".into(), "LANG=C.UTF-8".into()],
            cpu: own_cpu(),
            ..self.plan(&program.staged, group.as_ref(), limits, Purpose::Play)
        };
        let (child, report) = self.spawn(&plan)?;
        let staged = Arc::clone(&program.staged);
        let limit = Duration::from_secs(limits.cpu);
        let control = |pid| Ok(Box::new(BoxControl::new(pid, group, limit, staged)) as Box<dyn ProcessControl>);
        let process = Process::attend(child, Some(allowance.memory), control)?;
        // The report ends when the program has begun.
        match io::read_to_string(report)? {
            nothing if nothing.is_empty() => Ok(process),
            why if why.starts_with(helper::EXEC_STEP) => {
                let code = layers::os_error(&why).unwrap_or_default();
                Err(SandboxError::Program(io::Error::from_raw_os_error(code)))
            }
            why => Err(SandboxError::NoBox(why)),
        }
    }

    /// What is the same for all boxes; nothing runs in this one yet.
    fn plan(&self, staged: &Staged, group: Option<&Cgroup>, limits: Limits, purpose: Purpose) -> Plan {
        Plan {
            parent: std::process::id().cast_signed(),
            root: self.stage.root(),
            bot: staged.folder().to_owned(),
            more: vec![],
            cgroups: group.map(Cgroup::procs_files).unwrap_or_default(),
            inner: group.and_then(Cgroup::inner),
            cpu: None,
            command: vec![],
            environment: vec![],
            limits,
            purpose,
        }
    }

    /// Starts the helper, and what it reports.
    #[allow(unsafe_code, reason = "what runs between fork and exec")]
    fn spawn(&self, plan: &Plan) -> Result<(Child, PipeReader), SandboxError> {
        let (report, told) = io::pipe()?;
        let plan = memfd_with(&plan.to_text().map_err(io::Error::from)?)?;
        let mut command = Command::new(&self.helper.program);
        command.arg0("palestra-box").arg(HELPER_WORD).env_clear();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // SAFETY: calls of the system without memory or locks, which are allowed between fork and exec.
        unsafe {
            command.pre_exec(move || {
                sys::pass_on(told.as_raw_fd(), helper::REPORT_FD)?;
                sys::pass_on(plan.as_raw_fd(), helper::PLAN_FD)
            });
        }
        Ok((spawn(command)?, report))
    }
}

/// Away from the numbers that the helper's own descriptors get: until the helper runs, all are open in its process.
fn above_helper_fds(file: impl AsFd) -> io::Result<OwnedFd> {
    Ok(fcntl_dupfd_cloexec(file, helper::PLAN_FD + 1)?)
}

/// A memfd with this text, to be read from its beginning.
fn memfd_with(text: &str) -> io::Result<OwnedFd> {
    let mut file = File::from(memfd_create("plan", MemfdFlags::CLOEXEC)?);
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    above_helper_fds(file)
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The CPU for the programs of the games that this thread plays: both bots of a game share one, since they take turns,
/// and threads share them out evenly.
fn own_cpu() -> Option<usize> {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static CPU: OnceCell<Option<usize>> = const { OnceCell::new() });
    CPU.with(|cpu| {
        *cpu.get_or_init(|| {
            let allowed = sched_getaffinity(None).ok()?;
            let allowed: Vec<usize> = (0..rustix::thread::CpuSet::MAX_CPU).filter(|&it| allowed.is_set(it)).collect();
            allowed.get(THREADS.fetch_add(1, Ordering::Relaxed) % allowed.len().max(1)).copied()
        })
    })
}
