//! Moves at a table: how soon they are seen, and how long scripts run for them.

use palestra_games::GAMES;
use palestra_games::rng::Rng;
use serde_json::{Value, json};

use crate::chrome::{Chrome, Tab};
use crate::site::{Browser, Live, Site};
use crate::summary;

const SEED: u64 = 2026;

/// For 95 of 100 moves: the first of a page is made by scripts that were never run before.
const GOAL_SEEN_MS: f64 = 50.0;
const GOAL_SCRIPT_MS: f64 = 8.0;

/// Wraps the listener of the page's WebSocket before the page makes it. Times are in milliseconds since the message came:
/// when its listener was done, the first animation frame after the board changed, and the end of the work on that frame.
const WATCH: &str = "
    window.measured = [];
    const listen = WebSocket.prototype.addEventListener;
    WebSocket.prototype.addEventListener = function (kind, listener) {
        if (kind !== 'message') return listen.call(this, kind, listener);
        return listen.call(this, kind, (event) => {
            const svg = document.querySelector('palestra-board > svg');
            const changes = new MutationObserver(() => {});
            changes.observe(svg, { subtree: true, childList: true, attributes: true, characterData: true });
            const begun = performance.now();
            listener(event);
            const script = performance.now() - begun;
            const isChanged = changes.takeRecords().length > 0;
            changes.disconnect();
            if (JSON.parse(event.data).is !== 'moved') return;
            requestAnimationFrame(() => {
                const frame = performance.now() - begun;
                const { port1, port2 } = new MessageChannel();
                port2.onmessage = () => measured.push({ script, isChanged, frame, drawn: performance.now() - begun });
                port1.postMessage(null);
            });
        });
    };
    window.settled = async (count) => {
        const board = document.querySelector('palestra-board');
        while (measured.length < count || board.isMoving) await new Promise((frame) => requestAnimationFrame(frame));
        return measured.at(-1);
    };
";

/// A board, and how its moves are shown.
struct Case {
    name: String,
    game: &'static str,
    options: &'static str,
    speed: &'static str,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = GAMES
        .iter()
        .map(|kind| Case { name: kind.about.name.to_owned(), game: kind.id(), options: "-", speed: "normal" })
        .collect();
    for speed in ["normal", "off"] {
        cases.push(Case { name: "Bandera 16x20".to_owned(), game: "bandera", options: "menhirs", speed });
    }
    cases
}

pub(crate) async fn measure(chrome: &mut Chrome, site: &Site, moves: usize) {
    println!("| {moves} moves each; ms: median, 95 %, worst | motion | frame | drawn | handler | all script | met |");
    println!("|---|---|---:|---:|---:|---:|---|");
    for case in cases() {
        let measured = play(chrome, site, &case, moves).await;
        let times = [0, 1, 2, 3].map(|index| summary(measured.iter().map(|one| one[index]).collect()));
        let [frame, drawn, handler, all] = times.map(|times| times.map(|time| format!("{time:.1}")).join(", "));
        let met = if times[0][1] < GOAL_SEEN_MS && times[3][1] < GOAL_SCRIPT_MS { "yes" } else { "no" };
        println!("| {} | {} | {frame} | {drawn} | {handler} | {all} | {met} |", case.name, case.speed);
    }
    println!();
}

/// Plays random moves at a table at which a page looks on; the times of each.
async fn play(chrome: &mut Chrome, site: &Site, case: &Case, moves: usize) -> Vec<[f64; 4]> {
    let visitor = Browser::new(site);
    let code = visitor.open_table(&[("game", case.game), ("options", case.options), ("seat2", "me")]).await;
    let mut tab = look(chrome, site, &visitor, &code, case.speed).await;
    let mut live = Live::open(&visitor, &code, None).await;
    let mut state = live.await_a("table").await["table"]["state"].clone();
    let (mut rng, mut measured) = (Rng::new(SEED), vec![]);
    while measured.len() < moves {
        let choices = state["scene"]["choices"].as_array().expect("a list");
        if choices.is_empty() || state["status"] != "playing" {
            live.say(json!({"do": "rematch"})).await;
            live.say(json!({"do": "rematch"})).await;
            state = live.await_a("began").await["state"].clone();
            continue;
        }
        let text = choices[rng.below(choices.len())]["text"].as_str().expect("a text").to_owned();
        let before = script_ms(&mut tab).await;
        state = live.play(state["ply"].as_u64().expect("a number"), &text).await["state"].clone();
        let times = tab.eval(&format!("settled({})", measured.len() + 1)).await;
        assert_eq!(times["isChanged"], true, "{text}: the board shows it at once: {times}");
        let time = |name: &str| times[name].as_f64().expect("a number");
        measured.push([time("frame"), time("drawn"), time("script"), script_ms(&mut tab).await - before]);
    }
    tab.call("Page.close", json!({})).await;
    measured
}

/// A window in which a table is looked at.
async fn look(chrome: &mut Chrome, site: &Site, visitor: &Browser, code: &str, speed: &str) -> Tab {
    let mut tab = chrome.tab().await;
    tab.set_cookies(&site.url, &visitor.cookies()).await;
    tab.resize(1440, 900).await;
    let setting = format!("localStorage.setItem('palestra.speed', '\"{speed}\"');");
    tab.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": format!("{setting}{WATCH}")})).await;
    tab.call("Performance.enable", json!({})).await;
    tab.open(&format!("{}/t/{code}", site.url)).await;
    tab.wait_for("document.querySelector('palestra-board.playable .cell') !== null").await;
    tab
}

/// For how long scripts of the page have run since it was opened.
async fn script_ms(tab: &mut Tab) -> f64 {
    let all = tab.call("Performance.getMetrics", json!({})).await;
    let metrics = all["metrics"].as_array().expect("a list");
    let script = metrics.iter().find(|metric| metric["name"] == "ScriptDuration").map(|metric| &metric["value"]);
    script.and_then(Value::as_f64).expect("Chromium measures scripts") * 1000.0
}
