//! The game in progress: whose turn it is, what they do, how it ends.

use std::cell::RefCell;
use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use palestra_games::{AnyGame, Record, Side};
use palestra_search::{AnyChoice, Worth, any_player, strong_unit};

use super::Seat;
use super::clocks::{self, Clocks};
use super::input::{HELP, Input, NoLine, Say};
use crate::cli::Budget;
use crate::commands::show;
use crate::contest_setup::is_interrupted;
use crate::file::Rewritten;
use crate::ui::score::outlook;
use crate::ui::style::{HEADING, HINT, owner, paint};
use crate::ui::text::{hang, width};
use crate::ui::watch::{Live, Watch};

/// How long a hint may take.
const HINT_TIME: Duration = Duration::from_secs(2);

pub(super) struct Table<'a, W> {
    pub(super) seats: [Seat; 2],
    pub(super) record: Record,
    /// How many moves of the record were made before anybody sat down.
    pub(super) before: usize,
    pub(super) clocks: Option<Clocks>,
    /// What a built-in player may use for a move.
    pub(super) cpu: Option<Duration>,
    pub(super) input: Input,
    pub(super) file: Option<Rewritten>,
    pub(super) out: &'a mut W,
}

/// What came of a turn.
enum Turn {
    Move(String),
    /// The position is another one now.
    Undone,
    End(End),
}

/// How a game ends that does not end by its own rules.
enum End {
    Resigned(Side),
    OutOfTime(Side),
    MoveCap,
    Left,
}

impl<W: Write> Table<'_, W> {
    pub(super) fn run(mut self) -> Result<()> {
        self.save()?;
        if self.has_people() {
            self.draw()?;
        }
        while self.position().outcome().is_none() {
            if self.is_capped() {
                return self.end(&End::MoveCap);
            }
            match self.turn()? {
                Turn::Move(mv) => self.play(&mv)?,
                Turn::Undone => self.draw()?,
                Turn::End(end) => return self.end(&end),
            }
        }
        self.finish()
    }

    fn position(&self) -> &dyn AnyGame {
        self.record.position()
    }

    fn has_people(&self) -> bool {
        self.seats.iter().any(Seat::is_person)
    }

    fn is_capped(&self) -> bool {
        let cap = self.record.kind().about.move_cap;
        cap.is_some_and(|cap| self.record.moves().len() >= cap as usize)
    }

    fn turn(&mut self) -> Result<Turn> {
        let side = self.position().turn();
        if is_interrupted() {
            return Ok(Turn::End(End::Left));
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.start();
        }
        let turn = match &self.seats[side.index()] {
            Seat::Person => self.ask(side)?,
            Seat::Player(_) => Turn::Move(self.think(side)),
        };
        if is_interrupted() {
            return Ok(Turn::End(End::Left));
        }
        let in_time = self.clocks.as_mut().is_none_or(|clocks| clocks.stop(side));
        Ok(if in_time { turn } else { Turn::End(End::OutOfTime(side)) })
    }

    /// Plays a legal move, and shows it.
    fn play(&mut self, mv: &str) -> Result<()> {
        let played = self.record.play(mv)?;
        self.save()?;
        if self.has_people() {
            return self.draw();
        }
        let number = self.record.moves().len() - self.before;
        let line = show::played(&paint(owner(Some(played.side)), self.who(played.side)), mv, played);
        writeln!(self.out, "{number:>4}. {line}")?;
        Ok(self.out.flush()?)
    }

    /// A side and who plays it.
    fn who(&self, side: Side) -> String {
        let player = match &self.seats[side.index()] {
            Seat::Person => "human",
            Seat::Player(player) => player.name(),
        };
        format!("{} ({player})", show::name(side))
    }

    fn draw(&mut self) -> Result<()> {
        let last = self.record.moves().last();
        writeln!(self.out)?;
        show::board(self.record.position(), last.map(|mv| (mv.played.side, mv.text.as_str())), self.out)?;
        if let Some(mv) = last {
            let line = show::played(&self.who(mv.played.side), &mv.text, mv.played);
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    fn think(&mut self, side: Side) -> String {
        let wall = self.clocks.as_ref().map(|clocks| clocks.share(side));
        let budget = Budget { wall, cpu: self.cpu, ..Budget::default() };
        let Seat::Player(player) = &mut self.seats[side.index()] else { unreachable!("people are asked") };
        let live = RefCell::new(Live::new(format!("{} thinks", player.name())));
        let choice = player.choose(self.record.position(), &mut Watch::new(budget, &live));
        choice.expect("there is a move in a game that goes on").mv
    }

    /// Asks a person until there is a move, or no game any more.
    fn ask(&mut self, side: Side) -> Result<Turn> {
        loop {
            let left = self.clocks.as_ref().map(|clocks| clocks.left(side));
            let clock = left.map_or(String::new(), |left| format!(" ({})", clocks::written(left)));
            write!(self.out, "{}> ", paint(owner(Some(side)), format!("{}{clock}", show::name(side))))?;
            self.out.flush()?;
            let line = match self.input.line(left) {
                Ok(line) => line,
                Err(NoLine::Late) => {
                    writeln!(self.out, "too late")?;
                    return Ok(Turn::End(End::OutOfTime(side)));
                }
                Err(NoLine::Interrupted) => {
                    writeln!(self.out)?;
                    return Ok(Turn::End(End::Left));
                }
                Err(NoLine::End) => {
                    writeln!(self.out, "end of input")?;
                    return Ok(Turn::End(End::Left));
                }
            };
            if !self.input.is_terminal {
                writeln!(self.out, "{}", line.trim())?;
            }
            if let Some(turn) = self.obey(side, &Say::parse(&line))? {
                return Ok(turn);
            }
        }
    }

    /// Does what a person says. `None` when it is still the same turn.
    fn obey(&mut self, side: Side, say: &Say) -> Result<Option<Turn>> {
        match say {
            Say::Nothing => {}
            Say::Move(mv) if self.position().moves().contains(mv) => return Ok(Some(Turn::Move(mv.clone()))),
            Say::Move(mv) => self.refuse(mv)?,
            Say::Undo if self.undo()? => return Ok(Some(Turn::Undone)),
            Say::Undo => writeln!(self.out, "There is no decision of yours to go back to.")?,
            Say::Hint => self.hint()?,
            Say::Moves => show::status(self.record.position(), self.out)?,
            Say::Board => self.draw()?,
            Say::Resign => return Ok(Some(Turn::End(End::Resigned(side)))),
            Say::Help => {
                for (word, what) in HELP {
                    writeln!(self.out, "  {}  {what}", paint(HEADING, format!("{word:<6}")))?;
                }
            }
            Say::Quit => return Ok(Some(Turn::End(End::Left))),
        }
        Ok(None)
    }

    /// Says why something is no move here. A person at the board may always try again, whatever a program would lose.
    fn refuse(&mut self, mv: &str) -> Result<()> {
        let tried = self.position().boxed_clone().play(mv);
        let why = tried.map_or_else(
            |error| error.to_string(),
            |_| format!("{mv} is not legal here; legal are: {}", self.position().moves().join(" ")),
        );
        writeln!(self.out, "{}", hang(0, why.split(' '), width()))?;
        Ok(writeln!(self.out, "{} type help for what else you can say", paint(HINT, "hint:"))?)
    }

    /// Takes moves back up to the last one that a person made here. False if there is none.
    fn undo(&mut self) -> Result<bool> {
        let moves = self.record.moves();
        let decision = moves.iter().rposition(|mv| self.seats[mv.played.side.index()].is_person());
        let Some(decision) = decision.filter(|&decision| decision >= self.before) else { return Ok(false) };
        self.record.truncate(decision);
        self.save()?;
        Ok(true)
    }

    fn hint(&mut self) -> Result<()> {
        let mut maestro = any_player(self.record.kind().id(), "maestro", 0)?;
        let live = RefCell::new(Live::new("maestro thinks".to_owned()));
        let budget = Budget { wall: Some(HINT_TIME), ..Budget::default() };
        let choice = maestro.choose(self.record.position(), &mut Watch::new(budget, &live));
        drop(live);
        let choice = choice.expect("there is a move in a game that goes on");
        let text = explained(self.position(), &choice);
        Ok(writeln!(self.out, "{}", hang(0, text.split(' '), width()))?)
    }

    /// Writes the record anew after each move, so that nothing is lost if the program is ended.
    fn save(&self) -> Result<()> {
        match &self.file {
            Some(file) => file.write(&self.record.to_string()),
            None => Ok(()),
        }
    }

    /// The game ended by its own rules.
    fn finish(mut self) -> Result<()> {
        if !self.has_people() {
            self.draw()?;
        }
        self.record.set_result(self.position().points(), "finished")?;
        self.save()?;
        show::status(self.record.position(), self.out)?;
        self.farewell()
    }

    /// The game ended otherwise.
    fn end(mut self, end: &End) -> Result<()> {
        let lost = |side: Side| if side == Side::One { [0, 1] } else { [1, 0] };
        let (result, said) = match *end {
            End::Resigned(side) => {
                let said = format!("{} resigns: {} has won", show::name(side), show::name(side.other()));
                (Some((lost(side), format!("side {side} resigned"))), said)
            }
            End::OutOfTime(side) => {
                let said = format!("{}'s time is up: {} has won", show::name(side), show::name(side.other()));
                (Some((lost(side), format!("side {side} out of time"))), said)
            }
            End::MoveCap => {
                let moves = self.record.moves().len();
                (Some(([0, 0], "move cap".to_owned())), format!("{moves} moves: the game is called a draw"))
            }
            End::Left => (None, "The game is left unfinished.".to_owned()),
        };
        if let Some((points, reason)) = result {
            self.record.set_result(points, &reason)?;
        }
        self.save()?;
        writeln!(self.out, "{}", paint(HEADING, said))?;
        self.farewell()
    }

    fn farewell(self) -> Result<()> {
        match &self.file {
            Some(file) => Ok(writeln!(self.out, "The record is in '{}'.", file.path())?),
            None => Ok(()),
        }
    }
}

/// What a strong player would do, in a sentence.
fn explained(position: &dyn AnyGame, choice: &AnyChoice) -> String {
    let AnyChoice { mv, depth, line, proven, .. } = choice;
    let Some(score) = choice.score else {
        let why = if position.moves().len() == 1 { "the only move" } else { "without having had time to think" };
        return format!("maestro would play {mv}, {why}");
    };
    let then = match line.get(1..) {
        Some(then @ [_, ..]) => format!(", and expects {}", then.join(" ")),
        _ => String::new(),
    };
    let said = Worth::of_line(position, line, score, *proven, strong_unit(position.kind().id()));
    format!("maestro would play {mv}: {} ({said}), {depth} moves deep{then}", outlook(score, *proven))
}
