//! Tables at which no other person plays: stand-ins, chosen players, changed sides, new beginnings.

use palestra_arena::TimeControl;

use super::super::event::Event;
use super::super::occupant::{Occupant, Who};
use super::super::setup::Setup;
use super::super::table::{Now, Table};
use super::{at, bad, guest, of_two, open, person, setup};
use crate::http::error::Refused;

fn ninja() -> Occupant {
    Occupant::BuiltIn("ninja1".to_owned())
}

/// Ana against a built-in player.
fn alone() -> (Table, Who) {
    let ana = guest("ana");
    let mut table = open(setup("mancala", TimeControl::Unlimited), [person(&ana), ninja()]);
    table.set_here(0, true, at(0));
    table.take_said();
    (table, ana)
}

/// The player to move is asked, and makes the first legal move.
fn answer(table: &mut Table, now: Now) {
    let ask = table.ask().expect("a program is to move");
    table.asked(ask.turn, now);
    let first = table.referee().unwrap().position().moves()[0].clone();
    table.answered(ask.turn, first, None, None, now);
}

/// All commands of a table for one.
fn all(table: &mut Table, who: &Who) -> Vec<Result<(), Refused>> {
    vec![
        table.let_stand_in(who, ninja(), Some(1), at(1)),
        table.stop_stand_in(who, at(1)),
        table.set_player(who, 1, ninja(), at(1)),
        table.change_sides(who, at(1)),
        table.restart(who, at(1)),
        table.players_from_here(who).map(drop),
    ]
}

#[test]
fn nothing_of_it_is_allowed_where_two_people_play() {
    let (mut table, ana, _) = of_two(TimeControl::Unlimited);
    for refused in all(&mut table, &ana) {
        assert_eq!(bad(refused), "tables.solo_people");
    }
    assert!(table.take_said().is_empty(), "nothing happened");
}

#[test]
fn nothing_of_it_is_allowed_in_a_rated_game() {
    let ana = super::account(1, "ana");
    let seats = [person(&ana), person(&super::account(2, "ben"))];
    let mut table = open(Setup { is_rated: true, ..setup("mancala", TimeControl::Unlimited) }, seats);
    table.take_said();
    for refused in all(&mut table, &ana) {
        assert_eq!(bad(refused), "tables.solo_rated");
    }
    assert!(table.take_said().is_empty(), "nothing happened");
}

#[test]
fn nothing_of_it_is_allowed_to_spectators() {
    let (mut table, _) = alone();
    for refused in all(&mut table, &guest("eve")) {
        assert_eq!(bad(refused), "tables.only_players");
    }
}

#[test]
fn a_stand_in_makes_as_many_moves_as_it_was_asked_for() {
    let (mut table, ana) = alone();
    table.let_stand_in(&ana, Occupant::BuiltIn("random".to_owned()), Some(2), at(1)).unwrap();
    assert_eq!(table.take_said(), [Event::StandIn]);
    let (mut own, mut clock) = (0, 1);
    while table.stand_in.is_some() {
        clock += 1;
        own += usize::from(table.ask().unwrap().seat == 0);
        answer(&mut table, at(clock));
    }
    assert_eq!(own, 2);
    assert!(table.take_said().contains(&Event::StandIn), "it is said that it stops");
    while table.mover() == Some(1) {
        clock += 1;
        answer(&mut table, at(clock));
    }
    assert_eq!(table.ask(), None, "Ana is to move");
}

#[test]
fn a_stand_in_finishes_the_game() {
    let (mut table, ana) = alone();
    table.let_stand_in(&ana, ninja(), None, at(1)).unwrap();
    let mut clock = 1;
    while !table.is_over() {
        clock += 1;
        answer(&mut table, at(clock));
        let now = at(clock);
        let restored = Table::restore("code", &table.save(now.clock), now.clock).unwrap();
        assert_eq!(restored.stand_in, table.stand_in);
    }
    assert_eq!(table.stand_in, None);
}

#[test]
fn a_person_who_moves_or_stops_it_plays_on() {
    let (mut table, ana) = alone();
    table.let_stand_in(&ana, ninja(), None, at(1)).unwrap();
    let ask = table.ask().expect("it is asked");
    table.make_move(&ana, 0, "1", at(2)).unwrap();
    assert_eq!(table.stand_in, None);
    table.answered(ask.turn, "2".to_owned(), None, None, at(3));
    assert_eq!(table.view(at(3)).moves.len(), 1, "its answer comes too late");
    let (mut table, ana) = alone();
    table.let_stand_in(&ana, ninja(), None, at(1)).unwrap();
    table.stop_stand_in(&ana, at(2)).unwrap();
    assert_eq!((table.ask(), table.mover()), (None, Some(0)));
}

#[test]
fn a_stand_in_is_a_program_and_makes_at_least_one_move() {
    let (mut table, ana) = alone();
    assert_eq!(bad(table.let_stand_in(&ana, ninja(), Some(0), at(1))), "refused.form");
    assert_eq!(bad(table.let_stand_in(&ana, person(&ana), None, at(1))), "refused.form");
    assert_eq!(bad(table.let_stand_in(&ana, Occupant::Open, None, at(1))), "refused.form");
}

#[test]
fn players_are_chosen_in_the_middle_of_a_game() {
    let (mut table, ana) = alone();
    table.make_move(&ana, 0, "1", at(1)).unwrap();
    table.set_player(&ana, 1, person(&ana), at(2)).unwrap();
    assert_eq!((table.ask(), table.seats_of(&ana)), (None, vec![0, 1]), "she plays both sides");
    table.set_player(&ana, 0, ninja(), at(3)).unwrap();
    table.set_player(&ana, 1, ninja(), at(3)).unwrap();
    answer(&mut table, at(4));
    assert_eq!(table.view(at(4)).moves.len(), 2);
    assert_eq!(bad(table.set_player(&ana, 2, ninja(), at(5))), "tables.only_players", "she plays no more");
}

#[test]
fn whoever_opened_a_table_of_programs_takes_a_seat_again() {
    let ana = guest("ana");
    let setup = Setup { creator: ana.token.clone(), ..setup("mancala", TimeControl::Unlimited) };
    let mut table = open(setup, [ninja(), ninja()]);
    table.set_player(&ana, 0, person(&ana), at(1)).unwrap();
    assert_eq!(table.seats_of(&ana), [0]);
}

#[test]
fn sides_change_in_the_middle_of_a_game() {
    let (mut table, ana) = alone();
    table.make_move(&ana, 0, "1", at(1)).unwrap();
    table.change_sides(&ana, at(2)).unwrap();
    let view = table.view(at(2));
    assert_eq!((view.state.first, view.state.turn, &*view.moves), (1, Some(0), &[(1, "1".to_owned())][..]));
    assert_eq!(table.ask(), None, "Ana is to move");
}

#[test]
fn a_game_begins_anew_with_the_same_sides() {
    let (mut table, ana) = alone();
    table.make_move(&ana, 0, "1", at(1)).unwrap();
    table.restart(&ana, at(2)).unwrap();
    let view = table.view(at(2));
    assert_eq!((view.state.number, view.state.first, view.moves.len()), (2, 0, 0));
    assert!(table.take_finished().is_none(), "one that is not over is not kept");
}

#[test]
fn another_table_goes_on_from_the_position_with_the_same_players() {
    let (mut table, ana) = alone();
    table.make_move(&ana, 0, "1", at(1)).unwrap();
    let (position, seats) = table.players_from_here(&ana).unwrap();
    assert_eq!(position, table.referee().unwrap().position().notation());
    assert_eq!(seats, [person(&ana), ninja()]);
}
