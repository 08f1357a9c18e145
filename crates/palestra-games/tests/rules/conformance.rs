//! What must hold of every game in the list.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use palestra_games::{AnyGame, Draw, GAMES, Game, GameKind, MAX_MOVES, PlayError, Record, with_game};

use crate::random;

/// Runs a generic check on every game, those that no list shows too.
macro_rules! for_each_game {
    ($check:ident) => {
        for kind in GAMES {
            with_game!(kind.id(), G => $check::<G>()).expect("the id in games! is the game's ABOUT.id");
        }
        $check::<palestra_games::shells::Shells>();
    };
}
pub(crate) use for_each_game;

#[test]
fn ids_are_distinct_words_and_every_game_is_described() {
    let ids: BTreeSet<&str> = GameKind::all().map(GameKind::id).collect();
    assert_eq!(ids.len(), GameKind::all().count());
    for kind in GameKind::all() {
        let about = &kind.about;
        assert!(about.id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()), "{}", about.id);
        assert!(!about.rules.is_empty() && about.rules.iter().all(|rule| !rule.is_empty()), "{}", about.id);
        assert!(!about.summary.is_empty() && !about.move_notation.is_empty() && !about.position_notation.is_empty());
        assert!(std::ptr::eq((kind.start)("-").expect("the default options").kind(), kind));
    }
}

#[test]
fn hidden_games_are_found_and_in_no_list() {
    assert!(GAMES.iter().all(|kind| kind.is_listed));
    let hidden: Vec<&GameKind> = GameKind::all().filter(|kind| !kind.is_listed).collect();
    assert!(!hidden.is_empty() && hidden.len() + GAMES.len() == GameKind::all().count());
    for kind in hidden {
        assert!(GameKind::find(kind.id()).is_some());
        assert!(with_game!(kind.id(), G => G::ABOUT.id).is_none(), "no player is asked to play {}", kind.id());
    }
}

#[test]
fn options_are_one_word_that_reads_back() {
    fn check<G: Draw>() {
        let words = G::ABOUT.options.iter().map(|(word, _)| (*word).to_owned());
        for word in words.chain([G::Options::default().to_string()]) {
            let options: G::Options = word.parse().expect("options that are listed");
            assert_eq!(options.to_string(), word, "{}", G::ABOUT.id);
            assert_eq!(G::new(&options), G::new(&word.parse().expect("the same options")), "{}", G::ABOUT.id);
        }
        if let Some((first, _)) = G::ABOUT.options.first() {
            assert_eq!(G::Options::default().to_string(), *first, "{}: the default comes first", G::ABOUT.id);
        }
        assert!("no such option".parse::<G::Options>().is_err());
    }
    for_each_game!(check);
}

#[test]
fn positions_and_moves_read_back_from_their_text() {
    fn check<G: Draw>() {
        for position in random::positions::<G>(1, 5) {
            let text = position.to_string();
            assert!(!text.contains(char::is_whitespace), "{text}");
            let read: G = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(read, position, "{text}");
            assert_eq!(read.to_string(), text);
            assert_eq!(Game::key(&read), Game::key(&position), "the key of {text}, from scratch and as played");
            assert_eq!(Game::outcome(&read), Game::outcome(&position), "{text}");
            assert_eq!(Game::moves(&read), Game::moves(&position), "{text}");
            for mv in Game::moves(&position) {
                let text = mv.to_string();
                assert!(!text.contains(char::is_whitespace) && !text.contains(['{', '}']) && text != "pass", "{text}");
                assert_eq!(text.parse::<G::Move>().as_ref(), Ok(&mv), "{text}");
            }
        }
    }
    for_each_game!(check);
}

#[test]
fn legal_is_what_is_listed() {
    fn check<G: Draw>() {
        let positions = random::positions::<G>(2, 3);
        let seen: BTreeSet<G::Move> = positions.iter().flat_map(|position| Game::moves(position)).collect();
        for position in positions.iter().step_by(positions.len() / 500 + 1) {
            let listed = Game::moves(position);
            for &mv in &seen {
                assert_eq!(position.is_legal(mv), listed.contains(&mv), "{mv} in {position}");
            }
        }
    }
    for_each_game!(check);
}

#[test]
fn moves_are_listed_once_in_a_fixed_order_until_the_end() {
    fn check<G: Draw>() {
        for position in random::positions::<G>(3, 5) {
            let moves = Game::moves(&position);
            let ended = Game::outcome(&position).is_some();
            assert_eq!(moves.is_empty(), ended, "moves are listed exactly until the end: {position}");
            assert!(moves.len() <= MAX_MOVES);
            assert_eq!(position.count_moves(), moves.len(), "{position}");
            assert_eq!(moves.iter().collect::<BTreeSet<_>>().len(), moves.len(), "{position}");
            assert_eq!(moves, Game::moves(&position.clone()), "{position}");
            for n in 1..=moves.len() {
                let mut left = n;
                let stopped = position.each_move(|mv| {
                    left -= 1;
                    if left == 0 { ControlFlow::Break(mv) } else { ControlFlow::Continue(()) }
                });
                assert_eq!(stopped, ControlFlow::Break(moves[n - 1]), "{position}");
            }
        }
    }
    for_each_game!(check);
}

#[test]
fn games_end_within_the_stated_bound() {
    fn check<G: Draw>() {
        let mut rng = random::rng(4);
        for start in random::starts::<G>() {
            for _ in 0..10 {
                let mut plies = 0;
                let last = random::play(&start, &mut rng, |_, _| plies += 1);
                let ended = Game::outcome(&last).is_some();
                assert!(ended || G::ABOUT.move_cap == Some(plies), "{} goes on after {plies} plies", G::ABOUT.id);
            }
        }
    }
    for_each_game!(check);
}

#[test]
fn what_cannot_be_played_is_refused_and_changes_nothing() {
    fn check<G: Draw>() {
        for position in random::positions::<G>(5, 2).into_iter().step_by(17) {
            for text in ["", " ", "?", "0", "-1", "99999999999999999999", "1 2", "é", "pass"] {
                let mut game = position.clone();
                let error = AnyGame::play(&mut game, text).expect_err(text);
                assert_eq!(game, position, "{text:?} in {position}");
                match error {
                    PlayError::GameOver { .. } => assert!(Game::outcome(&position).is_some()),
                    PlayError::NotAMove { legal, .. } | PlayError::Illegal { legal, .. } => {
                        assert_eq!(legal, AnyGame::moves(&position));
                    }
                }
            }
        }
    }
    for_each_game!(check);
}

#[test]
fn a_game_behind_the_trait_object_is_the_same_game() {
    fn check<G: Draw>() {
        let mut rng = random::rng(6);
        let start = G::new(&G::Options::default());
        let mut boxed = (GameKind::find(G::ABOUT.id).expect("a game of the list").start)("-").expect("the default");
        let last = random::play(&start, &mut rng, |position, mv| {
            assert_eq!(boxed.as_any().downcast_ref::<G>(), Some(position));
            assert_eq!(boxed.moves(), AnyGame::moves(position));
            let side = boxed.turn();
            let mut after = position.clone();
            Game::play(&mut after, mv);
            let played = boxed.play(&mv.to_string()).expect("a legal move");
            assert_eq!((played.side, played.outcome), (side, Game::outcome(&after)));
            assert_eq!(boxed.boxed_clone().notation(), after.to_string());
        });
        assert_eq!((boxed.outcome(), boxed.points(), boxed.key()), (last.outcome(), last.points(), last.key()));
    }
    for_each_game!(check);
}

#[test]
fn records_of_whole_games_read_back() {
    fn check<G: Draw>() {
        let mut rng = random::rng(7);
        let mut passes = 0;
        for start in random::starts::<G>().into_iter().take(4) {
            let mut record = Record::from_position(&start);
            let last = random::play(&start, &mut rng, |_, mv| {
                let played = record.play(&mv.to_string()).expect("a legal move");
                passes += usize::from(played.passed);
            });
            let reason = if Game::outcome(&last).is_some() { "finished" } else { "move cap" };
            record.set_result(Game::points(&last), reason).expect("the result of the moves");
            let text = record.to_string();
            let read = Record::read_all(text.as_bytes()).unwrap_or_else(|error| panic!("{text}\n{error}"));
            assert_eq!(read.iter().map(ToString::to_string).collect::<String>(), text);
            assert_eq!(read[0].position().notation(), last.to_string());
            assert_eq!(read[0].moves(), record.moves());
            assert_eq!(text.split_whitespace().filter(|&word| word == "pass").count(), passes_of(&record));
        }
        assert_eq!(passes > 0, G::PASSES, "{}: {passes} passes", G::ABOUT.id);
    }
    for_each_game!(check);
}

fn passes_of(record: &Record) -> usize {
    record.moves().iter().filter(|mv| mv.played.passed).count()
}
