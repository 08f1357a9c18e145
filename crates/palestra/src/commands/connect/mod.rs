//! Connects a local program to a table on a server. Towards the server this is a bot that speaks protocol 1, towards
//! the program the referee: so programs of the courses play too.

mod address;
mod playing;
mod socket;

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use palestra_arena::Entrant;
use palestra_games::{GameKind, Side};
use palestra_protocol::message::{Ending, FromBot, ToBot, VERSION};
use palestra_protocol::{Budget, Fault, GameEnd, PlayerEvent, shown};
use tungstenite::protocol::frame::coding::CloseCode;

pub(crate) use address::Address;
use playing::{Playing, TurnText};
use socket::{Heard, NoSeat, Socket};

use crate::cli;
use crate::contest_setup::{interrupted, print_build_notice, with_hint, workshop};
use crate::ui::error::HintExt;
use crate::ui::style::{HEADING, paint};

/// Time to wait for the server before polling the program.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Delay before the first attempt to reconnect; it doubles with each attempt, up to the second.
const MIN_RETRY_DELAY: Duration = Duration::from_millis(200);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(5);

/// Maximum length of a shown text of the server or the program.
const MAX_SHOWN_CHARS: usize = 300;
const MAX_STDERR_LINES: usize = 6;

/// Takes the seat, and plays until the table is closed.
pub(crate) fn run(args: &cli::Connect, out: &mut impl Write) -> Result<()> {
    // The seat is asked for only when there is a program to take it.
    Entrant::look_for(&args.bot).or_else(with_hint)?;
    Client {
        args,
        out,
        quit: interrupted(),
        socket: None,
        key: None,
        next_try: Instant::now(),
        wait: MIN_RETRY_DELAY,
        is_back: false,
        entrant: None,
        playing: None,
        turn: TurnText::default(),
        games: 0,
    }
    .run()
}

struct Client<'a, W> {
    args: &'a cli::Connect,
    out: &'a mut W,
    quit: &'static AtomicBool,
    socket: Option<Socket>,
    /// With this the seat is given back after a drop.
    key: Option<String>,
    next_try: Instant,
    wait: Duration,
    /// Whether the connection was lost since the server last said whose turn it is.
    is_back: bool,
    entrant: Option<(&'static GameKind, Entrant)>,
    playing: Option<Playing>,
    turn: TurnText,
    games: u32,
}

/// Whether to go on.
type Goes = Result<bool>;

impl<W: Write> Client<'_, W> {
    fn run(mut self) -> Result<()> {
        loop {
            if self.quit.load(Ordering::Relaxed) {
                self.leave(CloseCode::Normal, "left");
                return Ok(());
            }
            if !self.attend()? || !self.listen()? {
                return Ok(self.out.flush()?);
            }
        }
    }

    /// Hears what the program says.
    fn attend(&mut self) -> Goes {
        match &mut self.playing {
            Some(playing) if playing.is_thinking() => match playing.hear(self.quit) {
                Ok(Some(PlayerEvent::Move { text: mv, .. })) => {
                    writeln!(
                        self.out,
                        "  {} plays {}",
                        shown(&self.args.name, MAX_SHOWN_CHARS),
                        shown(&mv, MAX_SHOWN_CHARS)
                    )?;
                    self.out.flush()?;
                    self.answer(&FromBot::Move(&mv).to_string());
                }
                Ok(Some(PlayerEvent::Thought(thought))) => self.answer(&FromBot::Info(thought.info()).to_string()),
                Ok(_) => {}
                Err(fault) => return self.fail(&fault),
            },
            Some(playing) => playing.rest(),
            None => {}
        }
        Ok(true)
    }

    /// Hears what the server says, or tries to reach it again.
    fn listen(&mut self) -> Goes {
        let is_thinking = self.playing.as_ref().is_some_and(Playing::is_thinking);
        let mut wait = if is_thinking { Duration::ZERO } else { POLL_INTERVAL };
        loop {
            let Some(socket) = &mut self.socket else {
                if Instant::now() < self.next_try {
                    std::thread::sleep(wait);
                    return Ok(true);
                }
                return self.connect();
            };
            let heard = socket.receive(wait);
            match heard {
                // What was sent at once is heard at once.
                Heard::Line(line) => {
                    self.wait = MIN_RETRY_DELAY;
                    if !self.on_line(&line)? {
                        return Ok(false);
                    }
                    wait = Duration::ZERO;
                }
                other => return self.on_silence(other),
            }
        }
    }

    /// No line came: there is none yet, or none will come.
    fn on_silence(&mut self, heard: Heard) -> Goes {
        match heard {
            Heard::Line(_) | Heard::Quiet => Ok(true),
            Heard::Over(reason) => {
                let why = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
                writeln!(self.out, "The table is closed{why}.")?;
                Ok(false)
            }
            Heard::Broken(why) => {
                writeln!(self.out, "The connection was lost ({}); trying again.", shown(&why, MAX_SHOWN_CHARS))?;
                self.out.flush()?;
                (self.socket, self.next_try) = (None, Instant::now() + self.wait);
                Ok(true)
            }
        }
    }

    fn connect(&mut self) -> Goes {
        let cli::Connect { table, name, seat, .. } = self.args;
        match Socket::connect(table, &table.url(name, *seat, self.key.as_deref())) {
            Ok((socket, given)) => {
                self.is_back = self.key.is_some();
                let what = if self.is_back { "Connected again" } else { "Connected" };
                writeln!(self.out, "{what}.")?;
                self.out.flush()?;
                self.socket = Some(socket);
                self.key = given.key.or(self.key.take());
                if let Some(game) = given.game {
                    self.prepare(&game)?;
                }
            }
            Err(NoSeat::Refused(status, said)) if self.key.is_none() || (400..429).contains(&status) => {
                return Err(refusal(status, said));
            }
            Err(NoSeat::Unreachable(why)) if self.key.is_none() => {
                let error = anyhow!("cannot reach {}: {}", table.host, shown(&why, MAX_SHOWN_CHARS));
                return Err(error).hint(|| "is the link right, and the server running?".to_owned());
            }
            Err(_) => {
                self.wait = (2 * self.wait).min(MAX_RETRY_DELAY);
                self.next_try = Instant::now() + self.wait;
            }
        }
        Ok(true)
    }

    /// Finds the program, and builds it if need be.
    fn prepare(&mut self, game: &str) -> Result<&(&'static GameKind, Entrant)> {
        let is_there = self.entrant.as_ref().is_some_and(|(kind, _)| kind.id() == game);
        if !is_there {
            let kind = GameKind::find(game);
            let kind =
                kind.ok_or_else(|| anyhow!("the table's game, {}, is not known here", shown(game, MAX_SHOWN_CHARS)));
            let kind = kind.hint(|| "the server is newer: get a newer Palestra".to_owned())?;
            let mut on_notice = print_build_notice;
            let found = Entrant::find(kind.id(), &self.args.bot, &mut workshop(&mut on_notice)).or_else(with_hint);
            match found {
                Ok(entrant) => self.entrant = Some((kind, entrant)),
                Err(error) => {
                    self.leave(CloseCode::Error, "it could not be started");
                    return Err(error);
                }
            }
        }
        Ok(self.entrant.as_ref().expect("it was found just now, or before"))
    }

    fn on_line(&mut self, line: &str) -> Goes {
        let said = ToBot::parse(line).map_err(|why| {
            anyhow!("the server said something that cannot be understood ({why}): {}", shown(line, MAX_SHOWN_CHARS))
        });
        match said.hint(|| "the server may be newer: get a newer Palestra".to_owned())? {
            ToBot::Hello(VERSION) => {
                self.send(&FromBot::Name(&self.args.name).to_string());
                self.send(&FromBot::Ready.to_string());
            }
            ToBot::Hello(version) => {
                return Err(anyhow!("the server speaks protocol {version}, this program {VERSION}"))
                    .hint(|| "get a newer Palestra".to_owned());
            }
            ToBot::Game { game, seat, options } => return self.on_game(game, seat, options),
            ToBot::Position(position) => position.clone_into(&mut self.turn.position),
            ToBot::History(moves) => self.turn.history = moves.into_iter().map(str::to_owned).collect(),
            ToBot::Go(budget) => return self.on_go(budget),
            ToBot::Used { cpu, wall } => {
                if let Some(playing) = &mut self.playing {
                    playing.used(cpu, wall);
                }
            }
            ToBot::Result { result, score, reason } => self.on_result(&GameEnd { ending: result, score, reason })?,
            ToBot::Ping(token) => self.send(&FromBot::Pong(token).to_string()),
            // The program has the whole position, and no settings. After bye there may be another game.
            ToBot::Legal(_) | ToBot::Stop | ToBot::Option { .. } | ToBot::Bye => {}
        }
        Ok(true)
    }

    fn on_game(&mut self, game: &str, side: Side, options: &str) -> Goes {
        let is_same = self.playing.as_ref().is_some_and(|playing| playing.is(game, side, options));
        // After a drop, or because a move was taken back: a game that has ended is not there any more.
        if is_same {
            return Ok(true);
        }
        self.games += 1;
        let name = GameKind::find(game).map_or(game, |kind| kind.about.name);
        let heading = format!("Game {} begins: {}, side {side}", self.games, shown(name, MAX_SHOWN_CHARS));
        writeln!(self.out, "{}", paint(HEADING, heading))?;
        self.out.flush()?;
        self.begin(game, side, options)
    }

    /// Starts the program for a game.
    fn begin(&mut self, game: &str, side: Side, options: &str) -> Goes {
        self.playing = None;
        let (kind, entrant) = self.prepare(game)?;
        let playing = Playing::start(entrant, kind, side, options)?;
        let playing = self.playing.insert(playing);
        match playing.get_ready(self.quit) {
            Ok(()) => Ok(true),
            Err(fault) => self.fail(&fault),
        }
    }

    fn on_go(&mut self, budget: Budget) -> Goes {
        let was_away = std::mem::take(&mut self.is_back);
        let Some(playing) = &self.playing else { return Ok(true) };
        if was_away {
            if playing.thinks_about(&self.turn.position) {
                return Ok(true);
            }
            if let Some(mv) = playing.answer_to(&self.turn.position) {
                let line = FromBot::Move(mv).to_string();
                self.send(&line);
                return Ok(true);
            }
            // The game has gone on, or is another one: what the program knows of it may be wrong.
            let (game, side, options) = playing.beginning();
            if !self.begin(game, side, &options)? {
                return Ok(false);
            }
        }
        if !self.turn.history.is_empty() {
            writeln!(self.out, "  opponent plays {}", shown(&self.turn.history.join(" "), MAX_SHOWN_CHARS))?;
            self.out.flush()?;
        }
        let Some(playing) = &mut self.playing else { return Ok(true) };
        match playing.go(&self.turn, budget, self.quit) {
            Ok(()) => Ok(true),
            Err(fault) => self.fail(&fault),
        }
    }

    fn on_result(&mut self, end: &GameEnd<'_>) -> Result<()> {
        let what = match end.ending {
            Ending::Win => "won",
            Ending::Draw => "drawn",
            Ending::Loss => "lost",
        };
        let [one, two] = end.score;
        writeln!(self.out, "Game {} is {what}: {one}-{two}, {}", self.games, shown(end.reason, MAX_SHOWN_CHARS))?;
        self.out.flush()?;
        if let Some(mut playing) = self.playing.take() {
            playing.end(end);
        }
        Ok(())
    }

    /// The program has failed. A line that is wrong is sent as it is: the referee judges it. Else the seat is given up.
    fn fail(&mut self, fault: &Fault) -> Goes {
        // Ctrl-C stops the program too, and whatever it was doing: that is no failure, and `run` leaves the table.
        if self.quit.load(Ordering::Relaxed) {
            return Ok(true);
        }
        let stderr = self.playing.take().map(|mut playing| playing.stderr()).unwrap_or_default();
        writeln!(
            self.out,
            "{} failed by {}: {}",
            shown(&self.args.name, MAX_SHOWN_CHARS),
            fault.kind,
            shown(&fault.detail, MAX_SHOWN_CHARS)
        )?;
        let mut row = |name: &str, text: &str| writeln!(self.out, "  {name:10}{}", shown(text, MAX_SHOWN_CHARS));
        if let Some(line) = &fault.line {
            row("it wrote", line)?;
        }
        let lines: Vec<&str> = stderr.lines().collect();
        for (index, line) in lines[lines.len().saturating_sub(MAX_STDERR_LINES)..].iter().enumerate() {
            row(if index == 0 { "stderr" } else { "" }, line)?;
        }
        self.out.flush()?;
        if let Some(line) = &fault.line {
            self.send(line);
            return Ok(true);
        }
        self.leave(CloseCode::Error, &fault.detail);
        let bot = crate::contest_setup::quoted(&self.args.bot);
        Err(anyhow!("the program failed, and has left the table")).hint(|| format!("palestra check {bot} may say why"))
    }

    /// Says what the program says. A server that was away must ask first: `on_go` sends what was found meanwhile.
    fn answer(&mut self, line: &str) {
        if !self.is_back {
            self.send(line);
        }
    }

    /// If there is no connection, the server asks again when there is one.
    fn send(&mut self, line: &str) {
        if let Some(socket) = &mut self.socket {
            socket.send(line);
        }
    }

    fn leave(&mut self, code: CloseCode, reason: &str) {
        if let Some(socket) = self.socket.take() {
            socket.close(code, reason);
        }
    }
}

/// The error for a refused seat, with a hint.
fn refusal(status: u16, said: String) -> anyhow::Error {
    let hint = match status {
        404 => "copy the link of the table again: it may be closed, or the link incomplete",
        403 => "ask the player who made the table for an open seat",
        429 => "try again in a moment",
        _ => "palestra connect ./bot --table LINK --name NICK --seat 1 or 2",
    };
    let refused: Result<()> = Err(anyhow!("there is no seat: {said}")).hint(|| hint.to_owned());
    refused.expect_err("it is one")
}
