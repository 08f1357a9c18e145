//! Clocks and absences.

use palestra_arena::TimeControl;

use super::super::event::Event;
use super::super::occupant::Occupant;
use super::{SECOND, at, bad, ended, guest, of_two, open, person, setup};

#[test]
fn the_clock_of_the_side_to_move_runs_and_ends_the_game() {
    let (mut table, ana, _) = of_two(TimeControl::Game { total: SECOND * 60, increment: SECOND });
    table.make_move(&ana, 0, "1", at(10)).unwrap();
    assert_eq!(table.view(at(20)).state.clocks.left_ms, Some([51_000, 50_000]));
    assert_eq!(table.deadline(), Some(SECOND * 70));
    table.tick(at(70));
    assert!(ended(&mut table).is_none());
    table.tick(at(71));
    let end = ended(&mut table).expect("the time is up");
    assert_eq!((end.winner, end.reason.word()), (Some(0), "timeout"));
    let game = table.take_finished().expect("the game is kept");
    assert_eq!((game.winner, game.reason.as_str(), game.players[1].name.as_str()), (Some(1), "timeout", "ben"));
}

#[test]
fn a_late_move_is_refused() {
    let (mut table, ana, _) = of_two(TimeControl::Wall(SECOND * 5));
    assert_eq!(bad(table.make_move(&ana, 0, "1", at(6))), "tables.no_game");
    assert_eq!(ended(&mut table).unwrap().winner, Some(1));
}

#[test]
fn an_absent_player_forfeits() {
    let (mut table, _, _) = of_two(TimeControl::Game { total: SECOND * 6000, increment: SECOND });
    table.set_here(1, false, at(10));
    assert!(matches!(table.take_said()[..], [Event::Dropped { seat: 1, within_ms: 120_000 }]));
    table.set_here(1, true, at(129));
    assert!(matches!(table.take_said()[..], [Event::Back { seat: 1 }]));
    table.set_here(1, false, at(130));
    table.tick(at(251));
    let end = ended(&mut table).unwrap();
    assert_eq!((end.winner, end.reason.word()), (Some(0), "disconnect"));
}

#[test]
fn taking_back_gains_no_time() {
    let (mut table, ana, ben) = of_two(TimeControl::Game { total: SECOND * 60, increment: SECOND * 5 });
    table.make_move(&ana, 0, "1", at(10)).unwrap();
    assert_eq!(table.view(at(10)).state.clocks.left_ms, Some([55_000, 60_000]));
    table.take_back(&ana, at(20)).unwrap();
    table.take_back(&ben, at(30)).unwrap();
    assert_eq!(table.view(at(30)).state.clocks.left_ms, Some([50_000, 40_000]), "what was spent is spent");
    table.make_move(&ana, 0, "1", at(30)).unwrap();
    assert_eq!(table.view(at(30)).state.clocks.left_ms, Some([55_000, 40_000]));
}

#[test]
fn only_the_question_of_this_turn_starts_a_clock() {
    let (ana, program) = (guest("ana"), Occupant::BuiltIn("ninja1".to_owned()));
    let mut table = open(setup("mancala", TimeControl::Wall(SECOND * 5)), [person(&ana), program]);
    table.set_here(0, true, at(0));
    table.withdraw(at(1));
    assert_eq!(table.deadline(), Some(SECOND * 5), "a person's clock is not stopped");
    table.make_move(&ana, 0, "1", at(1)).unwrap();
    let ask = table.ask().expect("the program is to move");
    table.asked(ask.turn - 1, at(2));
    assert_eq!((table.ask(), table.deadline()), (Some(ask), None));
}

#[test]
fn a_program_that_is_away_has_a_clock_too() {
    let ana = guest("ana");
    let program = Occupant::Remote { key: "k".to_owned(), name: "bot".to_owned() };
    let mut table = open(setup("mancala", TimeControl::Wall(SECOND * 5)), [person(&ana), program]);
    (0..2).for_each(|seat| table.set_here(seat, true, at(0)));
    table.set_here(1, false, at(1));
    table.make_move(&ana, 0, "1", at(2)).unwrap();
    assert_eq!(table.deadline(), Some(SECOND * 7));
    table.set_here(1, true, at(3));
    assert!(table.ask().is_some(), "once it is back it is asked");
    table.take_said();
    table.tick(at(8));
    assert_eq!(ended(&mut table).unwrap().reason.word(), "timeout");
}

#[test]
fn a_built_in_player_that_is_stopped_loses_no_time_and_is_asked_again() {
    let players = [Occupant::BuiltIn("ninja1".to_owned()), Occupant::BuiltIn("random".to_owned())];
    let mut table = open(setup("mancala", TimeControl::Wall(SECOND)), players);
    let ask = table.ask().unwrap();
    table.asked(ask.turn, at(0));
    assert_eq!((table.ask(), table.deadline()), (None, Some(SECOND)));
    table.withdraw(at(0));
    assert_eq!((table.ask(), table.deadline()), (Some(ask), None));
    table.tick(at(100));
    assert!(!table.is_over());
    table.asked(ask.turn, at(100));
    assert_eq!(table.deadline(), Some(SECOND * 101));
}
