//! The life of an account.

use serde_json::Value;

use crate::people::{PASSWORD, email, is_signed_in, link, mail, mails, register, sign_in, somebody};
use crate::site::{Browser, Seen, Site, between};

#[tokio::test]
async fn an_account_lives_from_its_mail_to_its_end() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let asked = register(&browser, "Ada", "Ada@Example.org").await;
    assert!(asked.text.contains("Check your e-mail"), "{asked:?}");
    assert_eq!(sign_in(&browser, "Ada", PASSWORD).await.status, 422, "not before the link is followed");

    let link = link(&mail(&site, "ada@example.org", "/confirm/").await);
    for _ in 0..2 {
        assert!(browser.get(&link).await.text.contains("<bdi>Ada</bdi>"), "looking does not use it up");
    }
    assert_eq!(browser.post(&link, &[("password", "wrong horse")]).await.status, 422);
    let confirmed = browser.post(&link, &[("password", PASSWORD)]).await;
    assert!(confirmed.path == "/" && confirmed.text.contains("<bdi>Ada</bdi>"), "{confirmed:?}");
    assert_eq!(browser.get(&link).await.status, 422, "it works once");
    assert_eq!(Browser::new(&site).post(&link, &[("password", PASSWORD)]).await.status, 422);

    assert_eq!(browser.post("/sign-out", &[]).await.path, "/");
    assert!(!is_signed_in(&browser).await);
    assert!(sign_in(&browser, "ADA", PASSWORD).await.text.contains("<bdi>Ada</bdi>"));

    let changed = browser.post("/settings/profile", &[("name", "Ada Byron"), ("nickname", "Lovelace")]).await;
    assert!(changed.text.contains("value=\"Ada Byron\"") && changed.text.contains("<bdi>Lovelace</bdi>"));
    let export = browser.get("/settings/export").await;
    assert!(export.headers["content-disposition"].to_str().unwrap().starts_with("attachment"));
    let export: Value = serde_json::from_str(&export.text).unwrap();
    assert_eq!(export["account"]["email"], "ada@example.org");
    assert_eq!(export["account"]["nickname"], "Lovelace");
    assert_eq!(export["sessions"].as_array().unwrap().len(), 1, "who signs out leaves none");
    assert!(!export.to_string().contains("argon2"));

    assert_eq!(browser.post("/settings/delete", &[("password", "wrong horse")]).await.status, 422);
    assert!(is_signed_in(&browser).await);
    assert_eq!(browser.post("/settings/delete", &[("password", PASSWORD)]).await.path, "/");
    assert!(!is_signed_in(&browser).await);
    assert_eq!(sign_in(&browser, "Ada", PASSWORD).await.status, 422);
    assert_eq!(register(&browser, "Lovelace", "ada@example.org").await.status, 200, "all of it is free again");
}

#[tokio::test]
async fn a_form_says_what_is_wrong_and_keeps_the_rest() {
    let site = Site::open().await;
    somebody(&site, "Ada").await;
    let browser = Browser::new(&site);
    for (nickname, says) in [
        ("ada", "already"),
        ("ninja1", "built-in player"),
        ("Ad.min", "reserved"),
        ("x", "3 to 20"),
        ("a b c", "3 to 20"),
    ] {
        let seen = register(&browser, nickname, "bob@example.org").await;
        assert_eq!(seen.status, 422);
        assert!(seen.text.contains(says) && seen.text.contains("value=\"bob@example.org\""), "{nickname}: {seen:?}");
        assert!(!seen.text.contains(PASSWORD));
    }
    assert_eq!(register(&browser, "bob", "no address").await.status, 422);
    let short = [("name", "Bob"), ("nickname", "bob"), ("email", "bob@example.org"), ("password", "1234567")];
    assert_eq!(browser.post("/register", &short).await.status, 422);
    assert!(mails(&site, "bob@example.org").is_empty());
}

#[tokio::test]
async fn nobody_learns_whether_an_address_has_an_account() {
    let site = Site::open().await;
    somebody(&site, "Ada").await;
    let browser = Browser::new(&site);
    let known = register(&browser, "Other1", &email("Ada")).await;
    let unknown = register(&browser, "Other2", "nobody@example.org").await;
    assert_eq!((known.status, known.without_csrf()), (unknown.status, unknown.without_csrf()));
    let told = mail(&site, &email("Ada"), "There is one already").await;
    assert!(!told.contains("/confirm/"), "{told}");

    let known = sign_in(&browser, "Ada", "wrong horse").await;
    let unknown = sign_in(&browser, "Nobody", "wrong horse").await;
    // The form keeps the address that was typed.
    let said = |seen: &Seen, nickname: &str| seen.without_csrf().replace(&email(nickname), "");
    assert_eq!((known.status, said(&known, "Ada")), (unknown.status, said(&unknown, "Nobody")));

    let ask = async |email: &str| browser.post("/forgotten", &[("email", email)]).await;
    let (unknown, known) = (ask("stranger@example.org").await, ask(&email("Ada")).await);
    assert_eq!((known.status, known.without_csrf()), (unknown.status, unknown.without_csrf()));
    mail(&site, &email("Ada"), "/reset/").await;
    assert!(mails(&site, "stranger@example.org").is_empty());
}

#[tokio::test]
async fn a_registration_of_somebody_else_is_no_trap() {
    let site = Site::open().await;
    let (attacker, victim) = (Browser::new(&site), Browser::new(&site));
    register(&attacker, "Trap", "victim@example.org").await;
    let theirs = link(&mail(&site, "victim@example.org", "/confirm/").await);
    assert_eq!(victim.post(&theirs, &[("password", "the victim's own")]).await.status, 422);
    assert_eq!(attacker.post("/sign-in", &[("email", "victim@example.org"), ("password", PASSWORD)]).await.status, 422);
}

#[tokio::test]
async fn a_session_begins_with_a_token_that_nobody_knew() {
    let site = Site::open().await;
    somebody(&site, "Ada").await;
    let browser = Browser::new(&site);
    browser.get("/").await;
    let guest = browser.cookies();
    sign_in(&browser, "Ada", PASSWORD).await;
    let first = browser.cookies();
    assert!(guest.starts_with("palestra=g") && first.starts_with("palestra=s") && guest[10..] != first[10..]);
    sign_in(&browser, "Ada", PASSWORD).await;
    assert_ne!(browser.cookies(), first);

    let asks = async |cookie: &str| {
        let request = reqwest::Client::new().get(browser.address("/settings")).header("cookie", cookie);
        request.send().await.unwrap()
    };
    assert_eq!(asks(&browser.cookies()).await.status(), 200);
    assert_eq!(asks(&first).await.status(), 401, "the session before it has ended");
    let promoted = guest.replace("palestra=g", "palestra=s");
    let refused = asks(&promoted).await;
    assert_eq!(refused.status(), 401);
    let given = refused.headers()["set-cookie"].to_str().unwrap();
    assert!(given.starts_with("palestra=g") && !given.contains(&promoted[10..]), "a chosen token is not taken on");

    let session = browser.cookies();
    browser.post("/sign-out", &[]).await;
    assert_eq!(asks(&session).await.status(), 401, "who signs out is out, whoever has kept the cookie");
}

#[tokio::test]
async fn a_new_password_ends_the_sessions_elsewhere() {
    let site = Site::open().await;
    let (here, elsewhere) = (somebody(&site, "Ada").await, Browser::new(&site));
    sign_in(&elsewhere, "Ada", PASSWORD).await;
    assert!(is_signed_in(&elsewhere).await);
    let wrong = here.post("/settings/password", &[("current", "wrong horse"), ("password", "battery staple")]).await;
    assert_eq!(wrong.status, 422);
    assert!(is_signed_in(&elsewhere).await);
    let before = here.cookies();
    let changed = here.post("/settings/password", &[("current", PASSWORD), ("password", "battery staple")]).await;
    assert_eq!((changed.status.as_u16(), changed.path.as_str()), (200, "/settings"));
    assert_ne!(here.cookies(), before);
    assert!(!is_signed_in(&elsewhere).await);
    assert_eq!(sign_in(&elsewhere, "Ada", PASSWORD).await.status, 422);
    assert_eq!(sign_in(&elsewhere, "Ada", "battery staple").await.status, 200);
}

#[tokio::test]
async fn a_forgotten_password_is_chosen_anew_by_a_link_that_works_once() {
    let site = Site::open().await;
    let (signed_in, forgetful) = (somebody(&site, "Ada").await, Browser::new(&site));
    forgetful.post("/forgotten", &[("email", "ADA@example.org")]).await;
    let message = mail(&site, &email("Ada"), "/reset/").await;
    let link = link(&message);
    assert_eq!(forgetful.get(&link).await.status, 200);
    assert_eq!(forgetful.post(&link, &[("password", "short")]).await.status, 422);
    let chosen = forgetful.post(&link, &[("password", "battery staple")]).await;
    assert!(chosen.text.contains("<bdi>Ada</bdi>"), "{chosen:?}");
    assert!(!is_signed_in(&signed_in).await);
    assert_eq!(forgetful.get(&link).await.status, 422);
    assert_eq!(signed_in.post(&link, &[("password", "third password")]).await.status, 422);
    assert_eq!(sign_in(&signed_in, "Ada", PASSWORD).await.status, 422);
    assert_eq!(sign_in(&signed_in, "Ada", "battery staple").await.status, 200);
}

#[tokio::test]
async fn the_address_cannot_change() {
    let site = Site::open().await;
    let ada = somebody(&site, "Ada").await;
    let fields = [("name", "Ada"), ("nickname", "Ada"), ("email", "other@example.org")];
    let seen = ada.post("/settings/profile", &fields).await;
    assert!(seen.text.contains("ada@example.org") && !seen.text.contains("other@example.org"));
}

#[tokio::test]
async fn mails_and_pages_speak_the_visitors_language() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    browser.post("/language", &[("lang", "es")]).await;
    let asked = register(&browser, "Ada", &email("Ada")).await;
    assert!(asked.text.contains("Consulta tu correo"), "{asked:?}");
    let told = mail(&site, &email("Ada"), "/confirm/").await;
    assert!(told.contains("Subject: Palestra: confirma tu cuenta"), "{told}");
    for path in ["/register", "/sign-in", "/forgotten", &link(&told)] {
        let page = browser.get(path).await.text;
        let main = between(&page, "<main ", "</main>");
        assert!(!["account.", "settings.", "token.", "mail."].iter().any(|key| main.contains(key)), "{main}");
    }
}
