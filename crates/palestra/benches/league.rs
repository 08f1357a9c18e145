//! How busy a league keeps its slots: `cargo bench -p palestra --bench league`.
//!
//! A server plays a league of 20 programs in boxes, which compute 0.18 of the 0.2 s of CPU time that a move may cost. What counts
//! is how many of the slots have a game, sampled every 50 ms, and how much CPU time the programs had.
//!
//! `--seconds N` measures for so long (60), `--slots N` sets the slots (the number of cores).

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use palestra_store::{
    Added, Built, House, NewAccount, NewBot, NewRun, NewVersion, Quotas, Registered, Role, Run, RunKind, RunPlayer,
    Store, VersionState,
};
use serde_json::json;
use tokio::runtime::Runtime;

const BOTS: usize = 20;
const GAMES: u32 = 380;

/// Plays the first legal move after 0.18 s of CPU time.
const BOT: &str = r#"
#include <ctime>
#include "palestra.hpp"

using Game = palestra::Mancala;

static double cpu() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

int main() {
    return palestra::run<Game>("Steady", [](const Game&, const palestra::Turn<Game>& turn) {
        for (double until = cpu() + 0.18; cpu() < until;) {}
        return turn.legal[0];
    });
}
"#;

/// A server, which is ended with this value.
struct Served(Child);

impl Served {
    fn start(folder: &Path, slots: usize) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--slots", &slots.to_string(), "--data"]).arg(folder);
        command.env_remove("PALESTRA_DATABASE").env("PALESTRA_LOG", "error");
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the server");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
        Self(child)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn main() {
    let option = |name: &str| {
        let value = std::env::args().skip_while(|word| word != name).nth(1);
        value.map(|value| value.parse::<usize>().unwrap_or_else(|_| panic!("{name} is followed by a number")))
    };
    let slots = option("--slots").unwrap_or_else(|| available_parallelism().map_or(1, std::num::NonZero::get));
    let seconds = option("--seconds").unwrap_or(60);
    let (folder, runtime) = (tempfile::tempdir().expect("a folder"), Runtime::new().expect("a runtime"));
    let store = runtime.block_on(Store::open_file(&folder.path().join("palestra.db"))).expect("a database");
    let run = runtime.block_on(start_league(&store));
    let server = Served::start(folder.path(), slots);
    measure(&runtime, &store, &run, slots, Duration::from_secs(seconds as u64));
    drop(server);
}

/// Registers the bots, whose only version is ready, and starts a run.
async fn start_league(store: &Store) -> Run {
    let teacher = NewAccount {
        nickname: "teacher".to_owned(),
        name: "Teacher".to_owned(),
        email: "teacher@example.org".to_owned(),
        password: String::new(),
        role: Role::Teacher,
    };
    let account = store.create_account(&teacher, 1).await.expect("an account");
    let mut players = vec![];
    for number in 0..BOTS {
        players.push(player(store, account, &format!("Steady{number}")).await);
    }
    store.start_run(&new_run(players), 1).await.expect("a run")
}

async fn player(store: &Store, account: i64, name: &str) -> RunPlayer {
    let new = NewBot { name, game: "mancala", language: "cpp", account, course: None, house: House::No };
    let Ok(Registered::Bot(bot)) = store.register_bot(&new, 100, 1).await else { panic!("{name} is not registered") };
    let files = [("steady.cpp".to_owned(), BOT.as_bytes().to_vec())];
    let new = NewVersion { bot, account, note: "", files: &files };
    let quotas = Quotas { builds: 100, ..Quotas::default() };
    let Ok(Added::Version { id, number }) = store.add_version(&new, &quotas, 1).await else { panic!("no version") };
    let built = Built { state: VersionState::Ready, report: "", compiler: None, flags: None };
    store.end_build(id, &built).await.expect("it is ready");
    let version = store.version_by_id(id).await.expect("a database").expect("the version");
    RunPlayer {
        name: name.to_owned(),
        bot_id: Some(bot),
        version_id: Some(id),
        version: Some(number),
        source_hash: Some(version.source_hash),
        is_ranked: true,
        ..RunPlayer::default()
    }
}

fn new_run(players: Vec<RunPlayer>) -> NewRun {
    let rules = json!({
        "time": {"cpu": {"cpu": {"secs": 0, "nanos": 200_000_000}, "wall": {"secs": 0, "nanos": 600_000_000}}},
        "states": null, "depth": null, "retry": false, "cap": null,
        "startup": {"secs": 10, "nanos": 0}, "absence": {"secs": 60, "nanos": 0},
    });
    let settings = json!({
        "game": "mancala", "options": "-", "rules": rules, "seed": 7, "palestra": "0", "slots": 1, "cores": 1,
        "is_shared": false, "lacks": null, "states": null,
    });
    NewRun {
        kind: RunKind::League,
        league_id: None,
        assignment_id: None,
        team_id: None,
        due_ms: 0,
        is_counted: false,
        is_final: false,
        plan: json!({"rounds": {"players": BOTS, "format": "roundrobin", "rounds": 1, "seed": 7}}).to_string(),
        settings: settings.to_string(),
        reason: None,
        account_id: None,
        players,
        games: GAMES,
        searches: vec![],
    }
}

/// Samples the slots from the first finished game on: by then the program is built.
fn measure(runtime: &Runtime, store: &Store, run: &Run, slots: usize, time: Duration) {
    let progress = || runtime.block_on(store.run_progress(run.id)).expect("the database");
    while progress().played == 0 {
        assert_eq!(progress().failed, 0, "{:?}", runtime.block_on(store.failed_jobs(3)));
        sleep(Duration::from_millis(50));
    }
    let (begun, begun_ms) = (Instant::now(), now_ms());
    let (mut samples, mut busy) = (0_u32, 0);
    while begun.elapsed() < time && progress().left > slots as i64 {
        busy += progress().playing;
        samples += 1;
        sleep(Duration::from_millis(50));
    }
    let elapsed = begun.elapsed().as_secs_f64();
    let games = runtime.block_on(store.run_games(run.id)).expect("the games");
    let forfeits = games.iter().filter(|game| game.forfeit.is_some()).count();
    // About as much of games that began before the window is counted as is missing of games that end after it.
    let in_window = games.iter().filter(|game| game.ended_ms > begun_ms);
    let cpu: i64 = in_window.map(|game| game.charged_1_us + game.charged_2_us).sum();
    let moves: i64 = games.iter().map(|game| game.plies).sum();
    println!("| slots | seconds | games | moves | forfeits | slots with a game | CPU time of the programs |");
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    println!(
        "| {slots} | {elapsed:.0} | {} | {moves} | {forfeits} | {:.1} % | {:.1} % of the slots |",
        games.len(),
        100.0 * busy as f64 / (f64::from(samples) * slots as f64),
        100.0 * cpu as f64 / 1e6 / (elapsed * slots as f64),
    );
}

fn now_ms() -> i64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970");
    passed.as_millis() as i64
}
