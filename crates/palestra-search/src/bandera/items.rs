//! What lies on the map and is worth a detour.

use arrayvec::ArrayVec;
use palestra_games::Side;
use palestra_games::bandera::{Bandera, CellIndex, Player, Tile};

use super::ground::{Ground, NO_WAY, cells_with, keep_nearest};
use super::races::Weights;
use crate::Score;

/// The most items that attract anybody: those nearest to a player when the guide is made.
const MAX_ITEMS: usize = 16;

/// An item attracts players that are nearer than this, in hops.
const ATTRACTION: Score = 8;

/// The energy that a juice gives.
const JUICE: Score = 20;

/// The items on the map and the hops to each.
#[derive(Clone, Debug)]
pub(super) struct Items {
    cells: ArrayVec<(CellIndex, Tile), MAX_ITEMS>,
    /// By cell, then by item.
    hops: Box<[u16]>,
}

impl Items {
    pub(super) fn new(position: &Bandera, ground: &Ground, from_players: &[u16]) -> Self {
        let mut cells = cells_with(position, |tile| matches!(tile, Tile::Boat | Tile::Axe | Tile::Juice));
        keep_nearest(&mut cells, from_players, MAX_ITEMS);
        let mut hops = vec![NO_WAY; ground.cells() * cells.len()];
        for (number, &item) in cells.iter().enumerate() {
            let places = hops[number..].iter_mut().step_by(cells.len());
            places.zip(ground.hops([item])).for_each(|(place, hops)| *place = hops);
        }
        Self { cells: cells.into_iter().map(|cell| (cell, position.tile(cell))).collect(), hops: hops.into() }
    }

    /// What the items are worth to team 1, which is near to them, less what they are worth to team 2.
    pub(super) fn balance(&self, position: &Bandera, weights: &Weights) -> Score {
        let mut balance = 0;
        for (number, &(cell, item)) in self.cells.iter().enumerate() {
            if position.tile(cell) != item {
                continue;
            }
            let worth = match item {
                Tile::Boat => weights.boat,
                Tile::Axe => weights.axe,
                _ => weights.energy * JUICE,
            };
            let [one, two] = Side::BOTH.map(|side| self.nearness(position, side, number, item));
            balance += worth * weights.attraction * (one - two);
        }
        balance / (100 * ATTRACTION)
    }

    /// How near the nearest player is that can use the item.
    fn nearness(&self, position: &Bandera, side: Side, number: usize, item: Tile) -> Score {
        let distance = |player: &Player| {
            let hops = self.hops[usize::from(player.cell) * self.cells.len() + number];
            let has_one = item == Tile::Boat && player.boat > 0 || item == Tile::Axe && player.axe > 0;
            if has_one || player.energy < hops { NO_WAY } else { hops }
        };
        let nearest = position.players()[position.team(side)].iter().map(distance).min();
        (ATTRACTION - Score::from(nearest.unwrap_or(NO_WAY))).max(0)
    }
}
