//! The palette of the editor: what each tile is called, costs and looks like.

use palestra_games::Game;
use palestra_games::bandera::{Bandera, BanderaOptions, MAX_ENERGY, MIN_COLS, MIN_ROWS, Map, Player, Start, Tile};
use palestra_games::draw::Draw;
use serde::Serialize;

use crate::locale::Locale;

/// A tile that can be painted.
#[derive(Debug, Serialize)]
pub(super) struct Paint {
    /// Its symbol in the rows of a draft.
    symbol: char,
    name: String,
    /// What entering costs, in words.
    cost: String,
    /// The same, as short as can be.
    price: String,
    /// The kind of its cell, for the looks.
    cell: &'static str,
    /// The kind of the piece on it, for the looks.
    piece: Option<&'static str>,
    /// Whether it is placed one by one, not with a broad brush.
    is_item: bool,
}

/// The tiles in the order of the palette: ground first, then what lies on it.
const ORDER: [Tile; Tile::ALL.len()] = [
    Tile::Grass,
    Tile::Water,
    Tile::Mud,
    Tile::Wall,
    Tile::Forest,
    Tile::Pit,
    Tile::Trench,
    Tile::Flag,
    Tile::Boat,
    Tile::Axe,
    Tile::Shovel,
    Tile::Juice,
];

/// The palette in a language.
pub(super) fn palette(locale: Locale) -> Vec<Paint> {
    let (layout, scene) = samples();
    let paint = |(index, tile): (usize, Tile)| {
        let cell = &layout.cells[index];
        let (cost, price) = cost(tile, locale);
        Paint {
            symbol: tile.symbol(),
            name: locale.t(&format!("mapeditor.tile.{}", tile.name())).to_owned(),
            cost,
            price,
            cell: cell.kind,
            piece: scene.pieces.iter().find(|piece| piece.owner.is_none() && piece.cell == cell.id).map(|it| it.kind),
            is_item: is_item(tile),
        }
    };
    ORDER.into_iter().enumerate().map(paint).collect()
}

/// The kinds of the pieces of both teams.
pub(super) fn player_kinds() -> [&'static str; 2] {
    let players: Vec<_> = samples().1.pieces.into_iter().filter(|piece| piece.owner.is_some()).collect();
    [players[0].kind, players[1].kind]
}

/// A board with one cell of each tile, in the order of the palette.
fn samples() -> (palestra_games::draw::Layout, palestra_games::draw::Scene) {
    const { assert!(MIN_ROWS * MIN_COLS == Tile::ALL.len()) };
    let start = Start { cell: 0, energy: 1 };
    let map = Map::new(MIN_ROWS, MIN_COLS, ORDER.to_vec(), vec![start; 2]);
    let position = Bandera::new(&BanderaOptions::from_map(map.expect("the first tile can be entered")));
    (position.layout(), position.scene(None))
}

/// Whether a tile gives something to the player who enters it.
const fn is_item(tile: Tile) -> bool {
    matches!(tile, Tile::Flag | Tile::Boat | Tile::Axe | Tile::Juice | Tile::Shovel)
}

/// What entering costs without tools and with them.
fn cost(tile: Tile, locale: Locale) -> (String, String) {
    let bare = Player { energy: MAX_ENERGY, ..Player::default() };
    let [without, with] = [bare, Player { axe: 1, boat: 1, ..bare }].map(|player| player.cost(tile).to_string());
    if !bare.can_enter(tile) {
        (locale.t("mapeditor.no_entry").to_owned(), "×".to_owned())
    } else if with == without {
        (locale.with("mapeditor.costs", &[("what", &without)]), without)
    } else {
        let words = locale.with("mapeditor.costs_tool", &[("what", &without), ("tool", &with)]);
        (words, format!("{without}/{with}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_palette_says_what_entering_costs_and_how_a_tile_looks() {
        let palette = palette(Locale::English);
        let of = |name: &str| palette.iter().find(|paint| paint.name == name).unwrap();
        assert_eq!((of("water").price.as_str(), of("water").cell, of("water").piece), ("6/3", "water", None));
        assert_eq!(
            (of("forest").price.as_str(), of("forest").cell, of("forest").piece),
            ("8/4", "grass", Some("forest"))
        );
        assert_eq!(of("wall").price, "×");
        assert!(of("flag").is_item && !of("pit").is_item);
        for &locale in Locale::ALL {
            assert!(super::palette(locale).iter().all(|paint| !paint.name.contains('.')), "{locale:?}");
        }
        assert_eq!(player_kinds(), ["player-1", "player-2"]);
    }
}
