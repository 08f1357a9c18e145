//! What a move did, in words, from the steps that draw it.

use std::collections::HashMap;

use palestra_games::draw::{Change, Scene, Step};
use palestra_games::{AnyGame, Side};

/// What a legal move does in a position: `captures 5`, `moves again`. Nothing for a move that only moves.
pub(super) fn effects(before: &dyn AnyGame, mv: &str) -> Vec<String> {
    let mut after = before.boxed_clone();
    let (Ok(scene), Ok(steps), Ok(played)) = (before.scene(None), before.steps(mv), after.play(mv)) else {
        return vec![];
    };
    let (side, is_over) = (before.turn(), after.outcome().is_some());
    let mut effects: Vec<String> = explosion(before, &scene, &steps).into_iter().collect();
    effects.extend(taken(&scene, &steps));
    effects.extend(sent_home(&scene, &steps, side));
    let gain = after.points()[side.index()] - before.points()[side.index()];
    match captured(&scene, &steps, side).filter(|_| !is_over) {
        Some(captured) => effects.push(format!("captures {captured}")),
        None if gain > 0 && !is_over => effects.push(format!("scores {gain}")),
        None => {}
    }
    if after.turn() == side && !played.passed && !is_over {
        effects.push("moves again".to_owned());
    }
    effects
}

/// Pieces that were blown up: the row if they were one, else how many.
fn explosion(before: &dyn AnyGame, scene: &Scene, steps: &[Step]) -> Option<String> {
    let blown = steps.iter().filter_map(|step| match &step.change {
        Change::Remove { piece, how: "blown" } => scene.pieces.iter().find(|found| found.id == *piece),
        _ => None,
    });
    let layout = before.layout();
    let row = |cell: &str| layout.cells.iter().find(|found| found.id == cell)?.label.args.get(1).cloned();
    let rows: Vec<Option<String>> = blown.map(|piece| row(&piece.cell)).collect();
    match rows.first()? {
        Some(row) if rows.iter().all(|other| other.as_ref() == Some(row)) => Some(format!("bomb: row {row} cleared")),
        _ => Some(format!("bomb: {} cleared", crate::ui::units::counted(rows.len() as u64, "piece", "pieces"))),
    }
}

/// Things that were taken from the board.
fn taken(scene: &Scene, steps: &[Step]) -> Vec<String> {
    let taken = steps.iter().filter_map(|step| match &step.change {
        Change::Remove { piece, how: "taken" } => scene.pieces.iter().find(|found| found.id == *piece),
        _ => None,
    });
    let named = |name: &str| if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    taken.map(|piece| format!("takes {} {}", named(piece.label.key), piece.label.key)).collect()
}

/// Pawns of the other side that the move sent elsewhere.
fn sent_home(scene: &Scene, steps: &[Step], side: Side) -> Vec<String> {
    let moved = steps.iter().filter_map(|step| match &step.change {
        Change::Move { piece, .. } => scene.pieces.iter().find(|found| found.id == *piece),
        _ => None,
    });
    let theirs = moved.filter(|piece| piece.kind.starts_with("pawn") && piece.owner == Some(side.other()));
    theirs.map(|piece| format!("captures {}", piece.symbol)).collect()
}

/// How much a counter of this side gains at once. Sowing gives one seed at a time, so more than one is a capture.
fn captured(scene: &Scene, steps: &[Step], side: Side) -> Option<i32> {
    let own = scene.counters.iter().filter(|counter| counter.owner == Some(side) && counter.cell.is_some());
    let mut values: HashMap<&str, i32> = own.map(|counter| (counter.id.as_str(), counter.value)).collect();
    let gains = steps.iter().filter_map(|step| match &step.change {
        Change::Count { counter, value } => {
            let before = values.insert(counter, *value);
            before.map(|before| value - before)
        }
        _ => None,
    });
    gains.max().filter(|&gain| gain > 1)
}

#[cfg(test)]
mod tests {
    use palestra_games::{GAMES, GameKind};

    use super::*;

    fn at(game: &str, position: &str, mv: &str) -> String {
        let kind = GameKind::find(game).expect("a game");
        effects(&*(kind.parse)(position).expect("a position"), mv).join(", ")
    }

    #[test]
    fn sowing_and_capturing_are_told() {
        let start = "1:0,4,4,4,4,4,4/0,4,4,4,4,4,4";
        assert_eq!(at("mancala", start, "4"), "scores 1, moves again");
        assert_eq!(at("mancala", start, "5"), "", "a move that only sows");
        assert_eq!(at("mancala", "1:22,1,0,0,0,1,0/20,0,0,2,0,1,1", "5"), "captures 3");
    }

    #[test]
    fn a_bomb_clears_a_row() {
        assert_eq!(at("conecta4boom", "13:7/7/7/7/x4o1/oxXo1x1/oxxo1o1", "boom"), "bomb: row 2 cleared");
    }

    #[test]
    fn every_move_of_a_game_can_be_told() {
        for kind in GAMES {
            let mut position = (kind.start)("-").expect("a start");
            let mut told = 0;
            for ply in 0..200 {
                let moves = position.moves();
                let Some(mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                told += effects(&*position, mv).len();
                position.play(mv).expect("a legal move");
            }
            assert!(told > 0, "{}: nothing ever happens", kind.id());
        }
    }
}
