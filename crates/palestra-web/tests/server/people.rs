//! People who visit a server, and the mail they get.

use std::time::{Duration, Instant};

use palestra_web::{Config, NewAdmin, create_admin};

use crate::site::{Browser, Seen, Site, WAIT_LIMIT, between};

pub(crate) const PASSWORD: &str = "correct horse";

/// The address of somebody.
pub(crate) fn email(nickname: &str) -> String {
    format!("{}@example.org", nickname.to_lowercase())
}

/// Fills in the form for an account.
pub(crate) async fn register(browser: &Browser, nickname: &str, email: &str) -> Seen {
    let name = format!("Real {nickname}");
    let fields = [("name", name.as_str()), ("nickname", nickname), ("email", email), ("password", PASSWORD)];
    browser.post("/register", &fields).await
}

/// The browser of somebody new, who has registered, confirmed and is signed in.
pub(crate) async fn somebody(site: &Site, nickname: &str) -> Browser {
    let browser = Browser::new(site);
    let seen = register(&browser, nickname, &email(nickname)).await;
    assert_eq!(seen.status, 200, "{seen:?}");
    let link = link(&mail(site, &email(nickname), "/confirm/").await);
    let seen = browser.post(&link, &[("password", PASSWORD)]).await;
    assert!(seen.status.is_success() && seen.text.contains(nickname), "{seen:?}");
    browser
}

/// The browser of a new admin, who is signed in.
pub(crate) async fn admin(site: &Site, nickname: &str) -> Browser {
    let new = NewAdmin {
        name: format!("Real {nickname}"),
        nickname: nickname.to_owned(),
        email: email(nickname),
        password: PASSWORD.to_owned(),
    };
    create_admin(&Config { data: site.folder.path().join("data"), ..Config::default() }, new).await.unwrap();
    let browser = Browser::new(site);
    assert!(sign_in(&browser, nickname, PASSWORD).await.text.contains("/admin/accounts"));
    browser
}

/// An admin gives somebody a role, as the page offers it.
pub(crate) async fn give_role(admin: &Browser, nickname: &str, role: &str) -> Seen {
    let page = admin.get(&format!("/admin/accounts?q={nickname}")).await.text;
    let row = between(&page, &format!("<td><bdi>{nickname}</bdi></td>"), "</tr>");
    let id = between(row, "name=\"id\" value=\"", "\"");
    admin.post("/admin/accounts/role", &[("id", id), ("role", role)]).await
}

pub(crate) async fn sign_in(browser: &Browser, nickname: &str, password: &str) -> Seen {
    browser.post("/sign-in", &[("email", &email(nickname)), ("password", password)]).await
}

/// Whether somebody is signed in.
pub(crate) async fn is_signed_in(browser: &Browser) -> bool {
    browser.get("/settings").await.status == 200
}

/// Waits until something is there, which the message names if it never is.
pub(crate) async fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(since.elapsed() < WAIT_LIMIT, "no {what} within {WAIT_LIMIT:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The mails in the server's folder to this address, in any order.
pub(crate) fn mails(site: &Site, to: &str) -> Vec<String> {
    let Ok(folder) = std::fs::read_dir(site.folder.path().join("data/mail")) else { return vec![] };
    let files = folder.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "eml"));
    let mails = files.filter_map(|path| std::fs::read_to_string(path).ok());
    mails.filter(|mail| mail.contains(&format!("\r\nTo: {to}\r\n"))).map(|mail| mail.replace("=\r\n", "")).collect()
}

/// The mail to this address that holds this text.
pub(crate) async fn mail(site: &Site, to: &str, text: &str) -> String {
    eventually(&format!("mail to {to} with {text:?}"), || mails(site, to).into_iter().find(|mail| mail.contains(text)))
        .await
}

/// The path of the link in a mail.
pub(crate) fn link(mail: &str) -> String {
    let line = mail.lines().find(|line| line.starts_with("http://")).unwrap_or_else(|| panic!("no link in {mail}"));
    let path = line.trim().split_once("://").unwrap().1.find('/').unwrap();
    line.trim()["http://".len() + path..].to_owned()
}
