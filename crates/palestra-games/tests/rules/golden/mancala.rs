//! Mancala's golden games, positions and counts.

use std::collections::BTreeMap;

use palestra_games::mancala::{Mancala, Pit};
use palestra_games::{AnyGame, Game, NoOptions, Outcome, Side};
use serde::Deserialize;

use super::{PERFT_LIMIT, PerftCounts, Row, Tally, rows};
use crate::mancala::Board;

#[derive(Clone, Copy, Deserialize, PartialEq, Debug)]
struct State {
    b: [u8; 14],
    t: usize,
}

impl State {
    fn of(game: &Mancala) -> Self {
        let mut b = [0; 14];
        b[..7].copy_from_slice(&game.seeds(Side::One));
        b[7..].copy_from_slice(&game.seeds(Side::Two));
        Self { b, t: Game::turn(game).index() }
    }

    /// Through the notation, so that the parser is tested too.
    fn parse(&self, place: &str) -> Mancala {
        let text = self.text();
        text.parse().unwrap_or_else(|error| panic!("{place}: {text}: {error}"))
    }

    fn text(&self) -> String {
        let side = |seeds: &[u8]| seeds.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        format!("{}:{}/{}", self.t + 1, side(&self.b[..7]), side(&self.b[7..]))
    }
}

#[derive(Deserialize)]
struct Played {
    moves: Vec<u8>,
    states: Vec<State>,
    r#final: Option<[i32; 2]>,
    winner: Option<String>,
    immolated: Option<String>,
}

#[derive(Deserialize)]
struct Count {
    nodes: u64,
    finals: Option<u64>,
    extra_turn: Option<u64>,
    captures: Option<u64>,
}

#[derive(Deserialize)]
struct EdgeCase {
    b: [u8; 14],
    t: usize,
    valid: bool,
    r#move: u8,
    after: State,
    r#final: bool,
    winner: String,
}

#[test]
fn golden_mancala_replays() {
    let mut tally = Tally::default();
    for row in rows("mancala") {
        check(&row, &mut tally);
    }
    tally.print("mancala");
}

fn check(row: &Row, tally: &mut Tally) {
    #[derive(Deserialize)]
    struct FromStart {
        perft: BTreeMap<u32, Count>,
    }
    #[derive(Deserialize)]
    struct FromState {
        perft: Vec<u64>,
    }
    if row.has(&["moves", "states"]) {
        replay(row, tally);
    } else if row.has(&["perft", "b", "t"]) {
        let game = row.read::<State>().parse(&row.place);
        for (depth, leaves) in (1..).zip(row.read::<FromState>().perft) {
            tally.perft(&row.place, &game, depth, leaves, None);
        }
    } else if row.has(&["perft"]) {
        for (depth, count) in row.read::<FromStart>().perft {
            let start = Mancala::new(&NoOptions);
            tally.perft(&row.place, &start, depth, count.nodes, count.finals);
            if count.nodes <= PERFT_LIMIT && (count.extra_turn.is_some() || count.captures.is_some()) {
                let [extra, captures] = kinds(&start, depth);
                assert_eq!(count.extra_turn.unwrap_or(extra), extra, "{}: extra turns at {depth}", row.place);
                assert_eq!(count.captures.unwrap_or(captures), captures, "{}: captures at {depth}", row.place);
                tally.add("counts of extra turns and captures", 1);
            }
        }
    } else if row.has(&["after", "valid"]) {
        edge_case(row, tally);
    } else if row.has(&["b", "t", "move_values"]) || row.has(&["b", "t", "d1"]) {
        // Values of a search: the search's tests read them. That the position can be read is checked here.
        let state: State = row.read();
        assert_eq!(State::of(&state.parse(&row.place)), state, "{}", row.place);
        tally.add("positions", 1);
    } else {
        row.unknown();
    }
}

/// How many sequences of so many plies end with an extra turn, and how many with a capture.
fn kinds(game: &Mancala, depth: u32) -> [u64; 2] {
    let mut sum = [0; 2];
    for mv in Game::moves(game) {
        let counts = if depth == 1 {
            let sown = Board::of(game).play(mv.number().into());
            [sown.extra_turn, sown.capture].map(u64::from)
        } else {
            let mut after = *game;
            Game::play(&mut after, mv);
            kinds(&after, depth - 1)
        };
        sum = [sum[0] + counts[0], sum[1] + counts[1]];
    }
    sum
}

fn replay(row: &Row, tally: &mut Tally) {
    let place = &row.place;
    let played: Played = row.read();
    assert_eq!(played.moves.len(), played.states.len(), "{place}: a state after every move");
    let mut game = Mancala::new(&NoOptions);
    for (ply, (&mv, state)) in played.moves.iter().zip(&played.states).enumerate() {
        let own = game.seeds(Game::turn(&game));
        let filled: Vec<String> = (1..=6).filter(|&pit| own[pit] > 0).map(|pit| pit.to_string()).collect();
        assert_eq!(AnyGame::moves(&game), filled, "{place}: ply {ply}");
        let immolates = played.immolated.is_some() && ply + 1 == played.moves.len();
        assert_eq!(own[usize::from(mv)] == 0, immolates, "{place}: ply {ply} takes an empty pit");
        if immolates {
            let name = ["J1", "J2"][Game::turn(&game).index()];
            assert_eq!(played.immolated.as_deref(), Some(name), "{place}: who immolates");
        }
        AnyGame::play(&mut game, &mv.to_string()).unwrap_or_else(|error| panic!("{place}: ply {ply}: {error}"));
        assert_eq!(State::of(&game), *state, "{place}: after ply {ply}");
        assert_eq!(state.parse(place), game, "{place}: after ply {ply}");
        assert_eq!(Game::outcome(&game).is_some(), ply + 1 == played.moves.len(), "{place}: ply {ply}");
        tally.add("plies", 1);
    }
    if let Some(points) = played.r#final {
        assert_eq!(Game::points(&game), points, "{place}");
    }
    if let Some(name) = played.winner {
        assert_eq!(winner(&game), name, "{place}");
    }
    tally.add("games", 1);
}

fn winner(game: &Mancala) -> &'static str {
    match Game::outcome(game) {
        Some(Outcome::Win(Side::One)) => "J1",
        Some(Outcome::Win(Side::Two)) => "J2",
        _ => "NONE",
    }
}

/// The states are those of the course's class, some of which cannot be: those must be refused.
fn edge_case(row: &Row, tally: &mut Tally) {
    let case: EdgeCase = row.read();
    let state = State { b: case.b, t: case.t };
    let empty = [&case.b[1..7], &case.b[8..]].map(|pits| pits.iter().all(|&n| n == 0));
    if !case.valid || case.t > 1 || empty[0] != empty[1] {
        assert!(state.text().parse::<Mancala>().is_err(), "{}: {} should be refused", row.place, state.text());
        tally.add("impossible positions refused", 1);
        return;
    }
    let mut game = state.parse(&row.place);
    match Pit::new(case.r#move) {
        Some(pit) if Game::outcome(&game).is_none() => {
            game.try_play(pit).expect("a pit can be chosen while the game goes on");
            assert_eq!(State::of(&game), case.after, "{}", row.place);
            assert_eq!(Game::outcome(&game).is_some(), case.r#final, "{}", row.place);
            assert_eq!(winner(&game), case.winner, "{}", row.place);
        }
        // What the course's class turned into a loss is an error here, and the referee's to judge.
        _ => assert!(AnyGame::play(&mut game, &case.r#move.to_string()).is_err(), "{}", row.place),
    }
    tally.add("edge cases", 1);
}
