//! The maps of matches.

use palestra_games::bandera::{BanderaOptions, CellIndex, Map, MapPlan, Start, Tile, generate};

use crate::rng::Rng;

/// The plans of the maps. Teams are small: the fewer moves there are, the further players look ahead.
pub(super) const PLANS: [MapPlan; 2] =
    [MapPlan { rows: 10, cols: 12, team_size: 2 }, MapPlan { rows: 12, cols: 12, team_size: 1 }];

/// Number of flags on a map: odd, so that no game is drawn by flags.
const FLAGS: usize = 25;

/// How much of the energy of a generated map a player has, in percent.
const ENERGY: u16 = 30;

/// A generated map, made harder. With a few flags and energy for all of them, a fair map is drawn by anybody who takes
/// those on his own side, and a map with one flag more is won by whom it lies near to. With many flags and little
/// energy it takes planning to get the most of them, and who plans better wins on either side.
pub(super) fn board(plan: MapPlan, rng: &mut Rng) -> BanderaOptions {
    let map = std::iter::repeat_with(|| generate(rng.next(), plan)).find_map(Result::ok);
    let map = map.expect("the iterator has no end");
    let mut tiles = map.tiles().to_vec();
    add_flags(&mut tiles, map.starts(), rng);
    let starts = map.starts().iter().map(|start| Start { energy: start.energy * ENERGY / 100, ..*start }).collect();
    let map = Map::new(plan.rows, plan.cols, tiles, starts).expect("flags and energies do not make a map invalid");
    BanderaOptions::from_map(map)
}

/// Puts flags on grass, in opposite pairs but for the last.
fn add_flags(tiles: &mut [Tile], starts: &[Start], rng: &mut Rng) {
    let mut flags = tiles.iter().filter(|&&tile| tile == Tile::Flag).count();
    while flags < FLAGS {
        let cell = rng.below(tiles.len());
        let is_free = tiles[cell] == Tile::Grass && starts.iter().all(|start| start.cell != cell as CellIndex);
        if is_free {
            let opposite = tiles.len() - 1 - cell;
            tiles[cell] = Tile::Flag;
            flags += 1;
            if flags < FLAGS {
                tiles[opposite] = Tile::Flag;
                flags += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_come_from_the_seed_and_have_a_winner() {
        for plan in PLANS {
            let board = |seed| board(plan, &mut Rng::new(seed));
            assert_eq!(board(1), board(1));
            assert_ne!(board(1), board(2));
            let flags = board(1).map().tiles().iter().filter(|&&tile| tile == Tile::Flag).count();
            assert_eq!(flags, FLAGS);
            assert_eq!(board(1).to_string().parse(), Ok(board(1)));
        }
    }
}
