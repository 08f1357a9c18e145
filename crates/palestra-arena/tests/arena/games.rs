//! All games, played to the end by bots and by built-in players.

use palestra_arena::testing::VirtualClock;
use palestra_arena::{PlayedGame, Reason, Rules, TimeControl};
use palestra_games::GAMES;

use crate::support::{bot, built_in, play_from, random, record, rules, with_time};

fn moves(played: &PlayedGame) -> Vec<&str> {
    played.record.moves().iter().map(|mv| mv.text.as_str()).collect()
}

/// The values of a word in the notes of a game, such as the depths.
fn noted(played: &PlayedGame, word: &str) -> Vec<u64> {
    let notes = played.record.moves().iter().filter_map(|mv| mv.note.as_deref());
    let value = |note: &str| {
        let mut words = note.split(' ').skip_while(|&other| other != word);
        words.nth(1).map(|value| value.parse().expect("a number"))
    };
    notes.filter_map(value).collect()
}

#[test]
fn random_bots_play_every_game_to_its_end() {
    for kind in GAMES {
        for seed in 0..5 {
            let clock = VirtualClock::new();
            let capped = Rules { cap: kind.about.move_cap, ..rules() };
            let seats = [bot(&clock, random(seed)), bot(&clock, random(seed + 100))];
            let played = play_from(record(kind.id()), capped, &clock, seats);
            assert_eq!(played.verdict.fault(), None, "{}", kind.id());
            assert!(played.record.position().outcome().is_some() || played.verdict.reason == Reason::Capped);
            assert_eq!(played.verdict.points, played.record.position().points());
        }
    }
}

#[test]
fn bots_play_built_in_players() {
    for kind in GAMES {
        let clock = VirtualClock::new();
        let capped = Rules { cap: Some(400), ..with_time(TimeControl::Unlimited) };
        let seats = [built_in(kind.id(), "greedy"), bot(&clock, random(7))];
        let played = play_from(record(kind.id()), capped, &clock, seats);
        assert_eq!(played.verdict.fault(), None, "{}", kind.id());
    }
}

#[test]
fn built_in_players_keep_to_the_depth_and_play_the_same_game_again() {
    for kind in GAMES {
        let shallow = Rules { depth: Some(2), cap: Some(30), ..with_time(TimeControl::Unlimited) };
        let play = || {
            let seats = [built_in(kind.id(), "ninja2"), built_in(kind.id(), "ninja3")];
            play_from(record(kind.id()), shallow, &VirtualClock::new(), seats)
        };
        let played = play();
        let depths = noted(&played, "depth");
        assert!(!depths.is_empty() && depths.iter().all(|&depth| depth <= 2), "{}: {depths:?}", kind.id());
        assert_eq!(moves(&play()), moves(&played), "{}", kind.id());
    }
}

#[test]
fn built_in_players_keep_to_the_states_and_play_the_same_game_again() {
    for kind in GAMES {
        let short = Rules { states: Some(500), cap: Some(30), ..with_time(TimeControl::Unlimited) };
        let play = || {
            let seats = [built_in(kind.id(), "ninja3"), built_in(kind.id(), "ninja2")];
            play_from(record(kind.id()), short, &VirtualClock::new(), seats)
        };
        let played = play();
        let states = noted(&played, "states");
        assert!(!states.is_empty() && states.iter().all(|&states| states <= 500), "{}: {states:?}", kind.id());
        assert_eq!(moves(&play()), moves(&played), "{}", kind.id());
    }
}
