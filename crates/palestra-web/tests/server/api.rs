//! The addresses for programs: problems, pages of lists, and the document that describes them.

use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

use crate::people::somebody;
use crate::schema::violations;
use crate::site::{Browser, Seen, Site, send};
use crate::token::create;

fn json_of(seen: &Seen) -> Value {
    serde_json::from_str(&seen.text).unwrap_or_else(|error| panic!("{error}: {seen:?}"))
}

/// The document, as a program reads it.
pub(crate) async fn document(site: &Site) -> Value {
    json_of(&send(Client::new().get(format!("{}/api/v1/openapi.json", site.url))).await)
}

/// The addresses of the document that take this method.
pub(crate) fn addresses(document: &Value, method: &str) -> Vec<String> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths.filter(|(_, path)| path.get(method).is_some()).map(|(address, _)| address.clone()).collect()
}

fn assert_problem(seen: &Seen, status: u16, key: &str) {
    assert_eq!(seen.status, status, "{seen:?}");
    assert_eq!(seen.headers["content-type"], "application/problem+json", "{seen:?}");
    let problem = json_of(seen);
    let title = seen.status.canonical_reason().unwrap();
    let known = (&problem["type"], &problem["title"], &problem["status"], &problem["key"]);
    assert_eq!(known, (&json!("about:blank"), &json!(title), &json!(status), &json!(key)), "{seen:?}");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains(' ')), "{seen:?}");
}

#[tokio::test]
async fn errors_are_problems() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    let token = create(&ada, "player", &["play"]).await;
    let of = |path: &str| ada.address(&format!("/api/v1{path}"));
    let to = |path: &str| Client::new().get(of(path)).bearer_auth(&token);
    let stranger = send(Client::new().get(of("/me"))).await;
    assert_problem(&stranger, 401, "sign_in");
    assert_eq!(stranger.headers["www-authenticate"], "Bearer");
    assert_problem(&send(Client::new().get(of("/me")).bearer_auth("abcdefghijkmnpqrstuvwxyz23")).await, 401, "sign_in");
    assert_problem(&send(to("/me")).await, 403, "forbidden");
    assert_problem(&send(to("/nothing")).await, 404, "not_found");
    assert_problem(&send(to("/")).await, 404, "not_found");
    let post = |body: &Value| Client::new().post(of("/analyse")).json(body);
    assert_problem(&send(post(&json!({"game": "mancala", "lines": 9}))).await, 422, "analyse.lines");
    assert_problem(&send(post(&json!({"game": 7}))).await, 422, "refused.json");
    assert_problem(
        &send(post(&json!({"game": "mancala"})).header("origin", "http://evil.example")).await,
        403,
        "stale",
    );
    let method = send(Client::new().delete(of("/me"))).await;
    assert_problem(&method, 405, "method");
    assert_eq!(method.headers["allow"], "GET,HEAD");
    let spanish = send(to("/me").header("accept-language", "es")).await;
    assert_eq!(json_of(&spanish)["detail"], "No puedes hacer eso.");
}

#[tokio::test]
async fn what_another_site_sends_is_refused_for_every_address() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    for address in addresses(&document(&site).await, "post") {
        let request = ada.client().post(ada.address(&address)).json(&json!({})).header("origin", "http://evil.example");
        assert_problem(&send(request).await, 403, "stale");
    }
}

#[tokio::test]
async fn old_addresses_answer_the_same_and_say_where_they_moved() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    let token = create(&ada, "all", &["read", "play", "analyse"]).await;
    let get = async |path: &str| send(Client::new().get(ada.address(path)).bearer_auth(&token)).await;
    let post = async |path: &str, body: &Value| send(Client::new().post(ada.address(path)).json(body)).await;
    let (old, new) = (get("/api/me").await, get("/api/v1/me").await);
    assert_eq!((old.status.as_u16(), &old.text), (200, &new.text));
    assert_eq!(old.headers["link"], "</api/v1/me>; rel=\"successor-version\"");
    assert!(old.headers["deprecation"].to_str().unwrap().starts_with('@') && !new.headers.contains_key("deprecation"));
    for path in ["line", "tree", "tree/compare"] {
        let body = json!({"game": "mancala", "moves": ["4"]});
        let (old, new) = (post(&format!("/api/{path}"), &body).await, post(&format!("/api/v1/{path}"), &body).await);
        assert_eq!((old.status.as_u16(), &old.text), (200, &new.text), "{path}");
        assert_eq!(old.headers["link"], format!("</api/v1/{path}>; rel=\"successor-version\""));
    }
    let refused = post("/api/tables", &json!({"game": "mancala"})).await;
    assert_eq!(json_of(&refused), json!({"error": "sign_in", "message": "You need to sign in for this."}));
    assert!(refused.headers.contains_key("deprecation"));
}

#[tokio::test]
async fn answers_have_the_shape_that_the_document_describes() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    let token = create(&ada, "all", &["read", "play", "analyse"]).await;
    finish_games(&ada, 1).await;
    let document = document(&site).await;
    assert_eq!(document["openapi"], "3.1.0");
    let line = json!({"game": "mancala", "moves": ["4"], "depth": 2});
    let of = |path: &str| ada.address(&format!("/api/v1{path}"));
    let asked: Vec<(&str, &str, RequestBuilder)> = vec![
        ("get", "/me", Client::new().get(of("/me"))),
        ("get", "/games", Client::new().get(of("/games"))),
        ("post", "/analyse", Client::new().post(of("/analyse")).json(&line)),
        ("post", "/evaluate", Client::new().post(of("/evaluate")).json(&json!({"game": "mancala", "moves": ["4"]}))),
        ("post", "/line", Client::new().post(of("/line")).json(&json!({"game": "mancala"}))),
        ("post", "/tree", Client::new().post(of("/tree")).json(&line)),
        ("post", "/tree/compare", Client::new().post(of("/tree/compare")).json(&line)),
        ("post", "/tables", Client::new().post(of("/tables")).json(&json!({"game": "mancala"}))),
    ];
    for (method, path, request) in asked {
        let seen = send(request.bearer_auth(&token)).await;
        let responses = &document["paths"][format!("/api/v1{path}")][method]["responses"];
        let content = &responses[seen.status.as_str()]["content"];
        let kind = seen.headers["content-type"].to_str().unwrap();
        let schema = &content[kind]["schema"];
        assert!(schema.is_object(), "{path}: {} {kind} is not described", seen.status);
        let events = seen.text.split("\n\n").filter_map(|event| event.strip_prefix("data: "));
        let answers: Vec<&str> = if kind == "text/event-stream" { events.collect() } else { vec![&seen.text] };
        assert!(!answers.is_empty());
        for answer in answers {
            let answer = serde_json::from_str(answer).unwrap();
            assert_eq!(violations(&document, schema, &answer), Vec::<String>::new(), "{path}: {answer}");
        }
        let problem = &responses["default"]["content"]["application/problem+json"]["schema"];
        let refused = send(Client::new().patch(of(path))).await;
        assert_eq!(violations(&document, problem, &json_of(&refused)), Vec::<String>::new(), "{refused:?}");
    }
}

/// Plays this many public games, each of which ends at once.
async fn finish_games(browser: &Browser, count: usize) {
    for _ in 0..count {
        let code = browser.open_table(&[("game", "mancala"), ("visibility", "public")]).await;
        let mut live = crate::site::Live::open(browser, &code, None).await;
        live.await_a("table").await;
        live.say(json!({"do": "resign"})).await;
        live.await_a("ended").await;
    }
}

#[tokio::test]
async fn a_list_comes_in_pages() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    let token = create(&ada, "reader", &["read"]).await;
    finish_games(&ada, 3).await;
    let page = async |query: &str| {
        let request = Client::new().get(ada.address(&format!("/api/v1/games{query}"))).bearer_auth(&token);
        json_of(&send(request).await)
    };
    let codes =
        |page: &Value| page["items"].as_array().unwrap().iter().map(|game| game["code"].clone()).collect::<Vec<_>>();
    let all = page("").await;
    assert_eq!((codes(&all).len(), &all["next"]), (3, &Value::Null));
    let first = page("?limit=2").await;
    // A game that ends meanwhile moves nothing.
    finish_games(&ada, 1).await;
    let rest = page(&format!("?limit=2&cursor={}", first["next"].as_str().unwrap())).await;
    assert_eq!([codes(&first), codes(&rest)].concat(), codes(&all));
    assert_eq!(rest["next"], Value::Null);
    assert_eq!(codes(&page("?game=parchis").await), [] as [Value; 0]);
    for (query, key) in [("?limit=0", "api.limit"), ("?limit=x", "api.limit"), ("?cursor=%22", "api.cursor")] {
        let refused = page(query).await;
        assert_eq!((&refused["status"], &refused["key"]), (&json!(422), &json!(key)), "{query}");
    }
}
