//! What games declare for front ends: texts, shapes, colours, areas, lanes.

use std::collections::{BTreeMap, BTreeSet};

use palestra_games::draw::{Change, Label, Layout, Scene, Step};
use palestra_games::{Draw, GAMES, Game, with_game};

use crate::conformance::for_each_game;
use crate::random;

/// Calls `f` with the layout of every start, and with scenes and steps of random games from it.
fn visit<G: Draw>(mut f: impl FnMut(&Layout, &Scene, &[Step])) {
    for start in random::starts::<G>() {
        let layout = Draw::layout(&start);
        random::play(&start, &mut random::rng(31), |position, mv| {
            f(&layout, &Draw::scene(position, None), &Draw::steps(position, mv));
        });
    }
}

/// The labels of a layout, a scene and of what steps add.
fn labels<'a>(layout: &'a Layout, scene: &'a Scene, steps: &'a [Step]) -> impl Iterator<Item = &'a Label> {
    let added = steps.iter().filter_map(|step| match &step.change {
        Change::Add { piece } => Some(&piece.label),
        _ => None,
    });
    let cells = layout.cells.iter().map(|cell| &cell.label);
    let pieces = scene.pieces.iter().map(|piece| &piece.label);
    let counters = scene.counters.iter().map(|counter| &counter.label);
    let controls = scene.controls.iter().map(|control| &control.label);
    cells.chain(pieces).chain(counters).chain(controls).chain(added)
}

#[test]
fn every_label_has_a_text_in_every_language() {
    fn check<G: Draw>() {
        let texts: BTreeMap<&str, [&str; 2]> = G::LABELS.iter().map(|w| (w.key, [w.english, w.spanish])).collect();
        assert_eq!(texts.len(), G::LABELS.len(), "{}: two texts of one key", G::ABOUT.id);
        visit::<G>(|layout, scene, steps| {
            for label in labels(layout, scene, steps) {
                let text = texts.get(label.key);
                let text = text.unwrap_or_else(|| panic!("{}: no text for {}", G::ABOUT.id, label.key));
                for (number, kind) in text.iter().flat_map(|text| placeholders(text)) {
                    let arg = label.args.get(number - 1).unwrap_or_else(|| panic!("{label:?} has no {number}"));
                    let word = kind.map(|kind| format!("{kind}.{arg}"));
                    assert!(word.is_none_or(|word| texts.contains_key(word.as_str())), "{label:?}");
                }
            }
        });
        for (key, [english, spanish]) in texts {
            assert!(!english.is_empty() && !spanish.is_empty(), "{}: {key}", G::ABOUT.id);
            let both = [english, spanish].map(|text| placeholders(text).collect::<BTreeSet<_>>());
            assert_eq!(both[0], both[1], "{}: {key}", G::ABOUT.id);
        }
    }
    for_each_game!(check);
}

/// The arguments that a text names: their numbers, and the kind of word that stands for them.
fn placeholders(text: &'static str) -> impl Iterator<Item = (usize, Option<&'static str>)> {
    text.split('{').skip(1).map(|part| {
        let (inside, _) = part.split_once('}').expect("a placeholder is closed");
        let (number, kind) = inside.split_once(':').map_or((inside, None), |(number, kind)| (number, Some(kind)));
        (number.parse().expect("a placeholder is a number"), kind)
    })
}

#[test]
fn areas_lie_on_the_board() {
    fn check<G: Draw>() {
        for start in random::starts::<G>() {
            let Layout { size, areas, .. } = Draw::layout(&start);
            for area in areas {
                let rect = area.rect;
                let inside = |from: f32, length: f32, limit: f32| from >= 0.0 && from + length <= limit + 0.001;
                assert!(inside(rect.x, rect.width, size.x) && inside(rect.y, rect.height, size.y), "{area:?}");
                assert!((0.0..=rect.width.min(rect.height) / 2.0 + 0.001).contains(&area.radius), "{area:?}");
            }
        }
    }
    for_each_game!(check);
}

#[test]
fn counters_of_pieces_name_pieces() {
    fn check<G: Draw>() {
        visit::<G>(|_, scene, _| {
            let pieces: BTreeSet<&str> = scene.pieces.iter().map(|piece| piece.id.as_str()).collect();
            for counter in &scene.counters {
                assert!(counter.piece.as_deref().is_none_or(|piece| pieces.contains(piece)), "{counter:?}");
                assert!(counter.max.is_none_or(|max| max > 0), "{counter:?}");
            }
        });
    }
    for_each_game!(check);
}

#[test]
fn a_lane_has_one_target_at_most() {
    fn check<G: Draw>() {
        visit::<G>(|layout, scene, _| {
            let lanes: BTreeMap<&str, u16> =
                layout.cells.iter().filter_map(|cell| Some((cell.id.as_str(), cell.lane?))).collect();
            let mut firsts: Vec<&str> = scene.choices.iter().map(|choice| choice.clicks[0].as_str()).collect();
            firsts.sort_unstable();
            firsts.dedup();
            let mut targets: Vec<u16> = firsts.into_iter().filter_map(|id| lanes.get(id).copied()).collect();
            let all = targets.len();
            targets.sort_unstable();
            targets.dedup();
            assert_eq!(targets.len(), all, "{}: two targets in one lane", G::ABOUT.id);
        });
    }
    for_each_game!(check);
}
