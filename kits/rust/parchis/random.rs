//! Plays Parchís by chance: any legal move, all equally likely.

#[path = "../palestra.rs"]
mod palestra;

use palestra::{Game, Parchis, Random, Turn};

fn main() {
    let mut random = Random::new();
    palestra::play::<Parchis>("random", |position: &Parchis, _: &Turn| random.choose(&position.moves()));
}
