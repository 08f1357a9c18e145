//! A line editor with arrow keys and a history, on a thread of its own, so that programs and clocks are looked after while
//! a person types.

#[cfg(target_os = "linux")]
use std::io::stdin;
use std::io::{Write, stdout};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use rustyline::error::ReadlineError;
use rustyline::{DefaultEditor, Prompt};

use super::input::NoLine;

/// The line editor of the terminal.
pub(super) struct LineEditor {
    questions: Sender<Question>,
    lines: Receiver<Result<String, NoLine>>,
    /// `None` where the mode of a terminal cannot be read.
    cooked: Option<CookedMode>,
}

/// A prompt on its way to the editor.
struct Question {
    prompt: String,
    on_shown: Sender<()>,
}

impl Prompt for Question {
    /// The editor asks for the prompt when the terminal is in raw mode already. Restored earlier, the terminal would be put
    /// into raw mode after that.
    fn raw(&self) -> &str {
        // The editor asks whenever it draws the line; only the first time does anybody wait for it.
        let _ = self.on_shown.send(());
        &self.prompt
    }
}

impl LineEditor {
    /// `None` if the terminal cannot do that, or if `must_cancel` is set and [`cancel`](Self::cancel) could not restore it.
    pub(super) fn new(must_cancel: bool) -> Option<Self> {
        let cooked = CookedMode::of_terminal();
        if must_cancel && cooked.is_none() {
            return None;
        }
        let editor = DefaultEditor::new().ok()?;
        let (questions, asked) = channel();
        let (answers, lines) = channel();
        thread::spawn(move || edit(editor, &asked, &answers));
        Some(Self { questions, lines, cooked })
    }

    /// Asks for a line, and returns when the prompt is about to be shown.
    pub(super) fn ask(&self, prompt: String) {
        let (on_shown, shown) = channel();
        // If the editor is gone or fails, `on_shown` is dropped, and the line that was asked for says why there is none.
        let _ = self.questions.send(Question { prompt, on_shown });
        let _ = shown.recv();
    }

    /// The line that was asked for, if it comes in time.
    pub(super) fn line(&self, wait: Duration) -> Result<String, NoLine> {
        self.lines.recv_timeout(wait)?
    }

    /// Gives up on the line that was asked for: restores the terminal, if the editor has it in raw mode, and ends the line on
    /// it. The editor cannot be interrupted: its thread goes on waiting for keys until the program ends.
    pub(super) fn cancel(&self) {
        if self.cooked.as_ref().is_some_and(CookedMode::restore) {
            // What is written to a terminal that has gone away need not arrive.
            let _ = writeln!(stdout(), "{BRACKETED_PASTE_OFF}");
        }
    }
}

/// The editor lets the terminal tell pasted text from typed text; this ends that.
const BRACKETED_PASTE_OFF: &str = "\x1b[?2004l";

/// Answers each question with a line, until nobody asks any more.
fn edit(mut editor: DefaultEditor, asked: &Receiver<Question>, answers: &Sender<Result<String, NoLine>>) {
    for question in asked {
        let line = editor.readline(&question).map_err(|error| match error {
            ReadlineError::Interrupted => NoLine::Interrupted,
            _ => NoLine::End,
        });
        if let Ok(line) = &line {
            // A history that is full, or has the line already, is no fault.
            let _ = editor.add_history_entry(line.as_str());
        }
        if answers.send(line).is_err() {
            break;
        }
    }
}

/// The mode of the terminal before lines are edited: it echoes what is typed and hands over whole lines.
#[cfg(target_os = "linux")]
struct CookedMode(rustix::termios::Termios);

#[cfg(target_os = "linux")]
impl CookedMode {
    fn of_terminal() -> Option<Self> {
        rustix::termios::tcgetattr(stdin()).ok().map(Self)
    }

    /// Returns to this mode. `false` if the terminal was in it, as one is on which nothing can be edited, or has gone away.
    fn restore(&self) -> bool {
        use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
        let is_raw = tcgetattr(stdin()).is_ok_and(|now| now.local_modes != self.0.local_modes);
        is_raw && tcsetattr(stdin(), OptionalActions::Now, &self.0).is_ok()
    }
}

/// Elsewhere the mode of the terminal is known to the editor alone: there is no value of this type.
#[cfg(not(target_os = "linux"))]
enum CookedMode {}

#[cfg(not(target_os = "linux"))]
impl CookedMode {
    const fn of_terminal() -> Option<Self> {
        None
    }

    const fn restore(&self) -> bool {
        match *self {}
    }
}
