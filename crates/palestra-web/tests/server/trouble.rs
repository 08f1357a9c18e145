//! Live tables whose database cannot do what it is asked, and such on PostgreSQL.

use std::time::{Duration, Instant};

use serde_json::json;
use sqlx::postgres::PgConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::site::{Browser, Live, Site, WAIT_LIMIT};

async fn impatient() -> Site {
    Site::open_with(|config| config.database_timeout = Duration::from_millis(500)).await
}

/// Somebody else who uses the file of a server.
async fn intruder(site: &Site) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(site.folder.path().join("data/palestra.db"));
    options.busy_timeout(Duration::ZERO).connect().await.unwrap()
}

/// Takes the write lock of a database. The server writes often, and SQLite's own wait backs off too far to find a gap.
async fn lock(intruder: &mut SqliteConnection) {
    let begun = Instant::now();
    while let Err(error) = sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *intruder).await {
        assert!(begun.elapsed() < WAIT_LIMIT, "the database was not to be locked: {error}");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

async fn unlock(intruder: &mut SqliteConnection) {
    sqlx::raw_sql("ROLLBACK").execute(intruder).await.unwrap();
}

#[tokio::test]
async fn a_move_that_cannot_be_kept_is_refused_and_can_be_made_later() {
    let site = impatient().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    live.play(0, "1").await;
    let seen = live.seq;
    let mut intruder = intruder(&site).await;
    lock(&mut intruder).await;

    live.say(json!({"do": "move", "ply": 1, "text": "1"})).await;
    let refused = live.await_a("refused").await;
    assert_eq!(refused["text"], "The database is busy. Nothing was changed; try again in a moment.");
    let mut other = Live::open(&browser, &code, None).await;
    let table = other.await_a("table").await;
    assert_eq!((&table["seq"], &table["table"]["state"]["ply"]), (&json!(seen), &json!(1)), "it was not played");
    let page = browser.post("/tables", &[("game", "mancala")]).await;
    assert_eq!(page.status, 503);
    assert!(page.text.contains("The database is busy."), "{}", page.text);
    assert_eq!(browser.get(&format!("/t/{code}")).await.status, 200, "one can look meanwhile");
    let metrics = browser.get("/metrics").await.text;
    assert!(metrics.contains("palestra_store_errors_total{kind=\"busy\"} "), "{metrics}");

    unlock(&mut intruder).await;
    live.say(json!({"do": "move", "ply": 1, "text": "1"})).await;
    for watching in [&mut live, &mut other] {
        let moved = watching.await_a("moved").await;
        assert_eq!((&moved["seq"], &moved["state"]["ply"]), (&json!(seen + 1), &json!(2)), "no number is left out");
    }
}

#[tokio::test]
async fn who_is_there_is_known_again_when_the_database_is() {
    let site = impatient().await;
    let (ana, ben) = (Browser::new(&site), Browser::new(&site));
    ben.get("/").await;
    let code = ana.open_table(&[("game", "mancala"), ("seat2", "open"), ("clock", "game")]).await;
    let (mut of_ana, mut of_ben) = (Live::open(&ana, &code, None).await, Live::open(&ben, &code, None).await);
    of_ben.say(json!({"do": "sit", "seat": 1, "nickname": "ben"})).await;
    of_ana.await_a("began").await;
    let mut intruder = intruder(&site).await;
    lock(&mut intruder).await;
    drop(of_ben);
    // The table cannot keep that he is gone: this is refused after that.
    of_ana.await_a("watching").await;
    of_ana.say(json!({"do": "draw"})).await;
    of_ana.await_a("refused").await;
    unlock(&mut intruder).await;
    assert_eq!(of_ana.await_a("dropped").await["seat"], 1);
    lock(&mut intruder).await;
    let mut of_ben = Live::open(&ben, &code, None).await;
    of_ben.say(json!({"do": "draw"})).await;
    of_ben.await_a("refused").await;
    unlock(&mut intruder).await;
    assert_eq!(of_ana.await_a("back").await["seat"], 1);
}

#[tokio::test]
async fn built_in_players_go_on_when_the_database_does() {
    let site = impatient().await;
    let browser = Browser::new(&site);
    let mut intruder = intruder(&site).await;
    let code = browser.open_table(&[("game", "bandera"), ("seat1", "random"), ("seat2", "random")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    live.await_a("moved").await;
    lock(&mut intruder).await;
    let mut late = Live::open(&browser, &code, None).await;
    let table = late.await_a("table").await;
    assert_eq!(table["table"]["state"]["status"], "playing", "or this test is too slow for the game");
    let seen = table["seq"].as_u64().unwrap();
    // They wait for the database in order: when this is refused, so were the players.
    assert_eq!(browser.post("/tables", &[("game", "mancala")]).await.status, 503);
    unlock(&mut intruder).await;
    let mut next = seen;
    while late.seq <= seen + 20 {
        let message = late.next().await.unwrap();
        if let Some(seq) = message["seq"].as_u64() {
            next += 1;
            assert_eq!(seq, next, "{message}");
        }
    }
}

/// A schema of its own in the PostgreSQL for tests.
pub(crate) struct Schema(String);

impl Schema {
    pub(crate) async fn create() -> Self {
        let schema = Self(format!("web_{}", palestra_store::code()));
        schema.run(&format!("CREATE SCHEMA {}", schema.0)).await;
        schema
    }

    pub(crate) async fn remove(self) {
        self.run(&format!("DROP SCHEMA {} CASCADE", self.0)).await;
    }

    /// Runs SQL on the tables of this schema.
    pub(crate) async fn run_inside(&self, sql: &str) {
        self.run(&format!("SET search_path TO {}; {sql}", self.0)).await;
    }

    async fn run(&self, sql: &str) {
        let mut connection = PgConnection::connect(&Self::server()).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    }

    /// As the tests of the store do: test.sh starts it.
    fn server() -> String {
        std::env::var("PALESTRA_TEST_POSTGRES").expect("PALESTRA_TEST_POSTGRES is set: run ./test.sh")
    }

    pub(crate) fn address(&self) -> String {
        let server = Self::server();
        let sign = if server.contains('?') { '&' } else { '?' };
        format!("{server}{sign}options[search_path]={}", self.0)
    }
}

#[tokio::test]
async fn tables_live_on_postgresql_too() {
    let schema = Schema::create().await;
    let site = Site::open_with(|config| config.database = Some(schema.address())).await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me"), ("clock", "game"), ("seconds", "600")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    live.play(0, "1").await;
    let seen = live.play(1, "1").await;
    let folder = site.close().await;

    let site = Site::open_in(folder, |config| config.database = Some(schema.address())).await;
    let browser = browser.moved_to(&site);
    let mut live = Live::open(&browser, &code, Some(seen["seq"].as_u64().unwrap() - 1)).await;
    let again = live.await_a("moved").await;
    assert_eq!((&again["seq"], &again["state"]["scene"]), (&seen["seq"], &seen["state"]["scene"]));
    live.play(2, "3").await;
    live.say(json!({"do": "resign"})).await;
    let ended = live.await_a("ended").await["state"]["ended"].clone();
    let record = browser.get(&format!("/games/{}/record", ended["game"].as_str().unwrap())).await;
    assert_eq!(record.status, 200);
    assert!(record.text.contains("\n1 {") && record.text.contains("} 3 {"), "{}", record.text);
    site.close().await;
    schema.remove().await;
}
