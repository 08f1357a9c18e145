//! What holds for every page.

use crate::site::{Browser, Site, between, send};

#[tokio::test]
async fn pages_are_guarded_by_headers() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    for path in ["/", "/nothing-here", "/assets/components.css"] {
        let seen = browser.get(path).await;
        let header = |name: &str| seen.headers[name].to_str().unwrap().to_owned();
        assert!(header("content-security-policy").starts_with("default-src 'none'"), "{path}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("referrer-policy"), "same-origin");
        assert!(!seen.headers.contains_key("strict-transport-security"), "only with https");
    }
    assert_eq!(browser.get("/nothing-here").await.status, 404);
}

#[tokio::test]
async fn a_browser_gets_its_language_and_can_change_it() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let spanish = send(browser.client().get(browser.address("/")).header("accept-language", "es-ES,en;q=0.8")).await;
    assert!(spanish.text.contains("<html lang=\"es\">"));
    assert!(browser.get("/").await.text.contains("<html lang=\"en\">"));
    let changed = browser.post("/language", &[("lang", "es")]).await;
    assert!(changed.text.contains("<html lang=\"es\">"), "{changed:?}");
    assert_eq!(browser.post("/language", &[("lang", "xx")]).await.status, 422);
}

#[tokio::test]
async fn a_form_without_its_secret_word_is_refused() {
    let site = Site::open().await;
    let (browser, other) = (Browser::new(&site), Browser::new(&site));
    let csrf = other.csrf().await;
    assert_eq!(browser.post_as_is("/language", &[("lang", "es")]).await.status, 403);
    assert_eq!(browser.post_as_is("/language", &[("lang", "es"), ("csrf", &csrf)]).await.status, 403);
    let own = browser.csrf().await;
    let form = [("lang", "es"), ("csrf", own.as_str())];
    let elsewhere = browser.client().post(browser.address("/language")).form(&form);
    assert_eq!(send(elsewhere.header("origin", "http://evil.example")).await.status, 403);
    assert_eq!(browser.post_as_is("/language", &form).await.status, 200);
}

#[tokio::test]
async fn every_page_shows_another_csrf_token_and_all_are_taken() {
    let site = Site::open().await;
    let (browser, other) = (Browser::new(&site), Browser::new(&site));
    let (one, two, foreign) = (browser.csrf().await, browser.csrf().await, other.csrf().await);
    assert_ne!(one, two);
    let (head, tail) = one.split_at(one.len() / 2);
    assert!(!two.contains(head) && !two.contains(tail), "{one} {two}");
    let post = async |csrf: &str| browser.post_as_is("/language", &[("lang", "es"), ("csrf", csrf)]).await.status;
    for csrf in [&one, &two, &one] {
        assert_eq!(post(csrf).await, 200);
    }
    let mixed = format!("{head}{}", &two[two.len() / 2..]);
    for wrong in
        [&foreign, head, tail, &mixed, &one.to_uppercase().replace('A', "é"), &format!("{one}{two}"), "", "%00"]
    {
        assert_eq!(post(wrong).await, 403, "{wrong}");
    }
}

#[tokio::test]
async fn programs_are_given_no_cookie() {
    let site = Site::open().await;
    let is_set = async |path: &str| Browser::new(&site).get(path).await.headers.contains_key("set-cookie");
    assert!(is_set("/").await, "a browser is");
    assert!(!is_set("/api/v1/me").await && !is_set("/health").await && !is_set("/assets/components.css").await);
}

#[tokio::test]
async fn the_cookie_is_guarded() {
    let site = Site::open_with(|config| config.public_url = Some("https://play.example".to_owned())).await;
    let seen = Browser::new(&site).get("/").await;
    let cookie = seen.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("__Host-palestra=g"), "{cookie}");
    assert!(cookie.ends_with("HttpOnly; SameSite=Lax; Secure"), "{cookie}");
    assert!(seen.headers.contains_key("strict-transport-security"));
}

#[tokio::test]
async fn a_server_for_everybody_takes_forms_from_the_address_that_was_reached() {
    let site = Site::open_with(|config| config.listen = "0.0.0.0:0".parse().unwrap()).await;
    let port = site.url.rsplit(':').next().unwrap().to_owned();
    let at = |host: &str| format!("http://{host}:{port}");
    let client = reqwest::Client::new();
    // The whole of 127.0.0.0/8 is this machine.
    let page = send(client.get(at("127.0.0.2"))).await;
    let csrf = between(&page.text, "name=\"csrf\" value=\"", "\"").to_owned();
    let cookie = page.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let post = |origin: String| {
        let form = [("lang", "es"), ("csrf", &csrf)];
        send(client.post(at("127.0.0.2") + "/language").form(&form).header("cookie", &cookie).header("origin", origin))
    };
    assert_eq!(post(at("127.0.0.2")).await.status, 200);
    for foreign in [at("127.0.0.3"), at("evil.example"), "null".to_owned()] {
        assert_eq!(post(foreign.clone()).await.status, 403, "{foreign}");
    }
}
