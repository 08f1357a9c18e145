//! The rules pages and those of the built-in players, in a real browser: examples, links, keys, the navigation.

use std::collections::BTreeSet;

use palestra_games::GAMES;
use serde_json::{Value, json};

use crate::browser::assert_no_complaints;
use crate::chrome::{Chrome, Tab};
use crate::site::{Browser, Site, between};

/// The names of all built-in players.
const PLAYERS: [&str; 9] =
    ["random", "greedy", "ninja1", "ninja2", "ninja3", "maestro", "house", "minimax", "alphabeta"];

/// What holds for every example of a page: its boards are drawn, and the one after the moves differs from that before them.
const FAULTS: &str = "(() => { const drawn = (board) => board.querySelector('.pieces').innerHTML + board.querySelector('.counts').innerHTML \
    + board.querySelector('.rings').innerHTML; \
    return [...document.querySelectorAll('.example')].flatMap((example) => { \
      const boards = [...example.querySelectorAll('palestra-board')]; const caption = example.querySelector('figcaption').innerText; \
      if (boards.some((board) => !board.querySelector('.cell'))) return [`not drawn: ${caption}`]; \
      const names = new Set(boards.map((board) => board.querySelector('svg').getAttribute('aria-label'))); \
      if (names.size !== boards.length || names.has('')) return [`no name: ${caption}`]; \
      if ((boards.length === 2) !== (example.querySelector('button') !== null)) return [`nothing to show: ${caption}`]; \
      return boards.length === 2 && drawn(boards[0]) === drawn(boards[1]) ? [`nothing happens: ${caption}`] : []; }); })()";

/// Opens a page, and waits until its boards are filled.
async fn open(tab: &mut Tab, site: &Site, path: &str) {
    tab.open(&format!("{}{path}", site.url)).await;
    tab.wait_for("[...document.querySelectorAll('palestra-board')].every((board) => board.querySelector('.cell'))")
        .await;
    tab.wait_for("[...document.querySelectorAll('.example palestra-board')].every((board) => board.scene.pieces.length + board.scene.counters.length > 0)").await;
}

#[tokio::test]
async fn every_rule_is_shown_by_example_in_every_language_and_theme() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    for (language, theme) in [("en", "light"), ("es", "dark")] {
        tab.set_cookies(&site.url, &format!("lang={language}; theme={theme}")).await;
        for kind in GAMES {
            open(&mut tab, &site, &format!("/rules/{}", kind.id())).await;
            assert_eq!(tab.eval(FAULTS).await, json!([]), "{} {language}", kind.id());
            assert!(
                tab.eval("document.querySelectorAll('.example button').length >= 5").await == true,
                "{}",
                kind.id()
            );
            let numbers = tab
                .eval("[...document.querySelectorAll('.rule h3 .number')].map(({ innerText }) => Number(innerText))")
                .await;
            let count = numbers.as_array().unwrap().len();
            assert_eq!(numbers, json!((1..=count).collect::<Vec<_>>()), "{}", kind.id());
        }
    }
    assert_no_complaints(&tab);
}

/// The longest line of a rule, in characters.
const LONGEST: &str = "(() => { const range = document.createRange(); let most = 0; \
    for (const paragraph of document.querySelectorAll('.rule .words p')) { \
      const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT); let [top, length] = [-1, 0]; \
      for (let node = walker.nextNode(); node; node = walker.nextNode()) for (let at = 0; at < node.length; at += 1) { \
        range.setStart(node, at); range.setEnd(node, at + 1); const box = range.getBoundingClientRect(); \
        if (Math.abs(box.bottom - top) > 8) [top, length] = [box.bottom, 0]; \
        most = Math.max(most, length += 1); } } return most; })()";

#[tokio::test]
async fn lines_are_short_enough_to_read_and_boards_stand_beside_or_below_their_rule() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    let places = "[...document.querySelectorAll('.rule:not(.alone)')].map((rule) => [rule.querySelector('.words'), rule.querySelector('.figures')] \
        .map((part) => part.getBoundingClientRect()))";
    tab.resize(1440, 900).await;
    open(&mut tab, &site, "/rules/mancala").await;
    let longest = tab.eval(LONGEST).await.as_u64().unwrap();
    assert!((40..=80).contains(&longest), "{longest}");
    assert_eq!(tab.eval(&format!("{places}.every(([words, boards]) => boards.left > words.right)")).await, true);
    tab.resize(360, 800).await;
    tab.wait_for(&format!("{places}.every(([words, boards]) => boards.top >= words.bottom)")).await;
    assert_eq!(tab.eval("document.documentElement.scrollWidth").await, 360);
}

/// Whether the second board of the first example with moves is as it was when the page was filled; `first` and `last` are its
/// scenes before and after the moves.
const BOARD: &str = "window.example = [...document.querySelectorAll('.example')].find((one) => one.querySelector('button')); \
    [window.before, window.after] = example.querySelectorAll('palestra-board'); \
    window.first = before.scene; window.last = after.scene; 0";

#[tokio::test]
async fn what_is_asked_for_is_shown_from_before_to_after_by_mouse_and_by_keys() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    for kind in GAMES {
        open(&mut tab, &site, &format!("/rules/{}", kind.id())).await;
        tab.eval(BOARD).await;
        // The board goes back to where the moves begin, and ends where it was.
        tab.click_on("window.example.querySelector('button')").await;
        tab.wait_for("after.scene === first").await;
        tab.wait_for("after.isMoving").await;
        tab.wait_for("after.scene === last && !after.isMoving").await;
    }
    // By keys, and with as little motion as possible.
    tab.reduce_motion().await;
    tab.eval("example.querySelector('button').focus()").await;
    tab.press("Enter").await;
    tab.wait_for("after.scene === first").await;
    tab.wait_for("after.scene === last").await;
    // Who asks again sees it from the beginning, once.
    tab.eval("window.seen = []; for (let turn = 0; turn < 3; turn += 1) example.querySelector('button').click(); 0")
        .await;
    tab.wait_for("after.scene === last").await;
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn the_index_marks_the_section_that_is_being_read() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.resize(1440, 900).await;
    open(&mut tab, &site, "/rules/parchis").await;
    let links = "[...document.querySelectorAll('.guide-index a[href^=\"#\"]')]";
    let marked = format!("{links}.filter((link) => link.hasAttribute('aria-current')).map((link) => link.hash)");
    assert_eq!(tab.eval(&marked).await, json!(["#play"]));
    for section in ["meet", "programs", "play"] {
        tab.click(&format!(".guide-index a[href=\"#{section}\"]")).await;
        tab.wait_for(&format!("String({marked}) === '#{section}'")).await;
    }
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn a_first_game_begins_on_the_page_of_its_rules() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    open(&mut tab, &site, "/rules/parchis").await;
    tab.click(".opening .button.primary").await;
    tab.wait_for("location.pathname.startsWith('/t/') && document.querySelector('palestra-board .cell') !== null")
        .await;
    assert_eq!(tab.eval("document.querySelector('palestra-board').getAttribute('game')").await, "parchis");
    // The table leads back to the rules, in a window of their own.
    let link = "document.querySelector('#rules a')";
    assert_eq!(tab.eval(&format!("[{link}.pathname, {link}.target]")).await, json!(["/rules/parchis", "_blank"]));

    tab.open(&format!("{}/rules/players/maestro", site.url)).await;
    tab.click(".opening form .button").await;
    tab.wait_for("location.pathname.startsWith('/t/') && document.body.innerText.includes('maestro')").await;
    assert_no_complaints(&tab);
}

/// The addresses on this site that a page links to, without their parts.
fn links(text: &str) -> BTreeSet<String> {
    let all = text.split("<a ").skip(1).filter_map(|link| Some(between(link, "", ">").split_once("href=\"")?.1));
    let paths = all.filter_map(|rest| Some(rest.split_once('"')?.0.split('#').next()?.to_owned()));
    paths.filter(|path| path.starts_with('/')).collect()
}

#[tokio::test]
async fn all_links_lead_somewhere() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let mut pages: Vec<String> = GAMES.iter().map(|kind| format!("/rules/{}", kind.id())).collect();
    pages.extend(PLAYERS.map(|name| format!("/rules/players/{name}")));
    pages.extend(["/rules", "/rules/players", "/tables/new?game=mancala"].map(str::to_owned));
    let mut found = BTreeSet::new();
    for language in ["en", "es"] {
        browser.post("/language", &[("lang", language)]).await;
        for page in &pages {
            let seen = browser.get(page).await;
            assert_eq!(seen.status, 200, "{page}");
            found.extend(links(&seen.text));
            for part in seen.text.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(seen.text.contains(&format!(" id=\"{part}\"")), "{page}: #{part}");
            }
        }
    }
    for page in pages.iter().filter(|page| page.as_str() != "/rules/players") {
        assert!(found.contains(page.as_str()) || page.starts_with("/tables/new"), "nothing links to {page}");
    }
    // The page of the search tree has tests of its own.
    for path in found.iter().filter(|path| !path.starts_with("/tree")) {
        assert_eq!(browser.get(path).await.status, 200, "{path}");
    }
    for nothing in ["/rules/chess", "/rules/players/nobody", "/rules/mancala/sow"] {
        assert_eq!(browser.get(nothing).await.status, 404, "{nothing}");
    }
}

#[tokio::test]
async fn a_game_whose_rules_are_not_written_has_those_that_it_says_itself() {
    let site = Site::open().await;
    let text = Browser::new(&site).get("/rules/shells").await.text;
    let about = &palestra_games::GameKind::find("shells").unwrap().about;
    assert!(text.contains(about.name) && text.contains(about.move_notation.split(',').next().unwrap()), "{text}");
    assert!(
        !text.contains("data-replays") && !text.contains("name=\"seat2\""),
        "no examples, and nobody to play against"
    );
}

#[tokio::test]
async fn a_player_has_its_limits_weights_and_results() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let ninja = browser.get("/rules/players/ninja3").await.text;
    for said in ["70,000", "Each seed in its own pits", "81.0 %", "153, 18, 29", "74.6 to 85.0 %"] {
        assert!(ninja.contains(said), "{said}");
    }
    assert!(ninja.contains("<a href=\"/rules/players/alphabeta\">alphabeta:8:test</a>"));
    let house = browser.get("/rules/players/house").await.text;
    assert!(house.contains("140,000") && !house.contains("value=\"bandera\""), "Mancala alone");
    assert!(browser.get("/rules/players/minimax").await.text.contains("has none of this player"));
    browser.post("/language", &[("lang", "es")]).await;
    assert!(browser.get("/rules/players/ninja3").await.text.contains("74,6 a 85,0 %"));
}

#[tokio::test]
async fn the_navigation_fits_at_every_width() {
    let site = Site::open().await;
    let admin = crate::people::admin(&site, "Grace-Hopper-Admin-1").await;
    let mut chrome = Chrome::start().await;
    for cookies in ["", &admin.cookies()] {
        let mut tab = chrome.tab().await;
        tab.set_cookies(&site.url, cookies).await;
        tab.set_cookies(&site.url, "lang=es").await;
        for width in [360, 768, 861, 1024, 1280, 1380, 1381, 1440] {
            tab.resize(width, 720).await;
            tab.open(&format!("{}/help", site.url)).await;
            let places = if width <= 860 { ".bottom" } else { ".places" };
            let shown =
                format!("[...document.querySelectorAll('{places} a')].filter((link) => link.checkVisibility())");
            let rows = tab
                .eval(&format!("new Set({shown}.map((link) => Math.round(link.getBoundingClientRect().top))).size"))
                .await;
            assert_eq!(rows, 1, "{width}: one row");
            let count = tab.eval(&format!("{shown}.length")).await.as_u64().unwrap();
            assert!(
                if width <= 860 { count == 5 } else { count >= if width <= 1380 { 5 } else { 8 } },
                "{width}: {count}"
            );
            let tops = "[...document.querySelectorAll('.top > *')].filter((part) => part.checkVisibility())";
            let overlaps = format!(
                "(() => {{ const boxes = {tops}.map((part) => part.getBoundingClientRect()); \
                return boxes.some((box, at) => at > 0 && box.left < boxes[at - 1].right) || boxes.at(-1).right > innerWidth || boxes[0].height > 60; }})()"
            );
            assert_eq!(tab.eval(&overlaps).await, false, "{width}");
            let tall =
                tab.eval("document.querySelector('.top').getBoundingClientRect().height").await.as_f64().unwrap();
            assert!(tall <= 60.0, "{width}: {tall}");
            // What has no room in the bar is in the menu.
            if width <= 1380 {
                tab.click(".burger summary").await;
                let rest = "[...document.querySelectorAll('.burger .rest')].filter((link) => link.checkVisibility()).map((link) => link.pathname)";
                let bots: &[&str] = if cookies.is_empty() { &[] } else { &["/bots"] };
                let wanted = [&["/leagues", "/games", "/maps"], bots].concat();
                assert_eq!(tab.eval(rest).await, json!(wanted), "{width}");
            }
        }
        let main: Vec<Value> = tab
            .eval("[...document.querySelectorAll('.bottom a')].map((link) => link.pathname)")
            .await
            .as_array()
            .unwrap()
            .clone();
        assert_eq!(main, ["/", "/tables", "/analyse", "/tree", "/rules"]);
        assert_no_complaints(&tab);
    }
}
