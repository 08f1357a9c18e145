//! `palestra rubric`: the games of a rubric, played at home, and what they bring.

use std::cell::RefCell;
use std::io::Write;
use std::ops::ControlFlow;

use anstyle::Style;
use anyhow::{Result, anyhow};
use palestra_arena::check::{Check, Limits};
use palestra_arena::{Contest, EntrantKind, GameStart, PlayedGame, Starts, Task};
use palestra_games::{GameKind, Side};
use palestra_protocol::shown;
use palestra_search::openings::any_openings;
use palestra_search::player::any_player;
use palestra_tournament::Wdl;
use palestra_tournament::rubric::{Candidate, Cause, Mark, Part, PartKind, Ratio, Rubric, RubricGame, SearchResult};

use crate::contest_setup::{
    Faults, RecordFile, catch_interrupts, concurrency, contest, describe_conditions, describe_reason, play_games,
    with_hint,
};
use crate::ui::error::HintExt;
use crate::ui::progress::{Progress, bar};
use crate::ui::style::{BAD, GOOD, HEADING, paint};
use crate::ui::units::counted;
use crate::{cli, file, sandboxes};

/// Lists the bundled rubrics, shows one, checks one, or plays its games.
pub(crate) fn run(args: &cli::Rubric, out: &mut impl Write) -> Result<()> {
    if args.list {
        return list(out);
    }
    if let Some(name) = &args.show {
        return Ok(write!(out, "{}", bundled(name)?)?);
    }
    let (rubric, name) =
        (read(args.rubric.as_deref().unwrap_or_default())?, args.rubric.as_deref().unwrap_or_default());
    match &args.bot {
        None => describe(&rubric, name, out),
        Some(bot) => play(&rubric, name, bot, args, out),
    }
}

fn list(out: &mut impl Write) -> Result<()> {
    for (name, _) in Rubric::BUNDLED {
        let rubric: Rubric = bundled(name)?.parse()?;
        writeln!(out, "{name:10}{:8}  {}", points(rubric.maximum()), rubric.title.en)?;
    }
    Ok(())
}

/// The text of a bundled rubric.
fn bundled(name: &str) -> Result<&'static str> {
    let names = || Rubric::BUNDLED.map(|(name, _)| name).join(", ");
    Rubric::bundled(name)
        .ok_or_else(|| anyhow!("no rubric is called '{name}'"))
        .hint(|| format!("bundled are {}", names()))
}

/// The rubric of a bundled name or in a file.
fn read(word: &str) -> Result<Rubric> {
    if let Some(text) = Rubric::bundled(word) {
        return Ok(text.parse()?);
    }
    let text = file::read_rubric(word)?;
    text.parse().map_err(|error| anyhow!("'{word}': {error}"))
}

/// Says that a rubric can be read, and what it makes a mark of.
fn describe(rubric: &Rubric, name: &str, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{}", paint(HEADING, &rubric.title.en))?;
    for part in &rubric.parts {
        writeln!(out, "{:>8}  {}: {}", points(part.kind.maximum()), part.title.en, way(&part.kind))?;
    }
    let games = counted(rubric.pairings().len() as u64, "game", "games");
    let tried = match (rubric.opponents().is_empty(), rubric.has_search()) {
        (false, _) => format!("A bot plays {games} for it:"),
        (true, true) => "A bot plays no games for it, but searches:".to_owned(),
        (true, false) => return Ok(writeln!(out, "{:>8}  in all.", points(rubric.maximum()))?),
    };
    writeln!(out, "{:>8}  in all. {tried}", points(rubric.maximum()))?;
    writeln!(out, "          palestra rubric {} ./mybot", crate::contest_setup::quoted(name))?;
    Ok(())
}

/// How the points of a part come about.
fn way(kind: &PartKind) -> String {
    match kind {
        PartKind::Entered(_) => "entered by the teacher".to_owned(),
        PartKind::Beats(levels) => {
            let level = |level: &palestra_tournament::rubric::Level| {
                format!("{} for beating {} on both sides", points(level.points), level.opponent)
            };
            levels.iter().map(level).collect::<Vec<_>>().join(", else ")
        }
        PartKind::Wins { opponents, points: each } => {
            format!("{} for each win against {} on each side", points(*each), opponents.join(", "))
        }
        PartKind::Search(worth) => format!("{} if its search finds what alpha-beta finds", points(*worth)),
        PartKind::League { points: most, best_of, .. } => {
            format!("{} x points / best points in the league ({best_of})", points(*most))
        }
    }
}

/// Points in hundredths as they are written: 1.5.
fn points(hundredths: u64) -> String {
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn play(rubric: &Rubric, name: &str, bot: &str, args: &cli::Rubric, out: &mut impl Write) -> Result<()> {
    let game = game(rubric, args)?;
    let opponents = opponents(rubric, game, &args.opponent)?;
    if !rubric.tries_bots() {
        return Err(anyhow!("no part of the rubric '{name}' is about games against an opponent, or about the search"))
            .hint(|| format!("`palestra rubric {name}` says what it is about"));
    }
    catch_interrupts();
    // A built-in player may be examined by itself.
    let own = if opponents.iter().any(|name| name == bot) { format!("bot={bot}") } else { bot.to_owned() };
    let typed: Vec<&str> = std::iter::once(own.as_str()).chain(opponents.iter().map(String::as_str)).collect();
    let start = cli::Start { game, setup: args.setup.clone() };
    // The first round begins at the start position, each further one at another opening, as on the server.
    let mut contest = contest(&start, &typed, &args.conditions, 2)?;
    if let Starts::Given(starts) = &mut contest.starts {
        let rounds = rubric.games_a_side as usize - 1;
        starts.extend(any_openings(game.id())?.into_iter().take(rounds).map(GameStart::Opening));
    }
    let record = args.record.as_deref().map(RecordFile::create).transpose()?;
    let mut exam = Exam::new(rubric, &contest, typed, &args.conditions, record);
    exam.write_heading(out)?;
    let mut tasks = exam.tasks().into_iter();
    let threads = concurrency(&args.conditions)?;
    play_games(&contest, threads, &|_, _, _| {}, &mut || tasks.next(), &mut |task, played| {
        exam.add(&task, &played, out).map(ControlFlow::Continue)
    })?;
    exam.search()?;
    exam.write_summary(out)
}

/// The game that is played: the one that was asked for, or else the only one that the rubric is for.
fn game(rubric: &Rubric, args: &cli::Rubric) -> Result<&'static GameKind> {
    let only = || GameKind::find(rubric.games.first().filter(|_| rubric.games.len() == 1)?);
    let Some(game) = args.game.or_else(only) else {
        let which = if rubric.games.is_empty() { "every game".to_owned() } else { rubric.games.join(" and ") };
        return Err(anyhow!("the rubric is for {which}")).hint(|| {
            format!("say which one is played: --game {}", rubric.games.first().map_or("mancala", String::as_str))
        });
    };
    if !rubric.is_for(game.id()) {
        return Err(anyhow!("the rubric is not for {}", game.id()))
            .hint(|| format!("it is for {}", rubric.games.join(", ")));
    }
    Ok(game)
}

/// The opponents as they are looked for: built-in players by their names, house bots by the programs that were given.
fn opponents(rubric: &Rubric, game: &GameKind, given: &[String]) -> Result<Vec<String>> {
    let find = |name: &str| {
        let program = given.iter().find(|text| text.split_once('=').is_some_and(|(given, _)| given == name));
        if let Some(program) = program {
            return Ok(program.clone());
        }
        match any_player(game.id(), name, 0) {
            Ok(_) => Ok(name.to_owned()),
            Err(_) => Err(anyhow!("{} is no built-in player of {}", shown(name, 60), game.id()))
                .hint(|| format!("a house bot is given as a program: --opponent {name}=./{name}")),
        }
    };
    rubric.opponents().into_iter().map(find).collect()
}

/// The games of a rubric that are being played.
struct Exam<'a> {
    rubric: &'a Rubric,
    contest: &'a Contest,
    candidate: Candidate,
    /// The points of each game in `candidate`, the bot's first.
    scores: Vec<[i32; 2]>,
    record: Option<RecordFile>,
    faults: Faults<'a>,
    progress: RefCell<Progress>,
    width: usize,
}

impl<'a> Exam<'a> {
    fn new(
        rubric: &'a Rubric,
        contest: &'a Contest,
        typed: Vec<&'a str>,
        conditions: &'a cli::Conditions,
        record: Option<RecordFile>,
    ) -> Self {
        let names = contest.entrants.iter().map(|entrant| shown(&entrant.name, 40).to_string().chars().count());
        Self {
            rubric,
            contest,
            candidate: Candidate { has_code: true, has_memo: true, ..Candidate::default() },
            scores: vec![],
            record,
            faults: Faults::new(contest, typed, conditions),
            progress: RefCell::new(Progress::new()),
            width: names.max().unwrap_or(0),
        }
    }

    fn tasks(&self) -> Vec<Task> {
        let task = |(number, pairing): (usize, palestra_tournament::rubric::RubricPairing)| Task {
            number: number as u32,
            players: if pairing.side == Side::One { [0, 1 + pairing.opponent] } else { [1 + pairing.opponent, 0] },
            opening: pairing.round as usize,
        };
        self.rubric.pairings().into_iter().enumerate().map(task).collect()
    }

    fn write_heading(&self, out: &mut impl Write) -> Result<()> {
        let title = &self.rubric.title.en;
        let heading = match self.rubric.pairings().len() as u64 {
            0 => format!("{title}: no games"),
            games => {
                let (games, conditions) = (counted(games, "game", "games"), describe_conditions(self.contest));
                format!("{title}: {games}, {conditions}, seed {}", self.contest.seed)
            }
        };
        writeln!(out, "{}", paint(HEADING, heading))?;
        sandboxes::warn(self.contest, out)?;
        Ok(out.flush()?)
    }

    fn add(&mut self, task: &Task, played: &PlayedGame, out: &mut impl Write) -> Result<()> {
        self.progress.borrow_mut().erase();
        let side = if task.players[0] == 0 { Side::One } else { Side::Two };
        let opponent = task.players[side.other().index()] - 1;
        let result = played.verdict.result(side);
        let points = played.verdict.points;
        self.scores.push([points[side.index()], points[side.other().index()]]);
        self.candidate.games.push(RubricGame {
            number: task.number,
            opponent: self.rubric.opponents()[opponent].to_owned(),
            side,
            result,
            code: String::new(),
        });
        self.write_game(task, played, result, out)?;
        if let Some(file) = &mut self.record {
            file.add(&format!("{}\n", played.record))?;
        }
        self.faults.report(task, played, out)?;
        out.flush()?;
        let (done, all) = (self.scores.len() as u32, self.rubric.pairings().len() as u32);
        self.progress.borrow_mut().show(|| format!("{} {done} of {all} games", bar(done, all)));
        Ok(())
    }

    fn write_game(&self, task: &Task, played: &PlayedGame, result: Wdl, out: &mut impl Write) -> Result<()> {
        let [one, two] = task.players.map(|player| shown(&self.contest.entrants[player].name, 40).to_string());
        let score = format!("{}-{}", played.verdict.points[0], played.verdict.points[1]);
        let (style, word) = words(result);
        writeln!(
            out,
            "{:5}  {one:>width$} {score:^7} {two:width$}  {}, {}",
            task.number + 1,
            paint(style, word),
            describe_reason(&played.verdict.reason),
            width = self.width
        )?;
        Ok(())
    }

    /// Compares the bot's search, if the rubric asks for it and the games were not interrupted.
    fn search(&mut self) -> Result<()> {
        let is_whole = self.scores.len() == self.rubric.pairings().len();
        let EntrantKind::Program(program) = &self.contest.entrants[0].kind else { return Ok(()) };
        if !self.rubric.has_search() || !is_whole {
            return Ok(());
        }
        let usual = Limits::default();
        let limits = Limits { memory: self.contest.memory.unwrap_or(usual.memory), ..usual };
        let check = Check { kind: self.contest.kind, program, limits };
        let searched = check.search(&mut |done, all| {
            self.progress.borrow_mut().show(|| format!("{} {done} of {all} searches", bar(done, all)));
        });
        self.candidate.search = searched.or_else(with_hint)?.result();
        Ok(())
    }

    fn write_summary(&self, out: &mut impl Write) -> Result<()> {
        self.progress.borrow_mut().erase();
        let (done, all) = (self.scores.len(), self.rubric.pairings().len());
        if done < all {
            writeln!(out, "\nInterrupted after {done} of {}.", counted(all as u64, "game", "games"))?;
        }
        self.write_table(out)?;
        self.write_parts(&self.rubric.mark(&self.candidate, None), out)
    }

    /// A row an opponent, a column a side: the table of a memo.
    fn write_table(&self, out: &mut impl Write) -> Result<()> {
        let opponents = self.rubric.opponents();
        if opponents.is_empty() {
            return Ok(());
        }
        let width = opponents.iter().map(|name| name.len()).max().unwrap_or(0);
        writeln!(out, "\n{}", paint(HEADING, format!("{:width$}  {:16}as player 2", "", "as player 1")))?;
        for name in opponents {
            let [one, two] = Side::BOTH.map(|side| self.cell(name, side));
            writeln!(out, "{name:width$}  {one:16}{two}")?;
        }
        Ok(())
    }

    /// What came of the games against an opponent on a side.
    fn cell(&self, opponent: &str, side: Side) -> String {
        let games = self.candidate.games.iter().zip(&self.scores);
        let games: Vec<_> = games.filter(|(game, _)| game.opponent == opponent && game.side == side).collect();
        match &games[..] {
            [] => "not played".to_owned(),
            [(game, [own, other])] if self.rubric.games_a_side == 1 => {
                format!("{} {own}-{other}", words(game.result).1)
            }
            games => {
                let won = games.iter().filter(|(game, _)| game.result == Wdl::Win).count();
                format!("won {won} of {}", games.len())
            }
        }
    }

    fn write_parts(&self, mark: &Mark, out: &mut impl Write) -> Result<()> {
        let parts = || self.rubric.parts.iter().zip(&mark.parts);
        let titles = parts().map(|(part, _)| part.title.en.chars().count());
        let width = titles.chain([COMPUTED.len()]).max().unwrap_or(0);
        writeln!(out, "\n{}", paint(HEADING, format!("{:width$}  points    of", "")))?;
        let (mut sum, mut most) = (Ratio::ZERO, 0);
        for (part, own) in parts() {
            let shown = if is_computed(part) {
                (sum, most) = (sum + own.points, most + part.kind.maximum());
                hundredths(own.points.rounded())
            } else {
                "-".to_owned()
            };
            let maximum = points(part.kind.maximum());
            writeln!(out, "{:width$}  {shown:>6}  {maximum:>4}  {}", part.title.en, reason(part, &own.cause))?;
        }
        let rest = self.rubric.maximum() - most;
        let total = format!("{:width$}  {:>6}  {:>4}", COMPUTED, hundredths(sum.rounded()), points(most));
        let rest =
            if rest == 0 { String::new() } else { format!("  {} more by what is not played here", points(rest)) };
        writeln!(out, "{}{rest}", paint(HEADING, total))?;
        Ok(())
    }
}

/// The name of the last row: the sum of what games decide.
const COMPUTED: &str = "computed here";

/// Whether the points of a part come from games that are played here.
const fn is_computed(part: &Part) -> bool {
    matches!(part.kind, PartKind::Beats(_) | PartKind::Wins { .. } | PartKind::Search(_))
}

/// With two decimals.
fn hundredths(points: u64) -> String {
    format!("{}.{:02}", points / 100, points % 100)
}

fn reason(part: &Part, cause: &Cause) -> String {
    match cause {
        Cause::Beat(opponent) => format!("beats {opponent} on both sides"),
        Cause::BeatNone => "beats none of them on both sides".to_owned(),
        Cause::Won { won, of } => format!("{won} of {of} games won"),
        Cause::Searched(SearchResult::Right) => "its search finds what alpha-beta finds".to_owned(),
        Cause::Searched(SearchResult::Wrong) => "its search is wrong: `palestra check --search` shows where".to_owned(),
        Cause::Searched(SearchResult::Untested) => "not tested: `palestra check --search` says why".to_owned(),
        Cause::NotPlayed { missing } => format!("{} missing", counted((*missing).into(), "game is", "games are")),
        _ => way(&part.kind),
    }
}

fn words(result: Wdl) -> (Style, &'static str) {
    match result {
        Wdl::Win => (GOOD, "won"),
        Wdl::Draw => (Style::new(), "drawn"),
        Wdl::Loss => (BAD, "lost"),
    }
}
