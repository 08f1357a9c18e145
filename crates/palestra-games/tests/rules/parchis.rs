//! Parchís: legality worked out once more by plain loops over the position's text, invariants, refused notation.

use std::ops::ControlFlow;

use palestra_games::Game;
use palestra_games::parchis::{Board, Colour, Die, Move, Parchis, Place};
use proptest::prelude::*;

const SAFE: [u8; 12] = [4, 13, 17, 21, 30, 34, 38, 47, 51, 55, 64, 68];
const START: [u8; 4] = [4, 21, 38, 55];
const LAST: [u8; 4] = [68, 17, 34, 51];

/// The legal moves by the rules' own words, read off the notation: codes of places, dice, loops.
struct Oracle {
    places: [[u8; 4]; 4],
    dice: Vec<u8>,
    colour: usize,
}

impl Oracle {
    fn of(position: &Parchis) -> Self {
        let text = position.to_string();
        let fields: Vec<&str> = text.split('|').collect();
        let colour = "YBRG".find(&fields[2][..1]).expect("a colour");
        let mut places = [[0; 4]; 4];
        for (colour, codes) in fields[0].split('.').enumerate() {
            for piece in 0..4 {
                places[colour][piece] = codes[2 * piece..2 * piece + 2].parse().expect("a code");
            }
        }
        let pool = fields[1].split('.').nth(colour).expect("a pool");
        let dice = match pool.split_once('+') {
            Some((_, bonus)) => vec![bonus.parse().expect("a bonus")],
            None => pool.bytes().map(|digit| digit - b'0').collect(),
        };
        Self { places, dice, colour }
    }

    fn moves(&self) -> Vec<Move> {
        let colour = Colour::ALL[self.colour];
        let mut moves = Vec::new();
        for &value in &self.dice {
            let die = Die::new(value).expect("a die");
            let usable: Vec<u8> = (0..4).filter(|&piece| self.can_use(piece as usize, value)).collect();
            if usable.is_empty() {
                moves.push(Move::skip(colour, die));
            }
            moves.extend(usable.iter().map(|&piece| Move::new(colour, piece, die).expect("a piece")));
        }
        moves
    }

    fn can_use(&self, piece: usize, die: u8) -> bool {
        let own = self.places[self.colour];
        let from = own[piece];
        let Some((to, end)) = self.destination(from, die) else { return false };
        if to != 90 && to != from && self.standing_on(self.colour, to) >= 2 {
            return false;
        }
        let in_wall = |code: u8| code != 0 && code != 90 && own.iter().filter(|&&other| other == code).count() == 2;
        if die == 6 && own.iter().any(|&code| in_wall(code)) && !in_wall(from) {
            return false;
        }
        (71..=77).contains(&from) || from == 0 || self.scan_is_free(from, end)
    }

    /// Where a piece gets, and where the scan ends.
    fn destination(&self, from: u8, die: u8) -> Option<(u8, u8)> {
        let last = i32::from(LAST[self.colour]);
        let steps = if die == 6 && !self.places[self.colour].contains(&0) { 7 } else { i32::from(die) };
        let queue = match from {
            90 => return None,
            0 => return (die == 5).then_some((START[self.colour], START[self.colour])),
            71.. => i32::from(from) - 70 + steps,
            _ => {
                let rem = (last - i32::from(from)).rem_euclid(68);
                if steps <= rem {
                    let to = ((i32::from(from) + steps - 1) % 68 + 1) as u8;
                    return Some((to, to));
                }
                steps - rem
            }
        };
        Some(match queue {
            1..=7 => (70 + queue as u8, last as u8),
            8 => (90, last as u8),
            9..16 => (70 + (16 - queue) as u8, last as u8),
            _ => {
                let to = ((last + 16 - queue - 1).rem_euclid(68) + 1) as u8;
                (to, to)
            }
        })
    }

    /// The pieces that stand where a piece of this colour would with this code.
    fn standing_on(&self, colour: usize, code: u8) -> usize {
        let count = |pieces: &[u8; 4]| pieces.iter().filter(|&&other| other == code).count();
        if code <= 68 { self.places.iter().map(count).sum() } else { count(&self.places[colour]) }
    }

    fn scan_is_free(&self, from: u8, end: u8) -> bool {
        let foreign_wall = |square: u8| {
            (0..4).any(|colour| {
                colour != self.colour && self.places[colour].iter().filter(|&&code| code == square).count() == 2
            })
        };
        if end == from {
            return true;
        }
        let mut square = from + 1;
        loop {
            if square <= 68 && foreign_wall(square) {
                return false;
            }
            if square == end {
                return true;
            }
            square = square % 68 + 1;
        }
    }
}

fn check(position: &Parchis) {
    let moves = position.moves();
    if position.outcome().is_some() {
        assert!(moves.is_empty(), "{position}");
        return;
    }
    assert_eq!(moves[..], Oracle::of(position).moves()[..], "{position}");
    assert!(moves.iter().all(|&mv| position.is_legal(mv)), "{position}");
    let all = Colour::ALL.into_iter().flat_map(|colour| Die::ALL.into_iter().flat_map(move |die| every(colour, die)));
    assert_eq!(all.filter(|&mv| position.is_legal(mv)).count(), moves.len(), "{position}");

    let mut descending = moves.to_vec();
    descending.sort_by_key(|mv| std::cmp::Reverse(mv.die()));
    let mut found = Vec::new();
    let _ = position.each_move_descending(|mv| {
        found.push(mv);
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(found, descending, "{position}");
}

fn every(colour: Colour, die: Die) -> impl Iterator<Item = Move> {
    (0..4).filter_map(move |piece| Move::new(colour, piece, die)).chain([Move::skip(colour, die)])
}

/// At most two pieces on a square, of one colour unless it is safe, and every piece somewhere.
fn check_squares(position: &Parchis) {
    let pieces: Vec<(Colour, Place)> =
        Colour::ALL.into_iter().flat_map(|colour| position.places(colour).map(|place| (colour, place))).collect();
    for &(colour, place) in &pieces {
        let square = match place.ring() {
            Some(_) => pieces.iter().filter(|(_, other)| *other == place).collect::<Vec<_>>(),
            None => pieces.iter().filter(|other| **other == (colour, place)).collect(),
        };
        if place != Place::HOME && place != Place::GOAL {
            assert!(square.len() <= 2, "{position}: {place}");
            assert!(place.is_safe() || square.iter().all(|(other, _)| *other == colour), "{position}: {place}");
        }
    }
}

/// Places that crowd where the rules are odd: round 68 and before the goals.
fn code() -> impl Strategy<Value = u8> {
    prop_oneof![4 => 1..=68u8, 3 => 60..=68u8, 3 => 1..=8u8, 1 => Just(68), 3 => 71..=77u8, 2 => Just(0), 1 => Just(90)]
}

/// Any position: pieces that cannot stand where they would, stay at home.
fn position() -> impl Strategy<Value = Parchis> {
    let places = prop::collection::vec(prop_oneof![2 => code().prop_map(Some), 1 => Just(None)], 16);
    (places, 1..64u8, 0..4usize, 0..4u8).prop_map(|(codes, pool, colour, bonus)| {
        let mut places = [0u8; 16];
        for index in 0..16 {
            // `None` stands by the piece before: walls.
            let code = codes[index].unwrap_or(if index % 4 > 0 { places[index - 1] } else { 0 });
            let company: Vec<usize> =
                (0..index).filter(|&other| places[other] == code && (code <= 68 || other / 4 == index / 4)).collect();
            let alone_with_own = company.iter().all(|other| other / 4 == index / 4);
            let fits = company.len() < 2 && (alone_with_own || SAFE.contains(&code));
            places[index] = if fits { code } else { 0 };
        }
        let codes: Vec<String> =
            places.chunks(4).map(|four| four.iter().map(|c| format!("{c:02}")).collect()).collect();
        let mut pools = ["123456"; 4].map(str::to_owned);
        pools[colour] = (1..=6).filter(|die| pool >> (die - 1) & 1 == 1).map(|die| die.to_string()).collect();
        pools[colour] += ["", "", "+10", "+20"][usize::from(bonus)];
        let turn = ["Y0", "B1", "R0", "G1"][colour];
        let text = format!("{}|{}|{turn}|-|0.0.0.0|3|10", codes.join("."), pools.join("."));
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn legal_moves_are_those_of_the_rules_word_by_word(position in position()) {
        check(&position);
        for mv in position.moves() {
            let mut after = position;
            after.play(mv);
            check_squares(&after);
            check(&after);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn games_in_play_keep_to_the_rules(
        board in prop::sample::select(Board::ALL.to_vec()),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 400),
    ) {
        let mut position = Parchis::new(&board);
        for pick in picks {
            check(&position);
            check_squares(&position);
            let text = position.to_string();
            let again: Parchis = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(again, position);
            if position.outcome().is_some() {
                break;
            }
            let moves = position.moves();
            position.play(moves[pick.index(moves.len())]);
        }
    }
}

#[test]
fn distances_are_those_of_the_rules() {
    let place = |code| Place::from_code(code).expect("a place");
    for (colour, last) in Colour::ALL.into_iter().zip(LAST) {
        assert_eq!(Place::HOME.distance_to_goal(colour), 74);
        assert_eq!(Place::GOAL.distance_to_goal(colour), 0);
        for square in 1..=68 {
            let lap = if square > last { 68 } else { 0 };
            assert_eq!(place(square).distance_to_goal(colour), last + lap - square + 8);
            assert_eq!(place(square).is_safe(), SAFE.contains(&square));
        }
        for queue in 1..=7 {
            assert_eq!(place(70 + queue).distance_to_goal(colour), 8 - queue);
        }
    }
}

#[test]
fn boards_are_chosen_by_name_in_any_case() {
    for board in Board::ALL {
        assert_eq!(board.to_string().parse(), Ok(board));
        assert_eq!(board.to_string().to_lowercase().parse(), Ok(board));
    }
    let error = "groups".parse::<Board>().expect_err("no board").to_string();
    assert!(error.contains("GROUPED, ALTERNED, ALL_AT_HOME, ALMOST_GOAL, DEBUG"), "{error}");
}

#[test]
fn positions_that_cannot_be_are_refused_with_the_place() {
    let refused = |text: &str, column: usize, problem: &str| {
        let error = text.parse::<Parchis>().expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.problem.english().contains(problem), "{text}: {error}");
    };
    let places = |places: &str| format!("{places}|123456.123456.123456.123456|Y0|-|0.0.0.0|-1|1");
    let rest = |rest: &str| format!("00041317.00213034.00384751.00556468|{rest}");
    refused("", 1, "but the text ends");
    refused(&places("0004131"), 8, "two digits expected, found '|'");
    refused(&places("00041369.00213034.00384751.00556468"), 7, "69 is no place");
    refused(&places("00041317.00213034.00384751.0055646é"), 35, "expected, found 'é'");
    refused(&places("04041317.04213034.00384751.00556468"), 10, "three pieces on 04");
    refused(&places("05041317.05213034.00384751.00556468"), 10, "two colours on 05");
    refused(&places("71717117.05213034.00384751.00556468"), 5, "three pieces on 71");
    refused(&places("90909090.90909090.00384751.00556468"), 16, "two colours have all");
    refused(&rest("12346.1234566.123456.123456|Y0|-|0.0.0.0|-1|1"), 49, "ascending");
    refused(&rest("12346..123456.123456|Y0|-|0.0.0.0|-1|1"), 43, "a die from 1 to 6 expected");
    refused(&rest("12346+30.123456.123456.123456|Y0|-|0.0.0.0|-1|1"), 43, "found 30");
    refused(&rest("12346.123456+20.123456.123456|Y0|-|0.0.0.0|-1|1"), 49, "a bonus for B, but Y is on turn");
    refused(&rest("12346.123456.123456.123456|Y1|-|0.0.0.0|-1|1"), 65, "0, the player of Y");
    refused(&rest("12346.123456.123456.123456|Y0|be|0.0.0.0|-1|1"), 68, "'|' expected");
    refused(&rest("12346.123456.123456.123456|Y0||0.0.0.0|-1|1"), 67, "flags");
    refused(&rest("12346.123456.123456.123456|Y0|e|0.0.0.0|-1|1"), 67, "without a bonus of 20 for Y");
    refused(&rest("12346.123456.123456.123456|Y0|-|0.32.0.0|-1|1"), 71, "larger than 31");
    refused(&rest("12346.123456.123456.123456|Y0|-|0.31.31.0|-1|1"), 74, "had ended before");
    refused(&rest("12346.123456.123456.123456|Y0|-|0.0.0.0|7|1"), 77, "found 7");
    refused(&rest("12346.123456.123456.123456|Y0|-|0.0.0.0|-1|0"), 80, "from 1");
    refused(&rest("12346.123456.123456.123456|Y0|-|0.0.0.0|-1|1|B0"), 81, "the flag e is not set");
    refused(&rest("12346+20.123456.123456.123456|Y0|e|0.0.0.0|-1|1|Y0"), 85, "of its own");
    refused(&rest("12346+20.123456.123456.123456|Y0|e|0.0.0.0|-1|1|B1"), 85, "not at home");
    refused(&rest("12346+20.123456.123456.123456|Y0|e|0.0.0.0|-1|1|B0."), 87, "should end here");
}
