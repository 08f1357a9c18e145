//! Random positions for the tests of this folder, the same on every machine.

use palestra_games::boom::{Action, Boom, Rules};
use palestra_games::{Game, NoOptions};

/// The positions of so many random games. Every other game avoids moves that end it, so that boards become full.
pub(super) fn positions<R: Rules>(games: u64) -> Vec<Boom<R>> {
    let mut state = 1;
    let mut all = Vec::new();
    for game in 0..games {
        let mut position = Boom::<R>::new(&NoOptions);
        // Longer games than this only repeat explosions.
        while position.outcome().is_none() && position.move_number() < 150 {
            all.push(position);
            let children = position.moves().into_iter().map(|mv| after(&position, mv));
            let (open, over): (Vec<_>, Vec<_>) = children.partition(|child| child.outcome().is_none());
            let choice = if game % 2 == 0 && !open.is_empty() { open } else { [open, over].concat() };
            state = splitmix(state);
            position = choice[(state % choice.len() as u64) as usize];
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

fn splitmix(state: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
