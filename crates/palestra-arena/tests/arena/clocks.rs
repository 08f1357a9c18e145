//! Time to the microsecond, and the other rules a referee goes by.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_arena::testing::{Reaction, VirtualClock};
use palestra_arena::{Clock, Reason, Rules, Seat, TimeControl};
use palestra_games::Side;
use palestra_protocol::ForfeitKind::{Budget, Timeout};
use palestra_protocol::{Fault, GameEnd, Greeting, PlayerEvent, Turn};

use crate::support::{MS, bot, fault, play, play_from, play_odd, proper, proper_until, record, rules, with_time};

const MICROSECOND: Duration = Duration::from_micros(1);

/// A bot that does this before each of its moves.
fn after(before: Reaction) -> impl FnMut(&str) -> Vec<Reaction> + Send + 'static {
    proper_until(0, move |legal| vec![before.clone(), Reaction::line(&format!("move {}", legal[0]))])
}

#[test]
fn exactly_the_limit_on_the_wall_is_not_late_and_a_microsecond_more_is() {
    let strict = with_time(TimeControl::Wall(2000 * MS));
    let (played, end) = play_odd(strict, Side::One, after(Reaction::sleep(2000 * MS)));
    assert_eq!(played.verdict.reason, Reason::Finished);
    assert_eq!(played.charged, [end, Duration::ZERO], "all the time that passed is the slow one's");
    let late = Reaction::sleep(2000 * MS + MICROSECOND);
    let (played, end) = play_odd(strict, Side::Two, after(late));
    assert_eq!(
        (fault(&played).kind, fault(&played).detail.as_str()),
        (Timeout, "it gave no move within 2000 ms: it computed 0.0 s and slept 2.0 s")
    );
    assert_eq!((played.charged[1], end), (2000 * MS + MICROSECOND, 2000 * MS + MICROSECOND));
}

#[test]
fn the_strict_rule_does_not_ask_for_cpu_time() {
    let strict = with_time(TimeControl::Wall(2000 * MS));
    let threads = Reaction::Think { wall: 1000 * MS, cpu: 8000 * MS };
    let (played, _) = play_odd(strict, Side::One, after(threads));
    assert_eq!(played.verdict.reason, Reason::Finished);
}

#[test]
fn exactly_the_limit_of_cpu_time_is_not_too_much_and_a_nanosecond_more_is() {
    let think = |cpu| Reaction::Think { wall: 3000 * MS, cpu };
    let (played, _) = play_odd(rules(), Side::One, after(think(2000 * MS)));
    assert_eq!(played.verdict.reason, Reason::Finished);
    let moves = played.record.moves().iter().filter(|mv| mv.played.side == Side::One).count();
    assert_eq!(played.charged, [2000 * MS * moves as u32, Duration::ZERO], "CPU time counts, not time");
    let (played, _) = play_odd(rules(), Side::One, after(think(2000 * MS + Duration::from_nanos(1))));
    assert_eq!(fault(&played).kind, Budget);
}

#[test]
fn a_patient_bot_has_three_times_its_cpu_time_on_the_wall() {
    let (played, _) = play_odd(rules(), Side::One, after(Reaction::sleep(6000 * MS)));
    assert_eq!(played.verdict.reason, Reason::Finished);
    let (played, _) = play_odd(rules(), Side::One, after(Reaction::sleep(6000 * MS + MICROSECOND)));
    assert_eq!(fault(&played).kind, Timeout);
}

#[test]
fn a_bot_is_told_what_its_moves_cost_and_what_the_next_one_may() {
    let clock = VirtualClock::new();
    let (heard, hear) = std::sync::mpsc::channel();
    let mut inner = after(Reaction::Think { wall: 30 * MS, cpu: 20 * MS });
    let talkative = move |line: &str| {
        heard.send(line.to_owned()).expect("the test listens");
        inner(line)
    };
    let played = play(rules(), &clock, [bot(&clock, talkative), bot(&clock, proper())]);
    let lines: Vec<String> = hear.iter().collect();
    assert_eq!(
        lines[..7].join("\n"),
        "hello 1\ngame mancala seat 1 options -\nposition 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4\nhistory\nlegal 1 2 3 4 5 6\n\
         go cpu 2000 wall 6000\nused cpu 20 wall 30"
    );
    let [one, two] = played.verdict.points;
    let result = format!("score {one}-{two} reason finished");
    assert!(lines[lines.len() - 2].starts_with("result ") && lines[lines.len() - 2].ends_with(&result), "{lines:?}");
    assert_eq!(lines[lines.len() - 1], "bye");
    let used = lines.iter().filter(|line| *line == "used cpu 20 wall 30").count();
    assert_eq!(used, played.record.moves().iter().filter(|mv| mv.played.side == Side::One).count());
}

#[test]
fn a_clock_for_the_whole_game_runs_out_and_increments_help() {
    let time = |total, increment| with_time(TimeControl::Game { total, increment });
    let slow = || after(Reaction::sleep(1000 * MS));
    let (played, _) = play_odd(time(5000 * MS, Duration::ZERO), Side::One, slow());
    assert_eq!(fault(&played).kind, Timeout);
    assert_eq!(played.charged, [5000 * MS + MICROSECOND, Duration::ZERO]);
    let made = played.record.moves().iter().filter(|mv| mv.played.side == Side::One).count();
    assert_eq!(made, 5, "the last of them used up the time exactly");

    let (played, _) = play_odd(time(1000 * MS, 1000 * MS), Side::One, slow());
    assert_eq!(played.verdict.reason, Reason::Finished);
    let (played, _) = play_odd(time(1000 * MS, 999 * MS), Side::One, slow());
    assert_eq!(
        fault(&played).detail,
        "it gave no move within 999 ms: it computed 0.0 s and slept 1.0 s",
        "after one move a millisecond is missing"
    );
}

#[test]
fn without_a_limit_a_move_may_take_an_hour() {
    let hour = Duration::from_secs(3600);
    let slow = after(Reaction::compute(hour));
    let (played, _) = play_odd(with_time(TimeControl::Unlimited), Side::Two, slow);
    assert_eq!(played.verdict.reason, Reason::Finished);
    assert!(played.charged[1] >= hour && played.charged[0].is_zero());
}

#[test]
fn who_may_try_again_does_so_while_the_clock_runs() {
    let retry = Rules { retry: true, ..rules() };
    let mut tries = 0;
    let (played, _) = play_odd(
        retry,
        Side::One,
        proper_until(0, move |legal| {
            tries += 1;
            let mv = if tries % 3 == 0 { &legal[0] } else { "9" };
            vec![Reaction::compute(600 * MS), Reaction::line(&format!("move {mv}"))]
        }),
    );
    assert_eq!(played.verdict.reason, Reason::Finished);
    let made = played.record.moves().iter().filter(|mv| mv.played.side == Side::One).count();
    assert_eq!(played.charged[0], 1800 * MS * made as u32, "all three tries cost time");

    let stubborn = proper_until(0, |_| vec![Reaction::compute(600 * MS), Reaction::line("move 9")]);
    let (played, end) = play_odd(retry, Side::One, stubborn);
    assert_eq!(fault(&played).kind, Budget);
    assert!(end > 2000 * MS && end <= 2010 * MS, "{end:?}");

    let (played, end) = play_odd(retry, Side::One, proper_until(0, |_| vec![Reaction::line("move 9")]));
    assert_eq!(fault(&played).kind.word(), "output", "who takes no time for it writes too much");
    assert_eq!(end, Duration::ZERO);
}

#[test]
fn a_second_move_is_no_second_try() {
    let both = proper_until(0, |_| vec![Reaction::line("move 9"), Reaction::line("move 1")]);
    let (played, _) = play_odd(Rules { retry: true, ..rules() }, Side::One, both);
    assert_eq!(fault(&played).kind.word(), "protocol");
}

#[test]
fn a_game_that_is_too_long_is_a_draw() {
    let (played, _) = play_odd(Rules { cap: Some(7), ..rules() }, Side::One, proper());
    assert_eq!((played.record.moves().len(), played.verdict.winner), (7, None));
    assert_eq!(played.verdict.reason, Reason::Capped);
    assert_eq!(played.verdict.points, played.record.position().points());
    let (whole, _) = play_odd(rules(), Side::One, proper());
    let length = whole.record.moves().len();
    let (played, _) = play_odd(Rules { cap: Some(length as u32), ..rules() }, Side::One, proper());
    assert_eq!(played.verdict.reason, Reason::Finished, "the last move counts before the cap");
    let (played, end) = play_odd(Rules { cap: Some(0), ..rules() }, Side::One, |_: &str| vec![]);
    assert_eq!((played.verdict.reason, end), (Reason::Capped, Duration::ZERO), "nobody is waited for");
}

#[test]
fn a_game_that_nobody_wants_to_know_about_is_not_finished() {
    let clock = VirtualClock::new();
    let quit = std::sync::atomic::AtomicBool::new(true);
    let (mut one, mut two) = (bot(&clock, proper()), bot(&clock, |_: &str| vec![]));
    let referee = palestra_arena::Referee::new(record("mancala"), rules());
    let game = palestra_arena::GameToPlay { referee, seats: [&mut *one, &mut *two], clock: &clock, quit: &quit };
    assert!(game.play(&mut |_, _| {}).is_none());
    assert_eq!(clock.now(), Duration::ZERO);
}

#[test]
fn a_game_may_begin_after_an_opening() {
    let clock = VirtualClock::new();
    let mut record = record("mancala");
    for mv in ["4", "1", "5"] {
        record.play(mv).expect("a legal move");
    }
    let (heard, hear) = std::sync::mpsc::channel();
    let mut inner = proper();
    let listener = move |line: &str| {
        if line.starts_with("history") {
            heard.send(line.to_owned()).expect("the test listens");
        }
        inner(line)
    };
    let mover = record.position().turn();
    let mut seats = [bot(&clock, listener), bot(&clock, proper())];
    seats.rotate_left(mover.index());
    play_from(record, rules(), &clock, seats);
    assert_eq!(hear.iter().next().as_deref(), Some("history 4 1 5"));
}

/// Two seconds of CPU time a move and six by the clock, on a machine that is busy with other programs.
fn on_a_busy_machine(waits: Duration, then: Reaction) -> (palestra_arena::PlayedGame, Duration) {
    let slow = proper_until(0, move |legal| {
        vec![Reaction::Wait(waits), then.clone(), Reaction::line(&format!("move {}", legal[0]))]
    });
    play_odd(Rules { cap: Some(1), ..rules() }, Side::One, slow)
}

#[test]
fn who_waits_for_a_cpu_has_more_time_by_the_clock() {
    let (played, end) = on_a_busy_machine(20_000 * MS, Reaction::Think { wall: 6000 * MS, cpu: 1900 * MS });
    assert_eq!((played.verdict.reason, end), (Reason::Capped, 26_000 * MS));
    let note = played.record.moves()[0].note.as_deref();
    assert_eq!(note, Some("cpu 1900 wall 26000"), "what it took by the clock is told as it was");
    assert_eq!(played.charged[0], 1900 * MS);
}

#[test]
fn half_a_line_is_not_late_while_its_bot_waits_for_a_cpu() {
    let answer = |legal: &[String]| {
        let (begin, end) = (Reaction::Say(b"move ".to_vec()), Reaction::line(&legal[0]));
        vec![begin, Reaction::Wait(10_000 * MS), end]
    };
    let (played, _) = play_odd(Rules { cap: Some(1), ..rules() }, Side::One, proper_until(0, answer));
    assert_eq!(played.verdict.reason, Reason::Capped, "{:?}", played.verdict);
}

#[test]
fn who_waits_for_a_cpu_has_no_more_time_to_sleep_in() {
    let (played, end) = on_a_busy_machine(20_000 * MS, Reaction::sleep(6000 * MS + MICROSECOND));
    assert_eq!((fault(&played).kind, end), (Timeout, 26_000 * MS + MICROSECOND));
    let told = "it gave no move within 6000 ms: it computed 0.0 s, slept 6.0 s, waited 20.0 s for a CPU";
    assert_eq!(fault(&played).detail, told);
}

#[test]
fn waiting_for_a_cpu_gives_no_more_cpu_time() {
    let (played, _) = on_a_busy_machine(20_000 * MS, Reaction::compute(2010 * MS));
    assert_eq!(fault(&played).kind, Budget);
}

#[test]
fn after_ten_times_the_limit_it_is_over_however_busy_the_machine_is() {
    let (played, _) = on_a_busy_machine(59_000 * MS, Reaction::compute(1000 * MS));
    assert_eq!(played.verdict.reason, Reason::Capped);
    let (played, end) = on_a_busy_machine(59_000 * MS, Reaction::compute(1001 * MS));
    assert_eq!((fault(&played).kind, end), (Timeout, 60_000 * MS + MICROSECOND));
    let told = "it gave no move within 6000 ms, nor within 10 times that on a busy machine: \
                it computed 1.0 s, slept 0.0 s, waited 59.0 s for a CPU";
    assert_eq!(fault(&played).detail, told);
}

#[test]
fn the_strict_rule_counts_waiting_and_says_so() {
    let strict = with_time(TimeControl::Wall(2000 * MS));
    let slow = proper_until(0, |_| vec![Reaction::compute(400 * MS), Reaction::Wait(5000 * MS)]);
    let (played, end) = play_odd(strict, Side::One, slow);
    assert_eq!(end, 2000 * MS + MICROSECOND);
    let told = "it gave no move within 2000 ms: it computed 0.4 s, slept 0.0 s, waited 1.6 s for a CPU";
    assert_eq!(fault(&played).detail, told);
}

#[test]
fn what_was_waited_in_one_turn_is_no_time_for_the_next() {
    let mut turns = 0;
    let slow = proper_until(0, move |legal| {
        turns += 1;
        let time = if turns == 1 { Reaction::Wait(20_000 * MS) } else { Reaction::sleep(6000 * MS + MICROSECOND) };
        vec![time, Reaction::line(&format!("move {}", legal[0]))]
    });
    let (played, _) = play_odd(rules(), Side::One, slow);
    assert_eq!((fault(&played).kind, played.record.moves().len() > 1), (Timeout, true));
}

/// A bot that is ready at once and then computes for so long, unasked.
fn busy_from_ready(time: Duration) -> impl FnMut(&str) -> Vec<Reaction> + Send + 'static {
    let mut inner = proper();
    move |line: &str| match line {
        "hello 1" => vec![Reaction::line("ready"), Reaction::compute(time)],
        line => inner(line),
    }
}

#[test]
fn a_slow_starter_costs_a_ready_opponent_no_time() {
    let clock = VirtualClock::new();
    let mut inner = proper();
    let late = move |line: &str| match line {
        "hello 1" => vec![Reaction::sleep(5000 * MS), Reaction::line("ready")],
        line => inner(line),
    };
    let seats = [bot(&clock, busy_from_ready(4900 * MS)), bot(&clock, late)];
    let played = play(rules(), &clock, seats);
    assert_eq!(played.verdict.reason, Reason::Finished);
    assert_eq!(played.charged, [Duration::ZERO; 2]);
}

/// A bot that only notes when it is told to rest.
struct Resting {
    bot: Box<dyn Seat>,
    clock: VirtualClock,
    paused: std::sync::mpsc::Sender<Duration>,
}

impl Seat for Resting {
    fn start(&mut self, greeting: &Greeting<'_>, now: Duration, limit: Duration) {
        self.bot.start(greeting, now, limit);
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        self.bot.go(turn)
    }

    fn hear(&mut self, wait: Duration, quit: &AtomicBool) -> Result<Option<PlayerEvent>, Fault> {
        self.bot.hear(wait, quit)
    }

    fn cpu(&mut self) -> Option<Duration> {
        self.bot.cpu()
    }

    fn used(&mut self, cpu: Option<Duration>, wall: Duration) {
        self.bot.used(cpu, wall);
    }

    fn pause(&mut self) {
        self.paused.send(self.clock.now()).expect("the test listens");
    }

    fn end(&mut self, end: &GameEnd<'_>) {
        self.bot.end(end);
    }
}

#[test]
fn who_is_ready_rests_at_once_whichever_side_it_has() {
    for side in Side::BOTH {
        let clock = VirtualClock::new();
        let (paused, pauses) = std::sync::mpsc::channel();
        let quick = Resting { bot: bot(&clock, proper()), clock: clock.clone(), paused };
        let mut inner = proper();
        let late = move |line: &str| match line {
            "hello 1" => vec![Reaction::sleep(5000 * MS), Reaction::line("ready")],
            line => inner(line),
        };
        let mut seats: [Box<dyn Seat>; 2] = [Box::new(quick), bot(&clock, late)];
        seats.rotate_left(side.index());
        play(rules(), &clock, seats);
        let first = pauses.iter().next().expect("it is told to rest");
        assert!(first <= 10 * MS, "{side:?} {first:?}");
    }
}
