//! Sessions as scripts of lines: `>` is what the referee must say, `<` what the bot says, `=` what that means.

use std::time::Duration;

use palestra_games::record::RecordedMove;
use palestra_games::{GameKind, Played, Side};
use palestra_protocol::message::Ending;
use palestra_protocol::{Budget, Dialect, Found, GameEnd, Greeting, Probe, Session, Turn};

const START: &str = "1:0,4,4,4,4,4,4/0,4,4,4,4,4,4";
const BUDGET: Budget =
    Budget { cpu: Some(Duration::from_secs(2)), wall: Some(Duration::from_secs(6)), states: None, depth: None };

/// Plays a script. Lines that begin with a word in brackets are what the referee does next.
fn check(dialect: Dialect, side: Side, script: &str) {
    let mut session = Session::new(dialect);
    let (mut out, mut said) = (String::new(), String::new());
    let start = (GameKind::find("mancala").expect("a game").parse)(START).expect("a position");
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['>', '='])) {
        out.clear();
        if let Some(line) = line.strip_prefix("< ") {
            said += &format!("< {line}\n");
            let heard = session.hear(line, &mut out);
            said += &match heard {
                Ok(heard) => format!("= {heard:?}\n"),
                Err(fault) => format!("= {fault}\n"),
            };
        } else {
            said += &format!("{line}\n");
            let words: Vec<&str> = line.trim_matches(['[', ']']).split(' ').collect();
            let history = |moves: &str| -> Vec<RecordedMove> {
                let side_of = |c: char| if c.is_uppercase() { Side::Two } else { Side::One };
                let word = |c: char| (c.to_ascii_lowercase() as u8 - b'a' + 1).to_string();
                let played = |side| Played { side, passed: false, outcome: None };
                moves.chars().map(|c| RecordedMove { text: word(c), note: None, played: played(side_of(c)) }).collect()
            };
            match words[..] {
                ["start"] => {
                    session.start(&Greeting { game: "mancala", side, options: "-", budget: BUDGET }, &mut out);
                }
                ["go", moves] => {
                    let history = history(moves.trim_matches('.'));
                    session.go(&Turn { position: &*start, history: &history, budget: BUDGET }, &mut out);
                }
                ["used"] => {
                    session.used(Some(Duration::from_micros(812_999)), Duration::from_millis(840), &mut out);
                }
                ["ping"] => session.ping(&mut out),
                ["stop"] => session.stop(&mut out),
                ["option", name, value] => session.set(name, value, &mut out),
                ["follows", wanted] => assert_eq!(session.follows_option().to_string(), wanted),
                ["end"] => {
                    session.end(&GameEnd { ending: Ending::Win, score: [28, 20], reason: "finished" }, &mut out);
                }
                _ => panic!("{line}"),
            }
        }
        said.extend(out.lines().map(|line| format!("> {line}\n")));
    }
    let wanted: String =
        script.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect();
    assert_eq!(said, wanted, "\n{said}");
}

/// Small letters are moves of side 1, great ones of side 2: `a` is 1.
#[test]
fn a_game_that_did_not_go_as_the_bot_knows_it_begins_anew() {
    check(
        Dialect::One,
        Side::Two,
        "
        [start]
        > hello 1
        < ready
        = Ready
        > game mancala seat 2 options -
        [go a]
        > position 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4
        > history 1
        > legal 1 2 3 4 5 6
        > go cpu 2000 wall 6000
        < move 2
        = Move(\"2\")
        [go aBc]
        > position 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4
        > history 3
        > legal 1 2 3 4 5 6
        > go cpu 2000 wall 6000
        < move 9
        = Move(\"9\")
        [go aBc]
        > game mancala seat 2 options -
        > position 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4
        > history 1 2 3
        > legal 1 2 3 4 5 6
        > go cpu 2000 wall 6000
        < move 4
        = Move(\"4\")
        [go e]
        > game mancala seat 2 options -
        > position 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4
        > history 5
        > legal 1 2 3 4 5 6
        > go cpu 2000 wall 6000
        < move 4
        = Move(\"4\")
        [go ef]
        > game mancala seat 2 options -
        > position 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4
        > history 5 6
        > legal 1 2 3 4 5 6
        > go cpu 2000 wall 6000
        ",
    );
}

#[test]
fn a_whole_game_in_protocol_1() {
    check(
        Dialect::One,
        Side::One,
        "
        [start]
        > hello 1
        < id name My Bot
        = Name(\"My Bot\")
        < ready
        = Ready
        > game mancala seat 1 options -
        [go .]
        > position 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4
        > history
        > legal 1 2 3 4 5 6
        > go cpu 2000 wall 6000
        < info depth 7 score 12 states 81234 pv 4 1 6
        = Info(Info { depth: Some(7), score: Some(12.0), states: Some(81234), pv: [\"4\", \"1\", \"6\"], text: None })
        < move 4
        = Move(\"4\")
        [used]
        > used cpu 812 wall 840
        [go dAB]
        > position 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4
        > history 1 2
        > legal 1 2 3 4 5 6
        > go cpu 2000 wall 6000
        [ping]
        > ping 1
        < pong 1
        = Nothing
        [stop]
        > stop
        < move 1
        = Move(\"1\")
        [stop]
        [end]
        > result win score 28-20 reason finished
        > bye
        < anything
        = Nothing
        ",
    );
}

#[test]
fn a_talk_can_begin_anew() {
    let begin = "[start]\n> hello 1\n< ready\n= Ready\n> game mancala seat 2 options -\n";
    check(Dialect::One, Side::Two, &format!("{begin}[end]\n> result win score 28-20 reason finished\n> bye\n{begin}"));
}

#[test]
fn a_bot_that_speaks_out_of_turn_is_stopped() {
    let ready = "[start]\n> hello 1\n< ready\n= Ready\n> game mancala seat 1 options -\n";
    let unasked = "it wrote a line when it was not asked to";
    let unknown = "it wrote a line that the protocol does not know";
    let off_turn = "it was not its turn: each go is answered with one move, and nothing after it";
    check(Dialect::One, Side::One, &format!("{ready} < move 4\n = {unasked} ({off_turn})\n"));
    check(Dialect::One, Side::One, &format!("{ready} < info depth 1\n = {unasked} ({off_turn})\n"));
    check(Dialect::One, Side::One, &format!("{ready} < pong 1\n = {unasked} ({off_turn})\n"));
    check(
        Dialect::One,
        Side::One,
        &format!("{ready} < 4\n = {unknown} (its first word is none of: id ready info move pong option)\n"),
    );
    let first = "the first answer is ready, or id name NAME and then ready";
    check(Dialect::One, Side::One, &format!("[start]\n> hello 1\n< move 4\n= {unasked} ({first})\n"));
}

#[test]
fn a_bot_that_follows_an_option_says_so() {
    let begin = "[start]\n> hello 1\n[option eval test]\n> option eval test\n[follows false]\n";
    let follows = "< option eval test\n= Nothing\n[follows true]\n";
    let ready = "< ready\n= Ready\n> game mancala seat 1 options -\n";
    let rest =
        "[go .]\n> position 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4\n> history\n> legal 1 2 3 4 5 6\n> go cpu 2000 wall 6000\n";
    check(Dialect::One, Side::One, &format!("{begin}{follows}{ready}{rest}"));
    check(Dialect::One, Side::One, &format!("{begin}{ready}{follows}{rest}"));
    check(Dialect::One, Side::One, &format!("{begin}{ready}{rest}{follows}"));
    check(
        Dialect::One,
        Side::One,
        &format!("{begin}{follows}[option eval fast]\n> option eval fast\n[follows false]\n"),
    );

    let unasked = "it wrote a line when it was not asked to";
    let why = "an option is answered with the same words, and only if it was told";
    check(Dialect::One, Side::One, &format!("{begin}< option eval fast\n= {unasked} ({why})\n[follows false]\n"));
    check(Dialect::One, Side::One, &format!("[start]\n> hello 1\n< option eval test\n= {unasked} ({why})\n"));
    check(Dialect::Course, Side::One, "[start]\n> PING\n[option eval test]\n[follows false]\n");
}

#[test]
fn the_course_hears_only_the_opponents_moves_since_its_own() {
    check(
        Dialect::Course,
        Side::Two,
        "
        [start]
        > PING
        < pong
        = Nothing
        > TIMEOUT
        > 2000
        > SETPLAYER
        > 1
        < PONG
        = Nothing
        < OK
        = Ready
        [go aAbBcd]
        > GETMOVE
        > 2 3 4 0 0 4 4 4 4 4 4 0 4 4 4 4 4 4
        ",
    );
}

#[test]
fn a_whole_game_in_the_courses_protocol() {
    check(
        Dialect::Course,
        Side::One,
        "
        [start]
        > PING
        < PONG
        = Nothing
        > TIMEOUT
        > 2000
        > SETPLAYER
        > 0
        < OK
        = Nothing
        < OK
        = Ready
        [go .]
        > GETMOVE
        > 0 0 0 4 4 4 4 4 4 0 4 4 4 4 4 4
        < 4
        = Move(\"4\")
        [used]
        [go D]
        > GETMOVE
        > 1 4 0 0 4 4 4 4 4 4 0 4 4 4 4 4 4
        < 7
        = Move(\"7\")
        [end]
        > END
        < OK
        = Nothing
        ",
    );
}

#[test]
fn a_probe_tells_old_programs_from_new_ones() {
    let course = |name: Option<&str>| Some(Found { dialect: Dialect::Course, name: name.map(str::to_owned) });
    let mut out = String::new();
    let mut probe = Probe::default();
    probe.start(&mut out);
    assert_eq!(probe.hear("Pong", &mut out), None);
    assert_eq!(probe.hear("GreedyBot", &mut out), course(Some("GreedyBot")));
    assert_eq!(out, "PING\nGETNAME\nEND\n");

    let mut probe = Probe::default();
    probe.hear("PONG", &mut out);
    assert_eq!(probe.hear("no name!", &mut out), course(None), "a bad name is none");

    out.clear();
    let mut probe = Probe::default();
    probe.start(&mut out);
    probe.quiet(&mut out);
    assert_eq!(probe.hear("ready", &mut out), Some(Found { dialect: Dialect::One, name: None }));
    assert_eq!(out, "PING\nhello 1\nbye\n");
    assert_eq!(Probe::default().give_up().dialect, Dialect::One);
}
