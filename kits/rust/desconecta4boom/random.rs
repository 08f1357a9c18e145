//! Plays Desconecta-4 Boom by chance: any legal move, all equally likely.

#[path = "../palestra.rs"]
mod palestra;

use palestra::{Desconecta4Boom, Game, Random, Turn};

fn main() {
    let mut random = Random::new();
    palestra::play::<Desconecta4Boom>("random", |position: &Desconecta4Boom, _: &Turn| {
        random.choose(&position.moves())
    });
}
