//! Positions as `Y.B.R.G|pools|colour+player|flags|bounces|last die|turn`, the course's text; when the last move ate a
//! piece, one more field says which. Moves as `Y0:5`, yellow's piece 0 with the 5, or `Ys:3`, yellow skips with the 3.

use std::fmt;
use std::str::FromStr;

use super::{ATE, BONUSES, BOUNCED, Board, Colour, Die, GOAL, MAX_BOUNCES, Move, PIECES, Parchis, Place, SIX};
use crate::parse::{Cursor, moves_from_1, next_move};
use crate::{Game, ParseError, Phrase, phrase};

/// The letters of the flags, in the order in which they are written.
const FLAGS: [(char, u8); 4] = [('e', ATE), ('g', GOAL), ('b', BOUNCED), ('s', SIX)];

impl fmt::Display for Parchis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = Colour::ALL.map(|colour| self.places(colour).map(|place| place.to_string()).concat()).join(".");
        let pools = self.pools.map(pool_text).join(".");
        let flags: String = FLAGS.iter().filter(|(_, flag)| self.flags & flag != 0).map(|(letter, _)| letter).collect();
        let flags = if flags.is_empty() { "-" } else { &flags };
        let bounces = self.bounces.map(|n| n.to_string()).join(".");
        let last_die = self.last_die.map_or(-1, |die| i32::from(die.value()));
        let (colour, player) = (self.colour, self.turn().index());
        write!(f, "{places}|{pools}|{colour}{player}|{flags}|{bounces}|{last_die}|{}", self.number)?;
        self.eaten().map_or(Ok(()), |(colour, piece)| write!(f, "|{colour}{piece}"))
    }
}

fn pool_text(pool: u8) -> String {
    let dice = Die::ALL.into_iter().filter(|die| pool & die.bit() != 0);
    dice.map(|die| format!("{}{}", if die.is_bonus() { "+" } else { "" }, die.value())).collect()
}

impl FromStr for Parchis {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new("position", text);
        let cursor = &mut cursor;
        let mut position = Self::new(&Board::AllAtHome);
        places(cursor, &mut position)?;
        cursor.expect('|')?;
        let bonus_at = pools(cursor, &mut position)?;
        cursor.expect('|')?;
        position.colour = colour_and_player(cursor)?;
        check_bonuses(cursor, &position, bonus_at)?;
        cursor.expect('|')?;
        flags(cursor, &mut position)?;
        cursor.expect('|')?;
        bounces(cursor, &mut position)?;
        cursor.expect('|')?;
        position.last_die = last_die(cursor)?;
        cursor.expect('|')?;
        position.number = move_number(cursor)?;
        if cursor.take('|') {
            position.eaten = eaten(cursor, &position)?;
        }
        cursor.end()?;
        Ok(position)
    }
}

fn places(cursor: &mut Cursor<'_>, position: &mut Parchis) -> Result<(), ParseError> {
    for index in 0..position.places.len() {
        if index > 0 && index % PIECES == 0 {
            cursor.expect('.')?;
        }
        let at = cursor.at();
        let place = place(cursor)?;
        position.places[index] = place;
        check_company(position, index).map_err(|problem| cursor.error_at(at, problem))?;
        let colour = Colour::ALL[index / PIECES];
        if position.places(colour) == [Place::GOAL; PIECES] && position.winner.replace(colour.side()).is_some() {
            let problem = phrase!("parchis.two_winners", "two colours have all their pieces in the goal");
            return Err(cursor.error_at(at, problem));
        }
    }
    Ok(())
}

fn place(cursor: &mut Cursor<'_>) -> Result<Place, ParseError> {
    let at = cursor.at();
    let mut code = 0;
    for _ in 0..2 {
        let digit = cursor.peek().and_then(|c| c.to_digit(10));
        let wanted = || phrase!("parchis.place", "a piece's place of two digits");
        code = 10 * code + digit.ok_or_else(|| cursor.expected(wanted()))? as u8;
        cursor.next();
    }
    let no_place = || {
        phrase!(
            "parchis.no_place",
            "{code} is no place: 00 is home, 01 to 68 the ring, 71 to 77 the queue, 90 the goal",
            code = format!("{code:02}"),
        )
    };
    Place::from_code(code).ok_or_else(|| cursor.error_at(at, no_place()))
}

/// Whether a piece can stand on its square, given the pieces before it in the text.
fn check_company(position: &Parchis, index: usize) -> Result<(), Phrase> {
    let place = position.places[index];
    let shared = |&other: &usize| match (place.ring(), place.queue()) {
        (Some(_), _) => position.places[other] == place,
        (_, Some(_)) => position.places[other] == place && other / PIECES == index / PIECES,
        _ => false,
    };
    let company: Vec<usize> = (0..index).filter(shared).collect();
    match company[..] {
        [] => Ok(()),
        [other] if other / PIECES == index / PIECES || place.is_safe() => Ok(()),
        [_] => Err(phrase!(
            "parchis.two_colours",
            "two colours on {place}, which is not a safe square: one would have been eaten",
            place = place.to_string(),
        )),
        _ => Err(phrase!(
            "parchis.three_pieces",
            "three pieces on {place}, there is room for two",
            place = place.to_string(),
        )),
    }
}

/// Reads the pools and says where each colour's bonus stands, if it has one.
fn pools(cursor: &mut Cursor<'_>, position: &mut Parchis) -> Result<[Option<usize>; 4], ParseError> {
    let mut bonus_at = [None; 4];
    for (index, pool) in position.pools.iter_mut().enumerate() {
        if index > 0 {
            cursor.expect('.')?;
        }
        *pool = 0;
        while let Some(die) = cursor.peek().and_then(|c| Die::new(c.to_digit(7)? as u8)) {
            if *pool >= die.bit() {
                let problem = phrase!("parchis.order", "the dice of a pool stand in ascending order, each once");
                return Err(cursor.error(problem));
            }
            *pool |= die.bit();
            cursor.next();
        }
        if *pool == 0 {
            return Err(cursor.expected(phrase!("parchis.pool", "a die from 1 to 6")));
        }
        bonus_at[index] = Some(cursor.at()).filter(|_| cursor.take('+'));
        if bonus_at[index].is_some() {
            let name = || phrase!("parchis.bonus", "the bonus, 10 or 20,");
            *pool |= die(cursor, Die::is_bonus, name)?.bit();
        }
    }
    Ok(bonus_at)
}

/// Takes the value of a die that is wanted here.
fn die(cursor: &mut Cursor<'_>, wanted: impl Fn(Die) -> bool, name: impl Fn() -> Phrase) -> Result<Die, ParseError> {
    let start = cursor.clone();
    let value = cursor.number(&name, u32::MAX)?;
    let die = u8::try_from(value).ok().and_then(Die::new).filter(|&die| wanted(die));
    die.ok_or_else(|| {
        start.error(phrase!("text.found", "{wanted} expected, found {found}", wanted = name(), found = value))
    })
}

fn colour_and_player(cursor: &mut Cursor<'_>) -> Result<Colour, ParseError> {
    let colour = colour(cursor)?;
    let player = colour.side().index();
    if !cursor.take(if player == 0 { '0' } else { '1' }) {
        let wanted =
            phrase!("parchis.player", "{player}, the player of {colour},", player, colour = colour.to_string());
        return Err(cursor.expected(wanted));
    }
    Ok(colour)
}

fn colour(cursor: &mut Cursor<'_>) -> Result<Colour, ParseError> {
    let wanted = || phrase!("parchis.colour", "a colour, Y, B, R or G,");
    let colour = cursor.peek().and_then(Colour::from_letter).ok_or_else(|| cursor.expected(wanted()))?;
    cursor.next();
    Ok(colour)
}

fn check_bonuses(cursor: &Cursor<'_>, position: &Parchis, at: [Option<usize>; 4]) -> Result<(), ParseError> {
    for (colour, at) in Colour::ALL.into_iter().zip(at) {
        if let Some(at) = at.filter(|_| colour != position.colour) {
            let problem = phrase!(
                "parchis.foreign_bonus",
                "a bonus for {colour}, but {on_turn} is on turn",
                colour = colour.to_string(),
                on_turn = position.colour.to_string(),
            );
            return Err(cursor.error_at(at, problem));
        }
        if let Some(at) = at.filter(|_| position.winner.is_some()) {
            let problem = phrase!("parchis.late_bonus", "a bonus, but a colour has all its pieces in the goal");
            return Err(cursor.error_at(at, problem));
        }
    }
    Ok(())
}

fn flags(cursor: &mut Cursor<'_>, position: &mut Parchis) -> Result<(), ParseError> {
    if cursor.take('-') {
        return Ok(());
    }
    for (letter, flag) in FLAGS {
        // A move that eats or reaches the goal brings the bonus that has the flag's bit. A bonus without its flag is
        // let pass: what follows from it is clear, and positions made by hand have it.
        if cursor.peek() == Some(letter) && flag & BONUSES & !position.pools[position.colour.index()] != 0 {
            let bonus = if flag == ATE { 20 } else { 10 };
            let problem = phrase!(
                "parchis.flag",
                "the flag {letter} without a bonus of {bonus} for {colour}",
                letter = letter.to_string(),
                bonus,
                colour = position.colour.to_string(),
            );
            return Err(cursor.error(problem));
        }
        if cursor.take(letter) {
            position.flags |= flag;
        }
    }
    let wanted = || phrase!("parchis.flags", "flags e, g, b, s in this order, or -,");
    if position.flags == 0 { Err(cursor.expected(wanted())) } else { Ok(()) }
}

fn bounces(cursor: &mut Cursor<'_>, position: &mut Parchis) -> Result<(), ParseError> {
    for colour in Colour::ALL {
        if colour != Colour::Yellow {
            cursor.expect('.')?;
        }
        let at = cursor.at();
        let name = || phrase!("parchis.bounces", "the bounces of {colour}", colour = colour.to_string());
        let bounces = cursor.number(name, u32::from(MAX_BOUNCES))? as u8;
        position.bounces[colour.index()] = bounces;
        if bounces == MAX_BOUNCES && position.winner.replace(colour.side().other()).is_some() {
            let problem = phrase!(
                "parchis.too_many_bounces",
                "{colour} has {bounces} bounces, but the game had ended before",
                colour = colour.to_string(),
                bounces,
            );
            return Err(cursor.error_at(at, problem));
        }
    }
    Ok(())
}

fn last_die(cursor: &mut Cursor<'_>) -> Result<Option<Die>, ParseError> {
    if cursor.take('-') {
        return cursor.expect('1').map(|()| None);
    }
    die(cursor, |_| true, || phrase!("parchis.last_die", "the last die, -1, 1 to 6, 10 or 20,")).map(Some)
}

fn move_number(cursor: &mut Cursor<'_>) -> Result<u32, ParseError> {
    let at = cursor.at();
    match cursor.number(next_move, u32::MAX)? {
        0 => Err(cursor.error_at(at, moves_from_1())),
        number => Ok(number),
    }
}

fn eaten(cursor: &mut Cursor<'_>, position: &Parchis) -> Result<u8, ParseError> {
    let at = cursor.at();
    if !position.ate() {
        let problem = phrase!("parchis.no_eaten_flag", "an eaten piece, but the flag e is not set");
        return Err(cursor.error_at(at - 1, problem));
    }
    let (colour, piece) = (colour(cursor)?, piece(cursor, || phrase!("parchis.piece", "a piece, 0 to 3,"))?);
    let index = PIECES * colour.index() + usize::from(piece);
    if colour == position.colour {
        let problem =
            phrase!("parchis.own_piece", "{colour} cannot have eaten a piece of its own", colour = colour.to_string(),);
        return Err(cursor.error_at(at, problem));
    }
    if position.places[index] != Place::HOME {
        let problem =
            phrase!("parchis.not_at_home", "{piece} was eaten but is not at home", piece = format!("{colour}{piece}"),);
        return Err(cursor.error_at(at, problem));
    }
    Ok(index as u8)
}

fn piece(cursor: &mut Cursor<'_>, name: impl Fn() -> Phrase) -> Result<u8, ParseError> {
    let piece = cursor.peek().and_then(|c| c.to_digit(PIECES as u32)).ok_or_else(|| cursor.expected(name()))?;
    cursor.next();
    Ok(piece as u8)
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.piece() {
            Some(piece) => write!(f, "{}{piece}:{}", self.colour(), self.die()),
            None => write!(f, "{}s:{}", self.colour(), self.die()),
        }
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new("move", text);
        let cursor = &mut cursor;
        let colour = colour(cursor)?;
        let name = || phrase!("parchis.piece_or_skip", "a piece, 0 to 3, or s for a skip,");
        let piece = if cursor.take('s') { None } else { Some(piece(cursor, name)?) };
        cursor.expect(':')?;
        let die = die(cursor, |_| true, || phrase!("parchis.die", "a die, 1 to 6, 10 or 20,"))?;
        cursor.end()?;
        Ok(match piece {
            Some(piece) => Self::new(colour, piece, die).expect("only pieces 0 to 3 are read"),
            None => Self::skip(colour, die),
        })
    }
}
