//! The JSON messages between a table and browsers, over a WebSocket: a tagged enum for each direction.
//!
//! A browser opens `/t/CODE/live`, and after a drop `/t/CODE/live?since=SEQ`. It is sent all events after that number,
//! or if that is too long ago, or it has seen nothing yet, [`ToClient::Table`]. From then on each event comes as it
//! happens, with a `seq` that counts up by one and the [`State`] of the table after it: a browser keeps the last state
//! and draws it. Seats are 0 and 1, and keep their numbers; who plays which side changes from game to game. Scenes and
//! steps are those of [`crate::board`].

use std::time::Duration;

use palestra_arena::{Reason, Referee};
use palestra_games::Side;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::event::{ChatLine, Event};
use super::seat_choice::SeatChoice;
use super::setup::milliseconds;

/// A command of a browser.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
    /// Lets a program or a built-in player move in place of the person: a number of moves, or to the end of the game.
    StandIn {
        player: SeatChoice,
        moves: Option<u32>,
    },
    /// The person moves again.
    StopStandIn,
    /// Gives a seat to a program, a built-in player or oneself, also in the middle of a game.
    SetPlayer {
        seat: usize,
        player: SeatChoice,
    },
    /// Changes the sides of the two seats in the middle of the game.
    ChangeSides,
    /// Begins the game anew, with the same sides.
    Restart,
    /// Opens a new table that begins from the position on the board.
    PlayFromHere,
}

/// A message to a browser.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum ToClient<'a> {
    /// A snapshot of the table.
    Table { seq: u64, table: Box<View> },
    /// Who this visitor is at the table. Comes before everything else, and again when that changes.
    You(You),
    /// A command was refused: why, in the visitor's language.
    Refused { text: String },
    /// The current clocks. Sent after a reconnection, and when a program starts to think.
    Clocks { turn: Option<usize>, clocks: Clocks },
    /// The number of spectators; the players are not counted.
    Watching { count: usize },
    /// The table that a command has opened.
    Opened { code: String },
    /// A keep-alive: a browser that hears nothing for long knows that the connection is lost.
    Alive,
    /// An event: `is` is its own tag.
    #[serde(untagged)]
    Happened(Box<Happened<'a>>),
}

/// A visitor at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct You {
    /// The visitor's seats.
    pub(crate) seats: Vec<usize>,
    /// Whether they opened the table.
    pub(crate) is_host: bool,
}

/// An event, with its number and the table after it. When several events are sent at once, the state is the last one's
/// in all of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Happened<'a> {
    pub(crate) seq: u64,
    #[serde(flatten)]
    pub(crate) event: &'a Event,
    pub(crate) state: State,
    /// The steps of the move from the previous scene to the present one, for the animation; empty for a move that was
    /// missed.
    #[serde(skip_serializing_if = "Value::is_null")]
    #[cfg_attr(test, ts(type = "Step[]", optional))]
    pub(crate) steps: Value,
}

/// A snapshot of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
    /// With the scene, also before the first game.
    pub(crate) state: State,
    /// All moves of the game so far, with the seat that made each.
    pub(crate) moves: Vec<(usize, String)>,
    pub(crate) chat: Vec<ChatLine>,
    /// Time that an absent player has to come back.
    pub(crate) absence_ms: u64,
}

/// Everything about a table that changes, except moves and chat, which grow.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct State {
    pub(crate) status: Status,
    /// Which game it is, from 1; 0 before the first.
    pub(crate) number: u32,
    /// The number of moves made.
    pub(crate) ply: usize,
    /// Which seat plays side 1 (the other plays side 2): owner 0 of a scene is side 1.
    pub(crate) first: usize,
    /// The seat whose turn it is; none when the game is over or has not begun.
    pub(crate) turn: Option<usize>,
    pub(crate) seats: [Holder; 2],
    /// The points on the board of each seat, if the game counts them while it is played.
    pub(crate) points: Option<[i32; 2]>,
    pub(crate) clocks: Clocks,
    pub(crate) draw_offered: Option<usize>,
    pub(crate) take_back_asked: Option<usize>,
    pub(crate) rematch_asked: [bool; 2],
    /// How the last game ended, once it is over.
    pub(crate) ended: Option<Ended>,
    /// Whether no more than one person plays, and not for a rating: then players can be chosen and stand in.
    pub(crate) is_solo: bool,
    /// Who moves in place of the person.
    pub(crate) stand_in: Option<StandInView>,
    /// The scene, if the board has changed. Its layout, the same in all games of a table, is served apart: the table's
    /// page has the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "Scene", optional))]
    pub(crate) scene: Option<Value>,
}

/// The phase of a table, as clients see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Waiting,
    Playing,
    Over,
}

/// The occupant of a seat, as clients see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Holder {
    pub(crate) kind: HolderKind,
    /// The nickname, or the name of the player; of a reserved seat, for whom.
    pub(crate) name: String,
    /// Whether the player is connected.
    pub(crate) is_present: bool,
}

/// The kind of a seat's occupant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum HolderKind {
    Open,
    Reserved,
    Account,
    Guest,
    BuiltIn,
    Program,
}

impl HolderKind {
    pub(crate) const fn is_person(self) -> bool {
        matches!(self, Self::Account | Self::Guest)
    }
}

/// The player that moves in place of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StandInView {
    pub(crate) name: String,
    /// The number of moves that it still makes; none until the end of the game.
    pub(crate) moves: Option<u32>,
}

/// The times of both seats when the message is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Clocks {
    /// What each has left of its time, where time counts.
    pub(crate) left_ms: Option<[u64; 2]>,
    /// What was charged to each so far, in a game that the server plays by itself.
    pub(crate) used_ms: Option<[u64; 2]>,
    /// Whether the clock of the side to move runs.
    pub(crate) is_running: bool,
}

impl Clocks {
    /// What a referee's clocks show, for seats that play these sides.
    pub(crate) fn of(referee: &Referee, sides: [Side; 2], now: Duration) -> Self {
        let [one, two] = sides.map(|side| referee.left(side, now).map(milliseconds));
        Self { left_ms: one.zip(two).map(<[u64; 2]>::from), used_ms: None, is_running: referee.is_running() }
    }

    /// The same for a game that the server plays by itself: seats are sides there.
    pub(crate) fn with_used(referee: &Referee, now: Duration) -> Self {
        let used_ms = Some(referee.charged().map(milliseconds));
        Self { used_ms, ..Self::of(referee, Side::BOTH, now) }
    }
}

/// The time control.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ClockView {
    pub(crate) kind: ClockKind,
    /// The time for a move or for the game.
    pub(crate) ms: u64,
    /// The increment for each move.
    pub(crate) increment_ms: u64,
}

/// What a clock counts: nothing, each turn, or the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClockKind {
    None,
    Turn,
    Game,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Ended {
    /// The address of the kept game: `/games/CODE`.
    pub(crate) game: String,
    /// The seat that won.
    pub(crate) winner: Option<usize>,
    /// The points of each seat.
    pub(crate) points: [i32; 2],
    #[cfg_attr(test, ts(type = "EndReason"))]
    pub(crate) reason: EndReason,
    /// The score of the match so far: games won by each seat, and drawn.
    pub(crate) wins: [u32; 2],
    pub(crate) draws: u32,
    /// The points of each seat in all games of the match.
    pub(crate) total: [i32; 2],
    /// Whether the match is over too.
    pub(crate) is_last: bool,
}

/// Why a game ended: the word of the referee's [`Reason`], which has details besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct EndReason(&'static str);

impl EndReason {
    /// The word of the reason, as in records.
    pub(crate) const fn word(self) -> &'static str {
        self.0
    }
}

impl From<&Reason> for EndReason {
    fn from(reason: &Reason) -> Self {
        Self(reason.word())
    }
}

impl<'de> Deserialize<'de> for EndReason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let known = Reason::words().find(|known| *known == word);
        known.map(Self).ok_or_else(|| D::Error::custom("there is no such reason"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_read_as_it_was_written() {
        for word in Reason::words() {
            let reason: EndReason = serde_json::from_value(word.into()).unwrap();
            assert_eq!(serde_json::to_value(reason).unwrap(), word);
        }
        assert_eq!(EndReason::from(&Reason::Resigned).word(), "resigned");
        assert!(serde_json::from_value::<EndReason>("tired".into()).is_err());
    }
}
