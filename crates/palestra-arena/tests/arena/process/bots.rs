//! The programs, and what it takes to let them play.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use palestra_arena::{
    Bot, BuiltIn, Entrant, EntrantError, Entrants, GameToPlay, PlayedGame, RealTime, Referee, Rules, Seat, TimeControl,
    Workshop,
};
use palestra_games::{GameKind, Record};
use palestra_protocol::{Dialect, Fault};
use palestra_sandbox::{Launch, Process};
use palestra_search::player::any_player;

/// Plays the first legal move.
pub(crate) const SH: &str = r#"
while read -r word rest; do
    case $word in
        hello) echo ready ;;
        legal) set -- $rest; mv=$1 ;;
        go) echo "move $mv" ;;
        bye) exit 0 ;;
    esac
done
"#;

pub(crate) const PYTHON: &str = r#"
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("id name Pitón", flush=True)
        print("ready", flush=True)
    elif word == "legal":
        mv = rest[-1]
    elif word == "go":
        print("info depth 1 text the last move", flush=True)
        print("move", mv, flush=True)
"#;

pub(crate) const PERL: &str = r#"
$| = 1;
while (<STDIN>) {
    my ($word, @rest) = split;
    print "ready\n" if $word eq "hello";
    @legal = @rest if $word eq "legal";
    print "move $legal[@legal / 2]\n" if $word eq "go";
}
"#;

/// A program of protocol 1 in C++ that can be told to misbehave at its first turn.
const CPP: &str = r#"
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <pthread.h>
#include <sstream>
#include <string>
#include <thread>
#include <vector>
using namespace std;

[[gnu::noinline]] int look_at(volatile int *where) { return *where; }

void misbehave(const string &how) {
    if (how == "segfault") exit(look_at(nullptr));
    if (how == "abort") abort();
    if (how == "memory") {
        vector<char *> held;
        for (;;) {
            char *block = static_cast<char *>(malloc(1 << 20));
            for (int i = 0; i < 1 << 20; i += 4096) block[i] = 1;
            held.push_back(block);
            if (held.size() > 2000) for (;;) this_thread::yield();
        }
    }
    if (how == "peak") {
        volatile char *block = static_cast<char *>(malloc(300 << 20));
        for (int i = 0; i < 300 << 20; i += 4096) block[i] = 1;
        free(const_cast<char *>(block));
    }
    if (how == "orphan") {
        static pthread_t first = pthread_self();
        thread([] { pthread_join(first, nullptr); misbehave("memory"); }).detach();
        pthread_exit(nullptr);
    }
    if (how == "stderr") for (int i = 0; i < 400000; ++i) cerr << "a line on stderr\n";
    if (how == "stdout") for (;;) cout << "info depth 1\n";
    if (how == "endless") for (;;) cout << "x";
    if (how == "work") {
        const clock_t until = clock() + 80 * (CLOCKS_PER_SEC / 1000);
        while (clock() < until) {}
    }
    if (how == "spin") {
        for (int i = 0; i < 2; ++i) thread([] { for (volatile long i = 0;; i = i + 1) {} }).detach();
        for (;;) this_thread::sleep_for(chrono::seconds(1));
    }
    if (how == "ponder") thread([] { for (volatile long i = 0;; i = i + 1) {} }).detach();
}

int main(int argc, char **argv) {
    string line, how = argc > 1 ? argv[1] : "";
    vector<string> legal;
    while (getline(cin, line)) {
        istringstream words(line);
        string word;
        words >> word;
        if (word == "hello") cout << "id name Cpp\nready" << endl;
        if (word == "legal") {
            legal.clear();
            while (words >> word) legal.push_back(word);
        } else if (word == "go") {
            misbehave(how);
            how = "";
            cout << "move " << legal.front() << endl;
        } else if (word == "bye") {
            quick_exit(0);
        }
    }
}
"#;

/// A program of the Mancala course, as students wrote them: it reads words, repeats its last answer when it knows
/// nothing better, and goes on for ever when its input ends.
const COURSE: &str = r#"
#include <iostream>
#include <string>
using namespace std;

int main() {
    string word, answer;
    int player = 0;
    while (true) {
        cin >> word;
        if (word == "PING") {
            answer = "PONG";
        } else if (word == "GETNAME") {
            answer = "Sembrador_7";
        } else if (word == "TIMEOUT") {
            long ms;
            cin >> ms;
        } else if (word == "SETPLAYER") {
            cin >> player;
            answer = "OK";
        } else if (word == "GETMOVE") {
            int count, theirs, turn, seeds[2][7];
            cin >> count;
            for (int i = 0; i < count; ++i) cin >> theirs;
            cin >> turn;
            for (int side = 0; side < 2; ++side)
                for (int pit = 0; pit < 7; ++pit) cin >> seeds[side][pit];
            answer = "7";
            for (int pit = 6; pit >= 1; --pit)
                if (turn == player && seeds[player][pit] > 0) answer = to_string(pit);
        } else if (word == "END") {
            cout << "OK" << endl;
            return 0;
        }
        cout << answer << endl;
    }
}
"#;

pub(crate) static CPP_BOT: LazyLock<PathBuf> = LazyLock::new(|| compile("bot", CPP));
pub(crate) static COURSE_BOT: LazyLock<PathBuf> = LazyLock::new(|| compile("sembrador", COURSE));

/// A folder of this test run: one of eight, so that two runs at a time rarely meet, and old ones make room.
pub(crate) fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("process-{}", std::process::id() % 8));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn compile(name: &str, source: &str) -> PathBuf {
    let (file, program) = (folder().join(format!("{name}.cpp")), folder().join(name));
    std::fs::write(&file, source).unwrap();
    let done = Command::new("g++").args(["-std=c++11", "-O1", "-pthread", "-o"]).arg(&program).arg(&file).output();
    let done = done.expect("g++ is installed");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    program
}

/// Makes a file that can be run. Another process writes it: while this one has it open for writing, a child that
/// another test starts has it open too for a moment, and then it cannot be run.
pub(crate) fn executable(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"rm -f "$1" && cat > "$1" && chmod 755 "$1""#, "sh"]).arg(&path).stdin(Stdio::piped());
    let mut shell = shell.spawn().unwrap();
    shell.stdin.take().unwrap().write_all(bytes).unwrap();
    assert!(shell.wait().unwrap().success());
    path
}

pub(crate) fn launch(words: &[&str]) -> Launch {
    let args = words[1..].iter().map(Into::into).collect();
    Launch { program: words[0].into(), args, dir: None, memory: None }
}

pub(crate) fn sh(script: &str) -> Launch {
    launch(&["sh", "-c", script])
}

pub(crate) fn cpp(how: &str) -> Launch {
    launch(&[CPP_BOT.to_str().unwrap(), how])
}

pub(crate) fn find(game: &str, text: &str) -> Result<Entrant, EntrantError> {
    Entrant::find(game, text, &mut Workshop::new(folder().join("programs"), &mut |_| ()))
}

pub(crate) fn find_all(texts: &[&str]) -> Result<Entrants, EntrantError> {
    Entrants::find("mancala", texts, &mut Workshop::new(folder().join("programs"), &mut |_| ()))
}

/// So much wall time a move, and nothing else.
pub(crate) fn within(wall: Duration) -> Rules {
    Rules { time: TimeControl::Wall(wall), startup: Duration::from_secs(60), ..Rules::default() }
}

/// More time than anybody needs, even on a busy machine.
pub(crate) fn ample() -> Rules {
    within(Duration::from_secs(60))
}

pub(crate) fn record(game: &str) -> Record {
    Record::new(GameKind::find(game).unwrap(), "-").unwrap()
}

pub(crate) fn play(record: Record, rules: Rules, seats: [&mut dyn Seat; 2]) -> PlayedGame {
    let (clock, quit) = (RealTime::start(), AtomicBool::new(false));
    let [one, two] = seats;
    let game = GameToPlay { referee: Referee::new(record, rules), seats: [one, two], clock: &clock, quit: &quit };
    game.play(&mut |_, _| {}).unwrap()
}

pub(crate) fn built_in(game: &str, name: &str) -> BuiltIn {
    BuiltIn::new(any_player(game, name, 1).unwrap())
}

/// A program plays side 1 against `greedy`, and nothing of it is left afterwards.
pub(crate) fn play_one(game: &str, launch: &Launch, rules: Rules) -> PlayedGame {
    let process = Process::start(launch).unwrap();
    let id = process.id();
    let played = play(record(game), rules, [&mut Bot::new(process, Dialect::One), &mut built_in(game, "greedy")]);
    assert_nothing_left(id);
    played
}

/// What the program did wrong.
#[track_caller]
pub(crate) fn fault_of(launch: &Launch, rules: Rules) -> Fault {
    let played = play_one("mancala", launch, rules);
    let fault = played.verdict.fault().unwrap_or_else(|| panic!("{:?}", played.verdict));
    assert_eq!(played.verdict.points, [0, 48], "it was its own fault");
    fault.clone()
}

/// No process of the group lives, and none waits for us to hear of its end. Children of the program that were killed
/// with it may need a moment.
#[track_caller]
pub(crate) fn assert_nothing_left(group: u32) {
    let begun = Instant::now();
    loop {
        let left: Vec<String> = processes().filter(|stat| is_left(stat, group)).collect();
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "left of group {group}: {left:?}");
        std::thread::yield_now();
    }
}

fn processes() -> impl Iterator<Item = String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok())
}

/// The end of a line of `stat`, after the name of the program: state, parent, group.
fn is_left(stat: &str, group: u32) -> bool {
    let words: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let is_ours = words[1] == std::process::id().to_string();
    words[2] == group.to_string() && (is_ours || words[0] != "Z")
}

/// The state of a process or a thread in its `stat`, as one letter.
pub(crate) fn state_in(stat: &str) -> char {
    stat.rsplit(')').next().unwrap().trim().chars().next().unwrap()
}
