//! The programs at a table: a [`Player`] for each, and the link over which it talks.

use std::time::{Duration, Instant};

use palestra_protocol::message::Ending;
use palestra_protocol::{Dialect, Fault, ForfeitKind, GameEnd, Greeting, Player, PlayerEvent, Thought};
use tokio::sync::mpsc;

use super::driver::Input;
use super::occupant::Occupant;
use super::table::{Ask, Table, Used};
use crate::app::App;
use crate::programs::{self, FromProgram, Link, ToProgram};

/// The programs at a table.
pub(super) struct Programs {
    seats: [Option<Program>; 2],
    /// Programs of the server's owner that are being started.
    is_starting: [bool; 2],
    connections: u64,
    /// The origin of the times below.
    epoch: Instant,
    to_self: mpsc::Sender<Input>,
}

/// A connected program.
struct Program {
    to: mpsc::UnboundedSender<ToProgram>,
    connection: u64,
    player: Player,
    /// The number of the game for which the program was greeted.
    game: Option<u32>,
    /// The turn for which the program has been asked.
    asked: Option<u64>,
}

/// A started program of the server's owner, or the fault for which it could not be started.
pub(super) type Started = Result<(Link, Dialect), String>;

/// The effect of a program's message on the table.
pub(super) enum Heard {
    Nothing,
    Move { turn: u64, text: String, cpu: Option<Duration>, thought: Option<Thought> },
    Fault(Fault),
}

impl Programs {
    pub(super) fn new(to_self: mpsc::Sender<Input>) -> Self {
        Self { seats: [None, None], is_starting: [false; 2], connections: 0, epoch: Instant::now(), to_self }
    }

    /// Connects a remote program to this seat and forwards its messages to the table.
    pub(super) fn connect(&mut self, seat: usize, link: Link) {
        self.listen(seat, link, Dialect::One);
    }

    fn listen(&mut self, seat: usize, link: Link, dialect: Dialect) {
        let Link { to, mut from } = link;
        self.connections += 1;
        let (connection, to_self) = (self.connections, self.to_self.clone());
        tokio::spawn(async move {
            while let Some(said) = from.recv().await {
                if to_self.send(Input::Program(seat, connection, said)).await.is_err() {
                    return;
                }
            }
            // A channel that closes without a message counts as a disconnection too.
            let fault = Fault::new(ForfeitKind::Disconnect, "the connection broke");
            let gone = FromProgram::Gone { fault, stderr: String::new() };
            let _ = to_self.send(Input::Program(seat, connection, gone)).await;
        });
        self.seats[seat] = Some(Program { to, connection, player: Player::new(dialect), game: None, asked: None });
    }

    /// Whether a program is connected to this seat.
    pub(super) const fn has(&self, seat: usize) -> bool {
        self.seats[seat].is_some()
    }

    /// Asks a program for its move, after starting and greeting it if need be. Returns whether its clock starts.
    pub(super) fn go(&mut self, app: &App, table: &Table, ask: Ask) -> bool {
        let Some(program) = &mut self.seats[ask.seat] else {
            self.start_own(app, table, ask.seat);
            return false;
        };
        if program.game != Some(table.number) {
            program.greet(table, ask.seat, self.epoch.elapsed());
            return false;
        }
        if !program.player.is_ready() {
            return false;
        }
        if program.asked.is_some() {
            // It thinks about this, or about something that was taken back, and hears of this once it has answered.
            return true;
        }
        program.ask(table, ask.turn);
        if let Some(other) = &self.seats[1 - ask.seat] {
            let _ = other.to.send(ToProgram::Pause);
        }
        true
    }

    fn start_own(&mut self, app: &App, table: &Table, seat: usize) {
        let Occupant::Own(name) = table.player(seat).clone() else { return };
        if std::mem::replace(&mut self.is_starting[seat], true) {
            return;
        }
        let bot = app.config.bots.iter().find(|bot| bot.name == name).cloned();
        let (game, code, to_self) = (table.setup().kind().id(), table.code.clone(), self.to_self.clone());
        tokio::spawn(async move {
            let started = match bot {
                Some(bot) => programs::start(&bot, game, &code).await.map_err(|error| error.to_string()),
                // After a restart.
                None => Err("the server does not offer it any more".to_owned()),
            };
            let _ = to_self.send(Input::Started(seat, name, started)).await;
        });
    }

    /// Handles the start of a program of the server's owner, or its failure.
    pub(super) fn own_started(&mut self, seat: usize, is_wanted: bool, started: Started) -> Result<(), Fault> {
        self.is_starting[seat] = false;
        if !is_wanted {
            return Ok(());
        }
        match started {
            Ok((link, dialect)) => {
                self.listen(seat, link, dialect);
                Ok(())
            }
            Err(error) => Err(Fault::new(ForfeitKind::Startup, format!("it cannot be started: {error}"))),
        }
    }

    /// Handles a message of a connection while the table is at this turn.
    pub(super) fn hear(&mut self, seat: usize, connection: u64, turn: u64, said: FromProgram) -> Heard {
        let Some(program) = self.seats[seat].as_mut().filter(|program| program.connection == connection) else {
            return Heard::Nothing;
        };
        match said {
            FromProgram::Line { text, cpu } => program.hear(&text, cpu, turn),
            FromProgram::Gone { fault, stderr } => {
                self.seats[seat] = None;
                tracing::info!(kind = fault.kind.word(), detail = fault.detail, stderr, "a program is gone");
                if fault.kind == ForfeitKind::Disconnect { Heard::Nothing } else { Heard::Fault(fault) }
            }
        }
    }

    /// Tells a program how much time its move took.
    pub(super) fn used(&mut self, used: Used) {
        if let Some(program) = &mut self.seats[used.seat] {
            program.say(|player, out| player.used(used.cpu, used.wall, out));
        }
    }

    /// Ends a game. Remote programs stay for the next one; the owner's are started again for it.
    pub(super) fn end(&mut self, table: &Table) {
        for seat in 0..2 {
            if let Some(program) = &mut self.seats[seat] {
                program.end(table, seat);
            }
            if !matches!(table.seats()[seat], Occupant::Remote { .. }) {
                self.seats[seat] = None;
            }
        }
    }

    /// Lets go of all programs of the server's owner: who plays, or which side, may be different now.
    pub(super) fn release_own(&mut self, table: &Table) {
        for seat in 0..2 {
            if !matches!(table.seats()[seat], Occupant::Remote { .. }) {
                self.seats[seat] = None;
            }
        }
    }

    /// Tells programs that the table is closed, so that they do not reconnect.
    pub(super) fn close(&self) {
        for program in self.seats.iter().flatten() {
            let _ = program.to.send(ToProgram::Close);
        }
    }

    /// Time until the startup timeout of a program that is not ready yet.
    pub(super) fn wait(&self) -> Option<Duration> {
        let deadlines = self.seats.iter().flatten().filter_map(|program| program.player.deadline());
        deadlines.map(|deadline| deadline.saturating_sub(self.epoch.elapsed())).min()
    }

    /// A seat whose program has exceeded the startup timeout.
    pub(super) fn late(&mut self) -> Option<(usize, Fault)> {
        let now = self.epoch.elapsed();
        let overdue = |seat: usize| Some((seat, self.seats[seat].as_ref()?.player.overdue(now)?));
        let (seat, fault) = (0..2).find_map(overdue)?;
        self.seats[seat] = None;
        Some((seat, fault))
    }
}

/// Time for a program to become ready. A remote program may have to be compiled first.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(60);

impl Program {
    fn say(&mut self, write: impl FnOnce(&mut Player, &mut String)) {
        let mut out = String::new();
        write(&mut self.player, &mut out);
        self.send(out);
    }

    fn send(&self, lines: String) {
        if !lines.is_empty() {
            // If the program is gone, its link says so.
            let _ = self.to.send(ToProgram::Lines(lines));
        }
    }

    fn greet(&mut self, table: &Table, seat: usize, now: Duration) {
        let Some(referee) = table.referee() else { return };
        (self.game, self.asked) = (Some(table.number), None);
        let record = referee.record();
        let options = record.beginning();
        let greeting =
            Greeting { game: record.kind().id(), side: table.side(seat), options: &options, budget: referee.budget() };
        // A paused program does not answer.
        let _ = self.to.send(ToProgram::Wake);
        let _ = self.to.send(ToProgram::NewGame);
        self.say(|player, out| player.start(&greeting, now, STARTUP_TIMEOUT, out));
    }

    fn ask(&mut self, table: &Table, turn: u64) {
        let Some(referee) = table.referee() else { return };
        self.asked = Some(turn);
        let _ = self.to.send(ToProgram::Wake);
        self.say(|player, out| player.ask(&referee.question(), out));
    }

    /// Takes a line; `cpu` is the program's total CPU time. An answer to another turn than the present one is not
    /// charged.
    fn hear(&mut self, line: &str, cpu: Option<Duration>, turn: u64) -> Heard {
        let mut out = String::new();
        let heard = match self.player.hear(line, &mut out) {
            Err(fault) => Heard::Fault(fault.into()),
            Ok(Some(PlayerEvent::Ready)) => {
                self.player.charge_from(cpu);
                Heard::Nothing
            }
            Ok(Some(PlayerEvent::Move { text, thought })) => {
                let (asked, used) = (self.asked.take().unwrap_or_default(), self.player.cpu(cpu));
                if asked != turn {
                    self.player.charge_from(cpu);
                }
                Heard::Move { turn: asked, text, cpu: used, thought }
            }
            Ok(_) => Heard::Nothing,
        };
        self.send(out);
        heard
    }

    fn end(&mut self, table: &Table, seat: usize) {
        let Some(ended) = table.ended() else { return };
        let ending = match ended.winner {
            Some(winner) if winner == seat => Ending::Win,
            Some(_) => Ending::Loss,
            None => Ending::Draw,
        };
        let [one, two] = palestra_games::Side::BOTH.map(|side| ended.points[table.seat(side)]);
        let end = GameEnd { ending, score: [one, two], reason: ended.reason.word() };
        let _ = self.to.send(ToProgram::Wake);
        self.say(|player, out| player.end(&end, out));
        self.game = None;
    }
}
