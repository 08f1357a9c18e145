//! From what a program did to what is wrong with it.

use std::time::Duration;

use palestra_protocol::message::FromBot;
use palestra_protocol::{Dialect, Fault, ForfeitKind, ProtocolError};

use super::finding::{Finding, FindingKind};
use super::question::Question;
use super::talk::{Stop, Talk};
use crate::Spent;

/// What the program was to answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked<'a> {
    /// The greeting.
    Hello,
    /// A turn.
    Turn(&'a Question),
    /// A turn right after another one.
    SecondTurn(&'a Question),
}

impl<'a> Asked<'a> {
    const fn question(self) -> Option<&'a Question> {
        match self {
            Self::Hello => None,
            Self::Turn(question) | Self::SecondTurn(question) => Some(question),
        }
    }

    fn legal(self) -> &'a [String] {
        self.question().map_or(&[], |question| &question.legal)
    }
}

/// What it means that an answer did not come. The talk is over then.
pub(super) fn of_stop(talk: &mut Talk, stop: Stop, asked: Asked<'_>, dialect: Dialect) -> Finding {
    let finding = match stop {
        Stop::Silent(spent) => of_silence(talk, spent, asked, dialect),
        Stop::Protocol(fault) => of_protocol_error(talk, &fault, asked, dialect),
        Stop::Gone(fault) => of_end(talk, &fault, asked, dialect),
    };
    Finding { place: asked.question().map(Question::place), stderr: talk.stderr(), ..finding }
}

fn of_silence(talk: &mut Talk, spent: Spent, asked: Asked<'_>, dialect: Dialect) -> Finding {
    let rest = talk.unfinished();
    if !rest.is_empty() {
        return Finding::new(FindingKind::NoNewline, "it wrote this, and the line did not end").wrote(&rest);
    }
    let limit = talk.wall();
    let lines = talk.dismiss().lines;
    if let Some(line) = lines.iter().find(|line| is_answer(line, dialect)) {
        return Finding::new(FindingKind::NoFlush, "this came only when it was sent away").wrote(line);
    }
    match asked {
        Asked::Hello => Finding::new(FindingKind::NoReady, "nothing came"),
        Asked::SecondTurn(_) => {
            Finding::new(FindingKind::ExtraTurn, "the second of two turns in a row was not answered")
        }
        Asked::Turn(_) => Finding::new(FindingKind::NoAnswer, of_silent_turn(spent, limit)),
    }
}

/// How a turn passed that was not answered. A program that ran or waited for a CPU for most of the time was thinking.
fn of_silent_turn(spent: Spent, limit: Duration) -> String {
    let limit = limit.as_millis();
    let was_busy = spent.slept() < spent.wall / 2;
    let what = match spent.cpu {
        None => return format!("nothing came within {limit} ms"),
        Some(_) if was_busy => format!("it was still computing after {limit} ms"),
        Some(_) => format!("nothing came within {limit} ms, and it was not even computing"),
    };
    format!("{what}: {spent}")
}

/// Whether a line is an answer to a turn.
fn is_answer(line: &str, dialect: Dialect) -> bool {
    match dialect {
        Dialect::One => matches!(FromBot::parse(line), Ok(FromBot::Move(_) | FromBot::Ready)),
        Dialect::Course => is_number(line.trim()),
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The program is gone.
fn of_end(talk: &mut Talk, fault: &Fault, asked: Asked<'_>, dialect: Dialect) -> Finding {
    let finding = of_fault(fault, asked.legal(), dialect);
    if !matches!((asked, finding.kind), (Asked::Hello, FindingKind::Crash)) {
        return finding;
    }
    let silent = if talk.stderr().trim().is_empty() { ", and wrote nothing on stderr" } else { "" };
    Finding::new(FindingKind::EndsFirst, format!("{}{silent}", finding.detail))
}

fn of_protocol_error(talk: &mut Talk, fault: &ProtocolError, asked: Asked<'_>, dialect: Dialect) -> Finding {
    if fault.is_too_much() {
        return Finding::new(FindingKind::Output, fault.to_string());
    }
    let line = fault.line().unwrap_or_default();
    let kind = match (fault, asked) {
        (ProtocolError::Unasked { .. }, Asked::Hello) => FindingKind::Unasked,
        (ProtocolError::Unasked { .. }, _) => of_unasked(line, dialect),
        (ProtocolError::Unknown { .. }, Asked::Hello) if dialect == Dialect::Course => of_greeting(talk, line),
        _ => of_unknown(line, asked, dialect),
    };
    // A program of the course that answers rightly as well has printed something for itself.
    let is_besides = kind == FindingKind::WrongWord && dialect == Dialect::Course;
    let is_besides = is_besides && talk.is_answered(|line| is_answer(line, dialect));
    let kind = if is_besides { FindingKind::Noise } else { kind };
    let detail = match fault {
        ProtocolError::Unasked { expected: why, .. } | ProtocolError::Unknown { why, .. } => (*why).to_owned(),
        ProtocolError::Line(_) => fault.to_string(),
    };
    Finding::new(kind, detail).wrote(line)
}

/// A wrong answer to the course's greeting: if the right one follows, or ends the line, something else was printed
/// before it.
fn of_greeting(talk: &mut Talk, line: &str) -> FindingKind {
    let is_right = |line: &str| ["PONG", "OK"].iter().any(|word| line.trim_end().ends_with(word));
    if is_right(line) || talk.is_confirmed(is_right) { FindingKind::Noise } else { FindingKind::NoReady }
}

/// A line when it was not its turn.
fn of_unasked(line: &str, dialect: Dialect) -> FindingKind {
    match dialect {
        Dialect::One => match FromBot::parse(line) {
            Ok(FromBot::Move(_)) => FindingKind::TwoMoves,
            Ok(FromBot::Name(_)) => FindingKind::Id,
            _ => FindingKind::Unasked,
        },
        Dialect::Course if is_number(line.trim()) => FindingKind::TwoMoves,
        Dialect::Course => FindingKind::Noise,
    }
}

/// A line that is none of the protocol: a known word with something wrong after it, an answer in other words, or
/// something else altogether.
fn of_unknown(line: &str, asked: Asked<'_>, dialect: Dialect) -> FindingKind {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let Some(kind) = words.first().and_then(|word| of_known(word, dialect)) {
        return kind;
    }
    let is_meant = match (asked, &words[..]) {
        (Asked::Hello, [word]) => word.to_ascii_lowercase().starts_with("ready"),
        (_, [word]) if dialect == Dialect::Course => word.len() <= 2 && word.ends_with(|c: char| c.is_ascii_digit()),
        (_, [word]) => asked.legal().iter().any(|mv| mv == word) || is_number(word),
        (_, [first, ..]) => MEANT.contains(&first.trim_end_matches(':').to_ascii_lowercase().as_str()),
        (_, []) => false,
    };
    if is_meant { FindingKind::WrongWord } else { FindingKind::Noise }
}

/// What is wrong with a line that begins with this word and cannot be read.
fn of_known(word: &str, dialect: Dialect) -> Option<FindingKind> {
    match (dialect, word) {
        (Dialect::One, "info") => Some(FindingKind::Info),
        (Dialect::One, "id") => Some(FindingKind::Id),
        _ => None,
    }
}

/// How lines begin that were meant for an answer, in small letters.
const MEANT: [&str; 10] = ["move", "bestmove", "play", "plays", "mv", "moves", "mueve", "jugada", "movimiento", "info"];

/// What a fault in a game means.
pub(super) fn of_fault(fault: &Fault, legal: &[String], dialect: Dialect) -> Finding {
    let line = fault.line.as_deref().unwrap_or_default();
    let kind = match fault.kind {
        ForfeitKind::Illegal => FindingKind::Illegal,
        ForfeitKind::Timeout => FindingKind::NoAnswer,
        ForfeitKind::Budget => FindingKind::Time,
        ForfeitKind::Memory => FindingKind::Memory,
        ForfeitKind::Output => FindingKind::Output,
        ForfeitKind::Startup => FindingKind::LateReady,
        ForfeitKind::Protocol if FromBot::parse(line).is_ok() => of_unasked(line, dialect),
        ForfeitKind::Protocol if legal.iter().any(|mv| mv == line.trim()) => FindingKind::WrongWord,
        ForfeitKind::Protocol => {
            let word = line.split_whitespace().next().unwrap_or_default();
            of_known(word, dialect).unwrap_or(FindingKind::Noise)
        }
        ForfeitKind::Crash | ForfeitKind::Disconnect | ForfeitKind::Security => FindingKind::Crash,
    };
    let finding = Finding::new(kind, fault.detail.clone());
    if line.is_empty() { finding } else { finding.wrote(line) }
}

/// A question, and what was answered.
#[derive(Clone, Debug)]
pub(super) struct Answered<'a> {
    pub(super) question: &'a Question,
    pub(super) mv: String,
}

impl Answered<'_> {
    pub(super) fn is_legal(&self) -> bool {
        self.question.is_legal(&self.mv)
    }

    pub(super) fn finding(&self, kind: FindingKind, detail: impl Into<String>) -> Finding {
        Finding { place: Some(self.question.place()), ..Finding::new(kind, detail) }
    }
}

/// The rule behind wrong moves, if there is one that fits to every answer.
pub(super) fn of_moves(answers: &[Answered<'_>]) -> Option<Finding> {
    let mut wrong = answers.iter().filter(|answer| !answer.is_legal());
    let (first, second) = (wrong.next()?, wrong.next());
    for (shift, word) in [(1, "low"), (-1, "high")] {
        let fits = |answer: &Answered<'_>| shifted(&answer.mv, shift).is_some_and(|mv| answer.question.is_legal(&mv));
        if second.is_some() && answers.iter().all(fits) {
            let detail = format!("all its moves are one too {word}: it played {}", first.mv);
            return Some(first.finding(FindingKind::IndexBase, detail));
        }
    }
    let is_others = |answer: &Answered<'_>| answer.question.others().contains(&answer.mv);
    answers.iter().all(is_others).then(|| {
        let detail = format!("it played {}, which only the other side could", first.mv);
        first.finding(FindingKind::WrongSide, detail)
    })
}

/// The move with this added to its first number.
fn shifted(mv: &str, by: i64) -> Option<String> {
    let start = mv.find(|c: char| c.is_ascii_digit())?;
    let end = mv[start..].find(|c: char| !c.is_ascii_digit()).map_or(mv.len(), |length| start + length);
    let number: i64 = mv[start..end].parse().ok()?;
    Some(format!("{}{}{}", &mv[..start], number.checked_add(by)?, &mv[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_had_no_cpu_is_not_said_to_be_idle() {
        let ms = Duration::from_millis;
        let told = |cpu: Option<u64>, waited| {
            of_silent_turn(Spent { wall: ms(6000), cpu: cpu.map(ms), waited: ms(waited) }, ms(6000))
        };
        let spent = "it computed 1.3 s, slept 0.1 s, waited 4.6 s for a CPU";
        assert_eq!(told(Some(1300), 4600), format!("it was still computing after 6000 ms: {spent}"));
        assert_eq!(told(Some(5900), 0), "it was still computing after 6000 ms: it computed 5.9 s and slept 0.1 s");
        let idle = "nothing came within 6000 ms, and it was not even computing: it computed 0.1 s and slept 5.9 s";
        assert_eq!(told(Some(100), 0), idle);
        assert_eq!(told(None, 0), "nothing came within 6000 ms");
    }
}
