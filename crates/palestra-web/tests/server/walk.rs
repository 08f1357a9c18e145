//! A walk through all pages in a real browser: no script and no request fails, nothing is wider than the window, axe finds
//! nothing serious.
//!
//! `PALESTRA_SCREENSHOTS=FOLDER` saves a picture of each page; `./screenshots.sh` does that.

use std::path::PathBuf;

use palestra_games::GAMES;
use serde_json::{Value, json};

use crate::chrome::{Chrome, Tab};
use crate::courses::Course;
use crate::people::{admin, email, link, mail, register};
use crate::roster::{import, upload};
use crate::site::{Browser, Live, Site, between};

/// A way to look at a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct View {
    language: &'static str,
    theme: &'static str,
    width: u32,
}

const VIEW: View = View { language: "en", theme: "light", width: 1440 };

/// Each width, language and theme once; with `--all` every combination.
fn views() -> Vec<View> {
    if std::env::var_os("PALESTRA_TEST_ALL").is_none() {
        let phone = View { width: 360, language: "es", ..VIEW };
        return vec![VIEW, View { theme: "dark", width: 768, ..VIEW }, phone];
    }
    let widths = [360, 768, 1440];
    let themes = ["light", "dark"].into_iter().flat_map(|theme| widths.map(|width| View { theme, width, ..VIEW }));
    themes.flat_map(|view| ["en", "es"].map(|language| View { language, ..view })).collect()
}

/// The axe-core script, if `test.sh` has installed it.
pub(crate) fn axe() -> Option<String> {
    let modules = PathBuf::from(std::env::var_os("PALESTRA_NODE_MODULES")?);
    Some(std::fs::read_to_string(modules.join("axe-core/axe.min.js")).expect("axe-core is installed"))
}

/// A page, and how to tell that it shows what it is for.
pub(crate) struct Page {
    /// The name of its picture.
    name: String,
    path: String,
    /// What is on it when it is whole, beside its boards.
    shows: &'static str,
}

impl Page {
    pub(crate) fn new(name: &str, path: &str) -> Self {
        Self { name: name.to_owned(), path: path.to_owned(), shows: "main" }
    }
}

/// Pages that are there without anybody having done anything.
const PAGES: [(&str, &str); 28] = [
    ("home", "/"),
    ("tables", "/tables"),
    ("games", "/games"),
    ("games-none", "/games?player=nobody"),
    ("maps", "/maps"),
    ("map", "/maps/orchard"),
    ("map-editor", "/maps/new?from=orchard"),
    ("analyse", "/analyse"),
    ("tree", "/tree"),
    ("rules", "/rules"),
    ("rules-mancala", "/rules/mancala"),
    ("rules-conecta4boom", "/rules/conecta4boom"),
    ("rules-desconecta4boom", "/rules/desconecta4boom"),
    ("rules-parchis", "/rules/parchis"),
    ("rules-bandera", "/rules/bandera"),
    ("player-ninja3", "/rules/players/ninja3"),
    ("player-alphabeta", "/rules/players/alphabeta"),
    ("register", "/register"),
    ("sign-in", "/sign-in"),
    ("forgotten", "/forgotten"),
    ("settings", "/settings"),
    ("tokens", "/settings/tokens"),
    ("accounts", "/admin/accounts"),
    ("help", "/help"),
    ("write-a-bot", "/write-a-bot"),
    ("privacy", "/privacy"),
    ("design", "/design"),
    ("not-found", "/nothing-here"),
];

/// What is on a server, for pages to show.
struct Place {
    site: Site,
    visitor: Browser,
    pages: Vec<Page>,
}

impl Place {
    async fn open() -> Self {
        let site = Site::open().await;
        let visitor = admin(&site, "Ada").await;
        let mut pages = Vec::from(PAGES.map(|(name, path)| Page::new(name, path)));
        for kind in GAMES {
            pages.push(Page::new(&format!("new-{}", kind.id()), &format!("/tables/new?game={}", kind.id())));
            let fields = [("game", kind.id()), ("seat2", "me"), ("visibility", "public")];
            let path = format!("/t/{}", visitor.open_table(&fields).await);
            pages.push(Page::new(&format!("table-{}", kind.id()), &path));
        }
        pages.extend(games(&visitor).await);
        pages.extend(links(&site, &visitor).await);
        pages.extend(course(&site, &visitor).await);
        Self { site, visitor, pages }
    }
}

/// A table that waits for somebody, one whose game is over, and that game. The list of games has it from now on.
async fn games(visitor: &Browser) -> [Page; 3] {
    let waiting = visitor.open_table(&[("game", "mancala"), ("seat2", "open")]).await;
    let over = visitor.open_table(&[("game", "conecta4boom"), ("seat2", "me"), ("visibility", "public")]).await;
    let mut live = Live::open(visitor, &over, None).await;
    for (ply, column) in (0..).zip(["4", "3", "3"]) {
        live.play(ply, column).await;
    }
    live.say(json!({"do": "resign"})).await;
    let ended = live.await_a("ended").await["state"]["ended"].clone();
    let replay = format!("/games/{}", ended["game"].as_str().expect("the game is kept"));
    [
        Page { shows: "[data-part=invite]:not([hidden]) svg", ..Page::new("table-waiting", &format!("/t/{waiting}")) },
        Page { shows: "[data-part=result]:not([hidden]) h2", ..Page::new("table-over", &format!("/t/{over}")) },
        Page { shows: ".moves [aria-current]", ..Page::new("replay", &replay) },
    ]
}

/// What the links in mails lead to.
async fn links(site: &Site, visitor: &Browser) -> [Page; 2] {
    register(&Browser::new(site), "Ben", &email("Ben")).await;
    let confirm = link(&mail(site, &email("Ben"), "/confirm/").await);
    visitor.post("/forgotten", &[("email", &email("Ada"))]).await;
    let reset = link(&mail(site, &email("Ada"), "/reset/").await);
    [Page::new("confirm", &confirm), Page::new("reset", &reset)]
}

/// A course with a group, and the pages about it.
async fn course(site: &Site, visitor: &Browser) -> Vec<Page> {
    let course = Course::create(visitor, "Inteligencia Artificial").await;
    let join = course.add_group(visitor, "A1").await;
    course.add_group(visitor, "B2").await;
    let preview = upload(visitor, &course, "Ana Núñez,ana@uni.example,A1,77\nBen,ben@uni.example,B2", "").await;
    let members = import(visitor, &course, &preview, &[]).await.text;
    let member = between(between(&members, "<tbody>", "</td>"), "href=\"", "\"").to_owned();
    visitor.post(&course.at("/notices"), &[("group", ""), ("text", "The exam is on Friday.")]).await;
    let work = crate::assignments::pages(visitor, &course).await;
    let copies = crate::copies::pages(site, visitor, &course).await;
    let pages = course.pages().into_iter().chain(work).chain(copies).chain([("join", join), ("course-member", member)]);
    pages.map(|(name, path)| Page::new(name, &path)).collect()
}

#[tokio::test]
async fn every_page_is_whole_in_every_width_language_and_theme() {
    let place = Place::open().await;
    let mut chrome = Chrome::start().await;
    let faults = visit(&mut chrome, &place.site, &place.visitor, &place.pages).await;
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is wrong with pages, in each view.
pub(crate) async fn visit(chrome: &mut Chrome, site: &Site, visitor: &Browser, pages: &[Page]) -> Vec<String> {
    let axe = axe();
    let mut faults = vec![];
    for view in views() {
        let mut tab = chrome.tab().await;
        tab.set_cookies(&site.url, &visitor.cookies()).await;
        tab.set_cookies(&site.url, &format!("lang={}", view.language)).await;
        tab.resize(view.width, 900).await;
        tab.prefer_colours(view.theme).await;
        for Page { name, path, shows } in pages {
            tab.open(&format!("{}{path}", site.url)).await;
            tab.wait_for(
                "[...document.querySelectorAll('palestra-board')].every((board) => board.querySelector('.cell'))",
            )
            .await;
            tab.wait_for(&format!("document.querySelector({}) !== null", json!(shows))).await;
            save(&mut tab, name, view).await;
            let wrong = look(&mut tab, axe.as_deref()).await;
            faults.extend(wrong.into_iter().map(|fault| format!("{name} {view:?}: {fault}")));
        }
        // A page that does not exist is an error in the browser's log.
        let complaints = tab.complaints().iter().filter(|complaint| !complaint.contains("/nothing-here"));
        faults.extend(complaints.map(|complaint| format!("{view:?}: {complaint}")));
    }
    faults
}

/// What is wrong with a page.
async fn look(tab: &mut Tab, axe: Option<&str>) -> Vec<String> {
    let mut faults = vec![];
    let excess = tab.eval("document.documentElement.scrollWidth - document.documentElement.clientWidth").await;
    if excess.as_f64().is_none_or(|excess| excess > 0.0) {
        faults.push(format!("{excess} pixels wider than the window"));
    }
    if tab.eval("document.querySelectorAll('h1').length").await != 1 {
        faults.push("not one heading of the first level".to_owned());
    }
    for (what, expression) in [("hard to hit", SMALL_TARGETS), ("describes nothing", STRAY_HINTS)] {
        let found = tab.eval(expression).await;
        let found = found.as_array().expect("the expression is evaluated");
        faults.extend(found.iter().map(|element| format!("{what}: {element}")));
    }
    if let Some(axe) = axe {
        // To screen readers the picture of a board is an image: all that it is drawn of would only take time.
        tab.eval("document.querySelectorAll('palestra-board[static] > svg > g').forEach((layer) => layer.remove())")
            .await;
        tab.eval(axe).await;
        let found = tab.eval(AXE).await;
        faults.extend(found.as_array().into_iter().flatten().map(Value::to_string));
    }
    faults
}

/// What can be clicked and is smaller than 24 pixels, on a phone than 44. Links within a sentence are as high as its lines; boards
/// have tests of their own.
const SMALL_TARGETS: &str = "(() => { const least = innerWidth <= 860 ? 44 : 24; \
    const box = (element) => (element.closest('label') ?? element).getBoundingClientRect(); \
    const isSmall = (element) => { const {width, height} = box(element); return height > 0 && width > 0 && Math.min(width, height) < least - 0.5; }; \
    const isMeant = (element) => !element.matches('.unseen, .skip, [type=hidden]') && !element.closest('palestra-board') \
      && element.checkVisibility() && !(element.tagName === 'A' && getComputedStyle(element).display === 'inline'); \
    return [...document.querySelectorAll('a, button, input, select, textarea, summary')].filter((element) => isMeant(element) && isSmall(element)) \
      .map((element) => `${element.outerHTML.slice(0, 120)} ${Math.round(box(element).width)}x${Math.round(box(element).height)}`); })()";

/// The hints of fields that no field names as its description, and descriptions that are not there.
const STRAY_HINTS: &str = "[...[...document.querySelectorAll('.field .hint, fieldset .hint')] \
    .filter(({id}) => !id || !document.querySelector(`[aria-describedby~='${id}']`)).map((hint) => hint.innerText), \
    ...[...document.querySelectorAll('[aria-describedby]')] \
    .flatMap((field) => field.getAttribute('aria-describedby').split(' ')) \
    .filter((id) => !document.getElementById(id))]";

/// The serious findings of axe, with the elements that they are about.
pub(crate) const AXE: &str = "axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations \
    .filter(({impact}) => impact === 'serious' || impact === 'critical') \
    .map(({id, nodes}) => [id, nodes.slice(0, 3).map(({html}) => html.slice(0, 160))]))";

/// Saves a picture of the whole page, if pictures are wanted.
async fn save(tab: &mut Tab, name: &str, view: View) {
    let Some(folder) = std::env::var_os("PALESTRA_SCREENSHOTS") else { return };
    let file = format!("{name}-{}-{}-{}.png", view.language, view.theme, view.width);
    std::fs::write(PathBuf::from(folder).join(file), tab.picture().await).expect("the picture is written");
}
