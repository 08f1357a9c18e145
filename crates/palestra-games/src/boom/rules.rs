//! The rules in which Conecta-4 Boom and Desconecta-4 Boom differ.

use std::fmt::Debug;
use std::hash::Hash;

use super::bits::BOTTOM;
use crate::draw::{About, Look};
use crate::{Outcome, Side};

/// What tells one game from the other. Sets of cells are words as [`Boom::pieces`](super::Boom::pieces) describes them.
pub trait Rules: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// What the list of games says.
    const ABOUT: About;

    /// The colours of the panel.
    const LOOK: Look;

    /// The single moves of a turn; player 1's first turn has one move all the same.
    const MOVES: u32;

    /// Turns whose number is a multiple of this bring a bomb.
    const BOMB_EVERY: u32;

    /// What the mover's bomb takes, out of the `own` and `other` pieces in its row.
    fn taken(bomb: u64, own: u64, other: u64) -> u64;

    /// What it means for a player to make a line by a drop.
    fn own_line(mover: Side) -> Outcome;

    /// Who wins when there are lines: `lines` has the cells where those of each player begin, not both empty.
    fn by_lines(lines: [u64; 2], last_mover: Side) -> Outcome;

    /// What a full board without a line means when it is `turn`'s move.
    fn full_board(turn: Side, has_bomb: bool) -> Option<Outcome>;
}

/// The rules of Conecta-4 Boom: four in a line win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conecta;

impl Rules for Conecta {
    const ABOUT: About = About {
        id: "conecta4boom",
        name: "Conecta-4 Boom",
        summary: "Four in a line win, two moves a turn, and bombs that clear a row of the other's pieces",
        rules: &[
            "A move drops a piece into one of seven columns of seven cells. Player 1 begins with one move; from then \
             on every turn has two. Four or more own pieces in a line win at once.",
            "In turns 4, 8, 12 and so on the first piece that a player without a bomb drops is a bomb. It counts as a \
             piece. Its owner may later explode it instead of dropping a piece: the bomb and the other player's \
             pieces in its row vanish, and what lies above them falls by one.",
            "A player with a line after an explosion wins; if both have one, the player who moved. A player who has to move \
             and cannot, the board being full and no own bomb on it, loses.",
        ],
        options: &[],
        move_notation: "the column, 1 to 7 from the left, or boom",
        position_notation: POSITION_NOTATION,
        losing_choice: None,
        move_cap: Some(300),
    };
    const LOOK: Look = super::look::CONECTA;
    const MOVES: u32 = 2;
    const BOMB_EVERY: u32 = 4;

    #[inline]
    fn taken(bomb: u64, _: u64, other: u64) -> u64 {
        bomb | other
    }

    #[inline]
    fn own_line(mover: Side) -> Outcome {
        Outcome::Win(mover)
    }

    fn by_lines(lines: [u64; 2], last_mover: Side) -> Outcome {
        Outcome::Win(match lines {
            [_, 0] => Side::One,
            [0, _] => Side::Two,
            _ => last_mover,
        })
    }

    fn full_board(turn: Side, has_bomb: bool) -> Option<Outcome> {
        (!has_bomb).then_some(Outcome::Win(turn.other()))
    }
}

/// The rules of Desconecta-4 Boom: four in a line lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Desconecta;

impl Rules for Desconecta {
    const ABOUT: About = About {
        id: "desconecta4boom",
        name: "Desconecta-4 Boom",
        summary: "Four in a line lose, and bombs clear a row of your own pieces",
        rules: &[
            "A move drops a piece into one of seven columns of seven cells. The players take turns. Four or more own \
             pieces in a line lose at once.",
            "In turns 5, 10, 15 and so on a piece dropped by a player without a bomb is a bomb. It counts as a piece. \
             Its owner may later explode it instead of dropping a piece: the bomb and the owner's other pieces in its \
             row vanish, and what lies above them falls by one.",
            "If an explosion gives both players a line, the one loses whose line begins lower, or further left in the \
             same row; a line begins at its left end, a vertical one below. A full board without a line is a draw.",
        ],
        options: &[],
        move_notation: "the column, 1 to 7 from the left, or boom",
        position_notation: POSITION_NOTATION,
        losing_choice: None,
        move_cap: Some(300),
    };
    const LOOK: Look = super::look::DESCONECTA;
    const MOVES: u32 = 1;
    const BOMB_EVERY: u32 = 5;

    #[inline]
    fn taken(_: u64, own: u64, _: u64) -> u64 {
        own
    }

    #[inline]
    fn own_line(mover: Side) -> Outcome {
        Outcome::Win(mover.other())
    }

    fn by_lines(lines: [u64; 2], _: Side) -> Outcome {
        let begins = lines[0] | lines[1];
        let lowest = (0..8).map(|row| begins & (BOTTOM << row)).find(|&cells| cells != 0).unwrap_or(0);
        let leftmost = lowest & lowest.wrapping_neg();
        let loser = if lines[0] & leftmost != 0 { Side::One } else { Side::Two };
        Outcome::Win(loser.other())
    }

    fn full_board(_: Side, _: bool) -> Option<Outcome> {
        Some(Outcome::Draw)
    }
}

const POSITION_NOTATION: &str = "number of the next move, a colon and the rows from the top, / between them: x and o \
                                 pieces, X and O bombs, digits empty cells, as in 3:7/7/7/7/7/7/2xo3";
