//! Plays Conecta-4 Boom by chance: any legal move, all equally likely.

#[path = "../palestra.rs"]
mod palestra;

use palestra::{Conecta4Boom, Game, Random, Turn};

fn main() {
    let mut random = Random::new();
    palestra::play::<Conecta4Boom>("random", |position: &Conecta4Boom, _: &Turn| random.choose(&position.moves()));
}
