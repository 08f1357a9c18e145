//! Rated games, reserved seats, and tables opened by programs: who may and who may not.

use palestra_games::{AnyGame, GameKind};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use crate::people::somebody;
use crate::replay::messages;
use crate::site::{Browser, Live, Seen, Site, send};

const START: &str = "1:0,4,4,4,4,4,4/0,4,4,4,4,4,4";

/// A rated game of Mancala between ana and ben.
pub(crate) struct RatedGame {
    pub(crate) ana: Browser,
    pub(crate) ben: Browser,
    pub(crate) moves: Vec<String>,
    lives: [Live; 2],
}

impl RatedGame {
    pub(crate) async fn begin(site: &Site) -> Self {
        let (ana, ben) = (somebody(site, "ana").await, somebody(site, "ben").await);
        let fields = [("game", "mancala"), ("seat2", "reserved"), ("reserved2", "ben"), ("rated", "yes")];
        let code = ana.open_table(&fields).await;
        let mut lives = [Live::open(&ana, &code, None).await, Live::open(&ben, &code, None).await];
        lives[1].say(json!({"do": "sit", "seat": 1})).await;
        lives[0].await_a("began").await;
        Self { ana, ben, moves: vec![], lives }
    }

    /// The position on the board.
    pub(crate) fn position(&self) -> Box<dyn AnyGame> {
        after(&self.moves)
    }

    pub(crate) async fn play(&mut self, mv: &str) {
        let ply = self.moves.len() as u64;
        self.lives[self.position().turn().index()].play(ply, mv).await;
        self.moves.push(mv.to_owned());
    }

    /// The second player gives up.
    pub(crate) async fn end(&mut self) {
        self.lives[1].say(json!({"do": "resign"})).await;
        self.lives[0].await_a("ended").await;
    }
}

/// The position of Mancala after some moves.
pub(crate) fn after(moves: &[String]) -> Box<dyn AnyGame> {
    let mut position = (GameKind::find("mancala").unwrap().start)("-").unwrap();
    for mv in moves {
        position.play(mv).unwrap();
    }
    position
}

async fn analyse(browser: &Browser, position: &str) -> Seen {
    let wanted = json!({"game": "mancala", "position": position, "states": 100});
    send(browser.client().post(browser.address("/api/v1/analyse")).json(&wanted)).await
}

/// What is said of each position of a line; nothing if the question is refused.
async fn evaluated(browser: &Browser, wanted: Value) -> Vec<String> {
    let seen = send(browser.client().post(browser.address("/api/v1/evaluate")).json(&wanted)).await;
    messages(&seen).iter().map(|message| message["is"].as_str().unwrap().to_owned()).collect()
}

/// All positions after one move.
fn after_a_move(position: &str) -> Vec<String> {
    let position = (GameKind::find("mancala").unwrap().parse)(position).unwrap();
    let after = |mv: &String| {
        let mut child = position.boxed_clone();
        child.play(mv).unwrap();
        child.notation()
    };
    position.moves().iter().map(after).collect()
}

#[tokio::test]
async fn nobody_is_helped_in_a_rated_game() {
    let site = Site::open().await;
    let (ana, ben) = (somebody(&site, "ana").await, somebody(&site, "ben").await);
    let stranger = Browser::new(&site);
    let code =
        ana.open_table(&[("game", "mancala"), ("seat2", "reserved"), ("reserved2", "BEN"), ("rated", "yes")]).await;
    let (mut of_ana, mut of_ben) = (Live::open(&ana, &code, None).await, Live::open(&ben, &code, None).await);
    assert_eq!(analyse(&ana, START).await.status, 200, "it has not begun");
    let casual = ana.open_table(&[("game", "mancala"), ("seat2", "ninja1")]).await;
    let mut of_casual = Live::open(&ana, &casual, None).await;
    of_ben.say(json!({"do": "sit", "seat": 1})).await;
    of_ana.await_a("began").await;
    of_ana.play(0, "1").await;
    for seats in [[("seat1", "me"), ("seat2", "maestro")], [("seat1", "maestro"), ("seat2", "open")]] {
        let refused = ana.post("/tables", &[&[("game", "mancala")], &seats[..]].concat()).await;
        assert_eq!(refused.status, 422, "nor does a built-in player play for her");
    }
    of_casual.say(json!({"do": "move", "ply": 0, "text": "1"})).await;
    assert!(of_casual.await_a("refused").await["text"].as_str().unwrap().contains("rated"));
    let mut position = (GameKind::find("mancala").unwrap().parse)(START).unwrap();
    position.play("1").unwrap();
    let now = &*position.notation();
    // What is in the stores does not change what is best.
    let (turn, rows) = now.split_once(':').unwrap();
    let [one, two] = [0, 1].map(|row| rows.split('/').nth(row).unwrap().split_once(',').unwrap());
    let alike = format!("{turn}:{},{}/{},{}", two.0, one.1, one.0, two.1);
    assert_ne!(alike, now);
    for player in [&ana, &ben] {
        for position in [START, now] {
            let seen = analyse(player, position).await;
            assert_eq!(seen.status, 422, "{seen:?}");
        }
    }
    assert_eq!(analyse(&stranger, now).await.status, 422, "nobody gets help for that position");
    assert_eq!(analyse(&stranger, &alike).await.status, 422, "nor for one that is as good as it");
    assert_eq!(analyse(&stranger, START).await.status, 422, "nor for the one before it");
    for child in after_a_move(now) {
        assert_eq!(analyse(&stranger, &child).await.status, 422, "nor for one that comes next: {child}");
        for grandchild in after_a_move(&child) {
            assert_eq!(analyse(&stranger, &grandchild).await.status, 422, "nor for one after that: {grandchild}");
        }
    }
    let wanted = json!({"game": "mancala", "position": after_a_move(now)[0]});
    let stream = stranger.client().post(stranger.address("/api/analyse/stream")).json(&wanted);
    assert_eq!(send(stream).await.status, 422, "nor on the page");
    assert_eq!(evaluated(&stranger, json!({"game": "mancala", "moves": ["1"]})).await, ["hidden", "hidden"]);
    assert_eq!(evaluated(&ana, json!({"game": "mancala", "moves": ["1"]})).await, [""; 0], "nor as a line of play");
    let by_moves = json!({"game": "mancala", "moves": ["1", "1"], "states": 100});
    let seen = send(stranger.client().post(stranger.address("/api/v1/analyse")).json(&by_moves)).await;
    assert_eq!(seen.status, 422, "nor by the moves that lead there");
    let far = "1:8,0,0,0,4,4,4/8,4,4,4,4,4,0";
    assert_eq!(analyse(&stranger, far).await.status, 200, "another game is another matter");
    of_ben.say(json!({"do": "take_back"})).await;
    assert!(of_ben.await_a("refused").await["text"].as_str().unwrap().contains("rated"));
    of_ben.say(json!({"do": "resign"})).await;
    let ended = of_ana.await_a("ended").await["state"]["ended"].clone();
    assert_eq!(analyse(&ana, now).await.status, 200, "it is over");
    assert_eq!(evaluated(&ana, json!({"game": "mancala", "moves": ["1"]})).await, ["ply", "ply"]);
    let page = stranger.get(&format!("/games/{}", ended["game"].as_str().unwrap())).await.text;
    assert!(page.contains("ana") && page.contains("ben"));
    assert!(!page.contains("Real") && !page.contains("example.org"), "no names, no addresses");
}

#[tokio::test]
async fn a_line_of_the_engine_ends_where_a_rated_game_begins_to_be_near() {
    let site = Site::open().await;
    let stranger = Browser::new(&site);
    let wanted = json!({"game": "mancala", "depth": 6});
    let post =
        async |path: &str, wanted: &Value| send(stranger.client().post(stranger.address(path)).json(wanted)).await;
    let line = async || -> Vec<String> {
        let found: Value = serde_json::from_str(&post("/api/v1/analyse", &wanted).await.text).unwrap();
        serde_json::from_value(found["lines"][0]["moves"].clone()).unwrap()
    };
    let best = line().await;
    assert!(best.len() > 4, "{best:?}");
    let mut game = RatedGame::begin(&site).await;
    for number in 0..9 {
        let mv = best.get(number).cloned().unwrap_or_else(|| game.position().moves()[0].clone());
        game.play(&mv).await;
    }
    // The start is no secret any more. What comes after the first move is.
    assert_eq!(line().await, best[..1], "the analysis of programs");
    let last = messages(&post("/api/analyse/stream", &wanted).await).pop().unwrap();
    assert_eq!((&last["is"], &last["lines"][0]["moves"]), (&json!("end"), &json!(best[..1])), "that of pages");
    let all = messages(&post("/api/v1/evaluate", &json!({"game": "mancala"})).await);
    assert_eq!(all[0]["best"].as_array().unwrap().len(), 1, "the evaluation of a game: {all:?}");
    game.end().await;
    assert_eq!(line().await, best);
}

#[tokio::test]
async fn a_reserved_seat_is_for_whom_it_is() {
    let site = Site::open().await;
    let (ana, ben, eve) = (somebody(&site, "ana").await, somebody(&site, "ben").await, somebody(&site, "eve").await);
    let guest = Browser::new(&site);
    guest.get("/").await;
    let code = ana.open_table(&[("game", "mancala"), ("seat2", "reserved"), ("reserved2", "ben")]).await;
    for (browser, nickname) in [(&eve, None), (&guest, Some("Ben"))] {
        let mut live = Live::open(browser, &code, None).await;
        live.say(json!({"do": "sit", "seat": 1, "nickname": nickname})).await;
        live.await_a("refused").await;
    }
    let bot = format!("/t/{code}/bot?name=ben2");
    let request =
        guest.client().get(guest.address(&bot)).header("connection", "upgrade").header("upgrade", "websocket");
    let request = request.header("sec-websocket-version", "13").header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    assert_eq!(request.send().await.unwrap().status(), 422, "nor is it for programs");
    let mut live = Live::open(&ben, &code, None).await;
    live.say(json!({"do": "sit", "seat": 1})).await;
    live.await_a("began").await;
    let refused = ana.post("/tables", &[("game", "mancala"), ("seat2", "reserved"), ("reserved2", "nobody")]).await;
    assert_eq!(refused.status, 422);
    let rated = guest.post("/tables", &[("game", "mancala"), ("seat2", "open"), ("rated", "yes")]).await;
    assert_eq!(rated.status, 401);
    let rated = ana.post("/tables", &[("game", "mancala"), ("seat2", "ninja1"), ("rated", "yes")]).await;
    assert_eq!(rated.status, 422);
}

#[tokio::test]
async fn a_reserved_seat_stays_with_the_account_that_changes_its_nickname() {
    let site = Site::open().await;
    let (ana, ben, eve) = (somebody(&site, "ana").await, somebody(&site, "ben").await, somebody(&site, "eve").await);
    let code = ana.open_table(&[("game", "mancala"), ("seat2", "reserved"), ("reserved2", "ben")]).await;
    ben.post("/settings/profile", &[("name", "Ben"), ("nickname", "benito")]).await;
    let seen = eve.post("/settings/profile", &[("name", "Eve"), ("nickname", "ben")]).await;
    assert_eq!(seen.status, 200, "the nickname is free");
    let mut of_eve = Live::open(&eve, &code, None).await;
    of_eve.say(json!({"do": "sit", "seat": 1})).await;
    let answer = of_eve.next_of(&["refused", "began"]).await;
    assert_eq!(answer["text"], "The seat is reserved for someone else.", "{answer}");
    let mut of_ben = Live::open(&ben, &code, None).await;
    of_ben.say(json!({"do": "sit", "seat": 1})).await;
    of_ben.await_a("began").await;
}

#[tokio::test]
async fn a_table_saved_with_a_nickname_alone_is_for_the_account_that_has_it() {
    let site = Site::open().await;
    let (ana, ben, eve) = (somebody(&site, "ana").await, somebody(&site, "ben").await, somebody(&site, "eve").await);
    let code = ana.open_table(&[("game", "mancala"), ("seat2", "reserved"), ("reserved2", "ben")]).await;
    let folder = site.close().await;
    let database = folder.path().join("data/palestra.db");
    let mut connection = SqliteConnectOptions::new().filename(database).connect().await.unwrap();
    let (state,): (String,) = sqlx::query_as("SELECT state FROM tables").fetch_one(&mut connection).await.unwrap();
    let (before, rest) = state.split_once("{\"reserved\":{").unwrap();
    let old = format!("{before}{{\"reserved\":\"ben\"{}", rest.split_once('}').unwrap().1);
    sqlx::query("UPDATE tables SET state = $1").bind(&old).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();

    let site = Site::open_in(folder, |_| {}).await;
    let (ben, eve) = (ben.moved_to(&site), eve.moved_to(&site));
    let mut of_eve = Live::open(&eve, &code, None).await;
    of_eve.say(json!({"do": "sit", "seat": 1})).await;
    assert_eq!(of_eve.next_of(&["refused", "began"]).await["is"], "refused");
    let mut of_ben = Live::open(&ben, &code, None).await;
    of_ben.say(json!({"do": "sit", "seat": 1})).await;
    of_ben.await_a("began").await;
}

#[tokio::test]
async fn what_makes_no_sense_opens_no_table() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    for fields in [
        &[("game", "chess")][..],
        &[("game", "mancala"), ("options", "nonsense")],
        &[("game", "mancala"), ("seat2", "ninja9")],
        &[("game", "mancala"), ("seat2", "own:mine")],
        &[("game", "mancala"), ("seat2", "human")],
        &[("game", "mancala"), ("clock", "sundial")],
        &[("game", "mancala"), ("clock", "turn"), ("seconds", "0")],
        &[("game", "mancala"), ("clock", "game"), ("seconds", "99999999")],
        &[("game", "mancala"), ("seconds", "-1")],
        &[("game", "mancala"), ("games", "3")],
        &[("game", "mancala"), ("visibility", "secret")],
        &[("game", "mancala"), ("illegal", "perhaps")],
    ] {
        let seen = browser.post("/tables", fields).await;
        assert_eq!(seen.status, 422, "{fields:?} {seen:?}");
    }
    assert!(browser.get("/t/nothing").await.status == 404);
}

#[tokio::test]
async fn a_guest_cannot_take_somebodys_name() {
    let site = Site::open().await;
    somebody(&site, "ana").await;
    let guest = Browser::new(&site);
    let seen = guest.post("/tables", &[("game", "mancala"), ("nickname", "ANA")]).await;
    assert_eq!(seen.status, 422);
    let code = guest.open_table(&[("game", "mancala"), ("nickname", "</script>\u{202e}\u{1b}[31m")]).await;
    let mut live = Live::open(&guest, &code, None).await;
    let name = live.await_a("table").await["table"]["state"]["seats"][0]["name"].clone();
    assert_eq!(name, "</script>[31m", "the page escapes it");
    live.say(json!({"do": "resign"})).await;
    let ended = live.await_a("ended").await["state"]["ended"].clone();
    let page = guest.get(&format!("/games/{}", ended["game"].as_str().unwrap())).await.text;
    assert!(!page.contains("</script>[31m"), "{page}");
}
