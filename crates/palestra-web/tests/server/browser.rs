//! The pages in a real browser.

use std::time::Instant;

use palestra_games::GameKind;
use palestra_games::bandera::BUNDLED;
use palestra_store::Role;

use crate::chrome::{Chrome, Tab};
use crate::line::Line;
use crate::maps::{signed_in, upload};
use crate::site::{Site, WAIT_LIMIT};

/// Nothing on the page went wrong.
pub(crate) fn assert_no_complaints(tab: &Tab) {
    assert!(tab.complaints().is_empty(), "{:?}", tab.complaints());
}

/// Opens a table at which one person plays both sides.
pub(crate) async fn play_alone(tab: &mut Tab, site: &Site, game: &str) {
    tab.open(&format!("{}/tables/new?game={game}", site.url)).await;
    tab.eval("document.querySelector('[name=seat2]').value = 'me'").await;
    tab.click("main form button:not([name])").await;
    tab.wait_for("document.querySelector('palestra-board.playable .cell') !== null").await;
}

#[tokio::test]
async fn a_visitor_plays_a_ninja_with_two_clicks() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.open(&site.url).await;
    tab.click("form:has([value=mancala]) [value=ninja1]").await;
    tab.wait_for("location.pathname.startsWith('/t/')").await;
    tab.wait_for("document.querySelectorAll('palestra-board .cell.next').length === 6").await;
    tab.click("[data-id=pit1-1]").await;
    tab.wait_for("document.querySelectorAll('.moves .owner-1').length > 0").await;
    tab.wait_for("document.querySelectorAll('palestra-board .cell.next').length > 0").await;
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn the_first_click_on_the_first_page_is_the_first_move() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.open(&site.url).await;
    tab.click(".first-move palestra-board .cell.next").await;
    tab.wait_for("location.pathname.startsWith('/t/')").await;
    tab.wait_for("document.querySelectorAll('.moves .owner-0').length > 0").await;
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn no_page_is_wider_than_a_phone_and_rules_open_without_a_script() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.resize(360, 740).await;
    let pages = ["/", "/tables", "/tables/new", "/games", "/maps", "/maps/causeway", "/analyse", "/register"];
    for path in pages.into_iter().chain(["/sign-in", "/help", "/write-a-bot", "/privacy", "/design", "/nothing"]) {
        tab.open(&format!("{}{path}", site.url)).await;
        let sizes = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]";
        let sizes = tab.eval(sizes).await;
        assert_eq!(sizes[0], sizes[1], "{path} scrolls sideways");
    }
    tab.open(&site.url).await;
    // Boards that come later move what is below them.
    tab.wait_for("[...document.querySelectorAll('palestra-board')].every((board) => board.querySelector('.cell'))")
        .await;
    tab.click("[popovertarget]").await;
    tab.wait_for("document.querySelector('[popover]:popover-open') !== null").await;
}

#[tokio::test]
async fn a_friend_is_invited_by_link_and_keys_are_enough_to_play() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let (mut host, mut friend) = (chrome.tab().await, chrome.tab().await);
    host.open(&format!("{}/tables/new?game=mancala", site.url)).await;
    host.click("main form button").await;
    host.wait_for("document.querySelector('[data-part=invite]:not([hidden])') !== null").await;
    let link = host.eval("document.querySelector('[data-part=link]').value").await;
    friend.open(link.as_str().unwrap()).await;
    friend.click(".sit button").await;
    host.wait_for("document.querySelectorAll('palestra-board .cell.next').length === 6").await;
    host.eval("document.querySelector('[data-id=pit1-6]').focus()").await;
    for key in ["ArrowRight", "Enter"] {
        host.press(key).await;
    }
    friend.wait_for("document.querySelector('.moves li')?.innerText === '5'").await;
    friend.wait_for("document.querySelectorAll('palestra-board .cell.next').length > 0").await;
    host.click("[data-ask=resign]").await;
    host.click("dialog [value=resign]").await;
    host.wait_for("document.querySelector('.result h2')?.innerText === 'You lost.'").await;
    host.wait_for("document.querySelector('.result').innerText.includes('You resigned.')").await;
    friend.wait_for("document.querySelector('.result h2')?.innerText === 'You won.'").await;
    friend.click("[data-part=result] a").await;
    friend.wait_for("document.querySelector('.analysis palestra-board .count') !== null").await;
    friend.wait_for("document.querySelectorAll('.analysis .cell.last').length > 0").await;
    friend.click(".stepper [data-go=first]").await;
    friend.wait_for("location.search === '?ply=0'").await;
    friend.wait_for("document.querySelectorAll('.analysis .cell.last').length === 0").await;
    assert_no_complaints(&host);
    assert_no_complaints(&friend);
}

#[tokio::test]
async fn a_form_that_came_back_is_kept_by_the_switches_and_sent_by_enter() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.resize(1440, 900).await;
    tab.open(&format!("{}/register", site.url)).await;
    let typed =
        [("name", "Ana María"), ("nickname", "ninja1"), ("email", "ana@school.example"), ("password", "correct horse")];
    for (id, value) in typed {
        tab.eval(&format!("document.getElementById('{id}').value = '{value}'")).await;
    }
    tab.click("main form button").await;
    tab.wait_for("document.getElementById('nickname')?.getAttribute('aria-invalid') === 'true'").await;
    // What is typed after that is kept too, though the password, which no page shows, is missing.
    tab.eval("document.getElementById('nickname').value = 'Ana'").await;
    tab.click(".tools [lang=es]").await;
    tab.wait_for("document.documentElement.lang === 'es'").await;
    let kept = tab.eval("['name', 'nickname', 'email'].map((id) => document.getElementById(id).value)").await;
    assert_eq!(kept, serde_json::json!(["Ana María", "Ana", "ana@school.example"]));
    tab.click(".tools form[action='/theme'] button").await;
    tab.wait_for("document.documentElement.dataset.theme === 'light'").await;
    assert_eq!(tab.eval("document.getElementById('nickname').value").await, "Ana");
    tab.eval("document.getElementById('password').value = 'correct horse'").await;
    tab.eval("document.getElementById('password').focus()").await;
    tab.press("Enter").await;
    tab.wait_for("document.querySelector('main form') === null").await;
    assert!(tab.eval("document.body.innerText").await.as_str().unwrap().contains("Consulta tu correo"), "it is sent");
}

#[tokio::test]
async fn a_name_that_cannot_be_taken_is_said_to_be_beside_the_field() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let (mut host, mut friend) = (chrome.tab().await, chrome.tab().await);
    host.open(&format!("{}/tables/new?game=mancala", site.url)).await;
    host.click("main form .actions button").await;
    host.wait_for("document.querySelector('[data-part=link]')?.value.includes('/t/')").await;
    let link = host.eval("document.querySelector('[data-part=link]').value").await.as_str().unwrap().to_owned();
    friend.open(&link).await;
    friend.wait_for("document.querySelector('.sit input') !== null").await;
    let name = "const field = document.querySelector('.sit input'); field.value = NAME; field.dispatchEvent(new Event('input'))";
    friend.eval(&format!("{{ {} }}", name.replace("NAME", "'ninja1'"))).await;
    friend.click(".sit button").await;
    friend.wait_for("document.querySelector('.sit input').getAttribute('aria-invalid') === 'true'").await;
    let says = friend
        .eval(
            "document.getElementById(document.querySelector('.sit input').getAttribute('aria-describedby')).innerText",
        )
        .await;
    assert_eq!(says, "ninja1 is the name of a built-in player. Choose another.");
    friend.wait_for("document.activeElement === document.querySelector('.sit input')").await;
    assert_eq!(friend.eval("document.activeElement.value").await, "ninja1", "what was typed is still there");
    friend.eval(&format!("{{ {} }}", name.replace("NAME", "'Bea'"))).await;
    friend.click(".sit button").await;
    host.wait_for("document.querySelector('[data-part=above] b').innerText === 'Bea'").await;
    assert_no_complaints(&friend);
}

#[tokio::test]
async fn a_map_is_deleted_after_a_question_whose_first_answer_is_no() {
    let site = Site::open().await;
    let owner = signed_in(&site, "Own", Role::Teacher).await;
    let path = upload(&owner, "My map", BUNDLED[2].text).await.path;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.set_cookies(&site.url, &owner.cookies()).await;
    tab.open(&format!("{}{path}", site.url)).await;
    tab.click("[popovertarget=delete]").await;
    tab.wait_for("document.querySelector('#delete:popover-open') !== null").await;
    tab.wait_for("document.activeElement.innerText === 'Keep it'").await;
    tab.press("Enter").await;
    tab.wait_for("document.querySelector('#delete:popover-open') === null").await;
    assert_eq!(owner.get(&path).await.status, 200);
    tab.click("[popovertarget=delete]").await;
    tab.click("#delete .danger").await;
    tab.wait_for("location.pathname === '/maps'").await;
    assert_eq!(owner.get(&path).await.status, 404);
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn a_page_goes_on_after_a_restart_of_the_server() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    play_alone(&mut tab, &site, "bandera").await;
    let listen = site.url.trim_start_matches("http://").parse().unwrap();
    let folder = site.close().await;
    tab.wait_for("document.querySelector('palestra-board.playable') === null").await;
    let _site = Site::open_in(folder, |config| config.listen = listen).await;
    tab.wait_for("document.querySelector('palestra-board.playable') !== null").await;
    let begun = Instant::now();
    while tab.eval("document.querySelectorAll('.moves li').length === 0").await == true {
        assert!(begun.elapsed() < WAIT_LIMIT, "no move within {WAIT_LIMIT:?}");
        tab.click_on(NEXT).await;
    }
}

#[tokio::test]
async fn every_game_can_be_played_by_clicking_what_is_marked() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    // Those that no list shows too: nothing but their data tells a browser about them.
    for kind in GameKind::all() {
        play_alone(&mut tab, &site, kind.id()).await;
        for moves in 1..=4 {
            let made = format!("document.querySelectorAll('.moves li').length >= {moves}");
            let mut clicks = 0;
            while tab.eval(&made).await != true {
                clicks += 1;
                assert!(clicks < 20, "{}: no move after {clicks} clicks", kind.id());
                let can_go_on = "document.querySelector('palestra-board.playable') !== null";
                tab.wait_for(&format!("{can_go_on} || {made}")).await;
                if tab.eval(can_go_on).await == true {
                    // A piece where pieces are meant, else a button or a cell: what is marked leads on.
                    tab.click_on(NEXT).await;
                }
            }
        }
    }
    assert_no_complaints(&tab);
}

/// What a person would click next.
const NEXT: &str = "(() => { const all = ['palestra-board .control:not(:disabled)', 'palestra-board .piece.next:not(.ghost-piece)', \
    'palestra-board .cell.next .outline']; \
    const found = all.map((selector) => [...document.querySelectorAll(selector)]).flat(); \
    const fresh = found.filter((element) => !element.closest('.chosen')); \
    return fresh[0] ?? found[0]; })()";

/// Two people at a table of Mancala in windows of their own, the second at this address of the site; the first has moved.
async fn two_at_a_table(chrome: &mut Chrome, site: &Site, address: &str) -> (Tab, Tab) {
    let (mut host, mut friend) = (chrome.tab().await, chrome.tab().await);
    host.open(&format!("{}/tables/new?game=mancala", site.url)).await;
    host.click("main form .actions button").await;
    host.wait_for("document.querySelector('[data-part=status]')?.innerText === 'Waiting for a second player.'").await;
    let link = host.eval("document.querySelector('[data-part=link]').value").await;
    friend.open(&link.as_str().unwrap().replace(&site.url, address)).await;
    friend.click(".sit button").await;
    host.wait_for("document.title.startsWith('Your turn · ')").await;
    host.click("[data-id=pit1-1]").await;
    host.wait_for("!document.title.startsWith('Your turn')").await;
    friend.wait_for("document.title.startsWith('Your turn · ')").await;
    (host, friend)
}

/// What the other sees when somebody has dropped.
async fn sees_who_is_away(tab: &mut Tab) {
    tab.wait_for("document.querySelector('[data-part=notice]').innerText.includes('24 h to come back')").await;
    tab.wait_for("document.querySelector('[data-part=above] small').innerText.includes('away')").await;
}

/// A condition: so many moves have been made.
fn has_moves(count: usize) -> String {
    format!("document.querySelectorAll('.moves li').length === {count}")
}

#[tokio::test]
async fn two_browsers_play_each_other_and_one_drops() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let (mut host, mut friend) = two_at_a_table(&mut chrome, &site, &site.url).await;
    let link = friend.eval("location.href").await.as_str().unwrap().to_owned();
    friend.wait_for("document.querySelector('[data-part=below] small').innerText.includes('you')").await;
    friend.open("about:blank?gone").await;
    sees_who_is_away(&mut host).await;
    let status = host.eval("document.querySelector('[data-part=status]').innerText").await;
    assert_eq!(status, "It is Guest 2's turn.", "a notice does not hide the turn");
    friend.open(&link).await;
    friend.wait_for("document.title.startsWith('Your turn · ')").await;
    host.wait_for("document.querySelector('[data-part=notice]').innerText === 'Guest 2 is back.'").await;
    friend.click("palestra-board .cell.next").await;
    host.wait_for(&has_moves(2)).await;
    assert_eq!(host.eval("document.querySelector('[data-part=solo]').hidden").await, true, "another person plays");
    assert_no_complaints(&host);
}

#[tokio::test]
async fn whoever_loses_the_connection_is_told_so_and_catches_up_by_itself() {
    let site = Site::open().await;
    let line = Line::to(&site).await;
    let mut chrome = Chrome::start().await;
    let (mut host, mut friend) = two_at_a_table(&mut chrome, &site, &line.url).await;
    friend.click("[data-id=pit2-1]").await;
    host.wait_for("document.title.startsWith('Your turn · ')").await;
    assert_no_complaints(&friend);
    line.cut();
    friend
        .wait_for("document.querySelector('[data-part=status]').innerText.startsWith('The connection is lost')")
        .await;
    friend.wait_for("document.querySelector('palestra-board.playable') === null").await;
    sees_who_is_away(&mut host).await;
    // Whoever is there goes on.
    host.click("[data-id=pit1-2]").await;
    host.wait_for(&has_moves(3)).await;
    line.mend();
    friend.wait_for(&has_moves(3)).await;
    friend.wait_for("document.title.startsWith('Your turn · ')").await;
    host.wait_for("document.querySelector('[data-part=notice]').innerText === 'Guest 2 is back.'").await;
    friend.click("palestra-board .cell.next").await;
    host.wait_for(&has_moves(4)).await;
    assert_no_complaints(&host);
}

#[tokio::test]
async fn programs_move_for_a_person_who_plays_alone() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.open(&format!("{}/tables/new?game=mancala", site.url)).await;
    tab.eval("document.querySelector('[name=seat2]').value = 'me'").await;
    tab.click("main form .actions button").await;
    tab.wait_for("document.querySelector('[data-part=solo]')?.hidden === false").await;
    tab.eval("document.querySelector('#stand-in').value = 'greedy'").await;
    tab.click("[data-moves='1']").await;
    tab.wait_for("document.querySelectorAll('.moves li').length === 1").await;
    tab.eval("document.querySelector('[name=moves]').value = '3'").await;
    tab.click("[data-moves=count]").await;
    tab.wait_for("document.querySelectorAll('.moves li').length === 4").await;
    tab.click(".actions-card [data-do=take_back]").await;
    tab.wait_for("document.querySelectorAll('.moves li').length < 4").await;
    tab.wait_for("document.querySelectorAll('.moves [aria-current]').length === 1").await;
    tab.wait_for("[...document.querySelectorAll('.moves li')].at(-1).matches('[aria-current=step]')").await;
    tab.click("[data-moves=all]").await;
    tab.wait_for("document.querySelector('[data-part=result]').hidden === false").await;
    tab.click(".result .close").await;
    tab.wait_for("document.querySelector('[data-part=result]').hidden").await;
    let status = tab.eval("document.querySelector('[data-part=status]').innerText").await;
    assert!(status.as_str().unwrap().contains("are empty."), "{status}");
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn the_whole_board_is_in_view_on_a_small_laptop() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.resize(1366, 650).await;
    for kind in GameKind::all() {
        tab.open(&format!("{}/tables/new?game={}", site.url, kind.id())).await;
        tab.eval("document.querySelector('[name=seat2]').value = 'me'").await;
        tab.click("main form .actions button").await;
        tab.wait_for("document.querySelector('palestra-board .cell .outline') !== null").await;
        tab.eval("window.scrollTo(0, 0)").await;
        let lowest = "Math.max(...[...document.querySelectorAll('palestra-board .cell .outline, [data-part=below]')]\
            .map((element) => element.getBoundingClientRect().bottom))";
        let lowest = tab.eval(lowest).await;
        assert!(lowest.as_f64().unwrap() <= 650.0, "{}: {lowest}", kind.id());
    }
}
