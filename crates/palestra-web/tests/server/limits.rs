//! Rate limits and quotas.

use palestra_store::Role;
use serde_json::json;

use crate::maps::{signed_in, upload};
use crate::people::{PASSWORD, email, link, mail, register, sign_in, somebody};
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
    while !live.await_a("refused").await["text"].as_str().unwrap().contains("Too many requests") {}
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
            assert!(told["text"].as_str().unwrap().contains("Too many requests"), "{told}");
            return;
        }
    }
    panic!("all were let");
}

/// How many of these are answered before one is refused with 429.
async fn let_through(most: usize, mut ask: impl AsyncFnMut(usize) -> Seen) -> usize {
    for number in 0..=most {
        if ask(number).await.status == 429 {
            return number;
        }
    }
    panic!("{most} were let through");
}

#[tokio::test]
async fn forms_that_cost_something_have_a_limit() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let csrf = browser.csrf().await;
    let registered = let_through(1000, async |_| {
        let form = [("name", "x"), ("nickname", "x"), ("email", "x"), ("password", "x"), ("csrf", &csrf)];
        browser.post_as_is("/register", &form).await
    });
    assert!(registered.await >= 200, "a class registers at once");
    let forgotten = let_through(140, async |number| {
        let email = format!("{number}@example.org");
        browser.post_as_is("/forgotten", &[("email", email.as_str()), ("csrf", &csrf)]).await
    });
    assert!(forgotten.await >= 120);
    let teacher = signed_in(&site, "Tea", Role::Teacher).await;
    let uploaded = let_through(30, async |_| upload(&teacher, "odd", "no map").await);
    assert!(uploaded.await >= 20);
    let csrf = teacher.csrf().await;
    let form = [("label", "bot"), ("read", "on"), ("csrf", csrf.as_str())];
    let made = let_through(30, async |_| teacher.post_as_is("/settings/tokens", &form).await);
    assert!(made.await >= 20);
}

#[tokio::test]
async fn codes_and_links_cannot_be_guessed() {
    for path in ["/t/", "/confirm/", "/reset/"] {
        let site = Site::open().await;
        let browser = Browser::new(&site);
        let guesses = let_through(80, async |number| browser.get(&format!("{path}{number:020}")).await).await;
        assert!((60..80).contains(&guesses), "{guesses} of {path} were let through");
        assert_eq!(browser.get("/").await.status, 200, "other pages are not concerned");
    }
}

#[tokio::test]
async fn a_password_is_not_guessed_in_the_settings_or_with_a_registration() {
    let site = Site::open().await;
    let browser = somebody(&site, "Ada").await;
    let csrf = browser.csrf().await;
    let form = [("current", "wrong horse"), ("password", "new password"), ("csrf", csrf.as_str())];
    let tried = let_through(12, async |_| browser.post_as_is("/settings/password", &form).await).await;
    assert!(tried <= 10, "{tried} passwords were tried in the settings");
    let other = Browser::new(&site);
    register(&other, "Bob", &email("Bob")).await;
    let link = link(&mail(&site, &email("Bob"), "/confirm/").await);
    let csrf = other.csrf().await;
    let form = [("password", "wrong horse"), ("csrf", csrf.as_str())];
    let tried = let_through(12, async |_| other.post_as_is(&link, &form).await).await;
    assert!(tried <= 10, "{tried} passwords were tried with a registration");
}

#[tokio::test]
async fn nobody_floods_a_chat() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    let line = json!({"do": "chat", "text": "hello"});
    for _ in 0..10 {
        live.say(line.clone()).await;
        live.await_a("chat").await;
    }
    for _ in 0..30 {
        live.say(line.clone()).await;
    }
    let refused = live.await_a("refused").await;
    assert!(refused["text"].as_str().unwrap().contains("Too many requests"), "{refused}");
}
