//! Visits to all pages: when something is seen, and how much was transferred.

use palestra_games::GAMES;
use serde_json::json;

use crate::chrome::Chrome;
use crate::site::{Browser, Live, Site};
use crate::{summary, window};

const GOAL_MS: f64 = 300.0;
const GOAL_KB: f64 = 120.0;

const PAGES: [&str; 17] = [
    "/",
    "/tables",
    "/tables/new",
    "/games",
    "/maps",
    "/maps/menhirs",
    "/analyse",
    "/register",
    "/sign-in",
    "/forgotten",
    "/settings",
    "/settings/tokens",
    "/admin/accounts",
    "/help",
    "/write-a-bot",
    "/privacy",
    "/design",
];

/// Pages by the name in the table and by address.
async fn pages(visitor: &Browser) -> Vec<(String, String)> {
    let mut pages = PAGES.map(|path| (path.to_owned(), path.to_owned())).to_vec();
    for kind in GAMES {
        let code = visitor.open_table(&[("game", kind.id()), ("seat2", "me"), ("visibility", "public")]).await;
        pages.push((format!("a table, {}", kind.about.name), format!("/t/{code}")));
    }
    let code = visitor.open_table(&[("game", "bandera"), ("options", "menhirs"), ("seat2", "me")]).await;
    pages.push(("a table, Bandera 16x20".to_owned(), format!("/t/{code}")));
    let code = visitor.open_table(&[("game", "mancala"), ("seat2", "me"), ("visibility", "public")]).await;
    let mut live = Live::open(visitor, &code, None).await;
    live.play(0, "1").await;
    live.say(json!({"do": "resign"})).await;
    let game = live.await_a("ended").await["state"]["ended"]["game"].as_str().expect("the game is kept").to_owned();
    pages.push(("a finished game".to_owned(), format!("/games/{game}")));
    pages
}

pub(crate) async fn measure(chrome: &mut Chrome, site: &Site, visitor: &Browser, runs: usize) {
    println!(
        "| page | first contentful paint, median of {runs} | worst | gzip, without boards | data of boards | met |"
    );
    println!("|---|---:|---:|---:|---:|---|");
    for (name, path) in pages(visitor).await {
        let (mut paints, mut size, mut data) = (vec![], 0.0, 0.0);
        for _ in 0..runs {
            let (paint, shell, boards) = visit(chrome, &format!("{}{path}", site.url), &visitor.cookies()).await;
            paints.push(paint);
            (size, data) = (shell, boards);
        }
        let [median, _, worst] = summary(paints);
        let met = if worst < GOAL_MS && size <= GOAL_KB { "yes" } else { "no" };
        println!("| {name} | {median:.0} ms | {worst:.0} ms | {size:.1} KB | {data:.1} KB | {met} |");
    }
    println!();
}

/// Milliseconds until something is seen, kilobytes of the page, kilobytes of its boards. The window is a new one: nothing is
/// in its cache.
async fn visit(chrome: &mut Chrome, url: &str, cookies: &str) -> (f64, f64, f64) {
    let mut tab = window(chrome).await;
    tab.set_cookies(url, cookies).await;
    tab.open(url).await;
    tab.wait_for("[...document.querySelectorAll('palestra-board')].every((board) => board.querySelector('.cell'))")
        .await;
    tab.wait_for("performance.getEntriesByName('first-contentful-paint').length > 0").await;
    let measured = tab.eval(MEASURED).await;
    assert!(tab.complaints().is_empty(), "{url}: {:?}", tab.complaints());
    tab.call("Page.close", json!({})).await;
    let number = |index: usize| measured[index].as_f64().expect("a number");
    (number(0), number(1) / 1000.0, number(2) / 1000.0)
}

/// Scripts fetch nothing but layouts, looks and scenes.
const MEASURED: &str = "(() => { \
    const all = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)); \
    const isData = ({ initiatorType }) => initiatorType === 'fetch'; \
    const sum = (entries) => entries.reduce((total, { encodedBodySize }) => total + encodedBodySize, 0); \
    const [paint] = performance.getEntriesByName('first-contentful-paint'); \
    return [paint.startTime, sum(all.filter((one) => !isData(one))), sum(all.filter(isData))]; })()";
