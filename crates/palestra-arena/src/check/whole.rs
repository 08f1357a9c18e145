//! Whole games, under the referee.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_games::{AnyGame, Record, Side};
use palestra_protocol::{Budget, Dialect, Fault, GameEnd, Greeting, PlayerEvent, Turn};
use palestra_sandbox::Process;
use palestra_search::player::any_player;

use super::diagnosis::of_fault;
use super::finding::{Finding, FindingKind, Place};
use super::{Check, Ended, TOTAL_CPU};
use crate::driver::{GameToPlay, PlayedGame, RealTime};
use crate::seat::{Bot, BuiltIn, Seat};
use crate::{EntrantError, Referee, Rules, TimeControl};

/// Plays a game against `random`: how it ended and the most that a move has cost, or what went wrong.
pub(super) fn against_random(
    check: &Check<'_>,
    process: Process,
    side: Side,
) -> Result<(Ended, Duration), Box<Finding>> {
    let mut bot = Hurried::new(check, process);
    let mut random = BuiltIn::new(any_player(check.kind.id(), "random", 1).expect("every game has a random player"));
    let seats: [&mut dyn Seat; 2] = match side {
        Side::One => [&mut bot, &mut random],
        Side::Two => [&mut random, &mut bot],
    };
    let played = play(check, seats);
    let ended = Ended::of(&played);
    match fault(played, side, check.program.dialect) {
        Some(finding) => Err(Box::new(finding)),
        None => Ok((ended, bot.slowest)),
    }
}

impl Check<'_> {
    /// Plays a game of the program against itself: how it ended, or what went wrong. An error is one of starting it.
    pub fn against_itself(&self) -> Result<Result<Ended, Box<Finding>>, EntrantError> {
        let start = || self.program.start(Some(self.limits.memory), TOTAL_CPU);
        let mut bots = [Hurried::new(self, start()?), Hurried::new(self, start()?)];
        let [one, two] = &mut bots;
        let played = play(self, [one, two]);
        let ended = Ended::of(&played);
        let loser = ended.winner.map(Side::other);
        let finding = loser.and_then(|loser| fault(played, loser, self.program.dialect));
        Ok(finding.map_or(Ok(ended), |finding| Err(Box::new(finding))))
    }
}

fn play(check: &Check<'_>, [one, two]: [&mut dyn Seat; 2]) -> PlayedGame {
    let Check { kind, limits, .. } = check;
    let time = TimeControl::Cpu { cpu: limits.cpu, wall: limits.wall };
    let rules = Rules { time, cap: kind.about.move_cap, startup: limits.startup, ..Rules::default() };
    let record = Record::new(kind, "-").expect("every game has a usual start");
    let (clock, quit) = (RealTime::start(), AtomicBool::new(false));
    let game = GameToPlay { referee: Referee::new(record, rules), seats: [one, two], clock: &clock, quit: &quit };
    game.play(&mut |_, _| ()).expect("nobody gives the game up")
}

impl Ended {
    const fn of(played: &PlayedGame) -> Self {
        Self { winner: played.verdict.winner, points: played.verdict.points }
    }
}

/// What a side did wrong in a game.
fn fault(played: PlayedGame, side: Side, dialect: Dialect) -> Option<Finding> {
    let PlayedGame { mut record, verdict, mut stderr, .. } = played;
    let stderr = std::mem::take(&mut stderr[side.index()]);
    if let Some(fault) = verdict.fault().filter(|_| verdict.winner != Some(side)) {
        let place = place(record.position());
        let finding = of_fault(fault, &place.legal, dialect);
        return Some(Finding { place: Some(place), stderr, ..finding });
    }
    // Mancala takes an empty pit for the loss that it is, not for a fault.
    let last = record.moves().last().filter(|last| last.played.side == side)?.text.clone();
    record.truncate(record.moves().len() - 1);
    let place = place(record.position());
    let is_legal = place.legal.contains(&last);
    let detail = format!("it played {last}, and lost the game by it");
    (!is_legal).then(|| Finding { place: Some(place), stderr, ..Finding::new(FindingKind::Illegal, detail) })
}

fn place(position: &dyn AnyGame) -> Place {
    Place { position: position.notation(), legal: position.moves() }
}

/// A program that is told to be quick, and still has all the time that the referee gives.
struct Hurried {
    seat: Bot<Process>,
    told: Budget,
    slowest: Duration,
}

impl Hurried {
    fn new(check: &Check<'_>, process: Process) -> Self {
        Self { seat: Bot::new(process, check.program.dialect), told: check.limits.told(), slowest: Duration::ZERO }
    }
}

impl Seat for Hurried {
    fn start(&mut self, greeting: &Greeting<'_>, now: Duration, limit: Duration) {
        self.seat.start(&Greeting { budget: self.told, ..*greeting }, now, limit);
    }

    fn overdue(&self, now: Duration) -> Option<Fault> {
        self.seat.overdue(now)
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        self.seat.go(&Turn { budget: self.told, ..*turn })
    }

    fn hear(&mut self, wait: Duration, quit: &AtomicBool) -> Result<Option<PlayerEvent>, Fault> {
        self.seat.hear(wait, quit)
    }

    fn cpu(&mut self) -> Option<Duration> {
        self.seat.cpu()
    }

    fn waited(&mut self) -> Duration {
        self.seat.waited()
    }

    fn used(&mut self, cpu: Option<Duration>, wall: Duration) {
        self.slowest = self.slowest.max(cpu.unwrap_or(wall));
        self.seat.used(cpu, wall);
    }

    fn pause(&mut self) {
        self.seat.pause();
    }

    fn rest(&mut self) {
        self.seat.rest();
    }

    fn end(&mut self, end: &GameEnd<'_>) {
        self.seat.end(end);
    }

    fn stderr(&mut self) -> String {
        self.seat.stderr()
    }
}
