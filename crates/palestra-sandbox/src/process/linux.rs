//! Attending to a child process: all that it writes is read without ever waiting for it longer than asked.
//!
//! A move costs few calls of the system: a look whether something was written too early, a write, a poll, a read, and a
//! reading of the CPU clock. Everything else (memory, whether it still lives) is looked at every ten milliseconds.
//!
//! The child leads a process group of its own, which is ended as a whole, and is not reaped before that: so its clock
//! can be read to the end, and its pid cannot have been reused when it is killed.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::time::{Duration, Instant};

use palestra_protocol::{Fault, ForfeitKind, Lines, MAX_OUTPUT, Received, Transport, take};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpid, getppid, pidfd_open, set_parent_process_death_signal,
    waitid,
};

use super::control::{ProcessControl, ProcessGroup};
use super::run_delay::Snapshot;
use super::stderr_tail::StderrTail;
use super::{EXIT_TIMEOUT, Launch, ended};
use crate::spawner::spawn;

/// How long to wait for the exit status after the output has ended: a machine may be busy.
const EXIT_STATUS_TIMEOUT: Duration = Duration::from_secs(1);

/// How often memory is looked at, and whether the program still lives.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The CPU time that a program may use while the opponent thinks; with more it is stopped until its turn.
const MAX_OFF_TURN_CPU: Duration = Duration::from_millis(2);

/// In turns shorter than this, children of a program are not looked for.
const MIN_TIME_FOR_CHILDREN: Duration = Duration::from_millis(2);

/// How many bytes are read at a time: as many as a pipe holds.
const READ_BYTES: usize = 64 << 10;

/// A program that runs, until this is dropped, or until the arena ends in whatever way.
#[derive(Debug)]
pub struct Process {
    child: Child,
    pid: Pid,
    /// Readable once the program has ended.
    end: OwnedFd,
    control: Box<dyn ProcessControl>,
    /// The pipes; none once the program has closed its end.
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// What the program has not taken yet, from `sent` on.
    unsent: Vec<u8>,
    sent: usize,
    lines: Lines,
    errors: StderrTail,
    buffer: Box<[u8]>,
    memory: Option<u64>,
    /// When memory and life were last looked at.
    looked: Instant,
    /// Its CPU time when it was last asked for, which is when it answered.
    cpu: Duration,
    /// When it was last asked for: what is young has no children that matter.
    cpu_asked: Instant,
    /// Its tasks when this turn's waiting was first asked for.
    turn_began: Option<Snapshot>,
    is_stopped: bool,
    /// Its CPU time when it was last stopped.
    cpu_at_stop: Duration,
    is_reaped: bool,
    gone: Option<Fault>,
}

impl Process {
    /// Starts a program.
    pub fn start(launch: &Launch) -> io::Result<Self> {
        let mut command = launch.command();
        command.process_group(0);
        die_with_spawner(&mut command);
        let group = |pid| Ok(Box::new(ProcessGroup::of(pid)?) as Box<dyn ProcessControl>);
        Self::attend(spawn(command)?, launch.memory, group)
    }

    /// Takes over a started program, whose input and output are pipes.
    pub(crate) fn attend(
        mut child: Child,
        memory: Option<u64>,
        control: impl FnOnce(Pid) -> io::Result<Box<dyn ProcessControl>>,
    ) -> io::Result<Self> {
        let opened = open(&mut child).and_then(|(pid, end)| Ok((pid, end, control(pid)?)));
        if opened.is_err() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let (pid, end, control) = opened?;
        Ok(Self {
            pid,
            end,
            control,
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            child,
            unsent: vec![],
            sent: 0,
            lines: Lines::new(),
            errors: StderrTail::default(),
            buffer: vec![0; READ_BYTES].into_boxed_slice(),
            memory,
            looked: Instant::now(),
            cpu: Duration::ZERO,
            cpu_asked: Instant::now(),
            turn_began: None,
            is_stopped: false,
            cpu_at_stop: Duration::ZERO,
            is_reaped: false,
            gone: None,
        })
    }

    /// The number of the process, and of its group.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The program is told nothing more: its input ends with what was sent.
    pub fn hang_up(&mut self) {
        self.write();
        self.stdin = None;
    }

    fn take(&mut self, line: &mut String) -> Option<Received> {
        take(&mut self.lines, self.gone.as_ref(), line)
    }

    /// Waits until one of the pipes has something to do, and does it.
    fn wait(&mut self, wait: Duration) {
        let wait = Timespec::try_from(wait).ok();
        let pending = self.stdin.as_ref().filter(|_| self.sent < self.unsent.len());
        let asked = |is_there: bool, flags| if is_there { flags } else { PollFlags::empty() };
        // A pipe that is closed leaves its place to the end of the process.
        let mut fds = [
            PollFd::from_borrowed_fd(self.stdout.as_ref().map_or(self.end.as_fd(), AsFd::as_fd), PollFlags::IN),
            PollFd::from_borrowed_fd(
                self.stderr.as_ref().map_or(self.end.as_fd(), AsFd::as_fd),
                asked(self.stderr.is_some(), PollFlags::IN),
            ),
            PollFd::from_borrowed_fd(pending.map_or(self.end.as_fd(), AsFd::as_fd), PollFlags::OUT),
        ];
        let count = if pending.is_some() { 3 } else { 2 };
        // Interrupted or not: the caller checks the time and polls again.
        let _ = poll(&mut fds[..count], wait.as_ref());
        let [out, err, into] = [0, 1, 2].map(|index| index < count && !fds[index].revents().is_empty());
        if out {
            self.read_output();
        }
        if err {
            self.read_errors();
        }
        if into {
            self.write();
        }
    }

    /// Writes as much as the program takes.
    fn write(&mut self) {
        while let Some(stdin) = self.stdin.as_mut().filter(|_| self.sent < self.unsent.len()) {
            match stdin.write(&self.unsent[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // It has closed its input. Whether it has ended too will be seen at its output.
                Err(_) => self.stdin = None,
            }
        }
        self.unsent.clear();
        self.sent = 0;
    }

    /// Reads what there is, up to a chunk; whether that may not have been all.
    fn read_output(&mut self) -> bool {
        let Some(stdout) = &mut self.stdout else { return false };
        match stdout.read(&mut self.buffer) {
            Ok(0) => self.on_closed(),
            Ok(count) => {
                self.lines.push(&self.buffer[..count]);
                return count == self.buffer.len();
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.on_closed(),
        }
        false
    }

    /// Reads what is available on stderr.
    fn read_errors(&mut self) -> bool {
        let Some(stderr) = &mut self.stderr else { return false };
        match stderr.read(&mut self.buffer) {
            Ok(count) if count > 0 => {
                self.errors.push(&self.buffer[..count]);
                return true;
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            _ => self.stderr = None,
        }
        false
    }

    /// Reads all that is there now, and no more than a game may have: children of the program may go on writing.
    fn drain_output(&mut self) {
        for _ in 0..=MAX_OUTPUT / READ_BYTES {
            if !self.read_output() {
                return;
            }
        }
    }

    /// Reads all of stderr that is available now. A program that writes faster than this reads has to wait.
    fn drain_errors(&mut self) {
        for _ in 0..16 {
            if !self.read_errors() {
                return;
            }
        }
    }

    /// Its output has ended, which is what happens when a program ends; but the news of its end come a little later.
    fn on_closed(&mut self) {
        self.stdout = None;
        self.await_end(EXIT_STATUS_TIMEOUT);
        let closed = || Fault::new(ForfeitKind::Crash, "it closed its output");
        let fault = self.how_it_ended().unwrap_or_else(closed);
        self.gone.get_or_insert(fault);
        self.drain_errors();
    }

    fn await_end(&self, wait: Duration) {
        let mut fds = [PollFd::new(&self.end, PollFlags::IN)];
        let _ = poll(&mut fds, Timespec::try_from(wait).ok().as_ref());
    }

    /// What there is to say about the end of the program, if it has ended. It stays unreaped.
    fn how_it_ended(&self) -> Option<Fault> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.pid), options).ok()??;
        let signal = status.terminating_signal();
        let crash = || Fault::new(ForfeitKind::Crash, ended(status.exit_status(), signal));
        Some(signal.and_then(|signal| self.control.fault_of_signal(signal)).unwrap_or_else(crash))
    }

    /// Looks at what no pipe tells: the memory, and the end of a program whose children keep its output open.
    fn look(&mut self, now: Instant) {
        self.looked = now;
        if let Some(detail) = self.excess_memory() {
            self.expel(Fault::new(ForfeitKind::Memory, detail));
        } else if let Some(fault) = self.how_it_ended() {
            self.drain_output();
            self.gone.get_or_insert(fault);
            self.drain_errors();
        }
    }

    /// Whatever it answered does not count any more, and it is not to go on.
    fn expel(&mut self, fault: Fault) {
        self.gone = Some(fault);
        self.lines = Lines::new();
        self.control.kill();
    }

    /// If it used more memory than it may, how much that was.
    fn excess_memory(&mut self) -> Option<String> {
        let limit = self.memory?;
        match self.control.peak_memory() {
            Some(used) if used > limit => {
                Some(format!("it used {} MiB of memory, and has {} MiB", used >> 20, limit >> 20))
            }
            Some(_) => None,
            None => {
                // A program that ends gives its memory back a little before the news of its end come.
                self.await_end(EXIT_STATUS_TIMEOUT);
                let is_alive = self.how_it_ended().is_none();
                is_alive.then(|| "how much memory it uses cannot be found out".to_owned())
            }
        }
    }

    /// Its CPU time; with that of its children if `all`.
    fn read_cpu(&mut self, all: bool) -> Duration {
        // A child's time is known in coarser steps once it has ended: the sum never goes back.
        self.cpu = self.control.cpu(all).unwrap_or_default().max(self.cpu);
        self.cpu
    }

    /// Stops it until its turn.
    fn stop(&mut self) {
        if !self.is_stopped && !self.is_reaped {
            self.control.stop();
            self.is_stopped = true;
            self.cpu_at_stop = self.control.cpu(false).unwrap_or_default();
        }
    }

    fn reap(&mut self) {
        self.control.kill();
        let _ = self.child.wait();
        self.is_reaped = true;
    }
}

impl Transport for Process {
    fn send(&mut self, text: &str) {
        self.unsent.extend_from_slice(text.as_bytes());
        self.write();
    }

    fn receive(&mut self, wait: Duration, line: &mut String) -> Received {
        if let Some(received) = self.take(line) {
            return received;
        }
        if wait.is_zero() {
            self.read_output();
            return self.take(line).unwrap_or(Received::Quiet);
        }
        let (begun, mut left) = (Instant::now(), wait);
        while !left.is_zero() {
            self.wait(left.min(POLL_INTERVAL));
            let now = Instant::now();
            if now - self.looked >= POLL_INTERVAL {
                self.look(now);
            }
            if let Some(received) = self.take(line) {
                return received;
            }
            left = wait.saturating_sub(now - begun);
        }
        Received::Quiet
    }

    fn cpu(&mut self) -> Option<Duration> {
        if self.is_reaped {
            return Some(self.cpu);
        }
        // Looking for children takes longer than many a move. A quick move leaves them no time to work.
        let now = Instant::now();
        self.read_cpu(now - self.cpu_asked >= MIN_TIME_FOR_CHILDREN);
        self.cpu_asked = now;
        Some(self.cpu)
    }

    fn waited(&mut self) -> Duration {
        if self.is_reaped {
            return Duration::ZERO;
        }
        let Some(began) = self.turn_began.take() else {
            let cpu = self.read_cpu(true);
            self.turn_began = Some(Snapshot { cpu, tasks: self.control.tasks() });
            return Duration::ZERO;
        };
        // CPU time is read before the tasks above and after them here: what passes in between is not taken for waiting.
        let tasks = self.control.tasks();
        let waited = Snapshot { cpu: self.read_cpu(true), tasks }.waited_since(&began);
        self.turn_began = Some(began);
        waited
    }

    fn pause(&mut self) {
        if self.control.is_strict() {
            self.stop();
        }
    }

    fn rest(&mut self) {
        self.drain_errors();
        // A stopped program cannot continue, unless it found a way around that, which only matters in a box.
        if self.is_reaped || (self.is_stopped && !self.control.is_strict()) {
            return;
        }
        let before = if self.is_stopped { self.cpu_at_stop } else { self.cpu };
        let used = self.control.cpu(true).unwrap_or_default().saturating_sub(before);
        if used > MAX_OFF_TURN_CPU && self.is_stopped {
            let detail = format!("it used {} ms of CPU time while the other was to move", used.as_millis());
            self.expel(Fault::new(ForfeitKind::Security, detail));
        } else if used > MAX_OFF_TURN_CPU {
            self.stop();
        }
    }

    fn wake(&mut self) {
        self.turn_began = None;
        if self.is_stopped && !self.is_reaped {
            self.control.resume();
            self.is_stopped = false;
        }
    }

    fn stderr(&mut self) -> String {
        self.drain_errors();
        self.errors.text()
    }

    fn fresh_stderr(&mut self) -> String {
        self.drain_errors();
        self.errors.fresh()
    }

    fn unfinished(&self) -> String {
        self.lines.rest()
    }

    fn close(&mut self) {
        if self.is_reaped {
            return;
        }
        self.wake();
        let deadline = Instant::now() + EXIT_TIMEOUT;
        while self.how_it_ended().is_none() {
            if self.sent == self.unsent.len() {
                self.stdin = None;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            // A child of its own may keep its output open when it has ended.
            self.wait(left.min(POLL_INTERVAL));
        }
        self.cpu();
        self.drain_errors();
        self.reap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.is_reaped {
            self.reap();
        }
    }
}

/// What is needed to attend to a child; its pipes wait for nobody from now on.
fn open(child: &mut Child) -> io::Result<(Pid, OwnedFd)> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(ErrorKind::InvalidInput)?;
    for fd in [
        child.stdin.as_ref().map(AsFd::as_fd),
        child.stdout.as_ref().map(AsFd::as_fd),
        child.stderr.as_ref().map(AsFd::as_fd),
    ] {
        ioctl_fionbio(fd.ok_or(ErrorKind::BrokenPipe)?, true)?;
    }
    Ok((pid, pidfd_open(pid, PidfdFlags::empty())?))
}

/// The child is killed when the thread that starts it ends, even if the arena is killed. Children of its own are not:
/// only a box can see to that.
#[allow(unsafe_code, reason = "what runs between fork and exec")]
fn die_with_spawner(command: &mut Command) {
    let parent = getpid();
    // SAFETY: two calls of the system without memory or locks, which are allowed between fork and exec.
    unsafe {
        command.pre_exec(move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have ended before the line above.
            if getppid() == Some(parent) { Ok(()) } else { Err(ErrorKind::BrokenPipe.into()) }
        });
    }
}
