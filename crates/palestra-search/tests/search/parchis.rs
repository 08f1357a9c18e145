//! Parchís' evaluations against what they say they are.

use palestra_games::parchis::{Board, Colour, Parchis};
use palestra_games::{Game, Side};
use palestra_search::parchis::{MyHeuristic1, Race, Test};
use palestra_search::{Guide, Playable, Score, Tunable, WIN_BOUND, Weight, is_decided};
use proptest::prelude::*;

/// A position of a random game.
fn position() -> impl Strategy<Value = Parchis> {
    let board = prop::sample::select(&Board::ALL[..]);
    (board, prop::collection::vec(any::<u8>(), 0..300)).prop_map(|(board, choices)| {
        let mut position = Parchis::new(&board);
        for choice in choices {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[usize::from(choice) % moves.len()]);
        }
        position
    })
}

proptest! {
    #[test]
    fn what_is_good_for_one_side_is_as_bad_for_the_other(position in position()) {
        fn sum(guide: impl Guide<Parchis>, position: &Parchis) -> Score {
            Side::BOTH.into_iter().map(|side| guide.value(position, side)).sum()
        }
        prop_assert_eq!(sum(Test, &position), 0);
        prop_assert_eq!(sum(MyHeuristic1, &position), 0);
        prop_assert_eq!(sum(Race::default(), &position), 0);
    }

    #[test]
    fn the_race_treats_all_colours_alike(position in position()) {
        let turned = turned(&position);
        let race = Race::default();
        prop_assert_eq!(race.value(&position, Side::One), race.value(&turned, Side::Two), "{} {}", position, turned);
    }

    #[test]
    fn the_plain_race_counts_the_steps_to_go(position in position()) {
        let plain: Vec<Score> = Race::WEIGHTS.iter().map(|weight| weight.plain).collect();
        let steps = |side: Side| -> Score {
            let colours = Colour::ALL.into_iter().filter(|colour| colour.side() == side);
            let ways = colours.flat_map(|colour| {
                position.places(colour).map(|place| Score::from(place.distance_to_goal(colour)))
            });
            ways.sum()
        };
        let race = Race::with_weights(&position, &plain);
        prop_assert_eq!(race.score(&position, Side::One), 64 * (steps(Side::Two) - steps(Side::One)));
    }

    #[test]
    fn the_race_never_claims_a_win(position in position()) {
        prop_assert!(!is_decided(Race::default().score(&position, Side::One)));
        prop_assert!(hints(&position).into_iter().all(|hint| hint.abs() < WIN_BOUND));
    }
}

#[test]
fn the_tuned_weights_are_the_ones_in_use() {
    let tuned: Vec<Score> = Race::WEIGHTS.iter().map(|weight| weight.tuned).collect();
    assert_eq!(Race::with_weights(&Parchis::new(&Board::Grouped), &tuned), Race::default());
}

#[test]
fn a_piece_within_reach_of_the_opponent_is_worth_less() {
    let race = Race::default();
    let near = parse("10040490.00000000.00000000.05000000|123456.123456.123456.123456|Y0|-|0.0.0.0|1|9");
    let out_of_reach = parse("10040490.00000000.00000000.05000000|123456.123456.123456.12346|Y0|-|0.0.0.0|1|9");
    let spent = race.score(&near, Side::Two) - race.score(&out_of_reach, Side::Two);
    let safe = parse("13040490.00000000.00000000.05000000|123456.123456.123456.123456|Y0|-|0.0.0.0|1|9");
    let safe_spent = parse("13040490.00000000.00000000.05000000|123456.123456.123456.12346|Y0|-|0.0.0.0|1|9");
    let elsewhere = race.score(&safe, Side::Two) - race.score(&safe_spent, Side::Two);
    assert!(spent > elsewhere, "a 5 that eats is worth more than one that does not: {spent}, {elsewhere}");
}

/// The race with all weights plain but one.
fn race_with(name: &str, value: Score) -> Race {
    let weight = |weight: &Weight| if weight.name == name { value } else { weight.plain };
    let weights: Vec<Score> = Race::WEIGHTS.iter().map(weight).collect();
    Race::with_weights(&Parchis::new(&Board::Grouped), &weights)
}

#[test]
fn a_5_counts_as_a_way_out_only_while_a_piece_is_at_home() {
    let race = race_with("exit", 100);
    let worth = |pieces: &str| {
        let [with, without] = ["123456", "12346"].map(|pool| {
            let text = format!("{pieces}.00000000.00000000.05000000|{pool}.123456.123456.123456|Y0|-|0.0.0.0|1|9");
            race.score(&parse(&text), Side::One)
        });
        with - without
    };
    assert_eq!([worth("00040490"), worth("10040490")], [100, 0]);
}

#[test]
fn two_colours_that_are_level_both_count_for_the_mean() {
    // Red is where yellow is, half a round further; blue and green are at home.
    let level = parse("10000000.00000000.44000000.00000000|123456.123456.123456.123456|Y0|-|0.0.0.0|1|9");
    let steps = |colour: Colour| -> Score {
        level.places(colour).into_iter().map(|place| Score::from(place.distance_to_goal(colour))).sum()
    };
    let [yellow, blue, red, green] = Colour::ALL.map(steps);
    assert_eq!((yellow, blue), (red, green), "each player's colours are level");
    let score = race_with("trailer", 32).score(&level, Side::One);
    assert_eq!(score, (64 + 32) / 2 * (blue + green - yellow - red));
}

#[test]
fn eating_is_tried_before_walking_and_winning_before_all() {
    let eats = parse("06101313.00000000.00000000.08000000|1234.123456.123456.123456|Y0|-|0.0.0.0|1|9");
    assert_eq!(first_by_hint(&eats), "Y0:2");
    let wins = parse("90909077.00000000.00000000.08000000|1234.123456.123456.123456|Y0|-|0.0.0.0|1|9");
    assert_eq!(first_by_hint(&wins), "Y3:1");
}

#[test]
fn greedy_wins_eats_and_otherwise_goes_far() {
    let greedy = |text: &str| parse(text).greedy().to_string();
    assert_eq!(greedy("06909077.00000000.00000000.08000000|12346.123456.123456.123456|Y0|-|0.0.0.0|1|9"), "Y0:2");
    assert_eq!(greedy("90909077.00000000.00000000.08000000|12346.123456.123456.123456|Y0|-|0.0.0.0|1|9"), "Y3:1");
    assert_eq!(greedy("06101315.00000000.00000000.30000000|12346.123456.123456.123456|Y0|-|0.0.0.0|1|9"), "Y0:6");
}

fn parse(text: &str) -> Parchis {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn hints(position: &Parchis) -> Vec<i32> {
    let race = Race::default();
    position.moves().into_iter().map(|mv| race.hint(position, mv)).collect()
}

fn first_by_hint(position: &Parchis) -> String {
    let hints = hints(position);
    let best = (0..hints.len()).max_by_key(|&at| hints[at]).expect("a move");
    position.moves()[best].to_string()
}

/// The board turned by a quarter: every colour is the next one.
fn turned(position: &Parchis) -> Parchis {
    let text = position.to_string();
    let fields: Vec<&str> = text.split('|').collect();
    let places = |colour: Colour| {
        let turned = position.places(colour).map(|place| match place.ring() {
            Some(square) => format!("{:02}", (square + 16) % 68 + 1),
            None => place.to_string(),
        });
        turned.concat()
    };
    let places = [Colour::Green, Colour::Yellow, Colour::Blue, Colour::Red].map(places).join(".");
    let rotated = |field: &str| {
        let mut parts: Vec<&str> = field.split('.').collect();
        parts.rotate_right(1);
        parts.join(".")
    };
    let colour = position.colour().next();
    let turn = format!("{colour}{}", colour.side().index());
    let mut text =
        [&places, &rotated(fields[1]), &turn, fields[3], &rotated(fields[4]), fields[5], fields[6]].join("|");
    if let Some((eaten, piece)) = position.eaten() {
        text += &format!("|{}{piece}", eaten.next());
    }
    parse(&text)
}
