//! Who may sit where, and how many tables there are.

use palestra_arena::TimeControl;

use super::super::event::Event;
use super::super::occupant::{Invited, Occupant, Who};
use super::super::setup::Setup;
use super::{account, at, bad, guest, of_two, open, person, setup};
use crate::app::App;
use crate::config::Config;
use crate::http::origin::Origins;
use crate::ratelimit::{Key, Owner};

#[test]
fn only_those_who_play_may_do_what_players_do() {
    let (mut table, ana, ben) = of_two(TimeControl::Unlimited);
    // An account is not the guest who used the same browser.
    for eve in [guest("eve"), account(1, "ana"), account(2, "ben")] {
        assert_eq!(bad(table.make_move(&eve, 0, "1", at(0))), "tables.not_your_turn");
        for refused in [
            table.resign(&eve, at(0)),
            table.offer_draw(&eve, at(0)),
            table.decline_draw(&eve, at(0)),
            table.take_back(&eve, at(0)),
            table.decline_take_back(&eve),
            table.stand_up(&eve),
        ] {
            assert_eq!(bad(refused), "tables.only_players");
        }
        assert_eq!(bad(table.sit(0, person(&eve), at(0))), "tables.taken");
    }
    assert_eq!(bad(table.make_move(&ben, 0, "1", at(0))), "tables.not_your_turn");
    assert_eq!(bad(table.make_move(&ana, 1, "1", at(0))), "tables.moved_on");
    assert_eq!(bad(table.make_move(&ana, 0, "7", at(0))), "tables.illegal");
    assert_eq!(bad(table.rematch(&ana, at(0))), "tables.not_over");
    assert_eq!(bad(table.stand_up(&ana)), "tables.has_begun");
    assert!(table.take_said().is_empty(), "nothing happened");
}

#[test]
fn a_reserved_seat_is_for_one_person() {
    let ana = account(1, "Ana");
    let reserved = Occupant::Reserved(Invited { account: Some(1), nickname: "Ana".to_owned() });
    let mut table = open(setup("mancala", TimeControl::Unlimited), [Occupant::Open, reserved]);
    // Ana was renamed, and another account took the nickname.
    let ana = Who { account: Some((1, "Anita".to_owned())), ..ana };
    for eve in [account(2, "eve"), account(3, "Ana"), guest("Ana")] {
        assert_eq!(bad(table.sit(1, person(&eve), at(0))), "tables.reserved");
    }
    let program = Occupant::Remote { key: "k".to_owned(), name: "Ana".to_owned() };
    assert_eq!(bad(table.sit(1, program, at(0))), "tables.reserved");
    table.sit(1, person(&ana), at(0)).unwrap();
    assert_eq!(bad(table.sit(2, person(&ana), at(0))), "tables.no_seat");
}

#[test]
fn two_guests_of_one_name_are_told_apart() {
    let (one, two) = (guest("token one"), guest("token two"));
    let guests = |name: &str| {
        let mut table = open(setup("mancala", TimeControl::Unlimited), [Occupant::person(&one, name), Occupant::Open]);
        table.sit(1, Occupant::person(&two, &name.to_lowercase()), at(0)).unwrap();
        table.seats()[1].name().to_owned()
    };
    assert_eq!(guests("Guest"), "guest 2");
    assert_eq!(guests("Abcdefghij klmnopqrs"), "abcdefghij klmnopq 2");
    let mut alone = open(setup("mancala", TimeControl::Unlimited), [Occupant::person(&one, "Guest"), Occupant::Open]);
    alone.sit(1, Occupant::person(&one, "Guest"), at(0)).unwrap();
    assert_eq!(alone.seats()[1].name(), "Guest", "who plays both sides is one person");
}

#[test]
fn a_rated_game_is_between_two_accounts_and_final() {
    let (ana, ben) = (account(1, "ana"), account(2, "ben"));
    let rated = Setup { is_rated: true, ..setup("mancala", TimeControl::Unlimited) };
    let mut table = open(rated, [person(&ana), Occupant::Open]);
    for other in [person(&guest("eve")), person(&ana), Occupant::Remote { key: "k".to_owned(), name: "b".to_owned() }] {
        assert_eq!(bad(table.sit(1, other, at(0))), "tables.rated");
    }
    table.sit(1, person(&ben), at(0)).unwrap();
    table.make_move(&ana, 0, "1", at(0)).unwrap();
    assert_eq!(bad(table.take_back(&ana, at(0))), "tables.no_take_back");
}

#[test]
fn a_player_who_sits_down_is_present() {
    let (ana, ben) = (guest("ana"), guest("ben"));
    let mut table = open(setup("mancala", TimeControl::Unlimited), [person(&ana), Occupant::Open]);
    table.set_here(0, true, at(0));
    table.sit(1, person(&ben), at(1)).unwrap();
    let said = table.take_said();
    assert!(said.iter().any(|message| matches!(message, Event::Began)), "{said:?}");
    assert!(!said.iter().any(|message| matches!(message, Event::Dropped { .. })), "{said:?}");
}

#[test]
fn a_reserved_seat_that_is_left_is_reserved_again() {
    let (ana, eve) = (account(1, "Ana"), account(2, "Eve"));
    let reserved = Occupant::Reserved(Invited { account: Some(1), nickname: "Ana".to_owned() });
    let mut table = open(setup("mancala", TimeControl::Unlimited), [Occupant::Open, reserved]);
    table.sit(1, person(&ana), at(0)).unwrap();
    table.stand_up(&ana).unwrap();
    assert_eq!(bad(table.sit(1, person(&eve), at(0))), "tables.reserved");
    table.sit(1, person(&ana), at(0)).unwrap();
}

#[tokio::test]
async fn when_there_is_no_room_the_oldest_table_without_anybody_gives_way() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config { data: folder.path().to_owned(), ..Config::default() };
    let origins = Origins::new(None, config.listen).unwrap();
    let store = palestra_store::Store::open_file(&folder.path().join("test.db")).await.unwrap();
    let app = App::new(config, origins, store).unwrap();
    let open = async |owner: i64, seats: [Occupant; 2]| {
        let key = Key::Account(owner);
        let opener = (key, Owner { group: key, person: key });
        app.tables.open(&app, opener, setup("mancala", TimeControl::Unlimited), seats, None).await
    };
    let against_a_ninja = || [person(&guest("ana")), Occupant::BuiltIn("ninja1".to_owned())];
    let of_two = open(0, [person(&guest("ana")), person(&guest("ben"))]).await.unwrap();
    let watched = open(0, against_a_ninja()).await.unwrap();
    let _watching = app.tables.find(&watched).unwrap().watch(guest("eve"), None).await.unwrap();
    for number in 2..super::super::MAX_TABLES {
        open(number as i64 % 10, against_a_ninja()).await.unwrap();
    }
    let before = app.tables.list();
    assert_eq!(before.len(), super::super::MAX_TABLES);
    let newest = open(0, against_a_ninja()).await.unwrap();
    assert_eq!(app.tables.list().len(), super::super::MAX_TABLES);
    for code in [&of_two, &watched, &newest] {
        assert!(app.tables.find(code).is_ok());
    }
    let gone = before.iter().find(|summary| app.tables.find(&summary.code).is_err()).unwrap();
    let abandoned = before.iter().filter(|summary| ![&of_two, &watched].contains(&&summary.code));
    assert_eq!(Some(gone.created_ms), abandoned.map(|summary| summary.created_ms).min());
    let mut opened = Ok(String::new());
    for _ in 0..=super::super::MAX_TABLES_PER_ADDRESS {
        if opened.is_ok() {
            opened = open(0, against_a_ninja()).await;
        }
    }
    assert_eq!(bad(opened.map(drop)), "tables.too_many", "for one address there is less");
    app.tables.stop().await;
    app.thinking.close();
    app.store.close().await;
}
