//! What the arena costs: a move through the referee and two pipes beside the same bytes through bare pipes, moves a
//! second with several games at once, and games a minute between built-in players.
//!
//! `cargo bench -p palestra-arena --bench referee [-- FILTER] [--runs N]` prints medians of N rounds, contestants in
//! turn. The programs that play are this one, started with `--bot`.

mod rounds;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use palestra_arena::{Bot, BuiltIn, GameEvent, GameToPlay, PlayedGame, RealTime, Referee, Rules, Seat, TimeControl};
use palestra_games::{GameKind, Record};
use palestra_protocol::{Dialect, Received, Transport};
use palestra_sandbox::{Launch, Process};
use palestra_search::player::any_player;
use rounds::{alternate, median, pin};

/// A part of the benchmark: gets the number of rounds.
type Group = fn(usize);

const GROUPS: &[(&str, Group)] =
    &[("a move through pipes", moves_through_pipes), ("programs at once", programs), ("built-in players", built_in)];

fn main() {
    let (mut filter, mut rounds, mut asked) = (String::new(), 9, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bot" => return bot(),
            "--bench" => asked = true,
            "--runs" => rounds = args.next().and_then(|arg| arg.parse().ok()).expect("a number is missing"),
            _ => filter = arg,
        }
    }
    // `cargo test --benches` runs this too, without the word.
    if !asked {
        return println!("run by cargo bench");
    }
    for (name, group) in GROUPS.iter().filter(|(name, _)| name.contains(&filter)) {
        println!("\n{name}");
        // In a thread of its own: it may stay on one CPU, and takes its programs with it.
        std::thread::scope(|scope| scope.spawn(|| group(rounds)).join().expect("the group runs"));
    }
}

/// A program that costs next to nothing.
fn bot() {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let (mut buffer, mut text, mut said) = ([0; 4096], String::new(), String::new());
    while let Ok(count @ 1..) = input.read(&mut buffer) {
        text.push_str(str::from_utf8(&buffer[..count]).expect("the referee writes text"));
        if !text.ends_with('\n') {
            continue;
        }
        if text.ends_with("bye\n") {
            return;
        }
        answer(&text, &mut said);
        let _ = output.write_all(said.as_bytes());
        said.clear();
        text.clear();
    }
}

/// What such a program says to what it is told: any legal move, the same each time, so that games are not too short.
fn answer(text: &str, said: &mut String) {
    let legal = text.split_once("position ").and_then(|(_, turn)| {
        let sum = turn.bytes().fold(0, |sum: usize, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        let mut moves = turn.split_once("\nlegal ")?.1.lines().next()?.split(' ');
        let count = moves.clone().count();
        moves.nth((sum >> 8) % count)
    });
    match legal {
        Some(mv) => said.extend(["move ", mv, "\n"]),
        None if text.starts_with("hello") => said.push_str("ready\n"),
        None => {}
    }
}

/// Overhead of the referee: equal bytes between the same programs through bare pipes and through the referee, on one
/// CPU.
fn moves_through_pipes(rounds: usize) {
    // A game is shorter than the time that a busy machine gives to another program: so the medians are of single games.
    const GAMES: usize = 30;
    pin(0);
    let talk = recorded_talk();
    let mut bare = || bare_game(&talk) / talk.len() as u32;
    let mut referee = || {
        let (time, moves) = timed_game(&mut process_bot(), &mut process_bot());
        time / moves
    };
    let mut alone = || {
        let (time, moves) = timed_game(&mut memory_bot(), &mut memory_bot());
        time / moves
    };
    println!("{:<44}{}", "moves of a game", talk.len());
    let times = alternate(rounds * GAMES, [&mut bare, &mut referee, &mut alone]).map(|time| time.as_secs_f64() * 1e6);
    println!("{:<44}{:.2} µs", "bare pipes, blocking", times[0]);
    println!("{:<44}{:.2} µs", "the referee, with clocks and a record", times[1]);
    println!("{:<44}{:.2} µs", "of that the referee, without pipes", times[2]);
    println!("{:<44}{:.2} times (goal <= 1.5)", "ratio", times[1] / times[0]);
}

/// Two games at once, two programs each; starting and ending them included. Once the system chooses where they run, and
/// once each game stays on a CPU of its own.
fn programs(rounds: usize) {
    for (name, is_pinned) in [("two games at once, each on its CPU", true), ("two games at once, anywhere", false)] {
        let rates = (0..rounds).map(|_| {
            two_threads(|thread| {
                if is_pinned {
                    pin(thread);
                }
                move || play(&mut process_bot(), &mut process_bot(), &mut |_, _| {}).record.moves().len() as u64
            })
        });
        report(name, "moves a second", 10_000, 1.0, rates);
    }
}

/// Games of Mancala between players who look four plies ahead, with the text of each record.
fn built_in(rounds: usize) {
    let player = || BuiltIn::new(any_player("mancala", "alphabeta:4:stores", 0).expect("built in"));
    let rates = (0..rounds).map(|_| {
        two_threads(|_| {
            let (mut one, mut two) = (player(), player());
            move || {
                let played = play(&mut one, &mut two, &mut |_, _| {});
                std::hint::black_box(played.record.to_string());
                1
            }
        })
    });
    report("alphabeta:4:stores, two threads", "games a minute", 300_000, 60.0, rates);
}

/// Lets two threads do for a second what returns a count. How much that makes in a second, and in a CPU second of both.
fn two_threads<W: FnMut() -> u64>(prepare: impl Fn(usize) -> W + Sync) -> [f64; 2] {
    let count = AtomicU64::new(0);
    let (begun, cpu) = (Instant::now(), cpu_with_children());
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (prepare, count) = (&prepare, &count);
            scope.spawn(move || {
                let mut work = prepare(thread);
                while begun.elapsed() < Duration::from_secs(1) {
                    count.fetch_add(work(), Ordering::Relaxed);
                }
            });
        }
    });
    let count = count.into_inner() as f64;
    [count / begun.elapsed().as_secs_f64(), count / (cpu_with_children() - cpu) * 2.0]
}

/// Medians of what was done, and of what it would be if the machine had nothing else to do: by CPU time.
fn report(name: &str, unit: &str, goal: u32, factor: f64, rates: impl Iterator<Item = [f64; 2]>) {
    let rates: Vec<[f64; 2]> = rates.collect();
    let [wall, cpu] =
        [0, 1].map(|index| median(&mut rates.iter().map(|rates| rates[index] * factor).collect::<Vec<_>>()));
    println!("{name:<44}{wall:.0} {unit} (goal >= {goal}); with the CPUs to itself {cpu:.0}");
}

/// CPU seconds of this process and of the children that it has reaped; counted in hundredths by the system.
fn cpu_with_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let words = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    words.skip(11).take(4).filter_map(|word| word.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn play(
    one: &mut dyn Seat,
    two: &mut dyn Seat,
    on_event: &mut dyn FnMut(&mut GameToPlay<'_>, GameEvent<'_>),
) -> PlayedGame {
    let record = Record::new(GameKind::find("mancala").expect("a game"), "-").expect("no options");
    let rules = Rules { time: TimeControl::cpu(Duration::from_secs(2)), ..Rules::default() };
    let (clock, quit) = (RealTime::start(), AtomicBool::new(false));
    let game = GameToPlay { referee: Referee::new(record, rules), seats: [one, two], clock: &clock, quit: &quit };
    let played = game.play(on_event).expect("nobody stops it");
    assert_eq!(played.verdict.fault(), None);
    played
}

fn launch() -> Launch {
    let program = std::env::current_exe().expect("this program").into();
    Launch { program, args: vec!["--bot".into()], dir: None, memory: Some(1 << 30) }
}

fn process_bot() -> Bot<Process> {
    Bot::new(Process::start(&launch()).expect("this program runs"), Dialect::One)
}

/// From the first move to the last, and how many moves that were.
fn timed_game(one: &mut dyn Seat, two: &mut dyn Seat) -> (Duration, u32) {
    let mut times = Vec::with_capacity(200);
    play(one, two, &mut |_, event| {
        if matches!(event, GameEvent::Moved(_)) {
            times.push(Instant::now());
        }
    });
    (times[times.len() - 1] - times[0], times.len() as u32 - 1)
}

/// What was said to whom before each of the moves of a game.
fn recorded_talk() -> Vec<(usize, String)> {
    let talk = Arc::new(Mutex::new(vec![]));
    let [one, two] = [0, 1].map(|side| {
        let process = Process::start(&launch()).expect("this program runs");
        Bot::new(Tap { process, side, talk: Arc::clone(&talk) }, Dialect::One)
    });
    let (mut one, mut two) = (one, two);
    play(&mut one, &mut two, &mut |_, _| {});
    let mut talk = std::mem::take(&mut *talk.lock().expect("nobody panicked"));
    talk.retain(|(_, text)| text.contains("\nlegal "));
    talk
}

/// The time for the same talk without an arena.
fn bare_game(talk: &[(usize, String)]) -> Duration {
    let mut bots = [(); 2].map(|()| Bare::start());
    let mut answer = String::new();
    let begun = Instant::now();
    for (side, text) in talk {
        bots[*side].say(text, &mut answer);
    }
    begun.elapsed()
}

/// A program behind two pipes, and nothing else.
struct Bare {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Bare {
    fn start() -> Self {
        let Launch { program, args, .. } = launch();
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("this program runs");
        let output = BufReader::new(child.stdout.take().expect("it has a pipe"));
        let mut bot = Self { child, output };
        bot.say("hello 1\n", &mut String::new());
        bot
    }

    fn say(&mut self, text: &str, answer: &mut String) {
        self.child.stdin.as_mut().expect("it has a pipe").write_all(text.as_bytes()).expect("it reads");
        answer.clear();
        self.output.read_line(answer).expect("it answers");
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The bot of this benchmark in the same process.
#[derive(Default)]
struct InMemory {
    said: String,
}

fn memory_bot() -> Bot<InMemory> {
    Bot::new(InMemory::default(), Dialect::One)
}

impl Transport for InMemory {
    fn send(&mut self, text: &str) {
        answer(text, &mut self.said);
    }

    fn receive(&mut self, _: Duration, line: &mut String) -> Received {
        if self.said.is_empty() {
            return Received::Quiet;
        }
        line.clear();
        line.push_str(self.said.trim_end());
        self.said.clear();
        Received::Line
    }
}

/// Remembers what is said.
struct Tap {
    process: Process,
    side: usize,
    talk: Arc<Mutex<Vec<(usize, String)>>>,
}

impl Transport for Tap {
    fn send(&mut self, text: &str) {
        self.talk.lock().expect("nobody panicked").push((self.side, text.to_owned()));
        self.process.send(text);
    }

    fn receive(&mut self, wait: Duration, line: &mut String) -> Received {
        self.process.receive(wait, line)
    }

    fn cpu(&mut self) -> Option<Duration> {
        self.process.cpu()
    }
}
