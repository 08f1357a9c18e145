//! Saved tables come back as they were, or not at all.

use std::time::Duration;

use palestra_arena::TimeControl;
use palestra_games::GAMES;
use serde_json::Value;

use super::super::event::Event;
use super::super::occupant::{Invited, Occupant, Who};
use super::super::setup::Setup;
use super::super::table::{Now, Table};
use super::{SECOND, account, at, bad, ended, guest, of_two, open, person, setup};

#[test]
fn a_table_comes_back_as_it_was_at_every_point_of_every_game() {
    for kind in GAMES {
        let (ana, ben) = (guest("ana"), account(7, "ben"));
        let time = TimeControl::Game { total: SECOND * 100_000, increment: SECOND };
        let mut table = open(Setup { games: 2, ..setup(kind.id(), time) }, [person(&ana), person(&ben)]);
        let mut clock = 0;
        while table.number < 2 {
            clock += 7;
            table.tick(at(clock));
            if let Some(referee) = table.referee() {
                let moves = referee.position().moves();
                let (ply, text) = (referee.record().moves().len(), moves[clock as usize % moves.len()].clone());
                let who = if table.seat(referee.turn()) == 0 { &ana } else { &ben };
                // A player is always absent; that must not end the game here.
                (0..2).for_each(|seat| table.set_here(seat, true, at(clock)));
                table.make_move(who, ply, &text, at(clock)).unwrap();
                (0..2).for_each(|seat| table.set_here(seat, false, at(clock)));
            }
            let restored = Table::restore("code", &table.save(at(clock + 3).clock), at(clock + 3).clock).unwrap();
            let (before, after) = [&table, &restored].map(|table| seen(table, at(clock + 5))).into();
            assert_eq!(before, after, "{} at {clock}", kind.id());
        }
    }
}

fn seen(table: &Table, now: Now) -> Value {
    serde_json::to_value(table.view(now)).unwrap()
}

#[test]
fn damaged_tables_are_errors() {
    let (table, _, _) = of_two(TimeControl::Unlimited);
    let text = table.save(Duration::ZERO);
    assert!(Table::restore("code", &text, Duration::ZERO).is_ok());
    for cut in 0..text.len() {
        assert!(Table::restore("code", &text[..cut], Duration::ZERO).is_err(), "{cut}");
    }
}

#[test]
fn a_player_whose_time_ran_out_before_a_restart_has_lost() {
    let (table, _, _) = of_two(TimeControl::Game { total: SECOND * 60, increment: SECOND });
    let mut restored = Table::restore("code", &table.save(at(10).clock), at(10).clock).unwrap();
    restored.reopen(at(100));
    let end = ended(&mut restored).expect("it is over");
    assert_eq!((end.winner, end.reason.word()), (Some(1), "timeout"));
    assert!(restored.take_finished().is_some(), "and is kept");
    assert!(Table::restore("code", &restored.save(at(101).clock), at(101).clock).is_ok());
}

#[test]
fn a_player_who_is_absent_after_a_restart_is_shown_as_absent() {
    let (table, _, _) = of_two(TimeControl::Unlimited);
    let mut restored = Table::restore("code", &table.save(at(10).clock), at(10).clock).unwrap();
    restored.reopen(at(11));
    let said = restored.take_said();
    assert!(matches!(said[..], [Event::Dropped { seat: 0, .. }, Event::Dropped { seat: 1, .. }]), "{said:?}");
    restored.set_here(0, true, at(12));
    assert!(matches!(restored.take_said()[..], [Event::Back { seat: 0 }]));
}

#[test]
fn nothing_is_kept_of_a_deleted_account() {
    let reserved = Occupant::Reserved(Invited { account: Some(1), nickname: "Anabel".to_owned() });
    let mut table = open(setup("mancala", TimeControl::Unlimited), [Occupant::Open, reserved]);
    let ana = Who { account: Some((1, "Anabel".to_owned())), token: String::new() };
    table.sit(1, person(&ana), at(0)).unwrap();
    table.chat(&ana, "hello".to_owned(), at(0)).unwrap();
    assert!(table.save(at(1).clock).contains("Anabel"));
    table.forget(1, "Anabel", at(1));
    let saved = table.save(at(1).clock);
    assert!(!saved.contains("Anabel"), "{saved}");
}

#[test]
fn nothing_is_kept_of_an_account_that_had_other_nicknames() {
    let (mut table, _, _) = of_two(TimeControl::Unlimited);
    let named = |nickname: &str| Who { account: Some((1, nickname.to_owned())), token: String::new() };
    table.chat(&named("Anabel"), "hello".to_owned(), at(0)).unwrap();
    table.chat(&named("Annie"), "again".to_owned(), at(0)).unwrap();
    let mut restored = Table::restore("code", &table.save(at(1).clock), at(1).clock).unwrap();
    assert_eq!(restored.accounts().iter().filter(|(account, _)| *account == 1).count(), 2);
    assert!(!seen(&restored, at(1)).to_string().contains("account\":1"), "nobody is shown the account");
    restored.forget(1, "Annie", at(1));
    let saved = restored.save(at(1).clock);
    assert!(!saved.contains("Anabel") && !saved.contains("Annie"), "{saved}");
}

#[test]
fn chat_that_was_saved_without_accounts_is_restored_and_forgotten_by_nickname() {
    let (mut table, _, _) = of_two(TimeControl::Unlimited);
    let ana = Who { account: Some((1, "Anabel".to_owned())), token: String::new() };
    table.chat(&ana, "hello".to_owned(), at(0)).unwrap();
    let saved = table.save(at(0).clock);
    let earlier = saved.replace(r#"{"account":1,"name":"Anabel""#, r#"{"name":"Anabel""#);
    assert_ne!(earlier, saved);
    let mut restored = Table::restore("code", &earlier, at(0).clock).unwrap();
    assert_eq!(seen(&restored, at(0)), seen(&table, at(0)));
    restored.forget(1, "Anabel", at(1));
    assert!(!restored.save(at(1).clock).contains("Anabel"));
}

#[test]
fn seats_that_were_reserved_by_nickname_alone_are_restored() {
    let reserved = Occupant::Reserved(Invited { account: None, nickname: "Ana".to_owned() });
    let table = open(setup("mancala", TimeControl::Unlimited), [Occupant::Open, reserved]);
    let today = r#"{"account":null,"nickname":"Ana"}"#;
    let saved = table.save(at(0).clock);
    assert!(saved.contains(today), "{saved}");
    let mut restored = Table::restore("code", &saved.replace(today, r#""Ana""#), at(0).clock).unwrap();
    assert_eq!(restored.seats(), table.seats());
    assert_eq!(bad(restored.sit(1, person(&account(1, "Ana")), at(0))), "tables.reserved", "nobody was looked up yet");
    restored.invited_mut().for_each(|invited| invited.account = Some(1));
    restored.sit(1, person(&account(1, "Ana")), at(0)).unwrap();
}

#[test]
fn what_was_damaged_in_the_store_is_no_table_or_another() {
    use rand::{RngExt, SeedableRng};
    let (mut table, ana, _) = of_two(TimeControl::Game { total: SECOND * 60, increment: SECOND });
    table.make_move(&ana, 0, "1", at(1)).unwrap();
    table.chat(&ana, "hola".to_owned(), at(1)).unwrap();
    let saved = table.save(at(2).clock);
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
    for _ in 0..5000 {
        let mut bytes = saved.clone().into_bytes();
        let at_byte = rng.random_range(0..bytes.len());
        match rng.random_range(0..3) {
            0 => bytes[at_byte] = rng.random_range(b' '..=b'~'),
            1 => drop(bytes.remove(at_byte)),
            _ => bytes.truncate(at_byte),
        }
        // Damage may leave something that can be read.
        drop(Table::restore("code", &String::from_utf8_lossy(&bytes), at(2).clock));
    }
}
