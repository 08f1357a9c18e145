// The map on a canvas: the part that is seen, and what is drawn of it. Ground and pieces are kept as a picture, in which a stroke
// changes a few cells; marks lie over it.

/** @import { Paint, Spot } from "./map" */
/** @typedef {import("./map-grid.js").Grid} Grid */
/** @typedef {import("./map-looks.js").MapLooks} MapLooks */

/** Half the height of a hex of radius 1, and the way to the next column. */
const HALF = Math.sqrt(3) / 2;
const COLUMN = 1.5;

/** How far the far edges are shown beyond the border. */
const BEYOND_X = 0.93;
const BEYOND_Y = 0.74;

/** Pixels a unit from which on textures and pieces have details. */
const DETAILED = 9;
const LARGEST = 64;

/** Hexes of a path. */
const CHUNK = 48;

const GHOST = 0.42;
const PIECE = 0.78;

/** @param {number} x @param {number} y @param {Path2D} path */
function hexagon(path, x, y, part = 1) {
  const [wide, half, tall] = [part, part / 2, part * HALF];
  path.moveTo(x - half, y - tall);
  for (const [dx, dy] of [[half, -tall], [wide, 0], [half, tall], [-half, tall], [-wide, 0]]) path.lineTo(x + dx, y + dy);
  path.closePath();
}

/** The middle of a cell. @param {Spot} spot */
const middle = ({ row, column }) => ({ x: 1 + COLUMN * column, y: HALF * (1 + 2 * row + (column & 1)) });

export class MapView {
  #context;
  #ground = document.createElement("canvas");
  #pen;
  /** @type {Map<string, OffscreenCanvas>} */
  #sprites = new Map();
  #asked = 0;
  #isWhole = true;
  /** Pixels a unit, and the unit at the upper left corner. */
  scale = 1;
  #left = 0;
  #top = 0;
  /** What lies over the map. @type {{ cursor: number | null, aimed: number[], opposite: number[], wrong: number[], player: [number, number] | null }} */
  marks = { cursor: null, aimed: [], opposite: [], wrong: [], player: null };

  /**
   * @param {HTMLCanvasElement} canvas @param {MapLooks} looks
   * @param {{ palette: Paint[], players: string[] }} kinds @param {Grid} grid
   */
  constructor(canvas, looks, { palette, players }, grid) {
    this.canvas = canvas;
    this.looks = looks;
    this.palette = palette;
    this.players = players;
    this.grid = grid;
    this.#context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.#pen = /** @type {CanvasRenderingContext2D} */ (this.#ground.getContext("2d"));
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
    if (scale !== this.scale) this.#sprites.clear();
    this.scale = scale;
    this.#left = within(x, width, clientWidth / scale, BEYOND_X);
    this.#top = within(y, height, clientHeight / scale, BEYOND_Y);
    this.#renew();
  }

  #sized() {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(this.canvas.clientWidth * ratio), Math.round(this.canvas.clientHeight * ratio)];
    if (width === 0 || (this.canvas.width === width && this.canvas.height === height)) return;
    for (const canvas of [this.canvas, this.#ground]) Object.assign(canvas, { width, height });
    this.#sprites.clear();
    if (this.#isWhole) this.whole();
    else this.zoom(1);
  }

  #themed() {
    this.looks.forget();
    this.#sprites.clear();
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
    if (near.size > 600) return this.#renew();
    for (const cell of [...near]) for (const next of this.grid.neighbours(cell)) near.add(next);
    this.#drawCells(this.#seen().filter((spot) => near.has(this.grid.cell(spot))));
    this.mark();
  }

  /** Draws the marks anew. */
  mark(marks = {}) {
    Object.assign(this.marks, marks);
    this.#asked ||= requestAnimationFrame(() => {
      this.#asked = 0;
      this.#drawMarks();
    });
  }

  #renew() {
    if (this.#ground.width === 0) return;
    this.#pen.setTransform(1, 0, 0, 1, 0, 0);
    this.#pen.clearRect(0, 0, this.#ground.width, this.#ground.height);
    this.#drawCells(this.#seen());
    this.mark();
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

  /** @param {Spot} spot */
  #isGhost({ row, column }) {
    return row < 0 || column < 0 || row >= this.grid.rows || column >= this.grid.columns;
  }

  /** @param {CanvasRenderingContext2D} pen */
  #place(pen) {
    const scale = this.scale * (this.#ground.width / (this.canvas.clientWidth || 1));
    pen.setTransform(scale, 0, 0, scale, -this.#left * scale, -this.#top * scale);
    return scale;
  }

  /** Draws ground and pieces of places. @param {Spot[]} spots */
  #drawCells(spots) {
    const pen = this.#pen;
    const scale = this.#place(pen);
    for (const [isGhost, some] of Map.groupBy(spots, (spot) => this.#isGhost(spot))) {
      if (isGhost) this.#clear(some);
      pen.globalAlpha = isGhost ? GHOST : 1;
      for (const [kind, same] of Map.groupBy(some, (spot) => this.#paint(spot).cell)) this.#drawGround(kind, same, scale);
      for (const spot of some) {
        const { piece } = this.#paint(spot);
        if (piece) this.#drawSprite(piece, spot, scale);
      }
    }
    pen.globalAlpha = 1;
  }

  /** @param {Spot} spot */
  #paint(spot) {
    return this.palette[this.grid.tiles[this.grid.cell(spot)]];
  }

  /** What shines through is not drawn twice. @param {Spot[]} spots */
  #clear(spots) {
    const path = new Path2D();
    for (const spot of spots) hexagon(path, middle(spot).x, middle(spot).y);
    this.#pen.globalCompositeOperation = "destination-out";
    this.#pen.globalAlpha = 1;
    this.#pen.fill(path);
    this.#pen.globalCompositeOperation = "source-over";
  }

  /** @param {string} kind @param {Spot[]} spots @param {number} scale */
  #drawGround(kind, spots, scale) {
    const pen = this.#pen;
    const ground = this.looks.ground(kind);
    const texture = scale < DETAILED ? null : this.looks.pattern(pen, ground, scale / 100);
    pen.strokeStyle = ground.edge;
    pen.lineWidth = ground.width / 100;
    // One path of all would take its time: every corner is compared with every other.
    for (let from = 0; from < spots.length; from += CHUNK) {
      const path = new Path2D();
      for (const spot of spots.slice(from, from + CHUNK)) hexagon(path, middle(spot).x, middle(spot).y);
      for (const paint of [ground.fill, texture]) {
        if (!paint) continue;
        pen.fillStyle = paint;
        pen.fill(path);
      }
      if (scale >= DETAILED) pen.stroke(path);
    }
  }

  /** @param {string} piece @param {Spot} spot @param {number} scale */
  #drawSprite(piece, spot, scale) {
    const size = Math.max(2, Math.ceil(2 * scale));
    let sprite = this.#sprites.get(piece);
    if (!sprite) {
      sprite = new OffscreenCanvas(size, size);
      const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (sprite.getContext("2d"));
      pen.setTransform(scale * PIECE, 0, 0, scale * PIECE, size / 2, size / 2);
      Object.assign(pen, { lineCap: "round", lineJoin: "round" });
      this.looks.piece(pen, piece, 0);
      this.#sprites.set(piece, sprite);
    }
    const { x, y } = middle(spot);
    const wide = size / scale;
    this.#pen.drawImage(sprite, x - wide / 2, y - wide / 2, wide, wide);
  }

  #drawMarks() {
    const pen = this.#context;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.#ground.width > 0) pen.drawImage(this.#ground, 0, 0);
    this.#place(pen);
    Object.assign(pen, { lineCap: "round", lineJoin: "round" });
    this.#drawBorder(pen);
    this.#drawPlayers(pen);
    const { cursor, aimed, opposite, wrong, player } = this.marks;
    this.#outline(pen, wrong, "var(--bad)", 0.12, [], 0.88);
    this.#outline(pen, opposite, "var(--accent)", 0.06, [0.18, 0.14], 0.9);
    this.#outline(pen, aimed, "var(--accent)", 0.1, [], 0.92);
    const chosen = player && this.grid.teams[player[0]][player[1]];
    if (chosen) this.#outline(pen, [chosen.cell], "var(--mark)", 0.1, [], 0.8);
    if (cursor !== null) {
      this.#outline(pen, [cursor], "var(--surface)", 0.16, [], 0.97);
      this.#outline(pen, [cursor], "var(--ink)", 0.1, [0.25, 0.15], 0.97);
    }
  }

  /** @param {CanvasRenderingContext2D} pen @param {number[]} cells @param {string} colour @param {number} width @param {number[]} dashes @param {number} part */
  #outline(pen, cells, colour, width, dashes, part) {
    if (cells.length === 0) return;
    const path = new Path2D();
    const wanted = new Set(cells);
    for (const spot of this.#seen()) if (wanted.has(this.grid.cell(spot))) hexagon(path, middle(spot).x, middle(spot).y, part);
    // From afar a thin line would not be seen.
    pen.lineWidth = Math.max(width, 1.5 / this.scale);
    pen.strokeStyle = this.looks.colour(colour);
    pen.setLineDash(dashes);
    pen.stroke(path);
    pen.setLineDash([]);
  }

  /** Where the map ends and the other side is seen. @param {CanvasRenderingContext2D} pen */
  #drawBorder(pen) {
    const { rows, columns } = this.grid;
    const path = new Path2D();
    const side = (/** @type {Spot} */ spot, /** @type {[number, number][]} */ ...corners) => {
      const { x, y } = middle(spot);
      corners.forEach(([dx, dy], index) => (index === 0 ? path.moveTo(x + dx, y + dy * HALF) : path.lineTo(x + dx, y + dy * HALF)));
    };
    for (let column = 0; column < columns; column += 1) {
      const [isHigh, isFirst, isLast] = [column % 2 === 0, column === 0, column === columns - 1];
      side({ row: 0, column }, ...(isHigh && !isFirst ? [/** @type {[number, number]} */ ([-1, 0])] : []), [-0.5, -1], [0.5, -1], ...(isHigh && !isLast ? [/** @type {[number, number]} */ ([1, 0])] : []));
      side({ row: rows - 1, column }, ...(!isHigh && !isFirst ? [/** @type {[number, number]} */ ([-1, 0])] : []), [-0.5, 1], [0.5, 1], ...(!isHigh && !isLast ? [/** @type {[number, number]} */ ([1, 0])] : []));
    }
    for (let row = 0; row < rows; row += 1) {
      side({ row, column: 0 }, [-0.5, -1], [-1, 0], [-0.5, 1]);
      side({ row, column: columns - 1 }, [0.5, -1], [1, 0], [0.5, 1]);
    }
    pen.strokeStyle = this.looks.colour("var(--ink)");
    pen.lineWidth = Math.max(0.05, 1 / this.scale);
    pen.setLineDash([0.03, 0.11].map((length) => Math.max(length, 2 / this.scale)));
    pen.globalAlpha = 0.75;
    pen.stroke(path);
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  /** @param {CanvasRenderingContext2D} pen */
  #drawPlayers(pen) {
    const { teams } = this.grid;
    const all = teams.flatMap((team, side) => team.map(({ cell }, index) => ({ cell, side, symbol: String(side * team.length + index + 1) })));
    const byCell = Map.groupBy(all, ({ cell }) => cell);
    for (const spot of this.#seen()) {
      const here = byCell.get(this.grid.cell(spot));
      if (!here) continue;
      pen.globalAlpha = this.#isGhost(spot) ? GHOST : 1;
      here.forEach(({ side, symbol }, index) => {
        const { x, y } = middle(spot);
        const angle = (2 * Math.PI * index) / here.length + Math.PI;
        const [away, size] = here.length === 1 ? [0, PIECE] : [0.43, here.length === 2 ? 0.54 : 0.4];
        pen.save();
        pen.translate(x + away * Math.cos(angle), y + away * Math.sin(angle));
        pen.scale(size, size);
        this.looks.piece(pen, this.players[side], side, symbol);
        pen.restore();
      });
      pen.globalAlpha = 1;
    }
  }
}
