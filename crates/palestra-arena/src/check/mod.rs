//! Trying a program before it plays: what is wrong with it, in one sentence each.
//!
//! The program is started several times and talked with. It is asked about positions that show usual mistakes, which
//! have nothing to do with each other: a position is always told whole. Where an answer is wrong or does not come, a
//! second look tells why. If all is well it plays a game on each side.

mod diagnosis;
mod finding;
mod question;
mod search;
mod talk;
mod whole;

use std::time::{Duration, Instant};

use palestra_games::{GameKind, Side};
use palestra_protocol::{Budget, Dialect};

pub use finding::{Finding, FindingKind, Place};
pub use search::{Branch, Difference, NotTested, SEARCH_DEPTHS, SEARCHED_POSITIONS, Searched, WON};

use crate::{EntrantError, Program, Spent};
use diagnosis::{Answered, Asked, of_moves, of_stop};
use question::{Question, Questions, questions};
use talk::{Stop, Talk, monologue};

/// Total CPU time of a program in a box during one test.
const TOTAL_CPU: Duration = Duration::from_secs(600);

/// The game of the course.
const MANCALA: &str = "mancala";

/// A program to be tried at a game.
#[derive(Debug)]
pub struct Check<'a> {
    /// The game.
    pub kind: &'static GameKind,
    /// The program.
    pub program: &'a Program,
    /// The limits of the check.
    pub limits: Limits,
}

/// Limits on time and memory during a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Startup timeout.
    pub startup: Duration,
    /// Startup time above which the program is reported as slow.
    pub slow_startup: Duration,
    /// Time without an answer at the start after which a reason is looked for.
    pub answer_timeout: Duration,
    /// CPU time for a move that the program is told: less than the limit, to keep the check short.
    pub told_cpu: Duration,
    /// CPU time limit of a move.
    pub cpu: Duration,
    /// Wall-clock time limit of a move.
    pub wall: Duration,
    /// Time for the program to exit after `bye`.
    pub exit_timeout: Duration,
    /// Time after an answer in which nothing may follow.
    pub quiet: Duration,
    /// Time for comparing its search.
    pub searches: Duration,
    /// Memory limit in bytes.
    pub memory: u64,
}

impl Default for Limits {
    /// The limits of a match.
    fn default() -> Self {
        Self {
            startup: Duration::from_secs(10),
            slow_startup: Duration::from_secs(1),
            answer_timeout: Duration::from_secs(1),
            told_cpu: Duration::from_millis(100),
            cpu: Duration::from_secs(2),
            wall: Duration::from_secs(6),
            exit_timeout: Duration::from_secs(1),
            quiet: Duration::from_millis(50),
            searches: Duration::from_secs(600),
            memory: 1 << 30,
        }
    }
}

impl Limits {
    fn told(&self) -> Budget {
        Budget { cpu: Some(self.told_cpu), wall: Some(self.told_cpu * 3), ..Budget::INFINITE }
    }
}

/// One of the tests of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// The greeting.
    Start,
    /// Moves in unrelated positions, as this side.
    Positions(Side),
    /// Two turns in a row.
    ExtraTurn,
    /// Lines that a program need not know.
    Lines,
    /// Exiting at the end.
    End,
    /// A whole game, as this side.
    Game(Side),
    /// The time that moves took.
    Time,
}

impl Test {
    /// The tests, in their order.
    pub const ALL: [Self; 9] = [
        Self::Start,
        Self::Positions(Side::One),
        Self::ExtraTurn,
        Self::Positions(Side::Two),
        Self::Lines,
        Self::End,
        Self::Game(Side::One),
        Self::Game(Side::Two),
        Self::Time,
    ];

    /// What a program that passes can do.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Start => "starts, and says that it is ready",
            Self::Positions(Side::One) => "answers as side 1: at the start, in the middle, with one legal move",
            Self::Positions(Side::Two) => "answers as side 2, from positions that it has not seen before",
            Self::ExtraTurn => "answers a second turn in a row",
            Self::Lines => "answers ping, and ignores what it does not know",
            Self::End => "ends when it is told to",
            Self::Game(Side::One) => "plays a game as side 1 against random",
            Self::Game(Side::Two) => "plays a game as side 2 against random",
            Self::Time => "keeps to its time",
        }
    }
}

/// An event during a check, for progress output.
#[derive(Debug)]
pub enum News {
    /// A test begins.
    Begins(Test),
    /// Something was found.
    Found(Finding),
    /// A whole game was played, as this side.
    Played(Side, Ended),
    /// The test found nothing.
    Passed(Test),
}

/// How a whole game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The points of both sides.
    pub points: [i32; 2],
}

/// The summary of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of errors.
    pub wrong: u32,
    /// Number of warnings.
    pub warnings: u32,
    /// The longest time that a move took.
    pub slowest: Duration,
}

impl Check<'_> {
    /// What a program of the Mancala course says it is called; `None` if it does not say.
    pub fn own_name(&self) -> Result<Option<String>, EntrantError> {
        let process = self.program.start(Some(self.limits.memory), TOTAL_CPU)?;
        let mut talk = Talk::new(process, self.program.dialect, self.limits);
        talk.say("PING\nGETNAME\nEND\n");
        // It may print other lines, but the answers come in this order.
        let lines = talk.hang_up().lines;
        let name = lines.iter().skip_while(|line| !is_pong(line)).nth(1);
        Ok(name.map(|name| name.trim().to_owned()))
    }

    /// Tries the program, and tells what is found as it is found. Tests that make no sense after that are left out. An
    /// error is one of starting the program.
    pub fn run(&self, tell: &mut dyn FnMut(News)) -> Result<Summary, EntrantError> {
        let questions = questions(self.kind);
        let mut run = Run { check: self, questions: &questions, summary: Summary::default(), tell };
        for test in Test::ALL {
            let is_basic = matches!(test, Test::Start | Test::Positions(Side::One));
            let is_last = matches!(test, Test::Game(_) | Test::Time);
            if (is_last && run.summary.wrong > 0) || (self.program.dialect == Dialect::Course && test == Test::Lines) {
                continue;
            }
            let wrong = run.summary.wrong;
            run.test(test)?;
            if is_basic && run.summary.wrong > wrong {
                break;
            }
        }
        Ok(run.summary)
    }
}

struct Run<'a> {
    check: &'a Check<'a>,
    questions: &'a [Questions; 2],
    summary: Summary,
    tell: &'a mut dyn FnMut(News),
}

/// Why a test ended early.
enum Bad {
    Found(Box<Finding>),
    Failed(EntrantError),
}

impl From<EntrantError> for Bad {
    fn from(error: EntrantError) -> Self {
        Self::Failed(error)
    }
}

impl From<Finding> for Bad {
    fn from(finding: Finding) -> Self {
        Self::Found(Box::new(finding))
    }
}

impl From<Box<Finding>> for Bad {
    fn from(finding: Box<Finding>) -> Self {
        Self::Found(finding)
    }
}

impl Run<'_> {
    fn test(&mut self, test: Test) -> Result<(), EntrantError> {
        (self.tell)(News::Begins(test));
        let before = self.summary;
        let tested = match test {
            Test::Start => self.start(),
            Test::Positions(side) => self.positions(side),
            Test::ExtraTurn => self.extra_turn(),
            Test::Lines => self.lines(),
            Test::End => self.end(),
            Test::Game(side) => self.game(side),
            Test::Time => self.time(),
        };
        match tested {
            Ok(()) => {}
            Err(Bad::Found(finding)) => self.found(*finding),
            Err(Bad::Failed(error)) => return Err(error),
        }
        if (before.wrong, before.warnings) == (self.summary.wrong, self.summary.warnings) {
            (self.tell)(News::Passed(test));
        }
        Ok(())
    }

    fn found(&mut self, finding: Finding) {
        let count = if finding.kind.is_warning() { &mut self.summary.warnings } else { &mut self.summary.wrong };
        *count += 1;
        (self.tell)(News::Found(finding));
    }

    const fn dialect(&self) -> Dialect {
        self.check.program.dialect
    }

    const fn limits(&self) -> Limits {
        self.check.limits
    }

    fn talk(&self) -> Result<Talk, EntrantError> {
        let process = self.check.program.start(Some(self.limits().memory), TOTAL_CPU)?;
        Ok(Talk::new(process, self.dialect(), self.limits()))
    }

    /// Starts the program and greets it for this side.
    fn begin(&self, side: Side) -> Result<Talk, Bad> {
        let mut talk = self.talk()?;
        talk.greet(self.check.kind, side, "");
        match talk.await_ready(self.limits().startup) {
            Ok(()) => Ok(talk),
            Err(stop) => Err(of_stop(&mut talk, stop, Asked::Hello, self.dialect()).into()),
        }
    }

    fn ask(&mut self, talk: &mut Talk, asked: Asked<'_>, question: &Question) -> Result<String, Bad> {
        let answer = talk.ask(question);
        self.summary.slowest = self.summary.slowest.max(talk.slowest);
        answer.map_err(|stop| of_stop(talk, stop, asked, self.dialect()).into())
    }

    fn start(&mut self) -> Result<(), Bad> {
        let limits = self.limits();
        let begun = Instant::now();
        let mut talk = self.talk()?;
        talk.greet(self.check.kind, Side::One, "");
        let first = talk.await_ready(limits.answer_timeout.min(limits.startup));
        let ready = match first {
            Err(Stop::Silent(_)) if talk.unfinished().is_empty() => self.wait_longer(&mut talk, begun)?,
            other => other,
        };
        if let Err(stop) = ready {
            // At other games a program of the course is not detected before; silent ones were asked above.
            if self.check.kind.id() != MANCALA && !matches!(stop, Stop::Silent(_)) && self.pong()?.is_some() {
                return Err(self.other_game().into());
            }
            return Err(of_stop(&mut talk, stop, Asked::Hello, self.dialect()).into());
        }
        let took = begun.elapsed();
        let detail =
            format!("it was ready after {:.1} s, and has {:.0} s", took.as_secs_f64(), limits.startup.as_secs_f64());
        if took > limits.startup {
            return Err(Finding::new(FindingKind::LateReady, detail).into());
        }
        if took > limits.slow_startup {
            self.found(Finding::new(FindingKind::SlowStart, detail));
        }
        Ok(())
    }

    /// The program has been silent for a while. Perhaps it is slow; meanwhile another process of it may tell why.
    fn wait_longer(&mut self, talk: &mut Talk, begun: Instant) -> Result<Result<(), Stop>, Bad> {
        let reason = self.reason_of_silence()?;
        // It began earlier than the other process: if it is only slow, it is ready by now or soon.
        let ready = talk.await_ready(self.limits().answer_timeout);
        match (ready, reason) {
            (Err(Stop::Silent(_)), Some(finding)) => return Err(finding.into()),
            (Err(Stop::Silent(_)), None) => {}
            (other, _) => return Ok(other),
        }
        // A late program is not a silent one: it has a little longer than it should have.
        let limits = self.limits();
        let wait = limits.startup.saturating_sub(begun.elapsed()) + limits.answer_timeout;
        Ok(talk.await_ready(wait))
    }

    /// Tells a program everything without waiting for answers, and then ends its input.
    fn reason_of_silence(&self) -> Result<Option<Finding>, Bad> {
        let question = Question::start(self.check.kind);
        let mut talk = self.talk()?;
        talk.say(&monologue(self.dialect(), self.check.kind, &question, self.limits().told()));
        match talk.await_ready(self.limits().answer_timeout) {
            Ok(()) => {
                let detail = "it was ready only after it was told the game: answer hello at once";
                return Ok(Some(Finding::new(FindingKind::LateReady, detail)));
            }
            Err(Stop::Silent(_)) => {}
            Err(_) => return Ok(None),
        }
        if let Some(line) = talk.dismiss().lines.into_iter().find(|line| is_first_answer(line)) {
            return Ok(Some(Finding::new(FindingKind::NoFlush, "this came only when its input ended").wrote(&line)));
        }
        // A program of the course that does not flush is taken for one of protocol 1 that is silent.
        Ok(self.pong()?.map(|line| match self.check.kind.id() {
            MANCALA => Finding::new(FindingKind::NoFlush, "this came only when it ended").wrote(&line),
            _ => self.other_game(),
        }))
    }

    fn other_game(&self) -> Finding {
        let detail = format!("it answers PING with PONG, and this is {}", self.check.kind.about.name);
        Finding::new(FindingKind::OtherGame, detail)
    }

    /// How the program answers PING if it is one of the course, at the latest when it ends.
    fn pong(&self) -> Result<Option<String>, EntrantError> {
        let mut talk = self.talk()?;
        talk.say("PING\nEND\n");
        Ok(talk.hang_up().lines.into_iter().find(|line| is_pong(line)))
    }

    /// Asks about positions that have nothing to do with each other, and looks for the rule behind wrong answers.
    fn positions(&mut self, side: Side) -> Result<(), Bad> {
        let mut talk = self.begin(side)?;
        let start = (side == Side::One).then(|| Question::start(self.check.kind));
        let mut answers = vec![];
        for (index, question) in start.iter().chain(&self.questions[side.index()].apart).enumerate() {
            let mv = self.ask(&mut talk, Asked::Turn(question), question)?;
            if index == 0 {
                let quiet = self.look(&mut talk, side);
                quiet.map_err(|stop| of_stop(&mut talk, stop, Asked::Turn(question), self.dialect()))?;
            }
            answers.push(Answered { question, mv });
        }
        if let Some(finding) = of_moves(&answers) {
            return Err(Finding { stderr: talk.stderr(), ..finding }.into());
        }
        let wrong: Vec<&Answered<'_>> = answers.iter().filter(|answer| !answer.is_legal()).collect();
        match self.without_rule(side, &wrong)? {
            Some(finding) => Err(Finding { stderr: talk.stderr(), ..finding }.into()),
            None => Ok(()),
        }
    }

    /// Sees what follows an answer: nothing should be said, and nothing computed. Cleaning up takes a little, so only
    /// who goes on with it is told, and once is enough.
    fn look(&mut self, talk: &mut Talk, side: Side) -> Result<(), Stop> {
        let quiet = self.limits().quiet;
        // Who waits for a CPU would compute if it had one.
        let is_busy = |spent: Spent| spent.cpu.is_some_and(|cpu| cpu + spent.waited > quiet / 5);
        if !is_busy(talk.look(quiet)?) || side == Side::Two {
            return Ok(());
        }
        let spent = talk.look(quiet)?;
        if is_busy(spent) {
            let cpu = spent.cpu.unwrap_or_default().as_millis();
            let detail = format!("in {} ms off turn it used {cpu} ms of CPU time", quiet.as_millis());
            self.found(Finding::new(FindingKind::OffTurn, detail));
        }
        Ok(())
    }

    /// Wrong moves without a rule. If a new process answers the same questions right, the old one remembered too much.
    fn without_rule(&mut self, side: Side, wrong: &[&Answered<'_>]) -> Result<Option<Finding>, Bad> {
        let Some(first) = wrong.first() else { return Ok(None) };
        let mut is_stale = true;
        for answer in wrong {
            let mut talk = self.begin(side)?;
            let again = talk.ask(answer.question);
            is_stale &= again.is_ok_and(|mv| answer.question.is_legal(&mv));
        }
        let detail = if is_stale {
            format!("it played {} here, after other positions; a new process of it plays a legal move", first.mv)
        } else {
            format!("it played {}", palestra_protocol::shown(&first.mv, 60))
        };
        let kind = match self.dialect() {
            _ if is_stale => FindingKind::Stale,
            // Nobody means such a pit: something was printed in the line of the answer.
            Dialect::Course if first.mv.len() > 1 => FindingKind::Noise,
            _ => FindingKind::Illegal,
        };
        Ok(Some(first.finding(kind, detail)))
    }

    /// Asks twice in a row: again after a move that keeps the turn, or in another position if there is no such move.
    fn extra_turn(&mut self) -> Result<(), Bad> {
        let mut talk = self.begin(Side::One)?;
        let [Questions { again, apart }, _] = self.questions;
        let (first, other) = match (again, &apart[..]) {
            (Some(question), _) => (question, None),
            (None, [first, second, ..]) => (first, Some(second)),
            _ => return Ok(()),
        };
        let mv = self.ask(&mut talk, Asked::Turn(first), first)?;
        let after = first.after(&mv);
        let Some(second) = after.as_ref().or(other) else {
            let answer = Answered { question: first, mv };
            return Err(answer.finding(FindingKind::Illegal, format!("it played {}", answer.mv)).into());
        };
        let mv = self.ask(&mut talk, Asked::SecondTurn(second), second)?;
        let answer = Answered { question: second, mv };
        if answer.is_legal() {
            return Ok(());
        }
        let whose = if second.others().contains(&answer.mv) { ", a move of the other side" } else { "" };
        let detail = format!("at the second of two turns in a row it played {}{whose}", answer.mv);
        Err(Finding { stderr: talk.stderr(), ..answer.finding(FindingKind::ExtraTurn, detail) }.into())
    }

    /// Says an option and a ping, each in a talk with one turn: whatever comes of them is a warning, because the same
    /// talk went well without them, and a second turn in a row is another matter.
    fn lines(&mut self) -> Result<(), Bad> {
        let question = Question::start(self.check.kind);
        let mut talk = self.talk()?;
        talk.greet(self.check.kind, Side::One, "option style bold\n");
        let answered = talk.await_ready(self.limits().startup).and_then(|()| talk.ask(&question));
        if let Err(stop) = answered {
            self.warn(FindingKind::Option, &mut talk, stop, &question);
        }
        let mut talk = self.begin(Side::One)?;
        talk.ping();
        match talk.ask(&question) {
            Ok(_) if talk.pongs > 0 => {}
            Ok(_) => self.found(Finding::new(FindingKind::Ping, "ping 1 was to be answered with pong 1")),
            Err(stop) if talk.pongs > 0 => {
                return Err(of_stop(&mut talk, stop, Asked::Turn(&question), self.dialect()).into());
            }
            Err(stop) => self.warn(FindingKind::Ping, &mut talk, stop, &question),
        }
        Ok(())
    }

    fn warn(&mut self, kind: FindingKind, talk: &mut Talk, stop: Stop, question: &Question) {
        let finding = of_stop(talk, stop, Asked::Turn(question), self.dialect());
        self.found(Finding { kind, place: None, ..finding });
    }

    /// Ends the program with `bye`, and once more by closing its input, which the course's own programs do not handle.
    fn end(&mut self) -> Result<(), Bad> {
        let farewell = self.begin(Side::One)?.dismiss();
        if !farewell.has_ended {
            self.found(self.stays(FindingKind::Stays, farewell.cpu));
        } else if self.dialect() == Dialect::One {
            let farewell = self.begin(Side::One)?.hang_up();
            if !farewell.has_ended {
                self.found(self.stays(FindingKind::PastEnd, farewell.cpu));
            }
        }
        Ok(())
    }

    fn stays(&self, kind: FindingKind, cpu: Duration) -> Finding {
        let grace = self.limits().exit_timeout;
        let how = if cpu > grace / 2 { ", and kept a core busy" } else { "" };
        Finding::new(kind, format!("it was still there after {} ms{how}", grace.as_millis()))
    }

    fn game(&mut self, side: Side) -> Result<(), Bad> {
        let limits = self.limits();
        let process = self.check.program.start(Some(limits.memory), TOTAL_CPU)?;
        let (ended, slowest) = whole::against_random(self.check, process, side)?;
        (self.tell)(News::Played(side, ended));
        self.summary.slowest = self.summary.slowest.max(slowest);
        Ok(())
    }

    fn time(&mut self) -> Result<(), Bad> {
        let (limits, slowest) = (self.limits(), self.summary.slowest);
        let took = slowest.as_millis();
        if slowest > limits.cpu {
            let detail = format!("a move took {took} ms, and may take {}", limits.cpu.as_millis());
            return Err(Finding::new(FindingKind::Time, detail).into());
        }
        if slowest > limits.told_cpu {
            let detail = format!("it was told to take {} ms for a move, and took {took}", limits.told_cpu.as_millis());
            return Err(Finding::new(FindingKind::Slow, detail).into());
        }
        Ok(())
    }
}

/// Whether a line is what either protocol wants to hear first.
fn is_first_answer(line: &str) -> bool {
    line.trim() == "ready" || is_pong(line)
}

fn is_pong(line: &str) -> bool {
    line.trim().eq_ignore_ascii_case("PONG")
}
