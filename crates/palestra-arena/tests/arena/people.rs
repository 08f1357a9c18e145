//! Seats that say what only people say: a resignation, and that moves are to be taken back.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_arena::testing::VirtualClock;
use palestra_arena::{GameEvent, GameToPlay, PlayedGame, Reason, Referee, Rules, Seat, TimeControl};
use palestra_games::Side::{self, One, Two};
use palestra_protocol::{Fault, ForfeitKind, GameEnd, Greeting, PlayerEvent, Turn};

use crate::support::{MS, record, with_time};

/// Says one thing a turn, after a second each.
struct Scripted {
    lines: VecDeque<PlayerEvent>,
    clock: VirtualClock,
    is_greeted: bool,
    /// The moves made before each of its turns.
    asked: Vec<Vec<String>>,
    pauses: u32,
}

impl Seat for Scripted {
    fn start(&mut self, _: &Greeting<'_>, _: Duration, _: Duration) {
        self.is_greeted = true;
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        self.asked.push(turn.history.iter().map(|mv| mv.text.clone()).collect());
        Ok(())
    }

    fn hear(&mut self, _: Duration, _: &AtomicBool) -> Result<Option<PlayerEvent>, Fault> {
        if std::mem::take(&mut self.is_greeted) {
            return Ok(Some(PlayerEvent::Ready));
        }
        self.clock.advance(1000 * MS);
        Ok(self.lines.pop_front())
    }

    fn cpu(&mut self) -> Option<Duration> {
        None
    }

    fn used(&mut self, _: Option<Duration>, _: Duration) {}

    fn pause(&mut self) {
        self.pauses += 1;
    }

    fn end(&mut self, _: &GameEnd<'_>) {}
}

fn mv(text: &str) -> PlayerEvent {
    PlayerEvent::Move { text: text.to_owned(), thought: None }
}

/// What came of a game: the game itself, its events in words, and of each seat the moves before each of its turns.
type Played = (PlayedGame, Vec<String>, [Vec<Vec<String>>; 2]);

/// Plays Mancala by two scripts.
fn play(rules: Rules, scripts: [Vec<PlayerEvent>; 2]) -> Played {
    let (played, events, [one, two]) = play_seats(rules, scripts);
    (played, events, [one.asked, two.asked])
}

fn play_seats(rules: Rules, scripts: [Vec<PlayerEvent>; 2]) -> (PlayedGame, Vec<String>, [Scripted; 2]) {
    let (clock, quit) = (VirtualClock::new(), AtomicBool::new(false));
    let [mut one, mut two] = scripts.map(|lines| Scripted {
        lines: lines.into(),
        clock: clock.clone(),
        is_greeted: false,
        asked: vec![],
        pauses: 0,
    });
    let referee = Referee::new(record("mancala"), rules);
    let game = GameToPlay { referee, seats: [&mut one, &mut two], clock: &clock, quit: &quit };
    let mut events = vec![];
    let played = game.play(&mut |_, event| {
        events.push(match event {
            GameEvent::Asked => return,
            GameEvent::Moved(side) => format!("{side} moved"),
            GameEvent::TakenBack => "taken back".to_owned(),
            GameEvent::Thought(..) => "thought".to_owned(),
        });
    });
    (played.expect("nobody quits"), events, [one, two])
}

fn moves(played: &PlayedGame) -> Vec<&str> {
    played.record.moves().iter().map(|mv| mv.text.as_str()).collect()
}

#[test]
fn who_resigns_on_turn_has_lost() {
    let (played, events, _) = play(Rules::default(), [vec![mv("3")], vec![PlayerEvent::Resign]]);
    assert_eq!((played.verdict.winner, &played.verdict.reason), (Some(One), &Reason::Resigned));
    assert_eq!(played.record.result().expect("a result").to_string(), "48-0 resigned");
    assert_eq!(events, ["1 moved"]);
}

#[test]
fn moves_are_taken_back_to_the_side_that_is_named() {
    let one = vec![mv("3"), PlayerEvent::TakeBack(One), mv("5"), PlayerEvent::Resign];
    let (played, events, asked) = play(Rules::default(), [one, vec![mv("1"), mv("2")]]);
    assert_eq!(moves(&played), ["5", "2"]);
    assert_eq!(events, ["1 moved", "2 moved", "taken back", "1 moved", "2 moved"]);
    assert_eq!(asked[Side::One.index()], [vec![], vec!["3", "1"], vec![], vec!["5", "2"]]);
    assert_eq!(asked[Side::Two.index()], [vec!["3"], vec!["5"]]);
    let (played, events, _) = play(
        Rules::default(),
        [vec![mv("3"), PlayerEvent::TakeBack(Two), PlayerEvent::Resign], vec![mv("1"), PlayerEvent::Resign]],
    );
    assert_eq!((moves(&played), played.verdict.winner), (vec!["3"], Some(One)), "it is Two's turn again");
    assert_eq!(events, ["1 moved", "2 moved", "taken back"]);
}

#[test]
fn taking_back_gives_no_time_back() {
    let rules = with_time(TimeControl::Game { total: 60_000 * MS, increment: Duration::ZERO });
    let one = vec![mv("3"), PlayerEvent::TakeBack(One), mv("5"), PlayerEvent::Resign];
    let (played, ..) = play(rules, [one, vec![mv("1"), mv("2")]]);
    assert_eq!(played.charged, [3000 * MS, 2000 * MS], "a second for each answer but the resignation");
}

#[test]
fn where_there_is_nothing_to_take_back_the_turn_goes_on() {
    let one = vec![PlayerEvent::TakeBack(One), PlayerEvent::TakeBack(Two), mv("3"), PlayerEvent::Resign];
    let (played, events, asked) = play(Rules::default(), [one, vec![mv("1")]]);
    assert_eq!((moves(&played), events.len()), (vec!["3", "1"], 2));
    assert_eq!(asked[Side::One.index()].len(), 2, "it is not asked anew");
}

#[test]
fn a_seat_is_paused_when_it_is_ready_and_whenever_the_other_is_asked() {
    let (_, _, seats) = play_seats(Rules::default(), [vec![mv("3"), PlayerEvent::Resign], vec![mv("1")]]);
    assert_eq!(seats.map(|seat| seat.pauses), [1 + 1, 1 + 2], "One is asked twice, Two once");
}

/// Fails before it is ready.
struct Failing(ForfeitKind);

impl Seat for Failing {
    fn start(&mut self, _: &Greeting<'_>, _: Duration, _: Duration) {}

    fn go(&mut self, _: &Turn<'_>) -> Result<(), Fault> {
        panic!("it is not ready")
    }

    fn hear(&mut self, _: Duration, _: &AtomicBool) -> Result<Option<PlayerEvent>, Fault> {
        Err(Fault::new(self.0, "it failed"))
    }

    fn cpu(&mut self) -> Option<Duration> {
        None
    }

    fn used(&mut self, _: Option<Duration>, _: Duration) {}

    fn end(&mut self, _: &GameEnd<'_>) {}
}

#[test]
fn what_goes_wrong_before_a_bot_is_ready_is_a_fault_of_its_start() {
    let (clock, quit) = (VirtualClock::new(), AtomicBool::new(false));
    for &kind in ForfeitKind::ALL {
        let (mut one, mut two) = (Failing(kind), Failing(kind));
        let referee = Referee::new(record("mancala"), Rules::default());
        let game = GameToPlay { referee, seats: [&mut one, &mut two], clock: &clock, quit: &quit };
        let verdict = game.play(&mut |_, _| {}).expect("nobody quits").verdict;
        let is_general = [ForfeitKind::Crash, ForfeitKind::Protocol, ForfeitKind::Timeout].contains(&kind);
        let judged = if is_general { ForfeitKind::Startup } else { kind };
        assert_eq!((verdict.winner, verdict.fault().map(|fault| fault.kind)), (Some(Two), Some(judged)), "{kind}");
    }
}
