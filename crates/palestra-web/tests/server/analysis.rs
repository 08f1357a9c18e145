//! Analysis, for programs and as a page.

use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use palestra_games::GameKind;
use palestra_search::engine::{Engine, Limits, Settings, States, any_search};
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

use crate::site::{Browser, Seen, Site, send};

fn asking(site: &Site, wanted: &Value) -> RequestBuilder {
    Client::new().post(format!("{}/api/v1/analyse", site.url)).json(wanted)
}

async fn ask(site: &Site, wanted: &Value) -> Seen {
    send(asking(site, wanted)).await
}

fn json_of(seen: &Seen) -> Value {
    serde_json::from_str(&seen.text).unwrap_or_else(|_| panic!("{seen:?}"))
}

#[tokio::test]
async fn what_is_found_is_what_the_library_finds() {
    let site = Site::open().await;
    for (game, options) in [("mancala", "-"), ("conecta4boom", "-"), ("parchis", "ALTERNED"), ("bandera", "lagoon")] {
        let states = 2000;
        let wanted = json!({"game": game, "options": options, "lines": 2, "states": states});
        let found = json_of(&ask(&site, &wanted).await);
        let position = (GameKind::find(game).unwrap().start)(options).unwrap();
        let mut engine = Engine::new(Settings { memory: 16 << 20, ..Settings::default() }).unwrap();
        let limits = Limits { lines: 2, ..Limits::default() };
        let report = any_search(&mut engine, &*position, "strong", limits, &mut States(states), &mut |_| {}).unwrap();
        let lines: Vec<Value> = report
            .lines
            .iter()
            .map(|line| json!({"score": line.worth.to_string(), "value": line.worth.number(), "moves": line.moves}))
            .collect();
        assert_eq!(found["lines"], json!(lines), "{game}");
        assert_eq!((&found["depth"], &found["nodes"]), (&json!(report.depth), &json!(report.nodes)), "{game}");
    }
}

#[tokio::test]
async fn moves_lead_to_the_position() {
    let site = Site::open().await;
    let by_moves = json!({"game": "mancala", "moves": ["4", "1"], "states": 1000});
    let mut position = (GameKind::find("mancala").unwrap().start)("-").unwrap();
    for mv in ["4", "1"] {
        position.play(mv).unwrap();
    }
    let by_position = json!({"game": "mancala", "position": position.notation(), "states": 1000});
    let [one, two] = [json_of(&ask(&site, &by_moves).await), json_of(&ask(&site, &by_position).await)];
    assert_eq!((&one["lines"], &one["nodes"]), (&two["lines"], &two["nodes"]));
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_in_words() {
    let site = Site::open().await;
    let over = "1:24,0,0,0,0,0,0/24,0,0,0,0,0,0";
    for (wanted, words) in [
        (json!({"game": "chess"}), "There is no game chess"),
        (json!({"game": "mancala", "position": "1:1,4,4,4,4,4,4/0,4,4,4,4,4,4"}), "49 seeds, there must be 48"),
        (json!({"game": "mancala", "moves": ["4", "9"]}), "move 2: "),
        (json!({"game": "mancala", "position": over}), "The game is over in that position"),
        (json!({"game": "mancala", "position": over, "options": "-"}), "not both"),
        (json!({"game": "mancala", "lines": 6}), "1 to 5 lines"),
        (json!({"game": "mancala", "lines": 0}), "1 to 5 lines"),
        (json!({"game": "mancala", "deep": true}), "unknown field"),
        (json!({"game": "mancala", "position": "1".repeat(70_000)}), "Too long"),
        (json!({"game": "mancala", "moves": vec!["1"; 3001]}), "Too long"),
        (json!({"game": "mancala", "position": "1".repeat(200_000)}), "JSON"),
        (json!({"game": "\u{202e}</script>"}), "\\u{202e}</script>"),
    ] {
        let seen = ask(&site, &wanted).await;
        assert_eq!(seen.status, 422, "{seen:?}");
        let message = json_of(&seen)["detail"].as_str().unwrap().to_owned();
        assert!(message.contains(words), "{message}");
    }
    let spanish = asking(&site, &json!({"game": "chess"})).header("accept-language", "es");
    assert!(send(spanish).await.text.contains("No existe el juego chess"));
}

#[tokio::test]
async fn other_sites_cannot_ask() {
    let site = Site::open().await;
    let wanted = json!({"game": "mancala", "states": 10});
    let from = |origin: &str| send(asking(&site, &wanted).header("origin", origin.to_owned()));
    assert_eq!(from("http://evil.example").await.status, 403);
    assert_eq!(from(&site.url).await.status, 200);
    let as_form = Client::new().post(format!("{}/api/v1/analyse", site.url)).header("content-type", "text/plain");
    assert_eq!(send(as_form.body(wanted.to_string())).await.status, 422, "only JSON");
}

#[tokio::test]
async fn one_visitor_asks_one_thing_at_a_time() {
    let site = Site::open_with(|config| config.threads = 1).await;
    let browser = Browser::new(&site);
    browser.get("/").await;
    let ask = || send(browser.client().post(browser.address("/api/v1/analyse")).json(&json!({"game": "mancala"})));
    let seen = join_all([ask(), ask(), ask()]).await;
    let refused: Vec<&Seen> = seen.iter().filter(|seen| seen.status == 429).collect();
    assert!(!refused.is_empty() && refused.len() < 3, "{seen:?}");
    let wait: u64 = refused[0].headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=5).contains(&wait), "{wait} s");
    assert_eq!(ask().await.status, 200, "and then the next");
}

#[tokio::test]
async fn one_address_cannot_have_the_whole_queue() {
    let site = Site::open_with(|config| config.threads = 1).await;
    let wanted = json!({"game": "mancala"});
    let mut asked: FuturesUnordered<_> = (0..60).map(|_| ask(&site, &wanted)).collect();
    while let Some(seen) = asked.next().await {
        if seen.status == 429 {
            assert!(seen.headers.contains_key("retry-after"));
            assert_eq!(json_of(&seen)["key"], "limited");
            return;
        }
    }
    panic!("all were let in");
}
