//! Serialises a table, so that a restarted server can restore it.

use std::collections::VecDeque;
use std::time::Duration;

use palestra_arena::{Referee, Saved};
use palestra_games::{GameKind, Record};
use serde::{Deserialize, Serialize};

use super::event::Spoken;
use super::message::Ended;
use super::occupant::{Invited, Occupant};
use super::setup::Setup;
use super::solo::StandIn;
use super::table::{Now, Phase, Score, Table};

/// The format of saved tables that this version writes. It reads all up to this one; the first had no number.
const FORMAT: u32 = 1;

#[derive(Deserialize)]
struct Versioned {
    #[serde(default)]
    format: u32,
}

#[derive(Serialize, Deserialize)]
struct SavedTable {
    #[serde(default)]
    format: u32,
    setup: Setup,
    seats: [Occupant; 2],
    #[serde(default)]
    reserved: [Option<Invited>; 2],
    #[serde(default)]
    is_here: [bool; 2],
    phase: SavedPhase,
    number: u32,
    /// Since format 1; before, the sides changed with every game.
    first: Option<usize>,
    started_ms: i64,
    score: Score,
    draw_offered: Option<usize>,
    take_back_asked: Option<usize>,
    rematch_asked: [bool; 2],
    stand_in: Option<StandIn>,
    chat: VecDeque<Spoken>,
    next_at: Option<Duration>,
    turn: u64,
}

#[derive(Serialize, Deserialize)]
enum SavedPhase {
    Waiting,
    Playing(Box<Saved>),
    Over(String, Ended),
}

impl Table {
    /// Serialises the table at this time on its clock.
    pub(crate) fn save(&self, clock: Duration) -> String {
        let phase = match &self.phase {
            Phase::Waiting => SavedPhase::Waiting,
            Phase::Playing(referee) => SavedPhase::Playing(Box::new(referee.save(clock))),
            Phase::Over(record, ended) => SavedPhase::Over(record.to_string(), ended.clone()),
        };
        let saved = SavedTable {
            format: FORMAT,
            setup: self.setup.clone(),
            seats: self.seats.clone(),
            reserved: self.reserved.clone(),
            is_here: self.is_here,
            phase,
            number: self.number,
            first: Some(self.first),
            started_ms: self.started_ms,
            score: self.score,
            draw_offered: self.draw_offered,
            take_back_asked: self.take_back_asked,
            rematch_asked: self.rematch_asked,
            stand_in: self.stand_in.clone(),
            chat: self.chat.clone(),
            next_at: self.next_at,
            turn: self.turn,
        };
        serde_json::to_string(&saved).expect("a table can be written")
    }

    /// Restores a table that was saved at this time on its clock. The error is a text for the log.
    pub(crate) fn restore(code: &str, text: &str, clock: Duration) -> Result<Self, String> {
        let Versioned { format } = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if format > FORMAT {
            return Err(format!("it has format {format}, but this version reads formats up to {FORMAT}"));
        }
        let saved: SavedTable = serde_json::from_str(text).map_err(|error| error.to_string())?;
        GameKind::find(&saved.setup.game).ok_or_else(|| format!("there is no game {:?}", saved.setup.game))?;
        let phase = match saved.phase {
            SavedPhase::Waiting => Phase::Waiting,
            SavedPhase::Playing(game) => {
                Phase::Playing(Box::new(Referee::restore(&game, clock).map_err(|error| error.to_string())?))
            }
            SavedPhase::Over(record, ended) => {
                let record = Record::read_all(record.as_bytes()).map_err(|error| error.to_string())?.pop();
                Phase::Over(Box::new(record.ok_or("no record")?), ended)
            }
        };
        let now = Now { clock, unix_ms: saved.started_ms };
        let mut table = Self::new(code.to_owned(), saved.setup, [Occupant::Open, Occupant::Open], now)
            .map_err(|refused| format!("{refused:?}"))?;
        table.seats = saved.seats;
        table.reserved = saved.reserved;
        table.is_here = saved.is_here;
        table.phase = phase;
        table.number = saved.number;
        let alternating = usize::from(saved.number > 0 && saved.number.is_multiple_of(2));
        table.first = saved.first.filter(|first| *first < 2).unwrap_or(alternating);
        table.started_ms = saved.started_ms;
        table.score = saved.score;
        table.draw_offered = saved.draw_offered;
        table.take_back_asked = saved.take_back_asked;
        table.rematch_asked = saved.rematch_asked;
        table.stand_in = saved.stand_in;
        table.chat = saved.chat;
        table.next_at = saved.next_at;
        table.turn = saved.turn;
        table.is_asked = table.is_persons_turn();
        Ok(table)
    }

    /// Marks all players who need a connection as absent, after a restart of the server.
    pub(crate) fn reopen(&mut self, now: Now) {
        (0..2).for_each(|seat| self.set_here(seat, false, now));
    }
}
