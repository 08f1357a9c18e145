//! `palestra selfplay`: exports games of a player against itself, as training data.

use std::io::Write;
use std::ops::ControlFlow;

use anyhow::{Context, Result};
use palestra_arena::{PlayedGame, Task};
use palestra_games::Side;
use serde::Serialize;

use crate::contest_setup::{RecordFile, catch_interrupts, concurrency, contest, describe_conditions, play_games};
use crate::ui::progress::{Progress, bar};
use crate::ui::units::counted;
use crate::{cli, sandboxes};

/// A game as a line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    game: &'a str,
    number: u32,
    seed: u64,
    options: &'a str,
    start: String,
    moves: Vec<&'a str>,
    /// The note of each move: times, depth, score, line.
    notes: Vec<&'a str>,
    /// The side to move before each move.
    sides: Vec<u8>,
    /// The position before each move.
    positions: Vec<String>,
    points: [i32; 2],
    /// The winning side, 1 or 2; `null` for a draw.
    winner: Option<u8>,
    reason: &'a str,
}

/// Plays the games and writes them in the order of their numbers, so that the file is the same on any number of threads.
pub(crate) fn run(args: &cli::Selfplay, out: &mut impl Write) -> Result<()> {
    catch_interrupts();
    // An opening for each game: a deterministic player would repeat its game from the same one.
    let openings = args.games.saturating_mul(2);
    let contest = contest(&args.start, &[&args.player], &args.conditions, openings)?;
    sandboxes::warn(&contest, out)?;
    let mut file = RecordFile::create(&args.export)?;
    let is_json = args.export.ends_with(".jsonl");
    let mut waiting = std::collections::BTreeMap::new();
    let (mut numbers, mut written) = (0..args.games, 0);
    let mut progress = Progress::new();
    let next = &mut || numbers.next().map(|number| Task { number, players: [0, 0], opening: number as usize });
    let threads = concurrency(&args.conditions)?;
    play_games(&contest, threads, &|_, _, _| {}, next, &mut |task, played| {
        let text = if is_json { line(&task, &played, contest.seed)? } else { format!("{}\n", played.record) };
        waiting.insert(task.number, text);
        while let Some(text) = waiting.remove(&written) {
            file.add(&text)?;
            written += 1;
        }
        progress.show(|| format!("{} {written} of {} games", bar(written, args.games), args.games));
        Ok(ControlFlow::Continue(()))
    })?;
    drop(progress);
    let rules = describe_conditions(&contest);
    let games = counted(written.into(), "game", "games");
    writeln!(out, "{games} of {}, {rules}, seed {}: '{}'.", args.player, contest.seed, args.export)?;
    Ok(())
}

fn line(task: &Task, played: &PlayedGame, seed: u64) -> Result<String> {
    let PlayedGame { record, verdict, .. } = played;
    let mut position = record.start().boxed_clone();
    let (mut positions, mut sides) = (vec![], vec![]);
    for mv in record.moves() {
        positions.push(position.notation());
        sides.push(number(mv.played.side));
        position.play(&mv.text)?;
    }
    let line = Line {
        game: record.kind().id(),
        number: task.number + 1,
        seed,
        options: record.options(),
        start: record.start().notation(),
        moves: record.moves().iter().map(|mv| mv.text.as_str()).collect(),
        notes: record.moves().iter().map(|mv| mv.note.as_deref().unwrap_or_default()).collect(),
        sides,
        positions,
        points: verdict.points,
        winner: verdict.winner.map(number),
        reason: verdict.reason.word(),
    };
    Ok(serde_json::to_string(&line).context("a game as JSON")? + "\n")
}

const fn number(side: Side) -> u8 {
    side.index() as u8 + 1
}
