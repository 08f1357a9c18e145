//! Random positions for the tests of this folder, the same on every machine.

use palestra_games::boom::{Action, Boom, Rules};
use palestra_games::{Game, NoOptions};

use crate::rng::Rng;

/// The positions of `games` random games. Every other game avoids moves that end it, so that boards become full.
pub(super) fn positions<R: Rules>(games: u64) -> Vec<Boom<R>> {
    let mut rng = Rng::new(1);
    let mut all = Vec::new();
    for game in 0..games {
        let mut position = Boom::<R>::new(&NoOptions);
        // Longer games than this only repeat explosions.
        while position.outcome().is_none() && position.move_number() < 150 {
            all.push(position);
            let children = position.moves().into_iter().map(|mv| after(&position, mv));
            let (open, over): (Vec<_>, Vec<_>) = children.partition(|child| child.outcome().is_none());
            let choice = if game % 2 == 0 && !open.is_empty() { open } else { [open, over].concat() };
            position = choice[rng.below(choice.len())];
        }
        all.push(position);
    }
    all
}

/// The position after a move.
pub(super) fn after<R: Rules>(position: &Boom<R>, mv: Action) -> Boom<R> {
    let mut child = *position;
    child.play(mv);
    child
}

/// The position with left and right exchanged, by way of its notation.
pub(super) fn mirrored<R: Rules>(position: &Boom<R>) -> Boom<R> {
    let text = position.to_string();
    let (number, rows) = text.split_once(':').expect("a number, a colon and rows");
    let rows: Vec<String> = rows.split('/').map(|row| row.chars().rev().collect()).collect();
    format!("{number}:{}", rows.join("/")).parse().expect("a mirrored position is one")
}
