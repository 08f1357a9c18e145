//! Positions as `turn:cells:points-points`, player 1 first; moves as the number of cells.

use std::fmt;
use std::str::FromStr;

use super::{ALL_POINTS, CELLS, Content, Shells, Walk, worth};
use crate::parse::{Cursor, player_to_move};
use crate::{ParseError, Side, phrase};

impl Content {
    pub(super) const fn symbol(self) -> char {
        match self {
            Self::Walker(Side::One) => '1',
            Self::Walker(Side::Two) => '2',
            Self::Shell => 'o',
            Self::Print => '_',
        }
    }
}

impl fmt::Display for Shells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: String = self.cells.iter().map(|content| content.symbol()).collect();
        write!(f, "{}:{cells}:{}-{}", self.turn, self.points[0], self.points[1])
    }
}

impl FromStr for Shells {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new("position", text);
        let turn = cursor.side(player_to_move)?;
        cursor.expect(':')?;
        let mut cells = [Content::Print; CELLS];
        for cell in &mut cells {
            *cell = content(&mut cursor)?;
        }
        for side in Side::BOTH {
            if cells.iter().filter(|&&content| content == Content::Walker(side)).count() != 1 {
                let problem = phrase!("shells.walker", "there must be one walker of player {side}", side);
                return Err(cursor.error_at(2, problem));
            }
        }
        cursor.expect(':')?;
        let at = cursor.at();
        let one = cursor.number(|| phrase!("shells.points", "the points of player {side}", side = 1), ALL_POINTS)?;
        cursor.expect('-')?;
        let two = cursor.number(|| phrase!("shells.points", "the points of player {side}", side = 2), ALL_POINTS)?;
        cursor.end()?;
        let left = (0..).zip(&cells).filter(|&(_, &content)| content == Content::Shell);
        let total = one + two + left.map(|(cell, _)| u32::from(worth(cell))).sum::<u32>();
        if total > ALL_POINTS {
            let text = phrase!(
                "shells.total",
                "{total} points with those on the row, there are {all}",
                total,
                all = ALL_POINTS
            );
            return Err(cursor.error_at(at, text));
        }
        Ok(Self { cells, points: [one as u8, two as u8], turn })
    }
}

fn content(cursor: &mut Cursor<'_>) -> Result<Content, ParseError> {
    let all = [Content::Walker(Side::One), Content::Walker(Side::Two), Content::Shell, Content::Print];
    let found = all.into_iter().find(|content| cursor.peek() == Some(content.symbol()));
    let found = found.ok_or_else(|| cursor.expected(phrase!("shells.cell", "a cell, 1, 2, o or _,")))?;
    cursor.next();
    Ok(found)
}

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Walk {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let found = Self::ALL.into_iter().find(|mv| mv.to_string() == text);
        found.ok_or_else(|| ParseError::new("move", 0, phrase!("shells.move", "a walk is 1 or 2 cells")))
    }
}
