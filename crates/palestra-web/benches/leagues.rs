//! A league of 120 bots: its games planned, played, stored, ranked and shown. `cargo bench -p palestra-web --bench leagues`,
//! `-- --bots N --runs N`.
//!
//! The bots are `random`, so that the time is that of the server and not of the bots. The server plays the last run; the
//! results of those before are put into the store. Then a teacher opens every page, first after a restart, then again.

use std::time::{Duration, Instant};

use palestra_arena::{Rules, TimeControl};
use palestra_store::{
    FinishedGame, NewCourse, NewGame, NewLeague, NewRun, Player, PlayerKind, RunKind, RunPlayer, RunState, Store,
    TimeRule, Trace, code,
};
use palestra_tournament::{Format, Plan};
use palestra_web::{Config, NewAdmin, Server, create_admin};
use reqwest::Client;
use serde_json::json;

const PASSWORD: &str = "a long enough password";

/// How often a page is opened.
const TRIES: usize = 15;

fn main() {
    let number = |name: &str, usual: usize| {
        let mut words = std::env::args().skip_while(|word| word != name);
        words.nth(1).and_then(|word| word.parse().ok()).unwrap_or(usual)
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure(number("--bots", 120), number("--runs", 8)));
}

fn row(what: &str, value: impl std::fmt::Display) {
    println!("| {what} | {value} |");
}

fn ms(time: Duration) -> String {
    format!("{:.0} ms", time.as_secs_f64() * 1e3)
}

async fn measure(bots: usize, runs: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let listen = "127.0.0.1:0".parse().expect("an address");
    let config = Config { listen, data: folder.path().join("data"), ..Config::default() };
    let new = NewAdmin {
        name: "Root".into(),
        nickname: "root".into(),
        email: "root@example.org".into(),
        password: PASSWORD.into(),
    };
    create_admin(&config, new).await.expect("an admin");
    let store = Store::open_file(&config.data.join("palestra.db")).await.expect("a store");
    let (league, code) = league(&store).await;
    let plan = Plan::new(bots, Format::RoundRobin, 1, 0).expect("a plan");
    println!("| {bots} bots, {} games a run, {runs} runs | |\n|---|---|", plan.games());

    for number in 1..runs {
        let begun = Instant::now();
        let run = store.start_run(&new_run(league, number as i64, &plan), number as i64).await.expect("a run");
        let planned = begun.elapsed();
        let begun = Instant::now();
        for pairing in plan.open(&[]) {
            // Games that end in the same millisecond could get the same id, those of different runs too.
            let ended_ms = number as i64 * 100_000 + i64::from(pairing.number);
            let finished = finished(run.id, (pairing.number, ended_ms), pairing.players);
            store.finish_game(&finished).await.expect("a game");
        }
        if number == 1 {
            row("planned: a run with its jobs", ms(planned));
            row(
                "stored: a game with its record",
                format!("{:.2} ms", begun.elapsed().as_secs_f64() * 1e3 / f64::from(plan.games())),
            );
        }
    }

    let server = Server::start(config.clone()).await.expect("the server starts");
    let begun = Instant::now();
    let run = store.start_run(&new_run(league, runs as i64, &plan), runs as i64).await.expect("a run");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let address = format!("http://{}", server.address());
    let running = tokio::spawn(server.run(async { drop(stopped.await) }));
    let client = sign_in(&address).await;
    let pages = pages(&code, runs);
    let mut meanwhile = vec![];
    loop {
        let progress = store.run_progress(run.id).await.expect("progress");
        if store.run_by_id(run.id).await.expect("a run").is_some_and(|run| run.state == RunState::Finished) {
            break;
        }
        if meanwhile.is_empty() && progress.played * 2 > progress.played + progress.left {
            for (_, path) in &pages {
                meanwhile.push(open(&client, &address, path).await.0);
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    row(
        "played by `random`: games a second",
        format!("{:.0}", f64::from(plan.games()) / begun.elapsed().as_secs_f64()),
    );
    drop(stop);
    let _ = running.await;
    row("read: the games of a run", ms(read_games(&store, run.id).await));

    let server = Server::start(config).await.expect("the server starts");
    let address = format!("http://{}", server.address());
    let running = tokio::spawn(server.run(std::future::pending()));
    println!("\n| page | while a run is played | after a restart | median | worst | size |\n|---|---|---|---|---|---|");
    for ((name, path), meanwhile) in pages.iter().zip(meanwhile) {
        let first = open(&client, &address, path).await;
        let mut times = vec![];
        for _ in 0..TRIES {
            times.push(open(&client, &address, path).await.0);
        }
        times.sort_unstable();
        let (median, worst) = (times[TRIES / 2], times[TRIES - 1]);
        let meanwhile = ms(meanwhile);
        println!("| {name} | {meanwhile} | {} | {} | {} | {} KB |", ms(first.0), ms(median), ms(worst), first.1 / 1000);
    }
    running.abort();
    store.close().await;
}

/// The time in which the games of a run are read, in the median.
async fn read_games(store: &Store, run: i64) -> Duration {
    let mut times = vec![];
    for _ in 0..TRIES {
        let begun = Instant::now();
        std::hint::black_box(store.counted_games(run).await.expect("games"));
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    times[TRIES / 2]
}

/// The pages of a league.
fn pages(code: &str, runs: usize) -> Vec<(&'static str, String)> {
    vec![
        ("all leagues", "/leagues".to_owned()),
        ("the league", format!("/leagues/{code}")),
        ("its last run", format!("/leagues/{code}/runs/{runs}")),
        ("under other tie-breaks", format!("/leagues/{code}/runs/{runs}?order=points,wins,timeouts,difference")),
        ("an earlier run", format!("/leagues/{code}/runs/1")),
        ("games of a run", format!("/leagues/{code}/runs/{runs}/games")),
        ("games of a bot", format!("/leagues/{code}/runs/{runs}/games?of=7")),
        ("games of a pair", format!("/leagues/{code}/runs/{runs}/games?of=7&with=8")),
        ("its form", format!("/leagues/{code}/edit")),
    ]
}

/// Opens a page: the time until all of it is there, and its size as it is sent.
async fn open(client: &Client, address: &str, path: &str) -> (Duration, usize) {
    let begun = Instant::now();
    let answer =
        client.get(format!("{address}{path}")).header("accept-encoding", "gzip").send().await.expect("an answer");
    assert!(answer.status().is_success(), "{path}: {}", answer.status());
    let size = answer.bytes().await.expect("a page").len();
    (begun.elapsed(), size)
}

async fn sign_in(address: &str) -> Client {
    let client = Client::builder().cookie_store(true).build().expect("a client");
    let page = client.get(format!("{address}/sign-in")).send().await.expect("a page").text().await.expect("a text");
    let (_, rest) = page.split_once("name=\"csrf\" value=\"").expect("a form");
    let csrf = rest.split_once('"').expect("a value").0;
    let fields = [("email", "root@example.org"), ("password", PASSWORD), ("csrf", csrf)];
    let answer = client.post(format!("{address}/sign-in")).form(&fields).send().await.expect("an answer");
    assert!(answer.status().is_success(), "{}", answer.status());
    client
}

async fn league(store: &Store) -> (i64, String) {
    let root = store.account_by_nickname("root").await.expect("a store").expect("an admin").id;
    let course = NewCourse {
        name: "AI".into(),
        year: "2026".into(),
        game: "mancala".into(),
        options: "-".into(),
        time_rule: TimeRule::Cpu(2000),
        domains: String::new(),
        time_zone: "Europe/Madrid".into(),
        ends_ms: i64::MAX / 2,
        keeps_fingerprints: false,
    };
    let course = store.create_course(root, &course, 1).await.expect("a course");
    let course = store.course(&course).await.expect("a store").expect("a course").id;
    let new = NewLeague {
        group_id: None,
        name: "Main".into(),
        schedule: "{}".into(),
        ranking: "points,timeouts,charged,difference,scored".into(),
        move_ms: 2000,
        rounds: 1,
        is_published: false,
        hidden_from_ms: None,
        is_open: false,
        due_ms: None,
        guests: vec![],
    };
    let code = store.create_league(course, &new, 1).await.expect("a league");
    (store.league(&code).await.expect("a store").expect("a league").id, code)
}

fn new_run(league: i64, due_ms: i64, plan: &Plan) -> NewRun {
    let player = |number: usize| RunPlayer {
        name: format!("Bot{number}"),
        built_in: Some("random".to_owned()),
        is_ranked: true,
        ..RunPlayer::default()
    };
    let rules = Rules { time: TimeControl::Unlimited, ..Rules::default() };
    let settings = json!({
        "game": "mancala", "options": "-", "rules": rules, "seed": 7, "palestra": "0", "slots": 2, "cores": 2,
        "is_shared": false, "lacks": null, "states": null,
    });
    NewRun {
        kind: RunKind::League,
        league_id: Some(league),
        assignment_id: None,
        team_id: None,
        due_ms,
        is_counted: false,
        is_final: false,
        plan: json!({ "rounds": plan }).to_string(),
        settings: settings.to_string(),
        reason: None,
        account_id: None,
        players: (0..plan.players()).map(player).collect(),
        games: plan.games(),
        searches: vec![],
    }
}

/// A game as a worker stores it, with a record of usual length.
fn finished(run: i64, (number, ended_ms): (u32, i64), players: [usize; 2]) -> FinishedGame {
    let [one, two] = players.map(|player| player as i64);
    // The lower number is better, but not always.
    let luck = i64::from(number.wrapping_mul(2_654_435_761) >> 24);
    let winner = if (two - one) * 4 + luck > 128 { 1 } else { 2 };
    let name = |player: i64| Player { kind: PlayerKind::BuiltIn, account: None, name: format!("Bot{player}") };
    let game = NewGame {
        code: code(),
        game: "mancala".into(),
        options: "-".into(),
        table_code: None,
        is_public: false,
        is_rated: false,
        points: if winner == 1 { [28, 20] } else { [20, 28] },
        winner: Some(winner),
        reason: "finished".into(),
        started_ms: 1,
        ended_ms,
        record: format!("Game: mancala\n\n{}\n", "4 {cpu 1.5 wall 2} ".repeat(36)),
        players: [name(one), name(two)],
    };
    FinishedGame {
        run_id: run,
        number: i64::from(number),
        players: [one, two],
        game,
        charged_us: [1000 + luck, 1000],
        forfeit: (luck == 0).then(|| "timeout".to_owned()),
        plies: 36,
        trace: Trace { thoughts: "[]".into(), ..Trace::default() },
    }
}
