//! Boards for browsers: layouts, scenes and steps as JSON, and the texts of their labels.
//!
//! `assets/board.js` draws them; it knows no game. A label is an array of its key and arguments; the page holds the
//! texts.

use std::collections::BTreeMap;

use palestra_games::Side;
use palestra_games::draw::{Arrows, Cell, Change, Choice, Control, Counter, Label, Layout, Piece, Point, Scene, Step};
use serde_json::{Value, json};

use crate::locale::Locale;

/// The layout of a board: the positions of its cells.
pub(crate) fn layout(layout: &Layout) -> Value {
    let cells: Vec<Value> = layout.cells.iter().map(cell).collect();
    json!({"size": point(&layout.size), "cells": cells})
}

/// The scene on a board: its pieces, and what can be clicked.
pub(crate) fn scene(scene: &Scene) -> Value {
    let choice = |choice: &Choice| json!({"text": choice.text, "clicks": choice.clicks});
    json!({
        "pieces": scene.pieces.iter().map(piece).collect::<Vec<_>>(),
        "counters": scene.counters.iter().map(counter).collect::<Vec<_>>(),
        "controls": scene.controls.iter().map(control).collect::<Vec<_>>(),
        "choices": scene.choices.iter().map(choice).collect::<Vec<_>>(),
        "last": scene.last,
    })
}

/// The steps from one scene to the next.
pub(crate) fn steps(steps: &[Step]) -> Value {
    steps.iter().map(step).collect()
}

fn step(step: &Step) -> Value {
    let beat = step.beat;
    match &step.change {
        Change::Move { piece, to, becomes } => {
            json!({"is": "move", "beat": beat, "piece": piece, "to": to, "becomes": becomes})
        }
        Change::Add(added) => json!({"is": "add", "beat": beat, "piece": piece(added)}),
        Change::Remove { piece, how } => json!({"is": "remove", "beat": beat, "piece": piece, "how": how}),
        Change::Count { counter, value } => json!({"is": "count", "beat": beat, "counter": counter, "value": value}),
    }
}

fn cell(cell: &Cell) -> Value {
    json!({
        "id": cell.id,
        "kind": cell.kind,
        "label": label(&cell.label),
        "polygon": cell.polygon.iter().map(point).collect::<Vec<_>>(),
        "arrows": arrows(&cell.arrows),
        "ghosts": cell.ghosts.iter().map(point).collect::<Vec<_>>(),
    })
}

fn arrows(arrows: &Arrows) -> Value {
    json!({"up": arrows.up, "down": arrows.down, "left": arrows.left, "right": arrows.right})
}

fn piece(piece: &Piece) -> Value {
    json!({
        "id": piece.id,
        "owner": piece.owner.map(Side::index),
        "kind": piece.kind,
        "symbol": piece.symbol,
        "cell": piece.cell,
        "label": label(&piece.label),
    })
}

fn counter(counter: &Counter) -> Value {
    json!({
        "id": counter.id,
        "owner": counter.owner.map(Side::index),
        "cell": counter.cell,
        "label": label(&counter.label),
        "value": counter.value,
    })
}

fn control(control: &Control) -> Value {
    json!({"id": control.id, "kind": control.kind, "label": label(&control.label)})
}

fn label(label: &Label) -> Value {
    std::iter::once(label.key).chain(label.args.iter().map(String::as_str)).collect()
}

/// Thousandths of a cell are finer than any screen.
fn point(point: &Point) -> Value {
    let rounded = |value: f32| (f64::from(value) * 1000.0).round() / 1000.0;
    json!([rounded(point.x), rounded(point.y)])
}

/// The keys of the labels of each game. Two games may mean different things by one word.
const LABELS: &[(&str, &[&str])] = &[
    ("mancala", &["store", "pit"]),
    ("conecta4boom", BOOM),
    ("desconecta4boom", BOOM),
    (
        "parchis",
        &[
            "square",
            "safe square",
            "queue",
            "goal",
            "home",
            "turn",
            "place of die",
            "place of bonus",
            "on turn",
            "bounces of",
            "skip",
            "pawn",
            "die",
        ],
    ),
    (
        "bandera",
        &[
            "grass",
            "water",
            "mud",
            "wall",
            "pit",
            "trench",
            "flag",
            "boat",
            "axe",
            "juice",
            "shovel",
            "forest",
            "dig",
            "player",
            "flags of",
            "energy of",
            "axe of",
            "boat of",
            "shovel of",
        ],
    ),
];

const BOOM: &[&str] = &["cell", "stone", "bomb", "boom", "turn", "next piece is a bomb", "moves left in this turn"];

/// The words that a text may put in place of an argument: `{1:colour}`.
const COLOURS: &[&str] = &["Y", "B", "R", "G"];

/// The texts of a game's labels in a language, for the attribute of a `<palestra-board>`: key to text, where `{1}` is
/// the first argument, and `{1:colour}` the text for `colour` and that argument.
pub(crate) fn texts(game: &str, locale: Locale) -> String {
    let keys = LABELS.iter().find(|(id, _)| *id == game).map_or(&[][..], |(_, keys)| keys);
    let group = game.strip_prefix("des").map_or(game, |_| "conecta4boom");
    let mut texts: BTreeMap<String, String> =
        keys.iter().map(|key| ((*key).to_owned(), locale.t(&format!("board.{group}.{key}")).to_owned())).collect();
    let colours = COLOURS.iter().map(|colour| format!("colour.{colour}"));
    let own = ["board", "counters", "controls"].map(str::to_owned);
    texts.extend(colours.chain(own).map(|key| (key.clone(), locale.t(&format!("board.{key}")).to_owned())));
    json!(texts).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use palestra_games::{AnyGame, GAMES};

    use super::*;

    /// Positions of all games, under all of their options, played with moves that are anything but chosen; each with
    /// its layout and the move that follows.
    fn walk(mut visit: impl FnMut(&dyn AnyGame, &Value, Option<&str>)) {
        for kind in GAMES {
            let words = kind.about.options.iter().map(|(word, _)| *word);
            for (number, options) in words.chain(["-"]).enumerate() {
                let mut game = (kind.start)(options).unwrap();
                let layout = layout(&game.layout());
                let mut seed = 7 + number;
                for _ in 0..200 {
                    let moves = game.moves();
                    let Some(mv) = moves.get(seed % moves.len().max(1)).filter(|_| game.outcome().is_none()) else {
                        break;
                    };
                    visit(&*game, &layout, Some(mv));
                    game.play(mv).unwrap();
                    seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345) >> 3;
                }
                visit(&*game, &layout, None);
            }
        }
    }

    fn keys(value: &Value, into: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                if let Some(label) = fields.get("label") {
                    into.insert(label[0].as_str().unwrap().to_owned());
                }
                fields.values().for_each(|field| keys(field, into));
            }
            Value::Array(items) => items.iter().for_each(|item| keys(item, into)),
            _ => {}
        }
    }

    #[test]
    fn every_label_that_a_game_shows_has_a_text_in_every_language() {
        let mut met: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        walk(|game, layout, mv| {
            let met = met.entry(game.kind().id()).or_default();
            keys(layout, met);
            keys(&scene(&game.scene(None).unwrap()), met);
            mv.iter().for_each(|mv| keys(&steps(&game.steps(mv).unwrap()), met));
        });
        for (game, met) in met {
            for &locale in Locale::ALL {
                let texts: BTreeMap<String, String> = serde_json::from_str(&texts(game, locale)).unwrap();
                let missing: Vec<_> = met.iter().filter(|key| !texts.contains_key(*key)).collect();
                assert!(missing.is_empty(), "{game}: {missing:?}");
                for (key, text) in texts {
                    assert!(!text.starts_with("board."), "{game}: no text for {key} in {}", locale.word());
                }
            }
        }
    }

    #[test]
    fn what_is_sent_to_a_browser_hangs_together() {
        walk(|game, layout, mv| {
            let (id, scene) = (game.kind().id(), scene(&game.scene(None).unwrap()));
            let ids = |list: &Value| -> BTreeSet<String> {
                list.as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
            };
            let cells = ids(&layout["cells"]);
            assert!(
                scene["pieces"].as_array().unwrap().iter().all(|piece| cells.contains(piece["cell"].as_str().unwrap()))
            );
            let clickable: BTreeSet<String> =
                cells.iter().cloned().chain(ids(&scene["pieces"])).chain(ids(&scene["controls"])).collect();
            let choices = scene["choices"].as_array().unwrap();
            assert_eq!(choices.len(), if mv.is_some() { game.moves().len() } else { choices.len() }, "{id}");
            for click in choices.iter().flat_map(|choice| choice["clicks"].as_array().unwrap()) {
                assert!(clickable.contains(click.as_str().unwrap()), "{id}: {click} cannot be clicked");
            }
            for arrow in
                layout["cells"].as_array().unwrap().iter().flat_map(|cell| cell["arrows"].as_object().unwrap().values())
            {
                assert!(arrow.is_null() || cells.contains(arrow.as_str().unwrap()), "{id}: no cell {arrow}");
            }
        });
    }
}
