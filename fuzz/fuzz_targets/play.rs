//! Any words as options and moves of any game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_games::GAMES;

fuzz_target!(|text: &str| {
    for kind in GAMES {
        let (options, moves) = text.split_once('\n').unwrap_or(("-", text));
        let mut game = (kind.start)(options).unwrap_or_else(|_| (kind.start)("-").expect("the default options"));
        for mv in moves.split_whitespace() {
            if game.steps(mv).is_ok() {
                game.play(mv).expect("a move that has steps is legal");
            } else {
                let _ = game.play(mv);
            }
            assert_eq!(game.moves().is_empty(), game.outcome().is_some());
        }
    }
});
