//! The cross table: how each bot did against each other.

use palestra_tournament::Cross;

use super::results::{Ranked, Results};

/// The points of each bot against each other, in the order of the ranking.
pub(super) struct CrossTable {
    /// What the addresses of games begin with.
    pub(super) base: String,
    /// The most points of a cell.
    pub(super) most: u32,
    pub(super) rows: Vec<CrossRow>,
}

/// A bot against all others.
pub(super) struct CrossRow {
    pub(super) rank: usize,
    pub(super) player: usize,
    pub(super) name: String,
    pub(super) is_own: bool,
    pub(super) cells: Vec<Cell>,
}

/// A bot against another.
pub(super) struct Cell {
    pub(super) other: usize,
    /// None if they have not played, or are the same.
    pub(super) points: Option<u32>,
    /// 0 to 6: how much of what there was.
    pub(super) heat: u32,
    pub(super) is_same: bool,
}

impl CrossTable {
    /// The table of a run with this number of rounds. `own` is the number of the visitor's bot.
    pub(super) fn new(results: &Results, ranking: &[Ranked], rounds: u32, own: Option<usize>, base: String) -> Self {
        let cross = Cross::new(results.players.len(), &results.games.finished);
        let most = 6 * rounds;
        let players: Vec<usize> = ranking.iter().map(|ranked| ranked.standing.player).collect();
        let cell = |player: usize, other: usize| {
            let tally = cross.cell(player, other);
            let is_played = tally.games() > 0;
            let points = 3 * tally.wins + tally.draws;
            Cell {
                other,
                points: is_played.then_some(points),
                heat: (6 * points + most / 2) / most.max(1),
                is_same: player == other,
            }
        };
        let rows = ranking.iter().map(|ranked| {
            let player = ranked.standing.player;
            CrossRow {
                rank: ranked.rank,
                player,
                name: results.players[player].name.clone(),
                is_own: own == Some(player),
                cells: players.iter().map(|&other| cell(player, other)).collect(),
            }
        });
        Self { base, most, rows: rows.collect() }
    }
}
