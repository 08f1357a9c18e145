//! El Juego de la Bandera: two teams on a hexagonal torus race for flags under limits of energy.

mod bundled;
mod fair;
mod generate;
mod map;
mod mapfile;
mod report;
mod sketch;
mod tile;
mod torus;
mod ways;

pub use bundled::{BUNDLED, BUNDLED_WORDS, Bundled};
pub use fair::{Place, Unfair};
pub use generate::{GenerateError, MapPlan, generate};
pub use map::{InvalidMap, MAX_ENERGY, MAX_ITEMS, MAX_TEAM, Map, Start};
pub use mapfile::{InvalidMapFile, MAX_MAP_TEXT, MAX_TITLE, MapFile};
pub use report::{MapReport, ReportRow};
pub use tile::Tile;
pub use torus::{CellIndex, InvalidSize, MAX_SIZE, MIN_COLS, MIN_ROWS, Torus};
