//! Tokens with which programs act for somebody.

use reqwest::Client;
use serde_json::{Value, json};

use crate::people::{PASSWORD, admin, email, link, mail, sign_in, somebody};
use crate::site::{Browser, Seen, Site, between, send};

pub(crate) async fn create(browser: &Browser, label: &str, scopes: &[&str]) -> String {
    let mut fields = vec![("label", label)];
    fields.extend(scopes.iter().map(|scope| (*scope, "on")));
    let seen = browser.post("/settings/tokens", &fields).await;
    between(&seen.text, "<code id=\"token\">", "</code>").to_owned()
}

async fn me(site: &Site, token: &str) -> Seen {
    send(Client::new().get(format!("{}/api/v1/me", site.url)).bearer_auth(token)).await
}

#[tokio::test]
async fn a_token_is_shown_once_and_acts_for_its_owner() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    let token = create(&ada, "my bot", &["read", "play"]).await;
    let listed = ada.get("/settings/tokens").await.text;
    assert!(listed.contains("my bot") && listed.contains("read play") && !listed.contains(&token));
    let seen = me(&site, &token).await;
    let answer: Value = serde_json::from_str(&seen.text).unwrap();
    assert_eq!(answer, serde_json::json!({"nickname": "Ada", "role": "student", "scopes": ["read", "play"]}));
    let all = create(&ada, "all", &["read", "play", "analyse", "bots", "course"]).await;
    let answer: Value = serde_json::from_str(&me(&site, &all).await.text).unwrap();
    assert_eq!(answer["scopes"], json!(["read", "play", "analyse", "bots", "course"]));
    assert!(!seen.headers.contains_key("set-cookie"));
}

#[tokio::test]
async fn a_token_may_do_what_was_chosen_and_nothing_else() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    let token = create(&ada, "player", &["play"]).await;
    let refused = me(&site, &token).await;
    assert_eq!(refused.status, 403);
    assert!(refused.text.contains("\"key\":\"forbidden\""), "{refused:?}");
    let page = Client::new().get(ada.address("/settings")).bearer_auth(&token);
    assert_eq!(send(page).await.status, 401, "tokens are for /api/ alone");
    assert_eq!(ada.get("/api/v1/me").await.status, 200, "a browser may do what its account may");
    let both = ada.client().get(ada.address("/api/v1/me")).bearer_auth("abcdefghijkmnpqrstuvwxyz23");
    assert_eq!(send(both).await.status, 401, "who shows a token is not looked up by cookie");
    for wrong in ["", "x", "Bearer", "ä"] {
        let asks = Client::new().get(ada.address("/api/v1/me")).header("authorization", wrong.as_bytes());
        assert_eq!(send(asks).await.status, 401, "{wrong:?}");
    }
    assert_eq!(send(Client::new().get(ada.address("/api/v1/me"))).await.status, 401);
}

#[tokio::test]
async fn each_thing_has_its_scope() {
    let site = Site::open().await;
    let (ada, root) = (somebody(&site, "Ada").await, admin(&site, "Root").await);
    let wanted = json!({"game": "mancala", "states": 10});
    for (path, scope, status) in [("/api/v1/analyse", "analyse", 200), ("/api/v1/tables", "play", 201)] {
        let all = ["read", "play", "analyse"];
        for with in all {
            let token = create(&ada, with, &[with]).await;
            let body = if path == "/api/v1/tables" { json!({"game": "mancala"}) } else { wanted.clone() };
            let seen = send(Client::new().post(ada.address(path)).bearer_auth(&token).json(&body)).await;
            assert_eq!(seen.status, if with == scope { status } else { 403 }, "{path} with {with}: {seen:?}");
        }
        let wrong = Client::new().post(ada.address(path)).bearer_auth("abcdefghijkmnpqrstuvwxyz23").json(&wanted);
        assert_eq!(send(wrong).await.status, 401, "{path}");
    }
    assert_eq!(
        send(Client::new().post(ada.address("/api/v1/tables")).json(&json!({"game": "mancala"}))).await.status,
        401
    );
    let token = create(&ada, "play", &["play"]).await;
    let wrong = Client::new().post(ada.address("/api/v1/tables")).bearer_auth(&token).json(&json!({"game": 7}));
    let wrong = send(wrong).await;
    assert!(wrong.status == 422 && wrong.text.contains("\"key\":\"refused.json\""), "{wrong:?}");

    // From another machine, as far as anybody can tell.
    let metrics = |token: &str| {
        let request = Client::new().get(ada.address("/metrics")).header("x-forwarded-for", "203.0.113.5");
        send(request.bearer_auth(token.to_owned()))
    };
    assert_eq!(metrics(&create(&ada, "read", &["read"]).await).await.status, 403, "only for admins");
    assert_eq!(metrics(&create(&root, "play", &["play"]).await).await.status, 403, "only to read");
    assert_eq!(metrics(&create(&root, "read", &["read"]).await).await.status, 200);
    let accounts = Client::new().get(ada.address("/admin/accounts")).bearer_auth(create(&root, "r", &["read"]).await);
    assert_eq!(send(accounts).await.status, 401, "tokens open no pages");
}

#[tokio::test]
async fn a_token_ends_when_its_owner_says_so() {
    let site = Site::open().await;
    let (ada, bob) = (somebody(&site, "Ada").await, somebody(&site, "Bob").await);
    let token = create(&ada, "my bot", &["read"]).await;
    let page = ada.get("/settings/tokens").await.text;
    let id = between(&page, "name=\"id\" value=\"", "\"");
    assert!(!bob.get("/settings/tokens").await.text.contains("my bot"));
    assert_eq!(bob.post("/settings/tokens/revoke", &[("id", id)]).await.status, 404);
    assert_eq!(me(&site, &token).await.status, 200);
    assert_eq!(ada.post("/settings/tokens/revoke", &[("id", id)]).await.status, 200);
    assert_eq!(me(&site, &token).await.status, 401);
}

#[tokio::test]
async fn a_new_password_revokes_tokens_if_that_is_ticked() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    let token = create(&ada, "my bot", &["read"]).await;
    let page = ada.get("/settings").await.text;
    assert!(page.contains("<input name=\"revoke\" type=\"checkbox\" checked>"), "{page}");
    let change = async |more: &[(&str, &str)]| {
        let fields = [&[("current", PASSWORD), ("password", PASSWORD)], more].concat();
        assert_eq!(ada.post("/settings/password", &fields).await.status, 200);
    };
    change(&[]).await;
    assert_eq!(me(&site, &token).await.status, 200, "it was not ticked");
    change(&[("revoke", "on")]).await;
    assert_eq!(me(&site, &token).await.status, 401);
}

#[tokio::test]
async fn a_reset_password_revokes_tokens() {
    let site = Site::open().await;
    let (ada, thief) = (somebody(&site, "Ada").await, Browser::new(&site));
    sign_in(&thief, "Ada", PASSWORD).await;
    let token = create(&thief, "backdoor", &["read"]).await;
    ada.post("/forgotten", &[("email", &email("Ada"))]).await;
    let path = link(&mail(&site, &email("Ada"), "/reset/").await);
    let page = ada.get(&path).await.text;
    assert!(page.contains("revokes all your API tokens"), "{page}");
    assert_eq!(ada.post(&path, &[("password", "another horse")]).await.status, 200);
    assert_eq!(me(&site, &token).await.status, 401);
}

#[tokio::test]
async fn a_token_needs_a_label_and_a_scope() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    let long = "x".repeat(61);
    for label in ["", " ", "a\u{202e}b", "a\u{1b}[31m", &long] {
        assert_eq!(ada.post("/settings/tokens", &[("label", label), ("read", "on")]).await.status, 422, "{label:?}");
    }
    assert_eq!(ada.post("/settings/tokens", &[("label", "nothing")]).await.status, 422);
    create(&ada, "</script><script>alert(1)</script>", &["read"]).await;
    let page = ada.get("/settings/tokens").await.text;
    assert!(page.contains("alert(1)") && !page.contains("<script>"), "{page}");
}
