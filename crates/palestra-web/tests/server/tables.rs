//! Live tables.

use std::time::Instant;

use palestra_store::Store;
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::maps::{layout_of, with_large_map};
use crate::people::{PASSWORD, somebody};
use crate::site::{Browser, Live, Site, send};

#[tokio::test]
async fn a_visitor_plays_a_built_in_player() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    assert_eq!(live.await_a("you").await["seats"], json!([0]));
    let table = live.await_a("table").await["table"].clone();
    assert_eq!(table["state"]["status"], "playing");
    assert_eq!(table["state"]["seats"][1]["name"], "ninja1");
    assert_eq!(table["state"]["turn"], 0);
    live.play(0, "1").await;
    let reply = live.await_a("moved").await;
    assert_eq!(reply["seat"], 1);
    live.say(json!({"do": "resign"})).await;
    let ended = live.await_a("ended").await["state"]["ended"].clone();
    assert_eq!((&ended["winner"], &ended["reason"], &ended["is_last"]), (&json!(1), &json!("resigned"), &json!(true)));
}

#[tokio::test]
async fn two_browsers_play_by_link() {
    let site = Site::open().await;
    let (ana, ben, eve) = (Browser::new(&site), Browser::new(&site), Browser::new(&site));
    let code = ana.open_table(&[("game", "conecta4boom"), ("seat2", "open"), ("nickname", "ana")]).await;
    for browser in [&ben, &eve] {
        browser.get("/").await;
    }
    let mut of_ana = Live::open(&ana, &code, None).await;
    let mut of_ben = Live::open(&ben, &code, None).await;
    let mut of_eve = Live::open(&eve, &code, None).await;
    assert_eq!(of_ana.await_a("table").await["table"]["state"]["status"], "waiting");
    of_ben.say(json!({"do": "sit", "seat": 1, "nickname": "ben"})).await;
    assert_eq!(of_ana.await_a("began").await["state"]["turn"], 0);
    of_eve.await_a("began").await;
    of_eve.say(json!({"do": "move", "ply": 0, "text": "4"})).await;
    assert_eq!(of_eve.await_a("refused").await["text"], "It is not your turn.");
    of_eve.say(json!({"do": "sit", "seat": 1, "nickname": "eve"})).await;
    assert_eq!(of_eve.await_a("refused").await["text"], "The seat is taken.");
    of_ben.await_a("began").await;
    of_ana.play(0, "4").await;
    of_ana.say(json!({"do": "draw"})).await;
    assert_eq!(of_ben.await_a("draw_offered").await["seat"], 0);
    of_ben.say(json!({"do": "decline_draw"})).await;
    assert_eq!(of_ana.await_a("draw_declined").await["seat"], 1);
    of_ben.say(json!({"do": "chat", "text": "hola\u{202e} </script>"})).await;
    let line = of_eve.await_a("chat").await;
    assert_eq!((&line["name"], &line["text"]), (&json!("ben"), &json!("hola </script>")));
    of_ana.say(json!({"do": "take_back"})).await;
    of_ben.await_a("take_back_asked").await;
    of_ben.say(json!({"do": "take_back"})).await;
    assert_eq!(of_ana.await_a("taken_back").await["state"]["ply"], 0);
    of_ana.play(0, "3").await;
    of_ben.say(json!({"do": "draw"})).await;
    of_ana.await_a("draw_offered").await;
    of_ana.say(json!({"do": "draw"})).await;
    assert_eq!(of_eve.await_a("ended").await["state"]["ended"]["reason"], "agreed");
    of_ana.say(json!({"do": "rematch"})).await;
    of_ben.await_a("rematch_asked").await;
    of_ben.say(json!({"do": "rematch"})).await;
    let began = of_eve.await_a("began").await;
    assert_eq!((&began["state"]["number"], &began["state"]["turn"]), (&json!(2), &json!(1)), "sides are changed");
}

#[tokio::test]
async fn whoever_reconnects_misses_nothing() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    live.play(0, "1").await;
    let seen = live.seq;
    let mut other = Live::open(&browser, &code, None).await;
    other.play(1, "1").await;
    other.play(2, "2").await;
    drop(live);
    let mut again = Live::open(&browser, &code, Some(seen)).await;
    again.await_a("you").await;
    for ply in 2..=3 {
        let message = again.next().await.unwrap();
        assert_eq!((message["is"].as_str(), message["seq"].as_u64()), (Some("moved"), Some(seen + ply - 1)));
        assert_eq!(message["ply"], ply);
    }
    let mut late = Live::open(&browser, &code, Some(seen + 1000)).await;
    assert_eq!(late.await_a("table").await["table"]["moves"].as_array().unwrap().len(), 3, "a number of the future");
}

#[tokio::test]
async fn the_largest_map_makes_small_messages() {
    let (site, address) = with_large_map().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "bandera"), ("options", &address), ("seat2", "me")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    let first = live.await_a("table").await;
    assert_eq!(first["table"].get("layout"), None);
    let layout = browser.get(&layout_of(&browser.get(&format!("/t/{code}")).await.text)).await.text;
    assert!(first.to_string().len() < layout.len() / 4, "{} {}", first.to_string().len(), layout.len());
    let cells: serde_json::Value = serde_json::from_str(&layout).unwrap();
    assert_eq!(cells["cells"].as_array().unwrap().len(), 128 * 128);
    live.await_a("clocks").await;
    let choice = first["table"]["state"]["scene"]["choices"][0]["text"].as_str().unwrap().to_owned();
    live.play(0, &choice).await;
    let mut late = Live::open(&browser, &code, None).await;
    let table = late.await_a("table").await;
    assert_eq!((&table["seq"], &table["table"]["state"]["ply"]), (&json!(live.seq), &json!(1)));
}

#[tokio::test]
async fn events_are_kept_and_drawn_when_they_are_sent() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let mut live = Live::open(&browser, &code, Some(0)).await;
    let began = live.next_of(&["table", "began"]).await;
    assert!(began["is"] == "began" && began["state"]["scene"].is_object(), "{began}");
    let moved = live.play(0, "1").await;
    assert!(moved["state"]["scene"].is_object() && moved["steps"].is_array(), "{moved}");
    let seen = live.seq;
    let store = Store::open_file(&site.folder.path().join("data/palestra.db")).await.unwrap();
    let kept = store.table_messages(&code).await.unwrap();
    let last: serde_json::Value = serde_json::from_str(&kept.last().unwrap().1).unwrap();
    assert_eq!(last, json!({"is": "moved", "seat": 0, "text": "1", "ply": 1}));
    let mut again = Live::open(&browser, &code, Some(seen - 1)).await;
    let missed = again.next_of(&["table", "moved"]).await;
    assert_eq!((&missed["is"], &missed["state"]["scene"]), (&json!("moved"), &moved["state"]["scene"]));
    store.close().await;
}

#[tokio::test]
async fn tables_of_the_version_before_go_on() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    Live::open(&browser, &code, None).await.play(0, "1").await;
    let folder = site.close().await;
    let file = SqliteConnectOptions::new().filename(folder.path().join("data/palestra.db"));
    let mut database = file.connect().await.unwrap();
    let state = include_str!("fixtures/table-format-0.json").replace("TOKEN", &token_of(&mut database).await);
    sqlx::query("UPDATE tables SET state = $1").bind(state).execute(&mut database).await.unwrap();
    sqlx::query(
        "UPDATE table_messages SET body = '{\"seq\":1,\"is\":\"moved\",\"seat\":0,\"text\":\"1\",\"board\":{}}'",
    )
    .execute(&mut database)
    .await
    .unwrap();
    database.close().await.unwrap();
    let site = Site::open_in(folder, |_| {}).await;
    let mut live = Live::open(&browser.moved_to(&site), &code, Some(0)).await;
    let table = live.await_a("table").await["table"].clone();
    assert_eq!((&table["state"]["number"], &table["state"]["first"]), (&json!(2), &json!(1)));
    assert_eq!(table["moves"], json!([[1, "1"]]), "in the second game seat 1 plays side 1");
    live.play(1, "1").await;
}

/// The hash of the token with which the table was opened, as the store has it.
async fn token_of(database: &mut sqlx::SqliteConnection) -> String {
    let (state,): (String,) = sqlx::query_as("SELECT state FROM tables").fetch_one(database).await.unwrap();
    serde_json::from_str::<serde_json::Value>(&state).unwrap()["setup"]["creator"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_restart_keeps_tables_and_clocks() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let fields = [("game", "mancala"), ("seat2", "me"), ("clock", "game"), ("seconds", "600")];
    let code = browser.open_table(&fields).await;
    let mut live = Live::open(&browser, &code, None).await;
    live.play(0, "1").await;
    let before = live.play(1, "1").await["state"].clone();
    let seen = live.seq;
    let folder = site.close().await;
    assert!(live.next().await.is_none_or(|message| message["is"] != "moved"), "the server said goodbye");
    let site = Site::open_in(folder, |_| {}).await;
    let browser = browser.moved_to(&site);
    let mut live = Live::open(&browser, &code, None).await;
    let table = live.await_a("table").await["table"].clone();
    assert_eq!(table["state"]["scene"], before["scene"]);
    assert_eq!(table["state"]["seats"][0]["kind"], "guest");
    for seat in 0..2 {
        let left = |board: &serde_json::Value| board["clocks"]["left_ms"][seat].as_u64().unwrap();
        let (before, after) = (left(&before), left(&table["state"]));
        assert!(after <= before, "{before} {after}");
    }
    let mut again = Live::open(&browser, &code, Some(seen - 1)).await;
    assert_eq!(again.await_a("moved").await["seq"], seen, "also what was said before the restart");
    live.play(2, "3").await;
}

#[tokio::test]
async fn clocks_run_until_the_last_heartbeat_and_stand_still_while_the_server_is_down() {
    const UP_MS: i64 = 7_000;
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let fields = [("game", "mancala"), ("seat2", "me"), ("clock", "game"), ("seconds", "600")];
    let code = browser.open_table(&fields).await;
    let mut live = Live::open(&browser, &code, None).await;
    let begun = Instant::now();
    let before = live.play(0, "1").await["state"].clone();
    let folder = site.close().await;
    // As if the server had run for seven more seconds, and had then been down for an hour.
    let file = SqliteConnectOptions::new().filename(folder.path().join("data/palestra.db"));
    let mut database = file.connect().await.unwrap();
    for sql in [
        "UPDATE tables SET saved_ms = saved_ms - 3600000",
        &format!("UPDATE heartbeat SET alive_ms = (SELECT saved_ms FROM tables) + {UP_MS}"),
    ] {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut database).await.unwrap();
    }
    database.close().await.unwrap();
    let site = Site::open_in(folder, |_| {}).await;
    let mut live = Live::open(&browser.moved_to(&site), &code, None).await;
    let after = live.await_a("table").await["table"]["state"].clone();
    let ran = |seat: usize| {
        let left = |board: &serde_json::Value| board["clocks"]["left_ms"][seat].as_i64().unwrap();
        left(&before) - left(&after)
    };
    assert_eq!(ran(0), 0, "player 1 does not move");
    let most = UP_MS + begun.elapsed().as_millis() as i64;
    assert!((UP_MS..=most).contains(&ran(1)), "the clock ran for {} ms, not {UP_MS} to {most}", ran(1));
}

#[tokio::test]
async fn a_match_of_two_games_changes_sides() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me"), ("games", "2")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    live.say(json!({"do": "resign"})).await;
    let ended = live.await_a("ended").await["state"]["ended"].clone();
    assert_eq!((&ended["is_last"], &ended["total"]), (&json!(false), &json!([0, 48])));
    live.say(json!({"do": "rematch"})).await;
    live.say(json!({"do": "rematch"})).await;
    assert_eq!(live.await_a("began").await["state"]["first"], 1);
    live.say(json!({"do": "resign"})).await;
    let ended = live.await_a("ended").await["state"]["ended"].clone();
    assert_eq!((&ended["is_last"], &ended["total"], &ended["wins"]), (&json!(true), &json!([48, 48]), &json!([1, 1])));
}

#[tokio::test]
async fn a_socket_opened_by_somebody_elses_page_is_refused() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala")]).await;
    let request = browser.client().get(browser.address(&format!("/t/{code}/live")));
    let request = request.header("connection", "upgrade").header("upgrade", "websocket");
    let request = request.header("sec-websocket-version", "13").header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    let response = request.header("origin", "http://evil.example").header("host", "evil.example").send().await.unwrap();
    assert_eq!(response.status(), 403);
}

#[tokio::test]
async fn a_socket_ends_with_its_session() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    let code = ada.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let mut live = Live::open(&ada, &code, None).await;
    live.play(0, "1").await;
    let fields = [("current", PASSWORD), ("password", "another horse")];
    assert_eq!(ada.post("/settings/password", &fields).await.status, 200);
    live.say(json!({"do": "move", "ply": 1, "text": "1"})).await;
    while let Some(message) = live.next().await {
        assert_ne!(message["is"], "moved", "whoever had the old session is out");
    }
    let mut again = Live::open(&ada, &code, None).await;
    assert_eq!(again.await_a("you").await["seats"], json!([0, 1]));
    again.play(1, "1").await;
    ada.post("/sign-out", &[]).await;
    again.say(json!({"do": "chat", "text": "hola"})).await;
    while let Some(message) = again.next().await {
        assert_ne!(message["is"], "chat");
    }
}

#[tokio::test]
async fn whoever_deletes_their_account_is_forgotten_at_tables_too() {
    let site = Site::open().await;
    let (ada, ben) = (somebody(&site, "Ada").await, Browser::new(&site));
    ben.get("/").await;
    let code = ada.open_table(&[("game", "mancala"), ("seat2", "open")]).await;
    let (mut of_ada, mut of_ben) = (Live::open(&ada, &code, None).await, Live::open(&ben, &code, None).await);
    of_ben.say(json!({"do": "sit", "seat": 1, "nickname": "ben"})).await;
    of_ada.await_a("began").await;
    of_ada.say(json!({"do": "chat", "text": "hola"})).await;
    let seen = of_ben.await_a("chat").await["seq"].as_u64().unwrap();
    assert_eq!(ada.post("/settings/delete", &[("password", PASSWORD)]).await.status, 200);
    let ended = of_ben.await_a("ended").await["state"]["ended"].clone();
    assert_eq!((&ended["winner"], &ended["reason"]), (&json!(1), &json!("resigned")));
    assert_eq!(of_ben.await_a("seat").await["state"]["seats"][0]["name"], "deleted");
    for since in [None, Some(seen - 1), Some(0)] {
        let mut late = Live::open(&ben, &code, since).await;
        let table = late.await_a("table").await.to_string();
        assert!(table.contains("hola") && !table.contains("Ada"), "{table}");
    }
    let folder = site.close().await;
    let site = Site::open_in(folder, |_| {}).await;
    let ben = ben.moved_to(&site);
    let table = Live::open(&ben, &code, None).await.await_a("table").await.to_string();
    assert!(table.contains("hola") && !table.contains("Ada"), "{table}");
    let page = ben.get(&format!("/games/{}", ended["game"].as_str().unwrap())).await.text;
    assert!(page.contains("deleted") && !page.contains("Ada"), "{page}");
}

#[tokio::test]
async fn nobody_takes_the_name_of_somebody_else() {
    let site = Site::open().await;
    let (ada, guest) = (somebody(&site, "Ada").await, Browser::new(&site));
    for name in ["ada", "Ada\u{3164}", "A\u{200d}da", "Ninja1", "deleted"] {
        let seen = guest.post("/tables", &[("game", "mancala"), ("nickname", name)]).await;
        assert_eq!(seen.status, 422, "{name:?}");
    }
    // A guest who has left a seat does not speak for whoever has it then.
    let code = guest.open_table(&[("game", "mancala"), ("seat1", "open"), ("seat2", "open")]).await;
    let (mut one, mut other) = (Live::open(&guest, &code, None).await, Live::open(&guest, &code, None).await);
    one.say(json!({"do": "sit", "seat": 0, "nickname": "eve"})).await;
    other.await_a("seat").await;
    other.say(json!({"do": "leave"})).await;
    let mut of_ada = Live::open(&ada, &code, None).await;
    of_ada.say(json!({"do": "sit", "seat": 0})).await;
    while one.await_a("seat").await["state"]["seats"][0]["name"] != "Ada" {}
    one.say(json!({"do": "chat", "text": "it is me"})).await;
    one.await_a("refused").await;
}

#[tokio::test]
async fn reserved_names_are_said_to_be_reserved() {
    let site = Site::open().await;
    let guest = Browser::new(&site);
    let open = async |name: &str| guest.post("/tables", &[("game", "mancala"), ("nickname", name)]).await;
    let built_in = ["ninja1", "Ninja-1", "alphabeta:6"].map(|name| (name, "is the name of a built-in player"));
    for (name, says) in built_in.into_iter().chain(["admin", "system", "open"].map(|name| (name, "is reserved"))) {
        let seen = open(name).await;
        assert!(seen.status == 422 && seen.text.contains(&format!("{name} {says}")), "{name}: {}", seen.text);
    }
    guest.post("/language", &[("lang", "es")]).await;
    assert!(open("maestro").await.text.contains("maestro es el nombre de un jugador integrado"));
    let code = guest.open_table(&[("game", "mancala"), ("seat2", "open")]).await;
    let bot = guest.client().get(guest.address(&format!("/t/{code}/bot?name=Moderator")));
    let bot = bot.header("connection", "upgrade").header("upgrade", "websocket").header("sec-websocket-version", "13");
    let seen = send(bot.header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==").header("accept-language", "en")).await;
    assert!(seen.status == 422 && seen.text.contains("reservado"), "{}", seen.text);
}

#[tokio::test]
async fn a_game_does_not_tell_where_its_table_is() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    live.say(json!({"do": "resign"})).await;
    let game = live.await_a("ended").await["state"]["ended"]["game"].as_str().unwrap().to_owned();
    let page = Browser::new(&site).get(&format!("/games/{game}")).await;
    assert_eq!(page.status, 200);
    assert!(!page.text.contains(&code) && !game.contains(&code), "{}", page.text);
    assert_eq!(browser.get(&format!("/games/{game}/record")).await.text.matches(&code).count(), 0);
}

#[tokio::test]
async fn a_game_between_built_in_players_waits_for_somebody_to_look() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat1", "ninja1"), ("seat2", "random")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    assert_eq!(live.await_a("table").await["table"]["moves"], json!([]));
    live.await_a("ended").await;
}

#[tokio::test]
async fn only_those_who_do_not_play_are_counted_as_watching() {
    let site = Site::open().await;
    let (ana, ben, eve) = (Browser::new(&site), Browser::new(&site), Browser::new(&site));
    for browser in [&ben, &eve] {
        browser.get("/").await;
    }
    let code = ana.open_table(&[("game", "mancala"), ("seat2", "open"), ("visibility", "public")]).await;
    let (mut of_ana, mut of_ben) = (Live::open(&ana, &code, None).await, Live::open(&ben, &code, None).await);
    of_ben.say(json!({"do": "sit", "seat": 1, "nickname": "ben"})).await;
    of_ana.await_a("began").await;
    let _of_eve = Live::open(&eve, &code, None).await;
    while of_ana.await_a("watching").await["count"] != 1 {}
    drop(_of_eve);
    while of_ana.await_a("watching").await["count"] != 0 {}
}
