//! What can be wrong with a program: a sentence each, with what to do about it.

use palestra_protocol::Dialect;

/// Something that is wrong with a program, or that could be better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of the problem.
    pub kind: FindingKind,
    /// What happened this time, without a full stop.
    pub detail: String,
    /// The line that the program wrote, if that was the problem.
    pub line: Option<String>,
    /// The position in which it happened, and the legal moves.
    pub place: Option<Place>,
    /// The last of what the program wrote on stderr.
    pub stderr: String,
}

/// Where something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The position.
    pub position: String,
    /// The legal moves.
    pub legal: Vec<String>,
}

impl Finding {
    pub(super) fn new(kind: FindingKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), line: None, place: None, stderr: String::new() }
    }

    pub(super) fn wrote(mut self, line: &str) -> Self {
        self.line = Some(line.to_owned());
        self
    }
}

/// All that can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// No answer to the greeting.
    NoReady,
    /// An answer to the greeting, but too late.
    LateReady,
    /// The program ended before it was ready.
    EndsFirst,
    /// A program of the Mancala course, at another game.
    OtherGame,
    /// Startup in time, but slow.
    SlowStart,
    /// Output that is not flushed: it comes only when the program ends.
    NoFlush,
    /// An answer without its newline.
    NoNewline,
    /// Something on stdout that is no answer.
    Noise,
    /// An `info` line that cannot be parsed.
    Info,
    /// Something else about itself than its name, or its name too late.
    Id,
    /// An answer in other words.
    WrongWord,
    /// A line of the protocol that was not asked for.
    Unasked,
    /// Two moves for one turn.
    TwoMoves,
    /// Moves that are all one too low, or one too high.
    IndexBase,
    /// Moves of the other side.
    WrongSide,
    /// Moves that fit to another position than the one it was told.
    Stale,
    /// Moves that are not legal.
    Illegal,
    /// No answer to a second turn in a row, or not from its own side.
    ExtraTurn,
    /// No answer to a turn.
    NoAnswer,
    /// The program ended before it was told to.
    Crash,
    /// Too much memory.
    Memory,
    /// Too long a line, or too many of them.
    Output,
    /// Too much time for a move.
    Time,
    /// More time than it was told, but not too much.
    Slow,
    /// The program computes on the opponent's turn.
    OffTurn,
    /// The program does not exit after `bye`.
    Stays,
    /// The program does not exit when its input ends.
    PastEnd,
    /// No answer to a ping.
    Ping,
    /// Troubled by a line that it does not know.
    Option,
}

impl FindingKind {
    /// All kinds, in the order in which they are looked for.
    pub const ALL: [Self; 29] = [
        Self::NoReady,
        Self::LateReady,
        Self::EndsFirst,
        Self::OtherGame,
        Self::SlowStart,
        Self::NoFlush,
        Self::NoNewline,
        Self::Noise,
        Self::Info,
        Self::Id,
        Self::WrongWord,
        Self::Unasked,
        Self::TwoMoves,
        Self::IndexBase,
        Self::WrongSide,
        Self::Stale,
        Self::Illegal,
        Self::ExtraTurn,
        Self::NoAnswer,
        Self::Crash,
        Self::Memory,
        Self::Output,
        Self::Time,
        Self::Slow,
        Self::OffTurn,
        Self::Stays,
        Self::PastEnd,
        Self::Ping,
        Self::Option,
    ];

    /// A word for it, for texts in other languages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NoReady => "no_ready",
            Self::LateReady => "late_ready",
            Self::EndsFirst => "ends_first",
            Self::OtherGame => "other_game",
            Self::SlowStart => "slow_start",
            Self::NoFlush => "no_flush",
            Self::NoNewline => "no_newline",
            Self::Noise => "noise",
            Self::Info => "info",
            Self::Id => "id",
            Self::WrongWord => "wrong_word",
            Self::Unasked => "unasked",
            Self::TwoMoves => "two_moves",
            Self::IndexBase => "index_base",
            Self::WrongSide => "wrong_side",
            Self::Stale => "stale",
            Self::Illegal => "illegal",
            Self::ExtraTurn => "extra_turn",
            Self::NoAnswer => "no_answer",
            Self::Crash => "crash",
            Self::Memory => "memory",
            Self::Output => "output",
            Self::Time => "time",
            Self::Slow => "slow",
            Self::OffTurn => "off_turn",
            Self::Stays => "stays",
            Self::PastEnd => "past_end",
            Self::Ping => "ping",
            Self::Option => "option",
        }
    }

    /// Whether this is a warning: it does not lose games.
    #[must_use]
    pub const fn is_warning(self) -> bool {
        matches!(self, Self::SlowStart | Self::Slow | Self::OffTurn | Self::Ping | Self::Option)
    }

    /// What is wrong, and what to do about it.
    #[must_use]
    pub const fn sentence(self, dialect: Dialect) -> &'static str {
        match dialect {
            Dialect::One => self.sentence_one(),
            Dialect::Course => self.sentence_course(),
        }
    }

    const fn sentence_one(self) -> &'static str {
        match self {
            Self::NoReady => "It does not answer hello: write the line ready, and flush it.",
            Self::LateReady => "It is ready too late: answer hello first, and do what takes long at your first turn.",
            Self::EndsFirst => "It ends before it is ready: what it wrote on stderr says why.",
            Self::OtherGame => "This looks like a program of the Mancala course: it plays only Mancala.",
            Self::SlowStart => "It starts slowly: every game begins with a new process, so do less before ready.",
            Self::NoFlush => {
                "It does not flush its output: flush after every line, with flush=True in Python, endl in C++."
            }
            Self::NoNewline => "It leaves out the newline after an answer: print whole lines.",
            Self::Noise => "It writes other text to stdout: write debug output to stderr.",
            Self::Info => {
                "Its info cannot be read: it has depth, score (a number), states, pv, text, and no nodes, time or cp."
            }
            Self::Id => "Its id line is out of place: there is only id name NAME, before ready.",
            Self::WrongWord => "It answers in other words: hello is answered with ready, go with move and the move.",
            Self::Unasked => "It writes when it is not asked: answer hello with one ready, and each go with one move.",
            Self::TwoMoves => "It sends more than one move: answer each go with one, even if your turn goes on.",
            Self::IndexBase => "It counts from another number than the game: write moves exactly as legal lists them.",
            Self::WrongSide => "It plays for the other side: look at the seat in game, and at the turn in position.",
            Self::Stale => "It remembers what it should not: take the whole board from position at every turn.",
            Self::Illegal => "It plays a move that is not legal: choose one from the legal line.",
            Self::ExtraTurn => "It does not expect another turn of its own: answer every go, turns need not alternate.",
            Self::NoAnswer => "It does not answer: write a move after each go, within the time that go tells.",
            Self::Crash => "It ends too early: read lines until bye, and look at what it says on stderr.",
            Self::Memory => "It uses too much memory: make its tables smaller.",
            Self::Output => "It writes too much: a line may have 4,096 bytes, and a game 1 MiB of them.",
            Self::Time => "It takes too long for a move: look at the time that go tells, and stop before it is over.",
            Self::Slow => "It exceeds the time it is told: look at the number after cpu in go.",
            Self::OffTurn => "It computes on the opponent's turn: it is stopped then, and the time is charged.",
            Self::Stays => "It does not end when it is told bye: leave the loop there.",
            Self::PastEnd => "It does not end when its input ends: leave the loop when there is no line to read.",
            Self::Ping => "It does not answer ping: write pong and the same word.",
            Self::Option => "It fails on a line that it does not know: ignore such lines, later versions have more.",
        }
    }

    const fn sentence_course(self) -> &'static str {
        match self {
            Self::NoReady => "It does not answer PING with PONG and SETPLAYER with OK: both are needed before a game.",
            Self::Noise => "It prints on cout, which the course forbids because its simulator reads stdout: use cerr.",
            Self::WrongWord => "It answers in other words: GETMOVE is answered with a number from 1 to 6 alone.",
            Self::Unasked => "It writes when it is not asked: each word of the simulator has one line of answer.",
            Self::TwoMoves => {
                "It sends more than one move: answer each GETMOVE with one, and print nothing else on cout."
            }
            Self::IndexBase => "It counts from another number than the game: pits are 1 to 6, 1 next to your granary.",
            Self::WrongSide => "It plays for the other side: use getPlayer() and getCurrentPlayer().",
            Self::Stale => "It remembers what it should not: take the board from the state that nextMove is given.",
            Self::Illegal => "It plays an empty pit or no move, which loses 48-0: choose a pit with seeds.",
            Self::ExtraTurn => "It does not expect another turn of its own: answer every GETMOVE.",
            Self::NoAnswer => "It does not answer: write a number after each GETMOVE, within the time of TIMEOUT.",
            Self::Crash => "It ends too early: stay until END, and look at what it says on stderr.",
            Self::Time => "It takes too long for a move: look at getTimeOut(), and stop before it is over.",
            Self::Slow => "It exceeds the time it is told: look at getTimeOut().",
            Self::Stays => "It does not end when it is told END: leave the loop there.",
            other => other.sentence_one(),
        }
    }
}
