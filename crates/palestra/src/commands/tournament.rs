//! `palestra tournament`: plays a tournament that can be interrupted and resumed.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fs::canonicalize;
use std::io::Write;
use std::ops::ControlFlow;

use anyhow::{Result, anyhow};
use palestra_arena::{Contest, Entrant, PlayedGame, Starts, Task};
use palestra_games::Record;
use palestra_tournament::report::{self, Cell, GameLine, Interval, Report, Row};
use palestra_tournament::{
    Cross, Entry, Finished, Format, Glicko, Header, Order, Pairing, Plan, Standing, elo_ratings, glicko_ratings,
    standings,
};

use crate::contest_setup::{
    Faults, catch_interrupts, concurrency, contest, describe_conditions, identity, play_games, repeats_of,
};
use crate::file;
use crate::journal::JournalFile;
use crate::ui::error::HintExt;
use crate::ui::progress::{Progress, bar};
use crate::ui::style::{HEADING, paint};
use crate::ui::text::table_width;
use crate::ui::units::{counted, written_memory};
use crate::{cli, sandboxes};

/// Plays the remaining games of the tournament, and writes the standings.
pub(crate) fn run(args: &cli::Tournament, out: &mut impl Write) -> Result<()> {
    catch_interrupts();
    let order = order(args)?;
    let format: Format = args.format.parse()?;
    let players: Vec<&str> = args.players.iter().map(String::as_str).collect();
    let rounds = args.rounds.unwrap_or_else(|| usual_rounds(format, players.len()));
    let plan = Plan::new(players.len(), format, rounds, args.conditions.seed);
    let plan = plan.hint(|| "--rounds and --format set the number of games".to_owned())?;
    let contest = contest(&args.start, &players, &args.conditions, 2 * rounds)?;
    let rules = rules(&contest)?;
    let names = contest.entrants.iter().map(|entrant| entrant.name.clone()).collect();
    let programs = contest.entrants.iter().map(Entrant::identity).collect();
    let former_programs = contest.entrants.iter().map(Entrant::former_identity).collect();
    let game = contest.kind.id().to_owned();
    let header = Header { game, players: names, programs, former_programs, plan, rules };
    let mut journal = JournalFile::open(&args.journal, header)?;
    write_heading(&contest, &journal, out)?;
    play(args, &contest, &mut journal, out)?;
    finish(args, &contest, &journal, &order, out)
}

fn order(args: &cli::Tournament) -> Result<Order> {
    let Some(words) = &args.order else { return Ok(Order::COURSE) };
    words.parse().hint(|| format!("the default is --order {}", Order::COURSE))
}

/// The default number of rounds: enough for Swiss to separate the best from the rest, otherwise one.
fn usual_rounds(format: Format, players: usize) -> u32 {
    match format {
        Format::Swiss => players.next_power_of_two().trailing_zeros().max(1) + 2,
        Format::RoundRobin | Format::Gauntlet => 1,
    }
    .min(if matches!(format, Format::Swiss) { players as u32 - 1 } else { u32::MAX })
}

/// The rules of the games as text: everything that results depend on, apart from the pairings. The journal keeps it, and
/// refuses to resume under other rules, so its words must not change.
fn rules(contest: &Contest) -> Result<String> {
    let Contest { kind, rules, starts, memory, .. } = contest;
    let mut words = describe_conditions(contest);
    match starts {
        Starts::Openings(_) => words += ", from openings",
        Starts::Given(starts) => match starts.as_slice() {
            [start] => words += &format!(", from {}", start.record(kind)?.position().notation()),
            openings => words += &format!(", from {} openings", openings.len()),
        },
    }
    if let Some(memory) = *memory {
        words += &format!(", {} of memory", written_memory(memory));
    }
    if rules.retry {
        words += ", retry";
    }
    Ok(words)
}

fn write_heading(contest: &Contest, journal: &JournalFile, out: &mut impl Write) -> Result<()> {
    let plan = &journal.header().plan;
    let heading = format!(
        "{}: {} players, {}, {} games, {}, seed {}",
        contest.kind.about.name,
        contest.entrants.len(),
        plan.format(),
        plan.games(),
        describe_conditions(contest),
        plan.seed(),
    );
    writeln!(out, "{}", paint(HEADING, heading))?;
    sandboxes::warn(contest, out)?;
    if !journal.entries().is_empty() {
        let done = journal.entries().len() as u64;
        let games = counted(done, "game is", "games are");
        writeln!(out, "{games} already in the journal '{}'.", journal.path())?;
    }
    Ok(out.flush()?)
}

fn play(args: &cli::Tournament, contest: &Contest, journal: &mut JournalFile, out: &mut impl Write) -> Result<()> {
    let all = journal.header().plan.games();
    let state =
        RefCell::new(State { journal, waiting: VecDeque::new(), in_progress: vec![], progress: Progress::new() });
    let typed: Vec<&str> = args.players.iter().map(String::as_str).collect();
    let mut faults = Faults::new(contest, typed, &args.conditions);
    let threads = concurrency(&args.conditions)?;
    play_games(contest, threads, &|_, _, _| {}, &mut || state.borrow_mut().next(), &mut |task, played| {
        let mut state = state.borrow_mut();
        state.add(&task, &played)?;
        faults.report_with_game(&task, &played, out)?;
        let done = state.journal.entries().len() as u32;
        state.progress.show(|| format!("{} {done} of {all} games", bar(done, all)));
        Ok(ControlFlow::Continue(()))
    })?;
    drop(state);
    let done = journal.entries().len() as u32;
    if done < all {
        writeln!(out, "Interrupted after {done} of {all} games; run the same command again to resume.")?;
    }
    Ok(())
}

/// The games in progress and those to play next.
struct State<'a> {
    journal: &'a mut JournalFile,
    waiting: VecDeque<Pairing>,
    /// The numbers of the games in progress.
    in_progress: Vec<u32>,
    progress: Progress,
}

impl State<'_> {
    fn next(&mut self) -> Option<Task> {
        if self.waiting.is_empty() {
            // The next round, once all games of this one are finished.
            let open = self.journal.header().plan.open(&self.journal.finished());
            self.waiting = open.into_iter().filter(|pairing| !self.in_progress.contains(&pairing.number)).collect();
        }
        let Pairing { number, players, opening, .. } = self.waiting.pop_front()?;
        self.in_progress.push(number);
        Some(Task { number, players, opening: opening as usize })
    }

    fn add(&mut self, task: &Task, played: &PlayedGame) -> Result<()> {
        let finished = finished(task, played);
        self.in_progress.retain(|&number| number != task.number);
        self.journal.add(Entry { finished, record: played.record.to_string() })
    }
}

fn finished(task: &Task, played: &PlayedGame) -> Finished {
    let PlayedGame { record, verdict, charged, .. } = played;
    Finished {
        number: task.number,
        players: task.players,
        points: verdict.points,
        winner: verdict.winner.map(palestra_games::Side::index),
        charged_us: charged.map(|time| u64::try_from(time.as_micros()).unwrap_or(u64::MAX)),
        forfeit: verdict.fault().map(|fault| fault.kind),
        plies: record.moves().len() as u32,
    }
}

fn finish(
    args: &cli::Tournament,
    contest: &Contest,
    journal: &JournalFile,
    order: &Order,
    out: &mut impl Write,
) -> Result<()> {
    let report = report_of(contest, journal, order);
    write!(out, "\n{}", report::text(&report, table_width()))?;
    if let Some(path) = &args.record {
        replace(journal, path, &records(journal))?;
        writeln!(out, "The games are in '{path}'.")?;
    }
    if let Some(path) = &args.html {
        replace(journal, path, &report::html(&report))?;
        writeln!(out, "The page is in '{path}'.")?;
    }
    if let Some(prefix) = &args.csv {
        for (name, text) in report::csv(&report) {
            replace(journal, &format!("{prefix}{name}"), &text)?;
        }
        writeln!(out, "The tables are in '{prefix}*.csv'.")?;
    }
    Ok(())
}

/// All games, in the order of their numbers.
fn records(journal: &JournalFile) -> String {
    let mut entries: Vec<&Entry> = journal.entries().iter().collect();
    entries.sort_by_key(|entry| entry.finished.number);
    entries.iter().map(|entry| format!("{}\n", entry.record)).collect()
}

/// Replaces a file with a report that is generated from the journal, but never the journal itself.
fn replace(journal: &JournalFile, path: &str, text: &str) -> Result<()> {
    if canonicalize(path).is_ok_and(|path| canonicalize(journal.path()).is_ok_and(|journal| journal == path)) {
        return Err(anyhow!("'{path}' is the journal of this tournament")).hint(|| "choose another file".to_owned());
    }
    file::replace(path, text)
}

fn report_of(contest: &Contest, journal: &JournalFile, order: &Order) -> Report {
    let Header { players, plan, .. } = journal.header();
    let games = journal.finished();
    let ranked = order.rank(&standings(players.len(), &games, &plan.byes(&games)));
    let place: Vec<usize> = places(&ranked);
    let repeats = repeats(journal);
    let rated: Vec<Finished> = games.iter().filter(|game| !repeats.contains(&game.number)).cloned().collect();
    let elo = elo_ratings(players.len(), &rated);
    let glicko = glicko_ratings(&vec![Glicko::default(); players.len()], &rated);
    let row = |(rank, standing): &(usize, Standing)| Row {
        elo: Some(interval(elo[standing.player].rating, elo[standing.player].interval())),
        glicko: Some(interval(glicko[standing.player].rating, glicko[standing.player].interval())),
        ..row_of(*rank, &players[standing.player], standing)
    };
    let cross = Cross::new(players.len(), &games);
    let cell = |a: usize, b: usize| {
        let tally = cross.cell(a, b);
        (tally.games() > 0).then_some(Cell { wins: tally.wins, draws: tally.draws, losses: tally.losses })
    };
    Report {
        title: "Tournament".to_owned(),
        game: contest.kind.about.name.to_owned(),
        facts: facts(contest, plan, order, games.len(), repeats.len()),
        rows: ranked.iter().map(row).collect(),
        cross: ranked.iter().map(|(_, a)| ranked.iter().map(|(_, b)| cell(a.player, b.player)).collect()).collect(),
        games: game_lines(journal, &place),
        progress: progress(&games, &ranked),
    }
}

/// Each player's index in the ranking.
fn places(ranked: &[(usize, Standing)]) -> Vec<usize> {
    let mut places = vec![0; ranked.len()];
    for (place, (_, standing)) in ranked.iter().enumerate() {
        places[standing.player] = place;
    }
    places
}

fn row_of(rank: usize, name: &str, standing: &Standing) -> Row {
    Row {
        rank,
        name: name.to_owned(),
        games: standing.games,
        wins: standing.wins,
        draws: standing.draws,
        losses: standing.losses,
        points: standing.points,
        time_outs: standing.time_outs,
        charged_ms: standing.charged_us / 1000,
        scored: standing.scored,
        conceded: standing.conceded,
        elo: None,
        glicko: None,
        forfeits: standing.forfeits.iter().map(|(kind, &count)| (kind.to_string(), count)).collect(),
    }
}

fn interval(value: f64, (low, high): (f64, f64)) -> Interval {
    Interval { value, low, high }
}

/// The numbers of the games of meetings that only repeat earlier games of the same players with the same sides.
fn repeats(journal: &JournalFile) -> BTreeSet<u32> {
    let mut entries: Vec<&Entry> = journal.entries().iter().collect();
    entries.sort_by_key(|entry| entry.finished.number);
    let mut seen = HashSet::new();
    let mut repeats = BTreeSet::new();
    for meeting in entries.chunk_by(|a, b| a.finished.number / 2 == b.finished.number / 2) {
        let games =
            meeting.iter().map(|entry| (entry.finished.players, read(&entry.record).map(|game| identity(&game))));
        // A game that cannot be read counts as a new one.
        let seen_before = games.filter(|game| game.1.is_some() && !seen.insert(*game)).count();
        if seen_before == meeting.len() {
            repeats.extend(meeting.iter().map(|entry| entry.finished.number));
        }
    }
    repeats
}

fn facts(contest: &Contest, plan: &Plan, order: &Order, done: usize, repeats: usize) -> Vec<(String, String)> {
    let mut facts = vec![
        ("format", format!("{}, {}", plan.format(), counted(plan.rounds().into(), "round", "rounds"))),
        ("games", format!("{done} of {}", plan.games())),
        ("time", describe_conditions(contest)),
        ("order", order.to_string()),
        ("seed", plan.seed().to_string()),
    ];
    facts.extend(repeats_of(repeats as u32, done as u32, "ratings").map(|sentence| ("repeats", sentence)));
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn game_lines(journal: &JournalFile, place: &[usize]) -> Vec<GameLine> {
    let plan = &journal.header().plan;
    let a_round = (plan.games() / plan.rounds()).max(1);
    let line = |Entry { finished, record }: &Entry| GameLine {
        number: finished.number + 1,
        round: finished.number / a_round + 1,
        players: finished.players.map(|player| place[player]),
        points: finished.points,
        result: ["1-0", "0-1", "1/2"][finished.winner.unwrap_or(2)].to_owned(),
        reason: reason(record),
        plies: finished.plies,
        charged_ms: finished.charged_us.map(|charged| charged / 1000),
    };
    let mut lines: Vec<GameLine> = journal.entries().iter().map(line).collect();
    lines.sort_by_key(|line| line.number);
    lines
}

/// Why a game ended, as its record says.
fn reason(record: &str) -> String {
    let Some(record) = read(record) else { return String::new() };
    let reason = record.result().map(|result| result.reason.clone()).unwrap_or_default();
    record.tag("Fault").map_or(reason.clone(), |fault| format!("{reason}: {fault}"))
}

/// The game of a journal's entry.
fn read(record: &str) -> Option<Record> {
    Record::read(record.as_bytes()).ok().and_then(|mut games| games.next()?.ok())
}

/// Each player's points after each of their games, in the order of the games' numbers.
fn progress(games: &[Finished], ranked: &[(usize, Standing)]) -> Vec<Vec<f64>> {
    let mut games: Vec<&Finished> = games.iter().collect();
    games.sort_by_key(|game| game.number);
    let mut lines = vec![vec![]; ranked.len()];
    for game in games {
        for (side, &player) in game.players.iter().enumerate() {
            let points = match game.winner {
                None => 1.0,
                Some(winner) if winner == side => 3.0,
                Some(_) => 0.0,
            };
            let line: &mut Vec<f64> = &mut lines[player];
            line.push(line.last().copied().unwrap_or(0.0) + points);
        }
    }
    ranked.iter().map(|(_, standing)| std::mem::take(&mut lines[standing.player])).collect()
}
