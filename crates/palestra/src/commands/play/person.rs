//! A person at the board: a [`Seat`] that reads lines.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Result;
use palestra_arena::{Seat, think};
use palestra_games::record::RecordedMove;
use palestra_games::{AnyGame, Side};
use palestra_protocol::{Budget, Fault, GameEnd, Greeting, PlayerEvent, Turn};
use palestra_search::{AnyChoice, Worth, any_player, strong_unit};

use super::desk::{Desk, lock};
use super::input::{Command, HELP, NoLine};
use super::interrupt;
use crate::commands::show;
use crate::ui::score::outlook;
use crate::ui::style::{HEADING, HINT, owner, paint};
use crate::ui::text::{hang, paragraph, width};
use crate::ui::units::written_clock;

/// How long a hint may take.
const HINT_TIME: Duration = Duration::from_secs(2);

/// A person at the board.
pub(super) struct Person<'d, 'a, W> {
    side: Side,
    desk: &'d Mutex<Desk<'a, W>>,
    is_greeted: bool,
    question: Option<Question>,
}

/// What a person is asked.
struct Question {
    position: Box<dyn AnyGame>,
    last: Option<RecordedMove>,
    /// The side whose last move an undo takes back.
    last_decision: Option<Side>,
    asked: Instant,
    /// What was left on the clock then.
    left: Option<Duration>,
}

impl<'d, 'a, W: Write> Person<'d, 'a, W> {
    pub(super) const fn new(side: Side, desk: &'d Mutex<Desk<'a, W>>) -> Self {
        Self { side, desk, is_greeted: false, question: None }
    }

    /// Asks for a line, once, and waits a little for it.
    fn read(&mut self, wait: Duration) -> Result<Option<PlayerEvent>> {
        let Some(question) = &self.question else { return Ok(None) };
        let mut desk = lock(self.desk);
        if !desk.input.is_waiting() {
            let clock = question.left.map(|left| left.saturating_sub(question.asked.elapsed()));
            let clock = clock.map_or(String::new(), |left| format!(" ({})", written_clock(left)));
            let prompt = paint(owner(Some(self.side)), format!("{}{clock}", show::name(self.side))) + "> ";
            let Desk { out, input, .. } = &mut *desk;
            input.prompt(&prompt, *out)?;
        }
        let line = match desk.input.line(wait) {
            Ok(line) => line,
            Err(NoLine::Late) => return Ok(None),
            Err(no_line) => {
                if no_line == NoLine::Interrupted {
                    interrupt::leave_interrupted();
                } else {
                    writeln!(desk.out, "end of input")?;
                    interrupt::leave();
                }
                return Ok(None);
            }
        };
        if !desk.input.is_terminal() {
            writeln!(desk.out, "{}", line.trim())?;
        }
        question.obey(&Command::parse(&line), &mut desk)
    }
}

impl Question {
    /// Does what a person says. `None` when it is still the same turn.
    fn obey<W: Write>(&self, command: &Command, desk: &mut Desk<'_, W>) -> Result<Option<PlayerEvent>> {
        let position = &*self.position;
        match command {
            Command::Nothing => {}
            Command::Move(mv) if position.moves().contains(mv) => {
                return Ok(Some(PlayerEvent::Move { text: mv.clone(), thought: None }));
            }
            Command::Move(mv) => refuse(position, mv, desk.out)?,
            Command::Undo => match self.last_decision {
                Some(side) => return Ok(Some(PlayerEvent::TakeBack(side))),
                None => writeln!(desk.out, "There is no decision of yours to go back to.")?,
            },
            Command::Hint => hint(position, desk.out)?,
            Command::Moves => show::status(position, desk.out)?,
            Command::Board => desk.draw(position, self.last.as_ref())?,
            Command::Rules => {
                let rules: Vec<String> =
                    position.kind().about.rules.iter().map(|rule| paragraph(2, rule, width())).collect();
                writeln!(desk.out, "{}", rules.join("\n\n"))?;
            }
            Command::Resign => return Ok(Some(PlayerEvent::Resign)),
            Command::Help => {
                for (word, what) in HELP {
                    writeln!(desk.out, "  {}  {what}", paint(HEADING, format!("{word:<6}")))?;
                }
            }
            Command::Quit => interrupt::leave(),
        }
        Ok(None)
    }
}

impl<W: Write + Send> Seat for Person<'_, '_, W> {
    fn start(&mut self, _: &Greeting<'_>, _: Duration, _: Duration) {
        (self.is_greeted, self.question) = (true, None);
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        self.question = Some(Question {
            position: turn.position.boxed_clone(),
            last: turn.history.last().cloned(),
            last_decision: lock(self.desk).last_decision(turn.history),
            asked: Instant::now(),
            left: turn.budget.wall,
        });
        Ok(())
    }

    fn hear(&mut self, wait: Duration, _: &AtomicBool) -> Result<Option<PlayerEvent>, Fault> {
        if std::mem::take(&mut self.is_greeted) {
            return Ok(Some(PlayerEvent::Ready));
        }
        match self.read(wait) {
            Ok(event) => Ok(event),
            Err(error) => {
                lock(self.desk).check(Err(error));
                Ok(None)
            }
        }
    }

    fn cpu(&mut self) -> Option<Duration> {
        None
    }

    fn used(&mut self, _: Option<Duration>, _: Duration) {
        self.question = None;
    }

    fn end(&mut self, _: &GameEnd<'_>) {
        let mut desk = lock(self.desk);
        if self.question.take().is_some() && desk.input.is_waiting() {
            desk.input.cancel();
            let written = writeln!(desk.out, "too late");
            desk.check(written.map_err(Into::into));
        }
    }
}

/// Says why something is no move here. A person may always try again, whatever a program would lose.
fn refuse(position: &dyn AnyGame, mv: &str, out: &mut impl Write) -> Result<()> {
    let tried = position.boxed_clone().play(mv);
    let why = tried.map_or_else(
        |error| error.to_string(),
        |_| format!("{mv} is not legal here; legal are: {}", position.moves().join(" ")),
    );
    writeln!(out, "{}", hang(0, why.split(' '), width()))?;
    Ok(writeln!(out, "{} type help for what else you can say", paint(HINT, "hint:"))?)
}

fn hint(position: &dyn AnyGame, out: &mut impl Write) -> Result<()> {
    let mut maestro = any_player(position.kind().id(), "maestro", 0)?;
    let budget = Budget { wall: Some(HINT_TIME), ..Budget::INFINITE };
    interrupt::set_thinking(true);
    let choice = think(&mut *maestro, position, budget, interrupt::stop_thought(), &mut |_| ());
    interrupt::set_thinking(false);
    let (choice, _) = choice.expect("there is a move in a game that goes on");
    Ok(writeln!(out, "{}", hang(0, explained(position, &choice).split(' '), width()))?)
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
