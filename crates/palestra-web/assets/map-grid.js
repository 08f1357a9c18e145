// The map that is being drawn: hexes in columns, closed at all edges, with tiles and players. It knows no rules: what a tile costs
// and what makes a map good is the server's business.

/** @import { Draft, Paint, Spot, Start } from "./map" */

/** @param {number} value @param {number} period */
const wrap = (value, period) => ((value % period) + period) % period;

/** Steps to the six neighbours in columns that stand high, and in the others. */
const STEPS = [
  [[-1, 0], [-1, 1], [0, 1], [1, 0], [0, -1], [-1, -1]],
  [[-1, 0], [0, 1], [1, 1], [1, 0], [1, -1], [0, -1]],
];

export class Grid {
  /**
   * @param {number} rows @param {number} columns
   * @param {Uint8Array} tiles places in the palette, row by row @param {[Start[], Start[]]} teams
   */
  constructor(rows, columns, tiles, teams) {
    this.rows = rows;
    this.columns = columns;
    this.tiles = tiles;
    this.teams = teams;
  }

  /** @param {Draft} draft @param {Paint[]} palette */
  static of({ rows, teams }, palette) {
    const columns = rows[0].length;
    const tiles = Uint8Array.from(rows.join(""), (symbol) => Math.max(0, palette.findIndex((paint) => paint.symbol === symbol)));
    const start = (/** @type {import("./map").Player} */ { row, column, energy }) => ({ cell: (row - 1) * columns + column - 1, energy });
    return new Grid(rows.length, columns, tiles, [teams[0].map(start), teams[1].map(start)]);
  }

  /** @param {Paint[]} palette @returns {Draft} */
  draft(palette) {
    const symbols = Array.from(this.tiles, (tile) => palette[tile].symbol);
    const rows = Array.from({ length: this.rows }, (_, row) => symbols.slice(row * this.columns, (row + 1) * this.columns).join(""));
    const player = (/** @type {Start} */ { cell, energy }) => {
      const { row, column } = this.spot(cell);
      return { row: row + 1, column: column + 1, energy };
    };
    return { rows, teams: [this.teams[0].map(player), this.teams[1].map(player)] };
  }

  copy() {
    const [one, two] = this.teams.map((team) => team.map((start) => ({ ...start })));
    return new Grid(this.rows, this.columns, this.tiles.slice(), [one, two]);
  }

  /** @param {Grid} other */
  equals(other) {
    if (this.rows !== other.rows || this.columns !== other.columns) return false;
    return this.tiles.every((tile, cell) => tile === other.tiles[cell]) && JSON.stringify(this.teams) === JSON.stringify(other.teams);
  }

  get cells() {
    return this.rows * this.columns;
  }

  /** The cell at a place, also at one beyond an edge. @param {Spot} spot */
  cell({ row, column }) {
    return wrap(row, this.rows) * this.columns + wrap(column, this.columns);
  }

  /** Whether a place lies beyond an edge. @param {Spot} spot */
  isBeyond({ row, column }) {
    return row < 0 || column < 0 || row >= this.rows || column >= this.columns;
  }

  /** @param {number} cell @returns {Spot} */
  spot(cell) {
    return { row: Math.floor(cell / this.columns), column: cell % this.columns };
  }

  /** The cell that half a turn of the board puts here. @param {number} cell */
  opposite(cell) {
    return this.cells - 1 - cell;
  }

  /** @param {number} cell */
  neighbours(cell) {
    const { row, column } = this.spot(cell);
    return STEPS[column % 2].map(([down, right]) => this.cell({ row: row + down, column: column + right }));
  }

  /** The cells within a reach, in steps. @param {number} cell @param {number} reach */
  disc(cell, reach) {
    const all = new Set([cell]);
    for (let edge = [cell]; reach > 0; reach -= 1) {
      edge = edge.flatMap((from) => this.neighbours(from)).filter((next) => !all.has(next));
      edge.forEach((next) => all.add(next));
    }
    return [...all];
  }

  /** The cells on the straight way between two places. @param {Spot} from @param {Spot} to */
  line(from, to) {
    const [start, end] = [cube(from), cube(to)];
    const steps = Math.max(...start.map((value, axis) => Math.abs(value - end[axis])));
    const at = (/** @type {number} */ step) => start.map((value, axis) => value + ((end[axis] - value) * step) / Math.max(1, steps));
    return Array.from({ length: steps + 1 }, (_, step) => this.cell(spotOf(rounded(at(step)))));
  }

  /** The cells with the same tile that hang together with this one. @param {number} cell */
  region(cell) {
    const all = new Set([cell]);
    for (const from of all) for (const next of this.neighbours(from)) if (this.tiles[next] === this.tiles[cell]) all.add(next);
    return [...all];
  }

  /** Paints cells, and if wanted those opposite. Answers which have changed. @param {number[]} cells @param {number} tile @param {boolean} isSymmetric */
  paint(cells, tile, isSymmetric) {
    const all = isSymmetric ? cells.flatMap((cell) => [cell, this.opposite(cell)]) : cells;
    const changed = all.filter((cell) => this.tiles[cell] !== tile);
    for (const cell of changed) this.tiles[cell] = tile;
    return changed;
  }

  get isSymmetric() {
    const [one, two] = this.teams;
    const isOpposite = (/** @type {Start} */ { cell, energy }, /** @type {number} */ index) => two[index]?.cell === this.opposite(cell) && two[index].energy === energy;
    return this.tiles.every((tile, cell) => tile === this.tiles[this.opposite(cell)]) && one.length === two.length && one.every(isOpposite);
  }

  /** The lower half mirrors the upper one, and team 2 follows team 1. */
  mirror() {
    for (let cell = 0; cell < this.cells / 2; cell += 1) this.tiles[this.opposite(cell)] = this.tiles[cell];
    this.follow();
  }

  /** Team 2 stands opposite team 1. */
  follow() {
    this.teams[1] = this.teams[0].map(({ cell, energy }) => ({ cell: this.opposite(cell), energy }));
  }

  /** One player more on each side, on a free cell near the first one's. @param {number} energy */
  addPlayers(energy) {
    const [one, two] = this.teams;
    const taken = new Set([...one, ...two].map(({ cell }) => cell));
    const from = one[0]?.cell ?? this.columns + 1;
    const isFree = (/** @type {number} */ cell) => !taken.has(cell) && !taken.has(this.opposite(cell));
    const cell = this.disc(from, 4).find(isFree) ?? from;
    one.push({ cell, energy });
    two.push({ cell: this.opposite(cell), energy });
  }

  removePlayers() {
    this.teams.forEach((team) => team.pop());
  }

  /**
   * The map in another size: what is new is filled with a tile, and a symmetric map stays so.
   * @param {number} rows @param {number} columns @param {number} tile
   */
  resized(rows, columns, tile) {
    const isSymmetric = this.isSymmetric;
    const tiles = Uint8Array.from({ length: rows * columns }, (_, cell) => {
      const spot = { row: Math.floor(cell / columns), column: cell % columns };
      return spot.row < this.rows && spot.column < this.columns ? this.tiles[this.cell(spot)] : tile;
    });
    const moved = (/** @type {Start} */ { cell, energy }) => {
      const { row, column } = this.spot(cell);
      return { cell: Math.min(row, rows - 1) * columns + Math.min(column, columns - 1), energy };
    };
    const grid = new Grid(rows, columns, tiles, [this.teams[0].map(moved), this.teams[1].map(moved)]);
    if (isSymmetric) grid.mirror();
    return grid;
  }
}

/** Hexes as cubes, whose three coordinates sum up to zero. @param {Spot} spot */
function cube({ row, column }) {
  const z = row - (column - (column & 1)) / 2;
  return [column, -column - z, z];
}

/** @param {number[]} cube @returns {Spot} */
function spotOf([x, , z]) {
  return { row: z + (x - (x & 1)) / 2, column: x };
}

/** The cube that holds a point. @param {number[]} point */
function rounded(point) {
  const near = point.map(Math.round);
  const off = near.map((value, axis) => Math.abs(value - point[axis]));
  const worst = off.indexOf(Math.max(...off));
  near[worst] -= near[0] + near[1] + near[2];
  return near.map((value) => value + 0);
}
