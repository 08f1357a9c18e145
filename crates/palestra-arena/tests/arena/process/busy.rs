//! Programs on a machine that is busy with others.

use std::time::{Duration, Instant};

use palestra_arena::{Bot, Reason, Rules, Seat, TimeControl};
use palestra_protocol::{Dialect, Received, Transport};
use palestra_sandbox::Process;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::bots::{ample, built_in, cpp, play, record, sh};

/// Far more than is ever needed.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Starts programs on one CPU, together with so many others that never rest.
fn on_one_cpu<T>(others: usize, start: impl FnOnce() -> T) -> (T, Vec<Process>) {
    let all = sched_getaffinity(None).expect("the CPUs of this thread");
    let mut one = CpuSet::new();
    one.set((0..CpuSet::MAX_CPU).find(|&cpu| all.is_set(cpu)).expect("a CPU"));
    sched_setaffinity(None, &one).expect("one of them");
    // Should the test be killed, each ends after a minute of work.
    let spinner = || Process::start(&sh("ulimit -t 60; while :; do :; done")).expect("a shell");
    let started = (start(), (0..others).map(|_| spinner()).collect());
    sched_setaffinity(None, &all).expect("all of them");
    started
}

/// How often a machine may be so busy with other things that even the ceiling of waiting is not enough.
const MAX_TRIES: u32 = 5;

/// Nine share the CPU of a program that needs 80 ms of it, so that it takes 720 ms by the clock and has 400.
#[test]
fn a_program_that_keeps_its_cpu_time_loses_no_game_because_the_machine_is_busy() {
    let time = TimeControl::Cpu { cpu: Duration::from_secs(2), wall: Duration::from_millis(400) };
    let rules = Rules { time, cap: Some(1), ..ample() };
    for _ in 0..MAX_TRIES {
        let (process, _others) = on_one_cpu(8, || Process::start(&cpp("work")).expect("the program"));
        let begun = Instant::now();
        let seats: [&mut dyn Seat; 2] = [&mut Bot::new(process, Dialect::One), &mut built_in("mancala", "random")];
        let played = play(record("mancala"), rules, seats);
        // How much a busy machine may delay a program has a ceiling, and this machine may be busier than that.
        if played.verdict.fault().is_some_and(|fault| fault.detail.contains("times that on a busy machine")) {
            continue;
        }
        assert_eq!(played.verdict.reason, Reason::Capped, "{:?}", played.verdict);
        assert!(begun.elapsed() > Duration::from_millis(400), "it took {:?}: it had to wait", begun.elapsed());
        return;
    }
    panic!("in {MAX_TRIES} games the program got less than 80 ms of CPU time in 4 s");
}

#[test]
fn two_threads_that_spin_on_one_cpu_gain_no_time() {
    let (mut process, _) = on_one_cpu(0, || Process::start(&cpp("spin")).expect("the program"));
    let mut line = String::new();
    process.send("hello 1\n");
    while line != "ready" {
        assert_eq!(process.receive(TIMEOUT, &mut line), Received::Line);
    }
    process.send("legal 1\ngo\n");
    process.wake();
    process.waited();
    let (begun, before) = (Instant::now(), process.cpu().expect("it is known"));
    let mut cpu = Duration::ZERO;
    while cpu < Duration::from_millis(400) {
        assert!(begun.elapsed() < TIMEOUT, "it spins");
        assert_eq!(process.receive(Duration::from_millis(10), &mut line), Received::Quiet);
        cpu = process.cpu().expect("it is known") - before;
    }
    let waited = process.waited();
    let elapsed = begun.elapsed();
    // Whatever else runs on that CPU: one of the two threads runs, or both wait. The kernel counts in ticks.
    assert!(waited <= elapsed - cpu + Duration::from_millis(40), "{waited:?} of {elapsed:?}, computed {cpu:?}");
}
