//! The built-in players: what they answer, and names that are not theirs.

use std::ops::ControlFlow;

use palestra_games::mancala::{Mancala, Pit};
use palestra_games::{Game, GameKind, NoOptions};
use palestra_search::engine::{Never, States, Stop};
use palestra_search::mancala::Stores;
use palestra_search::player::any_players;
use palestra_search::rng::Rng;
use palestra_search::teach::{Ascending, Teacher};
use palestra_search::{Choice, Guide, Playable, Tunable, any_player, player};

fn choose(name: &str, position: &Mancala, stop: &mut dyn Stop) -> Option<Choice<Mancala>> {
    player::<Mancala>(name, 1).unwrap_or_else(|error| panic!("{name}: {error}")).choose(position, stop)
}

fn error(name: &str) -> String {
    match player::<Mancala>(name, 1) {
        Ok(_) => panic!("{name} is a player"),
        Err(error) => error.to_string(),
    }
}

/// A position after some random moves.
fn wander(rng: &mut Rng, plies: usize) -> Mancala {
    let mut position = Mancala::new(&NoOptions);
    for _ in 0..plies {
        let moves = position.moves();
        if !moves.is_empty() {
            position.play(moves[rng.below(moves.len())]);
        }
    }
    position
}

/// Every kind of player, by a name that can be typed.
const NAMES: [&str; 10] = [
    "random",
    "greedy",
    "ninja1",
    "ninja2",
    "ninja3",
    "maestro",
    "house",
    "minimax:3",
    "alphabeta:4",
    "alphabeta:3:strong",
];

#[test]
fn golden_mancala_greedy_against_itself() {
    let mut position = Mancala::new(&NoOptions);
    let mut moves = Vec::new();
    while position.outcome().is_none() {
        let mv = position.greedy();
        moves.push(mv.to_string());
        position.play(mv);
    }
    assert_eq!(moves.join(" "), "4 1 5 1 6 2 2 1 3 4 1 1 2 2 4 3 2 1 4 3 1 2 2 5 1 2 1 2 1 3 3 4");
    assert_eq!(position.points(), [28, 20]);
}

#[test]
fn everybody_has_a_legal_move_even_when_stopped_at_once() {
    struct AtOnce;
    impl Stop for AtOnce {
        fn ask(&mut self, _: u64) -> ControlFlow<(), u64> {
            ControlFlow::Break(())
        }
    }
    let mut rng = Rng::new(3);
    for plies in 0..40 {
        let position = wander(&mut rng, plies);
        for name in NAMES {
            let choice = choose(name, &position, &mut AtOnce);
            assert_eq!(choice.is_none(), position.outcome().is_some(), "{name} at {position}");
            assert!(choice.is_none_or(|choice| position.is_legal(choice.mv) && choice.line[0] == choice.mv), "{name}");
        }
    }
}

#[test]
fn an_only_move_is_answered_at_once() {
    let position: Mancala = "1:20,0,0,5,0,0,0/20,1,1,1,0,0,0".parse().expect("a position");
    for name in NAMES {
        let choice = choose(name, &position, &mut Never).expect("a move");
        assert_eq!((choice.mv, choice.nodes), (Pit::new(3).expect("a pit"), 0), "{name}");
    }
}

#[test]
fn textbook_players_play_what_the_textbook_finds() {
    let mut rng = Rng::new(5);
    for plies in [0, 3, 9, 14] {
        let position = wander(&mut rng, plies);
        let mut teacher = Teacher::new(position.turn(), &Stores, Ascending);
        let (mv, score) = teacher.best_by_alpha_beta(&position, 6).expect("a move");
        let choice = choose("alphabeta:6:stores", &position, &mut Never).expect("a move");
        assert_eq!((choice.mv, choice.score, choice.nodes), (mv, Some(score), teacher.nodes()));
        assert_eq!(
            choose("minimax:6", &position, &mut Never).map(|choice| (choice.mv, choice.score)),
            Some((mv, Some(score)))
        );
    }
}

#[test]
fn a_textbook_player_in_a_hurry_keeps_the_best_of_the_moves_it_finished() {
    let start = Mancala::new(&NoOptions);
    let whole = choose("minimax:7", &start, &mut Never).expect("a move");
    for states in [1, 100, 20_000, 60_000] {
        let choice = choose("minimax:7", &start, &mut States(states)).expect("a move");
        assert!(choice.nodes <= states + 100, "{} of {states}", choice.nodes);
        assert!(choice.score <= whole.score, "{choice:?} is better than {whole:?}");
    }
}

/// What a player reports while it looks for a move, and its choice.
fn reported(name: &str, position: &Mancala, stop: &mut dyn Stop) -> (Vec<Choice<Mancala>>, Choice<Mancala>) {
    let mut player = player::<Mancala>(name, 1).expect("a player");
    let mut reports = vec![];
    let choice = player.choose_with(position, stop, &mut |choice| reports.push(choice.clone()));
    (reports, choice.expect("a move"))
}

#[test]
fn an_iterative_deepening_player_reports_each_iteration() {
    let start = Mancala::new(&NoOptions);
    let (reports, choice) = reported("ninja3", &start, &mut Never);
    let depths: Vec<u32> = reports.iter().map(|report| report.depth).collect();
    assert_eq!(depths, (1..=choice.depth).collect::<Vec<_>>());
    assert!(reports.is_sorted_by_key(|report| report.nodes) && reports.iter().all(|report| report.score.is_some()));
    assert_eq!(reports.last(), Some(&choice), "the last iteration is the answer");
    assert_eq!(choose("ninja3", &start, &mut Never), Some(choice), "reports change nothing");
}

#[test]
fn a_textbook_player_reports_its_depth_at_once_and_then_each_better_move() {
    let start = Mancala::new(&NoOptions);
    let (reports, choice) = reported("alphabeta:6:stores", &start, &mut Never);
    assert!(reports.len() > 1 && reports.iter().all(|report| report.depth == 6), "{reports:?}");
    assert_eq!((reports[0].score, reports[0].nodes), (None, 0));
    assert!(reports.is_sorted_by(|before, after| before.score < after.score), "{reports:?}");
    let last = reports.last().expect("a report");
    assert_eq!((last.mv, last.score), (choice.mv, choice.score));
    let (reports, _) = reported("minimax:99:stores", &start, &mut States(100));
    assert_eq!(reports.iter().map(|report| report.depth).collect::<Vec<_>>(), [99], "no move was searched so deep");
}

#[test]
fn players_that_do_not_look_ahead_report_nothing() {
    let start = Mancala::new(&NoOptions);
    for name in ["random", "greedy"] {
        assert_eq!(reported(name, &start, &mut Never).0, [], "{name}");
    }
}

#[test]
fn graded_players_answer_by_the_position_alone() {
    let mut rng = Rng::new(8);
    let positions: Vec<Mancala> = (0..6).map(|plies| wander(&mut rng, plies)).collect();
    for name in ["ninja2", "ninja3", "house"] {
        let mut veteran = player::<Mancala>(name, 1).expect("a player");
        for position in positions.iter().rev() {
            assert_eq!(veteran.choose(position, &mut Never), choose(name, position, &mut Never), "{name}");
        }
    }
    let house = choose("house", &positions[0], &mut Never).expect("a move");
    // The position at which it is stopped is counted and not looked at.
    assert!((100_000..=140_001).contains(&house.nodes), "{}", house.nodes);
}

#[test]
fn random_depends_on_its_seed() {
    let game = |seed| {
        let mut random = player::<Mancala>("random", seed).expect("a player");
        let mut position = Mancala::new(&NoOptions);
        while let Some(choice) = random.choose(&position, &mut Never) {
            position.play(choice.mv);
        }
        position
    };
    assert_eq!(game(1), game(1));
    assert!((2..10).any(|seed| game(seed) != game(1)));
}

#[test]
fn names_that_are_no_players_say_what_is_wrong() {
    assert_eq!(error("ninj4"), "there is no player 'ninj4'; did you mean ninja1 or ninja2 or ninja3?");
    assert_eq!(error("alfabeta:3"), "there is no player 'alfabeta:3'; did you mean alphabeta:DEPTH:EVAL?");
    assert!(error("").starts_with("there is no player ''; there are random, greedy, ninja1, "));
    assert_eq!(error("minimax"), "'' in 'minimax' is no depth: it is a number from 1 to 100");
    assert_eq!(error("minimax:0"), "'0' in 'minimax:0' is no depth: it is a number from 1 to 100");
    assert_eq!(error("alphabeta:101:x"), "'101' in 'alphabeta:101:x' is no depth: it is a number from 1 to 100");
    assert_eq!(error("alphabeta:3:tset"), "mancala has no evaluation 'tset'; it has stores, strong");
    assert!(error("alphabeta:3:stores:x").starts_with("there is no player 'alphabeta:3:stores:x'"));
    assert_eq!(error("human"), "'human' is a person at the board, not a built-in player");
    assert_eq!(any_player("chess", "random", 1).err().expect("no game").to_string(), "there is no game 'chess'");
}

#[test]
fn players_at_the_border_speak_text() {
    let kind = GameKind::find("mancala").expect("a game");
    let game = (kind.start)("-").expect("a start");
    for name in NAMES {
        let mut any = any_player("mancala", name, 1).expect("a player");
        assert_eq!(any.name(), name);
        let choice = any.choose(&*game, &mut States(1000)).expect("a move");
        assert!(game.moves().contains(&choice.mv) && choice.line[0] == choice.mv, "{name}: {choice:?}");
    }
    let kinds = any_players("mancala").expect("a game");
    assert!(kinds.iter().any(|kind| kind.name == "house") && kinds.iter().all(|kind| !kind.summary.is_empty()));
}

#[test]
fn the_strong_evaluation_of_mancala_is_antisymmetric_and_counts_what_it_says() {
    type Strong = <Mancala as Playable>::Strong;
    let weights = |name: &str| -> Vec<i32> { Strong::WEIGHTS.iter().map(|w| i32::from(w.name == name)).collect() };
    let score = |name: &str, text: &str| {
        let position: Mancala = text.parse().expect("a position");
        let guide = Strong::with_weights(&position, &weights(name));
        let [own, other] = [position.turn(), position.turn().other()].map(|side| guide.score(&position, side));
        assert_eq!(own, -other, "{name} at {text}");
        own
    };
    // The mover's pit 3 ends in the empty pit 1, before eleven seeds; the other's pit 3 in pit 2, before four.
    let text = "1:10,0,1,2,0,4,0/19,0,0,1,0,0,11";
    assert_eq!(score("seed", text), 7 - 12);
    assert_eq!(score("move", text), 3 - 2);
    assert_eq!(score("capture", text), 11);
    assert_eq!(score("threat", text), -4);
    assert_eq!(score("again", "1:10,1,0,0,0,0,19/10,0,2,0,0,0,6"), 2 - 2);
    assert_eq!(score("hoard", text), -11);
    assert_eq!(score("surplus", "1:10,1,0,0,0,0,19/10,0,2,0,0,0,6"), 13);
    assert_eq!(score("tempo", text), 1);
}
