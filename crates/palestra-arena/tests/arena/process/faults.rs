//! Programs that lose by their own fault.

use std::time::Duration;

use palestra_arena::{Bot, Reason, Rules, TimeControl};
use palestra_games::{GameKind, Record};
use palestra_protocol::Dialect;
use palestra_protocol::ForfeitKind::{Budget, Crash, Memory, Output, Protocol, Startup, Timeout};
use palestra_sandbox::{Launch, Process};

use super::bots::{SH, ample, assert_nothing_left, built_in, cpp, fault_of, launch, play, play_one, sh, within};

/// A shell script that does something else than to answer `go`.
fn at_go(what: &str) -> Launch {
    sh(&SH.replace("echo \"move $mv\"", what))
}

#[test]
fn a_program_that_ends_has_lost_and_is_told_how_it_ended() {
    let fault = fault_of(&at_go("exit 3"), ample());
    assert_eq!((fault.kind, fault.detail.as_str()), (Crash, "it ended with exit code 3"));
    let fault = fault_of(&at_go("kill -TERM $$"), ample());
    assert_eq!((fault.kind, fault.detail.as_str()), (Crash, "it was killed by signal 15 (termination)"));
    let fault = fault_of(&cpp("segfault"), ample());
    assert_eq!((fault.kind, fault.detail.as_str()), (Crash, "it was killed by signal 11 (segmentation fault)"));
    let fault = fault_of(&cpp("abort"), ample());
    assert_eq!((fault.kind, fault.detail.as_str()), (Crash, "it was killed by signal 6 (abort)"));
}

#[test]
fn a_program_that_closes_its_output_has_lost() {
    let fault = fault_of(&at_go("exec >&-"), ample());
    assert_eq!((fault.kind, fault.detail.as_str()), (Crash, "it closed its output"));
}

#[test]
fn a_program_that_ends_before_it_is_ready_did_not_start() {
    let fault = fault_of(&sh("echo 'cannot find my book' >&2; exit 1"), ample());
    assert_eq!((fault.kind, fault.detail.as_str()), (Startup, "it ended with exit code 1"));
    let played = play_one("mancala", &sh("echo 'cannot find my book' >&2; exit 1"), ample());
    assert_eq!(played.stderr[0], "cannot find my book\n");
}

#[test]
fn a_program_that_never_answers_is_late() {
    let fault = fault_of(&at_go(":"), within(Duration::from_millis(50)));
    assert_eq!(fault.kind, Timeout);
    assert!(fault.detail.starts_with("it gave no move within 50 ms: it computed "), "{}", fault.detail);
}

/// 300 ms of work are more than 50, and at least that where ended processes are counted in hundredths.
#[test]
fn the_time_of_children_is_the_programs_own() {
    let (cpu, wall) = (Duration::from_millis(50), Duration::from_secs(60));
    let rules = Rules { time: TimeControl::Cpu { cpu, wall }, ..ample() };
    let alive = "sh -c 'while :; do :; done'";
    assert_eq!(fault_of(&at_go(alive), rules).kind, Budget, "one that works");
    let ended = "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; echo move $mv";
    assert_eq!(fault_of(&at_go(ended), rules).kind, Budget, "one that has ended");
}

#[test]
fn half_a_line_before_the_question_is_no_answer() {
    let ahead = SH.replace(r#"echo "move $mv""#, r#"echo "move $mv"; printf "move ""#);
    let fault = fault_of(&sh(&ahead), ample());
    assert!(matches!(fault.kind, Protocol | Timeout), "{fault:?}");
}

#[test]
fn a_program_that_burns_time_is_charged_cpu_time() {
    let (cpu, wall) = (Duration::from_millis(50), Duration::from_secs(60));
    let rules = Rules { time: TimeControl::Cpu { cpu, wall }, ..ample() };
    let fault = fault_of(&at_go("while :; do :; done"), rules);
    assert_eq!(fault.kind, Budget);
    assert!(fault.detail.starts_with("it used ") && fault.detail.ends_with("for a move, and has 50 ms"));
}

#[test]
fn python_that_does_not_flush_is_late() {
    let script =
        "import sys\nprint('ready', flush=True)\nfor line in sys.stdin:\n    if line.startswith('go'): print('move 1')";
    let fault = fault_of(
        &launch(&["env", "-u", "PYTHONUNBUFFERED", "python3", "-c", script]),
        within(Duration::from_millis(100)),
    );
    assert_eq!(fault.kind, Timeout);
}

#[test]
fn a_flood_on_stdout_is_cut_off() {
    let fault = fault_of(&cpp("stdout"), ample());
    assert_eq!((fault.kind, fault.detail.as_str()), (Output, "it wrote more than 1 MiB in a game"));
    let fault = fault_of(&cpp("endless"), ample());
    assert_eq!((fault.kind, fault.detail.as_str()), (Output, "it wrote a line of more than 4096 bytes"));
}

#[test]
fn a_flood_on_stderr_is_read_and_its_end_is_kept() {
    let played = play_one("mancala", &cpp("stderr"), ample());
    assert_eq!(played.verdict.reason, Reason::Finished);
    assert_eq!(played.stderr[0].len(), 64 << 10);
    assert!(played.stderr[0].ends_with("a line on stderr\n"));
}

#[test]
fn a_program_that_takes_too_much_memory_has_lost() {
    let with_limit = |how| Launch { memory: Some(100 << 20), ..cpp(how) };
    let fault = fault_of(&with_limit("memory"), ample());
    assert_eq!(fault.kind, Memory);
    assert!(fault.detail.ends_with("of memory, and has 100 MiB"), "{}", fault.detail);
    assert_eq!(fault_of(&with_limit("orphan"), ample()).kind, Memory, "though its first thread has ended");
    assert_eq!(
        fault_of(&with_limit("peak"), ample()).kind,
        Memory,
        "though it gave the memory back before it answered"
    );
    assert_eq!(play_one("mancala", &with_limit(""), ample()).verdict.reason, Reason::Finished);
}

#[test]
fn a_move_sent_ahead_is_no_answer() {
    let fault = fault_of(&at_go(r"printf 'move %s\nmove %s\n' $mv $mv"), ample());
    assert_eq!(fault.kind, Protocol);
}

#[test]
fn a_child_that_keeps_the_output_open_hides_no_end() {
    let fault = fault_of(&at_go("sleep 1000 & exit 3"), ample());
    assert_eq!((fault.kind, fault.detail.as_str()), (Crash, "it ended with exit code 3"));
}

#[test]
fn a_program_that_does_not_want_to_leave_is_ended() {
    let stays = format!("trap '' TERM INT HUP; sleep 1000 & {}; while :; do sleep 1; done", SH.replace("exit 0", ":"));
    assert_eq!(play_one("mancala", &sh(&stays), ample()).verdict.reason, Reason::Finished);
}

/// Two teams of one on the largest board, without two tiles alike side by side: the longest text there is.
fn large_map() -> Record {
    let cells = 128 * 128;
    let tiles: String = (0..cells)
        .map(|cell| {
            if cell == 0 {
                'F'
            } else if cell % 2 == 1 {
                '.'
            } else {
                '%'
            }
        })
        .collect();
    let options = format!("128x128:{tiles}:2,1000,0,0,0/300,1000,0,0,0:0-0:1");
    Record::new(GameKind::find("bandera").unwrap(), &options).unwrap()
}

#[test]
fn a_program_that_never_reads_keeps_nobody_waiting() {
    let process = Process::start(&sh("echo ready; exec sleep 1000")).unwrap();
    let id = process.id();
    let mut bot = Bot::new(process, Dialect::One);
    let rules = within(Duration::from_millis(100));
    let played = play(large_map(), rules, [&mut bot, &mut built_in("bandera", "random")]);
    assert_eq!(played.verdict.fault().map(|fault| fault.kind), Some(Timeout));
    assert_nothing_left(id);
}

#[test]
fn the_longest_positions_arrive() {
    let process = Process::start(&cpp("")).unwrap();
    let mut rules = ample();
    rules.cap = Some(20);
    let mut bot = Bot::new(process, Dialect::One);
    let played = play(large_map(), rules, [&mut bot, &mut built_in("bandera", "random")]);
    assert_eq!(played.verdict.reason, Reason::Capped, "{:?}", played.verdict);
}
