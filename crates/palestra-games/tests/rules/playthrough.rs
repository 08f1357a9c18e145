//! A random game of each kind, written down: whatever changes in the rules, the notation or the keys shows here.

use std::fmt::Write;

use palestra_games::{AnyGame, Draw, GAMES, Game, with_game};

use crate::conformance::for_each_game;
use crate::random;

/// So many plies are shown in full.
const SHOWN: usize = 30;

#[test]
fn playthroughs_are_as_they_were() {
    fn check<G: Draw>() {
        insta::assert_snapshot!(format!("playthrough_{}", G::ABOUT.id), playthrough::<G>());
    }
    for_each_game!(check);
}

fn playthrough<G: Draw>() -> String {
    let start = G::new(&G::Options::default());
    let mut text = format!("{}: {}\n", G::ABOUT.id, G::ABOUT.summary);
    let mut ply = 0;
    let last = random::play(&start, &mut random::rng(41), |position, mv| {
        ply += 1;
        if ply <= SHOWN {
            describe(&mut text, ply, position);
            writeln!(text, "plays {mv}").expect("a string can be written");
        }
    });
    if ply > SHOWN {
        writeln!(text, "\n...").expect("a string can be written");
    }
    describe(&mut text, ply + 1, &last);
    writeln!(text, "{:?}, points {:?}", Game::outcome(&last), Game::points(&last)).expect("a string can be written");
    text
}

fn describe<G: Draw>(text: &mut String, ply: usize, position: &G) {
    let moves = AnyGame::moves(position).join(" ");
    let (turn, key) = (Game::turn(position), Game::key(position));
    writeln!(text, "\n{ply}. {position}\nturn {turn}, key {key:016x}\nlegal {moves}").expect("a string can be written");
}
