//! How many queries the server sends to its database. PostgreSQL's are counted: its driver logs them from the task that
//! sends them, and a test has one thread.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Metadata, Subscriber};

use crate::people::somebody;
use crate::site::{Live, Site};
use crate::trouble::Schema;

/// The queries of this thread, since it was made.
struct Queries {
    log: Arc<Mutex<Vec<String>>>,
    _guard: DefaultGuard,
}

impl Queries {
    fn count() -> Self {
        let log = Arc::new(Mutex::new(vec![]));
        let guard = tracing::subscriber::set_default(QueryLog(log.clone()));
        Self { log, _guard: guard }
    }

    /// The queries with this text.
    fn with(&self, text: &str) -> Vec<String> {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.iter().filter(|query| query.contains(text)).cloned().collect()
    }
}

struct QueryLog(Arc<Mutex<Vec<String>>>);

impl Subscriber for QueryLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut text = Text(String::new());
        event.record(&mut text);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(text.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// All fields of an event.
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, _: &Field, value: &dyn std::fmt::Debug) {
        self.0.push_str(&format!("{value:?} "));
    }
}

#[tokio::test]
async fn a_start_with_many_tables_takes_few_queries() {
    const COPIES: usize = 500;
    let schema = Schema::create().await;
    let site = Site::open_with(|config| config.database = Some(schema.address())).await;
    let (ana, ben) = (somebody(&site, "ana").await, somebody(&site, "ben").await);
    let code = ana.open_table(&[("game", "mancala"), ("seat2", "reserved"), ("reserved2", "ben")]).await;
    let mut live = Live::open(&ben, &code, None).await;
    live.say(json!({"do": "sit", "seat": 1})).await;
    live.await_a("began").await;
    drop(live);
    let folder = site.close().await;
    let numbers = format!("generate_series(1, {COPIES}) AS number");
    schema
        .run_inside(&format!(
            "INSERT INTO tables (id, code, state, clock_ms, saved_ms, created_ms)
             SELECT id + number, 'copy' || number, state, clock_ms, saved_ms, created_ms FROM tables, {numbers};
             INSERT INTO table_messages (table_code, seq, body)
             SELECT 'copy' || number, seq, body FROM table_messages, {numbers} WHERE table_code = '{code}';"
        ))
        .await;

    let queries = Queries::count();
    let site = Site::open_in(folder, |config| config.database = Some(schema.address())).await;
    let sent = queries.with("SELECT");
    assert!(!queries.with("table_messages").is_empty(), "the queries are seen: {sent:?}");
    assert!(sent.len() < 30, "{} queries for {COPIES} tables: {sent:?}", sent.len());
    let mut last = Live::open(&ben.moved_to(&site), &format!("copy{COPIES}"), Some(0)).await;
    assert_eq!(last.await_a("you").await["seats"], json!([1]));
    last.await_a("began").await;
    site.close().await;
    schema.remove().await;
}

#[tokio::test]
async fn a_move_does_not_look_up_the_session() {
    let schema = Schema::create().await;
    let site = Site::open_with(|config| config.database = Some(schema.address())).await;
    let ana = somebody(&site, "ana").await;
    let code = ana.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let mut live = Live::open(&ana, &code, None).await;
    let mut moved = live.play(0, "1").await;
    let queries = Queries::count();
    for ply in 1..6 {
        let choice = moved["state"]["scene"]["choices"][0]["text"].as_str().unwrap().to_owned();
        moved = live.play(ply, &choice).await;
    }
    assert_eq!(queries.with("INSERT INTO tables").len(), 5, "the queries are seen");
    // A ping looks too, and may come in between.
    let lookups = queries.with("FROM sessions");
    assert!(lookups.len() <= 1, "{lookups:?}");
    live.say(json!({"do": "chat", "text": "hola"})).await;
    assert_eq!(live.await_a("chat").await["text"], "hola");
    ana.post("/sign-out", &[]).await;
    live.say(json!({"do": "chat", "text": "adios"})).await;
    while let Some(message) = live.next().await {
        assert_ne!(message["is"], "chat", "it is signed out");
    }
    site.close().await;
    schema.remove().await;
}
