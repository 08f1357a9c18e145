//! Random games, the same on every machine.

use palestra_games::draw::About;
use palestra_games::{Draw, Game};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random play stops here where no referee would stop it earlier.
const PLIES: usize = 3000;

/// A source of random numbers, the same for the same seed.
pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// The start of the game with each of its options.
pub(crate) fn starts<G: Draw>() -> Vec<G> {
    let words = G::ABOUT.options.iter().map(|(word, _)| word.parse().expect("an option that is listed"));
    let mut starts: Vec<G> = words.map(|options| G::new(&options)).collect();
    if starts.is_empty() {
        starts.push(G::new(&G::Options::default()));
    }
    starts
}

/// The referee's bound on the length of a game, or one of ours where every game ends by itself.
pub(crate) fn bound(about: &About) -> usize {
    about.move_cap.map_or(PLIES, |cap| cap as usize)
}

/// A random game: calls `f` with each position and the move about to be played in it, and returns the last position.
pub(crate) fn play<G: Draw>(start: &G, rng: &mut ChaCha8Rng, mut f: impl FnMut(&G, G::Move)) -> G {
    let mut game = start.clone();
    for _ in 0..bound(&G::ABOUT) {
        let moves = Game::moves(&game);
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        f(&game, mv);
        Game::play(&mut game, mv);
    }
    game
}

/// Positions of random games from every start, `games` of them each, the last ones included.
pub(crate) fn positions<G: Draw>(seed: u64, games: usize) -> Vec<G> {
    let mut rng = rng(seed);
    let mut all = Vec::new();
    for start in starts::<G>() {
        for _ in 0..games {
            let last = play(&start, &mut rng, |position, _| all.push(position.clone()));
            all.push(last);
        }
    }
    all
}
