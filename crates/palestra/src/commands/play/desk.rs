//! What is shown of a game at the terminal, and where its record is kept.

use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use palestra_arena::{GameEvent, PlayedGame, Reason};
use palestra_games::record::RecordedMove;
use palestra_games::{AnyGame, Record, Side};
use palestra_protocol::{Fault, ForfeitKind, shown};

use super::input::Input;
use super::{Player, interrupt, narration};
use crate::commands::show;
use crate::file::Rewritten;
use crate::ui::style::{HEADING, owner, paint};

/// How much of a program's words is shown when it fails.
const MAX_SHOWN: usize = 300;
const MAX_STDERR_LINES: usize = 6;

pub(super) struct Desk<'a, W> {
    pub(super) out: &'a mut W,
    pub(super) input: Input,
    names: [String; 2],
    is_person: [bool; 2],
    /// How many moves of the record were made before the game began here.
    before: usize,
    /// What the last move did.
    effects: Vec<String>,
    file: Option<Rewritten>,
    /// Why nothing can be shown or kept any more.
    failure: Option<anyhow::Error>,
}

/// The desk, whatever happened to another thread that used it.
pub(super) fn lock<'d, 'a, W>(desk: &'d Mutex<Desk<'a, W>>) -> MutexGuard<'d, Desk<'a, W>> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, W: Write> Desk<'a, W> {
    pub(super) fn new(
        players: &[Player; 2],
        record: &Record,
        file: Option<Rewritten>,
        has_clock: bool,
        out: &'a mut W,
    ) -> Self {
        let names = [0, 1].map(|index| players[index].name.clone());
        let is_person = [0, 1].map(|index| players[index].is_person());
        let before = record.moves().len();
        let input = Input::new(has_clock);
        Self { out, input, names, is_person, before, effects: vec![], file, failure: None }
    }

    /// Shows where the game begins.
    pub(super) fn begin(&mut self, record: &Record) -> Result<()> {
        self.keep(record)?;
        if self.has_people() { self.draw(record.position(), record.moves().last()) } else { Ok(()) }
    }

    /// Keeps and shows what happened. If that fails, the game is left.
    pub(super) fn on_event(&mut self, record: &Record, event: &GameEvent<'_>) {
        let shown = match event {
            GameEvent::Moved(_) => self.moved(record),
            GameEvent::TakenBack => {
                self.keep(record).and_then(|()| self.draw(record.position(), record.moves().last()))
            }
            GameEvent::Asked | GameEvent::Thought(..) => Ok(()),
        };
        self.check(shown);
    }

    /// Leaves the game if something could not be shown or kept.
    pub(super) fn check(&mut self, shown: Result<()>) {
        if let Err(error) = shown {
            interrupt::leave();
            self.failure.get_or_insert(error);
        }
    }

    fn moved(&mut self, record: &Record) -> Result<()> {
        self.keep(record)?;
        let Some(last) = record.moves().last() else { return Ok(()) };
        if self.has_people() {
            return self.draw(record.position(), Some(last));
        }
        let number = record.moves().len() - self.before;
        let who = paint(owner(Some(last.played.side)), self.who(last.played.side));
        let line = self.described(&who, last);
        writeln!(self.out, "{number:>4}. {line}")?;
        Ok(self.out.flush()?)
    }

    pub(super) fn has_people(&self) -> bool {
        self.is_person.contains(&true)
    }

    /// A side and who plays it.
    fn who(&self, side: Side) -> String {
        format!("{} ({})", show::name(side), self.names[side.index()])
    }

    /// Who played what, and what that did.
    fn described(&self, who: &str, mv: &RecordedMove) -> String {
        let line = show::played(who, &mv.text, mv.played);
        if self.effects.is_empty() { line } else { format!("{line}: {}", self.effects.join(", ")) }
    }

    /// Draws the board, with the names of the players and the last move.
    pub(super) fn draw(&mut self, position: &dyn AnyGame, last: Option<&RecordedMove>) -> Result<()> {
        let name = |side: Side| paint(owner(Some(side)), format!("{}: {}", show::name(side), self.names[side.index()]));
        let names = format!("{}   {}", name(Side::One), name(Side::Two));
        writeln!(self.out, "\n  {names}\n")?;
        show::board(position, last.map(|mv| (mv.played.side, mv.text.as_str())), self.out)?;
        if let Some(mv) = last {
            let line = self.described(&self.who(mv.played.side), mv);
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    /// The side that made the last decision which a person can take back.
    pub(super) fn last_decision(&self, history: &[RecordedMove]) -> Option<Side> {
        let own = history.get(self.before..)?;
        own.iter().rfind(|mv| self.is_person[mv.played.side.index()]).map(|mv| mv.played.side)
    }

    /// Keeps the record, and what its last move did.
    fn keep(&mut self, record: &Record) -> Result<()> {
        let moves = record.moves();
        self.effects = moves.split_last().map_or_else(Vec::new, |(last, before)| {
            narration::effects(record.up_to(before.len()).position(), &last.text)
        });
        self.save(record)
    }

    /// Writes the record anew after each move, so that nothing is lost if the program is ended.
    fn save(&self, record: &Record) -> Result<()> {
        match &self.file {
            Some(file) => file.write(&record.to_string()),
            None => Ok(()),
        }
    }

    /// Says how the game ended; `None` if it was left.
    pub(super) fn finish(mut self, played: Option<PlayedGame>) -> Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        match &played {
            Some(played) => self.conclude(played)?,
            None => {
                if self.input.is_waiting() {
                    writeln!(self.out)?;
                }
                writeln!(self.out, "{}", paint(HEADING, "The game is left unfinished."))?;
            }
        }
        match &self.file {
            Some(file) => Ok(writeln!(self.out, "The record is in '{}'.", file.path())?),
            None => Ok(()),
        }
    }

    fn conclude(&mut self, played: &PlayedGame) -> Result<()> {
        let PlayedGame { record, verdict, .. } = played;
        self.save(record)?;
        if !self.has_people() {
            self.draw(record.position(), record.moves().last())?;
        }
        let name = |side: Option<Side>| side.map_or(String::new(), show::name);
        let (winner, loser) = (name(verdict.winner), name(verdict.winner.map(Side::other)));
        let said = match &verdict.reason {
            Reason::Finished => return Ok(show::status(record.position(), self.out)?),
            Reason::Capped => format!("{} moves: the game is called a draw", record.moves().len()),
            Reason::Agreed => "The game is a draw by agreement".to_owned(),
            Reason::Resigned => format!("{loser} resigns: {winner} has won"),
            Reason::Forfeit(fault) => return self.blame(played, fault, &loser, &winner),
        };
        Ok(writeln!(self.out, "{}", paint(HEADING, said))?)
    }

    /// Says why a player has lost by its own fault.
    fn blame(&mut self, played: &PlayedGame, fault: &Fault, loser: &str, winner: &str) -> Result<()> {
        let side = played.verdict.winner.map_or(Side::One, Side::other);
        if self.is_person[side.index()] && fault.kind == ForfeitKind::Timeout {
            return Ok(writeln!(self.out, "{}", paint(HEADING, format!("{loser}'s time is up: {winner} has won")))?);
        }
        let said = format!("{} has lost by {}: {}", self.who(side), fault.kind, shown(&fault.detail, MAX_SHOWN));
        writeln!(self.out, "{}", paint(HEADING, said))?;
        if let Some(line) = &fault.line {
            writeln!(self.out, "  {:10}{}", "it wrote", shown(line, MAX_SHOWN))?;
        }
        let lines: Vec<&str> = played.stderr[side.index()].lines().collect();
        for (index, line) in lines[lines.len().saturating_sub(MAX_STDERR_LINES)..].iter().enumerate() {
            writeln!(self.out, "  {:10}{}", if index == 0 { "stderr" } else { "" }, shown(line, MAX_SHOWN))?;
        }
        Ok(())
    }
}
