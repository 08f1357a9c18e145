//! Long games on the page that replays them: how soon they are open, and what a step costs.

use palestra_games::rng::Rng;
use palestra_games::{GameKind, Record};
use palestra_store::{NewGame, Player, PlayerKind, Store};
use serde_json::json;

use crate::chrome::{Chrome, Tab};
use crate::site::Site;
use crate::{summary, trace, window};

const MOVES: usize = 300;
const STEPS: usize = 100;
const SEED: u64 = 2026;

const GOAL_OPEN_MS: f64 = 300.0;

/// Notes the end of the frame in which the board and the list of moves were first shown.
const WATCH: &str = "
    const isOpen = () => document.querySelector('palestra-board .cell') && document.querySelector('[data-part=points-0]')?.textContent;
    const look = new MutationObserver(() => {
        if (!isOpen()) return;
        look.disconnect();
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port2.onmessage = () => (window.openedMs = performance.now());
            port1.postMessage(null);
        });
    });
    look.observe(document, { subtree: true, childList: true, attributes: true });
";

/// Requests of the page that are not the engine's. The icon is the browser's affair.
const OTHER_REQUESTS: &str = "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname) \
    .filter((path) => !['/api/v1/evaluate', '/api/analyse/stream'].includes(path) && !path.includes('favicon'))";

pub(crate) async fn measure(chrome: &mut Chrome, site: &Site, runs: usize) {
    println!(
        "| game of {MOVES} moves | open with scripts in the cache, median of {runs}, worst | with an empty cache | requests of \
         {STEPS} steps | a step until it is drawn, median, worst | longest task while stepping | met |"
    );
    println!("|---|---:|---:|---:|---:|---:|---|");
    for (game, options) in [("parchis", "-"), ("bandera", "menhirs")] {
        let code = keep(site, game, options).await;
        let url = format!("{}/games/{code}", site.url);
        let (mut first, mut later) = (vec![], vec![]);
        for _ in 0..runs {
            let mut tab = tab(chrome).await;
            first.push(open(&mut tab, &url).await);
            close(tab).await;
            let mut tab = self::tab(chrome).await;
            tab.open(&format!("{}/analyse?game={game}", site.url)).await;
            tab.wait_for("window.openedMs !== undefined").await;
            later.push(open(&mut tab, &url).await);
            close(tab).await;
        }
        let ([first, _, first_worst], [later, _, later_worst]) = (summary(first), summary(later));
        let mut tab = tab(chrome).await;
        open(&mut tab, &url).await;
        let (requests, steps, task) = steps(&mut tab).await;
        close(tab).await;
        let [step, _, step_worst] = summary(steps);
        let met = if later_worst < GOAL_OPEN_MS && requests == 0 { "yes" } else { "no" };
        println!(
            "| {game} | {later:.0}, {later_worst:.0} ms | {first:.0}, {first_worst:.0} ms | {requests} | \
             {step:.1}, {step_worst:.1} ms | {task:.0} ms | {met} |"
        );
    }
    println!();
}

/// Keeps a game of random moves on the server; its code.
async fn keep(site: &Site, game: &str, options: &str) -> String {
    let kind = GameKind::find(game).expect("a game");
    let record = (0..).find_map(|seed| random_game(kind, options, SEED + seed)).expect("some game is long enough");
    let player = |name: &str| Player { kind: PlayerKind::Guest, account: None, name: name.to_owned() };
    let code = format!("long-{game}");
    let new = NewGame {
        code: code.clone(),
        game: game.to_owned(),
        options: options.to_owned(),
        table_code: None,
        is_public: true,
        is_rated: false,
        points: [1, 0],
        winner: Some(0),
        reason: "resigned".to_owned(),
        started_ms: 0,
        ended_ms: 1000,
        record: record.to_string(),
        players: [player("ana"), player("ben")],
    };
    let store = Store::open_file(&site.folder.path().join("data/palestra.db")).await.expect("a database");
    assert!(store.add_game(&new).await.expect("a game"), "kept");
    code
}

/// A game of `MOVES` random moves; nothing if it ends earlier.
fn random_game(kind: &'static GameKind, options: &str, seed: u64) -> Option<Record> {
    let (mut rng, mut record) = (Rng::new(seed), Record::new(kind, options).expect("options"));
    while record.moves().len() < MOVES {
        let moves = record.position().moves();
        let mv = moves.get(rng.below(moves.len().max(1)))?;
        record.play(mv).expect("legal");
    }
    record.position().outcome().is_none().then_some(())?;
    record.set_result([1, 0], "resigned").expect("a result");
    Some(record)
}

/// A window of its own, with an empty cache.
async fn tab(chrome: &mut Chrome) -> Tab {
    let mut tab = window(chrome).await;
    tab.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await;
    tab
}

/// Milliseconds from the start of the navigation until the game is shown.
async fn open(tab: &mut Tab, url: &str) -> f64 {
    tab.open(url).await;
    tab.wait_for("window.openedMs !== undefined").await;
    let number = tab.eval("document.querySelectorAll('.moves [data-node]').length").await;
    assert!(number.as_u64() >= Some(MOVES as u64), "the list has all moves: {number}");
    tab.eval("window.openedMs").await.as_f64().expect("a number")
}

async fn close(mut tab: Tab) {
    assert!(tab.complaints().is_empty(), "{:?}", tab.complaints());
    tab.call("Page.close", json!({})).await;
}

/// Steps through a game by keys, while the server evaluates it: how many requests that takes, how long each step takes until the
/// end of its frame, and the longest task.
async fn steps(tab: &mut Tab) -> (usize, Vec<f64>, f64) {
    tab.press("Home").await;
    tab.wait_for("location.search.includes('ply=0')").await;
    tab.eval("performance.clearResourceTimings()").await;
    trace::begin(tab).await;
    let times = tab.eval(&format!("({STEP})({STEPS})")).await;
    let task = trace::longest_task(&trace::end(tab).await);
    let requests = tab.eval(OTHER_REQUESTS).await;
    let times = times.as_array().expect("a list").iter().map(|time| time.as_f64().expect("a number")).collect();
    (requests.as_array().map_or(usize::MAX, Vec::len), times, task)
}

/// Presses the arrow key and waits for the frame, again and again.
const STEP: &str = "async (count) => {
    const times = [];
    for (let step = 0; step < count; step++) {
        await new Promise((resolve) => setTimeout(resolve, 40));
        const begun = performance.now();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
        await new Promise((resolve) => requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port2.onmessage = resolve;
            port1.postMessage(null);
        }));
        times.push(performance.now() - begun);
    }
    return times;
}";
