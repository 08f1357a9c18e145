//! Positions as `MOVE:ROW/../ROW`, MOVE the number of the next move and rows from the top; moves as the column's number
//! or `boom`.

use std::fmt::{self, Write};
use std::str::FromStr;

use super::bits::{BOTTOM, bit, cells, lines};
use super::{Action, Boom, COLUMNS, LAST_NUMBER, ROWS, Rules, Stone};
use crate::parse::{Cursor, moves_from_1, next_move};
use crate::{Game, ParseError, Phrase, Side, phrase};

impl Stone {
    /// `x` and `o` for pieces of players 1 and 2, `X` and `O` for their bombs.
    #[must_use]
    pub const fn symbol(self) -> char {
        match (self.owner, self.bomb) {
            (Side::One, false) => 'x',
            (Side::Two, false) => 'o',
            (Side::One, true) => 'X',
            (Side::Two, true) => 'O',
        }
    }

    const fn from_symbol(symbol: char) -> Option<Self> {
        let (owner, bomb) = match symbol {
            'x' => (Side::One, false),
            'o' => (Side::Two, false),
            'X' => (Side::One, true),
            'O' => (Side::Two, true),
            _ => return None,
        };
        Some(Self { owner, bomb })
    }
}

impl<R: Rules> fmt::Display for Boom<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.move_number())?;
        for row in (0..ROWS).rev() {
            f.write_char(if row == ROWS - 1 { ':' } else { '/' })?;
            let mut column = 0;
            while column < COLUMNS {
                let empty = (column..COLUMNS).take_while(|&column| self.cell(column, row).is_none()).count();
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                column += empty;
                if let Some(stone) = self.cell(column, row) {
                    f.write_char(stone.symbol())?;
                    column += 1;
                }
            }
        }
        Ok(())
    }
}

impl<R: Rules> FromStr for Boom<R> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new("position", text);
        let number = cursor.number(next_move, LAST_NUMBER)?;
        if number == 0 {
            return Err(cursor.error_at(0, moves_from_1()));
        }
        cursor.expect(':')?;
        let mut board = Board { start: cursor.at(), ..Board::default() };
        for row in (0..ROWS).rev() {
            board.read_row(&mut cursor, row)?;
            if row > 0 {
                cursor.expect('/')?;
            }
        }
        cursor.end()?;
        board.check_cells()?;
        board.check_history::<R>(number)?;
        Ok(board.position(number))
    }
}

/// A board as it is written, sound or not.
#[derive(Default)]
struct Board {
    pieces: [u64; 2],
    bombs: u64,
    /// Where the text of the board starts.
    start: usize,
    /// Where the text has the stone of each cell, by column and row.
    places: [[usize; ROWS]; COLUMNS],
}

impl Board {
    fn read_row(&mut self, cursor: &mut Cursor<'_>, row: usize) -> Result<(), ParseError> {
        let mut column = 0;
        let mut after_digit = false;
        while column < COLUMNS {
            let left = COLUMNS - column;
            let next = cursor.peek();
            if let Some(stone) = next.and_then(Stone::from_symbol) {
                self.put(stone, (column, row), cursor.at());
                column += 1;
                after_digit = false;
            } else if let Some(empty) = next.and_then(|c| c.to_digit(10)) {
                if after_digit {
                    let problem = phrase!("boom.two_digits", "two digits in a row, their sum should stand here");
                    return Err(cursor.error(problem));
                }
                if empty == 0 || empty as usize > left {
                    let wanted = phrase!("boom.empty_cells", "a number of empty cells from 1 to {left}", left);
                    return Err(cursor.expected(wanted));
                }
                column += empty as usize;
                after_digit = true;
            } else {
                return Err(cursor.expected(phrase!("boom.cell", "x, o, X, O or a digit")));
            }
            cursor.next();
        }
        Ok(())
    }

    fn put(&mut self, stone: Stone, (column, row): (usize, usize), at: usize) {
        let cell = bit(column, row);
        self.pieces[stone.owner.index()] |= cell;
        self.bombs |= if stone.bomb { cell } else { 0 };
        self.places[column][row] = at;
    }

    fn filled(&self) -> u64 {
        self.pieces[0] | self.pieces[1]
    }

    fn bombs_of(&self, side: Side) -> u64 {
        self.bombs & self.pieces[side.index()]
    }

    /// Refuses what cannot be at any time.
    fn check_cells(&self) -> Result<(), ParseError> {
        let floating = self.filled() & !(self.filled() << 1 | BOTTOM);
        if floating != 0 {
            return Err(self.error(floating, phrase!("boom.floating", "a piece with nothing below it")));
        }
        for side in Side::BOTH {
            let bombs = self.bombs_of(side);
            if bombs.count_ones() > 1 {
                let problem = phrase!("boom.bombs", "player {side} has more than one bomb", side);
                return Err(self.error(bombs, problem));
            }
        }
        Ok(())
    }

    /// Refuses what cannot be before the move with this number. That is not everything out of reach: to know whether
    /// a board can be reached takes a search.
    fn check_history<R: Rules>(&self, number: u32) -> Result<(), ParseError> {
        let moves = number - 1;
        let total = self.filled().count_ones();
        for side in Side::BOTH {
            let pieces = self.pieces[side.index()].count_ones();
            // No player has 50 pieces, so there is no need to count on.
            let made = moves_of::<R>(side).take_while(|&own| own < number).take(50).count() as u32;
            if pieces > made {
                let problem = phrase!(
                    "boom.pieces",
                    "player {side} has more pieces ({pieces}) than moves ({made})",
                    side,
                    pieces,
                    made,
                );
                return Err(self.error(0, problem));
            }
            let bombs = self.bombs_of(side);
            let [first, _] = first_bomb::<R>(side);
            if bombs != 0 && number <= first {
                let problem = phrase!("boom.early_bomb", "player {side} has no bomb before move {first}", side, first);
                return Err(self.error(bombs, problem));
            }
            if bombs == 0 && number > first && total == moves {
                let problem = phrase!(
                    "boom.no_bomb",
                    "player {side} lacks a bomb: nothing has exploded since move {first}",
                    side,
                    first,
                );
                return Err(self.error(0, problem));
            }
        }
        // A line made by a drop ends the game: without explosions it is the last mover's.
        let last_mover = Boom::<R>::empty(moves.max(1)).turn();
        let foreign = lines(self.pieces[last_mover.other().index()]);
        if total == moves && foreign != 0 {
            let problem = phrase!(
                "boom.foreign_line",
                "a line of a player who did not move last: the game would have ended before",
            );
            return Err(self.error(foreign, problem));
        }
        // An explosion is a move that adds nothing, and takes the bomb at least.
        let [_, explosion] = first_bomb::<R>(Side::One);
        let lost = moves - total;
        if lost == 1 || lost > 0 && number <= explosion {
            let problem = phrase!("boom.too_few", "too few pieces ({total}) after move {moves}", total, moves);
            return Err(self.error(0, problem));
        }
        Ok(())
    }

    /// An error at the first of these cells in the text, or at the start of the board if there are none.
    fn error(&self, set: u64, problem: Phrase) -> ParseError {
        let at = cells(set).map(|(column, row)| self.places[column][row]).min();
        ParseError::new("position", at.unwrap_or(self.start), problem)
    }

    fn position<R: Rules>(&self, number: u32) -> Boom<R> {
        let empty = Boom::<R>::empty(number);
        let own = self.pieces[empty.turn().index()];
        Boom { own, filled: self.filled(), bombs: self.bombs, ..empty }.judged()
    }
}

/// The numbers of a player's moves.
fn moves_of<R: Rules>(side: Side) -> impl Iterator<Item = u32> {
    (1..LAST_NUMBER).filter(move |&number| Boom::<R>::empty(number).turn() == side)
}

/// The numbers of the move in which a player can first drop a bomb, and of the next, in which it can explode.
fn first_bomb<R: Rules>(side: Side) -> [u32; 2] {
    let mut due = moves_of::<R>(side).skip_while(|&number| !Boom::<R>::empty(number).next_drop_is_bomb());
    [(); 2].map(|()| due.next().expect("bombs are due long before the last number"))
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column() {
            Some(column) => write!(f, "{column}"),
            None => f.write_str("boom"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text == "boom" {
            return Ok(Self::BOOM);
        }
        let digit = text.parse().ok().filter(|_| text.len() == 1);
        let problem = || phrase!("boom.move", "a move is a column from 1 to 7, or boom");
        digit.and_then(Self::drop).ok_or_else(|| ParseError::new("move", 0, problem()))
    }
}
