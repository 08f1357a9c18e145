//! Parsers under fire: random bytes, and valid texts with a few characters changed. Whatever a parser accepts must print
//! back to the letter, and must be a position that can be played on and drawn.

use palestra_games::{AnyGame, Draw, GAMES, Game, Record, with_game};
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;

use crate::conformance::for_each_game;
use crate::random;

/// Mutations tried on each kind of text of each game.
const CASES: usize = 4000;

#[test]
fn positions_survive_mutation() {
    fn check<G: Draw>() {
        let texts: Vec<String> = random::positions::<G>(31, 2).iter().map(ToString::to_string).collect();
        let mut rng = random::rng(32);
        let mut accepted = 0;
        for _ in 0..CASES {
            let text = mutate(pick(&texts, &mut rng), pick(&texts, &mut rng), &mut rng);
            if let Ok(position) = text.parse::<G>() {
                assert_eq!(position.to_string(), text, "a position is read as it is written or not at all");
                accepted += 1;
                play_on(&position, &mut rng);
            }
        }
        assert!(accepted > 0, "{}: no mutation was a position: nothing was tried", G::ABOUT.id);
    }
    for_each_game!(check);
}

/// A position that the parser let through must work like any other.
fn play_on<G: Draw>(position: &G, rng: &mut ChaCha8Rng) {
    let layout = AnyGame::layout(position);
    let mut game = position.clone();
    for _ in 0..30 {
        let moves = Game::moves(&game);
        assert_eq!(moves.is_empty(), Game::outcome(&game).is_some(), "{game}");
        let Some(&mv) = moves.get(rng.random_range(0..moves.len().max(1))) else { return };
        let mut scene = Draw::scene(&game, None);
        assert!(scene.pieces.iter().all(|piece| layout.cells.iter().any(|cell| cell.id == piece.cell)), "{game}");
        scene.apply(&Draw::steps(&game, mv)).unwrap_or_else(|error| panic!("{mv} in {game}: {error}"));
        Game::play(&mut game, mv);
        let read: G = game.to_string().parse().unwrap_or_else(|error| panic!("{position}, then {game}: {error}"));
        assert_eq!(read, game, "after {position}");
    }
}

#[test]
fn moves_and_options_survive_mutation() {
    fn check<G: Draw>() {
        let mut moves: Vec<String> = vec![];
        random::play(&random::starts::<G>()[0], &mut random::rng(33), |_, mv| moves.push(mv.to_string()));
        let words: Vec<String> = G::ABOUT.options.iter().map(|(word, _)| (*word).to_owned()).collect();
        let mut rng = random::rng(34);
        for _ in 0..CASES {
            let text = mutate(pick(&moves, &mut rng), pick(&moves, &mut rng), &mut rng);
            if let Ok(mv) = text.parse::<G::Move>() {
                assert_eq!(mv.to_string(), text);
            }
            let mut position = random::starts::<G>().swap_remove(0);
            let _ = AnyGame::play(&mut position, &text);
            let _ = mutate(pick(&words, &mut rng), "-", &mut rng).parse::<G::Options>();
        }
    }
    for_each_game!(check);
}

#[test]
fn records_survive_mutation() {
    let mut rng = random::rng(35);
    let mut file = String::new();
    for kind in GAMES {
        let mut record = Record::new(kind, "-").expect("the default options");
        record.set_tag("Player1", "house").expect("a tag");
        for _ in 0..12 {
            let Some(mv) = record.position().moves().first().cloned() else { break };
            record.play(&mv).expect("a legal move");
        }
        record.note("so far").expect("a note");
        file += &format!("{record}\n");
    }
    assert_eq!(write(&Record::read_all(file.as_bytes()).expect("records as they were written")), file);
    let mut accepted = 0;
    for _ in 0..CASES {
        let text = mutate(&file, &file, &mut rng);
        if let Ok(records) = Record::read_all(text.as_bytes()) {
            accepted += 1;
            let written = write(&records);
            let again = Record::read_all(written.as_bytes()).unwrap_or_else(|error| panic!("{written}\n{error}"));
            assert_eq!(write(&again), written);
        }
        let mut bytes = text.into_bytes();
        for _ in 0..rng.random_range(1..4) {
            let index = rng.random_range(0..bytes.len().max(1));
            if let Some(byte) = bytes.get_mut(index) {
                *byte = rng.random();
            }
        }
        let _ = Record::read_all(&bytes);
    }
    assert!(accepted > 0);
}

fn write(records: &[Record]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

#[test]
fn anything_at_all_is_answered_with_an_error() {
    fn check<G: Draw>() {
        let mut rng = random::rng(36);
        for _ in 0..CASES {
            let length = rng.random_range(0..200);
            let bytes: Vec<u8> = (0..length).map(|_| rng.random()).collect();
            let text = String::from_utf8_lossy(&bytes);
            assert!(text.parse::<G>().is_err());
            let _ = Record::read_all(&bytes);
            let _ = text.parse::<G::Move>();
            let _ = text.parse::<G::Options>();
        }
        let valid = G::new(&G::Options::default()).to_string();
        let whole = valid.chars().count();
        for length in 0..whole {
            let half: String = valid.chars().take(length).collect();
            let error = half.parse::<G>().expect_err("half a position is none");
            assert!(error.column <= length + 1, "{half}: {error}");
        }
        for huge in ["1".repeat(1_000_000), "/".repeat(1_000_000), valid.repeat(1000)] {
            assert!(huge.parse::<G>().is_err());
            assert!(huge.parse::<G::Move>().is_err());
        }
    }
    for_each_game!(check);
}

fn pick<'a>(texts: &'a [String], rng: &mut ChaCha8Rng) -> &'a str {
    if texts.is_empty() { "" } else { &texts[rng.random_range(0..texts.len())] }
}

/// A few random changes: characters replaced, removed, doubled, swapped, taken from another text.
fn mutate(text: &str, other: &str, rng: &mut impl Rng) -> String {
    const ALPHABET: &str = "0123456789-+.,:;/|xoXOYBRGeogbs~%#FBAJSéñ\u{1f600}\n\t {}\"\0";
    let mut chars: Vec<char> = text.chars().collect();
    let other: Vec<char> = other.chars().collect();
    for _ in 0..rng.random_range(1..4) {
        let at = rng.random_range(0..chars.len().max(1));
        match rng.random_range(0..7) {
            _ if chars.is_empty() => chars.push('1'),
            0 => chars[at] = any_of(ALPHABET, rng),
            1 => drop(chars.remove(at)),
            2 => chars.insert(at, any_of(ALPHABET, rng)),
            3 => chars.truncate(at),
            4 => {
                let with = rng.random_range(0..chars.len());
                chars.swap(at, with);
            }
            5 => chars.extend_from_within(at..),
            _ if at < other.len() => chars[at] = other[at],
            _ => {}
        }
    }
    chars.into_iter().collect()
}

fn any_of(alphabet: &str, rng: &mut impl Rng) -> char {
    let index = rng.random_range(0..alphabet.chars().count());
    alphabet.chars().nth(index).expect("an index within the alphabet")
}
