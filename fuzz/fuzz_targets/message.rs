//! Any bytes as what a bot says: cut into lines anyhow, read as messages of both ways, heard in both languages.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palestra_games::{GameKind, Record, Side};
use palestra_protocol::message::{FromBot, ToBot};
use palestra_protocol::{Budget, Dialect, Greeting, Heard, Lines, Probe, Session, Turn, shown};

fuzz_target!(|bytes: &[u8]| {
    let (cut, bytes) = bytes.split_first().unwrap_or((&1, bytes));
    let mut sessions = [Dialect::One, Dialect::Course].map(started);
    let mut probe = Probe::default();
    let mut lines = Lines::new();
    for chunk in bytes.chunks(usize::from(*cut).max(1)) {
        lines.push(chunk);
        while let Some(line) = lines.next() {
            let Ok(line) = line else { return };
            read(line);
            probe.hear(line, &mut String::new());
            sessions.iter_mut().for_each(|session| hear(session, line));
        }
    }
    let _ = lines.rest();
});

fn started(dialect: Dialect) -> Session {
    let mut session = Session::new(dialect);
    let greeting = Greeting { game: "mancala", side: Side::Two, options: "-", budget: Budget::INFINITE };
    session.start(&greeting, &mut String::new());
    session
}

/// What is read is written alike.
fn read(line: &str) {
    if let Ok(message) = ToBot::parse(line) {
        assert_eq!(ToBot::parse(&message.to_string()), Ok(message.clone()));
    }
    if let Ok(message) = FromBot::parse(line) {
        assert_eq!(FromBot::parse(&message.to_string()), Ok(message.clone()));
    }
    assert!(!shown(line, 100).to_string().contains(char::is_control));
}

/// Asks for a move whenever the bot is ready for it, and begins anew after a fault.
fn hear(session: &mut Session, line: &str) {
    let mut record = Record::new(GameKind::find("mancala").expect("a game"), "-").expect("the usual start");
    record.play("3").expect("a legal move");
    let turn = Turn { position: record.position(), history: record.moves(), budget: Budget::INFINITE };
    match session.hear(line, &mut String::new()) {
        Ok(Heard::Ready | Heard::Move(_)) => {
            session.ping(&mut String::new());
            session.go(&turn, &mut String::new());
        }
        Ok(_) => {}
        Err(fault) => {
            assert!(!fault.to_string().is_empty());
            *session = started(session.dialect());
        }
    }
}
