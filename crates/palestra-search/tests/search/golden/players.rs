//! The moves of the built-in players, kept for good: a mark of one year is comparable with those of the next.
//!
//! `tests/golden/players` holds 200 positions a game and the move that each player answers. A player whose moves are to
//! change becomes a new player with a new name. With `PALESTRA_RECORD_PLAYERS=1` the test writes what is missing (a game
//! without a file, a player without moves) and never changes what is there.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use palestra_games::{Game, GameKind, with_game};
use palestra_golden::{own_folder, rows_of, write_rows};
use palestra_search::engine::Never;
use palestra_search::rng::Rng;
use palestra_search::{AnyPlayer, Playable, any_player, any_players};
use serde::{Deserialize, Serialize};

/// Positions a game.
const POSITIONS: usize = 200;

/// The players, with the seeds of `random`. One player answers all positions of a game in their order: for `random` the
/// order matters.
const PLAYERS: [(&str, &str, u64); 8] = [
    ("random:1", "random", 1),
    ("random:2", "random", 2),
    ("random:2026", "random", 2026),
    ("greedy", "greedy", 0),
    ("ninja1", "ninja1", 0),
    ("ninja2", "ninja2", 0),
    ("ninja3", "ninja3", 0),
    ("house", "house", 0),
];

#[derive(Serialize, Deserialize)]
struct Answered {
    position: String,
    /// By player; `random:SEED` for the player `random`.
    moves: BTreeMap<String, String>,
}

#[test]
fn players_of_mancala_play_as_ever() {
    check("mancala");
}

#[test]
fn players_of_conecta4boom_play_as_ever() {
    check("conecta4boom");
}

#[test]
fn players_of_desconecta4boom_play_as_ever() {
    check("desconecta4boom");
}

#[test]
fn players_of_parchis_play_as_ever() {
    check("parchis");
}

#[test]
fn players_of_bandera_play_as_ever() {
    check("bandera");
}

fn check(game: &str) {
    if std::env::var_os("PALESTRA_RECORD_PLAYERS").is_some() {
        record_missing(game);
    }
    let rows = read(game);
    assert_eq!(rows.len(), POSITIONS, "{game}: positions");
    for (label, mut player) in players(game) {
        let differences: Vec<String> =
            rows.iter().filter_map(|row| difference(game, label, &mut *player, row)).collect();
        assert!(
            differences.is_empty(),
            "{game}: {label} plays other moves than it used to, in {} of {POSITIONS} positions; a player with other moves \
             needs a name of its own. The first:\n{}",
            differences.len(),
            differences[0]
        );
    }
}

fn players(game: &str) -> Vec<(&'static str, Box<dyn AnyPlayer>)> {
    let kinds = any_players(game).expect("a game of the list");
    let is_there = |name| kinds.iter().any(|kind| kind.name == name);
    let present = PLAYERS.into_iter().filter(|&(_, name, _)| is_there(name));
    present.map(|(label, name, seed)| (label, any_player(game, name, seed).expect("a listed player"))).collect()
}

fn file(game: &str) -> PathBuf {
    own_folder().join("players").join(format!("{game}.jsonl.gz"))
}

fn read(game: &str) -> Vec<Answered> {
    rows_of(&file(game)).iter().map(|row| row.read()).collect()
}

/// The player's answer, where it is not the recorded one.
fn difference(game: &str, label: &str, player: &mut dyn AnyPlayer, row: &Answered) -> Option<String> {
    let played = answer(game, player, &row.position);
    let recorded = row.moves.get(label);
    (recorded != Some(&played)).then(|| format!("{}\nrecorded {recorded:?}, played {played:?}", row.position))
}

fn answer(game: &str, player: &mut dyn AnyPlayer, position: &str) -> String {
    let kind = GameKind::find(game).expect("a game of the list");
    let position = (kind.parse)(position).unwrap_or_else(|error| panic!("{game}: {position}: {error}"));
    player.choose(&*position, &mut Never).expect("recorded positions are unfinished").mv
}

/// Writes positions where a game has none, and moves where a player has none.
fn record_missing(game: &str) {
    let mut rows = if file(game).exists() {
        read(game)
    } else {
        let positions = with_game!(game, G => positions::<G>()).expect("a game of the list");
        positions.into_iter().map(|position| Answered { position, moves: BTreeMap::new() }).collect()
    };
    for (label, mut player) in players(game) {
        if rows.iter().all(|row| !row.moves.contains_key(label)) {
            for row in &mut rows {
                let played = answer(game, &mut *player, &row.position);
                row.moves.insert(label.to_owned(), played);
            }
        }
    }
    write_rows(&file(game), &rows);
}

/// Positions with a choice, from games on all kinds of boards in which one move of two is greedy and one random.
fn positions<G: Playable>() -> Vec<String> {
    let mut rng = Rng::new(1);
    let mut seen = HashSet::new();
    let mut positions = Vec::new();
    for game in 0.. {
        let mut position = G::new(&G::board(game % G::BOARDS, &mut rng));
        while position.outcome().is_none() {
            let moves = Game::moves(&position);
            if moves.len() > 1 && rng.below(8) == 0 && seen.insert(position.to_string()) {
                positions.push(position.to_string());
                if positions.len() == POSITIONS {
                    return positions;
                }
            }
            position.play(if rng.below(2) == 0 { position.greedy() } else { moves[rng.below(moves.len())] });
        }
    }
    unreachable!("the loop ends with the last position")
}
