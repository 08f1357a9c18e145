//! Games of runs are watched while they are played, by those who may see them afterwards.

use std::time::{Duration, Instant};

use palestra_store::{NewRun, RunKind};
use serde_json::{Value, json};

use crate::chrome::Chrome;
use crate::people::somebody;
use crate::runs::{a_course, joins, new_run, played, sql, store};
use crate::site::{Browser, Live, Site, WAIT_LIMIT};

/// A course with two members of different groups, its teacher, and others.
struct Scene {
    site: Site,
    member: Browser,
    other: Browser,
    teacher: Browser,
    stranger: Browser,
    guest: Browser,
}

impl Scene {
    async fn open() -> Self {
        let site = Site::open_with(|config| config.lease = Duration::from_millis(300)).await;
        let (member, other) = (somebody(&site, "Member").await, somebody(&site, "Other").await);
        let (teacher, stranger) = (somebody(&site, "Teacher").await, somebody(&site, "Stranger").await);
        a_course(&site).await;
        joins(&site, 60, 30, "Member").await;
        joins(&site, 61, 31, "Other").await;
        let store = store(&site).await;
        let account = store.account_by_nickname("Teacher").await.unwrap().unwrap().id;
        store.close().await;
        let text = format!(
            "UPDATE accounts SET role = 'teacher' WHERE id = {account}; \
             INSERT INTO course_teachers (course_id, account_id) VALUES (10, {account})"
        );
        sql(&site, text).await;
        let guest = Browser::new(&site);
        Self { site, member, other, teacher, stranger, guest }
    }

    /// Everyone, and what they are.
    const fn everyone(&self) -> [(&'static str, &Browser); 5] {
        [
            ("member", &self.member),
            ("other", &self.other),
            ("teacher", &self.teacher),
            ("stranger", &self.stranger),
            ("guest", &self.guest),
        ]
    }
}

/// Gives the teacher this role.
async fn set_role(site: &Site, role: &str) {
    sql(site, format!("UPDATE accounts SET role = '{role}' WHERE nickname = 'Teacher'")).await;
}

/// A run of two games, in which one player moves at once and the other thinks as long as it may.
fn slow_run(kind: RunKind, turn_ms: u64) -> NewRun {
    let mut new = new_run(kind, 30, 1);
    new.players[1].built_in = Some("alphabeta:30".to_owned());
    if kind != RunKind::League {
        // An opponent of the rubric.
        new.players[1].team_id = None;
    }
    let mut settings: Value = serde_json::from_str(&new.settings).unwrap();
    let time = |ms: u64| json!({"secs": ms / 1000, "nanos": ms % 1000 * 1_000_000});
    settings["rules"]["time"] = json!({"cpu": {"cpu": time(turn_ms), "wall": time(20 * turn_ms)}});
    new.settings = settings.to_string();
    new
}

/// The addresses of the games that are being played, as a page links to them.
fn live_codes(page: &str) -> Vec<&str> {
    page.split("href=\"/t/").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// Waits until a page links to a game that is being played: its code.
pub(crate) async fn live_code(browser: &Browser, path: &str) -> String {
    let begun = Instant::now();
    loop {
        let page = browser.get(path).await;
        assert_eq!(page.status, 200, "{path}: {page:?}");
        if let Some(code) = live_codes(&page.text).first() {
            return (*code).to_owned();
        }
        assert!(begun.elapsed() < WAIT_LIMIT, "{path} links to no game: {page:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// What a browser gets that opens the socket of a game.
async fn socket_status(browser: &Browser, code: &str) -> u16 {
    let request = browser.client().get(browser.address(&format!("/t/{code}/live")));
    let request = request.header("connection", "upgrade").header("upgrade", "websocket");
    let request = request.header("origin", browser.address("").trim_end_matches('/'));
    let request = request.header("sec-websocket-version", "13").header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn a_league_game_is_watched_by_a_student_while_it_is_played() {
    let scene = Scene::open().await;
    let store = store(&scene.site).await;
    let run = store.start_run(&slow_run(RunKind::League, 200), 1).await.unwrap();
    let code = live_code(&scene.member, "/leagues/league/runs/1").await;
    let page = scene.member.get(&format!("/t/{code}")).await;
    assert!(page.status == 200 && page.text.contains("href=\"/leagues/league/runs/1\""), "{page:?}");
    assert!(page.text.contains("League, Run 1") && !page.text.contains("#talk"), "{page:?}");
    for browser in [&scene.stranger, &scene.guest] {
        assert_eq!(browser.get(&format!("/t/{code}")).await.status, 404);
        assert_eq!(socket_status(browser, &code).await, 404);
    }
    let mut live = Live::open(&scene.member, &code, None).await;
    assert_eq!(live.await_a("you").await["seats"], json!([]), "one only watches");
    let table = live.await_a("table").await["table"].clone();
    let names: Vec<_> = table["state"]["seats"].as_array().unwrap().iter().map(|seat| &seat["name"]).collect();
    assert!(names.contains(&&json!("one")) && names.contains(&&json!("two")), "{table}");
    live.say(json!({"do": "move", "ply": 0, "text": "1"})).await;
    let mut clocks = live.await_a("clocks").await;
    while clocks["turn"] != 1 {
        clocks = live.await_a("clocks").await;
    }
    let (left, used) = (&clocks["clocks"]["left_ms"], &clocks["clocks"]["used_ms"]);
    assert!(clocks["clocks"]["is_running"] == true && left[1].as_u64().unwrap() <= 4000, "{clocks}");
    let earlier = used[1].as_u64().unwrap();
    let moved = live.await_a("moved").await;
    let later = moved["state"]["clocks"]["used_ms"][1].as_u64().unwrap();
    assert!(moved["seat"] == 1 && later >= earlier + 20, "what it thought is charged: {moved}");
    let mut moves = moved["ply"].as_u64().unwrap();
    let ended = loop {
        let message = live.next_of(&["moved", "refused", "ended"]).await;
        match message["is"].as_str().unwrap() {
            "moved" => {
                moves += 1;
                assert_eq!(message["ply"], moves, "{message}");
            }
            "ended" => {
                let clocks = &message["state"]["clocks"];
                assert!(clocks["is_running"] == false && clocks["used_ms"][1].as_u64().unwrap() >= later, "{message}");
                break message["state"]["ended"].clone();
            }
            _ => panic!("{message}"),
        }
    };
    assert_eq!((&ended["game"], &ended["reason"]), (&json!(code), &json!("finished")));
    assert!(live.next().await.is_none(), "nothing more will happen");
    let games = played(&store, &run).await;
    let game = games.iter().find(|game| game.game_code == code).unwrap();
    assert_eq!(game.plies, moves as i64);
    let after = scene.member.get(&format!("/t/{code}")).await;
    assert_eq!((after.status.as_u16(), after.path), (200, format!("/games/{code}")));
    assert_eq!(scene.stranger.get(&format!("/t/{code}")).await.status, 404);
    store.close().await;
}

/// Awaits that a spectator is told this number of spectators.
async fn await_count(live: &mut Live, count: u64) {
    while live.await_a("watching").await["count"] != count {}
}

#[tokio::test]
async fn spectators_know_how_many_they_are_and_how_long_a_player_has_thought() {
    let scene = Scene::open().await;
    let store = store(&scene.site).await;
    let run = store.start_run(&slow_run(RunKind::League, 600_000), 1).await.unwrap();
    let code = live_code(&scene.member, "/leagues/league/runs/1").await;
    let page = scene.member.get(&format!("/t/{code}")).await.text;
    assert!(page.contains("600000 ms of CPU time a move"), "{page}");
    let mut first = Live::open(&scene.member, &code, None).await;
    await_count(&mut first, 1).await;
    let mut second = Live::open(&scene.other, &code, None).await;
    await_count(&mut first, 2).await;
    await_count(&mut second, 2).await;
    drop(second);
    await_count(&mut first, 1).await;
    // Who comes in the middle of a move sees how far the clock is.
    let thinking = async || {
        let mut live = Live::open(&scene.teacher, &code, None).await;
        let state = live.await_a("table").await["table"]["state"].clone();
        let clock = |name: &str| state["clocks"][name][1].as_u64().unwrap();
        assert_eq!((&state["turn"], &state["clocks"]["is_running"]), (&json!(1), &json!(true)), "{state}");
        (clock("left_ms"), clock("used_ms"))
    };
    let begun = Instant::now();
    let ((left, used), mut later) = (thinking().await, thinking().await);
    while later.1 < used + 50 {
        assert!(begun.elapsed() < WAIT_LIMIT, "the clock stands still");
        later = thinking().await;
    }
    assert_eq!(left - later.0, later.1 - used, "what is used is not left");
    assert!(left <= 12_000_000 && later.1 <= WAIT_LIMIT.as_millis() as u64, "{left} {later:?}");
    assert!(store.give_up_run(run.id, "a test", 2).await.unwrap());
    store.close().await;
}

#[tokio::test]
async fn a_game_is_watched_by_those_who_may_see_it_afterwards() {
    let scene = Scene::open().await;
    let store = store(&scene.site).await;
    let league = "/leagues/league/runs/1";
    for (kind, watcher, page, watch) in [
        (RunKind::Marking, &scene.teacher, "/assignments/assignment/marks", ["member", "teacher"]),
        (RunKind::Trial, &scene.member, "/assignments/assignment", ["member", ""]),
        (RunKind::League, &scene.teacher, league, ["", ""]),
    ] {
        let run = store.start_run(&slow_run(kind, 600_000), 1).await.unwrap();
        let code = live_code(watcher, page).await;
        let check = async |what: &str, watch: &[&str]| {
            for (who, browser) in scene.everyone() {
                let is_seen = watch.contains(&who);
                let status = browser.get(&format!("/t/{code}")).await.status;
                assert_eq!(status, if is_seen { 200 } else { 404 }, "{what}: {who}");
                let socket = socket_status(browser, &code).await;
                assert_eq!(socket, if is_seen { 101 } else { 404 }, "{what}: {who}");
            }
        };
        if kind == RunKind::League {
            check("league", &["member", "other", "teacher"]).await;
            sql(&scene.site, "UPDATE leagues SET is_published = TRUE".to_owned()).await;
            check("published", &["member", "other", "teacher", "stranger", "guest"]).await;
            assert!(!live_codes(&scene.guest.get(league).await.text).is_empty());
            sql(&scene.site, "UPDATE leagues SET hidden_from_ms = 0".to_owned()).await;
            check("hidden", &["teacher"]).await;
            set_role(&scene.site, "student").await;
            check("hidden from a former teacher", &[]).await;
            assert!(live_codes(&scene.member.get(league).await.text).is_empty(), "hidden games have no links");
        } else {
            check(kind.word(), &watch).await;
            set_role(&scene.site, "student").await;
            check("after the teacher has lost the role", &watch.map(|who| if who == "teacher" { "" } else { who }))
                .await;
        }
        set_role(&scene.site, "teacher").await;
        // A game that is given up ends for its spectators too.
        let mut live = Live::open(watcher, &code, None).await;
        live.await_a("table").await;
        assert!(store.give_up_run(run.id, "a test", 2).await.unwrap());
        assert!(live.await_a("refused").await["text"].as_str().unwrap().contains("interrupted"));
        assert!(live.next().await.is_none());
        assert_eq!(watcher.get(&format!("/t/{code}")).await.status, 404);
    }
    store.close().await;
}

#[tokio::test]
async fn a_browser_shows_a_league_game_from_its_middle_to_its_end() {
    let scene = Scene::open().await;
    sql(&scene.site, "UPDATE leagues SET is_published = TRUE".to_owned()).await;
    let store = store(&scene.site).await;
    let (mut chrome, run) = (Chrome::start().await, slow_run(RunKind::League, 200));
    let mut tab = chrome.tab().await;
    store.start_run(&run, 1).await.unwrap();
    let code = live_code(&scene.guest, "/leagues/league/runs/1").await;
    tab.resize(1280, 800).await;
    tab.open(&format!("{}/t/{code}", scene.site.url)).await;
    let moves = "document.querySelectorAll('[data-part=moves] li').length";
    let read =
        |part: &str, what: &str| format!("(document.querySelector('[data-part={part}] {what}')?.textContent ?? '')");
    tab.wait_for("document.querySelector('[data-part=watching]').textContent === '1 watching'").await;
    tab.wait_for(&format!("{}.endsWith(' s used')", read("above", ".used"))).await;
    tab.wait_for(&format!("/^[0-9.]+$/.test({})", read("below", ".clock"))).await;
    tab.wait_for(&format!("{moves} > 0")).await;
    let seen = tab.eval(moves).await;
    tab.wait_for(&format!("{moves} > {seen}")).await;
    assert_eq!(tab.eval("document.querySelectorAll('.talk, [data-part=invite], [data-part=solo]').length").await, 3);
    let seen = "[...document.querySelectorAll('.talk, [data-part=invite], [data-part=solo]')].some(it => it.checkVisibility())";
    assert_eq!(tab.eval(seen).await, false, "there is nothing to do but to watch");
    let replay = format!("!!document.querySelector('[data-part=result] a[href=\"/games/{code}\"]')");
    tab.wait_for(&replay).await;
    // The server has closed the connection, and that is no loss.
    tab.wait_for("document.querySelector('[data-part=status]').textContent.includes('won')").await;
    assert!(tab.complaints().is_empty(), "{:?}", tab.complaints());
    store.close().await;
}
