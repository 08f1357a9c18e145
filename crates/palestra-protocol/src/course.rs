//! The protocol of the Mancala course of 2018: words in capitals, each with one line of answer.

use std::fmt::Write;

use palestra_games::Side;

use crate::{Budget, Turn};

/// The time limit, 0 for none, and the bot's side. The first has an answer that says nothing, the second `OK`.
pub(crate) fn begin(side: Side, budget: Budget) -> String {
    let limit = budget.cpu.or(budget.wall).map_or(0, |time| time.as_millis());
    format!("TIMEOUT\n{limit}\nSETPLAYER\n{}\n", side.index())
}

/// The opponent's moves since the bot's last one, and the position.
///
/// The position is written in the order of the wire already: only its punctuation differs, and sides are counted
/// from 0.
pub(crate) fn go(side: Side, turn: &Turn<'_>, out: &mut String) {
    let moves = turn.history.rsplit(|mv| mv.played.side == side).next().unwrap_or_default();
    let _ = write!(out, "GETMOVE\n{}", moves.len());
    for mv in moves {
        let _ = write!(out, " {}", mv.text);
    }
    let position = turn.position.notation();
    let (player, seeds) = position.split_once(':').unwrap_or_default();
    out.push_str(if player == "1" { " 0 " } else { " 1 " });
    out.extend(seeds.chars().map(|c| if c.is_ascii_digit() { c } else { ' ' }));
    out.push('\n');
}
