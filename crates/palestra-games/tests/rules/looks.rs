//! What games declare for front ends: texts, shapes, colours, areas, lanes.

use std::collections::{BTreeMap, BTreeSet};

use palestra_games::draw::{Change, Label, Layout, Look, Scene, Step};
use palestra_games::{Draw, GAMES, with_game};

use crate::conformance::for_each_game;
use crate::random;

/// Calls `f` with the layout of every start, and with scenes and steps of random games from it.
fn visit<G: Draw>(mut f: impl FnMut(&Layout, &Scene, &[Step])) {
    for start in random::starts::<G>() {
        let layout = Draw::layout(&start);
        let last = random::play(&start, &mut random::rng(31), |position, mv| {
            f(&layout, &Draw::scene(position, None), &Draw::steps(position, mv));
        });
        f(&layout, &Draw::scene(&last, None), &[]);
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
    cells.chain(pieces).chain(counters).chain(controls).chain(added).chain(&scene.end)
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
fn areas_stick_out_by_less_than_a_cell() {
    fn check<G: Draw>() {
        for start in random::starts::<G>() {
            let Layout { size, areas, .. } = Draw::layout(&start);
            for area in areas {
                let rect = area.rect;
                let fits =
                    |from: f32, length: f32, limit: f32| from > -1.0 && length > 0.0 && from + length < limit + 1.0;
                assert!(fits(rect.x, rect.width, size.x) && fits(rect.y, rect.height, size.y), "{area:?}");
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

#[test]
fn everything_that_is_drawn_has_a_look() {
    fn check<G: Draw>() {
        let Look { shapes, cells, areas, .. } = G::LOOK;
        let shapes: BTreeSet<&str> = shapes.iter().map(|shape| shape.kind).collect();
        let cells: BTreeSet<&str> = cells.iter().map(|cell| cell.kind).collect();
        let areas: BTreeSet<&str> = areas.iter().map(|area| area.kind).collect();
        let mut pieces = BTreeSet::new();
        visit::<G>(|layout, scene, steps| {
            let added = steps.iter().filter_map(|step| match &step.change {
                Change::Add { piece } => Some(piece),
                _ => None,
            });
            pieces.extend(scene.pieces.iter().chain(added).map(|piece| piece.kind));
            let is_painted =
                |kind: &&str| [Some(*kind), kind.split('-').next()].into_iter().flatten().any(|k| cells.contains(k));
            let plain: BTreeSet<&str> = layout.cells.iter().map(|cell| cell.kind).filter(|k| !is_painted(k)).collect();
            assert!(cells.is_empty() || plain.is_empty(), "{}: cells without looks: {plain:?}", G::ABOUT.id);
            assert!(layout.areas.iter().all(|area| areas.contains(area.kind)), "{}: {:?}", G::ABOUT.id, layout.areas);
        });
        let shapeless: BTreeSet<_> = pieces.iter().filter(|kind| !shapes.contains(*kind)).collect();
        assert!(shapes.is_empty() || shapeless.is_empty(), "{}: no shapes for {shapeless:?}", G::ABOUT.id);
    }
    for_each_game!(check);
}

#[test]
fn every_colour_that_is_named_is_in_the_palette() {
    fn check<G: Draw>() {
        let Look { palette, shapes, cells, areas, inks, .. } = G::LOOK;
        let own: BTreeSet<&str> = palette.iter().map(|colour| colour.name).collect();
        assert_eq!(own.len(), palette.len(), "{}: two colours of one name", G::ABOUT.id);
        let parts = shapes.iter().flat_map(|shape| shape.parts).flat_map(|part| part.colours());
        let paints = cells.iter().flat_map(|cell| cell.outline.into_iter().chain(cell.hole));
        let paints: Vec<_> = paints.chain(areas.iter().map(|area| area.paint)).collect();
        let textures = cells.iter().map(|cell| cell.texture).chain(areas.iter().map(|area| area.texture));
        let named: BTreeSet<&str> = parts
            .chain(paints.iter().flat_map(|paint| paint.colours()))
            .chain(textures.flatten().map(|(_, colour)| colour))
            .chain(inks.iter().map(|&(_, colour)| colour))
            .collect();
        let unknown: Vec<_> =
            named.iter().filter(|name| !own.contains(*name) && !Look::COMMON.contains(name)).collect();
        assert!(unknown.is_empty(), "{}: colours that are not in the palette: {unknown:?}", G::ABOUT.id);
        let unused: Vec<_> = own.iter().filter(|name| !named.contains(*name)).collect();
        assert!(unused.is_empty(), "{}: colours that nothing has: {unused:?}", G::ABOUT.id);
        let shaded = own.iter().filter(|name| Look::COMMON.contains(name)).count();
        assert_eq!(shaded, 0, "{}: a colour has the name of a common one", G::ABOUT.id);
        for colour in palette {
            let is_name = colour.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
            let is_hex = |text: &str| {
                text.strip_prefix('#')
                    .is_some_and(|hex| matches!(hex.len(), 3 | 4 | 6 | 8) && hex.chars().all(|c| c.is_ascii_hexdigit()))
            };
            assert!(is_name && is_hex(colour.light) && is_hex(colour.dark), "{}: {colour:?}", G::ABOUT.id);
        }
    }
    for_each_game!(check);
}
