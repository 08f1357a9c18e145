//! Servers that are killed in the middle of a league: every game counts once.
//!
//! `PALESTRA_TEST_ALL=1 cargo test --release --workspace --test cli killed::` kills 100 times.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{panicking, sleep};
use std::time::{Duration, Instant};

use palestra_games::rng::Rng;
use palestra_store::{NewRun, Run, RunGame, RunKind, RunPlayer, RunState, Store, code};
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::runtime::Runtime;

const BOTS: usize = 12;
pub(crate) const GAMES: i64 = 132;

/// Longer than anything takes on a busy machine.
const WAIT_LIMIT: Duration = Duration::from_secs(60);

/// How many times a server is killed.
fn kills() -> u64 {
    if std::env::var_os("PALESTRA_TEST_ALL").is_some() { 100 } else { 5 }
}

/// A server that is killed if a test fails.
struct Served(Child);

impl Served {
    fn start(folder: &Path, database: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder).args(["--slots", "2"]);
        command.env("PALESTRA_DATABASE", database).env_remove("PALESTRA_LOG");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("http://"), "{line:?}");
        Self(child)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // SIGKILL: it can tidy up nothing.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A league of twelve built-in players; a game takes some milliseconds.
pub(crate) fn new_run(depth: u32) -> NewRun {
    let player = |number| RunPlayer {
        name: format!("bot{number}"),
        built_in: Some(format!("alphabeta:{depth}")),
        is_ranked: true,
        ..RunPlayer::default()
    };
    let rules = json!({
        "time": {"cpu": {"cpu": {"secs": 2, "nanos": 0}, "wall": {"secs": 60, "nanos": 0}}},
        "states": null, "depth": null, "retry": false, "cap": null,
        "startup": {"secs": 10, "nanos": 0}, "absence": {"secs": 60, "nanos": 0},
    });
    let settings = json!({
        "game": "mancala", "options": "-", "rules": rules, "seed": 7, "palestra": "0", "slots": 2, "cores": 2,
        "is_shared": false, "lacks": null, "states": null,
    });
    let plan = json!({"rounds": {"players": BOTS, "format": "roundrobin", "rounds": 1, "seed": 7}});
    NewRun {
        kind: RunKind::League,
        league_id: None,
        assignment_id: None,
        team_id: None,
        due_ms: 0,
        is_counted: false,
        is_final: false,
        plan: plan.to_string(),
        settings: settings.to_string(),
        reason: None,
        account_id: None,
        players: (0..BOTS).map(player).collect(),
        games: GAMES as u32,
        searches: vec![],
    }
}

/// Lets a league be played by servers that are killed again and again.
fn kill_in_a_league(database: &str, folder: &Path, kills: u64) {
    let runtime = Runtime::new().unwrap();
    let store = runtime.block_on(Store::open(database)).unwrap();
    // The more kills, the longer the games: so there is something to kill.
    let run = runtime.block_on(store.start_run(&new_run(if kills > 10 { 9 } else { 7 }), 1)).unwrap();
    let mut rng = Rng::new(kills);
    for kill in 1..=kills {
        let server = Served::start(folder, database);
        let played = await_games(&runtime, &store, &run, GAMES * kill as i64 / (kills as i64 + 1));
        sleep(Duration::from_millis(rng.below(40) as u64));
        drop(server);
        assert!(played < GAMES, "the league was over before kill {kill}");
    }
    let server = Served::start(folder, database);
    await_games(&runtime, &store, &run, GAMES);
    drop(server);
    check(&runtime, &store, &run);
    runtime.block_on(store.close());
}

/// Waits until this number of games count, and says how many do.
pub(crate) fn await_games(runtime: &Runtime, store: &Store, run: &Run, least: i64) -> i64 {
    let since = Instant::now();
    loop {
        let progress = runtime.block_on(store.run_progress(run.id)).unwrap();
        assert_eq!(progress.failed, 0, "a game was set aside");
        if progress.played >= least {
            return progress.played;
        }
        assert!(since.elapsed() < WAIT_LIMIT, "{progress:?} after {WAIT_LIMIT:?}");
        sleep(Duration::from_millis(2));
    }
}

/// Every pairing has exactly one result, and what belongs to it.
pub(crate) fn check(runtime: &Runtime, store: &Store, run: &Run) {
    let games = runtime.block_on(store.run_games(run.id)).unwrap();
    let mut results: HashMap<[i64; 2], Vec<&RunGame>> = HashMap::new();
    for game in &games {
        results.entry([game.player_1, game.player_2]).or_default().push(game);
        let kept = runtime.block_on(store.game(&game.game_code)).unwrap().unwrap();
        assert_eq!((kept.points, kept.winner), ([game.points_1, game.points_2], game.winner));
        assert!(runtime.block_on(store.trace(&game.game_code)).unwrap().is_some());
    }
    let bots = 0..BOTS as i64;
    for pair in bots.clone().flat_map(|one| bots.clone().map(move |two| [one, two])).filter(|[one, two]| one != two) {
        assert_eq!(results.get(&pair).map(Vec::len), Some(1), "{pair:?}");
    }
    assert_eq!((games.len() as i64, results.len() as i64), (GAMES, GAMES));
    assert_eq!(runtime.block_on(store.job_counts()).unwrap(), []);
    let run = runtime.block_on(store.run_by_id(run.id)).unwrap().unwrap();
    assert_eq!(run.state, RunState::Finished);
}

#[test]
fn on_sqlite_every_pairing_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    kill_in_a_league(&format!("sqlite:{}", data.join("palestra.db").display()), &data, kills());
}

/// A schema of its own for a test.
struct Schema(String);

impl Schema {
    fn server() -> String {
        let missing = "no PostgreSQL to test with: run ./test.sh, or set PALESTRA_TEST_POSTGRES to an address such as \
                       postgres://me@localhost/test";
        std::env::var("PALESTRA_TEST_POSTGRES").unwrap_or_else(|_| panic!("{missing}"))
    }

    fn create() -> Self {
        let name = format!("test_{}", code());
        admin(&format!("CREATE SCHEMA {name}")).unwrap();
        Self(name)
    }

    fn address(&self) -> String {
        let server = Self::server();
        let sign = if server.contains('?') { '&' } else { '?' };
        format!("{server}{sign}options[search_path]={}", self.0)
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        let dropped = admin(&format!("DROP SCHEMA {} CASCADE", self.0));
        // A second panic would end all tests.
        assert!(dropped.is_ok() || panicking(), "{dropped:?}");
    }
}

/// Runs SQL in the PostgreSQL for tests.
fn admin(sql: &str) -> Result<(), sqlx::Error> {
    let address = Schema::server();
    Runtime::new().unwrap().block_on(async {
        let mut connection = PgConnection::connect(&address).await?;
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.map(drop)
    })
}

#[test]
fn on_postgresql_every_pairing_counts_once() {
    let (folder, schema) = (tempfile::tempdir().unwrap(), Schema::create());
    kill_in_a_league(&schema.address(), folder.path(), kills());
}
