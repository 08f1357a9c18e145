//! El Juego de la Bandera: two teams on a hexagonal torus race for flags under limits of energy.

mod map;
mod tile;
mod torus;

pub use map::{InvalidMap, MAX_ENERGY, MAX_ITEMS, MAX_TEAM, Map, Start};
pub use tile::Tile;
pub use torus::{CellIndex, InvalidSize, MAX_SIZE, MIN_COLS, MIN_ROWS, Torus};
