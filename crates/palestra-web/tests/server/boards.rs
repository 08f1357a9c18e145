//! The element that draws boards, in a real browser: with games of the server, and with a small board of its own.

use palestra_games::GAMES;
use serde_json::{Value, json};

use crate::browser::{assert_no_complaints, play_alone};
use crate::chrome::{Chrome, Tab};
use crate::site::Site;

/// Functions of the page: the drawing of a board as text, a board like the one shown, steps from one scene to the next.
const HELPERS: &str = r"
    window.drawn = (board) => [...board.querySelectorAll(':scope > svg > g')]
        .filter((layer) => !['trail', 'previews', 'effects', 'focus'].includes(layer.getAttribute('class')))
        .map((layer) => layer.outerHTML.replace(/ tabindex=.../g, ''));
    window.fresh = (like, parts, scene) => {
        const board = document.createElement('palestra-board');
        for (const name of ['game', 'data-texts']) board.setAttribute(name, like.getAttribute(name) ?? '{}');
        document.body.append(board);
        return Object.assign(board, parts, { scene, playable: true });
    };
    window.stepsTo = (from, to) => {
        const known = (list, id) => list.find((item) => item.id === id);
        const moved = to.pieces.filter(({ id, cell }) => known(from.pieces, id) && known(from.pieces, id).cell !== cell);
        return [
            ...from.pieces.filter(({ id }) => !known(to.pieces, id)).map(({ id }) => ({ is: 'remove', piece: id, how: 'blown', beat: 0 })),
            ...moved.map(({ id, cell }) => ({ is: 'move', piece: id, to: cell, becomes: id, beat: 1 })),
            ...to.pieces.filter(({ id }) => !known(from.pieces, id)).map((piece) => ({ is: 'add', piece, beat: 2 })),
            ...to.counters.filter(({ id, value }) => known(from.counters, id)?.value !== value)
                .map(({ id, value }) => ({ is: 'count', counter: id, value, beat: 3 })),
        ];
    };
    window.elements = (board) => new Map([...board.querySelectorAll('.pieces > .piece:not(.ghost-piece)')].map((one) => [one.dataset.id, one]));
";

/// Plays a move that is anything but chosen on the board of the page, and the same in `mirror`; answers what is wrong.
const ONE_MOVE: &str = r"(async () => {
    const shown = document.querySelector('palestra-board');
    window.parts ??= Object.fromEntries(await Promise.all(['layout', 'look'].filter((name) => shown.dataset[name])
        .map(async (name) => [name, await (await fetch(shown.dataset[name])).json()])));
    window.mirror ??= fresh(shown, parts, shown.scene);
    mirror.speed = 'fast';
    const before = shown.scene;
    window.seed = ((window.seed ?? 7) * 69069 + 1) % 2147483648;
    const choice = before.choices[(seed >> 8) % before.choices.length];
    if (!choice) return 'over';
    shown.dispatchEvent(new CustomEvent('choose', { detail: choice.text, bubbles: true }));
    while (shown.scene === before) await new Promise((frame) => requestAnimationFrame(frame));
    const scene = shown.scene;
    const kept = elements(mirror);
    await mirror.play(stepsTo(before, scene), scene);
    mirror.playable = true;
    const plain = fresh(shown, parts, scene);
    const differs = drawn(mirror).findIndex((layer, index) => layer !== drawn(plain)[index]);
    plain.remove();
    const remade = [...elements(mirror)].filter(([id, element]) => kept.has(id) && kept.get(id) !== element);
    if (differs >= 0) return `${choice.text}: layer ${differs} is not as if drawn at once`;
    return remade.length > 0 ? `${choice.text}: ${remade.map(([id]) => id)} were made anew` : 'well';
})()";

#[tokio::test]
async fn moves_end_as_if_drawn_at_once_and_pieces_keep_their_elements() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    for kind in GAMES {
        play_alone(&mut tab, &site, kind.id()).await;
        tab.eval(HELPERS).await;
        for _ in 0..12 {
            match tab.eval(ONE_MOVE).await.as_str() {
                Some("well") => {}
                Some("over") => break,
                wrong => panic!("{}: {wrong:?}", kind.id()),
            }
        }
    }
    assert_no_complaints(&tab);
}

/// A page with a board of two lanes, two rows, a pawn and a button, as `board`; what was chosen is in `chosen`.
async fn small_board(tab: &mut Tab, site: &Site) {
    tab.open(&format!("{}/sign-in", site.url)).await;
    let cell = |id: &str, x: i32, y: i32, arrows: Value| {
        let polygon = json!([[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]);
        json!({"id": id, "kind": "square", "label": [id], "polygon": polygon, "arrows": arrows, "ghosts": [], "lane": x})
    };
    let layout = json!({"size": [2, 2], "areas": [], "turns": true, "cells": [
        cell("a2", 0, 0, json!({"down": "a1", "right": "b2"})),
        cell("b2", 1, 0, json!({"down": "b1", "left": "a2"})),
        cell("a1", 0, 1, json!({"up": "a2", "right": "b1"})),
        cell("b1", 1, 1, json!({"up": "b2", "left": "a1"})),
    ]});
    let pawn = json!({"id": "p", "owner": 0, "kind": "pawn", "symbol": "p7", "cell": "a1", "label": ["pawn"]});
    let scene = json!({
        "pieces": [pawn], "counters": [], "last": [], "line": [],
        "controls": [{"id": "skip", "kind": "skip", "label": ["skip"]}],
        "choices": [
            {"text": "1", "clicks": ["b1"]},
            {"text": "up", "clicks": ["p", "a2"]},
            {"text": "pass", "clicks": ["p", "skip"]},
        ],
    });
    let script = format!(
        "(async () => {{ \
           const style = document.createElement('link'); \
           Object.assign(style, {{ rel: 'stylesheet', href: '/assets/board.css' }}); \
           document.head.append(style); \
           await Promise.all([import('/assets/board.js'), new Promise((loaded) => {{ style.onload = loaded; }})]); \
           window.board = document.createElement('palestra-board'); \
           document.querySelector('main').prepend(board); \
           board.addEventListener('choose', (event) => {{ window.chosen = event.detail; }}); \
           window.again = () => {{ window.chosen = null; board.playable = false; board.scene = {scene}; board.playable = true; }}; \
           board.layout = {layout}; again(); }})()"
    );
    tab.eval(&script).await;
    tab.eval(HELPERS).await;
}

fn at(selector: &str) -> String {
    format!("board.querySelector({})", json!(selector))
}

#[tokio::test]
async fn hands_choose_by_lane_in_any_order_by_drag_and_by_button() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    small_board(&mut tab, &site).await;
    let chosen = |text: &str| format!("window.chosen === {}", json!(text));

    // Any cell of a lane with one target means the target.
    tab.point_at(&at(".cell[data-id=b2]")).await;
    tab.wait_for("board.querySelectorAll('.lanes .lane').length === 2").await;
    tab.wait_for("board.querySelector('.previews .landing') !== null").await;
    tab.click_on(&at(".cell[data-id=b2]")).await;
    tab.wait_for(&chosen("1")).await;

    // The target first, then the piece.
    tab.eval("again()").await;
    tab.click_on(&at(".cell[data-id=a2]")).await;
    tab.wait_for("board.querySelector('.piece.next[data-id=p]') !== null").await;
    tab.click_on(&at(".piece[data-id=p]")).await;
    tab.wait_for(&chosen("up")).await;

    tab.eval("again()").await;
    tab.drag(&at(".piece[data-id=p]"), &at(".cell[data-id=a2]")).await;
    tab.wait_for(&chosen("up")).await;

    // A button that belongs to one move alone makes it.
    tab.eval("again()").await;
    tab.click_on(&at(".control[data-id=skip]")).await;
    tab.wait_for(&chosen("pass")).await;
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn keys_choose_also_on_a_turned_board() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    small_board(&mut tab, &site).await;
    let focused = |id: &str| format!("document.activeElement?.dataset.id === {}", json!(id));

    // The keyboard begins where something can be done.
    tab.eval("board.querySelector('[tabindex=\"0\"]').focus()").await;
    tab.wait_for(&focused("b1")).await;
    tab.press("ArrowLeft").await;
    tab.wait_for(&focused("a1")).await;
    tab.wait_for("board.querySelector('.focus .line') !== null").await;
    tab.press("Enter").await;
    tab.wait_for("board.querySelector('.piece.chosen') !== null").await;
    tab.press("Escape").await;
    tab.wait_for("board.querySelector('.piece.chosen') === null").await;
    tab.eval("board.side = 1; board.querySelector('.cell[data-id=a1]').focus()").await;
    tab.press("Enter").await;
    tab.press("ArrowDown").await;
    tab.wait_for(&focused("a2")).await;
    tab.press("Enter").await;
    tab.wait_for("window.chosen === 'up'").await;
    tab.eval("again(); document.activeElement.blur()").await;
    tab.press("1").await;
    tab.wait_for("window.chosen === '1'").await;
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn what_a_move_would_do_is_shown_before_it_is_made() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    let count = |selector: &str| format!("document.querySelectorAll('palestra-board {selector}').length");

    // A die that is chosen shows where each pawn would land, and a click there is the move.
    play_alone(&mut tab, &site, "parchis").await;
    tab.click("palestra-board .piece.next[data-id=dieY-1]").await;
    tab.wait_for(&format!("{} > 1", count(".previews .landing"))).await;
    let choices = "document.querySelector('palestra-board').scene.choices.filter(({ text }) => text.endsWith(':1'))";
    let choice = tab.eval(&format!("{choices}[0]")).await;
    tab.click(&format!("palestra-board .cell[data-id=\"{}\"]", choice["preview"]["to"].as_str().unwrap())).await;
    tab.wait_for(&format!("document.querySelector('.moves li')?.innerText === {}", choice["text"])).await;

    // Each step of a player has its cost.
    play_alone(&mut tab, &site, "bandera").await;
    tab.click("palestra-board .piece.next").await;
    tab.wait_for(&format!("{0} > 2 && {0} === {1}", count(".previews .cost"), count(".cell.next"))).await;
    tab.press("Escape").await;

    // A bomb shows what it would take, by mouse and by keyboard.
    play_alone(&mut tab, &site, "conecta4boom").await;
    for mv in "1 7 7 1 1 6 6 2 2 5 7 4 2 3 6".split(' ') {
        let moves = tab.eval("document.querySelectorAll('.moves li').length").await.as_u64().unwrap();
        let chosen = format!(
            "document.querySelector('palestra-board').dispatchEvent(new CustomEvent('choose', {{ detail: '{mv}' }}))"
        );
        tab.eval(&chosen).await;
        tab.wait_for(&format!("document.querySelectorAll('.moves li').length === {}", moves + 1)).await;
    }
    tab.wait_for("document.querySelector('palestra-board .control:enabled') !== null").await;
    tab.point_at("document.querySelector('palestra-board .control')").await;
    tab.wait_for(&format!("{} === 5", count(".previews .gone"))).await;
    tab.point_at("document.querySelector('.brand, header a')").await;
    tab.wait_for(&format!("{} === 0", count(".previews .gone"))).await;
    tab.eval("document.querySelector('palestra-board .control').focus()").await;
    tab.wait_for(&format!("{} === 5", count(".previews .gone"))).await;
    assert_no_complaints(&tab);
}

/// The scene after the pawn has gone up, as `after`.
const AFTER: &str = "window.after = { ...board.scene, pieces: [{ ...board.scene.pieces[0], cell: 'a2' }], last: ['a2'] }; \
                     window.start = board.scene; \
                     window.steps = [{ is: 'move', piece: 'p', to: 'a2', becomes: 'p', beat: 0 }]; \
                     window.back = [{ is: 'move', piece: 'p', to: 'a1', becomes: 'p', beat: 0 }];";

#[tokio::test]
async fn motion_can_be_reduced_skipped_and_overtaken() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    small_board(&mut tab, &site).await;
    tab.eval(AFTER).await;
    let is_up = "board.querySelector('.mark.last') !== null";
    let moving = "board.getAnimations({ subtree: true }).some((one) => one.effect.getKeyframes()[0].transform)";

    // A click lets it jump to its end; a second move comes after the first.
    tab.eval("board.speed = 'slow'; window.first = board.play(steps, after); 0").await;
    assert_eq!(tab.eval(moving).await, true);
    tab.click_on(&at(".cell[data-id=b2]")).await;
    assert_eq!(tab.eval(is_up).await, true);
    tab.eval("again(); board.play(steps, after); board.play(back, window.start)").await;
    assert_eq!(tab.eval(moving).await, false);
    tab.wait_for("board.querySelectorAll('.mark.last').length === 0").await;

    tab.reduce_motion().await;
    tab.eval("again(); window.first = board.play(steps, after); 0").await;
    assert_eq!(tab.eval(moving).await, false);
    assert_eq!(tab.eval(is_up).await, true);
    tab.eval("first").await;
    assert_no_complaints(&tab);
}
