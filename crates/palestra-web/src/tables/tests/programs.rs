//! Programs and built-in players: questions and answers.

use palestra_arena::TimeControl;

use super::super::occupant::Occupant;
use super::super::setup::Setup;
use super::super::table::Ask;
use super::{at, ended, guest, open, person, setup};

#[test]
fn an_answer_to_an_earlier_question_counts_for_nothing() {
    let ana = guest("ana");
    let mut table =
        open(setup("mancala", TimeControl::Unlimited), [person(&ana), Occupant::BuiltIn("ninja1".to_owned())]);
    table.set_here(0, true, at(0));
    table.make_move(&ana, 0, "1", at(1)).unwrap();
    let Ask { turn, seat } = table.ask().expect("the built-in player is to be asked");
    assert_eq!(seat, 1);
    table.asked(turn, at(1));
    assert_eq!(table.ask(), None, "once");
    table.take_back(&ana, at(2)).unwrap();
    table.answered(turn, "1".to_owned(), None, None, at(3));
    assert_eq!(table.view(at(3)).moves.len(), 0);
    table.make_move(&ana, 0, "2", at(4)).unwrap();
    table.answered(turn, "1".to_owned(), None, None, at(5));
    assert_eq!(table.view(at(5)).moves.len(), 1, "still not");
}

#[test]
fn a_program_that_moves_against_the_rules_loses_or_may_try_again() {
    for retry in [false, true] {
        let ana = guest("ana");
        let program = Occupant::Remote { key: "k".to_owned(), name: "bot".to_owned() };
        let setup = Setup { retry, ..setup("conecta4boom", TimeControl::Unlimited) };
        let mut table = open(setup, [program, person(&ana)]);
        assert_eq!(table.ask(), None, "it is not there");
        table.set_here(0, true, at(1));
        let turn = table.ask().unwrap().turn;
        table.asked(turn, at(1));
        table.take_said();
        table.answered(turn, "9".to_owned(), None, None, at(2));
        assert_eq!(ended(&mut table).map(|end| end.reason.word()), (!retry).then_some("illegal"));
        assert_eq!(table.ask().is_some(), retry);
    }
}

#[test]
fn a_program_that_reconnects_on_its_turn_is_asked_again() {
    let program = Occupant::Remote { key: "k".to_owned(), name: "bot".to_owned() };
    let mut table = open(setup("mancala", TimeControl::Unlimited), [program, person(&guest("ana"))]);
    table.set_here(0, true, at(0));
    let ask = table.ask().unwrap();
    table.asked(ask.turn, at(0));
    assert_eq!(table.ask(), None);
    table.set_here(0, false, at(1));
    table.set_here(0, true, at(2));
    assert_eq!(table.ask(), Some(ask), "it has forgotten the question");
}
