//! Whoever asks too much waits.

use serde_json::json;

use crate::people::{PASSWORD, sign_in, somebody};
use crate::site::{Browser, Live, Seen, Site, send};

/// Tries a password, as if forwarded for this address.
async fn attempt(browser: &Browser, csrf: &str, email: &str, forwarded: &str) -> Seen {
    let form = [("email", email), ("password", "wrong horse"), ("csrf", csrf)];
    let request = browser.client().post(browser.address("/sign-in")).form(&form);
    send(request.header("x-forwarded-for", forwarded)).await
}

#[tokio::test]
async fn passwords_are_not_guessed_one_after_the_other() {
    let site = Site::open().await;
    somebody(&site, "Ada").await;
    let browser = Browser::new(&site);
    let csrf = browser.csrf().await;
    for email in ["ada@example.org", "nobody@example.org"] {
        let mut limited = None;
        for number in 0..12 {
            // Blanks make no other address of it.
            let email = format!("{}{email}{}", " ".repeat(number % 3), " ".repeat(number));
            let seen = attempt(&browser, &csrf, &email, &format!("192.0.2.{number}")).await;
            limited = limited.or((seen.status == 429).then_some((number, seen)));
        }
        let (number, seen) = limited.expect("a limit");
        assert!(number <= 10, "{number}");
        assert!(seen.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() > 0);
    }
    assert_eq!(sign_in(&browser, "Ada", PASSWORD).await.status, 429, "also with the right password");
    assert_eq!(sign_in(&browser, "Other", PASSWORD).await.status, 422, "others are not concerned");
}

#[tokio::test]
async fn a_trusted_proxy_says_who_asks() {
    let site = Site::open_with(|config| config.trust_proxy = vec!["127.0.0.0/8".parse().unwrap()]).await;
    let browser = Browser::new(&site);
    let csrf = browser.csrf().await;
    let mut refused = 0;
    for _ in 0..12 {
        let seen = attempt(&browser, &csrf, "ada@example.org", "198.51.100.7, 192.0.2.1").await;
        refused += usize::from(seen.status == 429);
    }
    assert!(refused > 0);
    let seen = attempt(&browser, &csrf, "ada@example.org", "198.51.100.7, 192.0.2.2").await;
    assert_eq!(seen.status, 422, "somebody else");
    let seen = attempt(&browser, &csrf, "ada@example.org", "203.0.113.9, 192.0.2.1, 127.0.0.5").await;
    assert_eq!(seen.status, 429, "what the asker adds in front counts for nothing");
    for invented in ["203.0.113.9, x, 192.0.2.1", "x, 192.0.2.1, 127.0.0.5", "203.0.113.9,, 192.0.2.1"] {
        let seen = attempt(&browser, &csrf, "ada@example.org", invented).await;
        assert_eq!(seen.status, 429, "also if it is no address: {invented}");
    }
}

#[tokio::test]
async fn an_address_is_not_flooded_with_mail() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let csrf = browser.csrf().await;
    let ask = async |email: &str| {
        browser.post_as_is("/forgotten", &[("email", email), ("csrf", &csrf)]).await.status.as_u16()
    };
    for _ in 0..5 {
        assert_eq!(ask("ada@example.org").await, 200);
    }
    assert_eq!(ask("ADA@example.org").await, 429);
    assert_eq!(ask("bob@example.org").await, 200);
}

#[tokio::test]
async fn whoever_wants_too_much_at_a_table_waits() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    for _ in 0..150 {
        live.say(json!({"do": "draw"})).await;
        live.say(json!({"do": "decline_draw"})).await;
    }
    while !live.await_a("refused").await["text"].as_str().unwrap().contains("too much") {}
    let other = Browser::new(&site);
    other.get("/").await;
    let mut other = Live::open(&other, &code, None).await;
    other.say(json!({"do": "sit", "seat": 0})).await;
    assert_eq!(other.await_a("refused").await["text"], "The seat is taken.", "others are not concerned");
}

#[tokio::test]
async fn nobody_plays_a_rematch_after_the_other() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    for _ in 0..40 {
        live.say(json!({"do": "resign"})).await;
        live.await_a("ended").await;
        live.say(json!({"do": "rematch"})).await;
        let told = live.next_of(&["began", "refused"]).await;
        if told["is"] == "refused" {
            assert!(told["text"].as_str().unwrap().contains("too much"), "{told}");
            return;
        }
    }
    panic!("all were let");
}
