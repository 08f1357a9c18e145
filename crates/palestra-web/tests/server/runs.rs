//! Runs: the server plays their games, and shows them to those who may see them.

use std::time::{Duration, Instant};

use palestra_store::{LeaseTerms, NewRun, Run, RunGame, RunKind, RunPlayer, RunState, Store};
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::people::{admin, somebody};
use crate::site::{Browser, Site, WAIT_LIMIT};

/// The store of a site, beside its server.
pub(crate) async fn store(site: &Site) -> Store {
    Store::open_file(&site.folder.path().join("data/palestra.db")).await.unwrap()
}

/// Runs any SQL on the database of a site.
pub(crate) async fn sql(site: &Site, text: String) {
    let options = SqliteConnectOptions::new().filename(site.folder.path().join("data/palestra.db"));
    let mut connection = options.busy_timeout(Duration::from_secs(10)).connect().await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// A course with a league, and groups for two teams.
pub(crate) async fn a_course(site: &Site) {
    let text = "INSERT INTO courses (id, code, name, year, game, options, time_rule, domains, time_zone, ends_ms, \
                keeps_fingerprints, created_ms) VALUES (10, 'course', 'AI', '2026', 'mancala', '-', 'cpu 2000', '', 'UTC', \
                0, FALSE, 0); \
                INSERT INTO course_groups (id, course_id, code, name, created_ms) VALUES (20, 10, 'A1', 'A1', 0); \
                INSERT INTO course_teams (id, group_id, created_ms) VALUES (30, 20, 0), (31, 20, 0); \
                INSERT INTO leagues (id, code, course_id, name, schedule, ranking, move_ms, rounds, is_published, is_open, \
                created_ms) VALUES (40, 'league', 10, 'League', '{}', 'points', 2000, 1, FALSE, TRUE, 0); \
                INSERT INTO assignments (id, code, course_id, title, due_ms, page_limit, rubric, created_ms) \
                VALUES (50, 'assignment', 10, 'Bot', 0, 5, 'mancala', 0);";
    sql(site, text.to_owned()).await;
}

pub(crate) async fn joins(site: &Site, id: i64, team: i64, nickname: &str) {
    let account = store(site).await.account_by_nickname(nickname).await.unwrap().unwrap().id;
    let text = format!(
        "INSERT INTO course_members (id, course_id, team_id, account_id, state, created_ms) \
         VALUES ({id}, 10, {team}, {account}, 'member', 0)"
    );
    sql(site, text).await;
}

fn settings(depth: u32) -> String {
    let rules = json!({
        "time": {"cpu": {"cpu": {"secs": 20, "nanos": 0}, "wall": {"secs": 60, "nanos": 0}}},
        "states": null, "depth": depth, "retry": false, "cap": null,
        "startup": {"secs": 10, "nanos": 0}, "absence": {"secs": 60, "nanos": 0},
    });
    let settings = json!({
        "game": "mancala", "options": "-", "rules": rules, "seed": 7, "palestra": "0", "slots": 1, "cores": 1,
        "is_shared": false, "lacks": null, "states": null,
    });
    settings.to_string()
}

pub(crate) fn new_run(kind: RunKind, depth: u32, rounds: u32) -> NewRun {
    let player = |name: &str, team_id, built_in: &str| RunPlayer {
        name: name.to_owned(),
        built_in: Some(built_in.to_owned()),
        team_id: Some(team_id),
        is_ranked: true,
        ..RunPlayer::default()
    };
    let is_league = kind == RunKind::League;
    NewRun {
        kind,
        league_id: is_league.then_some(40),
        assignment_id: (!is_league).then_some(50),
        team_id: (kind == RunKind::Trial).then_some(30),
        due_ms: 0,
        is_counted: false,
        is_final: false,
        plan: json!({"rounds": {"players": 2, "format": "roundrobin", "rounds": rounds, "seed": 7}}).to_string(),
        settings: settings(depth),
        reason: None,
        account_id: None,
        players: vec![player("one", 30, "greedy"), player("two", 31, "alphabeta:9")],
        games: rounds * 2,
        searches: vec![],
    }
}

/// Waits until a run is finished: its games.
pub(crate) async fn played(store: &Store, run: &Run) -> Vec<RunGame> {
    let since = Instant::now();
    while store.run_by_id(run.id).await.unwrap().unwrap().state != RunState::Finished {
        assert!(since.elapsed() < WAIT_LIMIT, "{:?}", store.failed_jobs(9).await);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    store.run_games(run.id).await.unwrap()
}

/// The moves of a record, without notes.
fn moves(record: &str) -> Vec<&str> {
    let (_, moves) = record.split_once("\n\n").unwrap();
    let outside = moves.split('{').flat_map(|part| part.rsplit('}').next());
    outside.flat_map(str::split_whitespace).collect()
}

#[tokio::test]
async fn games_of_runs_are_seen_by_those_whom_they_concern() {
    let site = Site::open().await;
    let (member, other, stranger) =
        (somebody(&site, "Member").await, somebody(&site, "Other").await, somebody(&site, "Stranger").await);
    let (teacher, guest) = (somebody(&site, "Teacher").await, Browser::new(&site));
    a_course(&site).await;
    joins(&site, 60, 30, "Member").await;
    joins(&site, 61, 31, "Other").await;
    let store = store(&site).await;
    let account = store.account_by_nickname("Teacher").await.unwrap().unwrap().id;
    let text = format!(
        "UPDATE accounts SET role = 'teacher' WHERE id = {account}; \
         INSERT INTO course_teachers (course_id, account_id) VALUES (10, {account})"
    );
    sql(&site, text).await;

    let run = store.start_run(&new_run(RunKind::League, 2, 2), 1).await.unwrap();
    let games = played(&store, &run).await;
    assert_eq!(
        games.iter().map(|game| [game.player_1, game.player_2]).collect::<Vec<_>>(),
        [[0, 1], [1, 0], [0, 1], [1, 0]]
    );
    let record = store.game(&games[0].game_code).await.unwrap().unwrap().record;
    assert!(record.contains("{cpu ") && !record.contains("depth"), "thoughts are kept apart: {record}");
    let trace = store.trace(&games[0].game_code).await.unwrap().unwrap();
    assert!(trace.thoughts.contains("depth 2"), "{trace:?}");
    let opened = store.game(&games[2].game_code).await.unwrap().unwrap().record;
    assert_ne!(moves(&record), moves(&opened), "a later round begins elsewhere");

    let path = format!("/games/{}", games[0].game_code);
    for (who, browser, status) in [
        ("a member", &member, 200),
        ("another group's member", &other, 200),
        ("the teacher", &teacher, 200),
        ("a stranger", &stranger, 404),
        ("a guest", &guest, 404),
    ] {
        assert_eq!(browser.get(&path).await.status, status, "{who}");
        assert_eq!(browser.get(&format!("{path}/record")).await.status, status, "{who}");
    }
    let list = guest.get("/games").await.text;
    assert!(!list.contains(&path), "it stands in no list");
    sql(&site, "UPDATE leagues SET is_published = TRUE".to_owned()).await;
    assert_eq!(guest.get(&path).await.status, 200);

    let thoughts = async |browser: &Browser| browser.get(&path).await.text.matches("depth 2").count();
    let all = trace.thoughts.matches("depth 2").count();
    assert!(all > 1, "{trace:?}");
    assert_eq!((thoughts(&other).await, thoughts(&member).await), (all, 0), "those of one's own bot, not the rival's");
    assert_eq!((thoughts(&teacher).await, thoughts(&stranger).await, thoughts(&guest).await), (all, 0, 0));
    let with_league =
        |due_ms: i64| format!("UPDATE assignments SET league_id = (SELECT id FROM leagues LIMIT 1), due_ms = {due_ms}");
    sql(&site, with_league(i64::MAX / 2)).await;
    assert_eq!((thoughts(&member).await, thoughts(&guest).await), (0, 0), "before the deadline");
    sql(&site, with_league(1)).await;
    assert_eq!((thoughts(&member).await, thoughts(&guest).await), (all, all), "after the deadline");

    for (kind, of_teacher) in [(RunKind::Trial, 404), (RunKind::Marking, 200)] {
        let mut new = new_run(kind, 1, 1);
        new.players[1].team_id = None;
        let run = store.start_run(&new, 1).await.unwrap();
        let path = format!("/games/{}", played(&store, &run).await[0].game_code);
        for (who, browser, status) in
            [("its team", &member, 200), ("others", &other, 404), ("the teacher", &teacher, of_teacher)]
        {
            assert_eq!(browser.get(&path).await.status, status, "{kind}: {who}");
        }
    }
    store.close().await;
}

#[tokio::test]
async fn a_server_that_stops_gives_its_jobs_back() {
    let site = Site::open_with(|config| config.slots = Some(1)).await;
    a_course(&site).await;
    let store = store(&site).await;
    let mut new = new_run(RunKind::League, 99, 1);
    // Its moves take all of their time.
    new.players.iter_mut().for_each(|player| player.built_in = Some("alphabeta:30".to_owned()));
    let run = store.start_run(&new, 1).await.unwrap();
    let since = Instant::now();
    while store.run_progress(run.id).await.unwrap().playing == 0 {
        assert!(since.elapsed() < WAIT_LIMIT, "no game begins");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let folder = site.close().await;
    let progress = store.run_progress(run.id).await.unwrap();
    assert_eq!((progress.left + progress.played, progress.playing), (2, 0), "{progress:?}");
    let terms = LeaseTerms { now_ms: 1, until_ms: 2, max_failures: 3, holder: "test" };
    let leased = store.lease_job(terms).await.unwrap().unwrap();
    assert_eq!(leased.attempts, 0, "that is no failure");
    store.close().await;
    drop(folder);
}

#[tokio::test]
async fn an_admin_sees_the_queue_and_what_was_set_aside() {
    let site = Site::open_with(|config| config.slots = Some(1)).await;
    a_course(&site).await;
    let (admin, store) = (admin(&site, "Root").await, store(&site).await);
    let stranger = somebody(&site, "Stranger").await;
    assert_eq!(stranger.get("/admin/jobs").await.status, 403);
    let mut new = new_run(RunKind::League, 1, 1);
    new.players[0].built_in = Some("nobody".to_owned());
    let run = store.start_run(&new, 1).await.unwrap();
    let since = Instant::now();
    while store.run_progress(run.id).await.unwrap().failed < 2 {
        assert!(since.elapsed() < WAIT_LIMIT, "the games do not fail");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(store.run_by_id(run.id).await.unwrap().unwrap().state, RunState::Playing, "its games were not played");
    let page = admin.get("/admin/jobs").await;
    let subject = format!("run {} game 0", run.id);
    assert!(page.status == 200 && page.text.contains(&subject), "{page:?}");
    assert!(page.text.contains("one: ") && page.text.contains("cannot run on this machine"), "{page:?}");
    assert!(page.text.contains("AI") && !page.text.contains("/admin/jobs/drop"), "games are not dropped");
    let seen = admin.post("/admin/jobs/drop", &[("subject", &subject)]).await;
    assert_eq!(seen.status, 404);
    assert_eq!(stranger.post("/admin/jobs/retry", &[("subject", &subject)]).await.status, 403);

    sql(&site, "UPDATE run_players SET built_in = 'greedy' WHERE player = 0".to_owned()).await;
    let folder = site.close().await;
    let site = Site::open_in(folder, |_| {}).await;
    let admin = admin.moved_to(&site);
    for game in 0..2 {
        let subject = format!("run {} game {game}", run.id);
        assert_eq!(admin.post("/admin/jobs/retry", &[("subject", &subject)]).await.status, 200);
    }
    assert_eq!(played(&store, &run).await.len(), 2);
    store.close().await;
}

#[tokio::test]
async fn games_that_cannot_be_stored_are_held_until_they_can() {
    let site = Site::open_with(|config| config.database_timeout = Duration::from_millis(100)).await;
    a_course(&site).await;
    let (admin, store) = (admin(&site, "Root").await, store(&site).await);
    let mut new = new_run(RunKind::League, 7, 3);
    new.players[0].built_in = Some("alphabeta:7".to_owned());
    let run = store.start_run(&new, 1).await.unwrap();
    let since = Instant::now();
    while store.run_progress(run.id).await.unwrap().playing == 0 {
        assert!(since.elapsed() < WAIT_LIMIT, "no game begins");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // Longer than a game takes.
    let options = SqliteConnectOptions::new().filename(site.folder.path().join("data/palestra.db"));
    let mut other = options.busy_timeout(Duration::from_secs(10)).connect().await.unwrap();
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    while !admin.get("/admin/jobs").await.text.contains("the database is locked") {
        assert!(since.elapsed() < WAIT_LIMIT, "nobody misses the database");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    other.close().await.unwrap();
    assert_eq!(played(&store, &run).await.len(), 6);
    assert_eq!(store.job_counts().await.unwrap(), []);
    store.close().await;
}
