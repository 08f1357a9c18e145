//! The map editor in a real browser, by mouse and by keys.

use palestra_store::Role;
use serde_json::{Value, json};

use crate::browser::assert_no_complaints;
use crate::chrome::{Chrome, Tab};
use crate::maps::{signed_in, with_large_map};
use crate::site::{Browser, Site};

pub(crate) const MAP: &str = "document.querySelector('[data-part=map]')";

/// Opens the editor, and waits until it is ready.
pub(crate) async fn open(tab: &mut Tab, site: &Site, path: &str) {
    tab.open(&format!("{}{path}", site.url)).await;
    tab.wait_for(&format!(
        "{MAP}?.sheet !== undefined && document.querySelector('[data-part=verdict]').textContent !== ''"
    ))
    .await;
}

/// The rows of the map on the canvas.
pub(crate) async fn rows(tab: &mut Tab) -> Vec<String> {
    let rows = tab.eval(&format!("{MAP}.sheet.grid.draft({MAP}.sheet.palette).rows")).await;
    rows.as_array().unwrap().iter().map(|row| row.as_str().unwrap().to_owned()).collect()
}

/// Where a cell is in the window.
pub(crate) async fn place_of(tab: &mut Tab, cell: usize) -> Value {
    let at = format!(
        "(() => {{ {MAP}.scrollIntoView({{block: 'center', behavior: 'instant'}}); const box = {MAP}.getBoundingClientRect(); \
         const at = {MAP}.pointOf({cell}); return [box.x + at.x, box.y + at.y]; }})()"
    );
    tab.eval(&at).await
}

/// Presses the mouse on the first of these cells, moves over the others, and lets it go on the last.
pub(crate) async fn stroke(tab: &mut Tab, cells: &[usize]) {
    let mut last = Value::Null;
    for (index, cell) in cells.iter().enumerate() {
        last = place_of(tab, *cell).await;
        tab.mouse(if index == 0 { "mousePressed" } else { "mouseMoved" }, &last).await;
    }
    tab.mouse("mouseReleased", &last).await;
}

async fn verdict(tab: &mut Tab, begins: &str) {
    let says = format!("document.querySelector('[data-part=verdict]').textContent.startsWith({})", json!(begins));
    tab.wait_for(&says).await;
}

pub(crate) async fn choose_tile(tab: &mut Tab, symbol: &str) {
    tab.click(&format!("[data-tile='{symbol}']")).await;
}

#[tokio::test]
async fn a_fair_map_is_drawn_from_nothing_and_played_on() {
    let site = Site::open().await;
    let owner = signed_in(&site, "Ada", Role::Student).await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.set_cookies(&site.url, &owner.cookies()).await;
    tab.resize(1280, 720).await;
    open(&mut tab, &site, "/maps/new").await;
    verdict(&mut tab, "Not playable yet: there is no flag on the map.").await;

    // By mouse: a river, a wall in a line, a flag. Each appears on the opposite side too.
    choose_tile(&mut tab, "~").await;
    stroke(&mut tab, &[24, 26]).await;
    tab.click("[data-tool=line]").await;
    choose_tile(&mut tab, "#").await;
    stroke(&mut tab, &[4, 7]).await;
    tab.click("[data-tool=brush]").await;
    choose_tile(&mut tab, "F").await;
    stroke(&mut tab, &[41]).await;
    let drawn = rows(&mut tab).await;
    assert_eq!(drawn[2], "~~~.........", "{drawn:?}");
    assert_eq!((&drawn[7][9..], &drawn[3][5..6], &drawn[6][6..7]), ("~~~", "F", "F"), "{drawn:?}");
    assert!(drawn[0].contains("##") && drawn[9].contains("##"), "{drawn:?}");
    verdict(&mut tab, "Fair. ").await;

    // Each stroke is a step.
    tab.click("[data-part=undo]").await;
    assert!(!rows(&mut tab).await.concat().contains('F'));
    tab.click("[data-part=redo]").await;
    assert_eq!(rows(&mut tab).await, drawn);

    // Without symmetry one side is changed alone, and the report says where.
    tab.click("[data-part=symmetric]").await;
    choose_tile(&mut tab, "J").await;
    stroke(&mut tab, &[60]).await;
    verdict(&mut tab, "Playable, but not fair: row 5 column 12 is grass, but row 6 column 1 opposite is juice").await;
    tab.click("[data-part=undo]").await;
    tab.click("[data-part=symmetric]").await;

    // Kept under a name, then played on.
    tab.eval("{ const name = document.getElementById('name'); name.value = 'Two rivers'; name.dispatchEvent(new Event('input')); }").await;
    tab.click("[data-part=save]").await;
    tab.wait_for(
        "location.pathname.endsWith('/edit') && document.querySelector('[data-part=state]').textContent === 'Saved'",
    )
    .await;
    let list = owner.get("/maps").await.text;
    assert!(list.contains("Two rivers") && list.contains("1 of 20"), "{list}");
    tab.click("[data-part=play]").await;
    tab.wait_for(
        "location.pathname.startsWith('/t/') && document.querySelector('palestra-board.playable .cell.next') !== null",
    )
    .await;
    assert!(tab.eval("document.body.innerText").await.as_str().unwrap().contains("Two rivers"));
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn keys_are_enough_to_draw_and_drafts_come_back() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.set_cookies(&site.url, "lang=es; theme=dark").await;
    tab.resize(900, 900).await;
    open(&mut tab, &site, "/maps/new").await;
    tab.eval(&format!("{MAP}.focus()")).await;
    for key in ["4", "ArrowRight", "Enter", "Shift+ArrowDown", "F", "ArrowRight", "Enter"] {
        tab.press(key).await;
    }
    let drawn = rows(&mut tab).await;
    assert_eq!((&drawn[0][..4], &drawn[1][..4], &drawn[9][8..]), (".#..", ".#F.", "..#."), "{drawn:?}");
    let said = tab.eval("document.querySelector('[data-part=said]').textContent").await;
    assert_eq!(said, "Fila 2, columna 3: bandera; en el lado opuesto: fila 9, columna 10");
    tab.eval("dispatchEvent(new KeyboardEvent('keydown', {key: 'z', ctrlKey: true}))").await;
    tab.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'z', ctrlKey: true}))").await;
    assert!(!rows(&mut tab).await.concat().contains('F'));
    tab.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Z', ctrlKey: true, shiftKey: true}))").await;
    assert_eq!(rows(&mut tab).await, drawn);

    // A player is moved, and the one opposite with it.
    tab.click("[data-tool=players]").await;
    stroke(&mut tab, &[50]).await;
    let teams = tab.eval(&format!("JSON.stringify({MAP}.sheet.grid.teams.map((team) => team[0].cell))")).await;
    assert_eq!(teams, "[50,69]");

    // A visitor who leaves without saving finds everything again.
    let drawn = rows(&mut tab).await;
    tab.open(&format!("{}/maps", site.url)).await;
    assert_eq!(tab.dialogs(), ["beforeunload"]);
    open(&mut tab, &site, "/maps/new").await;
    assert_eq!(rows(&mut tab).await, drawn);
    tab.wait_for("document.querySelector('[data-part=news]').textContent.includes('sin guardar')").await;
    tab.click("[data-part=news] button").await;
    assert!(!rows(&mut tab).await.concat().contains('F'));
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn a_session_that_has_ended_costs_no_stroke() {
    let site = Site::open().await;
    let owner = signed_in(&site, "Ada", Role::Student).await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.set_cookies(&site.url, &owner.cookies()).await;
    open(&mut tab, &site, "/maps/new?from=lagoon").await;
    verdict(&mut tab, "Fair. All 21").await;
    owner.post("/sign-out", &[]).await;
    tab.click("[data-part=save]").await;
    tab.wait_for("document.querySelector('[data-part=problem]').textContent.startsWith('You are no longer signed in')")
        .await;
    let again = signed_in(&site, "Bob", Role::Student).await;
    tab.set_cookies(&site.url, &again.cookies()).await;
    tab.click("[data-part=save]").await;
    tab.wait_for("location.pathname.endsWith('/edit')").await;
    let path = tab.eval("location.pathname.replace('/edit', '')").await;
    assert!(again.get(path.as_str().unwrap()).await.text.contains("Copy of lagoon"));
    assert_eq!(Browser::new(&site).get(path.as_str().unwrap()).await.status, 404);
}

#[tokio::test]
async fn a_map_is_generated_resized_and_large() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.resize(360, 740).await;
    open(&mut tab, &site, "/maps/new").await;
    tab.click(".more summary").await;
    let set = async |tab: &mut Tab, name: &str, value: u32| {
        tab.eval(&format!("document.getElementById('{name}').value = '{value}'")).await;
    };
    for (name, value) in [("rows", 8), ("columns", 8), ("per-side", 1), ("seed", 7)] {
        set(&mut tab, name, value).await;
    }
    tab.click("[data-part=generate]").await;
    tab.wait_for(&format!("{MAP}.sheet.grid.rows === 8")).await;
    verdict(&mut tab, "Fair. All 21").await;
    let generated = rows(&mut tab).await;
    set(&mut tab, "rows", 128).await;
    set(&mut tab, "columns", 127).await;
    tab.click("[data-part=resize]").await;
    tab.wait_for(&format!("{MAP}.sheet.grid.columns === 128")).await;
    tab.wait_for("!document.querySelector('[data-part=measure]').hidden").await;
    assert_eq!(tab.eval(&format!("{MAP}.sheet.grid.isSymmetric")).await, true);
    assert_eq!(rows(&mut tab).await[0][..8], generated[0]);
    tab.click("[data-part=measure]").await;
    verdict(&mut tab, "Fair. ").await;
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn a_large_map_is_measured_by_a_button_alone() {
    let (site, address) = with_large_map().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.resize(1280, 720).await;
    open(&mut tab, &site, &format!("/maps/new?from={address}")).await;
    verdict(&mut tab, "Not measured").await;
    let asked = "performance.getEntriesByType('resource').filter(({name}) => name.endsWith('/report')).length";
    stroke(&mut tab, &[0, 5]).await;
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    assert_eq!(tab.eval(asked).await, 0);
    tab.click("[data-part=measure]").await;
    verdict(&mut tab, "Playable, but not fair: ").await;
    assert_eq!(tab.eval(asked).await, 1);
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn what_a_guest_drew_is_there_after_registering() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.resize(1280, 720).await;
    open(&mut tab, &site, "/maps/new").await;
    choose_tile(&mut tab, "F").await;
    stroke(&mut tab, &[41]).await;
    let drawn = rows(&mut tab).await;
    let owner = signed_in(&site, "Ada", Role::Student).await;
    tab.set_cookies(&site.url, &owner.cookies()).await;
    for _ in 0..2 {
        open(&mut tab, &site, "/maps/new").await;
        assert_eq!(rows(&mut tab).await, drawn);
    }
    tab.click("[data-part=news] button").await;
    open(&mut tab, &site, "/maps/new").await;
    assert!(!rows(&mut tab).await.concat().contains('F'), "what was discarded does not come back");
}
