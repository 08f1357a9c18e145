//! `palestra ladder`: checks the strength of the graded players by matches between neighbours.

use std::io::Write;
use std::time::Instant;

use anyhow::{Result, bail};
use palestra_arena::duel::Match;
use palestra_arena::ladder::{Demand, Rung, rungs};
use palestra_games::{GAMES, GameKind};
use palestra_tournament::{Results, Tally};

use crate::contest_setup::repeats;
use crate::ui::progress::Progress;
use crate::ui::style::{ERROR, HEADING, paint};
use crate::{cli, clock, pair_pool};

/// The seed of `random`, which does not play here.
const SEED: u64 = 1;

/// Plays all matches, writes a row for each as it is done, and fails if a demand is not met.
pub(crate) fn run(args: &cli::Ladder, out: &mut impl Write) -> Result<()> {
    let threads = clock::threads(args.threads)?;
    let games: Vec<&GameKind> = args.game.map_or_else(|| GAMES.iter().collect(), |kind| vec![kind]);
    if args.markdown {
        writeln!(out, "| game | player | against | points | won, drawn, lost | 95 % | seconds | demand |")?;
        writeln!(out, "|---|---|---|---|---|---|---|---|")?;
    }
    let (mut missed, mut demands) = (0, 0);
    for kind in games {
        let rungs = rungs(kind.id())?;
        let width = rungs.iter().flat_map(|rung| &rung.players).map(String::len).max().unwrap_or(0);
        if !args.markdown {
            writeln!(out, "{}", paint(HEADING, kind.id()))?;
        }
        for rung in &rungs {
            let begun = Instant::now();
            let tally = play(kind, rung, args.games / 2, threads)?;
            let row = Row { kind, rung, tally, seconds: begun.elapsed().as_secs_f64() };
            if args.markdown {
                row.write_markdown(out)?
            } else {
                row.write(width, out)?
            }
            out.flush()?;
            demands += 1;
            missed += usize::from(!rung.demand.is_met(&row.tally));
        }
    }
    if missed > 0 {
        bail!("{missed} of {demands} demands are not met");
    }
    Ok(())
}

fn play(kind: &GameKind, rung: &Rung, count: usize, threads: usize) -> Result<Tally> {
    let [first, second] = &rung.players;
    let contest = Match::between(kind.id(), [first, second], SEED)?;
    let mut progress = Progress::new();
    let mut results = Results::default();
    pair_pool::play(&contest, count, threads, |index, pair| {
        (2 * index as u32..).zip(pair).for_each(|(number, game)| results.add(number, game));
        progress.show(|| {
            let (done, points) = (results.games(), 100.0 * results.tally().points());
            format!("{} {first} - {second}: {done} of {} games, {points:.1} %", kind.id(), 2 * count)
        });
    })?;
    Ok(results.tally())
}

struct Row<'a> {
    kind: &'a GameKind,
    rung: &'a Rung,
    tally: Tally,
    seconds: f64,
}

impl Row<'_> {
    fn write(&self, width: usize, out: &mut impl Write) -> Result<()> {
        let Self { rung: Rung { players: [first, second], demand }, tally, seconds, .. } = self;
        let (low, high) = tally.interval();
        let verdict = if demand.is_met(tally) { "ok".to_owned() } else { paint(ERROR, "missed") };
        writeln!(
            out,
            "  {first:width$}  {second:width$}  {:5.1} %  +{:<3} ={:<3} -{:<3}  {:5.1} to {:5.1} %  {seconds:7.1} s  {}  {verdict}",
            100.0 * tally.points(),
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * low,
            100.0 * high,
            describe(*demand),
        )?;
        if let Some(repeats) = repeats(tally, "interval") {
            writeln!(out, "  {repeats}")?;
        }
        Ok(())
    }

    fn write_markdown(&self, out: &mut impl Write) -> Result<()> {
        let Self { kind, rung: Rung { players: [first, second], demand }, tally, seconds } = self;
        let (low, high) = tally.interval();
        writeln!(
            out,
            "| {} | `{first}` | `{second}` | {:.1} % | {}, {}, {} | {:.1} to {:.1} % | {seconds:.0} | {}: {}{} |",
            kind.id(),
            100.0 * tally.points(),
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * low,
            100.0 * high,
            describe(*demand),
            if demand.is_met(tally) { "met" } else { "missed" },
            repeats(tally, "interval").map_or_else(String::new, |repeats| format!(". {repeats}")),
        )?;
        Ok(())
    }
}

const fn describe(demand: Demand) -> &'static str {
    match demand {
        Demand::Beats => "at least 75 %",
        Demand::Yields => "at most 25 %",
    }
}
