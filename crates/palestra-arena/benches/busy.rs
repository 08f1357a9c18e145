//! Games on a busy machine: bots that compute 60 % of their CPU time a move, beside programs that never rest.
//!
//! `cargo bench -p palestra-arena --bench busy [-- --games N --spinners N]` prints how the games ended under each rule. The bots and the
//! spinners are this program, started with `--bot` and `--spin`; a spinner ends with the benchmark, or after ten minutes.

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{BufRead, Write};
    use std::sync::atomic::AtomicBool;
    use std::thread;
    use std::time::{Duration, Instant};

    use palestra_arena::{Bot, GameToPlay, PlayedGame, RealTime, Referee, Rules, TimeControl};
    use palestra_games::{GameKind, Record, Side};
    use palestra_protocol::Dialect;
    use palestra_sandbox::{Launch, Process};
    use rustix::time::{ClockId, clock_gettime};

    /// CPU time a move; by the clock it is three times as much.
    const CPU: Duration = Duration::from_millis(200);

    /// What a bot uses of it.
    const WORK: Duration = Duration::from_millis(120);

    /// Games at a time.
    const AT_A_TIME: usize = 2;

    /// Moves of a game.
    const MOVES: u32 = 12;

    /// A spinner that is left over ends after this.
    const SPIN_TIME: Duration = Duration::from_secs(600);

    pub(super) fn main() {
        let (mut games, mut spinners, mut asked) = (4, 8, false);
        let mut args = std::env::args().skip(1);
        let number = |arg: Option<String>| arg.and_then(|arg| arg.parse().ok()).expect("a number is missing");
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--bot" => return bot(args.next().as_deref() == Some("threads")),
                "--spin" => return spin(Instant::now() + SPIN_TIME),
                "--bench" => asked = true,
                "--games" => games = number(args.next()),
                "--spinners" => spinners = number(args.next()),
                _ => {}
            }
        }
        // `cargo test --benches` runs this too, without the word.
        if !asked {
            return println!("run by cargo bench");
        }
        let cpus = thread::available_parallelism().map_or(0, usize::from);
        println!("{spinners} spinners, {cpus} CPUs, {AT_A_TIME} games at a time, {MOVES} moves a game");
        println!("{:<34}{:>6}{:>8}{:>10}{:>16}{:>16}", "", "games", "moves", "timeouts", "CPU a move", "wall a move");
        let _spinners: Vec<Process> = (0..spinners).map(|_| start(&["--spin"])).collect();
        table("CPU time", TimeControl::cpu(CPU), "plain", games);
        // So much CPU time that the clock alone stops them.
        let ample = TimeControl::Cpu { cpu: SPIN_TIME, wall: 3 * CPU };
        table("CPU time, two spinning threads", ample, "threads", games);
        table("strictly by the clock", TimeControl::Wall(3 * CPU), "plain", games);
    }

    /// Plays games and prints how they ended.
    fn table(name: &str, time: TimeControl, how: &str, games: usize) {
        let played: Vec<PlayedGame> = thread::scope(|scope| {
            let many = |count| move || (0..count).map(|_| play(time, how)).collect::<Vec<_>>();
            let share = |thread| games / AT_A_TIME + usize::from(thread < games % AT_A_TIME);
            let threads: Vec<_> = (0..AT_A_TIME).map(|thread| scope.spawn(many(share(thread)))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("games are played")).collect()
        });
        let faults: Vec<_> = played.iter().filter_map(|game| game.verdict.fault()).collect();
        let timeouts = faults.iter().filter(|fault| fault.kind.word() == "timeout").count();
        let notes = || played.iter().flat_map(|game| game.record.moves()).filter_map(|mv| mv.note.as_deref());
        let moves = notes().count();
        let mean = |word| match moves {
            0 => "-".to_owned(),
            _ => format!("{:.0} ms", notes().filter_map(|note| milliseconds(note, word)).sum::<f64>() / moves as f64),
        };
        let (cpu, wall) = (mean("cpu"), mean("wall"));
        println!("{name:<34}{:>6}{moves:>8}{timeouts:>10}{cpu:>16}{wall:>16}", played.len());
        if let Some(fault) = faults.first() {
            println!("    {}: {}", fault.kind, fault.detail);
        }
    }

    /// A number after a word in the note of a move.
    fn milliseconds(note: &str, word: &str) -> Option<f64> {
        let mut words = note.split(' ').skip_while(|it| *it != word);
        words.nth(1)?.parse().ok()
    }

    fn play(time: TimeControl, how: &str) -> PlayedGame {
        let record = Record::new(GameKind::find("mancala").expect("a game"), "-").expect("the usual start");
        let rules = Rules { time, cap: Some(MOVES), startup: Duration::from_secs(60), ..Rules::default() };
        let [mut one, mut two] = Side::BOTH.map(|_| Bot::new(start(&["--bot", how]), Dialect::One));
        let (clock, quit) = (RealTime::start(), AtomicBool::new(false));
        let seats: [&mut dyn palestra_arena::Seat; 2] = [&mut one, &mut two];
        let game = GameToPlay { referee: Referee::new(record, rules), seats, clock: &clock, quit: &quit };
        game.play(&mut |_, _| {}).expect("nobody quits")
    }

    fn start(args: &[&str]) -> Process {
        let program = std::env::current_exe().expect("this program").into();
        Process::start(&Launch { program, args: args.iter().map(Into::into).collect(), ..Launch::default() })
            .expect("this program can be started")
    }

    fn spin(until: Instant) {
        while Instant::now() < until {}
    }

    /// Works for each move, with two threads that both never stop if asked to.
    fn bot(has_threads: bool) {
        let mut first = String::new();
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            match line.split_once(' ').unwrap_or((&line, "")) {
                ("hello", _) => say("ready"),
                ("legal", moves) => moves.split(' ').next().unwrap_or_default().clone_into(&mut first),
                ("go", _) if has_threads => {
                    thread::spawn(|| spin(Instant::now() + SPIN_TIME));
                    spin(Instant::now() + SPIN_TIME);
                }
                ("go", _) => {
                    work();
                    say(&format!("move {first}"));
                }
                ("bye", _) => return,
                _ => {}
            }
        }
    }

    fn say(line: &str) {
        let _ = writeln!(std::io::stdout(), "{line}");
    }

    fn work() {
        let used = || Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default();
        let until = used() + WORK;
        while used() < until {}
    }
}

fn main() {
    #[cfg(target_os = "linux")]
    linux::main();
}
