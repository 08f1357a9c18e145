//! Attending to a child process: all that it writes is read without ever waiting for it longer than asked.
//!
//! A move costs few calls of the system: a look whether something was written too early, a write, a poll, a read, and a
//! reading of the CPU clock. Everything else (memory, whether it still lives) is looked at every ten milliseconds.
//!
//! The child leads a process group of its own, which is ended as a whole, and is not reaped before that: so its clock
//! can be read to the end, and its number cannot have become somebody else's when it is killed.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::time::{Duration, Instant};

use palestra_protocol::{Lines, MAX_OUTPUT};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpid, getppid, kill_process_group, pidfd_open,
    set_parent_process_death_signal, waitid,
};

use super::family;
use super::ring::Ring;
use super::{GRACE, Launch, ended};
use crate::cpu::CpuClock;
use crate::transport::{Received, Transport, take};
use crate::{ForfeitKind, Lapse};

/// How often memory is looked at, and whether the program still lives.
const GLANCE: Duration = Duration::from_millis(10);

/// More CPU time than this while the other thinks, and the program is stopped until its turn.
const OFF_TURN: Duration = Duration::from_millis(2);

/// In less time than this children of a program do not matter.
const BRIEF: Duration = Duration::from_millis(2);

/// How much is read at a time: as much as a pipe holds.
const CHUNK: usize = 64 << 10;

/// A program that runs, until this is dropped.
///
/// It is killed when the thread that started it ends, even if the process lives on: start programs from the thread that
/// plays the game.
#[derive(Debug)]
pub struct Process {
    child: Child,
    pid: Pid,
    /// Readable once the program has ended.
    end: OwnedFd,
    clock: CpuClock,
    /// The pipes; none once the program has closed its end.
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// What the program has not taken yet, from `sent` on.
    unsent: Vec<u8>,
    sent: usize,
    lines: Lines,
    errors: Ring,
    buffer: Box<[u8]>,
    memory: Option<u64>,
    /// When memory and life were last looked at.
    looked: Instant,
    /// Its CPU time when it was last asked for, which is when it answered.
    cpu: Duration,
    /// When it was last asked for: what is young has no children that matter.
    cpu_asked: Instant,
    is_stopped: bool,
    is_reaped: bool,
    gone: Option<Lapse>,
}

impl Process {
    /// Starts a program.
    pub fn start(launch: &Launch) -> io::Result<Self> {
        let mut command = launch.command();
        command.process_group(0);
        die_with_this_thread(&mut command);
        Self::attend(command.spawn()?, launch.memory)
    }

    /// Takes over a program that somebody started: it leads its process group, and its input and output are pipes.
    pub(crate) fn attend(mut child: Child, memory: Option<u64>) -> io::Result<Self> {
        let opened = open(&mut child);
        if opened.is_err() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let (pid, end, clock) = opened?;
        Ok(Self {
            pid,
            end,
            clock,
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            child,
            unsent: vec![],
            sent: 0,
            lines: Lines::new(),
            errors: Ring::default(),
            buffer: vec![0; CHUNK].into_boxed_slice(),
            memory,
            looked: Instant::now(),
            cpu: Duration::ZERO,
            cpu_asked: Instant::now(),
            is_stopped: false,
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
        // Interrupted or not: whoever waits looks at the time and comes back.
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

    /// The same with stderr.
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
        for _ in 0..=MAX_OUTPUT / CHUNK {
            if !self.read_output() {
                return;
            }
        }
    }

    /// Reads all of stderr that is there now. Whoever writes faster than this reads has to wait.
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
        self.await_end(GRACE);
        let detail = self.how_it_ended().unwrap_or_else(|| "it closed its output".to_owned());
        self.gone.get_or_insert(Lapse::new(ForfeitKind::Crash, detail));
        self.drain_errors();
    }

    fn await_end(&self, wait: Duration) {
        let mut fds = [PollFd::new(&self.end, PollFlags::IN)];
        let _ = poll(&mut fds, Timespec::try_from(wait).ok().as_ref());
    }

    /// What there is to say about the end of the program, if it has ended. It stays unreaped.
    fn how_it_ended(&self) -> Option<String> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.pid), options).ok()??;
        Some(ended(status.exit_status(), status.terminating_signal()))
    }

    /// Looks at what no pipe tells: the memory, and the end of a program whose children keep its output open.
    fn look(&mut self, now: Instant) {
        self.looked = now;
        if let Some((used, limit)) = self.memory_used().zip(self.memory).filter(|(used, limit)| used > limit) {
            let detail = format!("it used {} MiB of memory, and has {} MiB", used >> 20, limit >> 20);
            self.gone = Some(Lapse::new(ForfeitKind::Memory, detail));
            // Whatever it answered does not count any more, and it is not to take more.
            self.lines = Lines::new();
            self.kill();
        } else if let Some(detail) = self.how_it_ended() {
            self.drain_output();
            self.gone.get_or_insert(Lapse::new(ForfeitKind::Crash, detail));
            self.drain_errors();
        }
    }

    /// The most memory that it has ever held, in bytes, and the same of each of its children.
    fn memory_used(&self) -> Option<u64> {
        self.memory?;
        let own = family::peak_memory(self.pid)?;
        Some(own + family::descendants(self.pid).into_iter().filter_map(family::peak_memory).sum::<u64>())
    }

    /// The CPU time of the program and of its children, those that ended too.
    fn family_cpu(&self) -> Option<Duration> {
        Some(self.clock.read()? + family::children_cpu(self.pid))
    }

    /// To all of its group. Whoever has ended already needs no signal.
    fn signal(&self, signal: Signal) {
        if !self.is_reaped {
            let _ = kill_process_group(self.pid, signal);
        }
    }

    fn kill(&self) {
        self.signal(Signal::KILL);
    }

    fn reap(&mut self) {
        self.kill();
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
            self.wait(left.min(GLANCE));
            let now = Instant::now();
            if now - self.looked >= GLANCE {
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
        // Looking for children takes longer than many a move. Whoever has been quick has not let them work.
        let now = Instant::now();
        let cpu = if now - self.cpu_asked >= BRIEF { self.family_cpu() } else { self.clock.read() };
        // A child's time is known in coarser steps once it has ended: the sum never goes back.
        self.cpu = cpu.unwrap_or_default().max(self.cpu);
        self.cpu_asked = now;
        Some(self.cpu)
    }

    fn rest(&mut self) {
        self.drain_errors();
        let cpu = if self.is_stopped { None } else { self.family_cpu() };
        if cpu.is_some_and(|cpu| cpu.saturating_sub(self.cpu) > OFF_TURN) {
            self.signal(Signal::STOP);
            self.is_stopped = true;
        }
    }

    fn wake(&mut self) {
        if self.is_stopped {
            self.signal(Signal::CONT);
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
        let deadline = Instant::now() + GRACE;
        while self.how_it_ended().is_none() {
            if self.sent == self.unsent.len() {
                self.stdin = None;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            // A child of its own may keep its output open when it has ended.
            self.wait(left.min(GLANCE));
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
fn open(child: &mut Child) -> io::Result<(Pid, OwnedFd, CpuClock)> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(ErrorKind::InvalidInput)?;
    for fd in [
        child.stdin.as_ref().map(AsFd::as_fd),
        child.stdout.as_ref().map(AsFd::as_fd),
        child.stderr.as_ref().map(AsFd::as_fd),
    ] {
        ioctl_fionbio(fd.ok_or(ErrorKind::BrokenPipe)?, true)?;
    }
    Ok((pid, pidfd_open(pid, PidfdFlags::empty())?, CpuClock::of(pid)?))
}

/// The child is killed when the thread that starts it ends, even if the arena is killed. Children of its own are not:
/// only a box can see to that.
#[allow(unsafe_code, reason = "what runs between fork and exec")]
fn die_with_this_thread(command: &mut Command) {
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
