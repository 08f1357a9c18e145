//! What a person says.

use std::io::{BufRead, IsTerminal, Read, stdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::contest_setup::is_interrupted;

/// What a line of input means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Say {
    /// Nothing: an empty line.
    Nothing,
    /// Anything that is not a command.
    Move(String),
    Undo,
    Hint,
    Moves,
    Board,
    Resign,
    Help,
    Quit,
}

impl Say {
    pub(super) fn parse(line: &str) -> Self {
        let line = line.trim();
        match line.to_ascii_lowercase().as_str() {
            "" => Self::Nothing,
            "undo" | "u" => Self::Undo,
            "hint" => Self::Hint,
            "moves" | "m" => Self::Moves,
            "board" | "b" => Self::Board,
            "resign" => Self::Resign,
            "help" | "h" | "?" => Self::Help,
            "quit" | "q" | "exit" => Self::Quit,
            _ => Self::Move(line.to_owned()),
        }
    }
}

/// Everything that can be said, and what it does.
pub(super) const HELP: [(&str, &str); 8] = [
    ("a move", "plays it"),
    ("moves", "lists the legal moves"),
    ("board", "draws the board again"),
    ("hint", "asks maestro, the strongest player, what it would play"),
    ("undo", "goes back to your last decision"),
    ("resign", "gives the game up"),
    ("quit", "leaves the game unfinished"),
    ("help", "shows this"),
];

/// Lines of standard input. A thread of their own reads them, so that a clock can run out in between.
pub(super) struct Input {
    lines: Receiver<String>,
    /// Whether somebody types. If not, what was read is written out, so that the output reads like a conversation.
    pub(super) is_terminal: bool,
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    /// There will be none any more.
    End,
    /// There was none in time.
    Late,
    /// Ctrl-C was pressed.
    Interrupted,
}

/// How often to look whether Ctrl-C was pressed while nothing is typed.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// More bytes than any move has, the end of the line included.
const MAX_LINE: u64 = 1000;

impl Input {
    pub(super) fn new() -> Self {
        // No line is read before it is asked for, but for the next one.
        let (sender, lines) = sync_channel(0);
        thread::spawn(move || {
            let mut stdin = stdin().lock();
            while let Some(line) = read_line(&mut stdin) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { lines, is_terminal: stdin().is_terminal() }
    }

    /// The next line, if it comes in time.
    pub(super) fn line(&self, time_left: Option<Duration>) -> Result<String, NoLine> {
        let begun = Instant::now();
        while !is_interrupted() {
            let left = time_left.map_or(Duration::MAX, |time| time.saturating_sub(begun.elapsed()));
            match self.lines.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::End),
                Err(RecvTimeoutError::Timeout) if left <= POLL_INTERVAL => return Err(NoLine::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Err(NoLine::Interrupted)
    }
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
        assert!(read[0].len() < most + 10 && matches!(Say::parse(&read[0]), Say::Move(_)), "{read:?}");
        assert_eq!(read[1..], ["3\n", "4"]);
        assert_eq!(lines(&longer).len(), 1);
        assert_eq!(lines(""), [""; 0]);
    }

    #[test]
    fn commands_are_words_and_all_else_is_a_move() {
        assert_eq!(Say::parse(" Undo \n"), Say::Undo);
        assert_eq!(Say::parse("?"), Say::Help);
        assert_eq!(Say::parse("\n"), Say::Nothing);
        assert_eq!(Say::parse(" Y0:5\r\n"), Say::Move("Y0:5".to_owned()));
        assert_eq!(Say::parse("undo 3"), Say::Move("undo 3".to_owned()));
    }

    #[test]
    fn every_command_of_the_help_is_understood() {
        for (word, _) in &HELP[1..] {
            assert!(!matches!(Say::parse(word), Say::Move(_) | Say::Nothing), "{word}");
        }
    }
}
