//! The state machine of a table, with the test's own clock and without I/O.

use std::time::Duration;

use palestra_arena::TimeControl;
use palestra_games::GAMES;
use serde_json::Value;

use super::event::Event;
use super::message::{EndReason, Ended};
use super::occupant::{Invited, Occupant, Who};
use super::setup::Setup;
use super::table::{Ask, Now, Table};
use crate::app::App;
use crate::config::Config;
use crate::http::error::Refused;
use crate::http::origin::Origins;
use crate::ratelimit::{Key, Owner};

const SECOND: Duration = Duration::from_secs(1);

fn setup(game: &str, time: TimeControl) -> Setup {
    let kind = palestra_games::GameKind::find(game).unwrap();
    Setup {
        game: game.to_owned(),
        options: "-".to_owned(),
        start: (kind.start)("-").unwrap().notation(),
        is_usual: true,
        time,
        is_public: true,
        is_rated: false,
        games: 1,
        retry: false,
        seed: 1,
        creator: String::new(),
    }
}

fn guest(name: &str) -> Who {
    Who { account: None, token: name.to_owned() }
}

fn account(id: i64, name: &str) -> Who {
    Who { account: Some((id, name.to_owned())), token: name.to_owned() }
}

fn person(who: &Who) -> Occupant {
    Occupant::person(who, &who.token)
}

fn at(seconds: u64) -> Now {
    Now { clock: SECOND * seconds as u32, unix_ms: 0 }
}

fn open(setup: Setup, seats: [Occupant; 2]) -> Table {
    Table::new("code".to_owned(), setup, seats, at(0)).unwrap()
}

/// Two people who are there.
fn of_two(time: TimeControl) -> (Table, Who, Who) {
    let (ana, ben) = (guest("ana"), guest("ben"));
    let mut table = open(setup("mancala", time), [person(&ana), person(&ben)]);
    (0..2).for_each(|seat| table.set_here(seat, true, at(0)));
    table.take_said();
    (table, ana, ben)
}

fn ended(table: &mut Table) -> Option<Ended> {
    table.take_said().contains(&Event::Ended).then(|| table.ended().cloned())?
}

fn bad(result: Result<(), Refused>) -> &'static str {
    match result {
        Err(Refused::Bad(key, _)) => key,
        other => panic!("{other:?}"),
    }
}

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
fn the_clock_of_the_side_to_move_runs_and_ends_the_game() {
    let (mut table, ana, _) = of_two(TimeControl::Game { total: SECOND * 60, increment: SECOND });
    table.make_move(&ana, 0, "1", at(10)).unwrap();
    assert_eq!(table.view(at(20)).state.clocks.left_ms, Some([51_000, 50_000]));
    assert_eq!(table.deadline(), Some(SECOND * 70));
    table.tick(at(70));
    assert!(ended(&mut table).is_none());
    table.tick(at(71));
    let end = ended(&mut table).expect("the time is up");
    assert_eq!((end.winner, end.reason), (Some(0), EndReason::Timeout));
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
    assert_eq!((end.winner, end.reason), (Some(0), EndReason::Disconnect));
}

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
        assert_eq!(ended(&mut table).map(|end| end.reason), (!retry).then_some(EndReason::Illegal));
        assert_eq!(table.ask().is_some(), retry);
    }
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
    assert_eq!((end.winner, end.reason), (Some(1), EndReason::Timeout));
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
    let kept: Vec<&str> = table.chat.iter().map(|line| line.text.as_str()).collect();
    assert_eq!((kept.len(), kept[0], kept[99]), (100, "50", "149"));
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
    assert_eq!(ended(&mut table).unwrap().reason, EndReason::Timeout);
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
    for number in 2..super::MAX_TABLES {
        open(number as i64 % 10, against_a_ninja()).await.unwrap();
    }
    let before = app.tables.list();
    assert_eq!(before.len(), super::MAX_TABLES);
    let newest = open(0, against_a_ninja()).await.unwrap();
    assert_eq!(app.tables.list().len(), super::MAX_TABLES);
    for code in [&of_two, &watched, &newest] {
        assert!(app.tables.find(code).is_ok());
    }
    let gone = before.iter().find(|summary| app.tables.find(&summary.code).is_err()).unwrap();
    let abandoned = before.iter().filter(|summary| ![&of_two, &watched].contains(&&summary.code));
    assert_eq!(Some(gone.created_ms), abandoned.map(|summary| summary.created_ms).min());
    let mut opened = Ok(String::new());
    for _ in 0..=super::MAX_TABLES_PER_ADDRESS {
        if opened.is_ok() {
            opened = open(0, against_a_ninja()).await;
        }
    }
    assert_eq!(bad(opened.map(drop)), "tables.too_many", "for one address there is less");
    app.tables.stop().await;
    app.thinking.close();
    app.store.close().await;
}
