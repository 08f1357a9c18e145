//! Bots that play over a real connection, each in a thread of its own.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use palestra_arena::{
    Bot, ForfeitKind, PlayedGame, RealTime, Reason, Received, Rules, Seat, Socket, Stream, Transport,
};
use palestra_games::Side;
use palestra_protocol::{Dialect, MAX_LINE};
use tungstenite::protocol::frame::coding::{Data, OpCode};
use tungstenite::protocol::frame::{CloseFrame, Frame, Utf8Bytes};
use tungstenite::{Message, WebSocket};

use crate::support::{built_in, check, lapse, record, run};

type Remote = WebSocket<TcpStream>;

/// Connects a bot, and plays a game of Mancala with it at side 1 against a built-in player.
fn play(rules: Rules, bot: impl FnOnce(Remote) + Send + 'static) -> PlayedGame {
    let (stream, bot) = connect(bot);
    let socket = Socket::accept(stream, Duration::from_secs(10)).expect("a request for a WebSocket");
    let mut one = Bot::new(socket, Dialect::One);
    let mut two = built_in("mancala", "greedy");
    let seats: [&mut dyn Seat; 2] = [&mut one, &mut *two];
    let played = run(record("mancala"), rules, &RealTime::start(), seats);
    check(&played);
    drop(one);
    bot.join().expect("a bot that ends");
    played
}

fn connect(bot: impl FnOnce(Remote) + Send + 'static) -> (TcpStream, thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let bot = thread::spawn(move || {
        let stream = TcpStream::connect(address).expect("somebody listens");
        let (remote, _) = tungstenite::client(format!("ws://{address}/"), stream).expect("a WebSocket");
        bot(remote);
    });
    (listener.accept().expect("the bot's connection").0, bot)
}

/// Answers with the first legal move until the game is over, and then reads to the end.
fn play_properly(remote: &mut Remote, mut answer: impl FnMut(&mut Remote, &str)) {
    let mut first = String::new();
    while let Ok(message) = remote.read() {
        let Message::Text(line) = message else { continue };
        match line.split_once(' ').unwrap_or((&line, "")) {
            ("hello", _) => remote.send(Message::text("id name Remote\nready\n")).expect("the referee listens"),
            ("legal", moves) => first = moves.split(' ').next().expect("a move").to_owned(),
            ("go", _) => answer(remote, &first),
            _ => {}
        }
    }
}

fn say(remote: &mut Remote, text: &str) {
    remote.send(Message::text(text)).expect("the referee listens");
}

/// A game with a bot that plays properly but for its third move.
fn play_odd(odd: impl FnMut(&mut Remote) + Send + 'static) -> PlayedGame {
    let mut odd = odd;
    let mut asked = 0;
    play(Rules::default(), move |mut remote| {
        play_properly(&mut remote, |remote, first| {
            asked += 1;
            if asked == 3 { odd(remote) } else { say(remote, &format!("move {first}")) }
        });
    })
}

fn assert_lost(played: &PlayedGame, kind: ForfeitKind, detail: &str) {
    assert_eq!((lapse(played).kind, lapse(played).detail.as_str()), (kind, detail));
    assert_eq!((played.verdict.winner, played.verdict.points), (Some(Side::Two), [0, 48]));
}

#[test]
fn a_bot_from_afar_plays_to_the_end_and_is_told_the_result() {
    let (told, hear) = std::sync::mpsc::channel();
    let played = play(Rules::default(), move |mut remote| {
        let mut first = String::new();
        while let Ok(message) = remote.read() {
            let Message::Text(line) = message else { continue };
            told.send(line.to_string()).expect("the test listens");
            match line.split_once(' ').unwrap_or((&line, "")) {
                // Several lines in a message, a line in a message, and a ping of its own in between.
                ("hello", _) => say(&mut remote, "id name Remote\r\nready\n"),
                ("legal", moves) => first = moves.split(' ').next().expect("a move").to_owned(),
                ("go", _) => {
                    remote.send(Message::Ping(vec![1, 2].into())).expect("the referee listens");
                    say(&mut remote, &format!("info depth 1\nmove {first}"));
                }
                _ => {}
            }
        }
    });
    assert_eq!(played.verdict.reason, Reason::Finished);
    assert_eq!(played.names, [Some("Remote".to_owned()), None]);
    let lines: Vec<String> = hear.iter().collect();
    assert_eq!(lines[0], "hello 1");
    assert!(lines[lines.len() - 2].starts_with("result ") && lines[lines.len() - 1] == "bye", "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("used wall ")), "nobody knows its CPU time");
}

#[test]
fn messages_that_are_no_lines_lose() {
    let played = play_odd(|remote| remote.send(Message::binary(b"move 1".to_vec())).expect("the referee listens"));
    assert_lost(&played, ForfeitKind::Protocol, "it sent a binary message; lines are text");
    let played = play_odd(|remote| say(remote, &"x".repeat(MAX_LINE + 3)));
    assert_lost(&played, ForfeitKind::Output, "it sent a message of more than 4096 bytes");
    let played = play_odd(|remote| say(remote, &"x".repeat(MAX_LINE + 1)));
    assert_lost(&played, ForfeitKind::Output, "it wrote a line of more than 4096 bytes");
    let played = play_odd(|remote| say(remote, ""));
    assert_lost(&played, ForfeitKind::Protocol, "it wrote a line that the protocol does not know (the line is empty)");
    let played = play_odd(|remote| {
        let frame = Frame::message(vec![0xff, 0xfe], OpCode::Data(Data::Text), true);
        remote.send(Message::Frame(frame)).expect("the referee listens");
    });
    assert_lost(&played, ForfeitKind::Protocol, "it wrote a line that is not plain text in UTF-8");
}

#[test]
fn a_length_that_is_only_announced_is_refused() {
    // The head of a masked text frame of 2^62 bytes, and nothing of it.
    let head = [0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4];
    let played = play_odd(move |remote| remote.get_mut().write_all(&head).expect("the referee listens"));
    assert_lost(&played, ForfeitKind::Output, "it sent a message of more than 4096 bytes");
}

#[test]
fn a_message_in_endless_pieces_is_refused() {
    let played = play_odd(|remote| {
        for index in 0..100 {
            let data = if index == 0 { Data::Text } else { Data::Continue };
            let frame = Frame::message(vec![b'x'; 100], OpCode::Data(data), false);
            if remote.send(Message::Frame(frame)).is_err() {
                return;
            }
        }
    });
    assert_lost(&played, ForfeitKind::Output, "it sent a message of more than 4096 bytes");
}

#[test]
fn who_leaves_is_disconnected() {
    let played = play_odd(|remote| remote.close(None).expect("the referee listens"));
    assert_lost(&played, ForfeitKind::Disconnect, "it closed the connection");
    let played = play_odd(|remote| {
        let reason = Utf8Bytes::from_static("bye\u{202e}");
        let code = tungstenite::protocol::frame::coding::CloseCode::Normal;
        remote.close(Some(CloseFrame { code, reason })).expect("the referee listens");
    });
    assert_lost(&played, ForfeitKind::Disconnect, r"it closed the connection (bye\u{202e})");
    let played = play_odd(|remote| {
        remote.get_mut().shutdown(std::net::Shutdown::Both).expect("an open connection");
    });
    assert_lost(&played, ForfeitKind::Disconnect, "the connection broke");
}

/// A message that never ends: its first piece, and empty ones for ever, as fast as they are read.
struct Endless(usize);

impl Read for Endless {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let first = [0x01, 0x80, 0, 0, 0, 0];
        let next = [0x00, 0x80, 0, 0, 0, 0];
        bytes[0] = if self.0 < 6 { first[self.0] } else { next[self.0 % 6] };
        self.0 += 1;
        Ok(1)
    }
}

impl Write for Endless {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Stream for Endless {
    fn set_wait(&self, _: Duration) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_message_without_an_end_does_not_stop_the_clock() {
    let mut socket = Socket::upgraded(Endless(0));
    let mut line = String::new();
    for wait in [Duration::ZERO, Duration::from_millis(2), Duration::ZERO] {
        assert_eq!(socket.receive(wait, &mut line), Received::Quiet);
    }
}

#[test]
fn who_reads_nothing_holds_nobody_up() {
    let (stream, bot) = connect(|mut remote| {
        // Until the other side closes the connection.
        let (mut byte, mut all) = ([0; 4096], 0);
        thread::park();
        while let Ok(count @ 1..) = remote.get_mut().read(&mut byte) {
            all += count;
        }
        assert!(all > 0);
    });
    let mut socket = Socket::accept(stream, Duration::from_secs(10)).expect("a request for a WebSocket");
    let (mut line, position) = (String::new(), "position ".to_owned() + &"x".repeat(60_000) + "\n");
    let lapse = loop {
        socket.send(&position);
        match socket.receive(Duration::ZERO, &mut line) {
            Received::Quiet => {}
            Received::Gone(lapse) => break lapse,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(lapse.detail, "it does not read what it is sent");
    drop(socket);
    bot.thread().unpark();
    bot.join().expect("a bot that ends");
}

#[test]
fn who_asks_for_no_websocket_is_sent_away() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let mut client = TcpStream::connect(listener.local_addr().expect("an address")).expect("somebody listens");
    client.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").expect("the referee listens");
    let stream = listener.accept().expect("the connection").0;
    assert!(Socket::accept(stream, Duration::from_secs(10)).is_err());

    let _silent = TcpStream::connect(listener.local_addr().expect("an address")).expect("somebody listens");
    let stream = listener.accept().expect("the connection").0;
    let error = Socket::accept(stream, Duration::from_millis(20)).expect_err("silence");
    assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
}
