//! Is the new version better than the old one?

use std::io::Write;
use std::ops::ControlFlow;

use anyhow::Result;
use palestra_arena::{Sprt, SprtVerdict, Starts};
use palestra_protocol::shown;
use palestra_search::duel::{Tally, elo};
use palestra_search::results::Results;

use crate::contest::{RecordFile, concurrency, contest, hinted, interrupted, repeats, told_conditions};
use crate::error::HintExt;
use crate::matches::{scored, task};
use crate::progress::Progress;
use crate::style::{HEADING, paint};
use crate::{boxes, cli};

/// Plays pairs of games until the test is sure.
pub(crate) fn run(args: &cli::Sprt, out: &mut impl Write) -> Result<()> {
    let test = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta);
    let test = test.hint(|| "for example --elo0 0 --elo1 20 --alpha 0.05 --beta 0.05".to_owned())?;
    let quit = interrupted();
    let typed = [args.new.as_str(), args.old.as_str()];
    let contest = contest(&args.start, &typed, &args.conditions, args.games.max(4))?;
    let mut record = args.record.as_deref().map(RecordFile::create).transpose()?;
    let names = [0, 1].map(|player: usize| shown(&contest.entrants[player].name, 40).to_string());
    let heading = format!(
        "{}: is {} better than {}, by {} Elo rather than by {}? {}, seed {}",
        contest.kind.about.name,
        names[0],
        names[1],
        args.elo1,
        args.elo0,
        told_conditions(&contest),
        contest.seed
    );
    writeln!(out, "{}", paint(HEADING, heading))?;
    boxes::warn(&contest, out)?;
    out.flush()?;
    let max_repeats = max_repeats(&contest.starts);
    let mut results = Results::default();
    let mut failed = Ok(());
    let mut progress = Progress::new();
    let mut numbers = 0..args.games - args.games % 2;
    let threads = concurrency(&args.conditions)?;
    let result = contest.play(threads, quit, &|_, _, _| {}, &mut || numbers.next().map(task), &mut |task, played| {
        if let Some(file) = &mut record
            && let Err(error) = file.add(&format!("{}\n", played.record))
        {
            failed = Err(error);
            return ControlFlow::Break(());
        }
        results.add(task.number, scored(&task, &played));
        let tally = results.whole_pairs();
        progress.show(|| state(&test, &tally));
        let is_open = test.verdict(&tally) == SprtVerdict::Undecided && results.repeats_in_a_row() < max_repeats;
        if is_open { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    drop(progress);
    failed?;
    hinted(result)?;
    write_end(&test, &results.whole_pairs(), &names, out)?;
    if results.repeats_in_a_row() >= max_repeats {
        writeln!(out, "The last {} games only repeat earlier ones, and more would prove nothing.", 2 * max_repeats)?;
        writeln!(out, "{EVERY_PAIR_ELSEWHERE}")?;
    }
    Ok(())
}

/// So many pairs in a row that only repeat earlier games end a test: these players have nothing new to show.
const MAX_REPEATS: u32 = 20;

/// What to do about players that repeat their games.
const EVERY_PAIR_ELSEWHERE: &str =
    "hint: leave --position, --options, --moves and --openings away: then every pair begins elsewhere";

/// After how many pairs in a row that only repeat earlier games the test ends: at least once through all starts.
fn max_repeats(starts: &Starts) -> u32 {
    match starts {
        Starts::Given(starts) => MAX_REPEATS.max(starts.len() as u32),
        Starts::Openings(_) => MAX_REPEATS,
    }
}

fn state(test: &Sprt, tally: &Tally) -> String {
    let (low, high) = test.bounds();
    let Tally { wins, draws, losses, .. } = tally;
    format!("{} games: +{wins} ={draws} -{losses}, LLR {:+.2} ({low:.2} to {high:.2})", tally.games(), test.llr(tally))
}

fn write_end(test: &Sprt, tally: &Tally, [new, old]: &[String; 2], out: &mut impl Write) -> Result<()> {
    writeln!(out, "{}", state(test, tally))?;
    let (low, high) = tally.interval();
    let [value, low, high] = [tally.share(), low, high].map(elo);
    writeln!(out, "pairs with 0, 1/2, 1, 3/2, 2 points: {}", tally.pairs.map(|count| count.to_string()).join(", "))?;
    writeln!(out, "Elo difference: {value:+.0} ({low:+.0} to {high:+.0} with 95 % confidence)")?;
    if let Some(repeats) = repeats(tally, "test") {
        writeln!(out, "{repeats}")?;
    }
    let (elo0, elo1) = test.claims();
    match test.verdict(tally) {
        SprtVerdict::Better => {
            writeln!(out, "Yes: {new} is better than {old}. The games speak for {elo1} Elo, not for {elo0}.")?
        }
        SprtVerdict::NotBetter => writeln!(
            out,
            "No: {new} is not that much better than {old}. The games speak for {elo0} Elo, not for {elo1}."
        )?,
        SprtVerdict::Undecided => writeln!(out, "Undecided after {} games.", tally.games())?,
    }
    Ok(())
}
