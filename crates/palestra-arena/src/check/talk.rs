//! A talk with the program, line by line, without a referee.

use std::time::{Duration, Instant};

use palestra_games::{GameKind, Side};
use palestra_protocol::message::Ending;
use palestra_protocol::{
    Budget, Dialect, Fault, GameEnd, Greeting, Player, PlayerEvent, ProtocolError, Received, Transport, Turn,
};
use palestra_sandbox::Process;

use super::Limits;
use super::question::Question;
use crate::Spent;
use crate::rules::MAX_WALL_FACTOR;

/// A program, and what is said to it.
pub(super) struct Talk {
    process: Process,
    player: Player,
    limits: Limits,
    out: String,
    line: String,
    /// How often a ping was answered.
    pub(super) pongs: u32,
    /// The most that a move has cost: CPU time where that is known.
    pub(super) slowest: Duration,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Stop {
    /// Nothing came, and the time was spent so.
    Silent(Spent),
    /// Something came that is no answer.
    Protocol(ProtocolError),
    /// The program is gone.
    Gone(Fault),
}

/// A move, and what the program thinks of it.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) mv: String,
    pub(super) score: Option<f64>,
}

/// What remains of a program that was sent away.
pub(super) struct Farewell {
    /// What it still wrote.
    pub(super) lines: Vec<String>,
    pub(super) has_ended: bool,
    pub(super) cpu: Duration,
}

impl Talk {
    pub(super) fn new(process: Process, dialect: Dialect, limits: Limits) -> Self {
        let player = Player::new(dialect);
        let (out, line) = (String::new(), String::new());
        Self { process, player, limits, out, line, pongs: 0, slowest: Duration::ZERO }
    }

    /// Greets the program for a game on this side; more lines may follow the greeting.
    pub(super) fn greet(&mut self, kind: &GameKind, side: Side, more: &str) {
        let greeting = greeting(kind, side, self.limits.told());
        self.player.start(&greeting, Duration::ZERO, self.limits.startup, &mut self.out);
        self.out.push_str(more);
        self.send();
    }

    /// Waits until the program is ready.
    pub(super) fn await_ready(&mut self, wait: Duration) -> Result<(), Stop> {
        self.wait_for(wait, wait, |event| matches!(event, PlayerEvent::Ready).then_some(()))
    }

    /// Asks for a sign of life; the answer is counted when it comes.
    pub(super) fn ping(&mut self) {
        self.player.ping(&mut self.out);
        self.send();
    }

    /// Tells the program a setting.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.player.set(name, value, &mut self.out);
        self.send();
    }

    /// Whether the program has said that it follows the setting.
    pub(super) const fn follows_option(&self) -> bool {
        self.player.follows_option()
    }

    /// Asks for a move within the time of this check.
    pub(super) fn ask(&mut self, question: &Question) -> Result<String, Stop> {
        self.think(question, self.limits.told()).map(|answer| answer.mv)
    }

    /// Asks for a move, and what it is worth, within this budget.
    pub(super) fn think(&mut self, question: &Question, budget: Budget) -> Result<Answer, Stop> {
        self.look(Duration::ZERO)?;
        let turn = Turn { position: &*question.position, history: &question.history, budget };
        self.player.ask(&turn, &mut self.out);
        self.send();
        let begun = Instant::now();
        self.player.charge_from(self.process.cpu());
        // As in a game: waiting for a CPU does not count, up to a bound.
        let ceiling = self.limits.wall.saturating_mul(MAX_WALL_FACTOR);
        let answer = self.wait_for(self.limits.wall, ceiling, |event| match event {
            PlayerEvent::Move { text, thought } => {
                Some(Answer { mv: text, score: thought.and_then(|thought| thought.score) })
            }
            _ => None,
        })?;
        let cpu = self.player.cpu(self.process.cpu());
        self.slowest = self.slowest.max(cpu.unwrap_or_else(|| begun.elapsed()));
        Ok(answer)
    }

    /// Sees for so long whether anything is said unasked; how the program spent that time.
    pub(super) fn look(&mut self, wait: Duration) -> Result<Spent, Stop> {
        match self.wait_for(wait, wait, |_| None::<Spent>) {
            Err(Stop::Silent(spent)) => Ok(spent),
            other => other,
        }
    }

    /// Whether an answer to the greeting still comes, after a line that was none.
    pub(super) fn is_confirmed(&mut self, is_answer: impl Fn(&str) -> bool) -> bool {
        self.follows(self.limits.quiet, is_answer)
    }

    /// Whether an answer to a turn still comes, after a line that was none.
    pub(super) fn is_answered(&mut self, is_answer: impl Fn(&str) -> bool) -> bool {
        self.follows(self.limits.told_cpu, is_answer)
    }

    /// Whether such a line comes within this time, whatever comes before it.
    fn follows(&mut self, wait: Duration, is_it: impl Fn(&str) -> bool) -> bool {
        let begun = Instant::now();
        loop {
            match self.process.receive(wait.saturating_sub(begun.elapsed()), &mut self.line) {
                Received::Line if is_it(&self.line) => return true,
                Received::Line => {}
                Received::Quiet if begun.elapsed() < wait => {}
                _ => return false,
            }
        }
    }

    /// Says anything at all.
    pub(super) fn say(&mut self, text: &str) {
        self.process.send(text);
    }

    /// What was written without a newline.
    pub(super) fn unfinished(&self) -> String {
        self.process.unfinished()
    }

    /// How long a turn may take by the clock.
    pub(super) const fn wall(&self) -> Duration {
        self.limits.wall
    }

    pub(super) fn stderr(&mut self) -> String {
        self.process.stderr()
    }

    /// Sends the program away, and ends its input.
    pub(super) fn dismiss(&mut self) -> Farewell {
        let end = GameEnd { ending: Ending::Draw, score: [0, 0], reason: "finished" };
        self.player.end(&end, &mut self.out);
        self.send();
        self.hang_up()
    }

    /// Ends the program's input without a word.
    pub(super) fn hang_up(&mut self) -> Farewell {
        self.process.hang_up();
        let (begun, cpu_before) = (Instant::now(), self.process.cpu());
        let (mut lines, mut has_ended) = (vec![], false);
        while !has_ended && begun.elapsed() < self.limits.exit_timeout {
            match self.process.receive(self.limits.exit_timeout.saturating_sub(begun.elapsed()), &mut self.line) {
                Received::Line => lines.push(self.line.clone()),
                Received::Quiet => {}
                Received::BadLine(_) => break,
                Received::Gone(_) => has_ended = true,
            }
        }
        let cpu = self.process.cpu().zip(cpu_before).map_or(Duration::ZERO, |(now, before)| now - before);
        Farewell { lines, has_ended, cpu }
    }

    /// Waits for an answer for so long, and as much longer as the program waits for a CPU, but not beyond the ceiling.
    fn wait_for<T>(
        &mut self,
        wait: Duration,
        ceiling: Duration,
        mut is_it: impl FnMut(PlayerEvent) -> Option<T>,
    ) -> Result<T, Stop> {
        let (begun, cpu_before) = (Instant::now(), self.process.cpu());
        // From here on its waiting is counted.
        self.process.wake();
        self.process.waited();
        let mut limit = wait;
        loop {
            let left = limit.saturating_sub(begun.elapsed());
            match self.hear(left)? {
                Some(event) => {
                    if let Some(found) = event.and_then(&mut is_it) {
                        return Ok(found);
                    }
                }
                None if left.is_zero() => {
                    let cpu = self.process.cpu().zip(cpu_before).map(|(now, before)| now.saturating_sub(before));
                    let spent = Spent { wall: begun.elapsed(), cpu, waited: self.process.waited() };
                    limit = wait.saturating_add(spent.waited).min(ceiling);
                    let is_used_up = cpu.is_some_and(|cpu| cpu > self.limits.cpu);
                    if spent.wall >= limit || is_used_up {
                        return Err(Stop::Silent(spent));
                    }
                }
                None => {}
            }
        }
    }

    /// What a line means, if one comes in time; `Some(None)` for a line without meaning, such as the answer to a ping.
    fn hear(&mut self, wait: Duration) -> Result<Option<Option<PlayerEvent>>, Stop> {
        match self.process.receive(wait, &mut self.line) {
            Received::Quiet => return Ok(None),
            Received::BadLine(fault) => return Err(Stop::Protocol(fault.into())),
            Received::Gone(fault) => return Err(Stop::Gone(fault)),
            Received::Line => {}
        }
        let event = self.player.hear(&self.line, &mut self.out).map_err(Stop::Protocol)?;
        self.pongs += u32::from(event.is_none());
        self.send();
        Ok(Some(event))
    }

    fn send(&mut self) {
        self.process.send(&self.out);
        self.out.clear();
    }
}

/// All that is said up to the first turn, in one piece, to a program that does not answer: its answers are made up.
pub(super) fn monologue(dialect: Dialect, kind: &GameKind, question: &Question, told: Budget) -> String {
    let (mut player, mut out) = (Player::new(dialect), String::new());
    player.start(&greeting(kind, Side::One, told), Duration::ZERO, Duration::MAX, &mut out);
    let answers: &[&str] = match dialect {
        Dialect::One => &["ready"],
        Dialect::Course => &["PONG", "PONG", "OK"],
    };
    for answer in answers {
        // These are the right answers.
        let _ = player.hear(answer, &mut out);
    }
    player.ask(&Turn { position: &*question.position, history: &[], budget: told }, &mut out);
    out
}

fn greeting(kind: &GameKind, side: Side, budget: Budget) -> Greeting<'_> {
    Greeting { game: kind.id(), side, options: "-", budget }
}
