//! Whoever asks too much waits.

use crate::people::{PASSWORD, sign_in, somebody};
use crate::site::{Browser, Seen, Site, send};

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
            let seen = attempt(&browser, &csrf, email, &format!("192.0.2.{number}")).await;
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
