//! Lines from a person: a line editor on a terminal, plain lines otherwise; and the commands that they hold.

use std::io::{self, BufRead, IsTerminal, Read, Write, stdin, stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use anstream::adapter::strip_str;

use super::editor::LineEditor;

/// What a line of input means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Nothing: an empty line.
    Nothing,
    /// Anything that is not a command.
    Move(String),
    Undo,
    Hint,
    Moves,
    Board,
    Rules,
    Resign,
    Help,
    Quit,
}

impl Command {
    pub(super) fn parse(line: &str) -> Self {
        let line = line.trim();
        match line.to_ascii_lowercase().as_str() {
            "" => Self::Nothing,
            "undo" | "u" => Self::Undo,
            "hint" => Self::Hint,
            "moves" | "m" => Self::Moves,
            "board" | "b" => Self::Board,
            "rules" => Self::Rules,
            "resign" => Self::Resign,
            "help" | "h" | "?" => Self::Help,
            "quit" | "q" | "exit" => Self::Quit,
            _ => Self::Move(line.to_owned()),
        }
    }
}

/// Everything that can be said, and what it does.
pub(super) const HELP: [(&str, &str); 9] = [
    ("a move", "plays it"),
    ("moves", "lists the legal moves"),
    ("board", "draws the board again"),
    ("rules", "tells the rules of the game in short"),
    ("hint", "asks maestro, the strongest player, what it would play"),
    ("undo", "goes back to your last decision"),
    ("resign", "gives the game up"),
    ("quit", "leaves the game unfinished"),
    ("help", "shows this"),
];

/// Lines of standard input. A thread of their own reads them, so that programs and clocks are looked after in between.
pub(super) struct Input {
    source: Source,
    is_terminal: bool,
    /// Whether a line was asked for and has not come yet.
    is_waiting: bool,
}

enum Source {
    /// Lines as they come. The thread reads no more than one line ahead.
    Plain(Receiver<String>),
    /// A line editor with a history, which shows the prompt itself.
    Editor(LineEditor),
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    /// There will be none any more.
    End,
    /// There was none in time.
    Late,
    /// Ctrl-C was pressed at the prompt.
    Interrupted,
}

impl From<RecvTimeoutError> for NoLine {
    fn from(error: RecvTimeoutError) -> Self {
        match error {
            RecvTimeoutError::Timeout => Self::Late,
            RecvTimeoutError::Disconnected => Self::End,
        }
    }
}

/// More bytes than any move has, the end of the line included.
const MAX_LINE: u64 = 1000;

impl Input {
    /// With a clock the game can end while a line is edited: then only an editor that can be cancelled is used.
    pub(super) fn new(has_clock: bool) -> Self {
        let is_terminal = stdin().is_terminal();
        let editor = if is_terminal && stdout().is_terminal() { LineEditor::new(has_clock) } else { None };
        Self { source: editor.map_or_else(plain_lines, Source::Editor), is_terminal, is_waiting: false }
    }

    /// Whether input comes from a terminal. If not, what was read is written out, so that the output reads like a conversation.
    pub(super) const fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Whether a line was asked for and has not come yet.
    pub(super) const fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    /// Asks for a line.
    pub(super) fn prompt(&mut self, prompt: &str, out: &mut impl Write) -> io::Result<()> {
        self.is_waiting = true;
        match &self.source {
            Source::Plain(_) => write!(out, "{prompt}")?,
            Source::Editor(editor) => editor.ask(strip_str(prompt).to_string()),
        }
        out.flush()
    }

    /// The line that was asked for, if it comes in time.
    pub(super) fn line(&mut self, wait: Duration) -> Result<String, NoLine> {
        let line = match &self.source {
            Source::Plain(lines) => lines.recv_timeout(wait).map_err(NoLine::from),
            Source::Editor(editor) => editor.line(wait),
        };
        self.is_waiting = line == Err(NoLine::Late);
        line
    }

    /// Waits for no line any more, and leaves the terminal as it was.
    pub(super) fn cancel(&mut self) {
        if let (true, Source::Editor(editor)) = (self.is_waiting, &self.source) {
            editor.cancel();
        }
        self.is_waiting = false;
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.cancel();
    }
}

fn plain_lines() -> Source {
    let (sender, lines) = sync_channel(0);
    thread::spawn(move || {
        let mut stdin = stdin().lock();
        while let Some(line) = read_line(&mut stdin) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Source::Plain(lines)
}

/// The next line, if there is one. Of a line that is too long the rest is passed over, and dots stand for it: so it is
/// nothing that could be obeyed.
fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    input.take(MAX_LINE).read_until(b'\n', &mut bytes).ok().filter(|&read| read > 0)?;
    let is_cut = bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n");
    let mut line = String::from_utf8_lossy(&bytes).into_owned();
    if is_cut {
        line.push_str("...");
        input.skip_until(b'\n').ok()?;
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let mut input = text.as_bytes();
        std::iter::from_fn(|| read_line(&mut input)).collect()
    }

    #[test]
    fn an_overlong_line_is_one_line_and_nothing_to_obey() {
        let most = MAX_LINE as usize;
        let [long, longer] = [format!("quit{}", " ".repeat(most - 5)), format!("quit{}", " ".repeat(5000))];
        assert_eq!(lines(&format!("{long}\n3\n")), [format!("{long}\n"), "3\n".to_owned()]);
        let read = lines(&format!("{longer}undo\n3\n4"));
        assert_eq!(read.len(), 3, "{read:?}");
        assert!(read[0].len() < most + 10 && matches!(Command::parse(&read[0]), Command::Move(_)), "{read:?}");
        assert_eq!(read[1..], ["3\n", "4"]);
        assert_eq!(lines(&longer).len(), 1);
        assert_eq!(lines(""), [""; 0]);
    }

    #[test]
    fn commands_are_words_and_all_else_is_a_move() {
        assert_eq!(Command::parse(" Undo \n"), Command::Undo);
        assert_eq!(Command::parse("?"), Command::Help);
        assert_eq!(Command::parse("\n"), Command::Nothing);
        assert_eq!(Command::parse(" Y0:5\r\n"), Command::Move("Y0:5".to_owned()));
        assert_eq!(Command::parse("undo 3"), Command::Move("undo 3".to_owned()));
    }

    #[test]
    fn every_command_of_the_help_is_understood() {
        for (word, _) in &HELP[1..] {
            assert!(!matches!(Command::parse(word), Command::Move(_) | Command::Nothing), "{word}");
        }
    }
}
