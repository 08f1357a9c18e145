//! A program on systems that are not Linux: three threads wait at its pipes. Its CPU time is not known, so that time by
//! the clock counts; it is not stopped while the other thinks, and its memory is not watched.

use std::io::{self, Read, Write};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use palestra_protocol::{Fault, ForfeitKind, Lines, Received, Transport, take};

use super::stderr_tail::StderrTail;
use super::{EXIT_TIMEOUT, Launch, ended};

/// How often to see whether a program has left.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A program that runs, until this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// What it is to be told; none once it is to be told nothing more.
    input: Option<Sender<Vec<u8>>>,
    /// What it wrote; ends with its output.
    output: Receiver<Vec<u8>>,
    lines: Lines,
    errors: Arc<Mutex<StderrTail>>,
    gone: Option<Fault>,
}

impl Process {
    /// Starts a program.
    pub fn start(launch: &Launch) -> io::Result<Self> {
        let mut child = launch.command().spawn()?;
        let errors = Arc::new(Mutex::new(StderrTail::default()));
        let (input, to_write) = channel::<Vec<u8>>();
        let (read, output) = channel();
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || to_write.iter().try_for_each(|text| stdin.write_all(&text)));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || each_chunk(stdout, |chunk| read.send(chunk.to_vec()).is_ok()));
        }
        if let Some(stderr) = child.stderr.take() {
            let errors = Arc::clone(&errors);
            thread::spawn(move || {
                each_chunk(stderr, |chunk| {
                    lock(&errors).push(chunk);
                    true
                });
            });
        }
        Ok(Self { child, input: Some(input), output, lines: Lines::new(), errors, gone: None })
    }

    /// The number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The program is told nothing more: its input ends with what was sent.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    fn take(&mut self, line: &mut String) -> Option<Received> {
        take(&mut self.lines, self.gone.as_ref(), line)
    }

    /// Its output has ended: because it has, most likely.
    fn on_closed(&mut self) {
        let detail = if self.await_end() {
            let status = self.child.wait().ok();
            ended(status.and_then(|status| status.code()), None)
        } else {
            "it closed its output".to_owned()
        };
        self.gone = Some(Fault::new(ForfeitKind::Crash, detail));
    }

    /// Gives it a moment to end; whether it did.
    fn await_end(&mut self) -> bool {
        let deadline = Instant::now() + EXIT_TIMEOUT;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(POLL_INTERVAL),
                ended => return matches!(ended, Ok(Some(_))),
            }
        }
    }
}

impl Transport for Process {
    fn send(&mut self, text: &str) {
        if let Some(input) = &self.input {
            // A program that has closed its input gets nothing; its output shows whether it has ended.
            let _ = input.send(text.as_bytes().to_vec());
        }
    }

    fn receive(&mut self, wait: Duration, line: &mut String) -> Received {
        let begun = Instant::now();
        loop {
            if let Some(received) = self.take(line) {
                return received;
            }
            match self.output.recv_timeout(wait.saturating_sub(begun.elapsed())) {
                Ok(chunk) => self.lines.push(&chunk),
                Err(RecvTimeoutError::Timeout) => return Received::Quiet,
                Err(RecvTimeoutError::Disconnected) => self.on_closed(),
            }
        }
    }

    fn stderr(&mut self) -> String {
        lock(&self.errors).text()
    }

    fn fresh_stderr(&mut self) -> String {
        lock(&self.errors).fresh()
    }

    fn unfinished(&self) -> String {
        self.lines.rest()
    }

    fn close(&mut self) {
        self.input = None;
        self.await_end();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads to the end, or until nobody wants more.
fn each_chunk(mut pipe: impl Read, mut take: impl FnMut(&[u8]) -> bool) {
    let mut buffer = vec![0; 16 << 10];
    while let Ok(count @ 1..) = pipe.read(&mut buffer) {
        if !take(&buffer[..count]) {
            return;
        }
    }
}

fn lock(tail: &Mutex<StderrTail>) -> MutexGuard<'_, StderrTail> {
    tail.lock().unwrap_or_else(PoisonError::into_inner)
}
