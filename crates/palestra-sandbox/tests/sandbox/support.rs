//! What the tests share: one sandbox, attackers, and games of them.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{env, fs};

use palestra_arena::{Bot, BuiltIn, GameToPlay, PlayedGame, RealTime, Referee, Rules, Seat, TimeControl};
use palestra_games::{GameKind, Record, Side};
use palestra_protocol::{Dialect, ForfeitKind};
use palestra_sandbox::{Allowance, Helper, Launch, Process, Sandbox};
use palestra_search::any_player;

/// A folder of this run of the tests, for what is compiled and for secrets.
pub(crate) static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let carried = env::var_os("PALESTRA_BOX").map(|_| env::temp_dir());
    let place = carried.unwrap_or_else(|| env!("CARGO_TARGET_TMPDIR").into());
    let folder = place.join("attacks");
    fs::create_dir_all(&folder).expect("a folder");
    folder
});

/// The helper is beside the tests, unless they were carried elsewhere.
pub(crate) fn helper() -> Helper {
    let helper = env::var_os("PALESTRA_BOX").map(PathBuf::from);
    Helper::at(helper.unwrap_or_else(|| env!("CARGO_BIN_EXE_palestra-box").into()))
}

/// The sandbox of all tests.
pub(crate) fn sandbox() -> &'static Sandbox {
    static SANDBOX: LazyLock<Sandbox> = LazyLock::new(new_sandbox);
    &SANDBOX
}

/// A sandbox of its own.
pub(crate) fn new_sandbox() -> Sandbox {
    Sandbox::new(helper()).expect("a sandbox")
}

/// A program that knows some attacks: the first word says which, the others what it needs to know.
pub(crate) struct Attacker {
    /// What it is called.
    pub(crate) name: &'static str,
    /// Its source.
    pub(crate) source: &'static str,
}

/// More time than any attacker needs that answers at all, however busy the machine is.
pub(crate) fn rules() -> Rules {
    let time = TimeControl::Cpu { cpu: Duration::from_secs(5), wall: Duration::from_secs(30) };
    Rules { time, startup: Duration::from_secs(60), ..Rules::default() }
}

/// Held by tests that measure the memory of this process, and by those that need much of it: one at a time.
pub(crate) fn hold_memory() -> MutexGuard<'static, ()> {
    static MEMORY: Mutex<()> = Mutex::new(());
    MEMORY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Attacker {
    /// The program, compiled once.
    pub(crate) fn program(&self) -> PathBuf {
        static BUILT: Mutex<BTreeMap<&str, PathBuf>> = Mutex::new(BTreeMap::new());
        let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        built.entry(self.name).or_insert_with(|| compile(self)).clone()
    }

    /// In a box, started.
    pub(crate) fn start(&self, words: &[&str]) -> Process {
        let program = fs::read(self.program()).expect("the program");
        let command = [&["/bot/attacker"], words].concat();
        let boxed = sandbox().pack(&[("attacker", &program)], &command).expect("packed");
        sandbox().start(&boxed, Allowance::default()).expect("a box")
    }

    /// Without a box, started.
    pub(crate) fn start_bare(&self, words: &[&str]) -> Process {
        let args = words.iter().map(Into::into).collect();
        Process::start(&Launch { program: self.program().into(), args, ..Launch::default() }).expect("started")
    }

    /// Plays a game in a box.
    pub(crate) fn play(&self, words: &[&str]) -> PlayedAttack {
        play(self.start(words), rules())
    }

    /// Plays a game without a box.
    pub(crate) fn play_bare(&self, words: &[&str]) -> PlayedAttack {
        play(self.start_bare(words), rules())
    }
}

/// What came of it.
pub(crate) struct PlayedAttack {
    pub(crate) game: PlayedGame,
    /// What the attacker wrote on stderr.
    pub(crate) stderr: String,
}

/// Lets a program play Mancala as side 1 against a greedy player.
pub(crate) fn play(attacker: Process, rules: Rules) -> PlayedAttack {
    let mut other = BuiltIn::new(any_player("mancala", "greedy", 1).expect("a built-in player"));
    let game = play_game([&mut Bot::new(attacker, Dialect::One), &mut other], rules);
    let stderr = game.stderr[Side::One.index()].clone();
    PlayedAttack { game, stderr }
}

/// Lets two programs play each other.
pub(crate) fn play_both(attackers: [Process; 2]) -> PlayedGame {
    let [mut one, mut two] = attackers.map(|attacker| Bot::new(attacker, Dialect::One));
    play_game([&mut one, &mut two], rules())
}

/// Plays a game of Mancala.
pub(crate) fn play_game([one, two]: [&mut dyn Seat; 2], rules: Rules) -> PlayedGame {
    let record = Record::new(GameKind::find("mancala").expect("a game"), "-").expect("the default options");
    let (clock, quit) = (RealTime::start(), AtomicBool::new(false));
    let seats: [&mut dyn Seat; 2] = [&mut *one, &mut *two];
    let game = GameToPlay { referee: Referee::new(record, rules), seats, clock: &clock, quit: &quit };
    game.play(&mut |_, _| ()).expect("nobody quits")
}

/// The fault by which the attacker lost; none if it played to the end.
pub(crate) fn ends(attack: &PlayedAttack) -> Option<ForfeitKind> {
    let verdict = &attack.game.verdict;
    let fault = verdict.fault();
    assert!(fault.is_none() || verdict.winner == Some(Side::Two), "the other lost: {verdict:?}");
    fault.map(|fault| fault.kind)
}

/// A number that no other test has.
pub(crate) fn unique() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    (u64::from(std::process::id()) << 20) + NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Compiles an attacker, unless an earlier run did. Another run may be at it: the program appears as a whole.
fn compile(attacker: &Attacker) -> PathBuf {
    const HEADER: &str = include_str!("attacks/attack.hpp");
    let mut content = DefaultHasher::new();
    (HEADER, attacker.source).hash(&mut content);
    let program = FOLDER.join(format!("{}-{:x}", attacker.name, content.finish()));
    if program.exists() {
        return program;
    }
    let workshop = FOLDER.join(format!("workshop-{}", unique()));
    fs::create_dir(&workshop).expect("a folder");
    fs::write(workshop.join("attack.hpp"), HEADER).expect("the header");
    fs::write(workshop.join("attacker.cpp"), attacker.source).expect("the source");
    let mut compiler = Command::new("g++");
    compiler.args(["-std=c++17", "-O1", "-pthread", "-w", "-o", "attacker", "attacker.cpp"]).current_dir(&workshop);
    assert!(compiler.status().expect("g++").success(), "{} does not compile", attacker.name);
    fs::rename(workshop.join("attacker"), &program).expect("the program in its place");
    fs::remove_dir_all(workshop).expect("the folder removed");
    program
}
