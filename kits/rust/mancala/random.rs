//! Plays Mancala by chance: any legal move, all equally likely.

#[path = "../palestra.rs"]
mod palestra;

use palestra::{Game, Mancala, Random, Turn};

fn main() {
    let mut random = Random::new();
    palestra::play::<Mancala>("random", |position: &Mancala, _: &Turn| random.choose(&position.moves()));
}
