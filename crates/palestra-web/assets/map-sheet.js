// The map, the tool in hand, and what each of them does to it. Everything that changes the map goes through here, so that it can be
// undone, is kept as a draft and is measured anew.

/** @import { Paint, Tool } from "./map" */

import { Grid } from "./map-grid.js";
import { History } from "./map-history.js";

export class Sheet extends EventTarget {
  #history = new History();
  /** The map before the stroke under way. @type {Grid | null} */
  #before = null;
  /** @type {Tool} */
  #tool = "brush";
  #paint = 0;
  #width = 1;
  /** Whether what is painted appears at the opposite side too. */
  isSymmetric;
  /** The chosen player: side and number, from 0. @type {[number, number]} */
  player = [0, 0];

  /** @param {Grid} grid @param {Paint[]} palette */
  constructor(grid, palette) {
    super();
    this.grid = grid;
    this.palette = palette;
    this.isSymmetric = grid.isSymmetric;
  }

  /** @param {string} name @param {unknown} [detail] */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  // What is in hand

  get tool() {
    return this.#tool;
  }

  set tool(tool) {
    this.#tool = tool;
    this.#tell("chosen");
  }

  /** The tile to paint with, its place in the palette. */
  get paint() {
    return this.#paint;
  }

  set paint(tile) {
    this.#paint = tile;
    // A visitor who chooses a tile wants to paint.
    if (!this.isPainting) this.#tool = "brush";
    this.#tell("chosen");
  }

  /** The width of the brush: 1, 3 or 5 cells. */
  get width() {
    return this.#width;
  }

  set width(width) {
    this.#width = width;
    this.#tell("chosen");
  }

  get canUndo() {
    return this.#history.canUndo;
  }

  get canRedo() {
    return this.#history.canRedo;
  }

  /** Whether the tool in hand paints tiles. */
  get isPainting() {
    return ["brush", "line", "fill"].includes(this.#tool);
  }

  // Strokes

  /** Every change of the map begins a stroke, unless one is under way. */
  #begin() {
    this.#before ??= this.grid.copy();
  }

  /** A stroke is over: it is one step of what can be undone. */
  end() {
    const before = this.#before;
    this.#before = null;
    if (!before || before.equals(this.grid)) return;
    this.#history.add(before);
    this.#tell("changed");
  }

  /** A stroke that was not meant. */
  cancel() {
    if (!this.#before) return;
    this.grid = this.#before;
    this.#before = null;
    this.#tell("replaced");
  }

  /** The cells that the brush covers on these. Things lie on single cells. @param {number[]} cells */
  reached(cells) {
    const isWide = this.#width > 1 && !this.palette[this.#paint].is_item && ["brush", "line"].includes(this.#tool);
    if (!isWide) return cells;
    return [...new Set(cells.flatMap((cell) => this.grid.disc(cell, (this.#width - 1) / 2)))];
  }

  /** @param {number[]} cells */
  brush(cells) {
    this.#begin();
    this.#painted(this.grid.paint(this.reached(cells), this.#paint, this.isSymmetric));
  }

  /** @param {number} cell */
  fill(cell) {
    this.#begin();
    this.#painted(this.grid.paint(this.grid.region(cell), this.#paint, this.isSymmetric));
  }

  /** @param {number[]} cells */
  #painted(cells) {
    if (cells.length > 0) this.#tell("painted", cells);
  }

  /** Takes the tile of a cell into the hand. @param {number} cell */
  pick(cell) {
    this.paint = this.grid.tiles[cell];
  }

  // Players

  /** Chooses the player on a cell; the chosen one comes to a free cell. @param {number} cell */
  touchPlayer(cell) {
    const [side, number] = this.player;
    const isThere = (/** @type {number} */ other) => this.grid.teams[other].findIndex((start) => start.cell === cell);
    const found = [0, 1].map(isThere);
    if (this.grid.teams[side][number]?.cell !== cell && found.some((index) => index >= 0)) {
      this.player = found[0] >= 0 ? [0, found[0]] : [1, found[1]];
      this.#tell("chosen");
    } else {
      this.movePlayer(cell);
    }
  }

  /** @param {number} cell */
  movePlayer(cell) {
    const [side, number] = this.player;
    const start = this.grid.teams[side][number];
    if (!start) return;
    this.#begin();
    start.cell = cell;
    const other = this.grid.teams[1 - side][number];
    if (this.isSymmetric && other) other.cell = this.grid.opposite(cell);
    this.#tell("painted", []);
  }

  /** @param {number} side @param {number} number @param {number} energy */
  setEnergy(side, number, energy) {
    this.#change((grid) => {
      for (const of of this.isSymmetric ? [0, 1] : [side]) grid.teams[of][number].energy = energy;
    });
  }

  /** @param {number} energy */
  addPlayers(energy) {
    this.#change((grid) => grid.addPlayers(energy));
    this.player = [0, this.grid.teams[0].length - 1];
    this.tool = "players";
  }

  removePlayers() {
    this.#change((grid) => grid.removePlayers());
    this.player = [0, 0];
    this.#tell("chosen");
  }

  // The whole map

  mirror() {
    this.#change((grid) => grid.mirror());
  }

  /** @param {number} rows @param {number} columns */
  resize(rows, columns) {
    this.replace(this.grid.resized(rows, columns, 0));
  }

  /** Puts another map in the place of this one. @param {Grid} grid */
  replace(grid, isSymmetric = this.isSymmetric && grid.isSymmetric) {
    this.end();
    this.#history.add(this.grid);
    this.isSymmetric = isSymmetric;
    this.#show(grid);
    this.#tell("changed");
  }

  undo() {
    this.end();
    return this.#step(this.#history.undo(this.grid));
  }

  redo() {
    this.end();
    return this.#step(this.#history.redo(this.grid));
  }

  /** @param {Grid | undefined} grid */
  #step(grid) {
    if (!grid) return false;
    this.#show(grid);
    this.#tell("changed");
    return true;
  }

  /** @param {Grid} grid */
  #show(grid) {
    this.grid = grid;
    if (!grid.teams[this.player[0]][this.player[1]]) this.player = [0, 0];
    this.#tell("replaced");
    this.#tell("chosen");
  }

  /** @param {(grid: Grid) => void} change */
  #change(change) {
    this.#begin();
    change(this.grid);
    this.#tell("replaced");
    this.end();
  }
}
