//! A whole game of each game in a real browser, up to the panel with its result: by mouse, and by keyboard alone.
//!
//! What is clicked and which move is made follow from a seed. What the panel has to say is computed by the rules, from the
//! moves that the page shows.

use std::collections::{HashMap, VecDeque};

use palestra_games::draw::{Choice, Layout, Scene};
use palestra_games::rng::Rng;
use palestra_games::{AnyGame, GAMES, GameKind, Side};
use serde_json::json;

use crate::browser::assert_no_complaints;
use crate::chrome::{Chrome, Tab};
use crate::site::Site;

/// Both sides win with it, and no game is long.
const SEED: u64 = 2004;

/// The texts of the moves that the page lists.
const MOVES: &str = "[...document.querySelectorAll('.moves li')].map((item) => item.textContent)";

/// Whether the visitor may move.
const MAY_MOVE: &str = "document.querySelector('palestra-board.playable') !== null";

/// Whether the panel with the result is there.
const IS_OVER: &str = "document.querySelector('.result:not([hidden]) h2') !== null";

/// Whether the panel was closed.
const IS_CLOSED: &str = "document.querySelector('.result').hidden";

/// Where a game by mouse begins: near its end if it takes hundreds of moves.
fn options(kind: &GameKind) -> &'static str {
    if kind.id() == "parchis" { "ALMOST_GOAL" } else { "-" }
}

/// Where one by keyboard begins: where moves are made at random, large boards take long.
fn smaller_options(kind: &GameKind) -> &'static str {
    if kind.id() == "bandera" { "lagoon" } else { options(kind) }
}

/// Opens a table at which the visitor plays side 1, and turns motion off. In a window of somebody new, who may make as many moves
/// a second as a test does.
async fn open_table(tab: &mut Tab, site: &Site, kind: &GameKind, options: &str, seat2: &str) {
    tab.open(&format!("{}/tables/new?game={}", site.url, kind.id())).await;
    for (name, value) in [("options", options), ("seat2", seat2)] {
        // A game without options has no field for them.
        let field = format!("document.querySelector('[name={name}] [value={}]')", json!(value));
        tab.eval(&format!("{{ const option = {field}; if (option) option.selected = true; }}")).await;
    }
    tab.click("main form .actions button").await;
    tab.wait_for(MAY_MOVE).await;
    tab.click("[popovertarget=preferences]").await;
    tab.eval("document.querySelector('#speed').focus()").await;
    tab.press("Home").await;
    tab.press("Escape").await;
    tab.wait_for("document.querySelector('palestra-board').speed === 'off'").await;
    tab.wait_for("document.querySelector('#preferences:popover-open') === null").await;
}

#[tokio::test]
async fn every_game_is_played_to_its_end_by_mouse() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    for (index, kind) in (0..).zip(GAMES) {
        let mut tab = chrome.tab().await;
        open_table(&mut tab, &site, kind, options(kind), "greedy").await;
        click_to_the_end(&mut tab, &mut Rng::new(SEED).fork(index)).await;
        let title = |winner| match winner {
            Some(Side::One) => "You won.".to_owned(),
            Some(Side::Two) => "You lost.".to_owned(),
            None => "Draw.".to_owned(),
        };
        let start = kind.begin(options(kind)).expect("the options are the game's");
        assert_result(&mut tab, start, ["Guest", "greedy"], title).await;
        tab.click(".result .close").await;
        tab.wait_for(IS_CLOSED).await;
        assert_no_complaints(&tab);
    }
}

/// What is marked as what can be clicked next.
const MARKED: &str = "[...document.querySelectorAll('palestra-board .control:not(:disabled), \
    palestra-board .piece.next:not(.ghost-piece), palestra-board .cell.next .outline')]";

/// More clicks than any of these games takes.
const MAX_CLICKS: usize = 1000;

async fn click_to_the_end(tab: &mut Tab, rng: &mut Rng) {
    for _ in 0..MAX_CLICKS {
        tab.wait_for(&format!("{IS_OVER} || {MAY_MOVE}")).await;
        if tab.eval(IS_OVER).await == true {
            return;
        }
        let count = tab.eval(&format!("{MARKED}.length")).await.as_u64().expect("a number") as usize;
        if count > 0 {
            tab.click_on(&format!("{MARKED}[{}]", rng.below(count))).await;
        }
    }
    panic!("not over after {MAX_CLICKS} clicks: {}", tab.eval(MOVES).await);
}

#[tokio::test]
async fn every_game_is_played_to_its_end_by_keyboard_alone() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    for (index, kind) in (0..).zip(GAMES) {
        let mut tab = chrome.tab().await;
        open_table(&mut tab, &site, kind, smaller_options(kind), "me").await;
        // As a visitor comes to the page: nothing has the focus.
        let url = tab.eval("location.href").await;
        tab.open(url.as_str().expect("an address")).await;
        let start = kind.begin(smaller_options(kind)).expect("the options are the game's");
        press_to_the_end(&mut tab, start.boxed_clone(), &mut Rng::new(SEED).fork(index)).await;
        let title = |winner: Option<Side>| match winner {
            Some(side) => format!("Player {} won.", side.index() + 1),
            None => "Draw.".to_owned(),
        };
        assert_result(&mut tab, start, ["Player 1", "Player 2"], title).await;
        press_until(&mut tab, "Tab", ".result .close").await;
        tab.press("Enter").await;
        tab.wait_for(IS_CLOSED).await;
        assert_no_complaints(&tab);
    }
}

async fn press_to_the_end(tab: &mut Tab, mut game: Box<dyn AnyGame>, rng: &mut Rng) {
    let layout = game.layout();
    let mut made = 0;
    while game.outcome().is_none() {
        tab.wait_for(&format!("{MAY_MOVE} && {MOVES}.length === {made}")).await;
        let scene = game.scene(None).expect("there is no last move");
        let choice = &scene.choices[rng.below(scene.choices.len())];
        // Where a move is a digit, every other one is made by that.
        if made % 2 == 1 && choice.text.parse::<u8>().is_ok() {
            tab.press(&choice.text).await;
        } else {
            press_clicks(tab, &layout, &scene, choice).await;
        }
        made += 1;
        tab.wait_for(&format!("{MOVES}.length === {made}")).await;
        let shown = tab.eval(&format!("{MOVES}.at(-1)")).await;
        // Two pieces of a cell are one and the same to the keyboard.
        let played = scene.choices.iter().find(|other| shown == other.text).expect("a legal move");
        assert_eq!(cells(&scene, played), cells(&scene, choice), "{shown} instead of {}", choice.text);
        game.play(&played.text).expect("a legal move");
    }
    tab.wait_for(IS_OVER).await;
}

/// What is clicked for a move, with the cell instead of a piece.
fn cells<'a>(scene: &'a Scene, choice: &'a Choice) -> Vec<&'a str> {
    choice.clicks.iter().map(|id| cell_of(scene, id)).collect()
}

fn cell_of<'a>(scene: &'a Scene, id: &'a str) -> &'a str {
    scene.pieces.iter().find(|piece| piece.id == id).map_or(id, |piece| &piece.cell)
}

/// Makes a move by Tab, arrows and Enter.
async fn press_clicks(tab: &mut Tab, layout: &Layout, scene: &Scene, choice: &Choice) {
    for id in &choice.clicks {
        if scene.controls.iter().any(|control| control.id == *id) {
            press_until(tab, "Tab", &format!("palestra-board .control[data-id={id}]")).await;
        } else {
            // The board comes before its buttons.
            let has_focus = tab.eval("document.activeElement?.closest('.controls') === null").await == true;
            press_until(tab, if has_focus { "Tab" } else { "Shift+Tab" }, "palestra-board .cell").await;
            walk_to(tab, layout, cell_of(scene, id)).await;
        }
        tab.press("Enter").await;
    }
}

/// More elements than the tab key stops at before the board.
const MAX_STOPS: usize = 60;

/// Presses a key until something has the focus that it is to have.
async fn press_until(tab: &mut Tab, key: &str, selector: &str) {
    let has_focus = format!("document.activeElement?.matches({}) ?? false", json!(selector));
    for _ in 0..MAX_STOPS {
        if tab.eval(&has_focus).await == true {
            return;
        }
        tab.press(key).await;
    }
    let focused = tab.eval("document.activeElement?.outerHTML.slice(0, 200)").await;
    panic!("{key} does not lead to {selector} but to {focused}");
}

/// Goes to a cell with arrow keys.
async fn walk_to(tab: &mut Tab, layout: &Layout, to: &str) {
    let focused = "document.activeElement?.dataset.id";
    let from = tab.eval(focused).await;
    for key in route(layout, from.as_str().expect("a cell has the focus"), to) {
        tab.press(key).await;
    }
    assert_eq!(tab.eval(focused).await, to);
}

/// The arrow keys of a shortest way between two cells.
fn route(layout: &Layout, from: &str, to: &str) -> Vec<&'static str> {
    let arrows: HashMap<&str, _> = layout.cells.iter().map(|cell| (&*cell.id, &cell.arrows)).collect();
    let (mut ways, mut next) = (HashMap::from([(from, vec![])]), VecDeque::from([from]));
    while let Some(cell) = next.pop_front() {
        let there = [
            ("ArrowUp", &arrows[cell].up),
            ("ArrowDown", &arrows[cell].down),
            ("ArrowLeft", &arrows[cell].left),
            ("ArrowRight", &arrows[cell].right),
        ];
        for (key, neighbour) in there {
            let Some(neighbour) = neighbour.as_deref() else { continue };
            if !ways.contains_key(neighbour) {
                ways.insert(neighbour, [&ways[cell][..], &[key]].concat());
                next.push_back(neighbour);
            }
        }
    }
    ways.remove(to).unwrap_or_else(|| panic!("no arrow keys lead from {from} to {to}"))
}

/// The panel says how a game that began like this ended by the rules; `title` is what it says of a winner, or of a draw.
async fn assert_result(
    tab: &mut Tab,
    mut game: Box<dyn AnyGame>,
    names: [&str; 2],
    title: impl Fn(Option<Side>) -> String,
) {
    for mv in tab.eval(MOVES).await.as_array().expect("a list") {
        game.play(mv.as_str().expect("a text")).expect("a legal move");
    }
    let outcome = game.outcome().expect("the game is over");
    // Games that count nothing but a win do not show it as a number.
    let points = if game.most_points() > 1 { game.points().map(|points| points.to_string()).to_vec() } else { vec![] };
    let score: Vec<String> = names.into_iter().zip(points).map(|(name, points)| format!("{name} {points}")).collect();
    let expected = json!({
        "title": title(outcome.winner()),
        "reason": reason(&*game),
        "score": score,
        "buttons": ["Rematch", "Replay", "Analyse"],
    });
    assert_eq!(tab.eval(PANEL).await, expected, "{}", game.kind().id());
}

/// How the game ended by its rules, in English.
fn reason(game: &dyn AnyGame) -> String {
    let end = game.scene(None).expect("no move to read").end.expect("the game is over");
    let text = |key: &str| game.kind().labels.iter().find(|wording| wording.key == key).map(|wording| wording.english);
    let sentence = text(end.key).expect("a label has a text").to_owned();
    let sentence = (1..).zip(&end.args).fold(sentence, |sentence, (number, arg)| {
        let colour = text(&format!("colour.{arg}")).unwrap_or(arg);
        sentence.replace(&format!("{{{number}}}"), arg).replace(&format!("{{{number}:colour}}"), colour)
    });
    sentence[..1].to_uppercase() + &sentence[1..]
}

/// What the panel with the result says.
const PANEL: &str = "(() => { \
    const panel = document.querySelector('.result'); \
    const texts = (selector) => [...panel.querySelectorAll(selector)].map((element) => element.innerText.trim()); \
    const score = [...panel.querySelectorAll('.score li')].map((line) => `${line.querySelector('bdi').innerText} ${line.querySelector('b').innerText}`); \
    return { title: texts('h2').join(), reason: texts('p').join(), score, buttons: texts('.links > *') }; })()";
