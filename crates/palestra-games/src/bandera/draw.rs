//! The board: flat-topped hexes of radius 1, with the cells of the far edges drawn once more around it.
//!
//! Walls, water and mud never change and are looks of the cells; all else lies on the cells as pieces.

use super::look::{LABELS, LOOK};
use super::{Action, BUNDLED_WORDS, Bandera, CellIndex, Order, Player, Tile, Torus};
use crate::draw::{
    About, Arrows, Cell, Change, Choice, Control, Counter, Draw, Id, Label, Layout, Look, Piece, Point, Scene, Step,
    Wording,
};
use crate::{Game, Side};

/// Half the height of a hex.
const HALF: f32 = 0.866_025_4;

/// From one column to the next.
const COLUMN: f32 = 1.5;

impl Draw for Bandera {
    const ABOUT: About = About {
        id: "bandera",
        name: "El Juego de la Bandera",
        summary: "Two teams race for flags over a hexagonal torus, with little energy and a few tools",
        rules: &[
            "The board is made of hexes and closed in both directions: who leaves at one edge comes in at the other. \
             In a turn one player of the team goes to a neighbouring cell or digs. Players may share a cell.",
            "Entering costs energy: grass and everything that can be taken 1, mud 2, a pit 4, a trench 6, water 6 or 3 \
             with a boat, forest 8 or 4 with an axe, which fells it. Walls cannot be entered. A player without energy \
             is out.",
            "A flag counts for the team that enters its cell. A boat or an axe is good for 20 uses, a juice gives 20 \
             energy, a shovel 10 units. Digging takes 2 units and makes grass a pit, and a pit a trench.",
            "A team that cannot act is passed over. The game ends when no flag is left or nobody can act. More flags \
             win.",
        ],
        options: &BUNDLED_WORDS,
        move_notation: "the player's number and N, NE, SE, S, SW, NW or dig, as in 2:NE",
        position_notation: "ROWSxCOLS:TILES:TEAM1/TEAM2:FLAGS1-FLAGS2:TURN, as in \
                            3x4:8.F3#:1,3,0,0,0/4,5,0,0,0:0-0:1; tiles in runs (.~%#oOFBAJS^), a player is \
                            cell,energy,axe,boat,shovel, players of a team are joined by ;",
        losing_choice: None,
        move_cap: None,
    };

    const LOOK: Look = LOOK;

    const LABELS: &'static [Wording] = LABELS;

    fn layout(&self) -> Layout {
        let torus = self.torus();
        let size = Point { x: 2.0 + COLUMN * (torus.cols() - 1) as f32, y: HALF * (2 * torus.rows() + 1) as f32 };
        Layout {
            size,
            // A column is four characters wide, and half a hex one line high.
            text_scale: Point { x: 4.0 / COLUMN, y: 1.0 / HALF },
            text_width: 3,
            cells: (0..).zip(self.tiles()).map(|(index, tile)| cell(torus, index, tile)).collect(),
            areas: Vec::new(),
            // Moves are named after the points of the compass.
            turns: false,
        }
    }

    fn scene(&self, last: Option<(Side, Order)>) -> Scene {
        let moves = self.moves();
        let can_dig = moves.iter().any(|mv| mv.action() == Action::Dig);
        let dig = Control { id: dig_id(), kind: "button", label: Label::new("dig", []) };
        let things = (0..).zip(self.tiles()).filter_map(|(cell, tile)| thing(cell, tile));
        let players = (0..).zip(self.players()).map(|(index, player)| player_piece(self, index, player));
        Scene {
            pieces: things.chain(players).collect(),
            counters: counters(self),
            controls: can_dig.then_some(dig).into_iter().collect(),
            choices: moves.into_iter().map(|mv| choice(self, mv)).collect(),
            last: last.map_or_else(Vec::new, |(_, mv)| cells_of_last(self, mv)),
            line: Vec::new(),
            end: self
                .finished
                .then(|| Label::new(if self.flags_left == 0 { "no flags left" } else { "nobody can act" }, [])),
        }
    }

    fn steps(&self, mv: Order) -> Vec<Step> {
        let mut after = self.clone();
        after.play(mv);
        let cell = after.players()[mv.index()].cell;
        let mut changes = Vec::new();
        if mv.action() != Action::Dig {
            let piece = player_id(mv.index());
            changes.push(Change::Move { becomes: piece.clone(), piece, to: cell_id(cell) });
        }
        let moved = changes.len();
        let (was, is) = (self.tile(cell), after.tile(cell));
        if was != is {
            changes.extend(thing(cell, was).map(|thing| Change::Remove { piece: thing.id, how: going(was) }));
            changes.extend(thing(cell, is).map(|piece| Change::Add { piece }));
        }
        let changed = counters(self).into_iter().zip(counters(&after)).filter(|(was, is)| was != is);
        changes.extend(changed.map(|(_, is)| Change::Count { counter: is.id, value: is.value }));
        // A player first arrives, then takes what is there.
        let beat = |index| u16::from(index >= moved && moved > 0);
        changes.into_iter().enumerate().map(|(index, change)| Step { beat: beat(index), change }).collect()
    }
}

fn cell_id(cell: CellIndex) -> Id {
    format!("c{}", cell + 1)
}

fn player_id(index: usize) -> Id {
    format!("p{}", index + 1)
}

fn dig_id() -> Id {
    "dig".to_owned()
}

fn cell(torus: &Torus, index: CellIndex, tile: Tile) -> Cell {
    let ground = match tile {
        Tile::Wall | Tile::Water | Tile::Mud => tile,
        _ => Tile::Grass,
    };
    let (row, col) = (usize::from(index) / torus.cols(), usize::from(index) % torus.cols());
    Cell {
        id: cell_id(index),
        kind: ground.name(),
        symbol: ground.symbol(),
        label: Label::new(ground.name(), [&(index + 1)]),
        polygon: hexagon(row, col),
        arrows: arrows(torus, index),
        ghosts: ghosts(torus, row, col),
        tag: Some((index + 1).to_string()),
        ..Cell::default()
    }
}

fn hexagon(row: usize, col: usize) -> Vec<Point> {
    let x = 1.0 + COLUMN * col as f32;
    // In half hexes, whole numbers: neighbours share their corners to the last bit.
    let middle = (1 + 2 * row + col % 2) as f32;
    let (top, middle, bottom) = (HALF * (middle - 1.0), HALF * middle, HALF * (middle + 1.0));
    [(x - 0.5, top), (x + 0.5, top), (x + 1.0, middle), (x + 0.5, bottom), (x - 0.5, bottom), (x - 1.0, middle)]
        .map(|(x, y)| Point { x, y })
        .to_vec()
}

fn arrows(torus: &Torus, cell: CellIndex) -> Arrows {
    let [north, _, _, south, _, _] = *torus.neighbours(cell);
    let (cols, index) = (torus.cols(), usize::from(cell));
    let beside = |step: usize| (index / cols * cols + (index + step) % cols) as CellIndex;
    Arrows {
        up: Some(cell_id(north)),
        down: Some(cell_id(south)),
        left: Some(cell_id(beside(cols - 1))),
        right: Some(cell_id(beside(1))),
    }
}

/// Where a cell of the edge is drawn once more: a whole board away, so that every cell is seen with all its neighbours.
fn ghosts(torus: &Torus, row: usize, col: usize) -> Vec<Point> {
    let across = |place: usize, count: usize, period: f32| match place {
        0 => Some(period),
        _ if place + 1 == count => Some(-period),
        _ => None,
    };
    let x = across(col, torus.cols(), COLUMN * torus.cols() as f32);
    let y = across(row, torus.rows(), HALF * (2 * torus.rows()) as f32);
    let beside = x.map(|x| Point { x, y: 0.0 });
    let above = y.map(|y| Point { x: 0.0, y });
    let corner = x.zip(y).map(|(x, y)| Point { x, y });
    [beside, above, corner].into_iter().flatten().collect()
}

/// What lies on a cell with this tile, if anything does.
fn thing(cell: CellIndex, tile: Tile) -> Option<Piece> {
    if matches!(tile, Tile::Grass | Tile::Water | Tile::Mud | Tile::Wall) {
        return None;
    }
    Some(Piece {
        id: format!("{}-{}", tile.name(), cell_id(cell)),
        owner: None,
        kind: tile.name(),
        symbol: tile.symbol().to_string(),
        cell: cell_id(cell),
        label: Label::new(tile.name(), [&(cell + 1)]),
    })
}

/// How a thing goes away.
fn going(tile: Tile) -> &'static str {
    match tile {
        Tile::Forest => "felled",
        Tile::Pit => "dug",
        _ => "taken",
    }
}

fn player_piece(position: &Bandera, index: usize, player: &Player) -> Piece {
    Piece {
        id: player_id(index),
        owner: Some(position.side_of(index)),
        kind: ["player-1", "player-2"][position.side_of(index).index()],
        symbol: (index + 1).to_string(),
        cell: cell_id(player.cell),
        label: Label::new("player", [&(index + 1)]),
    }
}

/// What the players hold, and the flags of both teams.
fn counters(position: &Bandera) -> Vec<Counter> {
    let flags = Side::BOTH.into_iter().zip(position.points()).map(|(side, flags)| Counter {
        id: format!("flags-{side}"),
        kind: "",
        owner: Some(side),
        cell: None,
        piece: None,
        max: None,
        label: Label::new("flags of", [&side]),
        value: flags,
    });
    let held = position.players().iter().enumerate().flat_map(|(index, player)| {
        let &Player { energy, axe, boat, shovel, .. } = player;
        let held = [
            ("energy", "energy of", energy, Some(full_energy(position.torus()))),
            ("axe", "axe of", axe, None),
            ("boat", "boat of", boat, None),
            ("shovel", "shovel of", shovel, None),
        ];
        held.map(|(name, key, units, max)| Counter {
            id: format!("{name}-{}", player_id(index)),
            kind: name,
            owner: Some(position.side_of(index)),
            cell: None,
            piece: Some(player_id(index)),
            max,
            label: Label::new(key, [&(index + 1)]),
            value: i32::from(units),
        })
    });
    flags.chain(held).collect()
}

/// The energy that fills a bar: what players about have at the start on a map of this size.
fn full_energy(torus: &Torus) -> i32 {
    (torus.cells() / 2) as i32
}

fn choice(position: &Bandera, mv: Order) -> Choice {
    let neighbours = position.torus().neighbours(position.players()[mv.index()].cell);
    let target = mv.action().direction().map_or_else(dig_id, |direction| cell_id(neighbours[direction]));
    Choice::new(mv.to_string(), vec![player_id(mv.index()), target])
}

/// Where the player came from, and where it is.
fn cells_of_last(position: &Bandera, mv: Order) -> Vec<Id> {
    let Some(player) = position.players().get(mv.index()) else { return Vec::new() };
    let neighbours = position.torus().neighbours(player.cell);
    let from = mv.action().direction().map(|direction| neighbours[(direction + 3) % 6]);
    from.into_iter().chain([player.cell]).map(cell_id).collect()
}
