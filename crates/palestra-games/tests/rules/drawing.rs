//! Layout, scene and steps of every game: complete, consistent, and true to the rules.

use std::collections::{BTreeMap, BTreeSet};

use palestra_games::bandera::{Bandera, Tile};
use palestra_games::boom::{Action, Conecta4Boom, Desconecta4Boom};
use palestra_games::draw::{Cell, Change, Choice, Id, Layout, Piece, Point, Preview, Scene, Step};
use palestra_games::mancala::Mancala;
use palestra_games::parchis::Parchis;
use palestra_games::{Draw, GAMES, Game, NoOptions, with_game};

use crate::conformance::for_each_game;
use crate::mancala::Board;
use crate::random;

#[test]
fn steps_lead_from_one_scene_to_the_next() {
    fn check<G: Draw>() {
        for position in sample::<G>(21) {
            for mv in Game::moves(&position) {
                let mut scene = Draw::scene(&position, None);
                let steps = Draw::steps(&position, mv);
                assert!(!steps.is_empty(), "{mv} in {position} changes nothing");
                let beats: Vec<u16> = steps.iter().map(|step| step.beat).collect();
                assert!(beats[0] == 0 && beats.is_sorted(), "{mv} in {position}: beats {beats:?}");
                scene.apply(&steps).unwrap_or_else(|error| panic!("{mv} in {position}: {error}"));
                let mut after = position.clone();
                Game::play(&mut after, mv);
                let wanted = Draw::scene(&after, Some((Game::turn(&position), mv)));
                assert_eq!(sorted(&scene), sorted(&wanted), "{mv} in {position}");
            }
        }
    }
    for_each_game!(check);
}

type Sorted = (BTreeMap<String, Piece>, BTreeMap<String, i32>);

fn sorted(scene: &Scene) -> Sorted {
    let pieces = scene.pieces.iter().map(|piece| (piece.id.clone(), piece.clone())).collect();
    let counters = scene.counters.iter().map(|counter| (counter.id.clone(), counter.value)).collect();
    (pieces, counters)
}

#[test]
fn every_legal_move_has_clicks_of_its_own() {
    fn check<G: Draw>() {
        for position in sample::<G>(22) {
            let scene = Draw::scene(&position, None);
            let moves: Vec<String> = Game::moves(&position).iter().map(ToString::to_string).collect();
            let choices: Vec<&String> = scene.choices.iter().map(|choice| &choice.text).collect();
            assert_eq!(choices, moves.iter().collect::<Vec<_>>(), "{position}");
            for (index, a) in scene.choices.iter().enumerate() {
                assert!(!a.clicks.is_empty(), "{position}: {}", a.text);
                for b in &scene.choices[index + 1..] {
                    let clash = a.clicks.starts_with(&b.clicks) || b.clicks.starts_with(&a.clicks);
                    assert!(!clash, "{position}: {a:?} and {b:?}");
                }
            }
        }
    }
    for_each_game!(check);
}

#[test]
fn a_preview_shows_what_the_move_then_does() {
    fn check<G: Draw>() {
        for position in sample::<G>(28) {
            let before = position.scene_with_previews(None);
            assert_eq!(without_previews(before.clone()), Draw::scene(&position, None), "{position}");
            for (mv, choice) in Game::moves(&position).into_iter().zip(&before.choices) {
                let mut after = position.clone();
                Game::play(&mut after, mv);
                check_preview(choice, &before, &Draw::scene(&after, None), &format!("{mv} in {position}"));
            }
        }
    }
    for_each_game!(check);
}

fn without_previews(mut scene: Scene) -> Scene {
    for choice in &mut scene.choices {
        choice.preview = Preview::default();
    }
    scene
}

/// Compares a preview with the scenes before and after the move, whatever its steps are.
#[track_caller]
fn check_preview(Choice { clicks, preview, .. }: &Choice, before: &Scene, after: &Scene, mv: &str) {
    let clicked = |piece: &&Piece| clicks.contains(&piece.id);
    let there: BTreeMap<&str, &Piece> = after.pieces.iter().map(|piece| (piece.id.as_str(), piece)).collect();
    let moved = before.pieces.iter().filter(clicked).filter_map(|piece| there.get(piece.id.as_str()));
    let moved: Vec<&Id> = moved.map(|piece| &piece.cell).collect();
    match (&preview.to, &preview.adds) {
        (Some(cell), Some(piece)) => assert!(piece.cell == *cell && after.pieces.contains(piece), "{mv}: {piece:?}"),
        (Some(cell), None) => assert!(moved.contains(&cell), "{mv}: nothing clicked is on {cell}"),
        (None, piece) => assert_eq!(*piece, None, "{mv}: a piece without a cell"),
    }
    if let Some([from, to]) = &preview.way {
        let leaves = before.pieces.iter().filter(clicked).any(|piece| piece.cell == *from && moved.contains(&to));
        assert!(leaves || clicks.contains(from), "{mv}: nothing clicked leads from {from} to {to}");
    }
    let owned = |scene: &Scene| scene.pieces.iter().filter(|piece| piece.owner.is_some()).count();
    assert!(owned(before) <= owned(after) + preview.gone.len() + clicks.len(), "{mv}: {:?}", preview.gone);
    for id in &preview.gone {
        assert!(before.pieces.iter().any(|piece| piece.id == *id && piece.owner.is_some()), "{mv}: no piece {id}");
    }
    let bar = |scene: &Scene| {
        let mut bars = scene.counters.iter().filter(|counter| counter.max.is_some());
        bars.find(|counter| counter.piece.as_ref().is_some_and(|piece| clicks.contains(piece))).map(|bar| bar.value)
    };
    let lost = bar(before).zip(bar(after)).map(|(was, is)| was - is).filter(|&lost| lost != 0);
    assert_eq!(preview.cost, lost, "{mv}");
}

#[test]
fn a_scene_says_how_the_game_ended_when_it_has() {
    fn check<G: Draw>() {
        for start in random::starts::<G>() {
            let last = random::play(&start, &mut random::rng(29), |position, _| {
                assert_eq!(Draw::scene(position, None).end, None, "{position}");
            });
            assert_eq!(Draw::scene(&last, None).end.is_some(), Game::outcome(&last).is_some(), "{last}");
        }
    }
    for_each_game!(check);
}

#[track_caller]
fn assert_end<G: Draw>(start: &str, moves: &str, end: &str) {
    let position: G = after(start, moves);
    assert_eq!(Draw::scene(&position, None).end.map(|end| end.to_string()).as_deref(), Some(end), "{position}");
}

/// The position after some moves, from a position or from the start of the game.
#[track_caller]
fn after<G: Draw>(start: &str, moves: &str) -> G {
    let mut position: G = match start {
        "" => G::new(&G::Options::default()),
        start => start.parse().unwrap_or_else(|_| panic!("{start} can be read")),
    };
    for mv in moves.split_whitespace() {
        Game::play(&mut position, mv.parse().unwrap_or_else(|_| panic!("{mv} is a move")));
    }
    position
}

#[test]
fn the_end_has_its_reason() {
    assert_end::<Mancala>("1:24,1,0,0,0,0,0/22,0,0,0,0,0,1", "1", "all banked");
    assert_end::<Conecta4Boom>("", "1 7 7 1 1 7 6 1", "four win");
    assert_end::<Desconecta4Boom>("", "1 7 1 7 1 7 1", "four lose");
}

#[test]
fn a_boom_preview_names_what_explodes_and_the_bomb_that_would_be_dropped() {
    let scene = |start, moves| after::<Conecta4Boom>(start, moves).scene_with_previews(None);
    let blown = scene("13:7/7/7/7/x4o1/oxXo1x1/oxxo1o1", "");
    let boom = blown.choices.iter().find(|choice| choice.text == "boom").expect("a bomb can explode");
    let mut gone = boom.preview.gone.clone();
    gone.sort();
    assert_eq!(gone, ["X-c3r2", "o-c1r2", "o-c4r2"]);
    let dropped = &scene("", "").choices[3].preview;
    assert_eq!(dropped.to.as_deref(), Some("c4r1"));
    assert_eq!(dropped.adds.as_ref().map(|piece| piece.kind), Some("stone-1"));
    let armed = &scene("", "1 7 7 1 1 6 6 2 2 5 7").choices[3].preview;
    assert_eq!(armed.adds.as_ref().map(|piece| piece.kind), Some("bomb-1"));
}

/// The ways of the moves from a position, by their notation.
fn ways<G: Draw>(start: &str) -> BTreeMap<String, Option<[String; 2]>> {
    let choices = after::<G>(start, "").scene_with_previews(None).choices;
    choices.into_iter().map(|choice| (choice.text, choice.preview.way)).collect()
}

#[test]
fn a_move_leads_from_where_it_is_clicked_to_where_it_ends() {
    let way = |from: &str, to: &str| Some([from.to_owned(), to.to_owned()]);
    let mancala = ways::<Mancala>("1:14,1,0,3,0,2,0/15,0,4,2,0,1,6");
    assert_eq!(mancala["3"], way("pit1-3", "store1"), "over pits 2 and 1");
    assert_eq!(mancala["5"], way("pit1-5", "pit1-3"));
    // The last seed falls into an empty pit and captures: the move leads there, not to the store.
    let capture = ways::<Mancala>("1:10,0,1,0,0,0,2/10,4,4,4,4,4,5");
    assert_eq!(capture["2"], way("pit1-2", "pit1-1"));
    let parchis = ways::<Parchis>("");
    assert_eq!(parchis["Y0:5"], way("homeY-0", "r4"));
    assert_eq!(parchis["Y1:3"], way("r4", "r7"));
    let bandera = ways::<Bandera>("");
    assert_eq!(bandera["1:N"], way("c27", "c15"));
}

#[test]
fn a_bandera_preview_has_the_cost_of_the_ground() {
    let position = Bandera::new(&"orchard".parse().expect("a bundled map"));
    let costs = position.scene_with_previews(None).choices.into_iter().map(|choice| choice.preview.cost);
    assert!(costs.clone().all(|cost| cost.is_some()), "every action costs energy");
    assert!(costs.flatten().any(|cost| cost == 1), "grass costs 1");
}

#[test]
fn scenes_name_only_what_is_there() {
    fn check<G: Draw>() {
        for start in random::starts::<G>() {
            let layout = Draw::layout(&start);
            let cells: BTreeSet<&str> = layout.cells.iter().map(|cell| cell.id.as_str()).collect();
            random::play(&start, &mut random::rng(23), |position, mv| {
                assert_eq!(Draw::layout(position), layout, "the layout changes with {position}");
                check_scene(&cells, &Draw::scene(position, None), &position.to_string());
                let mut after = position.clone();
                Game::play(&mut after, mv);
                let scene = Draw::scene(&after, Some((Game::turn(position), mv)));
                assert!(scene.last.iter().all(|id| cells.contains(id.as_str())), "{after}: {:?}", scene.last);
            });
        }
    }
    for_each_game!(check);
}

fn check_scene(cells: &BTreeSet<&str>, scene: &Scene, position: &str) {
    let pieces = scene.pieces.iter().map(|piece| piece.id.as_str());
    let counters = scene.counters.iter().map(|counter| counter.id.as_str());
    let controls = scene.controls.iter().map(|control| control.id.as_str());
    let mut ids = cells.clone();
    for id in pieces.chain(counters).chain(controls) {
        assert!(ids.insert(id), "{position}: two things have the id {id}");
    }
    assert!(scene.pieces.iter().all(|piece| cells.contains(piece.cell.as_str())), "{position}");
    let placed = scene.counters.iter().filter_map(|counter| counter.cell.as_deref());
    assert!(placed.into_iter().all(|cell| cells.contains(cell)), "{position}");
    let mut clicks = scene.choices.iter().flat_map(|choice| &choice.clicks);
    assert!(clicks.all(|click| ids.contains(click.as_str())), "{position}: {:?}", scene.choices);
}

#[test]
fn layouts_fit_their_frame_and_arrows_lead_to_cells() {
    fn check<G: Draw>() {
        for start in random::starts::<G>() {
            let layout = Draw::layout(&start);
            let cells: BTreeSet<&str> = layout.cells.iter().map(|cell| cell.id.as_str()).collect();
            assert_eq!(cells.len(), layout.cells.len(), "{}: two cells of one id", G::ABOUT.id);
            for cell in &layout.cells {
                let arrows = [&cell.arrows.up, &cell.arrows.down, &cell.arrows.left, &cell.arrows.right];
                assert!(arrows.into_iter().flatten().all(|id| cells.contains(id.as_str())), "{cell:?}");
                let inside = |v: f32, limit: f32| (-0.001..=limit + 0.001).contains(&v);
                let fits = cell.polygon.iter().all(|p| inside(p.x, layout.size.x) && inside(p.y, layout.size.y));
                assert!(fits && cell.polygon.len() >= 3, "{cell:?}");
            }
            check_reachable(&layout);
        }
    }
    for_each_game!(check);
}

/// With the arrow keys one gets from the first cell to every other.
fn check_reachable(layout: &Layout) {
    let cells: BTreeMap<&str, &Cell> = layout.cells.iter().map(|cell| (cell.id.as_str(), cell)).collect();
    let mut seen = BTreeSet::new();
    let mut open = vec![layout.cells[0].id.as_str()];
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let arrows = &cells[id].arrows;
            let next = [&arrows.up, &arrows.down, &arrows.left, &arrows.right];
            open.extend(next.into_iter().flatten().map(String::as_str));
        }
    }
    let missed: Vec<&&str> = cells.keys().filter(|id| !seen.contains(*id)).collect();
    assert!(missed.is_empty(), "the arrow keys do not lead to {missed:?}");
}

#[test]
fn arrows_lead_where_they_point_or_around_the_edge() {
    fn check<G: Draw>() {
        for start in random::starts::<G>() {
            let Layout { size, cells, .. } = Draw::layout(&start);
            let centres: BTreeMap<&str, Point> = cells.iter().map(|cell| (cell.id.as_str(), cell.middle())).collect();
            for cell in &cells {
                let (from, arrows) = (cell.middle(), &cell.arrows);
                // How far an arrow leads in its direction, and how wide the board is there.
                let right = |id: &Option<Id>| id.as_ref().map(|id| (centres[id.as_str()].x - from.x, size.x));
                let down = |id: &Option<Id>| id.as_ref().map(|id| (centres[id.as_str()].y - from.y, size.y));
                let back = |way: Option<(f32, f32)>| way.map(|(way, width)| (-way, width));
                let ways =
                    [right(&arrows.right), back(right(&arrows.left)), down(&arrows.down), back(down(&arrows.up))];
                let is_right = |(way, width): (f32, f32)| way > 0.0 || way < -width / 2.0;
                assert!(ways.into_iter().flatten().all(is_right), "{}: {}: {ways:?}", G::ABOUT.id, cell.id);
            }
        }
    }
    for_each_game!(check);
}

#[test]
fn the_last_move_is_marked_where_it_was_made() {
    fn check<G: Draw>() {
        let (mut marked, mut played) = (0, 0);
        for position in sample::<G>(24) {
            let before = Draw::scene(&position, None);
            for (mv, choice) in Game::moves(&position).into_iter().zip(&before.choices) {
                let mut after = position.clone();
                Game::play(&mut after, mv);
                let cells = touched(&before, &choice.clicks, &Draw::steps(&position, mv));
                let last = Draw::scene(&after, Some((Game::turn(&position), mv))).last;
                assert!(last.iter().all(|id| cells.contains(id)), "{mv} in {position}: {last:?} is not in {cells:?}");
                marked += usize::from(!last.is_empty());
                played += 1;
            }
        }
        assert!(2 * marked > played, "{}: {marked} of {played} moves leave a mark", G::ABOUT.id);
    }
    for_each_game!(check);
}

/// The cells that a move has to do with: those clicked, with a piece or without, and those where pieces come to lie.
fn touched(before: &Scene, clicks: &[Id], steps: &[Step]) -> BTreeSet<Id> {
    let pieces = before.pieces.iter().filter(|piece| clicks.contains(&piece.id)).map(|piece| piece.cell.clone());
    let arrivals = steps.iter().filter_map(|step| match &step.change {
        Change::Move { to, .. } => Some(to.clone()),
        Change::Add { piece } => Some(piece.cell.clone()),
        _ => None,
    });
    clicks.iter().cloned().chain(pieces).chain(arrivals).collect()
}

#[test]
fn a_text_board_has_room_for_every_cell() {
    fn check<G: Draw>() {
        for start in random::starts::<G>() {
            let layout = Draw::layout(&start);
            let mut lines: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
            for cell in &layout.cells {
                let Point { x, y } = cell.text_place.unwrap_or_else(|| cell.middle());
                let (x, y) = (x * layout.text_scale.x, y * layout.text_scale.y);
                lines.entry(y.round() as i64).or_default().push(x.round() as i64);
            }
            for columns in lines.values_mut() {
                columns.sort_unstable();
                let apart = columns.windows(2).all(|pair| pair[1] - pair[0] >= layout.text_width as i64);
                assert!(apart, "{}: cells closer than text_width at {columns:?}", G::ABOUT.id);
            }
        }
    }
    for_each_game!(check);
}

#[test]
fn mancala_sows_a_seed_a_beat_and_captures_after_the_last() {
    for position in sample::<Mancala>(25) {
        for mv in Game::moves(&position) {
            let pit = usize::from(mv.number());
            let hand = u16::from(position.seeds(position.turn())[pit]);
            let steps = Draw::steps(&position, mv);
            let sown: Vec<u16> = steps.iter().map(|step| step.beat).filter(|beat| (1..=hand).contains(beat)).collect();
            assert_eq!(sown, (1..=hand).collect::<Vec<_>>(), "{mv} in {position}");
            let mut after = position;
            after.play(mv);
            let captures = Board::of(&position).play(pit).capture;
            let more = |beat: u16| steps.iter().filter(|step| step.beat == beat).count();
            let beats = steps.last().map_or(0, |step| step.beat) - hand;
            assert!(beats <= u16::from(captures) + u16::from(after.outcome().is_some()), "{mv} in {position}");
            // The pit, the one across and the store.
            assert!(!captures || more(hand + 1) == 3, "{mv} in {position}: a capture is one beat");
        }
    }
}

#[test]
fn arrows_lead_along_the_rows_of_mancala_from_store_to_store() {
    for cell in Draw::layout(&Mancala::new(&NoOptions)).cells {
        assert_eq!(cell.arrows.left.is_none(), cell.id == "store2", "left of {}", cell.id);
        assert_eq!(cell.arrows.right.is_none(), cell.id == "store1", "right of {}", cell.id);
    }
}

#[test]
fn pieces_fall_after_the_explosion() {
    let mut fallen = 0;
    for position in sample::<Conecta4Boom>(26).iter().filter(|position| position.is_legal(Action::BOOM)) {
        for step in Draw::steps(position, Action::BOOM) {
            match step.change {
                Change::Remove { piece, .. } => assert_eq!(step.beat, 0, "{piece} goes in {position}"),
                Change::Move { piece, .. } => {
                    assert_eq!(step.beat, 1, "{piece} falls in {position}");
                    fallen += 1;
                }
                _ => {}
            }
        }
    }
    assert!(fallen > 20, "too few pieces to tell: {fallen}");
}

#[test]
fn a_bandera_player_arrives_before_things_go() {
    for position in sample::<Bandera>(27) {
        for mv in Game::moves(&position) {
            let steps = Draw::steps(&position, mv);
            let walks = steps.iter().any(|step| matches!(step.change, Change::Move { .. }));
            for step in steps {
                let Change::Remove { piece, how } = step.change else { continue };
                assert_eq!(step.beat, u16::from(walks), "{mv} in {position}: {piece} goes");
                assert_eq!(
                    how == "felled",
                    piece.starts_with(Tile::Forest.name()),
                    "{mv} in {position}: {piece} is {how}"
                );
            }
        }
    }
}

#[test]
fn ghosts_stand_just_outside_of_the_board() {
    for start in random::starts::<Bandera>() {
        let Layout { size, cells, .. } = Draw::layout(&start);
        for (cell, ghost) in cells.iter().flat_map(|cell| cell.ghosts.iter().map(move |ghost| (cell, ghost))) {
            let Point { x, y } = cell.middle();
            let beyond = |at: f32, limit: f32| (-at).max(at - limit).max(0.0);
            let (x, y) = (beyond(x + ghost.x, size.x), beyond(y + ghost.y, size.y));
            assert!(x.max(y) < 2.0, "{}: {} drawn at {ghost:?} is {x} and {y} away", start, cell.id);
        }
    }
}

/// Some hundred positions of random games.
fn sample<G: Draw>(seed: u64) -> Vec<G> {
    let positions = random::positions::<G>(seed, 3);
    let step = positions.len() / 300 + 1;
    positions.into_iter().step_by(step).collect()
}

#[test]
fn a_parchis_pawn_walks_square_by_square_and_an_eaten_one_flies_home_alone() {
    let (mut walked, mut eaten) = (0, 0);
    for position in sample::<Parchis>(28) {
        for mv in Game::moves(&position) {
            let steps = Draw::steps(&position, mv);
            assert!(matches!(steps[0].change, Change::Remove { how: "used", .. }), "{mv} in {position}");
            let moves: Vec<(u16, &str, &str)> = steps
                .iter()
                .filter_map(|step| match &step.change {
                    Change::Move { piece, to, .. } if piece != "marker" => {
                        Some((step.beat, piece.as_str(), to.as_str()))
                    }
                    _ => None,
                })
                .collect();
            let beats: Vec<u16> = moves.iter().map(|&(beat, ..)| beat).collect();
            assert_eq!(beats, (1..=beats.len() as u16).collect::<Vec<_>>(), "{mv} in {position}: a pawn a beat");
            for pair in moves.windows(2).filter(|pair| pair[0].1 != pair[1].1) {
                assert!(pair[1].2.starts_with("home"), "{mv} in {position}: {moves:?}");
                eaten += 1;
            }
            walked += moves.len();
        }
    }
    assert!(walked > 1000 && eaten > 0, "too little to tell: {walked} squares, {eaten} eaten");
}
