//! `palestra show`: the board, the side to move, and the legal moves.

use std::io::{self, Write};

use anyhow::Result;
use palestra_games::bandera::{Bandera, Tile};
use palestra_games::draw::Scene;
use palestra_games::{AnyGame, Draw, Outcome, Played, Side};

use crate::cli::Origin;
use crate::ui::board;
use crate::ui::style::{HEADING, owner, paint};
use crate::ui::text::{hang, width};

/// Draws the requested position.
pub(crate) fn run(start: &Origin, out: &mut impl Write) -> Result<()> {
    let reached = start.reach()?;
    let (position, game) = (reached.position(), reached.kind().about.name);
    let about = reached.about.as_ref().map_or(String::new(), |about| format!(": {about}"));
    writeln!(out, "{}{about}\n", paint(HEADING, game))?;
    board(position, reached.last(), out)?;
    if let Some(mv) = reached.record.moves().last() {
        writeln!(out, "{}", played(&name(mv.played.side), &mv.text, mv.played))?;
    }
    status(position, out)?;
    writeln!(out, "Position: {}", position.notation())?;
    Ok(())
}

/// Draws the board and its counters.
pub(crate) fn board(position: &dyn AnyGame, last: Option<(Side, &str)>, out: &mut impl Write) -> Result<()> {
    let scene = position.scene(last)?;
    let lines = board::draw(&position.layout(), &scene);
    for line in &lines {
        writeln!(out, "{}", format!("  {line}").trim_end())?;
    }
    writeln!(out)?;
    if position.kind().id() == Bandera::ABOUT.id {
        writeln!(out, "{}\n", legend(&lines))?;
    }
    Ok(counters(&scene, out)?)
}

/// The legend of a board of El Juego de la Bandera, for the characters that occur in its lines.
pub(crate) fn legend(lines: &[String]) -> String {
    let drawn: String = lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect();
    let tiles = Tile::ALL.iter().filter(|tile| drawn.contains(tile.symbol()));
    let tiles: Vec<String> = tiles.map(|tile| format!("{} {}", tile.symbol(), tile.name())).collect();
    hang(0, listed(&tiles), width())
}

/// A line about a move, and whether the other side was skipped after it.
pub(crate) fn played(who: &str, mv: &str, what: Played) -> String {
    let passed = if what.passed { format!("; {} cannot act", name(what.side.other())) } else { String::new() };
    format!("{who} played {mv}{passed}")
}

/// The counters beside the board: a line for neutral ones, and one for each side's.
fn counters(scene: &Scene, out: &mut impl Write) -> io::Result<()> {
    for side in [None, Some(Side::One), Some(Side::Two)] {
        let own = scene.counters.iter().filter(|counter| counter.owner == side && counter.cell.is_none());
        let own: Vec<String> = own.map(|counter| format!("{}: {}", counter.label, counter.value)).collect();
        if own.is_empty() {
            continue;
        }
        let head = side.map_or(String::new(), |side| format!("{}: ", name(side)));
        writeln!(out, "{}{}", paint(owner(side), &head), hang(head.len(), listed(&own), width()))?;
    }
    Ok(())
}

/// Items with commas between them.
fn listed(items: &[String]) -> impl Iterator<Item = String> {
    let count = items.len();
    (1..).zip(items).map(move |(number, item)| if number < count { format!("{item},") } else { item.clone() })
}

/// Writes the side to move with its legal moves, or how the game ended.
pub(crate) fn status(position: &dyn AnyGame, out: &mut impl Write) -> io::Result<()> {
    match position.outcome() {
        None => {
            let head = format!("{} to move: ", name(position.turn()));
            let moves = hang(head.len(), position.moves(), width());
            writeln!(out, "{}{moves}", paint(owner(Some(position.turn())), &head))
        }
        Some(outcome) => writeln!(out, "{}", paint(owner(outcome.winner()), ending(position))),
    }
}

/// How a game that is over ended.
pub(crate) fn ending(position: &dyn AnyGame) -> String {
    let [one, two] = position.points();
    match position.outcome().and_then(Outcome::winner) {
        Some(side) => format!("{} has won {one}-{two}", name(side)),
        None => format!("A draw {one}-{two}"),
    }
}

/// A side's name. Not "player": a team or partnership has several.
pub(crate) fn name(side: Side) -> String {
    format!("Side {side}")
}
