//! Parchís' golden games, positions, single cases and counts.

use std::ops::ControlFlow;

use palestra_games::parchis::{Board, Colour, MAX_BOUNCES, Move, Parchis, Place};
use palestra_games::{AnyGame, Game, Outcome, Side, perft};
use serde::Deserialize;

use super::{PerftCounts, Row, Tally, rows};

/// Colour, piece (-1 for a skip) and die.
type Action = (String, i8, u8);

#[derive(Deserialize)]
struct Played {
    board: Option<String>,
    init: String,
    plies: Vec<(usize, String, i8, u8, String, String)>,
    n: Option<usize>,
    winner: Option<i8>,
    winner_color: Option<String>,
    reason: Option<String>,
}

#[derive(Deserialize)]
struct Case {
    case: String,
    state: String,
    legal: String,
    action: Action,
    after: String,
    legal_after: String,
    winner: i8,
    illegal: bool,
    overbounce: bool,
    eaten: String,
}

#[derive(Deserialize)]
struct Counts {
    board: Option<String>,
    state: String,
    perft: Vec<u64>,
    divide: Option<Vec<(i8, u8, u64)>>,
    fnv64_d3: Option<String>,
}

#[derive(Deserialize)]
struct Position {
    state: String,
    eaten: Option<String>,
    legal: String,
}

#[test]
fn golden_parchis_replays() {
    let mut tally = Tally::default();
    for row in rows("parchis") {
        check(&row, &mut tally);
    }
    tally.print("parchis");
}

fn check(row: &Row, tally: &mut Tally) {
    if row.has(&["init", "plies"]) {
        replay(row, tally);
    } else if row.has(&["case", "state", "action", "after"]) {
        check_case(row, tally);
    } else if row.has(&["state", "perft"]) {
        check_counts(row, tally);
    } else if row.has(&["state", "legal"]) {
        // The values in it are the search's to check.
        let Position { state, eaten, legal } = row.read();
        let eaten = eaten.unwrap_or_else(|| "-".to_owned());
        let game = parse(&row.place, &state, &eaten);
        assert_eq!(eaten_text(&game), eaten, "{}", row.place);
        assert_eq!(legal_text(&game), legal, "{}", row.place);
        tally.add("positions", 1);
    } else {
        row.unknown();
    }
}

fn replay(row: &Row, tally: &mut Tally) {
    let place = &row.place;
    let played: Played = row.read();
    let mut game = parse(place, &played.init, "-");
    if let Some(board) = played.board.and_then(|name| name.parse().ok()) {
        assert_eq!(game, Parchis::new(&board), "{place}: the start of {board}");
    }
    for (ply, (player, colour, piece, die, legal, after)) in played.plies.iter().enumerate() {
        assert_eq!(Game::turn(&game).index(), *player, "{place}: ply {ply}");
        assert_eq!(game.colour().to_string(), *colour, "{place}: ply {ply}");
        assert_eq!(legal_text(&game), *legal, "{place}: ply {ply}");
        AnyGame::play(&mut game, &move_text(colour, *piece, *die))
            .unwrap_or_else(|error| panic!("{place}: ply {ply}: {error}"));
        check_state(&format!("{place}: after ply {ply}"), &game, after);
        assert_eq!(Game::outcome(&game).is_some(), ply + 1 == played.plies.len(), "{place}: after ply {ply}");
        tally.add("plies", 1);
    }
    if let Some(n) = played.n {
        assert_eq!(played.plies.len(), n, "{place}: plies");
    }
    if let Some(player) = played.winner {
        assert_eq!(winner(&game), player, "{place}");
    }
    if let Some(colour) = played.winner_color {
        assert_eq!(arrived(&game).map_or("-".to_owned(), |colour| colour.to_string()), colour, "{place}");
    }
    if let Some(reason) = played.reason {
        assert_eq!(if overbounced(&game) { "overbounce" } else { "goal" }, reason, "{place}");
    }
    tally.add("games", 1);
}

fn check_case(row: &Row, tally: &mut Tally) {
    let case: Case = row.read();
    let place = format!("{}: {}", row.place, case.case);
    let mut game = parse(&place, &case.state, "-");
    assert_eq!(legal_text(&game), case.legal, "{place}");
    let (colour, piece, die) = &case.action;
    let before = game;
    let played = AnyGame::play(&mut game, &move_text(colour, *piece, *die));
    if case.illegal || case.case.starts_with("engine hole") {
        assert!(played.is_err(), "{place}: should be refused");
        assert_eq!(game, before, "{place}: a refused move changes nothing");
        if case.illegal {
            // That it loses is for the referee to say.
            assert_eq!(case.winner, 1 - Game::turn(&game).index() as i8, "{place}");
            // The original raised the turn number, the last field, on an illegal skip.
            let without_number = |text: &str| text.rsplit_once('|').map(|(rest, _)| rest.to_owned());
            assert_eq!(without_number(&case.after), without_number(&case.state), "{place}: afterwards");
            assert!(case.legal_after.is_empty() && !case.overbounce && case.eaten == "-", "{place}: afterwards");
        }
        tally.add("illegal actions refused", 1);
        return;
    }
    let played = played.unwrap_or_else(|error| panic!("{place}: {error}"));
    assert_eq!(played.side, Game::turn(&before), "{place}");
    assert_eq!(played.outcome, Game::outcome(&game), "{place}");
    check_state(&place, &game, &case.after);
    assert_eq!(legal_text(&game), case.legal_after, "{place}: afterwards");
    assert_eq!(winner(&game), case.winner, "{place}");
    assert_eq!(overbounced(&game), case.overbounce, "{place}");
    assert_eq!(eaten_text(&game), case.eaten, "{place}");
    tally.add("cases", 1);
}

fn check_counts(row: &Row, tally: &mut Tally) {
    let place = &row.place;
    let counts: Counts = row.read();
    let game = parse(place, &counts.state, "-");
    if let Some(board) = counts.board.and_then(|name| name.parse::<Board>().ok()) {
        assert_eq!(game, Parchis::new(&board), "{place}: the start of {board}");
        tally.add("boards", 1);
    }
    for (depth, leaves) in (1..).zip(counts.perft) {
        tally.perft(place, &game, depth, leaves, None);
    }
    if let Some(divide) = counts.divide {
        let found: Vec<(i8, u8, u64)> = Game::moves(&game).into_iter().map(|mv| divided(&game, mv)).collect();
        assert_eq!(found, divide, "{place}: divide");
        tally.add("divided counts", divide.len());
    }
    if let Some(hash) = counts.fnv64_d3 {
        let mut fnv = 0xcbf2_9ce4_8422_2325;
        hash_below(&game, 3, &mut fnv);
        assert_eq!(format!("{fnv:016x}"), hash, "{place}: the hash of all states");
        tally.add("hashes of all states", 1);
    }
}

/// Piece, die, and the leaves below the move when the whole is searched three plies deep.
fn divided(game: &Parchis, mv: Move) -> (i8, u8, u64) {
    let mut child = *game;
    Game::play(&mut child, mv);
    (mv.piece().map_or(-1, |piece| piece as i8), mv.die().value(), perft(&child, 2).leaves)
}

/// FNV-1a over the texts of all positions below, each ended by a newline.
fn hash_below(game: &Parchis, depth: u32, fnv: &mut u64) {
    if depth == 0 {
        return;
    }
    let _ = game.each_move(|mv| {
        let mut child = *game;
        Game::play(&mut child, mv);
        for byte in state_text(&child).bytes().chain([b'\n']) {
            *fnv = (*fnv ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        hash_below(&child, depth - 1, fnv);
        ControlFlow::<()>::Continue(())
    });
}

/// Through the notation, so that the parser is tested too: the course's text and the eaten piece, if it is known.
fn parse(place: &str, state: &str, eaten: &str) -> Parchis {
    let text = if eaten == "-" { state.to_owned() } else { format!("{state}|{eaten}") };
    let game: Parchis = text.parse().unwrap_or_else(|error| panic!("{place}: {text}: {error}"));
    assert_eq!(game.to_string(), text, "{place}");
    game
}

/// The position is the golden one, and can be written and read.
fn check_state(place: &str, game: &Parchis, state: &str) {
    assert_eq!(state_text(game), state, "{place}");
    let again = parse(place, state, &eaten_text(game));
    assert_eq!(again, *game, "{place}");
    assert_eq!(Game::key(&again), Game::key(game), "{place}");
}

/// The course's text, which does not say who was eaten.
fn state_text(game: &Parchis) -> String {
    let text = game.to_string();
    let eaten = game.eaten().map_or(0, |_| "|B0".len());
    text[..text.len() - eaten].to_owned()
}

fn eaten_text(game: &Parchis) -> String {
    game.eaten().map_or("-".to_owned(), |(colour, piece)| format!("{colour}{piece}"))
}

fn move_text(colour: &str, piece: i8, die: u8) -> String {
    if piece < 0 { format!("{colour}s:{die}") } else { format!("{colour}{piece}:{die}") }
}

/// The legal moves as the course's data write them: `1:023 2:s`.
fn legal_text(game: &Parchis) -> String {
    let mut text = String::new();
    let mut last_die = None;
    for mv in Game::moves(game) {
        if last_die != Some(mv.die()) {
            text += &format!(" {}:", mv.die());
            last_die = Some(mv.die());
        }
        text += &mv.piece().map_or("s".to_owned(), |piece| piece.to_string());
    }
    text.trim_start().to_owned()
}

fn winner(game: &Parchis) -> i8 {
    match Game::outcome(game) {
        Some(Outcome::Win(Side::One)) => 0,
        Some(Outcome::Win(Side::Two)) => 1,
        _ => -1,
    }
}

/// The colour with all its pieces in the goal.
fn arrived(game: &Parchis) -> Option<Colour> {
    Colour::ALL.into_iter().find(|&colour| game.places(colour).iter().all(|&place| place == Place::GOAL))
}

fn overbounced(game: &Parchis) -> bool {
    Colour::ALL.into_iter().any(|colour| game.bounces(colour) >= MAX_BOUNCES)
}
