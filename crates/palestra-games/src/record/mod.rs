//! Game records: header lines, a blank line, the moves; one file, many games.
//!
//! ```text
//! Game: mancala
//! Player1: house
//! Player2: greedy
//! Result: 28-20 finished
//!
//! 4 1 {a thought} 5 1 6 2 2 1 3 4 ...
//! ```
//!
//! `Game` comes first. `Options` (the default if missing) and `Position` (if the game did not begin where the options
//! say) tell where it starts, `Result` how it ended; any other header is kept as it is. A move may be followed by a note
//! in braces. Where a side that cannot act was passed over after a move, the record says `pass`. A record is always valid: reading
//! one plays it.

mod reader;

use std::fmt;

use crate::{AnyGame, GameKind, ParseError, Phrase, PlayError, Played, phrase};

const LINE_WIDTH: usize = 100;

/// A game as it was played.
#[derive(Clone, Debug)]
pub struct Record {
    options: String,
    start: Box<dyn AnyGame>,
    /// Whether the game did not begin where the options say.
    custom_start: bool,
    tags: Vec<(String, String)>,
    moves: Vec<RecordedMove>,
    game: Box<dyn AnyGame>,
    result: Option<GameResult>,
}

/// A move of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The move, as it is written.
    pub text: String,
    /// What was noted beside it.
    pub note: Option<String>,
    /// Who made it, and what it did.
    pub played: Played,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The points of both sides.
    pub points: [i32; 2],
    /// Why it ended: `finished` by the rules of the game, or in the referee's words.
    pub reason: String,
}

/// The reason of a game that ended by its own rules.
const FINISHED: &str = "finished";

/// Something that a record cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.phrase())]
pub enum RecordError {
    /// A header's name is not a word of letters and digits, or is one that the record writes itself.
    TagName(String),
    /// A header's value, a note or a reason spans lines, has control characters or braces, or blanks at its ends.
    Text(String),
    /// There is no move yet beside which to note something.
    NoMove,
    /// Points are never negative.
    Points(i32),
    /// The result does not fit the moves, which have not ended the game.
    Unfinished {
        /// What the record says.
        stated: String,
    },
    /// The result does not fit the moves, which have ended the game.
    Result {
        /// What the record says.
        stated: String,
        /// What the moves lead to.
        found: String,
    },
}

impl RecordError {
    /// What is wrong, as a clause.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::TagName(name) => {
                phrase!("record.name", "{name} cannot be the name of a header", name = format!("{name:?}"))
            }
            Self::Text(text) => phrase!("record.text", "{text} cannot stand in a record", text = format!("{text:?}")),
            Self::NoMove => phrase!("record.no_move", "there is no move yet to note something beside"),
            Self::Points(points) => {
                phrase!("record.points", "{points} points, there are no negative ones", points = *points)
            }
            Self::Unfinished { stated } => {
                phrase!(
                    "record.unfinished",
                    "the result is {stated}, but the moves do not end the game",
                    stated = stated.as_str()
                )
            }
            Self::Result { stated, found } => {
                phrase!(
                    "record.other_result",
                    "the result is {stated}, but the moves end in {found}",
                    stated = stated.as_str(),
                    found = found.as_str(),
                )
            }
        }
    }
}

impl Record {
    /// A game about to begin with these options.
    pub fn new(kind: &GameKind, options: &str) -> Result<Self, ParseError> {
        let start = (kind.start)(options)?;
        // Options that are a text of several lines are recorded as the position they make.
        let custom_start = options.contains(char::is_whitespace);
        let options = if custom_start { "-" } else { options };
        Ok(Self::begin(start, options, custom_start))
    }

    /// A game about to begin in this position.
    #[must_use]
    pub fn from_position(position: &dyn AnyGame) -> Self {
        Self::begin(position.boxed_clone(), "-", true)
    }

    fn begin(start: Box<dyn AnyGame>, options: &str, custom_start: bool) -> Self {
        let game = start.boxed_clone();
        Self { options: options.to_owned(), start, custom_start, tags: vec![], moves: vec![], game, result: None }
    }

    /// Which game it is.
    #[must_use]
    pub fn kind(&self) -> &'static GameKind {
        self.start.kind()
    }

    /// The options, one word.
    #[must_use]
    pub fn options(&self) -> &str {
        &self.options
    }

    /// How the game began, one word: its options, or the start itself if there are no options for that.
    /// [`GameKind::begin`] leads back.
    #[must_use]
    pub fn beginning(&self) -> String {
        if self.custom_start { self.start.notation() } else { self.options.clone() }
    }

    /// Where the game began.
    #[must_use]
    pub fn start(&self) -> &dyn AnyGame {
        &*self.start
    }

    /// Where it stands after the last move.
    #[must_use]
    pub fn position(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[RecordedMove] {
        &self.moves
    }

    /// How the game ended.
    #[must_use]
    pub const fn result(&self) -> Option<&GameResult> {
        self.result.as_ref()
    }

    /// The other headers, in order.
    #[must_use]
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// The value of a header.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Sets a header, in place if it is there already.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), RecordError> {
        if !is_tag_name(name) || ["Game", "Options", "Position", "Result"].contains(&name) {
            return Err(RecordError::TagName(name.to_owned()));
        }
        check_text(value)?;
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    /// Plays a move and writes it down.
    pub fn play(&mut self, mv: &str) -> Result<Played, PlayError> {
        let played = self.game.play(mv)?;
        self.moves.push(RecordedMove { text: mv.to_owned(), note: None, played });
        Ok(played)
    }

    /// Takes back all moves but the first `count`, and the result.
    pub fn truncate(&mut self, count: usize) {
        if count >= self.moves.len() {
            return;
        }
        self.moves.truncate(count);
        self.result = None;
        self.game = self.start.boxed_clone();
        for mv in &self.moves {
            self.game.play(&mv.text).expect("moves that were played once can be played again");
        }
    }

    /// The game up to a ply: where it began and its moves, without headers, notes and result.
    #[must_use]
    pub fn up_to(&self, ply: usize) -> Self {
        let mut record = Self::begin(self.start.boxed_clone(), &self.options, self.custom_start);
        for mv in self.moves.iter().take(ply) {
            record.play(&mv.text).expect("moves that were played once can be played again");
        }
        record
    }

    /// Notes something beside the last move.
    pub fn note(&mut self, note: &str) -> Result<(), RecordError> {
        self.note_at(self.moves.len().wrapping_sub(1), note)
    }

    /// Notes something beside the move at a ply, counted from 0.
    pub fn note_at(&mut self, ply: usize, note: &str) -> Result<(), RecordError> {
        check_text(note)?;
        let mv = self.moves.get_mut(ply).ok_or(RecordError::NoMove)?;
        mv.note = Some(note.to_owned());
        Ok(())
    }

    /// Says how the game ended. A game that ended by its rules has no other result than that.
    pub fn set_result(&mut self, points: [i32; 2], reason: &str) -> Result<(), RecordError> {
        check_text(reason)?;
        if let Some(&negative) = points.iter().find(|&&points| points < 0) {
            return Err(RecordError::Points(negative));
        }
        let result = GameResult { points, reason: reason.to_owned() };
        let ended = self.game.outcome().map(|_| self.game.points());
        let stated = result.to_string();
        match ended {
            Some(reached) if reason != FINISHED || points != reached => {
                let found = format!("{}-{} {FINISHED}", reached[0], reached[1]);
                Err(RecordError::Result { stated, found })
            }
            None if reason == FINISHED => Err(RecordError::Unfinished { stated }),
            _ => {
                self.result = Some(result);
                Ok(())
            }
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{} {}", self.points[0], self.points[1], self.reason)
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Game: {}", self.kind().id())?;
        if self.custom_start {
            writeln!(f, "Position: {}", self.start.notation())?;
        } else if self.options != "-" {
            writeln!(f, "Options: {}", self.options)?;
        }
        self.tags.iter().try_for_each(|(name, value)| writeln!(f, "{name}: {value}"))?;
        if let Some(result) = &self.result {
            writeln!(f, "Result: {result}")?;
        }
        let mut column = 0;
        for word in self.moves.iter().flat_map(words) {
            let gap = if column == 0 || column + 1 + word.len() > LINE_WIDTH { "\n" } else { " " };
            column = if gap == " " { column + 1 + word.len() } else { word.len() };
            write!(f, "{gap}{word}")?;
        }
        f.write_str(if self.moves.is_empty() { "" } else { "\n" })
    }
}

/// The words that stand for a move: itself, its note, a pass that followed.
fn words(mv: &RecordedMove) -> impl Iterator<Item = String> {
    let note = mv.note.as_ref().map(|note| format!("{{{note}}}"));
    let pass = mv.played.passed.then(|| "pass".to_owned());
    [Some(mv.text.clone()), note, pass].into_iter().flatten()
}

fn is_tag_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

fn check_text(text: &str) -> Result<(), RecordError> {
    let bad = text.is_empty() || text.trim() != text || text.contains(|c: char| c.is_control() || "{}".contains(c));
    if bad { Err(RecordError::Text(text.to_owned())) } else { Ok(()) }
}
