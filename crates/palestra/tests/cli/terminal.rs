//! Commands on a real terminal: line editing, clocks that run out, and the line that shows how far a search is.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

/// Keys as a terminal sends them.
const ENTER: &str = "\r";
const LEFT: &str = "\x1b[D";
const UP: &str = "\x1b[A";
const BACKSPACE: &str = "\x7f";

/// A program on a terminal of its own, where the test types.
pub(crate) struct Terminal {
    /// The end at which keys are typed and the screen is read.
    screen: File,
    program: Child,
    /// All that was written on the screen, and how much of it was looked for already.
    written: String,
    seen: usize,
}

impl Terminal {
    fn play(args: &[&str]) -> Self {
        Self::run("play", args)
    }

    pub(crate) fn run(command: &str, args: &[&str]) -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let screen = openpt(flags).expect("a terminal");
        grantpt(&screen).and_then(|()| unlockpt(&screen)).expect("the terminal is ours");
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&screen, size).expect("terminals have a size");
        let end = ioctl_tiocgptpeer(&screen, flags).expect("its other end");
        let copy = || end.try_clone().expect("a file can be shared");
        let mut palestra = Command::new(env!("CARGO_BIN_EXE_palestra"));
        palestra.arg(command).args(args).env("TERM", "xterm").env_remove("COLUMNS");
        let program = palestra.stdin(copy()).stdout(copy()).stderr(copy()).spawn().expect("the program can be started");
        Self { screen: screen.into(), program, written: String::new(), seen: 0 }
    }

    /// Reads until the screen shows this text, after what was looked for before.
    pub(crate) fn read_until(&mut self, text: &str) {
        let place = loop {
            match self.written[self.seen..].find(text) {
                Some(place) => break place,
                None => assert!(self.read(), "{text:?} in {:?}", self.written),
            }
        };
        self.seen += place + text.len();
    }

    /// Reads what there is; `false` if the program has ended.
    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        // Once no program has the terminal open any more, reading fails.
        let count = self.screen.read(&mut bytes).unwrap_or_default();
        self.written.push_str(&String::from_utf8_lossy(&bytes[..count]));
        count > 0
    }

    fn press(&mut self, keys: &[&str]) {
        self.screen.write_all(keys.concat().as_bytes()).expect("the terminal takes keys");
    }

    /// Reads until the program ends.
    fn end(&mut self) -> ExitStatus {
        while self.read() {}
        self.program.wait().expect("it ends")
    }

    /// Whether the terminal echoes what is typed and hands over whole lines, as it does for other programs.
    fn is_cooked(&self) -> bool {
        let modes = tcgetattr(&self.screen).expect("terminals have modes").local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }
}

impl Drop for Terminal {
    /// A program that still runs when a test fails would think on.
    fn drop(&mut self) {
        let _ = self.program.kill();
    }
}

#[test]
fn lines_are_edited_with_and_without_a_clock() {
    for clock in [&["--clock", "1h"][..], &[]] {
        let mut terminal = Terminal::play(&[&["mancala", "me", "me", "--moves", "3"], clock].concat());
        terminal.read_until("> ");
        assert!(!terminal.is_cooked(), "the editor sees each key");
        terminal.press(&["46", LEFT, BACKSPACE, ENTER]);
        terminal.read_until("(me) played 6");
        terminal.read_until("> ");
        terminal.press(&[UP, BACKSPACE, "quit", ENTER]);
        assert!(terminal.end().success(), "{}", terminal.written);
        assert!(terminal.written.contains("The game is left unfinished."), "{}", terminal.written);
        assert!(terminal.is_cooked(), "{}", terminal.written);
    }
}

#[test]
fn a_clock_that_runs_out_leaves_the_terminal_as_it_was() {
    // The shortest is over when the editor has hardly begun.
    for clock in ["1ms", "300ms"] {
        let mut terminal = Terminal::play(&["mancala", "me", "greedy", "--clock", clock, "--color", "never"]);
        assert!(terminal.end().success(), "{}", terminal.written);
        let end = "too late\r\nSide 1's time is up: Side 2 has won\r\n";
        assert!(terminal.written.contains(end), "{:?}", terminal.written);
        assert!(terminal.is_cooked(), "{:?}", terminal.written);
        let [on, off] = ["\x1b[?2004h", "\x1b[?2004l"].map(|mode| terminal.written.matches(mode).count());
        assert_eq!((on, off), (1, 1), "bracketed paste is switched off again: {:?}", terminal.written);
    }
}

#[test]
fn ctrl_c_leaves_a_game_with_a_clock() {
    let mut terminal = Terminal::play(&["mancala", "me", "greedy", "--clock", "1h"]);
    terminal.read_until("> ");
    terminal.press(&["4\x03"]);
    assert_eq!(terminal.end().code(), Some(130), "{:?}", terminal.written);
    assert!(terminal.is_cooked() && terminal.written.contains("The game is left unfinished."), "{}", terminal.written);
}

#[test]
fn a_player_that_thinks_for_long_shows_its_depth() {
    let mut terminal = Terminal::play(&["mancala", "minimax:99:stores", "me"]);
    terminal.read_until("minimax:99:stores thinks, depth 99, ");
    terminal.read_until(" nodes, ");
    kill_process(Pid::from_child(&terminal.program), Signal::INT).expect("the program runs");
    terminal.read_until("Side 2> ");
    terminal.press(&["quit", ENTER]);
    assert!(terminal.end().success(), "{}", terminal.written);
}

#[test]
fn ctrl_c_stops_a_tree_that_takes_too_long() {
    let args = ["mancala", "--algorithm", "minimax", "--depth", "16", "--color", "never"];
    let mut terminal = Terminal::run("tree", &args);
    terminal.read_until("minimax to depth 16, ");
    kill_process(Pid::from_child(&terminal.program), Signal::INT).expect("the program runs");
    assert_eq!(terminal.end().code(), Some(130), "{}", terminal.written);
    let (_, end) = terminal.written.rsplit_once("\x1b[2K").expect("the line of progress is erased");
    assert!(end.starts_with("error: the search was stopped after "), "{end:?}");
    assert!(end.contains("hint: a smaller --depth"), "{end:?}");
}
