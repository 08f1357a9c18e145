//! The golden games, positions and counts of Conecta-4 Boom and Desconecta-4 Boom.

use std::collections::HashSet;

use palestra_games::boom::{Action, Boom, Conecta, Desconecta, Rules, Stone};
use palestra_games::{Game, NoOptions, Outcome, Side, perft};
use serde::Deserialize;

use super::{PerftCounts, Row, Tally, rows};
use crate::boom::has_line;

/// Sets of positions larger than this are not built in a test.
const DISTINCT_LIMIT: usize = 1_500_000;

#[derive(Deserialize, PartialEq, Debug)]
struct State {
    p: usize,
    turn: u32,
    r#move: u32,
    legal: Vec<u8>,
    board: String,
    free: u32,
    bomb: [u8; 2],
    put_bomb: u8,
}

impl State {
    fn of<R: Rules>(game: &Boom<R>) -> Self {
        let board = (0..7).flat_map(|row| (0..7).map(move |column| (column, row)));
        let bomb = Side::BOTH.map(|side| u8::from(game.bomb(side) != 0));
        // Not the legal moves: the original lists moves after the end, too.
        let open = (0..7).filter(|&column| game.cell(column.into(), 6).is_none());
        Self {
            p: game.turn().index() + 1,
            turn: game.turn_number(),
            r#move: game.move_number(),
            legal: open.chain((bomb[game.turn().index()] == 1).then_some(7)).collect(),
            board: board.map(|(column, row)| game.cell(column, row).map_or('0', digit)).collect(),
            free: game.free_cells(),
            bomb,
            put_bomb: u8::from(game.next_drop_is_bomb()),
        }
    }

    /// Through the notation, so that the parser is tested too.
    fn parse<R: Rules>(&self, place: &str) -> Boom<R> {
        let board = self.board.as_bytes().chunks(7).rev().map(row_text).collect::<Vec<_>>().join("/");
        let text = format!("{}:{board}", self.r#move);
        text.parse().unwrap_or_else(|error| panic!("{place}: {text}: {error}"))
    }
}

fn digit(stone: Stone) -> char {
    match (stone.owner, stone.bomb) {
        (Side::One, false) => '1',
        (Side::Two, false) => '2',
        (Side::One, true) => '4',
        (Side::Two, true) => '5',
    }
}

fn row_text(cells: &[u8]) -> String {
    let runs = cells.chunk_by(|a, b| a == b && *a == b'0');
    let text = |run: &[u8]| match run[0] {
        b'0' => run.len().to_string(),
        b'1' => "x".to_owned(),
        b'2' => "o".to_owned(),
        b'4' => "X".to_owned(),
        b'5' => "O".to_owned(),
        other => panic!("cell {:?} is not known", char::from(other)),
    };
    runs.map(text).collect()
}

#[derive(Deserialize)]
struct Played {
    actions: Vec<u8>,
    states: Vec<State>,
    winner: Option<usize>,
    terminal: Option<bool>,
    four: Option<[u8; 2]>,
}

#[derive(Deserialize)]
struct Position {
    actions: Vec<u8>,
    state: State,
    perft: Option<Vec<[u64; 3]>>,
    /// The depth of `nodes`, positions in the whole tree with its root.
    depth: Option<u32>,
    nodes: Option<u64>,
    root_children: Option<Vec<(u8, i64)>>,
}

#[derive(Deserialize)]
struct Count {
    depth: u32,
    leaves: u64,
    terminal_leaves: Option<u64>,
    distinct_nonterminal: Option<usize>,
}

#[test]
fn golden_conecta4boom_replays() {
    replay_all::<Conecta>();
}

#[test]
fn golden_desconecta4boom_replays() {
    replay_all::<Desconecta>();
}

fn replay_all<R: Rules>() {
    let mut tally = Tally::default();
    for row in rows(R::ABOUT.id) {
        if row.has(&["actions", "states"]) {
            replay::<R>(&row, &mut tally);
        } else if row.has(&["actions", "state"]) {
            position::<R>(&row, &mut tally);
        } else if row.has(&["depth", "leaves"]) {
            count::<R>(&row, &mut tally);
        } else {
            row.unknown();
        }
    }
    tally.print(R::ABOUT.id);
}

fn replay<R: Rules>(row: &Row, tally: &mut Tally) {
    let place = &row.place;
    let played: Played = row.read();
    assert_eq!(played.actions.len() + 1, played.states.len(), "{place}: a state before and after every move");
    let mut game = Boom::<R>::new(&NoOptions);
    compare(&game, &played.states[0], place);
    for (ply, (&id, state)) in played.actions.iter().zip(&played.states[1..]).enumerate() {
        play(&mut game, id, &format!("{place}: ply {ply}"));
        compare(&game, state, &format!("{place}: after ply {ply}"));
        tally.add("plies", 1);
    }
    if let Some(terminal) = played.terminal {
        assert_eq!(game.outcome().is_some(), terminal, "{place}: {game}");
    }
    if let Some(winner) = played.winner {
        assert_eq!(
            game.outcome().and_then(Outcome::winner).map_or(0, |side| side.index() + 1),
            winner,
            "{place}: {game}"
        );
    }
    if let Some(four) = played.four {
        assert_eq!(Side::BOTH.map(|side| u8::from(has_line(&game, side))), four, "{place}: {game}");
    }
    tally.add("games", 1);
}

fn play<R: Rules>(game: &mut Boom<R>, id: u8, place: &str) {
    let mv = Action::from_id(id).unwrap_or_else(|| panic!("{place}: no action {id}"));
    game.try_play(mv).unwrap_or_else(|error| panic!("{place}: {mv} in {game}: {error}"));
}

fn compare<R: Rules>(game: &Boom<R>, state: &State, place: &str) {
    assert_eq!(State::of(game), *state, "{place}");
    let parsed = state.parse::<R>(place);
    assert_eq!((parsed, parsed.key()), (*game, game.key()), "{place}");
    let ids: Vec<u8> = game.moves().iter().map(|mv| mv.id()).collect();
    let legal: &[u8] = if game.outcome().is_some() { &[] } else { &state.legal };
    assert_eq!(ids, legal, "{place}");
}

fn position<R: Rules>(row: &Row, tally: &mut Tally) {
    let place = &row.place;
    let position: Position = row.read();
    let mut game = Boom::<R>::new(&NoOptions);
    for &id in &position.actions {
        play(&mut game, id, place);
    }
    compare(&game, &position.state, place);
    for [depth, leaves, finished] in position.perft.into_iter().flatten() {
        let depth = depth.try_into().expect("a depth is a small number");
        tally.perft(place, &game, depth, leaves, Some(finished));
    }
    if let (Some(depth), Some(nodes)) = (position.depth, position.nodes) {
        assert_eq!((0..=depth).map(|depth| perft(&game, depth).leaves).sum::<u64>(), nodes, "{place}: {game}");
    }
    if let Some(children) = position.root_children {
        let ids: Vec<u8> = game.moves().iter().map(|mv| mv.id()).collect();
        assert_eq!(children.iter().map(|child| child.0).collect::<Vec<_>>(), ids, "{place}: {game}");
    }
    // The values of a search are for the search's tests.
    tally.add("positions", 1);
}

fn count<R: Rules>(row: &Row, tally: &mut Tally) {
    let count: Count = row.read();
    let start = Boom::<R>::new(&NoOptions);
    tally.perft(&row.place, &start, count.depth, count.leaves, count.terminal_leaves);
    match count.distinct_nonterminal {
        Some(wanted) if wanted <= DISTINCT_LIMIT => {
            assert_eq!(distinct(start, count.depth), wanted, "{}: distinct boards", row.place);
            tally.add("distinct counts", 1);
        }
        _ => {}
    }
}

/// The unfinished boards after so many moves. The move number being the same, equal boards are equal positions.
fn distinct<R: Rules>(start: Boom<R>, depth: u32) -> usize {
    let mut layer = HashSet::from([start]);
    for _ in 0..depth {
        let children = layer.iter().flat_map(|game| {
            game.moves().into_iter().map(|mv| {
                let mut child = *game;
                child.play(mv);
                child
            })
        });
        layer = children.filter(|child| child.outcome().is_none()).collect();
    }
    layer.len()
}
