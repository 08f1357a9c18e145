//! A large tree on the page that shows how a search thinks: how soon it is open, and how smoothly it moves.

use serde_json::{Value, json};

use crate::chrome::{Chrome, Tab};
use crate::site::{Browser, Site};
use crate::{summary, trace, window};

const GOAL_OPEN_MS: f64 = 1000.0;
const GOAL_TASK_MS: f64 = 50.0;

/// Trees of nearly as many nodes as are sent: without cut-offs and with many.
const TREES: [(&str, &str); 2] = [
    ("Mancala after 3 6, minimax to depth 7", "game=mancala&moves=3+6&algorithm=minimax&depth=7"),
    ("Parchís, alpha-beta to depth 8", "game=parchis&algorithm=alphabeta&depth=8"),
];

/// Notes the end of the frame in which the tree was first drawn.
const WATCH: &str = "
    const look = new MutationObserver(() => {
        const node = document.querySelector('[data-part=node]');
        if (!node || node.textContent === '–') return;
        look.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port2.onmessage = () => (window.openedMs = performance.now());
            port1.postMessage(null);
        }));
    });
    look.observe(document, { subtree: true, childList: true, characterData: true });
    window.frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    window.times = async (count, act) => {
        for (let time = 0; time < count; time++) {
            act(time);
            await frame();
        }
    };
    window.key = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    window.choose = (part, value) => {
        const field = document.querySelector(`[data-part=${part}]`);
        field.value = value;
        field.dispatchEvent(new Event('change', { bubbles: true }));
    };
    window.wheel = (deltaX, deltaY, ctrlKey) => {
        const canvas = document.querySelector('canvas');
        const { left, top, width, height } = canvas.getBoundingClientRect();
        const [clientX, clientY] = [left + width / 2, top + height / 2];
        canvas.dispatchEvent(new WheelEvent('wheel', { deltaX, deltaY, ctrlKey, clientX, clientY, bubbles: true, cancelable: true }));
    };
    window.play = async (speed, milliseconds) => {
        choose('speed', speed);
        key('Home');
        document.querySelector('[data-go=play]').click();
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        document.querySelector('[data-go=play]').click();
    };
";

/// What people do with a tree, in this order.
const DEEDS: [(&str, &str); 9] = [
    ("60 steps on", "key('Home'); await times(60, () => key('ArrowRight'))"),
    ("40 cut-offs on", "await times(40, () => key('c'))"),
    ("played fast, 2 s", "await play('fast', 2000)"),
    ("played whole, 2 s", "await play('whole', 2000)"),
    (
        "all plies opened",
        "choose('plies', document.querySelector('[data-part=plies]').lastElementChild.value); await frame()",
    ),
    (
        "all of it zoomed, 40 times",
        "document.querySelector('[data-view=fit]').click(); await times(40, (time) => wheel(0, time < 20 ? -100 : 100, true))",
    ),
    (
        "all of it moved, 60 times",
        "wheel(0, -1000, true); await times(60, (time) => wheel(time < 30 ? 90 : -90, 0, false))",
    ),
    ("all of it played, 2 s", "await play('whole', 2000)"),
    (
        "a value found, 20 times",
        "const form = document.querySelector('[data-part=find]'); form.elements.find.value = '1'; await times(20, () => form.requestSubmit())",
    ),
];

pub(crate) async fn measure(chrome: &mut Chrome, site: &Site, visitor: &Browser, runs: usize) {
    for (name, query) in TREES {
        let url = format!("{}/tree?{query}", site.url);
        let (mut opened, mut tasks) = (vec![], vec![]);
        for _ in 0..runs {
            let mut tab = tab(chrome, site, visitor).await;
            trace::begin(&mut tab).await;
            opened.push(open(&mut tab, &url).await);
            tasks.push(trace::longest_task(&trace::end(&mut tab).await));
            close(tab).await;
        }
        let mut tab = tab(chrome, site, visitor).await;
        open(&mut tab, &url).await;
        let nodes = tab.eval("document.querySelector('[data-part=nodes]').textContent").await;
        let [median, _, worst] = summary(opened);
        let [task, _, worst_task] = summary(tasks);
        println!(
            "{name}: {} nodes; open after {median:.0} ms, worst {worst:.0} of {runs} (goal {GOAL_OPEN_MS});",
            nodes.as_str().unwrap_or_default()
        );
        println!("longest task while it opens {task:.0} ms, worst {worst_task:.0}");
        println!();
        println!("| what is done | longest task | longest time between frames | met |");
        println!("|---|---:|---:|---|");
        for (deed, script) in DEEDS {
            let (task, gap) = watched(&mut tab, script).await;
            let met = if task < GOAL_TASK_MS { "yes" } else { "no" };
            println!("| {deed} | {task:.0} ms | {gap:.0} ms | {met} |");
        }
        println!();
        close(tab).await;
    }
}

async fn tab(chrome: &mut Chrome, site: &Site, visitor: &Browser) -> Tab {
    let mut tab = window(chrome).await;
    tab.set_cookies(&site.url, &visitor.cookies()).await;
    tab.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await;
    tab
}

/// Milliseconds from the start of the navigation until the tree is drawn.
async fn open(tab: &mut Tab, url: &str) -> f64 {
    tab.open(url).await;
    tab.wait_for("window.openedMs !== undefined").await;
    // Then the comparison comes, which is no part of the tree.
    tab.wait_for("document.querySelector('[data-part=compare-state]').textContent === ''").await;
    tab.eval("window.openedMs").await.as_f64().expect("a number")
}

async fn close(mut tab: Tab) {
    assert!(tab.complaints().is_empty(), "{:?}", tab.complaints());
    tab.call("Page.close", json!({})).await;
}

/// The longest task, and the longest time between two animation frames, while a script runs.
async fn watched(tab: &mut Tab, script: &str) -> (f64, f64) {
    trace::begin(tab).await;
    let gap = tab
        .eval(&format!(
            "(async () => {{ \
             let [isOver, last, longest] = [false, performance.now(), 0]; \
             const watch = (now) => {{ longest = Math.max(longest, now - last); last = now; if (!isOver) requestAnimationFrame(watch); }}; \
             await frame(); last = performance.now(); requestAnimationFrame(watch); \
             {script}; await frame(); await frame(); isOver = true; return longest; }})()"
        ))
        .await;
    let events: Vec<Value> = trace::end(tab).await;
    (trace::longest_task(&events), gap.as_f64().expect("the script ran"))
}
