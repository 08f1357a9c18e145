//! Draws, take-backs, rematches, chat.

use palestra_arena::TimeControl;

use super::super::event::Event;
use super::super::occupant::Occupant;
use super::super::setup::Setup;
use super::{SECOND, at, bad, ended, guest, of_two, open, person, setup};

#[test]
fn the_second_game_of_a_match_begins_by_itself() {
    let (ana, ben) = (guest("ana"), guest("ben"));
    let mut table = open(Setup { games: 2, ..setup("mancala", TimeControl::Unlimited) }, [person(&ana), person(&ben)]);
    table.resign(&ana, at(10)).unwrap();
    assert!(!ended(&mut table).unwrap().is_last);
    assert_eq!(table.deadline(), Some(SECOND * 15));
    table.tick(at(15));
    assert_eq!((table.number, table.seat(palestra_games::Side::One)), (2, 1));
    table.resign(&ana, at(20)).unwrap();
    let end = ended(&mut table).unwrap();
    assert_eq!((end.is_last, end.wins, end.total), (true, [0, 2], [0, 96]));
    assert_eq!(table.deadline(), None);
}

#[test]
fn a_move_ends_the_wish_to_take_one_back() {
    let (mut table, ana, ben) = of_two(TimeControl::Unlimited);
    table.make_move(&ana, 0, "1", at(1)).unwrap();
    table.take_back(&ana, at(2)).unwrap();
    table.make_move(&ben, 1, "1", at(3)).unwrap();
    table.take_said();
    table.take_back(&ben, at(4)).unwrap();
    let said = table.take_said();
    assert!(matches!(said[..], [Event::TakeBackAsked { seat: 1 }]), "Ben asks, he does not agree: {said:?}");
    assert_eq!(table.view(at(4)).moves.len(), 2);
}

#[test]
fn a_draw_offer_ends_with_the_next_move_a_take_back_or_the_game() {
    let (mut table, ana, ben) = of_two(TimeControl::Unlimited);
    table.offer_draw(&ana, at(0)).unwrap();
    table.make_move(&ana, 0, "1", at(1)).unwrap();
    assert_eq!(table.draw_offered, Some(0), "Ben has not replied");
    table.make_move(&ben, 1, "1", at(2)).unwrap();
    assert_eq!(table.draw_offered, None, "a move is a reply");
    table.offer_draw(&ana, at(3)).unwrap();
    table.take_back(&ana, at(4)).unwrap();
    table.take_back(&ben, at(5)).unwrap();
    assert_eq!(table.draw_offered, None, "the offer was for another board");
    table.offer_draw(&ana, at(6)).unwrap();
    table.resign(&ana, at(7)).unwrap();
    assert_eq!((table.draw_offered, table.is_over()), (None, true));
}

#[test]
fn a_program_declines_draws_at_once() {
    let ana = guest("ana");
    let program = Occupant::BuiltIn("ninja1".to_owned());
    let mut table = open(setup("mancala", TimeControl::Unlimited), [person(&ana), program]);
    table.take_said();
    table.offer_draw(&ana, at(0)).unwrap();
    let said = table.take_said();
    assert!(matches!(said[..], [Event::DrawOffered { seat: 0 }, Event::DrawDeclined { seat: 1 }]), "{said:?}");
    assert_eq!(table.draw_offered, None);
}

#[test]
fn each_rematch_needs_both_and_begins_a_new_score() {
    let (ana, ben) = (guest("ana"), guest("ben"));
    let mut table = open(Setup { games: 2, ..setup("mancala", TimeControl::Unlimited) }, [person(&ana), person(&ben)]);
    for _ in 0..2 {
        table.resign(&ana, at(0)).unwrap();
        table.tick(at(5));
    }
    assert!(table.is_over(), "the match is over");
    table.rematch(&ana, at(6)).unwrap();
    assert_eq!(bad(table.rematch(&ana, at(6))), "tables.only_players", "once is enough");
    table.rematch(&ben, at(7)).unwrap();
    table.take_said();
    table.resign(&ana, at(8)).unwrap();
    let end = ended(&mut table).unwrap();
    assert_eq!((end.is_last, end.wins), (false, [0, 1]), "a match of its own");
    table.rematch(&ben, at(9)).unwrap();
    assert!(table.is_over(), "Ana's last wish was for the last game");
}

#[test]
fn a_person_who_plays_both_sides_takes_back_at_once() {
    let ana = guest("ana");
    let mut table = open(setup("mancala", TimeControl::Unlimited), [person(&ana), person(&ana)]);
    table.make_move(&ana, 0, "1", at(1)).unwrap();
    table.make_move(&ana, 1, "1", at(2)).unwrap();
    let before = table.view(at(2)).moves.len();
    table.take_back(&ana, at(3)).unwrap();
    assert!(table.view(at(3)).moves.len() < before);
}

#[test]
fn declining_what_was_not_asked_for_is_not_said() {
    let (mut table, ana, ben) = of_two(TimeControl::Unlimited);
    table.make_move(&ana, 0, "1", at(1)).unwrap();
    table.take_said();
    table.decline_take_back(&ben).unwrap();
    assert!(table.take_said().is_empty(), "nothing was asked for");
    table.take_back(&ana, at(2)).unwrap();
    table.decline_take_back(&ana).unwrap();
    assert!(matches!(table.take_said()[..], [Event::TakeBackAsked { seat: 0 }]), "nobody declines their own wish");
}

#[test]
fn a_chat_is_kept_up_to_a_bound() {
    let (mut table, ana, _) = of_two(TimeControl::Unlimited);
    for number in 0..150 {
        table.chat(&ana, number.to_string(), at(number)).unwrap();
    }
    let kept: Vec<&str> = table.chat.iter().map(|spoken| spoken.line.text.as_str()).collect();
    assert_eq!((kept.len(), kept[0], kept[99]), (100, "50", "149"));
}
