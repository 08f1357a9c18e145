//! El Juego de la Bandera: two teams on a hexagonal torus race for flags under limits of energy.
//!
//! Positions of one game share the board as it was at the start; each keeps its players and, two bits a cell, the
//! tiles that have changed. Equality and keys look only at the tiles there are now, so that a position read from its
//! notation equals the one reached by play.
//!
//! ```
//! use palestra_games::bandera::{Action, Bandera, Order};
//! use palestra_games::{Game, Outcome, Side};
//!
//! // Three rows of grass and walls. One player a team, on cells 1 and 4; a flag on cell 9.
//! let mut game: Bandera = "3x4:8.F3#:1,3,0,0,0/4,0,0,0,0:0-0:1".parse().unwrap();
//! assert_eq!(game.turn(), Side::One);
//! game.play(Order::new(1, Action::North).unwrap()); // the board is a torus: north of cell 1 lies cell 9
//! assert_eq!(game.to_string(), "3x4:9.3#:9,2,0,0,0/4,0,0,0,0:1-0:2");
//! assert_eq!(game.outcome(), Some(Outcome::Win(Side::One))); // no flag is left
//! ```

mod board;
mod draw;
mod look;
mod map;
mod notation;
mod options;
mod order;
mod overlay;
mod player;
mod tile;
mod torus;

use std::hash::{Hash, Hasher};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::hash::mix;
use crate::{Game, Outcome, Side};
use board::Board;
use overlay::Overlay;

pub use map::{
    BUNDLED, BUNDLED_WORDS, Bundled, GenerateError, InvalidMap, InvalidMapFile, MAX_ENERGY, MAX_ITEMS, MAX_MAP_TEXT,
    MAX_TEAM, MAX_TITLE, Map, MapFile, MapPlan, MapReport, Measure, Place, ReportRow, Start, Unfair, generate,
};
pub use options::BanderaOptions;
pub use order::{Action, Order};
pub use player::Player;
pub use tile::Tile;
pub use torus::{CellIndex, InvalidSize, MAX_SIZE, MIN_COLS, MIN_ROWS, Torus};

/// Mixed into the key when team 2 moves.
const TURN_KEY: u64 = mix(2);

/// A position of El Juego de la Bandera.
#[derive(Debug)]
pub struct Bandera {
    /// The board as it was at the start.
    board: Arc<Board>,
    /// What has changed since.
    overlay: Overlay,
    /// Team 1's players, then team 2's; the rest is not used.
    players: [Player; 2 * MAX_TEAM],
    team_size: u8,
    turn: Side,
    finished: bool,
    /// Flags captured by each team.
    flags: [u16; 2],
    flags_left: u16,
    /// The key, but for the turn.
    key: u64,
}

impl Bandera {
    /// The position on this board with these players, team 1's first, and flags captured. If the team whose turn it
    /// is cannot act and the other can, it is the other's.
    fn assemble(board: Arc<Board>, players: &[Player], flags: [u16; 2], turn: Side) -> Self {
        let torus = board.torus();
        let mut key = mix((torus.rows() << 16 | torus.cols() << 8 | players.len()) as u64) ^ flags_key(flags);
        for (cell, &tile) in (0..).zip(board.tiles()) {
            key ^= tile_key(cell, tile);
        }
        for (index, player) in players.iter().enumerate() {
            key ^= player.key(index);
        }
        let flags_left = board.tiles().iter().filter(|&&tile| tile == Tile::Flag).count() as u16;
        let overlay = Overlay::new(torus.cells());
        let team_size = (players.len() / 2) as u8;
        let mut all = [Player::default(); 2 * MAX_TEAM];
        all[..players.len()].copy_from_slice(players);
        let mut position =
            Self { board, overlay, players: all, team_size, turn, finished: false, flags, flags_left, key };
        position.hand_over(turn);
        position
    }

    /// The board's shape.
    #[must_use]
    pub fn torus(&self) -> &Torus {
        self.board.torus()
    }

    /// The tile of a cell as it is now.
    #[must_use]
    #[inline]
    pub fn tile(&self, cell: CellIndex) -> Tile {
        self.overlay.get(cell).unwrap_or_else(|| self.board.tile(cell))
    }

    /// The tiles as they are now, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> {
        (0..self.torus().cells()).map(|cell| self.tile(cell as CellIndex))
    }

    /// The players, team 1's first.
    #[must_use]
    pub fn players(&self) -> &[Player] {
        &self.players[..2 * usize::from(self.team_size)]
    }

    /// Players a team.
    #[must_use]
    pub const fn team_size(&self) -> usize {
        self.team_size as usize
    }

    /// The side of a player, numbered from 0.
    #[must_use]
    pub const fn side_of(&self, index: usize) -> Side {
        Side::from_index(index / self.team_size())
    }

    /// The players of a side, numbered from 0.
    #[must_use]
    #[inline]
    pub const fn team(&self, side: Side) -> Range<usize> {
        let start = side.index() * self.team_size();
        start..start + self.team_size()
    }

    /// Flags on the board.
    #[must_use]
    pub const fn flags_left(&self) -> u16 {
        self.flags_left
    }

    /// No game goes on for more moves than this: each costs energy or shovel units.
    #[must_use]
    pub fn max_plies(&self) -> u32 {
        let held = |player: &Player| u32::from(player.energy) + u32::from(player.shovel / player::DIG_UNITS);
        let found = |tile| match tile {
            Tile::Juice => u32::from(player::UNITS),
            Tile::Shovel => u32::from(player::SHOVEL_UNITS / player::DIG_UNITS),
            _ => 0,
        };
        self.players().iter().map(held).sum::<u32>() + self.tiles().map(found).sum::<u32>()
    }

    /// Whether a player, numbered from 0, can enter some cell around it.
    #[must_use]
    #[inline]
    pub fn can_walk(&self, index: usize) -> bool {
        self.ways(&self.players[index]) != 0
    }

    /// The directions that the player can go, a bit each.
    #[inline]
    fn ways(&self, player: &Player) -> u8 {
        let open = self.board.open(player.cell);
        if player.energy >= player::MAX_COST { open } else { self.affordable(player) }
    }

    fn affordable(&self, player: &Player) -> u8 {
        let neighbours = self.torus().neighbours(player.cell);
        neighbours.iter().rev().fold(0, |ways, &cell| ways << 1 | u8::from(player.can_enter(self.tile(cell))))
    }

    /// All that the player can do, a bit for each action.
    #[inline]
    fn actions(&self, player: &Player) -> u8 {
        // Few hold a shovel: the others need not look at what is underfoot.
        let dig = player.shovel >= player::DIG_UNITS && player.can_dig(self.tile(player.cell));
        self.ways(player) | if dig { Action::Dig.bit() } else { 0 }
    }

    #[inline]
    fn can_act(&self, side: Side) -> bool {
        self.players[self.team(side)].iter().any(|player| self.actions(player) != 0)
    }

    /// Gives the turn to `next`, or to the other side if `next` cannot act, or ends the game.
    #[inline]
    fn hand_over(&mut self, next: Side) {
        self.turn = next;
        if self.flags_left == 0 {
            self.finished = true;
        } else if !self.can_act(next) {
            if self.can_act(next.other()) {
                self.turn = next.other();
            } else {
                self.finished = true;
            }
        }
    }

    #[inline]
    fn change_tile(&mut self, cell: CellIndex, before: Tile, after: Tile) {
        self.overlay.set(cell, after);
        self.key ^= tile_key(cell, before) ^ tile_key(cell, after);
        if before == Tile::Flag {
            self.key ^= flags_key(self.flags);
            self.flags[self.turn.index()] += 1;
            self.flags_left -= 1;
            self.key ^= flags_key(self.flags);
        }
    }
}

impl Game for Bandera {
    type Move = Order;
    type Options = BanderaOptions;

    const PASSES: bool = true;

    fn new(options: &BanderaOptions) -> Self {
        let map = options.map();
        let player = |start: &Start| Player { cell: start.cell, energy: start.energy, ..Player::default() };
        let players: Vec<Player> = map.starts().iter().map(player).collect();
        Self::assemble(Arc::clone(map.board()), &players, [0, 0], Side::One)
    }

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn each_move<B>(&self, mut f: impl FnMut(Order) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.finished {
            return ControlFlow::Continue(());
        }
        for index in self.team(self.turn) {
            let mut actions = self.actions(&self.players[index]);
            while actions != 0 {
                f(Order::to_index(index, Action::ALL[actions.trailing_zeros() as usize]))?;
                actions &= actions - 1;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn play(&mut self, mv: Order) {
        let index = mv.index();
        let mut player = self.players[index];
        self.key ^= player.key(index);
        let (before, after);
        if let Some(direction) = mv.action().direction() {
            player.cell = self.torus().neighbours(player.cell)[direction];
            before = self.tile(player.cell);
            after = player.enter(before);
        } else {
            before = self.tile(player.cell);
            after = player.dig(before);
        }
        self.key ^= player.key(index);
        self.players[index] = player;
        if after != before {
            self.change_tile(player.cell, before, after);
        }
        self.hand_over(self.turn.other());
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.finished.then(|| Outcome::by_points(self.points()))
    }

    #[inline]
    fn points(&self) -> [i32; 2] {
        self.flags.map(i32::from)
    }

    fn most_points(&self) -> i32 {
        self.flags.into_iter().chain([self.flags_left]).map(i32::from).sum()
    }

    #[inline]
    fn key(&self) -> u64 {
        match self.turn {
            Side::One => self.key,
            Side::Two => self.key ^ TURN_KEY,
        }
    }

    #[inline]
    fn is_legal(&self, mv: Order) -> bool {
        let own = self.team(self.turn).contains(&mv.index());
        own && !self.finished && self.actions(&self.players[mv.index()]) & mv.action().bit() != 0
    }
}

/// By hand for the sake of `clone_from`, which search and perft live on: it leaves the count of the shared board alone
/// and allocates nothing when both positions are of one game.
impl Clone for Bandera {
    fn clone(&self) -> Self {
        Self { board: Arc::clone(&self.board), overlay: self.overlay.clone(), ..*self }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        let Self { board, overlay, players, team_size, turn, finished, flags, flags_left, key } = other;
        if !Arc::ptr_eq(&self.board, board) {
            self.board = Arc::clone(board);
        }
        self.overlay.clone_from(overlay);
        self.players = *players;
        self.team_size = *team_size;
        self.turn = *turn;
        self.finished = *finished;
        self.flags = *flags;
        self.flags_left = *flags_left;
        self.key = *key;
    }
}

impl PartialEq for Bandera {
    fn eq(&self, other: &Self) -> bool {
        // Whether the game is finished, and the flags left, follow from these. The key comes first because it is
        // quick.
        self.key() == other.key()
            && self.turn == other.turn
            && self.flags == other.flags
            && self.players() == other.players()
            && (self.torus().rows(), self.torus().cols()) == (other.torus().rows(), other.torus().cols())
            && self.tiles().eq(other.tiles())
    }
}

impl Eq for Bandera {}

impl Hash for Bandera {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

/// Grass, the most common, has the key 0.
#[inline]
fn tile_key(cell: CellIndex, tile: Tile) -> u64 {
    if tile == Tile::Grass { 0 } else { mix(1 << 40 | u64::from(cell) << 8 | u64::from(tile.number())) }
}

#[inline]
fn flags_key(flags: [u16; 2]) -> u64 {
    mix(1 << 41 | u64::from(flags[0]) << 16 | u64::from(flags[1]))
}
