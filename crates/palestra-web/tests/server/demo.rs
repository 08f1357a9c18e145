//! The demonstration, in a browser. `palestra demo` itself is run by the tests of the command line.
//!
//! `PALESTRA_WRITE_PICTURES=1 cargo test --release --workspace --test server demo::` writes the pictures of its pages for
//! README.md.

use std::future::pending;
use std::path::Path;
use std::time::Duration;

use palestra_web::{Config, Demo, DemoError, DemoNews, start_demo};
use tokio::sync::oneshot;

use crate::archive::holds_league_and_marks;
use crate::bots::with_boxes;
use crate::chrome::{Chrome, Tab};
use crate::site::{Browser, between};

/// Whether pictures are to be written.
fn writes_pictures() -> bool {
    std::env::var_os("PALESTRA_WRITE_PICTURES").is_some()
}

/// Writes pictures of the league and of the marks, once all of their games are played.
async fn write_pictures(tab: &mut Tab, url: &str, demo: &Demo) {
    if !writes_pictures() {
        return;
    }
    for (path, name, height) in [(&demo.run, "league.png", 840), (&demo.marks, "marks.png", 1060)] {
        let page = format!("{url}{path}");
        tab.resize(1280, height).await;
        tab.open(&page).await;
        while tab.eval("document.body.innerText.includes('games missing')").await == true {
            tokio::time::sleep(Duration::from_secs(1)).await;
            tab.open(&page).await;
        }
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures").join(name);
        std::fs::write(file, tab.view().await).unwrap();
    }
}

fn config(folder: &Path) -> Config {
    Config { listen: "127.0.0.1:0".parse().unwrap(), data: folder.join("demo"), ..Config::default() }
}

#[tokio::test]
async fn a_course_with_a_league_is_there_to_look_at_also_without_boxes() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    if writes_pictures() {
        with_boxes(&mut config);
    }
    let mut news = vec![];
    let (server, demo) = start_demo(config, pending(), &mut |it| news.push(it)).await.unwrap();
    if !writes_pictures() {
        let why = "uploaded programs cannot run here: the server was started without a sandbox";
        assert_eq!(news[0], DemoNews::BuiltIn(why.to_owned()));
    }
    assert_eq!(news.last(), Some(&DemoNews::Played { done: 132, of: 132 }));
    let (stop, stopped) = oneshot::channel::<()>();
    let url = format!("http://{}", server.address());
    let running = tokio::spawn(server.run(async { drop(stopped.await) }));

    let Demo { accounts, course, run, marks } = &demo;
    let browser = Browser::at(&url);
    assert_eq!(accounts.iter().map(|account| account.role).collect::<Vec<_>>(), ["teacher", "student", "admin"]);
    for account in accounts {
        let fields = [("email", account.email.as_str()), ("password", account.password.as_str())];
        let browser = Browser::at(&url);
        assert_eq!(browser.post("/sign-in", &fields).await.status, 200, "{account:?}");
        assert_eq!(browser.get(run).await.status, 200, "{account:?}");
        let is_taught = account.role != "student";
        assert_eq!(browser.get(marks).await.status, if is_taught { 200 } else { 403 }, "{account:?}");
    }
    let teacher = &accounts[0];
    browser.post("/sign-in", &[("email", &teacher.email), ("password", &teacher.password)]).await;
    let page = browser.get(run).await.text;
    let standings = between(&page, "<tbody", "</tbody>");
    assert_eq!(standings.matches("<tr").count(), 12, "{standings}");
    assert!(browser.get(marks).await.text.contains("4.00"), "the best of the league has all of its points");

    holds_league_and_marks(&browser, &demo).await;

    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.set_cookies(&url, &browser.cookies()).await;
    tab.resize(1280, 800).await;
    for path in [course, run, marks] {
        tab.open(&format!("{url}{path}")).await;
    }
    write_pictures(&mut tab, &url, &demo).await;
    assert!(tab.complaints().is_empty(), "{:?}", tab.complaints());
    drop(stop);
    running.await.unwrap().unwrap();
}

#[tokio::test]
async fn only_an_empty_folder_of_this_machine_is_filled() {
    let folder = tempfile::tempdir().unwrap();
    let start = async |config: Config| start_demo(config, pending(), &mut |_| {}).await.map(drop);
    let open = Config { listen: "0.0.0.0:0".parse().unwrap(), ..config(folder.path()) };
    assert!(matches!(start(open).await, Err(DemoError::NotLoopback(_))));
    assert!(!folder.path().join("demo").exists(), "nothing was made");
    let used = Config { data: folder.path().to_owned(), ..config(folder.path()) };
    std::fs::write(folder.path().join("thesis.tex"), "years of work").unwrap();
    assert!(matches!(start(used.clone()).await, Err(DemoError::NotEmpty(_))));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was added");
    let file = Config { data: folder.path().join("thesis.tex"), ..used };
    assert!(matches!(start(file).await, Err(DemoError::Folder { .. })));
}
