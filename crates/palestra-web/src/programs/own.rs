//! Local programs of the server's owner: child processes, each served by a thread that forwards its lines.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use palestra_arena::{Entrant, EntrantError, EntrantKind, Program, Workshop};
use palestra_protocol::{Dialect, ProtocolError, Received, Transport, shown};
use palestra_sandbox::Process;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use super::link::{FarEnd, FromProgram, Link, ToProgram};

/// A program of the server's owner, offered as an opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnBot {
    /// The name of the program at tables.
    pub name: String,
    /// The ids of the games for which the program is offered; if empty, a trial at each game decides.
    pub games: Vec<String>,
    /// The program, or the folder or file with its source.
    pub path: String,
}

impl FromStr for OwnBot {
    type Err = Infallible;

    /// Parses `NAME=PATH` or `NAME:GAME,GAME=PATH`. A missing name or path is left empty, and [`Config`](crate::Config)
    /// refuses it.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let (name, path) = text.split_once('=').unwrap_or(("", text));
        let (name, games) = name.split_once(':').map_or((name, None), |(name, games)| (name, Some(games)));
        let games = games.map_or_else(Vec::new, |games| games.split(',').map(str::to_owned).collect());
        Ok(Self { name: name.to_owned(), games, path: path.to_owned() })
    }
}

/// Writes the form that [`FromStr`] parses.
impl fmt::Display for OwnBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, games, path } = self;
        match (name.as_str(), games.as_slice()) {
            ("", []) => f.write_str(path),
            (name, []) => write!(f, "{name}={path}"),
            (name, games) => write!(f, "{name}:{}={path}", games.join(",")),
        }
    }
}

/// Memory limit of a program.
pub(super) const MEMORY_BYTES: u64 = 1 << 30;

/// How often a silent program is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Starts a program for a game at a table. Source is built first, if it has changed, and which language the program
/// speaks is found out each time: its author may be working on it.
pub(crate) async fn start(bot: &OwnBot, game: &'static str, table: &str) -> Result<(Link, Dialect), EntrantError> {
    let path = bot.path.clone();
    let (bot, table, runtime) = (bot.clone(), table.to_owned(), Handle::current());
    let started = spawn_blocking(move || {
        let program = find(&bot, game)?;
        // Only boxes limit the CPU time of all games together.
        let process = program.start(Some(MEMORY_BYTES), Duration::MAX)?;
        let (link, end) = Link::new();
        let log = StderrLog { program: bot.name.clone(), table, left: MAX_LOGGED_BYTES };
        let attend = move || Attended { process, end, runtime, is_resting: false, log }.run();
        let thread = std::thread::Builder::new().name("program".to_owned()).spawn(attend);
        thread.map_err(|source| EntrantError::Start { path: bot.path.into(), source })?;
        Ok((link, program.dialect))
    });
    started.await.unwrap_or_else(|error| match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        // The runtime shuts down and cancels what has not begun.
        Err(cancelled) => Err(EntrantError::Start { path: path.into(), source: std::io::Error::other(cancelled) }),
    })
}

/// The program of a bot for a game, built if need be.
pub(super) fn find(bot: &OwnBot, game: &str) -> Result<Program, EntrantError> {
    let mut on_notice = |notice: &str| tracing::info!("{notice}");
    let mut workshop = Workshop::new(Workshop::usual_folder(), &mut on_notice);
    match Entrant::find(game, &format!("{}={}", bot.name, bot.path), &mut workshop)?.kind {
        EntrantKind::Program(program) => Ok(program),
        EntrantKind::BuiltIn(name) => Err(EntrantError::NoFile { path: name.into() }),
    }
}

/// A running program, served by its thread until the process or the table ends.
struct Attended {
    process: Process,
    end: FarEnd,
    runtime: Handle,
    is_resting: bool,
    log: StderrLog,
}

/// Maximum number of bytes of a program's stderr that are logged in one game.
const MAX_LOGGED_BYTES: usize = 32 << 10;

/// Maximum length of a line of stderr in the server's log.
const MAX_LOGGED_LINE_CHARS: usize = 400;

/// Passes what a program writes on stderr to the server's log, where its owner reads it.
struct StderrLog {
    program: String,
    table: String,
    /// How many bytes may still be logged.
    left: usize,
}

impl StderrLog {
    fn write(&mut self, text: &str) {
        let Self { program, table, .. } = self;
        for line in text.lines() {
            if self.left == 0 {
                return;
            }
            self.left = self.left.saturating_sub(line.len() + 1);
            tracing::info!(program, table, "stderr: {}", shown(line, MAX_LOGGED_LINE_CHARS));
            if self.left == 0 {
                tracing::info!(program, table, "it wrote more on stderr, which is not logged");
            }
        }
    }
}

impl Attended {
    fn run(mut self) {
        let mut line = String::new();
        while self.obey().is_some() {
            self.log.write(&self.process.fresh_stderr());
            let wait = if self.is_resting { Duration::ZERO } else { POLL_INTERVAL };
            let heard = match self.process.receive(wait, &mut line) {
                Received::Line => FromProgram::Line { text: line.clone(), cpu: self.process.cpu() },
                Received::Quiet => {
                    if self.is_resting {
                        self.process.rest();
                    }
                    continue;
                }
                Received::BadLine(fault) => return self.lose(ProtocolError::from(fault).into()),
                Received::Gone(fault) => return self.lose(fault),
            };
            if self.end.from.blocking_send(heard).is_err() {
                return;
            }
        }
    }

    fn lose(mut self, fault: palestra_protocol::Fault) {
        let stderr = self.process.stderr();
        self.log.write(&self.process.fresh_stderr());
        let _ = self.end.from.blocking_send(FromProgram::Gone { fault, stderr });
    }

    /// Carries out the table's messages. Waits for one while the program is suspended. `None` when the program is to
    /// end.
    fn obey(&mut self) -> Option<()> {
        if self.is_resting {
            let told = self.runtime.block_on(async { tokio::time::timeout(POLL_INTERVAL, self.end.to.recv()).await });
            if let Ok(told) = told {
                self.follow(told?)?;
            }
        }
        loop {
            match self.end.to.try_recv() {
                Ok(told) => self.follow(told)?,
                Err(tokio::sync::mpsc::error::TryRecvError::Empty) => return Some(()),
                Err(tokio::sync::mpsc::error::TryRecvError::Disconnected) => return None,
            }
        }
    }

    fn follow(&mut self, told: ToProgram) -> Option<()> {
        match told {
            // It is started anew for each game, and so is the count of what it writes.
            ToProgram::NewGame => {}
            ToProgram::Lines(text) => self.process.send(&text),
            ToProgram::Wake => {
                self.is_resting = false;
                self.process.wake();
            }
            ToProgram::Pause => {
                self.is_resting = true;
                self.process.pause();
            }
            ToProgram::Close => {
                self.process.close();
                return None;
            }
        }
        Some(())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use palestra_games::{GameKind, Side};
    use palestra_protocol::{Budget, ForfeitKind, Greeting, Heard, Session, Turn};

    use super::*;

    /// Plays the first legal move; on `stop` it ends in shame.
    const BOT: &str = "#!/bin/sh
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo move $first ;;
    stop) echo 'nobody stops me' >&2; exit 3 ;;
    bye) exit ;;
  esac
done
";

    fn bot(folder: &tempfile::TempDir) -> OwnBot {
        let path = folder.path().join("bot");
        fs::write(&path, BOT).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        format!("mine={}", path.display()).parse().unwrap()
    }

    async fn line(link: &mut Link) -> (String, Option<Duration>) {
        match link.from.recv().await.unwrap() {
            FromProgram::Line { text, cpu } => (text, cpu),
            FromProgram::Gone { fault, .. } => panic!("{fault:?}"),
        }
    }

    #[tokio::test]
    async fn a_program_plays_a_move_and_its_cpu_time_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let (mut link, dialect) = start(&bot(&folder), "mancala", "code").await.unwrap();
        let (mut session, mut out) = (Session::new(dialect), String::new());
        session.start(&Greeting { game: "mancala", side: Side::One, options: "-", budget: Budget::INFINITE }, &mut out);
        link.to.send(ToProgram::Lines(std::mem::take(&mut out))).unwrap();
        let (text, _) = line(&mut link).await;
        assert_eq!(session.hear(&text, &mut out), Ok(Heard::Ready));
        link.to.send(ToProgram::Pause).unwrap();
        let position = (GameKind::find("mancala").unwrap().parse)("1:0,0,0,4,4,4,4/0,4,4,4,4,4,12").unwrap();
        session.go(&Turn { position: &*position, history: &[], budget: Budget::INFINITE }, &mut out);
        link.to.send(ToProgram::Wake).unwrap();
        link.to.send(ToProgram::Lines(std::mem::take(&mut out))).unwrap();
        let (text, cpu) = line(&mut link).await;
        assert_eq!(session.hear(&text, &mut out), Ok(Heard::Move("3")));
        assert!(cpu.is_some());
        link.to.send(ToProgram::Close).unwrap();
        while link.from.recv().await.is_some() {}
    }

    #[tokio::test]
    async fn the_end_of_a_program_is_told_with_what_it_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let (mut link, _) = start(&bot(&folder), "mancala", "code").await.unwrap();
        link.to.send(ToProgram::Lines("stop\n".to_owned())).unwrap();
        match link.from.recv().await.unwrap() {
            FromProgram::Gone { fault, stderr } => {
                assert_eq!((fault.kind, fault.detail.as_str()), (ForfeitKind::Crash, "it ended with exit code 3"));
                assert_eq!(stderr.trim(), "nobody stops me");
            }
            heard @ FromProgram::Line { .. } => panic!("{heard:?}"),
        }
    }

    #[tokio::test]
    async fn a_program_goes_when_its_table_does() {
        let folder = tempfile::tempdir().unwrap();
        let (link, _) = start(&bot(&folder), "mancala", "code").await.unwrap();
        let Link { to, mut from } = link;
        drop(to);
        while from.recv().await.is_some() {}
    }

    #[tokio::test]
    async fn what_is_no_program_is_said_to_be_none() {
        let bot = OwnBot { name: "mine".to_owned(), games: vec![], path: "/nowhere/bot".to_owned() };
        let error = start(&bot, "mancala", "code").await.err().unwrap();
        assert_eq!(error.to_string(), "there is no file /nowhere/bot");
        let bot = OwnBot { name: "mine".to_owned(), games: vec![], path: "ninja1".to_owned() };
        assert!(start(&bot, "mancala", "code").await.is_err(), "a built-in player is no program");
    }
}
