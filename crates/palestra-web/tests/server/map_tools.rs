//! The tools of the map editor in a real browser: what each does, and that it can be undone.

use palestra_games::bandera::{CellIndex, Torus};
use serde_json::{Value, json};

use crate::browser::assert_no_complaints;
use crate::chrome::{Chrome, Tab};
use crate::map_editor::{MAP, choose_tile, open, place_of, rows, stroke};
use crate::site::Site;

/// The whole map on the canvas, as it is sent to the server.
async fn draft(tab: &mut Tab) -> Value {
    tab.eval(&format!("{MAP}.sheet.grid.draft({MAP}.sheet.palette)")).await
}

#[tokio::test]
async fn every_tool_makes_one_step_that_can_be_undone() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.resize(1280, 900).await;
    open(&mut tab, &site, "/maps/new").await;
    tab.eval("document.querySelector('.more').open = true").await;
    let mut steps = vec![draft(&mut tab).await];
    let step = async |tab: &mut Tab, steps: &mut Vec<Value>| {
        let now = draft(tab).await;
        assert_ne!(Some(&now), steps.last(), "after {} steps", steps.len());
        steps.push(now);
    };

    tab.click("[data-tool=fill]").await;
    choose_tile(&mut tab, "%").await;
    stroke(&mut tab, &[0]).await;
    step(&mut tab, &mut steps).await;
    assert_eq!(rows(&mut tab).await.concat(), "%".repeat(120));
    tab.click("[data-tool=brush]").await;
    tab.click("[data-width='3']").await;
    choose_tile(&mut tab, "^").await;
    stroke(&mut tab, &[16]).await;
    step(&mut tab, &mut steps).await;
    let trees = rows(&mut tab).await.concat().matches('^').count();
    assert_eq!(trees, 14, "a cell, those around it, and the opposite ones");
    choose_tile(&mut tab, "F").await;
    stroke(&mut tab, &[16]).await;
    step(&mut tab, &mut steps).await;
    assert_eq!(rows(&mut tab).await.concat().matches('F').count(), 2, "things lie on single cells");
    tab.click("[data-tool=pick]").await;
    stroke(&mut tab, &[17]).await;
    assert_eq!(draft(&mut tab).await, *steps.last().unwrap());
    stroke(&mut tab, &[24]).await;
    step(&mut tab, &mut steps).await;
    assert_eq!(&rows(&mut tab).await[2][..1], "^", "what was picked is in the hand");
    tab.click("[data-tool=players]").await;
    stroke(&mut tab, &[13, 14, 15]).await;
    step(&mut tab, &mut steps).await;
    assert_eq!(steps.last().unwrap()["teams"][1][0], json!({"row": 9, "column": 9, "energy": 40}));
    tab.click("[data-part=add-player]").await;
    step(&mut tab, &mut steps).await;
    tab.click("#energy-1").await;
    tab.call("Input.insertText", json!({"text": "1"})).await;
    tab.click("#energy-2").await;
    step(&mut tab, &mut steps).await;
    assert_eq!(tab.eval("document.activeElement.id").await, "energy-2", "the next field has the focus");
    let energies = [0, 1].map(|side| steps.last().unwrap()["teams"][side][0]["energy"].as_u64().unwrap());
    assert!(energies[0] > 100 && energies[0] == energies[1], "{energies:?}");
    tab.click("[data-part=remove-player]").await;
    step(&mut tab, &mut steps).await;
    tab.eval("document.getElementById('rows').value = '9'").await;
    tab.click("[data-part=resize]").await;
    step(&mut tab, &mut steps).await;
    tab.click("[data-part=empty]").await;
    step(&mut tab, &mut steps).await;

    let last = steps.pop().unwrap();
    for before in steps.iter().rev() {
        tab.click("[data-part=undo]").await;
        assert_eq!(draft(&mut tab).await, *before);
    }
    assert_eq!(tab.eval("document.querySelector('[data-part=undo]').disabled").await, true);
    for after in steps.iter().skip(1).chain([&last]) {
        tab.click("[data-part=redo]").await;
        assert_eq!(draft(&mut tab).await, *after);
    }
    assert_eq!(tab.eval("document.querySelector('[data-part=redo]').disabled").await, true);
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn two_fingers_and_another_tool_draw_no_line() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    tab.resize(390, 844).await;
    open(&mut tab, &site, "/maps/new").await;
    let empty = draft(&mut tab).await;
    tab.click("[data-tool=line]").await;
    choose_tile(&mut tab, "#").await;
    let (one, two) = (place_of(&mut tab, 3).await, place_of(&mut tab, 66).await);
    let point = |id: u32, at: &Value| json!({"id": id, "x": at[0], "y": at[1]});
    let apart = json!([two[0].as_f64().unwrap() + 40.0, two[1]]);
    for (kind, points) in [
        ("touchStart", vec![point(0, &one)]),
        ("touchStart", vec![point(0, &one), point(1, &two)]),
        ("touchMove", vec![point(0, &one), point(1, &apart)]),
        ("touchEnd", vec![point(1, &apart)]),
        ("touchEnd", vec![]),
    ] {
        tab.call("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points})).await;
    }
    assert_eq!(draft(&mut tab).await, empty);
    tab.click("[data-part=whole]").await;
    let (one, two) = (place_of(&mut tab, 3).await, place_of(&mut tab, 66).await);
    for (kind, points) in
        [("touchStart", vec![point(0, &one)]), ("touchMove", vec![point(0, &two)]), ("touchEnd", vec![])]
    {
        tab.call("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points})).await;
    }
    assert!(rows(&mut tab).await.concat().matches('#').count() > 8, "one finger draws it");

    // A line that the keys have begun is forgotten with its tool.
    tab.click("[data-part=undo]").await;
    tab.eval(&format!("{MAP}.focus()")).await;
    tab.press("Enter").await;
    tab.click("[data-tool=move]").await;
    stroke(&mut tab, &[100]).await;
    assert_eq!(draft(&mut tab).await, empty);
    assert_no_complaints(&tab);
}

#[tokio::test]
async fn the_editor_knows_the_torus_of_the_rules() {
    let site = Site::open().await;
    let mut chrome = Chrome::start().await;
    let mut tab = chrome.tab().await;
    open(&mut tab, &site, "/maps/new").await;
    for (rows, columns) in [(3, 4), (5, 6), (8, 10)] {
        tab.eval(&format!("{MAP}.sheet.resize({rows}, {columns})")).await;
        let torus = Torus::new(rows, columns).unwrap();
        let cells = 0..torus.cells() as CellIndex;
        let of_rules: Vec<_> = cells.map(|cell| json!([torus.neighbours(cell), torus.mirror(cell)])).collect();
        let of_editor = format!(
            "(({{grid}}) => Array.from({{length: grid.cells}}, (_, cell) => [grid.neighbours(cell), grid.opposite(cell)]))({MAP}.sheet)"
        );
        assert_eq!(tab.eval(&of_editor).await, Value::Array(of_rules), "{rows}x{columns}");
    }
}
