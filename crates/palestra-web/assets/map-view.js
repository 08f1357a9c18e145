// The part of a map that is seen on a canvas: scale, place, and which cell is where.

/** @import { Paint, Spot } from "./map" */
/** @import { Marks } from "./map-marks.js" */
/** @typedef {import("./map-grid.js").Grid} Grid */
/** @typedef {import("./map-looks.js").MapLooks} MapLooks */

import { MapGround } from "./map-ground.js";
import { COLUMN, HALF, middle } from "./map-hex.js";
import { MapMarks } from "./map-marks.js";

/** How far the far edges are shown beyond the border. */
const BEYOND_X = 0.93;
const BEYOND_Y = 0.74;

/** Pixels a unit, at most. */
const LARGEST = 64;

/** With more cells changed everything is drawn anew. */
const MANY = 600;

export class MapView {
  #pen;
  #ground;
  #over;
  #asked = 0;
  #isWhole = true;
  /** Pixels a unit, and the unit at the upper left corner. */
  scale = 1;
  #left = 0;
  #top = 0;
  /** @type {Marks} */
  marks = { cursor: null, aimed: [], opposite: [], wrong: [], player: null };

  /**
   * @param {HTMLCanvasElement} canvas @param {MapLooks} looks
   * @param {{ palette: Paint[], players: string[] }} kinds @param {Grid} grid
   */
  constructor(canvas, looks, { palette, players }, grid) {
    this.canvas = canvas;
    this.looks = looks;
    this.grid = grid;
    this.#pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.#ground = new MapGround(looks, palette);
    this.#over = new MapMarks(looks, players);
    new ResizeObserver(() => this.#sized()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#themed());
  }

  /** Shows another map, or the same after much has changed. @param {Grid} grid */
  show(grid) {
    const isOther = grid.rows !== this.grid.rows || grid.columns !== this.grid.columns;
    this.grid = grid;
    if (isOther) this.whole();
    else this.#renew();
  }

  // The part that is seen

  get #size() {
    return { width: 2 + COLUMN * (this.grid.columns - 1), height: HALF * (2 * this.grid.rows + 1) };
  }

  /** Width over height of the whole map. */
  get shape() {
    const { width, height } = this.#size;
    return (width + 2 * BEYOND_X) / (height + 2 * BEYOND_Y);
  }

  get isWhole() {
    return this.#isWhole;
  }

  get #fitting() {
    const { width, height } = this.#size;
    const { clientWidth, clientHeight } = this.canvas;
    return Math.min(clientWidth / (width + 2 * BEYOND_X), clientHeight / (height + 2 * BEYOND_Y)) || 1;
  }

  /** Shows the whole map. */
  whole() {
    this.#isWhole = true;
    this.#look(this.#fitting, this.#size.width / 2, this.#size.height / 2);
  }

  /** Comes closer (above 1) or goes further away, around a point of the canvas. @param {number} factor */
  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const scale = Math.min(Math.max(LARGEST, this.#fitting), this.scale * factor);
    if (scale <= this.#fitting) return this.whole();
    this.#isWhole = false;
    const { clientWidth, clientHeight } = this.canvas;
    const [ux, uy] = [this.#left + x / this.scale, this.#top + y / this.scale];
    this.#look(scale, ux + (clientWidth / 2 - x) / scale, uy + (clientHeight / 2 - y) / scale);
  }

  /** Moves by pixels. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    if (this.#isWhole) return;
    const { clientWidth, clientHeight } = this.canvas;
    this.#look(this.scale, this.#left + (clientWidth / 2 - dx) / this.scale, this.#top + (clientHeight / 2 - dy) / this.scale);
  }

  /** Moves so that a cell is well in view. @param {number} cell */
  follow(cell) {
    if (this.#isWhole) return;
    const { x, y } = this.pointOf(cell);
    const { clientWidth, clientHeight } = this.canvas;
    const into = (/** @type {number} */ at, /** @type {number} */ length) => Math.max(0, length * 0.15 - at) || Math.min(0, length * 0.85 - at);
    const [dx, dy] = [into(x, clientWidth), into(y, clientHeight)];
    if (dx || dy) this.pan(dx, dy);
  }

  /** @param {number} scale @param {number} x @param {number} y the unit in the middle */
  #look(scale, x, y) {
    const { clientWidth, clientHeight } = this.canvas;
    const { width, height } = this.#size;
    const within = (/** @type {number} */ at, /** @type {number} */ length, /** @type {number} */ shown, /** @type {number} */ beyond) =>
      shown >= length + 2 * beyond ? (length - shown) / 2 : Math.min(Math.max(at - shown / 2, -beyond), length + beyond - shown);
    this.scale = scale;
    this.#left = within(x, width, clientWidth / scale, BEYOND_X);
    this.#top = within(y, height, clientHeight / scale, BEYOND_Y);
    this.#renew();
  }

  #sized() {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(this.canvas.clientWidth * ratio), Math.round(this.canvas.clientHeight * ratio)];
    if (width === 0 || (this.canvas.width === width && this.canvas.height === height)) return;
    Object.assign(this.canvas, { width, height });
    this.#ground.resize(width, height);
    if (this.#isWhole) this.whole();
    else this.zoom(1);
  }

  #themed() {
    this.looks.forget();
    this.#ground.forget();
    this.#renew();
  }

  /** The place below a point of the window; null beside the map. @param {{ clientX: number, clientY: number }} event @returns {Spot | null} */
  at({ clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [this.#left + (clientX - box.left) / this.scale, this.#top + (clientY - box.top) / this.scale];
    const near = Math.round((x - 1) / COLUMN);
    const spots = [near - 1, near, near + 1].map((column) => ({ column, row: Math.round((y / HALF - 1 - (column & 1)) / 2) }));
    const away = (/** @type {Spot} */ spot) => Math.hypot(middle(spot).x - x, middle(spot).y - y);
    const spot = spots.reduce((best, other) => (away(other) < away(best) ? other : best));
    const { rows, columns } = this.grid;
    const isSeen = spot.row >= -1 && spot.row <= rows && spot.column >= -1 && spot.column <= columns;
    return isSeen && away(spot) <= 1 ? spot : null;
  }

  /** Where the middle of a cell is on the canvas, in pixels. @param {number} cell */
  pointOf(cell) {
    const { x, y } = middle(this.grid.spot(cell));
    return { x: (x - this.#left) * this.scale, y: (y - this.#top) * this.scale };
  }

  // Drawing

  /** Draws some cells anew, and those around them, which they touch. @param {Iterable<number>} cells */
  changed(cells) {
    const near = new Set(cells);
    if (near.size > MANY) return this.#renew();
    for (const cell of [...near]) for (const next of this.grid.neighbours(cell)) near.add(next);
    this.#ground.draw(this.grid, this.#seen().filter((spot) => near.has(this.grid.cell(spot))), this.#place);
    this.mark();
  }

  /** Draws the marks anew. @param {Partial<Marks>} marks */
  mark(marks = {}) {
    Object.assign(this.marks, marks);
    this.#asked ||= requestAnimationFrame(() => {
      this.#asked = 0;
      this.#drawMarks();
    });
  }

  #renew() {
    if (this.canvas.width === 0) return;
    this.#ground.clear();
    this.#ground.draw(this.grid, this.#seen(), this.#place);
    this.mark();
  }

  #drawMarks() {
    const { canvas } = this.#ground;
    if (canvas.width === 0) return;
    this.#pen.setTransform(1, 0, 0, 1, 0, 0);
    this.#pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.#pen.drawImage(canvas, 0, 0);
    this.#pen.setTransform(this.#place);
    this.#over.draw(this.#pen, this.grid, this.#seen(), this.scale, this.marks);
  }

  /** From units to pixels of the canvas. */
  get #place() {
    const scale = this.scale * (this.canvas.width / (this.canvas.clientWidth || 1));
    return new DOMMatrix([scale, 0, 0, scale, -this.#left * scale, -this.#top * scale]);
  }

  /** All places in view, those beyond the edges too. @returns {Spot[]} */
  #seen() {
    const { rows, columns } = this.grid;
    const { clientWidth, clientHeight } = this.canvas;
    const range = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ count) => [Math.max(-1, Math.floor(from)), Math.min(count, Math.ceil(to))];
    const [left, right] = range((this.#left - 2) / COLUMN, (this.#left + clientWidth / this.scale) / COLUMN, columns);
    const [top, bottom] = range(this.#top / HALF / 2 - 1.5, (this.#top + clientHeight / this.scale) / HALF / 2, rows);
    const spots = [];
    for (let row = top; row <= bottom; row += 1) for (let column = left; column <= right; column += 1) spots.push({ row, column });
    return spots;
  }
}
