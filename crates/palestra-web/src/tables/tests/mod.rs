//! The state machine of a table, with the test's own clock and without I/O.

mod clocks;
mod programs;
mod saving;
mod seats;
mod solo;
mod wishes;

use std::time::Duration;

use palestra_arena::TimeControl;

use super::event::Event;
use super::message::Ended;
use super::occupant::{Occupant, Who};
use super::setup::Setup;
use super::table::{Now, Table};
use crate::http::error::Refused;

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
