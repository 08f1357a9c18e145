//! Any text as a rubric: what is accepted has bounds, and marks are within them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_games::Side;
use palestra_tournament::Wdl;
use palestra_tournament::rubric::{Candidate, Rubric, RubricGame};

fuzz_target!(|text: &str| {
    let Ok(rubric) = text.parse::<Rubric>() else { return };
    let opponents = rubric.opponents();
    let games = rubric.pairings().into_iter().zip(0..).map(|(pairing, number)| RubricGame {
        number,
        opponent: opponents[pairing.opponent].to_owned(),
        side: pairing.side,
        result: if pairing.side == Side::Two && number % 3 == 0 { Wdl::Draw } else { Wdl::Win },
        code: String::new(),
    });
    let mark = rubric.mark(&Candidate { games: games.collect(), ..Candidate::default() }, None);
    assert!(mark.sum.rounded() <= rubric.maximum());
});
