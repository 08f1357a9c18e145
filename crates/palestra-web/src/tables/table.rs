//! The state machine of a table: seats, the game under way, offers and wishes. It has no I/O and no clock of its own;
//! the driver feeds it events with their times and collects the messages to be sent.

use std::collections::VecDeque;
use std::time::Duration;

use palestra_arena::{Event, Referee};
use palestra_games::{Record, Side};
use palestra_store::{Id, NewGame};
use serde_json::Value;

use super::event::{Event as TableEvent, Spoken};
use super::message::{Ended, Status};
use super::occupant::{Invited, Occupant, Who};
use super::setup::{Setup, milliseconds};
use super::solo::StandIn;
use crate::http::error::Refused;

/// A table: a game or a match of two games, with rematches.
#[derive(Debug)]
pub(crate) struct Table {
    pub(super) code: String,
    pub(super) setup: Setup,
    pub(super) seats: [Occupant; 2],
    /// The invitations to seats that have been taken since.
    pub(super) reserved: [Option<Invited>; 2],
    /// Whether the player of each seat is connected.
    pub(super) is_here: [bool; 2],
    pub(super) phase: Phase,
    /// The number of the game, from 1; 0 before the first.
    pub(super) number: u32,
    /// The seat that plays side 1.
    pub(super) first: usize,
    pub(super) started_ms: i64,
    pub(super) score: Score,
    /// The seat that offered a draw, or asked to take back a move.
    pub(super) draw_offered: Option<usize>,
    pub(super) take_back_asked: Option<usize>,
    pub(super) rematch_asked: [bool; 2],
    pub(super) stand_in: Option<StandIn>,
    pub(super) chat: VecDeque<Spoken>,
    /// When the next game of a match begins.
    pub(super) next_at: Option<Duration>,
    /// Counts the questions to players, so that a late answer to an earlier question is recognised.
    pub(super) turn: u64,
    /// Whether the player to move has been asked.
    pub(super) is_asked: bool,
    /// Events to be saved and broadcast.
    pub(super) said: Vec<TableEvent>,
    /// The steps of the move among them.
    pub(super) steps: Option<Value>,
    /// Whether the table has connected clients: without them no steps are computed.
    pub(super) is_watched: bool,
    /// The time that a move took, for the program that made it.
    pub(super) used: Option<Used>,
    /// A finished game to be saved.
    pub(super) finished: Option<NewGame>,
}

/// The phase of a table.
#[derive(Debug)]
pub(super) enum Phase {
    Waiting,
    Playing(Box<Referee>),
    Over(Box<Record>, Ended),
}

/// The score of a match so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Score {
    pub(super) games: u32,
    pub(super) wins: [u32; 2],
    pub(super) points: [i32; 2],
}

/// The question to a player for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    pub(crate) turn: u64,
    pub(crate) seat: usize,
}

/// The time that a move took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) seat: usize,
    pub(crate) cpu: Option<Duration>,
    pub(crate) wall: Duration,
}

impl Table {
    /// A table with these seats; its first game begins at once if both are taken.
    pub(crate) fn new(code: String, setup: Setup, seats: [Occupant; 2], now: Now) -> Result<Self, Refused> {
        let mut table = Self {
            code,
            setup,
            seats,
            reserved: [None, None],
            is_here: [false; 2],
            phase: Phase::Waiting,
            number: 0,
            first: 0,
            started_ms: now.unix_ms,
            score: Score::default(),
            draw_offered: None,
            take_back_asked: None,
            rematch_asked: [false; 2],
            stand_in: None,
            chat: VecDeque::new(),
            next_at: None,
            turn: 0,
            is_asked: false,
            said: vec![],
            steps: None,
            is_watched: false,
            used: None,
            finished: None,
        };
        table.setup.record()?;
        table.begin_if_ready(now)?;
        Ok(table)
    }

    pub(crate) const fn has_said(&self) -> bool {
        !self.said.is_empty()
    }

    /// Takes the events to be saved and broadcast.
    pub(crate) fn take_said(&mut self) -> Vec<TableEvent> {
        std::mem::take(&mut self.said)
    }

    /// Takes the finished game to be saved.
    pub(crate) const fn take_finished(&mut self) -> Option<NewGame> {
        self.finished.take()
    }

    /// Takes the time that the last move took.
    pub(crate) const fn take_used(&mut self) -> Option<Used> {
        self.used.take()
    }

    pub(crate) const fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(crate) const fn seats(&self) -> &[Occupant; 2] {
        &self.seats
    }

    /// The referee of the game in progress.
    pub(crate) fn referee(&self) -> Option<&Referee> {
        match &self.phase {
            Phase::Playing(referee) => Some(referee),
            _ => None,
        }
    }

    /// Whether built-in players play each other.
    pub(crate) fn is_shown(&self) -> bool {
        (0..2).all(|seat| matches!(self.player(seat), Occupant::BuiltIn(_)))
    }

    pub(crate) const fn status(&self) -> Status {
        match self.phase {
            Phase::Waiting => Status::Waiting,
            Phase::Playing(_) => Status::Playing,
            Phase::Over(..) => Status::Over,
        }
    }

    /// Whether a game is over, and the next has not begun.
    pub(crate) const fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over(..))
    }

    /// The result of the last game, if none is in progress.
    pub(crate) const fn ended(&self) -> Option<&Ended> {
        match &self.phase {
            Phase::Over(_, ended) => Some(ended),
            _ => None,
        }
    }

    /// The accounts at the table, those for which a seat is reserved, and those that have spoken; with a nickname that
    /// they have or had.
    pub(crate) fn accounts(&self) -> Vec<(Id, String)> {
        let account = |occupant: &Occupant| match occupant {
            Occupant::Account { id, nickname } => Some((*id, nickname.clone())),
            Occupant::Reserved(Invited { account, nickname }) => Some(((*account)?, nickname.clone())),
            _ => None,
        };
        let spoke = self.chat.iter().filter_map(|spoken| Some((spoken.account?, spoken.line.name.clone())));
        self.seats.iter().filter_map(account).chain(spoke).collect()
    }

    /// The accounts for which seats are reserved, seats taken since included.
    pub(crate) fn invited_mut(&mut self) -> impl Iterator<Item = &mut Invited> {
        let waiting = self.seats.iter_mut().filter_map(|seat| match seat {
            Occupant::Reserved(invited) => Some(invited),
            _ => None,
        });
        waiting.chain(self.reserved.iter_mut().flatten())
    }

    /// The seats of a person: none for a spectator, two for a person who plays both sides.
    pub(crate) fn seats_of(&self, who: &Who) -> Vec<usize> {
        (0..2).filter(|&seat| self.seats[seat].is(who)).collect()
    }

    /// The seat that plays a side: sides change from game to game.
    pub(crate) fn seat(&self, side: Side) -> usize {
        side.index() ^ self.first
    }

    /// The side that a seat plays.
    pub(crate) fn side(&self, seat: usize) -> Side {
        Side::BOTH.into_iter().find(|&side| self.seat(side) == seat).expect("each seat plays a side")
    }

    // Sitting down and leaving.

    /// A player takes a seat.
    pub(crate) fn sit(&mut self, seat: usize, occupant: Occupant, now: Now) -> Result<(), Refused> {
        let free = self.seats.get(seat).ok_or(Refused::bad("tables.no_seat"))?;
        let reserved = match free {
            Occupant::Open => None,
            Occupant::Reserved(invited) => match &occupant {
                Occupant::Account { id, .. } if invited.account == Some(*id) => Some(invited.clone()),
                _ => return Err(Refused::bad("tables.reserved")),
            },
            _ => return Err(Refused::bad("tables.taken")),
        };
        if self.setup.is_rated {
            let other = &self.seats[1 - seat];
            let is_same = matches!((&occupant, other), (Occupant::Account { id, .. }, Occupant::Account { id: other, .. }) if id == other);
            if !matches!(occupant, Occupant::Account { .. }) || is_same {
                return Err(Refused::bad("tables.rated"));
            }
        }
        self.reserved[seat] = reserved;
        self.seats[seat] = occupant.told_apart(&self.seats[1 - seat]);
        // A player who sits down is connected.
        self.is_here[seat] = true;
        self.say_seat(seat);
        self.begin_if_ready(now)
    }

    /// A player leaves a seat before a game has begun.
    pub(super) fn leave(&mut self, seat: usize) -> Result<(), Refused> {
        if !matches!(self.phase, Phase::Waiting) {
            return Err(Refused::bad("tables.has_begun"));
        }
        self.seats[seat] = self.reserved[seat].take().map_or(Occupant::Open, Occupant::Reserved);
        self.say_seat(seat);
        Ok(())
    }

    pub(super) fn say_seat(&mut self, seat: usize) {
        self.said.push(TableEvent::Seat { seat });
    }

    /// Notes whether the player of a seat is connected.
    pub(crate) fn set_here(&mut self, seat: usize, is_here: bool, now: Now) {
        if std::mem::replace(&mut self.is_here[seat], is_here) != is_here {
            self.say_presence(seat, now);
        }
    }

    pub(super) fn say_presence(&mut self, seat: usize, now: Now) {
        if !self.seats[seat].can_drop() {
            return;
        }
        let (side, is_present) = (self.side(seat), self.is_here[seat]);
        let is_remote = matches!(self.seats[seat], Occupant::Remote { .. });
        let is_playing = matches!(self.phase, Phase::Playing(_));
        if is_playing && is_present {
            // A program that comes back has forgotten what it was asked.
            if is_remote && self.mover() == Some(seat) {
                self.is_asked = false;
            }
            self.said.push(TableEvent::Back { seat });
            self.judge(Event::Back(side), now);
        } else if is_playing {
            let within_ms = milliseconds(self.setup.rules().absence);
            self.said.push(TableEvent::Dropped { seat, within_ms });
            self.judge(Event::Dropped(side), now);
        } else {
            self.say_seat(seat);
        }
    }
}

/// The time of an event: on the table's own clock, which stands still while the server is down, and in Unix time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Now {
    pub(crate) clock: Duration,
    pub(crate) unix_ms: i64,
}
