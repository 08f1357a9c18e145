//! What a box costs: until the first reply of a program, for every question and answer, and for freezing in between.
//!
//! `cargo bench -p palestra-arena --bench sandbox [-- --runs N]` prints medians of N rounds, contestants in turn, all
//! on one CPU. The program in the box is this one, started with `--bot`.

#[cfg(target_os = "linux")]
mod rounds;

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("boxes need Linux");
}

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    linux::main()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{Read, Write};
    use std::process::{Child, Command, ExitCode, Stdio};
    use std::time::{Duration, Instant};

    use palestra_protocol::{Received, Transport};
    use palestra_sandbox::{Allowance, Boxed, HELPER_WORD, Helper, Launch, Process, Sandbox, helper_main};

    use crate::rounds::{alternate, pin};

    /// Questions and answers of a round, so that the clock costs nothing.
    const TALK: u32 = 100;

    pub(super) fn main() -> ExitCode {
        if std::env::args().nth(1).is_some_and(|word| word == HELPER_WORD) {
            return helper_main();
        }
        run();
        ExitCode::SUCCESS
    }

    fn run() {
        let (mut rounds, mut asked) = (200, false);
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--bot" => return bot(),
                "--bench" => asked = true,
                "--runs" => rounds = args.next().and_then(|arg| arg.parse().ok()).expect("a number is missing"),
                _ => {}
            }
        }
        // `cargo test --benches` runs this too, without the word.
        if !asked {
            return println!("run by cargo bench");
        }
        pin(0);
        let sandbox = Sandbox::new(Helper::this_program().expect("this program")).expect("a sandbox");
        let boxed = pack(&sandbox);
        let freezer = if sandbox.cgroups().freeze { "control groups" } else { "signals" };
        println!("{:<44}{freezer}", "programs are frozen by");
        starting(rounds, &sandbox, &boxed);
        talking(rounds, &sandbox, &boxed);
    }

    /// Starts the benchmark program itself in a box. Starting one takes the longer the more memory this process holds,
    /// so it is not kept.
    fn pack(sandbox: &Sandbox) -> Boxed {
        let program = std::fs::read(this_program()).expect("this program");
        sandbox.pack(&[("bot", &program)], &["/bot/bot", "--bot"]).expect("packed")
    }

    /// Answers every line with a line.
    fn bot() {
        let (mut input, mut output, mut buffer) = (std::io::stdin(), std::io::stdout(), [0; 64]);
        while input.read(&mut buffer).is_ok_and(|count| count > 0) {
            let _ = output.write_all(b"ready\n").and_then(|()| output.flush());
        }
    }

    fn starting(rounds: usize, sandbox: &Sandbox, boxed: &Boxed) {
        let launch = Launch { program: this_program().into(), args: vec!["--bot".into()], ..Launch::default() };
        let mut bare = || first_reply(|| Process::start(&launch).expect("started"));
        let mut in_box = || first_reply(|| sandbox.start(boxed, Allowance::default()).expect("a box"));
        let [bare, in_box] = alternate(rounds, [&mut bare, &mut in_box]).map(|time| time.as_secs_f64() * 1e3);
        println!("{:<44}{bare:.2} ms", "first reply of a bare program");
        println!("{:<44}{in_box:.2} ms (goal <= 6)", "first reply in a box");
    }

    /// From the start until the program has answered; ending it is not counted.
    fn first_reply(start: impl FnOnce() -> Process) -> Duration {
        let begun = Instant::now();
        let mut process = start();
        ask(&mut process);
        begun.elapsed()
    }

    fn talking(rounds: usize, sandbox: &Sandbox, boxed: &Boxed) {
        let launch = Launch { program: this_program().into(), args: vec!["--bot".into()], ..Launch::default() };
        let (mut pipes, mut plain) = (pipes(), Process::start(&launch).expect("started"));
        let mut in_box = sandbox.start(boxed, Allowance::default()).expect("a box");
        let mut freezing = sandbox.start(boxed, Allowance::default()).expect("a box");
        let mut over_pipes = || each(|| ask_bare(&mut pipes));
        let mut with_process = || each(|| ask(&mut plain));
        let mut with_box = || each(|| ask(&mut in_box));
        let mut with_freezing = || {
            each(|| {
                freezing.wake();
                ask(&mut freezing);
                freezing.pause();
            })
        };
        let contestants: [&mut dyn FnMut() -> Duration; 4] =
            [&mut over_pipes, &mut with_process, &mut with_box, &mut with_freezing];
        let [pipes, plain, boxed, frozen] = alternate(rounds, contestants).map(|time| time.as_secs_f64() * 1e6);
        println!("{:<44}{pipes:.2} µs", "question and answer, bare pipes");
        println!("{:<44}{plain:.2} µs", "the arena's process");
        println!("{:<44}{boxed:.2} µs: {:.2} times bare pipes (goal <= 1.6)", "in a box", boxed / pipes);
        println!("{:<44}{frozen:.2} µs: {:.2} µs more (goal <= 25)", "in a box, frozen in between", frozen - boxed);
    }

    fn each(mut ask: impl FnMut()) -> Duration {
        let begun = Instant::now();
        (0..TALK).for_each(|_| ask());
        begun.elapsed() / TALK
    }

    fn ask(process: &mut Process) {
        let mut line = String::new();
        process.send("hello\n");
        let received = process.receive(Duration::from_secs(10), &mut line);
        assert_eq!(received, Received::Line, "{}", process.stderr());
    }

    /// Pipes and nothing else.
    fn pipes() -> Child {
        let mut command = Command::new(this_program());
        command.arg("--bot").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("started")
    }

    fn ask_bare(child: &mut Child) {
        let (Some(input), Some(output)) = (&mut child.stdin, &mut child.stdout) else { return };
        let mut buffer = [0; 64];
        input.write_all(b"hello\n").expect("it listens");
        assert_eq!(output.read(&mut buffer).ok(), Some(6), "it answers");
    }

    fn this_program() -> std::path::PathBuf {
        std::env::current_exe().expect("a program knows where it is")
    }
}
