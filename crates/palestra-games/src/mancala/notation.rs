//! Positions as `turn:store,P1..P6/store,P1..P6`, player 1 first; moves as the pit's number.

use std::fmt;
use std::str::FromStr;

use super::{Mancala, PITS, Pit, SEEDS};
use crate::parse::{Cursor, player_to_move};
use crate::{Game, ParseError, Side, phrase};

impl fmt::Display for Mancala {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, two] = Side::BOTH.map(|side| Seeds(self.seeds(side)));
        write!(f, "{}:{one}/{two}", self.turn())
    }
}

/// A side's part of the notation. It is written for every move of every game, so without a text for each number.
struct Seeds([u8; PITS + 1]);

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [store, pits @ ..] = self.0;
        write!(f, "{store}")?;
        pits.iter().try_for_each(|seeds| write!(f, ",{seeds}"))
    }
}

impl FromStr for Mancala {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new("position", text);
        let turn = cursor.side(player_to_move)?;
        cursor.expect(':')?;
        let one = side(&mut cursor)?;
        cursor.expect('/')?;
        let two = side(&mut cursor)?;
        cursor.end()?;
        Self::from_seeds(turn, [one, two]).map_err(|invalid| cursor.error_at(2, invalid.phrase()))
    }
}

fn side(cursor: &mut Cursor<'_>) -> Result<[u8; PITS + 1], ParseError> {
    let mut seeds = [0; PITS + 1];
    for (place, count) in seeds.iter_mut().enumerate() {
        if place > 0 {
            cursor.expect(',')?;
        }
        let name = || match place {
            0 => phrase!("mancala.store", "the seeds in a store"),
            pit => phrase!("mancala.pit", "the seeds in pit {pit}", pit),
        };
        *count = cursor.number(name, SEEDS)? as u8;
    }
    Ok(seeds)
}

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Pit {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let digit = text.parse().ok().filter(|_| text.len() == 1);
        let problem = || phrase!("mancala.move", "a pit is a number from 1 to 6");
        digit.and_then(Self::new).ok_or_else(|| ParseError::new("move", 0, problem()))
    }
}
