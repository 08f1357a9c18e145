//! Any text as a position of any game: what is accepted prints back to the letter and can be drawn.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_games::GAMES;

fuzz_target!(|text: &str| {
    for kind in GAMES {
        if let Ok(position) = (kind.parse)(text) {
            assert_eq!(position.notation(), text);
            position.layout();
            position.scene(None).expect("a scene without a last move");
        }
    }
});
