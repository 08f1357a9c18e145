//! A position for people: the board, whose turn it is, what can be played.

use std::io::{self, Write};

use anyhow::Result;
use palestra_games::draw::Scene;
use palestra_games::{AnyGame, Outcome, Played, Side};

use crate::board;
use crate::cli::Start;
use crate::start::Reached;
use crate::style::{HEADING, owner, paint};
use crate::text::{hang, width};

/// Draws the position that was asked for.
pub(crate) fn run(start: &Start, out: &mut impl Write) -> Result<()> {
    let Reached { position, last } = start.reach()?;
    writeln!(out, "{}\n", paint(HEADING, start.game.about.name))?;
    board(&*position, last.as_ref().map(|(mv, played)| (played.side, mv.as_str())), out)?;
    if let Some((mv, what)) = last {
        writeln!(out, "{}", played(&name(what.side), &mv, what))?;
    }
    status(&*position, out)?;
    writeln!(out, "Position: {}", position.notation())?;
    Ok(())
}

/// The board, and what stands beside it.
pub(crate) fn board(position: &dyn AnyGame, last: Option<(Side, &str)>, out: &mut impl Write) -> Result<()> {
    let scene = position.scene(last)?;
    for line in board::draw(&position.layout(), &scene) {
        writeln!(out, "{}", format!("  {line}").trim_end())?;
    }
    writeln!(out)?;
    Ok(counters(&scene, out)?)
}

/// Who played what, and whether the other side was passed over.
pub(crate) fn played(who: &str, mv: &str, what: Played) -> String {
    let passed = if what.passed { format!("; {} cannot act", name(what.side.other())) } else { String::new() };
    format!("{who} played {mv}{passed}")
}

/// The counters that stand beside the board, a line for each side and one for what is nobody's.
fn counters(scene: &Scene, out: &mut impl Write) -> io::Result<()> {
    for side in [None, Some(Side::One), Some(Side::Two)] {
        let own = scene.counters.iter().filter(|counter| counter.owner == side && counter.cell.is_none());
        let own: Vec<String> = own.map(|counter| format!("{}: {}", counter.label, counter.value)).collect();
        let Some((last, others)) = own.split_last() else { continue };
        let items = others.iter().map(|item| format!("{item},")).chain([last.clone()]);
        let head = side.map_or(String::new(), |side| format!("{}: ", name(side)));
        writeln!(out, "{}{}", paint(owner(side), &head), hang(head.len(), items, width()))?;
    }
    Ok(())
}

/// Who moves, and the legal moves; or how the game ended.
pub(crate) fn status(position: &dyn AnyGame, out: &mut impl Write) -> io::Result<()> {
    let [one, two] = position.points();
    match position.outcome() {
        None => {
            let head = format!("{} to move: ", name(position.turn()));
            let moves = hang(head.len(), position.moves(), width());
            writeln!(out, "{}{moves}", paint(owner(Some(position.turn())), &head))
        }
        Some(Outcome::Win(side)) => writeln!(out, "{} {one}-{two}", paint(owner(Some(side)), name(side) + " has won")),
        Some(Outcome::Draw) => writeln!(out, "A draw {one}-{two}"),
    }
}

/// A side's name. Not "player": a team or partnership has several.
pub(crate) fn name(side: Side) -> String {
    format!("Side {side}")
}
