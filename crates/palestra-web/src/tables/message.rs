//! The JSON messages between a table and browsers, over a WebSocket.
//!
//! A browser opens `/t/CODE/live`, and after a drop `/t/CODE/live?since=SEQ`. It is sent everything after that number,
//! or if that is too long ago, or it has seen nothing yet, [`ToClient::Table`]. From then on each [`Message`] comes as
//! it happens, with a `seq` that counts up by one. Seats are 0 and 1, and keep their numbers; who plays which side
//! changes from game to game. Scenes and steps are those of [`crate::board`].

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A command of a browser.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(crate) enum Command {
    /// Makes a move: its text, as the scene's choices have it, and the number of moves made before it.
    Move {
        ply: usize,
        text: String,
    },
    Chat {
        text: String,
    },
    /// Takes a seat; guests say how they want to be called.
    Sit {
        seat: usize,
        nickname: Option<String>,
    },
    /// Leaves a seat, before a game has begun.
    Leave,
    Resign,
    /// Offers a draw, or agrees to one.
    Draw,
    DeclineDraw,
    /// Asks to take back one's last move, or lets the other do so.
    TakeBack,
    DeclineTakeBack,
    /// Wants another game, sides changed.
    Rematch,
}

/// An event at a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum Message {
    /// A seat was taken or became free.
    Seat {
        seat: usize,
        holder: Holder,
    },
    /// A game begins.
    Began {
        /// The number of the game, from 1.
        number: u32,
        board: Board,
    },
    Moved {
        /// The seat that moved.
        seat: usize,
        text: String,
        /// The steps from the previous scene to the present one, for the animation.
        steps: Value,
        board: Board,
    },
    /// A player's last move, and all moves after it, were taken back.
    TakenBack {
        seat: usize,
        board: Board,
    },
    TakeBackAsked {
        seat: usize,
    },
    TakeBackDeclined {
        seat: usize,
    },
    DrawOffered {
        seat: usize,
    },
    DrawDeclined {
        seat: usize,
    },
    Chat(ChatLine),
    /// A player disconnected, and forfeits unless back within this time.
    Dropped {
        seat: usize,
        within_ms: u64,
    },
    Back {
        seat: usize,
    },
    Ended(Ended),
    RematchAsked {
        seat: usize,
    },
}

/// A message to a browser.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum ToClient<'a> {
    /// An event with its sequence number.
    Numbered {
        seq: u64,
        #[serde(flatten)]
        message: &'a Message,
    },
    /// A snapshot of the table; `is` is `table`.
    Table { is: &'static str, seq: u64, table: Box<View> },
    /// The seats that are this visitor's; `is` is `you`. Comes before everything else, and again when that changes.
    You { is: &'static str, seats: Vec<usize> },
    /// A command was refused: why, in the visitor's language; `is` is `refused`.
    Refused { is: &'static str, text: String },
    /// The current clocks; `is` is `clocks`. Sent after a reconnection, and when a program starts to think.
    Clocks { is: &'static str, turn: Option<usize>, clocks: Clocks },
    /// The number of connected clients; `is` is `watching`.
    Watching { is: &'static str, count: usize },
    /// A keep-alive: a browser that hears nothing for long knows that the connection is lost; `is` is `alive`.
    Alive { is: &'static str },
}

/// A snapshot of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct View {
    pub(crate) code: String,
    pub(crate) game: &'static str,
    /// The options, or the name of the map.
    pub(crate) options: String,
    pub(crate) clock: ClockView,
    pub(crate) is_public: bool,
    pub(crate) is_rated: bool,
    /// How many games a match has, 1 or 2.
    pub(crate) games: u32,
    pub(crate) seats: [Holder; 2],
    /// `waiting`, `playing` or `over`.
    pub(crate) status: &'static str,
    /// Which game it is, from 1; 0 before the first.
    pub(crate) number: u32,
    /// The board, also before the first game.
    pub(crate) board: Board,
    /// All moves of the game so far, with the seat that made each.
    pub(crate) moves: Vec<(usize, String)>,
    pub(crate) draw_offered: Option<usize>,
    pub(crate) take_back_asked: Option<usize>,
    pub(crate) rematch_asked: [bool; 2],
    /// How the last game ended, once it is over.
    pub(crate) ended: Option<Ended>,
    pub(crate) chat: Vec<ChatLine>,
    /// Time that an absent player has to come back.
    pub(crate) absence_ms: u64,
}

/// The occupant of a seat, as clients see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Holder {
    /// `open`, `reserved`, `account`, `guest`, `built_in` or `program`.
    pub(crate) kind: &'static str,
    /// The nickname, or the name of the player; of a reserved seat, for whom.
    pub(crate) name: String,
    /// Whether the player is connected.
    pub(crate) is_present: bool,
}

/// The state of the board. Its layout, the same in all games of a table, is served apart: the table's page has the
/// address.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Board {
    /// The number of moves made.
    pub(crate) ply: usize,
    /// Which seat plays side 1 (the other plays side 2): owner 0 of a scene is side 1.
    pub(crate) first: usize,
    /// The seat whose turn it is; none when the game is over or has not begun.
    pub(crate) turn: Option<usize>,
    /// The scene; null in messages that were made while there were no spectators, which are never sent.
    pub(crate) scene: Value,
    pub(crate) clocks: Clocks,
}

/// The time that each seat has left when the message is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Clocks {
    pub(crate) left_ms: Option<[u64; 2]>,
    /// Whether the clock of the side to move runs.
    pub(crate) is_running: bool,
}

/// The time control.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ClockView {
    /// `none`, `turn` or `game`.
    pub(crate) kind: &'static str,
    /// The time for a move or for the game.
    pub(crate) ms: u64,
    /// The increment for each move.
    pub(crate) increment_ms: u64,
}

/// A line of the chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChatLine {
    pub(crate) name: String,
    /// The speaker's seat, if they have one.
    pub(crate) seat: Option<usize>,
    pub(crate) text: String,
    pub(crate) at_ms: i64,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ended {
    /// The address of the kept game: `/games/CODE`.
    pub(crate) game: String,
    /// The seat that won.
    pub(crate) winner: Option<usize>,
    /// The points of each seat.
    pub(crate) points: [i32; 2],
    /// `finished`, `resigned`, `agreed`, `timeout`, ...: a word for which pages have a text.
    pub(crate) reason: String,
    /// The score of the match so far: games won by each seat, and drawn.
    pub(crate) wins: [u32; 2],
    pub(crate) draws: u32,
    /// The points of each seat in all games of the match.
    pub(crate) total: [i32; 2],
    /// Whether the match is over too.
    pub(crate) is_last: bool,
}
