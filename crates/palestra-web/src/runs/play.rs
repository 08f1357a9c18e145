//! Plays a game of a run.

use std::sync::Arc;
use std::time::Duration;

use palestra_arena::{Entrant, EntrantKind, GameEvent, GameToPlay, PlayedGame, RealTime, Referee, Seat, Verdict};
use palestra_games::{Record, Side};
use palestra_search::rng::Rng;
use palestra_store::{FinishedGame, Id, NewGame, Player, PlayerKind, RunPlayer, Trace, code};
use palestra_tournament::Pairing;
use serde::Deserialize;

use super::context::{Context, ContextError};
use super::live::{LiveGame, OnAir};
use super::trace;
use crate::app::now_ms;
#[cfg(target_os = "linux")]
use crate::bots::NoProgram;
use crate::jobs::{Done, Failure, Work};
use crate::tables::{Clocks, Holder, HolderKind, Watched};

/// The body of a job.
#[derive(Deserialize)]
struct Task {
    run: Id,
    number: u32,
}

/// Plays the game that a job is about.
pub(crate) fn play(work: &Work<'_>) -> Result<Done, Failure> {
    let task: Task = work.body()?;
    let context = match work.wait(work.app.runs.of(&work.app.store, task.run)) {
        Ok(context) => context,
        // With the run went the wish to have its games played.
        Err(ContextError::Gone) => return Ok(Done::Stored),
        Err(ContextError::Store(error)) => return Err(error.into()),
        Err(error) => return Err(Failure::Failed(error.to_string())),
    };
    let pairing = context.pairings.get(task.number as usize).copied();
    let pairing = pairing.ok_or_else(|| Failure::Failed("its plan has no game of this number".to_owned()))?;
    let started_ms = now_ms();
    let mut seats = seats(work, &context, pairing)?;
    let record = || context.record(pairing.opening).map_err(|error| Failure::Failed(error.to_string()));
    let mut on_air = on_air(work, &task, &context, pairing, record()?)?;
    let [one, two] = &mut seats;
    let clock = RealTime::start();
    let game = GameToPlay {
        referee: Referee::new(record()?, context.settings.rules),
        seats: [&mut **one, &mut **two],
        clock: &clock,
        quit: work.quit,
    };
    let played = game.play(&mut |game, event| show(&on_air, game, &event)).ok_or(Failure::Quit)?;
    on_air.ends(&played);
    let times = [started_ms, now_ms()];
    let game = finished(&task, &context, (pairing, on_air.code()), &played, times);
    Ok(Done::Game(Box::new(game), on_air))
}

/// Lets the game be watched, under the names that the players have today: one may have been withdrawn since the run began.
fn on_air(work: &Work<'_>, task: &Task, context: &Context, pairing: Pairing, record: Record) -> Result<OnAir, Failure> {
    let players = pairing.players.map(|player| player as i64);
    let audience = work.wait(work.app.store.live_audience(task.run, players))?;
    let names = audience.map_or([None, None], |audience| [audience.name_1, audience.name_2]);
    let seats = Side::BOTH.map(|side| {
        let player = player_of(&context.players[pairing.players[side.index()]]);
        let kind = if player.kind == PlayerKind::BuiltIn { HolderKind::BuiltIn } else { HolderKind::Program };
        let name = names[side.index()].clone().unwrap_or(player.name);
        Holder { kind, name, is_present: true }
    });
    let watched = Watched::new(code(), record, context.settings.rules.time, seats);
    Ok(OnAir::new(work.app, LiveGame { run: task.run, number: task.number, players, watched }))
}

fn show(on_air: &OnAir, game: &GameToPlay<'_>, event: &GameEvent<'_>) {
    let clocks = || Clocks::with_used(&game.referee, game.clock.now());
    match (event, game.referee.record().moves().last()) {
        (GameEvent::Asked, _) => on_air.asked(clocks()),
        (GameEvent::Moved(_), Some(last)) => on_air.moved(&last.text, clocks()),
        _ => {}
    }
}

/// Both players at the board. A program that cannot be started at all is no reason to lose: that is the machine's fault.
fn seats(work: &Work<'_>, context: &Arc<Context>, pairing: Pairing) -> Result<[Box<dyn Seat>; 2], Failure> {
    let rules = &context.settings.rules;
    let seat = |side: Side| {
        let player = context.players.get(pairing.players[side.index()]);
        let player = player.ok_or_else(|| Failure::Failed("a player of its plan is missing".to_owned()))?;
        let entrant = Entrant { name: player.name.clone(), kind: kind(work, player)? };
        let seed = Rng::new(context.settings.seed).fork(u64::from(pairing.number) * 2 + side.index() as u64).next();
        let seat = entrant.seat(context.kind.id(), seed, None, rules.cpu_in_all());
        seat.map_err(|error| Failure::Failed(format!("{}: {error}", player.name)))
    };
    Ok([seat(Side::One)?, seat(Side::Two)?])
}

fn kind(work: &Work<'_>, player: &RunPlayer) -> Result<EntrantKind, Failure> {
    match &player.built_in {
        Some(name) => Ok(EntrantKind::BuiltIn(name.clone())),
        None => program(work, player),
    }
}

/// The program of a bot, as it was when the run began.
#[cfg(target_os = "linux")]
fn program(work: &Work<'_>, player: &RunPlayer) -> Result<EntrantKind, Failure> {
    let failed = |why: &dyn std::fmt::Display| Failure::Failed(format!("{}: {why}", player.name));
    let version = player.version_id.ok_or_else(|| failed(&"its version was deleted"))?;
    work.wait(work.app.artefacts.program(work.app, version)).map(EntrantKind::Program).map_err(|error| match error {
        NoProgram::Stopping => Failure::Quit,
        NoProgram::Store(error) => error.into(),
        error => failed(&error),
    })
}

#[cfg(not(target_os = "linux"))]
fn program(_: &Work<'_>, player: &RunPlayer) -> Result<EntrantKind, Failure> {
    Err(Failure::Failed(format!("{}: uploaded programs run on Linux only", player.name)))
}

/// The game as it is stored.
fn finished(
    task: &Task,
    context: &Context,
    (pairing, code): (Pairing, &str),
    played: &PlayedGame,
    [started_ms, ended_ms]: [i64; 2],
) -> FinishedGame {
    let PlayedGame { verdict, record, charged, stderr, .. } = played;
    let options = record.options().to_owned();
    let (record, thoughts) = trace::without_thoughts(record);
    let stderr = |side: Side| trace::tail(&stderr[side.index()], verdict, side);
    let game = NewGame {
        code: code.to_owned(),
        game: context.kind.id().to_owned(),
        options,
        table_code: None,
        is_public: false,
        is_rated: false,
        points: verdict.points.map(i64::from),
        winner: verdict.winner.map(|side| side.index() as i64 + 1),
        reason: verdict.reason.word().to_owned(),
        started_ms,
        ended_ms,
        record,
        players: pairing.players.map(|player| player_of(&context.players[player])),
    };
    FinishedGame {
        run_id: task.run,
        number: i64::from(task.number),
        players: pairing.players.map(|player| player as i64),
        game,
        charged_us: charged.map(microseconds),
        forfeit: verdict.fault().map(|fault| fault.kind.word().to_owned()),
        plies: played.record.moves().len() as i64,
        trace: Trace { thoughts, stderr_1: stderr(Side::One), stderr_2: stderr(Side::Two), fault: fault(verdict) },
    }
}

fn player_of(player: &RunPlayer) -> Player {
    let (kind, name) = match &player.built_in {
        Some(built_in) => (PlayerKind::BuiltIn, built_in),
        None => (PlayerKind::Program, &player.name),
    };
    Player { kind, account: None, name: name.clone() }
}

fn fault(verdict: &Verdict) -> Option<String> {
    verdict.fault().map(trace::report)
}

fn microseconds(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
