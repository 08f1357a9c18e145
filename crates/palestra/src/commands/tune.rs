//! `palestra tune`: tunes the weights of an evaluation by SPSA.

use std::io::Write;

use anyhow::Result;
use palestra_arena::tune::{Plan, Tuning, contest};
use palestra_search::{Score, Weight};
use palestra_tournament::{Tally, elo};

use crate::ui::progress::Progress;
use crate::ui::style::{HEADING, paint};
use crate::{cli, clock, pair_pool};

/// The number of progress lines in the output.
const PROGRESS_LINES: u32 = 20;

/// Changes the seed for the final matches, so that they start from other openings than the rounds.
const FINAL_SEED_MASK: u64 = 0xc4ec_5eed;

/// Tunes, writes the progress, and plays matches between new and old weights.
pub(crate) fn run(args: &cli::Tune, out: &mut impl Write) -> Result<()> {
    let threads = clock::threads(args.threads)?;
    let plan = Plan { seed: args.seed, rounds: args.iterations, pairs: args.games / 2, depth: args.depth };
    let mut tuning = Tuning::new(args.game.id(), plan)?;
    let mut progress = Progress::new();
    while let Some(round) = tuning.next_match() {
        let pairs = pair_pool::play(&round, round.pairs(), threads, |_, _| {})?;
        tuning.learn(&pairs.iter().map(|pair| pair.map(|game| game.result)).collect::<Vec<_>>());
        let done = tuning.round();
        progress.show(|| format!("round {done} of {}", args.iterations));
        if done % args.iterations.div_ceil(PROGRESS_LINES) == 0 || done == args.iterations {
            progress.erase();
            writeln!(
                out,
                "round {done:>width$}  {}",
                listed(tuning.weights(), &tuning.values()),
                width = digits(args.iterations)
            )?;
            out.flush()?;
        }
    }
    progress.erase();
    write_weights(tuning.weights(), &tuning.values(), out)?;
    let check = Plan { seed: args.seed ^ FINAL_SEED_MASK, pairs: args.match_games / 2, ..plan };
    compare(args, &tuning, check, threads, out)
}

/// Plays matches between new, shipped and plain weights.
fn compare(args: &cli::Tune, tuning: &Tuning, plan: Plan, threads: usize, out: &mut impl Write) -> Result<()> {
    let plain: Vec<Score> = tuning.weights().iter().map(|weight| weight.plain).collect();
    let shipped: Vec<Score> = tuning.weights().iter().map(|weight| weight.tuned).collect();
    let new = tuning.values();
    writeln!(out, "\n{}", paint(HEADING, "Matches"))?;
    let matches =
        [("new", "plain", &new, &plain), ("shipped", "plain", &shipped, &plain), ("new", "shipped", &new, &shipped)];
    for (first, second, ours, theirs) in matches {
        let contest = contest(args.game.id(), [ours.clone(), theirs.clone()], plan)?;
        let mut tally = Tally::default();
        let mut progress = Progress::new();
        pair_pool::play(&contest, contest.pairs(), threads, |_, pair| {
            tally.add(pair.map(|game| game.result));
            progress.show(|| format!("{first} - {second}: {} of {} games", tally.games(), 2 * contest.pairs()));
        })?;
        progress.erase();
        let (low, high) = tally.interval();
        writeln!(
            out,
            "  {first:7}  {second:7}  {:5.1} %  +{} ={} -{}  Elo {:+.0} ({:+.0} to {:+.0})",
            100.0 * tally.share(),
            tally.wins,
            tally.draws,
            tally.losses,
            elo(tally.share()),
            elo(low),
            elo(high),
        )?;
        out.flush()?;
    }
    Ok(())
}

/// Writes the weights in the syntax of the source.
fn write_weights(weights: &[Weight], values: &[Score], out: &mut impl Write) -> Result<()> {
    writeln!(out, "\n{}", paint(HEADING, "Weights"))?;
    for (Weight { name, plain, step, .. }, value) in weights.iter().zip(values) {
        writeln!(out, "        Weight {{ name: \"{name}\", tuned: {value}, plain: {plain}, step: {step} }},")?;
    }
    Ok(())
}

fn listed(weights: &[Weight], values: &[Score]) -> String {
    let words: Vec<String> =
        weights.iter().zip(values).map(|(weight, value)| format!("{} {value}", weight.name)).collect();
    words.join(", ")
}

fn digits(number: u32) -> usize {
    number.to_string().len()
}
