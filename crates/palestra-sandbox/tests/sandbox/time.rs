//! Attacks on time: too much of it, or when it is not one's own.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use palestra_arena::{Bot, BuiltIn, Reason, Rules, Seat, TimeControl};
use palestra_protocol::{Dialect, Fault, ForfeitKind, GameEnd, Greeting, PlayerEvent, Received, Transport, Turn};
use palestra_sandbox::{Allowance, Launch, Process};
use palestra_search::any_player;
use rustix::process::{Pid, Signal};
use rustix::thread::{sched_getaffinity, sched_setaffinity};

use crate::hand::{ANSWER_TIMEOUT, go, goes_on, lead_through, off_turn};
use crate::probe::{Watched, count, family, signal};
use crate::support::{Attacker, PlayedAttack, ends, play, play_game, sandbox};

const TIME: Attacker = Attacker { name: "time", source: include_str!("attacks/time.cpp") };

/// CPU time off turn above which a program in a box loses: the limit of `Process::rest`.
const OFF_TURN: Duration = Duration::from_millis(2);

/// CPU time that only a program has which computes on purpose.
const ON_PURPOSE: Duration = Duration::from_millis(100);

fn rules(cpu: u64, wall: u64) -> Rules {
    let [cpu, wall] = [cpu, wall].map(Duration::from_millis);
    Rules { time: TimeControl::Cpu { cpu, wall }, startup: ANSWER_TIMEOUT, ..Rules::default() }
}

/// Plays in a box; whoever was in the box is gone when the game is over.
fn play_and_vanish(words: &[&str], rules: Rules) -> PlayedAttack {
    let attacker = TIME.start(words);
    let all = Watched::new(&family(&attacker));
    let played = play(attacker, rules);
    all.are_gone();
    played
}

/// The referee's clocks are the same without a box, so that the verdict is too.
#[test]
fn attack_busy_past_the_deadline() {
    let rules = rules(100, 60_000);
    let bare = play(TIME.start_bare(&["busy"]), rules);
    assert_eq!(ends(&bare), Some(ForfeitKind::Budget));

    let boxed = play_and_vanish(&["busy"], rules);
    assert_eq!(ends(&boxed), Some(ForfeitKind::Budget));
}

/// As above.
#[test]
fn attack_sleeping_past_the_deadline() {
    let rules = rules(1_000, 1_500);
    let bare = play(TIME.start_bare(&["sleep"]), rules);
    assert_eq!(ends(&bare), Some(ForfeitKind::Timeout));

    let boxed = play_and_vanish(&["sleep"], rules);
    assert_eq!(ends(&boxed), Some(ForfeitKind::Timeout));
}

#[test]
fn attack_sigcont_timer() {
    let mut bare = TIME.start_bare(&["timer"]);
    assert!(goes_on_though_stopped(&mut bare), "a timer lets it go on: {}", bare.stderr());

    let mut boxed = TIME.start(&["timer"]);
    rests(&mut boxed);
    assert!(boxed.stderr().contains("failed timer:"), "{}", boxed.stderr());
    assert_eq!(ends(&TIME.play(&["timer"])), None, "a call that fails is no fault");
}

#[test]
fn attack_sigcont_to_itself() {
    let ways = ["kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"];
    let bare = TIME.play_bare(&["signals"]);
    for way in ways {
        assert!(bare.stderr.contains(&format!("did {way} SIGCONT\n")), "{way}: {}", bare.stderr);
    }

    let mut boxed = TIME.start(&["signals"]);
    rests(&mut boxed);
    let stderr = boxed.stderr();
    for way in ways {
        assert!(stderr.contains(&format!("failed {way} SIGCONT: Function not implemented\n")), "{way}: {stderr}");
    }
    for way in &ways[..3] {
        assert!(stderr.contains(&format!("did {way} SIGWINCH\n")), "a program may raise other signals: {stderr}");
    }
    assert_eq!(ends(&TIME.play(&["signals"])), None, "a call that fails is no fault");
}

#[test]
fn attack_setsid_waker() {
    let mut bare = TIME.start_bare(&["waker"]);
    assert!(goes_on_though_stopped(&mut bare), "a second process lets it go on: {}", bare.stderr());

    let mut boxed = TIME.start(&["waker"]);
    rests(&mut boxed);
    assert!(boxed.stderr().contains("failed setsid:"), "{}", boxed.stderr());
    assert!(boxed.stderr().contains("failed waker:"), "{}", boxed.stderr());
    assert_eq!(ends(&TIME.play(&["waker"])), None);
}

#[test]
fn attack_pondering_off_turn() {
    let mut bare = TIME.start_bare(&["ponder"]);
    lead_through(&mut bare);
    bare.pause();
    assert!(goes_on(&mut bare, ON_PURPOSE), "without a box nobody is stopped before it was seen to go on");

    let mut boxed = TIME.start(&["ponder"]);
    rests(&mut boxed);
    assert!(goes_on(&mut boxed, ON_PURPOSE), "on turn its thread may work: {}", boxed.stderr());
    assert_eq!(ends(&TIME.play(&["ponder"])), None);
}

/// No attack gets around the freezer here, so the test itself lets the program go on: that it does is seen.
#[test]
fn a_program_in_a_box_that_goes_on_though_it_was_stopped_has_lost() {
    let mut boxed = TIME.start(&["ponder"]);
    lead_through(&mut boxed);
    boxed.pause();
    let_go_on(family(&boxed)[2]);
    assert!(goes_on(&mut boxed, ON_PURPOSE), "the control: it computes off turn");
    boxed.rest();
    let received = boxed.receive(ANSWER_TIMEOUT, &mut String::new());
    assert!(matches!(&received, Received::Gone(fault) if fault.kind == ForfeitKind::Security), "{received:?}");
}

/// Undoes what stops a program in a box: thaws its cgroup, or sends it `SIGCONT` where there is no freezer.
fn let_go_on(program: i32) {
    if !sandbox().cgroups().freeze {
        return signal(program, Signal::CONT);
    }
    let groups = std::fs::read_to_string(format!("/proc/{program}/cgroup")).expect("its groups");
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/")).expect("its group in version 2");
    let mounts = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map(|mount| format!("{mount}/{group}/cgroup.freeze"));
    let freezer = mounts.iter().find(|file| std::path::Path::new(file).exists()).expect("its freezer");
    std::fs::write(freezer, "0").expect("thawed");
}

/// An opponent that is ready once another program has stood still for a while.
struct Late {
    other: i32,
    seat: BuiltIn,
    begun: Instant,
    /// The CPU time of the other, and how often it was seen to be just that.
    seen: (u64, u32),
}

impl Late {
    fn new(other: i32) -> Self {
        let seat = BuiltIn::new(any_player("mancala", "greedy", 1).expect("a built-in player"));
        Self { other, seat, begun: Instant::now(), seen: (0, 0) }
    }

    fn is_still(&mut self) -> bool {
        let cpu = cpu_of_threads(self.other);
        self.seen = if cpu == self.seen.0 { (cpu, self.seen.1 + 1) } else { (cpu, 0) };
        self.seen.1 >= 10
    }
}

impl Seat for Late {
    fn start(&mut self, greeting: &Greeting<'_>, now: Duration, limit: Duration) {
        self.seat.start(greeting, now, limit);
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        self.seat.go(turn)
    }

    fn hear(&mut self, wait: Duration, quit: &AtomicBool) -> Result<Option<PlayerEvent>, Fault> {
        if self.seen.1 < 10 && !self.is_still() {
            assert!(self.begun.elapsed() < ANSWER_TIMEOUT, "the other goes on computing");
            std::thread::sleep(wait);
            return Ok(None);
        }
        self.seat.hear(wait, quit)
    }

    fn cpu(&mut self) -> Option<Duration> {
        self.seat.cpu()
    }

    fn used(&mut self, cpu: Option<Duration>, wall: Duration) {
        self.seat.used(cpu, wall);
    }

    fn end(&mut self, end: &GameEnd<'_>) {
        self.seat.end(end);
    }
}

/// A program that is ready rests until its first turn, however long the other takes to be ready.
#[test]
fn attack_pondering_before_its_first_turn() {
    let mut bare = TIME.start_bare(&["eager"]);
    assert!(goes_on(&mut bare, ON_PURPOSE), "nobody asked it");

    let boxed = TIME.start(&["eager"]);
    let mut late = Late::new(family(&boxed)[2]);
    let played = play_game([&mut Bot::new(boxed, Dialect::One), &mut late], rules(5_000, 60_000));
    assert_eq!(played.verdict.reason, Reason::Finished, "{:?}", played.verdict);
}

/// The referee must see that a program in a box waits for its CPU, which others use as well.
#[test]
fn a_program_in_a_box_that_waits_for_its_cpu_is_seen_to_wait() {
    let mut boxed = TIME.start(&["ponder"]);
    lead_through(&mut boxed);
    let cpu = sched_getaffinity(Pid::from_raw(family(&boxed)[2])).expect("its CPU");
    let spin = || Launch {
        program: "sh".into(),
        args: ["-c", "ulimit -t 60; while :; do :; done"].map(Into::into).into(),
        ..Launch::default()
    };
    let others: Vec<Process> = (0..3).map(|_| Process::start(&spin()).expect("a shell")).collect();
    for other in &others {
        sched_setaffinity(Pid::from_raw(other.id().cast_signed()), &cpu).expect("the same CPU");
    }
    boxed.wake();
    assert_eq!(boxed.waited(), Duration::ZERO, "it is counted from here");
    assert!(goes_on(&mut boxed, ON_PURPOSE));
    let waited = boxed.waited();
    // How the kernel groups processes decides whether it has a half or a quarter of the CPU.
    assert!(waited > ON_PURPOSE / 4, "four share a CPU: {waited:?}");
}

/// The CPU time of all threads of a process, in nanoseconds.
fn cpu_of_threads(process: i32) -> u64 {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).expect("a process").flatten();
    let times = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("schedstat")).ok());
    times.filter_map(|times| times.split(' ').next()?.parse::<u64>().ok()).sum()
}

/// Stops a program without a box; whether it goes on all the same.
fn goes_on_though_stopped(bare: &mut Process) -> bool {
    lead_through(bare);
    signal(bare.id().cast_signed(), Signal::STOP);
    goes_on(bare, ON_PURPOSE)
}

/// Off turn nothing of it works, nobody says that it broke a rule, and at its turn it goes on.
fn rests(boxed: &mut Process) {
    lead_through(boxed);
    assert!(boxed.stderr().contains("did ponder"), "{}", boxed.stderr());
    let used = off_turn(boxed);
    assert!(used < OFF_TURN, "{used:?} off turn");
    boxed.rest();
    assert_eq!(boxed.receive(Duration::ZERO, &mut String::new()), Received::Quiet);
    boxed.wake();
    assert_eq!(go(boxed, ANSWER_TIMEOUT).0, Received::Line);
}

/// The time of all threads is charged, by the referee for the move and by the kernel in all. Without a box they have all
/// CPUs of the machine.
#[test]
fn attack_many_threads() {
    let rules = rules(200, 60_000);
    let bare = play(TIME.start_bare(&["threads", "8"]), rules);
    assert_eq!(ends(&bare), Some(ForfeitKind::Budget));
    let all = sched_getaffinity(None).expect("our own CPUs").count();
    assert!(count(&bare.stderr, "CPUs") >= all.into(), "{}", bare.stderr);

    let boxed = play_and_vanish(&["threads", "8"], rules);
    assert_eq!(ends(&boxed), Some(ForfeitKind::Budget));
    assert_eq!(count(&boxed.stderr, "CPUs"), 1);
    assert!(boxed.stderr.contains("failed sched_setaffinity:"), "{}", boxed.stderr);

    // CPU time does not count in this game: only the kernel's limit does, which is two seconds more than is allowed, and
    // another one for whoever ignores its signal.
    let rules = Rules { time: TimeControl::Wall(Duration::from_secs(60)), ..rules };
    let program = std::fs::read(TIME.program()).expect("the program");
    for words in [&["/bot/attacker", "threads", "8"][..], &["/bot/attacker", "threads", "8", "deaf"]] {
        let packed = sandbox().pack(&[("attacker", &program)], words).expect("packed");
        let allowance = Allowance { cpu: Duration::ZERO, ..Allowance::default() };
        let limited = play(sandbox().start(&packed, allowance).expect("a box"), rules);
        assert_eq!(ends(&limited), Some(ForfeitKind::Budget), "{:?}", limited.game.verdict);
    }
}

/// What runs before `main` has the time until it is ready, and no more. It is the same without a box.
#[test]
fn attack_burning_before_main() {
    let rules = Rules { startup: Duration::from_secs(2), ..rules(100, 60_000) };
    let bare = play(TIME.start_bare(&["early"]), rules);
    assert_eq!(ends(&bare), Some(ForfeitKind::Startup));

    let boxed = play_and_vanish(&["early"], rules);
    assert_eq!(ends(&boxed), Some(ForfeitKind::Startup));
    assert!(boxed.stderr.contains("did begin early"), "{}", boxed.stderr);
}
