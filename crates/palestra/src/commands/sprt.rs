//! `palestra sprt`: a sequential probability ratio test of a new version of a player against the old one.

use std::io::Write;
use std::ops::ControlFlow;

use anyhow::Result;
use palestra_arena::{Contest, PlayedGame, Starts, Task};
use palestra_protocol::shown;
use palestra_tournament::report::{Interval, SprtReport, sprt_html};
use palestra_tournament::{Results, Sprt, SprtVerdict, Tally};

use crate::commands::matches::{scored, task};
use crate::contest_setup::{
    RecordFile, catch_interrupts, check_page, concurrency, contest, describe_conditions, is_interrupted, play_games,
    repeats,
};
use crate::ui::error::HintExt;
use crate::ui::match_report::difference;
use crate::ui::progress::Progress;
use crate::ui::style::{HEADING, paint};
use crate::{cli, file, sandboxes};

/// The test ends after this many pairs in a row that only repeat earlier games: deterministic players run out of new ones.
const MAX_REPEATED_PAIRS: u32 = 20;

/// Advice for players that repeat their games.
const REPEATS_HINT: &str =
    "hint: without --position, --options, --moves and --openings every pair starts from another opening";

/// Plays pairs of games until the test accepts a hypothesis.
pub(crate) fn run(args: &cli::Sprt, out: &mut impl Write) -> Result<()> {
    let test = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta);
    let test = test.hint(|| "try --elo0 0 --elo1 20 --alpha 0.05 --beta 0.05".to_owned())?;
    catch_interrupts();
    let typed = [args.new.as_str(), args.old.as_str()];
    let contest = contest(&args.start, &typed, &args.conditions, args.games.max(4))?;
    check_page(args.html.as_deref(), args.record.as_deref())?;
    let mut record = args.record.as_deref().map(RecordFile::create).transpose()?;
    let mut test_run = RunningTest::new(test, &contest);
    test_run.write_heading(out)?;
    let mut progress = Progress::new();
    let mut numbers = 0..args.games - args.games % 2;
    let threads = concurrency(&args.conditions)?;
    play_games(&contest, threads, &|_, _, _| {}, &mut || numbers.next().map(task), &mut |task, played| {
        if let Some(file) = &mut record {
            file.add(&format!("{}\n", played.record))?;
        }
        test_run.add(&task, &played);
        progress.show(|| test_run.state());
        Ok(if test_run.is_open() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    drop(progress);
    test_run.write_end(out)?;
    if let Some(path) = &args.html {
        file::replace(path, &sprt_html(&test_run.report()))?;
        writeln!(out, "The page is in '{path}'.")?;
    }
    Ok(())
}

/// A test in progress.
struct RunningTest<'a> {
    test: Sprt,
    contest: &'a Contest,
    results: Results,
    /// The log-likelihood ratio after each pair.
    llr: Vec<f64>,
    /// The test ends after this many pairs in a row that only repeat earlier games.
    max_repeated_pairs: u32,
}

impl<'a> RunningTest<'a> {
    fn new(test: Sprt, contest: &'a Contest) -> Self {
        // All given starts are played at least once.
        let max_repeated_pairs = match &contest.starts {
            Starts::Given(starts) => MAX_REPEATED_PAIRS.max(starts.len() as u32),
            Starts::Openings(_) => MAX_REPEATED_PAIRS,
        };
        Self { test, contest, results: Results::default(), llr: vec![], max_repeated_pairs }
    }

    fn write_heading(&self, out: &mut impl Write) -> Result<()> {
        let [new, old] = self.names();
        let (elo0, elo1) = self.test.claims();
        let Contest { kind, seed, .. } = self.contest;
        let conditions = describe_conditions(self.contest);
        let heading = format!(
            "{}: is {new} better than {old}, by {elo1} Elo rather than by {elo0}? {conditions}, seed {seed}",
            kind.about.name
        );
        writeln!(out, "{}", paint(HEADING, heading))?;
        sandboxes::warn(self.contest, out)?;
        Ok(out.flush()?)
    }

    fn names(&self) -> [String; 2] {
        [0, 1].map(|player: usize| shown(&self.contest.entrants[player].name, 40).to_string())
    }

    fn add(&mut self, task: &Task, played: &PlayedGame) {
        self.results.add(task.number, scored(task, played));
        let tally = self.results.whole_pairs();
        if tally.games() as usize / 2 > self.llr.len() {
            self.llr.push(self.test.llr(&tally));
        }
    }

    fn is_open(&self) -> bool {
        self.test.verdict(&self.results.whole_pairs()) == SprtVerdict::Undecided && !self.only_repeats()
    }

    /// Whether the last pairs only repeat earlier games, so that more pairs would prove nothing.
    fn only_repeats(&self) -> bool {
        self.results.repeats_in_a_row() >= self.max_repeated_pairs
    }

    fn state(&self) -> String {
        let tally = self.results.whole_pairs();
        let (low, high) = self.test.bounds();
        let (Tally { wins, draws, losses, .. }, llr) = (tally, self.test.llr(&tally));
        format!("{} games: +{wins} ={draws} -{losses}, LLR {llr:+.2} ({low:.2} to {high:.2})", tally.games())
    }

    fn write_end(&self, out: &mut impl Write) -> Result<()> {
        let tally = self.results.whole_pairs();
        let Interval { value, low, high } = difference(&tally);
        writeln!(out, "{}", self.state())?;
        writeln!(
            out,
            "pairs with 0, 1/2, 1, 3/2, 2 points: {}",
            tally.pairs.map(|count| count.to_string()).join(", ")
        )?;
        writeln!(out, "Elo difference: {value:+.0} ({low:+.0} to {high:+.0} with 95 % confidence)")?;
        self.verdict(&tally).iter().try_for_each(|sentence| writeln!(out, "{sentence}"))?;
        if self.only_repeats() {
            writeln!(out, "{REPEATS_HINT}")?;
        }
        Ok(())
    }

    /// The verdict as sentences, after a note about repeated games.
    fn verdict(&self, tally: &Tally) -> Vec<String> {
        let [new, old] = self.names();
        let (elo0, elo1) = self.test.claims();
        let games = tally.games();
        let verdict = match self.test.verdict(tally) {
            SprtVerdict::Better => {
                format!("Yes: {new} is better than {old}. The results favour {elo1} Elo over {elo0}.")
            }
            SprtVerdict::NotBetter => {
                format!("No: {new} is not that much better than {old}. The results favour {elo0} Elo over {elo1}.")
            }
            SprtVerdict::Undecided if self.only_repeats() => format!(
                "Undecided after {games} games: the last {} only repeat earlier ones, and more would prove nothing.",
                2 * self.results.repeats_in_a_row()
            ),
            SprtVerdict::Undecided if is_interrupted() => format!("Interrupted, and undecided after {games} games."),
            SprtVerdict::Undecided => format!("Undecided after {games} games."),
        };
        repeats(tally, "test").into_iter().chain([verdict]).collect()
    }

    fn report(&self) -> SprtReport {
        let tally = self.results.whole_pairs();
        let ((elo0, elo1), (alpha, beta)) = (self.test.claims(), self.test.rates());
        let facts = [
            ("games", tally.games().to_string()),
            ("claims", format!("{elo0} and {elo1} Elo")),
            ("error rates", format!("{alpha} and {beta}")),
            ("time", describe_conditions(self.contest)),
            ("seed", self.contest.seed.to_string()),
        ];
        let mut verdict = self.verdict(&tally);
        verdict.reverse();
        SprtReport {
            game: self.contest.kind.about.name.to_owned(),
            names: [0, 1].map(|player: usize| self.contest.entrants[player].name.clone()),
            verdict: verdict.join(" "),
            facts: facts.map(|(what, how)| (what.to_owned(), how)).to_vec(),
            games: [tally.wins, tally.draws, tally.losses],
            pairs: tally.pairs,
            llr: self.llr.clone(),
            bounds: self.test.bounds(),
            claims: self.test.claims(),
            elo: (tally.games() > 0).then(|| difference(&tally)),
        }
    }
}
