//! How the threads that think are shared between visitors.

use futures_util::future::{join_all, select_all};
use serde_json::{Value, json};

use crate::people::somebody;
use crate::site::{Browser, Live, Site, send};

/// The deepest player that is allowed at tables, in a game with slow evaluations.
const DEEP: &str = "alphabeta:10";

/// Opens tables at which two deep players play each other.
async fn deep_tables(browser: &Browser, count: usize) -> Vec<String> {
    let mut codes = vec![];
    for _ in 0..count {
        codes.push(browser.open_table(&[("game", "parchis"), ("seat1", DEEP), ("seat2", DEEP)]).await);
    }
    codes
}

async fn look_at(browser: &Browser, codes: &[String]) -> Vec<Live> {
    join_all(codes.iter().map(|code| Live::open(browser, code, None))).await
}

/// How many moves were made at a table before somebody looked.
async fn moves_at(live: &mut Live) -> usize {
    live.await_a("table").await["table"]["moves"].as_array().unwrap().len()
}

#[tokio::test]
async fn textbook_players_have_a_bounded_depth_at_tables() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    for seat in ["alphabeta:11", "alphabeta:60:stores", "minimax:11"] {
        let seen = browser.post("/tables", &[("game", "mancala"), ("seat2", seat)]).await;
        assert_eq!(seen.status, 422, "{seat}");
        assert!(seen.text.contains("at most 10 plies deep"), "{}", seen.text);
    }
    browser.post("/language", &[("lang", "es")]).await;
    let seen = browser.post("/tables", &[("game", "mancala"), ("seat2", "minimax:99")]).await;
    assert!(seen.text.contains("como máximo 10 jugadas"), "{}", seen.text);
    let account = somebody(&site, "ana").await;
    let new = json!({"game": "mancala", "seat1": "alphabeta:60", "seat2": "open"});
    let seen = send(account.client().post(account.address("/api/v1/tables")).json(&new)).await;
    assert_eq!(seen.status, 422, "accounts and programs too");
    browser.open_table(&[("game", "mancala"), ("seat2", "alphabeta:10:stores")]).await;
}

#[tokio::test]
async fn deep_players_do_not_starve_an_analysis() {
    let site = Site::open_with(|config| config.threads = 1).await;
    let greedy = Browser::new(&site);
    let codes = deep_tables(&greedy, 8).await;
    let mut live = look_at(&greedy, &codes).await;
    // The thread is busy, and there is always more to do.
    live[0].await_a("moved").await;
    let other = Browser::new(&site);
    let wanted = json!({"game": "mancala", "states": 50});
    let mut analysis = Box::pin(send(other.client().post(other.address("/api/v1/analyse")).json(&wanted)));
    let mut moves = 0;
    loop {
        let moved = select_all(live.iter_mut().map(|live| Box::pin(live.next())));
        tokio::select! {
            seen = &mut analysis => {
                assert_eq!(seen.status, 200, "{seen:?}");
                break;
            }
            (message, ..) = moved => moves += usize::from(is_move(message.as_ref())),
        }
    }
    // One that runs, and some that were on their way already; without a share all games would have to end first.
    assert!(moves <= 16, "{moves} moves went before");
}

fn is_move(message: Option<&Value>) -> bool {
    message.is_some_and(|message| message["is"] == "moved")
}

#[tokio::test]
async fn nothing_is_computed_for_tables_that_nobody_looks_at() {
    const TABLES: usize = 12;
    let site = Site::open_with(|config| config.threads = 1).await;
    let browser = Browser::new(&site);
    let codes = deep_tables(&browser, TABLES).await;
    let mut live = look_at(&browser, &codes).await;
    // All of them have asked for a move once one was made: they wait for the one thread.
    live[0].await_a("moved").await;
    drop(live);
    // What waited before this goes first if it was not dropped: a person's opponent, of the same owner.
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "ninja1")]).await;
    let mut own = Live::open(&browser, &code, None).await;
    own.play(0, "1").await;
    while own.await_a("moved").await["seat"] != 1 {}
    let mut again = look_at(&browser, &codes).await;
    let mut moves = 0;
    for live in &mut again {
        moves += moves_at(live).await;
    }
    assert!(moves < TABLES / 2, "{moves} moves were made at {TABLES} tables");
    again[0].await_a("moved").await;
}
