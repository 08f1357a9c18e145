//! `palestra match`: two players, each opening twice with sides changed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::Duration;

use anstyle::Style;
use anyhow::Result;
use palestra_arena::{
    Blunder, BlunderFinder, Contest, Entrant, GameEvent, GameToPlay, PlayedGame, Starts, Task, Verdict,
};
use palestra_games::{Record, Side};
use palestra_protocol::shown;
use palestra_search::{Worth, strong_unit};
use palestra_tournament::report::{Interval, MatchRow, TurningLine};
use palestra_tournament::{Results, Scored, Tally};

use crate::commands::show;
use crate::contest_setup::{
    Faults, RecordFile, catch_interrupts, check_page, concurrency, contest, describe_conditions, describe_reason,
    identity, play_games, quoted, repeats, side_of,
};
use crate::start::words_to;
use crate::ui::match_report::{MatchPage, Words, difference};
use crate::ui::progress::{Progress, bar};
use crate::ui::style::{BAD, GOOD, HEADING, paint};
use crate::ui::units::{counted, spent};
use crate::{cli, file, sandboxes};

/// Plays the match, writes a line for each game, and a summary.
pub(crate) fn run(args: &cli::Match, out: &mut impl Write) -> Result<()> {
    catch_interrupts();
    let typed = [args.first.as_str(), args.second.as_str()];
    let contest = contest(&args.start, &typed, &args.conditions, args.games)?;
    check_page(args.html.as_deref(), args.record.as_deref())?;
    let record = args.record.as_deref().map(RecordFile::create).transpose()?;
    let threads = if args.show { 1 } else { concurrency(&args.conditions)? };
    let mut scores = Scores::new(&contest, typed, &args.conditions, args.games, record);
    scores.page = args.html.is_some().then(MatchPage::default);
    scores.write_heading(out)?;
    let mut numbers = 0..args.games;
    let on_move = |task: &Task, game: &mut GameToPlay<'_>, event: GameEvent<'_>| {
        if args.show {
            // A move that cannot be written does not stop the game.
            let _ = write_move(&contest, task, game, &event);
        }
    };
    play_games(&contest, threads, &on_move, &mut || numbers.next().map(task), &mut |task, played| {
        scores.add(task, played, out).map(ControlFlow::Continue)
    })?;
    scores.write_summary(out)?;
    if let (Some(path), Some(page)) = (&args.html, scores.html()) {
        file::replace(path, &page)?;
        writeln!(out, "The page is in '{path}'.")?;
    }
    Ok(())
}

/// The games of a match: each opening twice, sides changed.
pub(crate) fn task(number: u32) -> Task {
    let players = if number.is_multiple_of(2) { [0, 1] } else { [1, 0] };
    Task { number, players, opening: number as usize / 2 }
}

/// Writes a move as the course's simulator does: player, move, board, and the program's stderr.
fn write_move(contest: &Contest, task: &Task, game: &mut GameToPlay<'_>, event: &GameEvent<'_>) -> Result<()> {
    let GameEvent::Moved(side) = *event else { return Ok(()) };
    let mut out = anstream::stdout();
    let stderr = game.fresh_stderr(side);
    let record = game.referee.record();
    let Some(last) = record.moves().last() else { return Ok(()) };
    let name = shown(&contest.entrants[task.players[side.index()]].name, 60).to_string();
    let note = last.note.as_deref().unwrap_or_default();
    writeln!(out, "\n{}  {note}", show::played(&paint(HEADING, name), &last.text, last.played))?;
    show::board(record.position(), Some((side, &last.text)), &mut out)?;
    for line in stderr.lines() {
        writeln!(out, "  stderr: {}", shown(line, 300))?;
    }
    Ok(())
}

/// The results of a match so far.
struct Scores<'a> {
    contest: &'a Contest,
    games: u32,
    record: Option<RecordFile>,
    totals: [Total; 2],
    results: Results,
    /// The games for the page of `--html`.
    page: Option<MatchPage>,
    /// The first lost games of each player, to be analysed at the end.
    lost: Vec<Lost>,
    faults: Faults<'a>,
    progress: RefCell<Progress>,
    width: usize,
}

/// A lost game.
struct Lost {
    number: u32,
    loser: usize,
    record: Record,
    opening_plies: usize,
    /// Its number in the file of `--record`.
    number_in_file: Option<u32>,
}

/// A player's totals over all games.
#[derive(Clone, Debug, Default)]
struct Total {
    points: i64,
    charged: Duration,
    forfeits: BTreeMap<&'static str, u32>,
}

/// The number of lost games that are analysed for each player: every move of them takes a search.
const MAX_ANALYSED_LOSSES: usize = 10;

impl<'a> Scores<'a> {
    fn new(
        contest: &'a Contest,
        typed: [&'a str; 2],
        conditions: &'a cli::Conditions,
        games: u32,
        record: Option<RecordFile>,
    ) -> Self {
        let width = contest.entrants.iter().map(|entrant| name(entrant).chars().count()).max().unwrap_or(0);
        Self {
            contest,
            games,
            record,
            totals: Default::default(),
            results: Results::default(),
            page: None,
            lost: vec![],
            faults: Faults::new(contest, typed.to_vec(), conditions),
            progress: RefCell::new(Progress::new()),
            width,
        }
    }

    fn write_heading(&self, out: &mut impl Write) -> Result<()> {
        let Contest { kind, seed, .. } = self.contest;
        let openings = self.openings();
        let from = if openings > 1 { format!(", {openings} openings") } else { String::new() };
        let heading = format!(
            "{}: {}, {}{from}, seed {seed}",
            kind.about.name,
            games(self.games),
            describe_conditions(self.contest)
        );
        writeln!(out, "{}", paint(HEADING, heading))?;
        sandboxes::warn(self.contest, out)?;
        Ok(out.flush()?)
    }

    /// The number of openings from which the games start.
    fn openings(&self) -> usize {
        match &self.contest.starts {
            Starts::Given(starts) => starts.len(),
            Starts::Openings(_) => self.games.div_ceil(2) as usize,
        }
    }

    fn add(&mut self, task: Task, played: PlayedGame, out: &mut impl Write) -> Result<()> {
        self.progress.borrow_mut().erase();
        self.write_game(&task, &played, out)?;
        if let Some(file) = &mut self.record {
            file.add(&format!("{}\n", played.record))?;
        }
        self.count(&task, &played);
        if let Some(page) = &mut self.page {
            page.add(self.contest, &task, &played)?;
        }
        self.faults.report(&task, &played, out)?;
        out.flush()?;
        self.keep_if_lost(&task, played);
        let done = self.results.games();
        let tally = self.results.tally();
        let (first, all) = (name(&self.contest.entrants[0]), self.games);
        self.progress
            .borrow_mut()
            .show(|| format!("{} {done} of {} {first} {:.1} %", bar(done, all), games(all), 100.0 * tally.points()));
        Ok(())
    }

    fn write_game(&self, task: &Task, played: &PlayedGame, out: &mut impl Write) -> Result<()> {
        let PlayedGame { verdict, charged, record, .. } = played;
        let [one, two] = task.players.map(|player| name(&self.contest.entrants[player]));
        let score = format!("{}-{}", verdict.points[0], verdict.points[1]);
        let winner = match verdict.winner {
            None => "draw".to_owned(),
            Some(side) => format!("{} wins", [&one, &two][side.index()]),
        };
        let winner = paint(self.result_style(task, verdict), format!("{winner:wins$}", wins = self.width + 5));
        let times = charged.map(spent);
        writeln!(
            out,
            "{:5}  {one:>width$} {score:^7} {two:width$}  {winner}  {:>3} moves, {} and {}, {}",
            task.number + 1,
            record.moves().len(),
            times[0],
            times[1],
            describe_reason(&verdict.reason),
            width = self.width,
        )?;
        Ok(())
    }

    /// Green for a game won by the player whose lost games are analysed, red for a lost one.
    fn result_style(&self, task: &Task, verdict: &Verdict) -> Style {
        let own = side_of(task, if self.is_analysed(0) { 0 } else { 1 });
        match verdict.winner {
            None => Style::new(),
            Some(winner) if winner == own => GOOD,
            Some(_) => BAD,
        }
    }

    fn count(&mut self, task: &Task, played: &PlayedGame) {
        for (side, player) in Side::BOTH.into_iter().zip(task.players) {
            let total = &mut self.totals[player];
            total.points += i64::from(played.verdict.points[side.index()]);
            total.charged += played.charged[side.index()];
            if let Some(fault) = played.verdict.fault().filter(|_| played.verdict.winner != Some(side)) {
                *total.forfeits.entry(fault.kind.word()).or_default() += 1;
            }
        }
        self.results.add(task.number, scored(task, played));
    }

    fn keep_if_lost(&mut self, task: &Task, played: PlayedGame) {
        let Some(winner) = played.verdict.winner else { return };
        let loser = task.players[winner.other().index()];
        let has_enough = self.lost.iter().filter(|lost| lost.loser == loser).count() >= MAX_ANALYSED_LOSSES;
        if !has_enough && played.verdict.fault().is_none() && self.is_analysed(loser) {
            let number_in_file = self.record.as_ref().map(RecordFile::games);
            let opening_plies = self.contest.start(task.opening).map_or(0, |start| start.plies());
            let (number, record) = (task.number, played.record);
            self.lost.push(Lost { number, loser, record, opening_plies, number_in_file });
        }
    }

    /// Whether a player's lost games are analysed: those of programs, or of the first player if both are built in.
    fn is_analysed(&self, player: usize) -> bool {
        let entrants = &self.contest.entrants;
        entrants[player].is_program() || (player == 0 && !entrants.iter().any(Entrant::is_program))
    }

    fn write_summary(&mut self, out: &mut impl Write) -> Result<()> {
        self.progress.borrow_mut().erase();
        let (done, tally) = (self.results.games(), self.results.tally());
        if done == 0 {
            writeln!(out, "No game was finished.")?;
            return Ok(());
        }
        if let Some(interruption) = self.interruption() {
            writeln!(out, "\n{interruption}")?;
        }
        self.write_table(&tally, out)?;
        writeln!(out, "{}", self.describe_elo(&tally))?;
        if let Some(repeats) = repeats(&tally, "interval") {
            writeln!(out, "{repeats}")?;
        }
        self.write_turnings(out)
    }

    fn interruption(&self) -> Option<String> {
        let done = self.results.games();
        (done < self.games).then(|| format!("Interrupted after {done} of {}.", games(self.games)))
    }

    fn describe_elo(&self, tally: &Tally) -> String {
        let Interval { value, low, high } = difference(tally);
        let range = match tally.share() {
            share if share <= 0.0 => format!("at most {high:+.0}"),
            share if share >= 1.0 => format!("at least {low:+.0}"),
            _ => format!("{value:+.0} ({low:+.0} to {high:+.0})"),
        };
        format!("Elo difference of {}: {range}, with 95 % confidence", name(&self.contest.entrants[0]))
    }

    /// The page for `--html`, or `None` without it.
    fn html(&self) -> Option<String> {
        let page = self.page.as_ref()?;
        let tally = self.results.tally();
        let elo = (tally.games() > 0).then(|| self.describe_elo(&tally) + ".");
        let summary = [self.interruption(), elo, repeats(&tally, "interval")];
        let words = Words {
            games: self.games,
            openings: self.openings(),
            summary: summary.into_iter().flatten().collect::<Vec<_>>().join(" "),
        };
        Some(page.html(self.contest, &tally, &words, [0, 1].map(|player| self.row(player, &tally))))
    }

    /// A player's row on the page.
    fn row(&self, player: usize, tally: &Tally) -> MatchRow {
        let Total { points, charged, forfeits } = &self.totals[player];
        let [wins, draws, losses] = counts(tally)[player];
        MatchRow {
            name: self.contest.entrants[player].name.clone(),
            wins,
            draws,
            losses,
            scored: *points,
            charged_ms: u64::try_from(charged.as_millis()).unwrap_or(u64::MAX),
            forfeits: forfeits.iter().map(|(&kind, &count)| (kind.to_owned(), count)).collect(),
        }
    }

    fn write_table(&self, tally: &Tally, out: &mut impl Write) -> Result<()> {
        let heading = format!(
            "{:width$}  {:>4} {:>5} {:>4}  {:>8}  {:>7}  {:>8}  {}",
            "",
            "won",
            "drawn",
            "lost",
            "points",
            "score",
            "time",
            "faults",
            width = self.width
        );
        writeln!(out, "\n{}", paint(HEADING, heading.trim_end()))?;
        let shares = [tally.points(), 1.0 - tally.points()];
        let counts = counts(tally);
        for (player, entrant) in self.contest.entrants.iter().enumerate() {
            let ([won, drawn, lost], total) = (counts[player], &self.totals[player]);
            let faults: Vec<String> = total.forfeits.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            let row = format!(
                "{:width$}  {} {drawn:>5} {}  {:>6.1} %  {:>7}  {:>8}  {}",
                name(entrant),
                paint(if won > 0 { GOOD } else { Style::new() }, format!("{won:>4}")),
                paint(if lost > 0 { BAD } else { Style::new() }, format!("{lost:>4}")),
                100.0 * shares[player],
                total.points,
                spent(total.charged),
                faults.join(", "),
                width = self.width
            );
            writeln!(out, "{}", row.trim_end())?;
        }
        Ok(())
    }

    fn write_turnings(&mut self, out: &mut impl Write) -> Result<()> {
        if self.lost.is_empty() {
            return Ok(());
        }
        let kind = self.contest.kind;
        let mut finder = BlunderFinder::new(kind.id())?;
        let mut progress = Progress::new();
        let mut rows = vec![];
        self.lost.sort_by_key(|lost| lost.number);
        for (done, lost) in self.lost.iter().enumerate() {
            progress.show(|| format!("analysing lost game {} of {}", done + 1, self.lost.len()));
            let record = &lost.record;
            let winner = Verdict::winner_of(record.result().expect("it is over"), record.position().outcome());
            let side = winner.expect("it was lost").other();
            if let Some(turning) = finder.blunder(record, side, lost.opening_plies) {
                rows.push((lost, turning));
            }
        }
        drop(progress);
        if !rows.is_empty() {
            writeln!(out, "\n{}", paint(HEADING, "Where lost games turned"))?;
        }
        let unit = strong_unit(kind.id());
        let mut turnings = vec![];
        for (lost, Blunder { ply, mv, before, after, better }) in rows {
            let who = name(&self.contest.entrants[lost.loser]);
            let [before, after] = [before, after].map(|value| Worth::new(value, false, unit));
            writeln!(
                out,
                "{:5}  {who}'s move {} ({mv}): from {before} to {after}; better was {better}",
                lost.number + 1,
                ply + 1
            )?;
            writeln!(out, "       {}", self.show_command(lost, ply))?;
            let [before, after] = [before, after].map(|worth| worth.to_string());
            turnings.push(TurningLine {
                game: lost.number + 1,
                player: lost.loser,
                ply: ply + 1,
                mv,
                before,
                after,
                better,
            });
        }
        if let Some(page) = &mut self.page {
            page.turnings = turnings;
        }
        Ok(())
    }

    /// The command that shows the position of a lost game after `ply` moves.
    fn show_command(&self, lost: &Lost, ply: usize) -> String {
        match (&self.record, lost.number_in_file) {
            (Some(file), Some(number)) => {
                format!("palestra show --from {} --game {number} --ply {ply}", quoted(file.path()))
            }
            _ => format!("palestra show {}{}", self.contest.kind.id(), words_to(&lost.record.up_to(ply))),
        }
    }
}

/// Games won, drawn and lost of both players.
fn counts(tally: &Tally) -> [[u32; 3]; 2] {
    let &Tally { wins, draws, losses, .. } = tally;
    [[wins, draws, losses], [losses, draws, wins]]
}

/// A player's name, made safe to print.
fn name(entrant: &Entrant) -> String {
    shown(&entrant.name, 40).to_string()
}

fn games(count: u32) -> String {
    counted(count.into(), "game", "games")
}

/// A game of a match, as its first player sees it.
pub(crate) fn scored(task: &Task, played: &PlayedGame) -> Scored {
    Scored { result: played.verdict.result(side_of(task, 0)), fingerprint: identity(&played.record) }
}
