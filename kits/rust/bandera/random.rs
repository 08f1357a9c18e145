//! Plays El Juego de la Bandera by chance: any legal move, all equally likely.

#[path = "../palestra.rs"]
mod palestra;

use palestra::{Bandera, Game, Random, Turn};

fn main() {
    let mut random = Random::new();
    palestra::play::<Bandera>("random", |position: &Bandera, _: &Turn| random.choose(&position.moves()));
}
