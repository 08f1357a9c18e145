//! What comes through the pipes, and when.

use std::time::Duration;

use palestra_protocol::ForfeitKind::Crash;
use palestra_protocol::{Fault, Received, Transport};
use palestra_sandbox::Process;

use super::bots::{assert_nothing_left, launch, sh};

const LONG: Duration = Duration::from_secs(60);

#[test]
fn lines_come_before_the_news_that_the_program_ended() {
    let mut process = Process::start(&sh("echo one; echo two; printf three; exit 3")).unwrap();
    let mut line = String::new();
    for expected in ["one", "two"] {
        assert_eq!(process.receive(LONG, &mut line), Received::Line);
        assert_eq!(line, expected);
    }
    let gone = Received::Gone(Fault::new(Crash, "it ended with exit code 3"));
    assert_eq!(process.receive(LONG, &mut line), gone);
    assert_eq!(process.receive(Duration::ZERO, &mut line), gone, "it stays so");
    assert_eq!(process.unfinished(), "three");
}

#[test]
fn what_has_no_newline_is_no_line_but_is_known() {
    let mut process = Process::start(&sh("printf ready; exec sleep 1000")).unwrap();
    let mut line = String::new();
    while process.unfinished().is_empty() {
        assert_eq!(process.receive(Duration::from_millis(1), &mut line), Received::Quiet);
    }
    assert_eq!(process.unfinished(), "ready");
}

#[test]
fn what_was_not_flushed_was_not_said() {
    let script = "import sys\nprint('ready')\nsys.stderr.write('here')\nsys.stderr.flush()\nsys.stdin.read()";
    let mut process = Process::start(&launch(&["env", "-u", "PYTHONUNBUFFERED", "python3", "-c", script])).unwrap();
    let mut line = String::new();
    while process.stderr().is_empty() {
        assert_eq!(process.receive(Duration::from_millis(1), &mut line), Received::Quiet);
    }
    assert_eq!(
        (process.receive(Duration::from_millis(1), &mut line), process.unfinished()),
        (Received::Quiet, String::new())
    );
}

#[test]
fn what_does_not_fit_into_a_pipe_is_sent_while_waiting() {
    let mut process = Process::start(&sh("read -r first; head -c 999998 | tr -d '\\n' | wc -c")).unwrap();
    let mut line = String::new();
    process.send(&"x\n".repeat(500_000));
    assert_eq!(process.receive(LONG, &mut line), Received::Line);
    assert_eq!(line.trim(), "499999");
}

#[test]
fn whoever_never_reads_keeps_nobody_waiting() {
    let mut process = Process::start(&sh("exec sleep 1000")).unwrap();
    let mut line = String::new();
    for _ in 0..3 {
        process.send(&"x\n".repeat(500_000));
        assert_eq!(process.receive(Duration::from_millis(1), &mut line), Received::Quiet);
    }
    process.close();
    assert_nothing_left(process.id());
}

#[test]
fn cpu_time_can_be_read_until_the_end_and_after_it() {
    let mut process = Process::start(&sh("i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; exit 0")).unwrap();
    let mut line = String::new();
    assert!(matches!(process.receive(LONG, &mut line), Received::Gone(_)));
    let cpu = process.cpu().unwrap();
    assert!(cpu > Duration::from_millis(1), "{cpu:?}");
    process.close();
    assert!(process.cpu().unwrap() >= cpu);
    assert_nothing_left(process.id());
}

#[test]
fn a_program_runs_where_the_caller_is_unless_told_otherwise() {
    let mut line = String::new();
    let mut process = Process::start(&sh("pwd -P; echo $CARGO_MANIFEST_DIR")).unwrap();
    process.receive(LONG, &mut line);
    assert_eq!(std::path::Path::new(&line), std::env::current_dir().unwrap().canonicalize().unwrap());
    let elsewhere = palestra_sandbox::Launch { dir: Some("/".into()), ..sh("pwd -P") };
    Process::start(&elsewhere).unwrap().receive(LONG, &mut line);
    assert_eq!(line, "/");
}

#[test]
fn a_program_lives_on_when_the_thread_that_asked_for_it_ends() {
    let mut process = std::thread::spawn(|| Process::start(&sh("read word; echo $word")).unwrap()).join().unwrap();
    let mut line = String::new();
    process.send("alive\n");
    assert_eq!((process.receive(LONG, &mut line), line.as_str()), (Received::Line, "alive"));
}
