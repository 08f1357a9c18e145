//! The journal of a tournament: an append-only log of finished games with checksums, so that no finished game is lost
//! whatever happens to the program or the machine.
//!
//! The first line says which tournament it is; every other line is a finished game with its record. A line is a JSON
//! object whose last field is a checksum of all before it. A line that was being written when the program ended has no
//! line feed: it is left out, and the tournament goes on behind the last whole line. Anything else that does not fit is
//! damage, and is reported.

use std::collections::BTreeSet;

use palestra_games::fnv::checksum;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Finished, Plan};

/// Which tournament a journal belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The game's id.
    pub game: String,
    /// The players' names, in the order of their indices.
    pub players: Vec<String>,
    /// Who is behind each name; a program that was changed is another one.
    pub programs: Vec<String>,
    /// The key of earlier versions, whose journals can be resumed too. Not written.
    #[serde(skip)]
    pub former_programs: Vec<String>,
    /// Who plays whom.
    pub plan: Plan,
    /// All else that results depend on, such as times, as its keeper writes it.
    pub rules: String,
}

impl Header {
    /// The first line of a journal, with its line feed.
    #[must_use]
    pub fn line(&self) -> String {
        sealed(&Titled { palestra: KIND.to_owned(), version: VERSION, header: self.clone() })
    }
}

/// A finished game in a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// How it ended.
    #[serde(flatten)]
    pub finished: Finished,
    /// Its record.
    pub record: String,
}

impl Entry {
    /// The line of this game, with its line feed.
    #[must_use]
    pub fn line(&self) -> String {
        sealed(self)
    }
}

/// A journal that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    /// Which tournament it is.
    pub header: Header,
    /// The finished games, in the order in which they ended; each number once.
    pub entries: Vec<Entry>,
    /// How many bytes are whole lines: here the next line belongs, and what follows is to be cut off.
    pub usable_bytes: usize,
}

/// Why a tournament cannot go on with a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// There is nothing in it, or the first line was not finished: the tournament can begin anew.
    #[error("the journal is empty")]
    Empty,
    /// The file is not a journal.
    #[error("this is no journal of a tournament; it begins with `{0}`")]
    Foreign(String),
    /// The journal was written by a later version.
    #[error("the journal has version {0}; this program knows version {VERSION}")]
    Version(u32),
    /// A line is not what was written, or does not fit the tournament.
    #[error("line {line} of the journal is damaged: `{text}`")]
    Damaged {
        /// Which line, from 1.
        line: usize,
        /// How it begins.
        text: String,
    },
    /// The journal belongs to another tournament.
    #[error("the journal is of another tournament: its {what} is `{found}`, not `{expected}`")]
    Other {
        /// What differs.
        what: Difference,
        /// How it is in the journal.
        found: String,
        /// How it should be.
        expected: String,
    },
}

/// What tells two tournaments apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Another game is played.
    Game,
    /// Others play, or in another order.
    Players,
    /// Other programs play under the same names, or the same ones were changed.
    Programs,
    /// The pairing system differs.
    Plan,
    /// Other rules hold.
    Rules,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Game => "game",
            Self::Players => "list of players",
            Self::Programs => "list of programs",
            Self::Plan => "plan",
            Self::Rules => "list of limits",
        })
    }
}

impl Journal {
    /// Reads a journal. The bytes may be anything: they come from a file that anybody may have changed.
    pub fn read(text: &[u8]) -> Result<Self, JournalError> {
        // What follows the last line feed was being written when the program ended.
        let usable_bytes = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut lines = text[..usable_bytes].split_inclusive(|&byte| byte == b'\n').zip(1..);
        let header = match lines.next() {
            Some((line, _)) => read_header(line)?,
            None if START.as_bytes().starts_with(text) || text.starts_with(START.as_bytes()) => {
                return Err(JournalError::Empty);
            }
            None => return Err(JournalError::Foreign(beginning(text))),
        };
        let mut entries = Vec::new();
        let mut numbers = BTreeSet::new();
        for (line, number) in lines {
            let entry = read_entry(line, &header).ok_or_else(|| damaged(line, number))?;
            if numbers.insert(entry.finished.number) {
                entries.push(entry);
            }
        }
        Ok(Self { header, entries, usable_bytes })
    }

    /// Reads the journal of this tournament, in order to go on with it.
    pub fn resume(text: &[u8], expected: &Header) -> Result<Self, JournalError> {
        let journal = Self::read(text)?;
        journal.header.check(expected)?;
        Ok(journal)
    }

    /// The finished games.
    #[must_use]
    pub fn finished(&self) -> Vec<Finished> {
        self.entries.iter().map(|entry| entry.finished.clone()).collect()
    }
}

impl Header {
    /// Whether each program is the expected one, under its identity or its former one.
    fn has_programs_of(&self, expected: &Self) -> bool {
        let is_expected = |(at, program)| {
            [&expected.programs, &expected.former_programs].iter().any(|it| it.get(at) == Some(program))
        };
        self.programs.len() == expected.programs.len() && self.programs.iter().enumerate().all(is_expected)
    }

    /// Whether this is the header of the expected tournament; if not, what differs first.
    fn check(&self, expected: &Self) -> Result<(), JournalError> {
        let (what, text): (_, fn(&Self) -> String) = if self.game != expected.game {
            (Difference::Game, |header| header.game.clone())
        } else if self.players != expected.players {
            (Difference::Players, |header| header.players.join(", "))
        } else if !self.has_programs_of(expected) {
            (Difference::Programs, |header| header.programs.join(", "))
        } else if self.plan != expected.plan {
            (Difference::Plan, |header| header.plan.to_string())
        } else if self.rules != expected.rules {
            (Difference::Rules, |header| header.rules.clone())
        } else {
            return Ok(());
        };
        Err(JournalError::Other { what, found: text(self), expected: text(expected) })
    }
}

const KIND: &str = "journal";
const VERSION: u32 = 1;
/// How every journal begins, of whatever version.
const START: &str = r#"{"palestra":"journal","version":"#;
/// What comes between the fields of a line and its checksum.
const CHECKSUM_FIELD: &str = r#","sum":""#;
/// A checksum and the end of a line.
const CHECKSUM_TAIL_BYTES: usize = 16 + "\"}\n".len();

/// A header with what all journals begin with.
#[derive(Serialize, Deserialize)]
struct Titled {
    palestra: String,
    version: u32,
    #[serde(flatten)]
    header: Header,
}

/// As much of a header as any version can read.
#[derive(Deserialize)]
struct Title {
    version: u32,
}

fn read_header(line: &[u8]) -> Result<Header, JournalError> {
    if !line.starts_with(START.as_bytes()) {
        return Err(JournalError::Foreign(beginning(line)));
    }
    match unsealed::<Title>(line) {
        Some(title) if title.version != VERSION => return Err(JournalError::Version(title.version)),
        _ => {}
    }
    let header = unsealed::<Titled>(line).map(|titled| titled.header);
    header.filter(|header| header.players.len() == header.plan.players()).ok_or_else(|| damaged(line, 1))
}

/// An entry, if it can be one of this tournament.
fn read_entry(line: &[u8], header: &Header) -> Option<Entry> {
    let entry: Entry = unsealed(line)?;
    let game = &entry.finished;
    let [a, b] = game.players;
    let players = header.players.len();
    let fits = game.number < header.plan.games() && a < players && b < players && a != b;
    (fits && game.winner.is_none_or(|winner| winner < 2)).then_some(entry)
}

/// A line with its checksum.
fn sealed(object: &impl Serialize) -> String {
    let text = serde_json::to_string(object).expect("fields of text and numbers can be written");
    let body = text.strip_suffix('}').expect("an object ends with a brace");
    format!("{body}{CHECKSUM_FIELD}{:016x}\"}}\n", checksum(body.as_bytes()))
}

/// What was sealed in a line, if the line is still the same.
fn unsealed<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    let (body, seal) = line.split_at_checked(line.len().checked_sub(CHECKSUM_FIELD.len() + CHECKSUM_TAIL_BYTES)?)?;
    let expected = format!("{CHECKSUM_FIELD}{:016x}\"}}\n", checksum(body));
    if seal != expected.as_bytes() {
        return None;
    }
    serde_json::from_slice(&[body, b"}"].concat()).ok()
}

fn damaged(line: &[u8], number: usize) -> JournalError {
    JournalError::Damaged { line: number, text: beginning(line) }
}

/// As much of a line as a message can hold.
fn beginning(line: &[u8]) -> String {
    String::from_utf8_lossy(&line[..line.len().min(200)]).trim_end().chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use palestra_protocol::ForfeitKind;
    use proptest::prelude::*;

    use super::*;
    use crate::Format;
    use crate::unique_games::game;

    fn header() -> Header {
        Header {
            game: "mancala".into(),
            players: vec!["ninja1".into(), "./mi bot\n\"ñ\"".into(), "random".into()],
            programs: vec!["ninja1".into(), "./mi bot 0123456789abcdef".into(), "random".into()],
            former_programs: vec![],
            plan: Plan::new(3, Format::RoundRobin, 2, 5).expect("a plan"),
            rules: "cpu 2000".into(),
        }
    }

    fn entries() -> Vec<Entry> {
        let mut entries: Vec<_> = [game(0, [0, 1], 1), game(3, [1, 2], 0), game(1, [1, 0], -1)]
            .into_iter()
            .map(|finished| Entry { finished, record: "game mancala\nmoves 1 2 3\n".into() })
            .collect();
        entries[2].finished.forfeit = Some(ForfeitKind::Timeout);
        entries[2].finished.charged_us[1] = u64::MAX;
        entries
    }

    fn text(entries: &[Entry]) -> String {
        header().line() + &entries.iter().map(Entry::line).collect::<String>()
    }

    #[test]
    fn a_journal_reads_back_as_it_was_written() {
        let text = text(&entries());
        let journal = Journal::resume(text.as_bytes(), &header()).expect("a journal");
        assert_eq!((&journal.header, &journal.entries), (&header(), &entries()));
        assert_eq!(journal.usable_bytes, text.len());
        assert_eq!(journal.finished().len(), 3);
        assert_eq!(text.lines().count(), 4, "whatever names and records hold, a game is one line");
        assert!(text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    }

    #[test]
    fn the_format_stays_what_it_is() {
        let line = Entry { finished: game(2, [0, 1], 1), record: "r\n".into() }.line();
        let fields = r#"{"number":2,"players":[0,1],"points":[25,23],"winner":0,"charged_us":[100,200],"#;
        let rest = r#""forfeit":null,"plies":40,"record":"r\n""#;
        assert_eq!(
            line,
            format!("{fields}{rest},\"sum\":\"{:016x}\"}}\n", checksum(format!("{fields}{rest}").as_bytes()))
        );
        assert!(header().line().starts_with(START));
        // The checksums of the description of FNV, "" and "foobar".
        assert_eq!((checksum(b""), checksum(b"foobar")), (0xcbf2_9ce4_8422_2325, 0x8594_4171_f739_67e8));
    }

    #[test]
    fn a_journal_cut_anywhere_keeps_its_whole_lines() {
        let text = text(&entries());
        let first = header().line().len();
        for cut in 0..text.len() {
            let read = Journal::resume(&text.as_bytes()[..cut], &header());
            if cut < first {
                assert_eq!(read, Err(JournalError::Empty), "{cut}");
                continue;
            }
            let journal = read.expect("its header is whole");
            let whole = text[..cut].matches('\n').count();
            assert_eq!(journal.entries, entries()[..whole - 1]);
            assert_eq!(journal.usable_bytes, text[..cut].rfind('\n').expect("a line") + 1);
        }
    }

    #[test]
    fn a_tournament_goes_on_behind_the_torn_line() {
        let torn = text(&entries()).into_bytes();
        let torn = &torn[..torn.len() - 30];
        let kept = Journal::read(torn).expect("a journal").usable_bytes;
        let mut mended = torn[..kept].to_vec();
        mended.extend(entries()[2].line().bytes());
        assert_eq!(Journal::read(&mended).expect("a journal").entries, entries());
    }

    #[test]
    fn of_two_games_with_a_number_the_first_counts() {
        let mut doubled = entries();
        doubled.push(Entry { finished: game(0, [0, 1], -1), record: String::new() });
        let text = text(&doubled);
        let journal = Journal::read(text.as_bytes()).expect("a journal");
        assert_eq!((journal.entries, journal.usable_bytes), (entries(), text.len()));
    }

    #[test]
    fn other_files_are_not_taken_for_journals() {
        let read = |text: &str| Journal::read(text.as_bytes());
        assert_eq!(read(""), Err(JournalError::Empty));
        assert_eq!(read("int main() {}\n"), Err(JournalError::Foreign("int main() {}".into())));
        assert_eq!(read("no line feed"), Err(JournalError::Foreign("no line feed".into())));
        assert_eq!(read("{}\n"), Err(JournalError::Foreign("{}".into())));
        assert_eq!(read("\n"), Err(JournalError::Foreign(String::new())));
        let later = format!("{START}2,\"new\":true");
        let later = format!("{later}{CHECKSUM_FIELD}{:016x}\"}}\n", checksum(later.as_bytes()));
        assert_eq!(read(&later), Err(JournalError::Version(2)));
    }

    #[test]
    fn another_tournament_is_told_with_what_differs() {
        let check = |change: fn(&mut Header), what, expected: &str| {
            let mut other = header();
            change(&mut other);
            match Journal::resume(text(&entries()).as_bytes(), &other) {
                Err(JournalError::Other { what: found, expected: text, .. }) => {
                    assert_eq!((found, text.as_str()), (what, expected));
                }
                other => panic!("{other:?}"),
            }
        };
        check(|header| header.game = "boom".into(), Difference::Game, "boom");
        check(|header| header.players[1] = "greedy".into(), Difference::Players, "ninja1, greedy, random");
        let plan = |header: &mut Header| header.plan = Plan::new(3, Format::RoundRobin, 2, 6).expect("a plan");
        check(plan, Difference::Plan, "roundrobin of 3 players, 2 rounds, seed 6");
        check(|header| header.rules = "cpu 1000".into(), Difference::Rules, "cpu 1000");
        let changed = |header: &mut Header| header.programs[1] = "./mi bot 1".into();
        check(changed, Difference::Programs, "ninja1, ./mi bot 1, random");
    }

    #[test]
    fn a_journal_is_not_resumed_with_a_changed_program() {
        type Change = fn(&mut Header);
        let resumed = |change: Change| {
            let mut changed = header();
            change(&mut changed);
            Journal::resume(text(&entries()).as_bytes(), &changed).map(|journal| journal.entries.len())
        };
        assert_eq!(resumed(|_| ()), Ok(3), "the control");
        let changes: [(&str, Change); 7] = [
            ("the first", |header| header.programs[0].push('x')),
            ("the last", |header| header.programs[2].push('x')),
            ("another file under the same name", |header| header.programs[1] = "./mi bot 0123456789abcdee".into()),
            ("two that changed places", |header| header.programs.swap(0, 1)),
            ("one that is gone", |header| drop(header.programs.pop())),
            ("one more", |header| header.programs.push("greedy".into())),
            ("another under the former names", |header| {
                header.former_programs = vec!["ninja1".into(), "other".into(), "random".into()];
                header.programs[1] = "another".into();
            }),
        ];
        for (which, change) in changes {
            let what = match resumed(change) {
                Err(JournalError::Other { what, .. }) => Some(what),
                _ => None,
            };
            assert_eq!(what, Some(Difference::Programs), "{which}: {:?}", resumed(change));
        }
    }

    #[test]
    fn a_journal_that_names_a_program_as_before_is_resumed() {
        let mut now = header();
        now.former_programs = header().programs;
        now.programs[1] = "mi bot fedcba9876543210".into();
        let journal = Journal::resume(text(&entries()).as_bytes(), &now).expect("the same tournament");
        assert_eq!(journal.entries, entries());
        assert!(!now.line().contains("0123456789abcdef"), "a new journal has the new identities alone");
        now.former_programs.clear();
        assert!(Journal::resume(text(&entries()).as_bytes(), &now).is_err());
    }

    #[test]
    fn lines_that_fit_no_game_of_the_plan_are_damage() {
        let no_such_side = Finished { winner: Some(2), ..game(0, [0, 1], 1) };
        for wrong in [game(12, [0, 1], 1), game(0, [0, 3], 1), game(0, [1, 1], 1), no_such_side] {
            let text = text(&[entries()[0].clone(), Entry { finished: wrong, record: String::new() }]);
            assert!(matches!(Journal::read(text.as_bytes()), Err(JournalError::Damaged { line: 3, .. })));
        }
        let mut header = header();
        header.players.pop();
        assert!(matches!(Journal::read(header.line().as_bytes()), Err(JournalError::Damaged { line: 1, .. })));
    }

    #[test]
    fn every_wrong_byte_is_noticed() {
        let good = text(&entries());
        for at in 0..good.len() {
            for flip in [1, 0x20, 0x80] {
                let mut bad = good.clone().into_bytes();
                bad[at] ^= flip;
                match Journal::read(&bad) {
                    // The last line feed lost: the line looks torn.
                    Ok(journal) => assert!(at == good.len() - 1 && journal.entries == entries()[..2], "{at}"),
                    Err(error) => assert_ne!(error, JournalError::Empty, "a player could lose its games"),
                }
            }
        }
    }

    proptest! {
        #[test]
        fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Journal::read(&bytes);
        }

        #[test]
        fn no_mutation_does_harm_or_makes_up_games(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..6),
        ) {
            let mut bytes = text(&entries()).into_bytes();
            for (at, byte, kind) in changes {
                let at = at.index(bytes.len());
                match kind {
                    0 => bytes[at] = byte,
                    1 => bytes.insert(at, byte),
                    _ => drop(bytes.remove(at)),
                }
            }
            if let Ok(journal) = Journal::read(&bytes) {
                prop_assert!(journal.usable_bytes <= bytes.len());
                prop_assert!(journal.entries.iter().all(|entry| entries().contains(entry)));
            }
        }
    }
}
