// The ground of a map and what lies on it, as a picture of the part that is seen. A stroke draws a few cells anew.

/** @import { Paint, Spot } from "./map" */
/** @typedef {import("./map-grid.js").Grid} Grid */
/** @typedef {import("./map-looks.js").MapLooks} MapLooks */

import { addHexagon, middle } from "./map-hex.js";

/** Pixels a unit from which on cells have edges and textures. */
const DETAILED = 9;

/** Hexes of a path. One path of all would take its time: every corner is compared with every other. */
const CHUNK = 48;

/** How strongly the far side shows beyond an edge. */
export const GHOST = 0.42;

/** The part of a cell that a piece fills. */
export const PIECE = 0.78;

export class MapGround {
  canvas = document.createElement("canvas");
  #pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
  /** @type {Map<string, OffscreenCanvas>} */
  #sprites = new Map();
  #scale = 0;

  /** @param {MapLooks} looks @param {Paint[]} palette */
  constructor(looks, palette) {
    this.looks = looks;
    this.palette = palette;
  }

  /** Begins anew with as many pixels. @param {number} width @param {number} height */
  resize(width, height) {
    Object.assign(this.canvas, { width, height });
  }

  clear() {
    this.#pen.setTransform(1, 0, 0, 1, 0, 0);
    this.#pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** Pieces are drawn anew: the colours have changed. */
  forget() {
    this.#sprites.clear();
  }

  /** Draws places. @param {Grid} grid @param {Spot[]} spots @param {DOMMatrix} place from units to pixels */
  draw(grid, spots, place) {
    const pen = this.#pen;
    const scale = place.a;
    if (scale !== this.#scale) this.#sprites.clear();
    this.#scale = scale;
    pen.setTransform(place);
    const paintOf = (/** @type {Spot} */ spot) => this.palette[grid.tiles[grid.cell(spot)]];
    for (const [isBeyond, some] of Map.groupBy(spots, (spot) => grid.isBeyond(spot))) {
      if (isBeyond) this.#erase(some);
      pen.globalAlpha = isBeyond ? GHOST : 1;
      for (const [kind, same] of Map.groupBy(some, (spot) => paintOf(spot).cell)) this.#drawKind(kind, same);
      for (const spot of some) {
        const { piece } = paintOf(spot);
        if (piece) this.#drawPiece(piece, spot);
      }
    }
    pen.globalAlpha = 1;
  }

  /** What shines through is not drawn twice. @param {Spot[]} spots */
  #erase(spots) {
    for (let from = 0; from < spots.length; from += CHUNK) {
      const path = new Path2D();
      for (const spot of spots.slice(from, from + CHUNK)) addHexagon(path, spot);
      this.#pen.globalCompositeOperation = "destination-out";
      this.#pen.globalAlpha = 1;
      this.#pen.fill(path);
      this.#pen.globalCompositeOperation = "source-over";
    }
  }

  /** @param {string} kind @param {Spot[]} spots */
  #drawKind(kind, spots) {
    const pen = this.#pen;
    const isDetailed = this.#scale >= DETAILED;
    const ground = this.looks.ground(kind);
    const texture = isDetailed ? this.looks.pattern(pen, ground, this.#scale / 100) : null;
    pen.strokeStyle = ground.edge;
    pen.lineWidth = ground.width / 100;
    for (let from = 0; from < spots.length; from += CHUNK) {
      const path = new Path2D();
      for (const spot of spots.slice(from, from + CHUNK)) addHexagon(path, spot);
      for (const paint of [ground.fill, texture]) {
        if (!paint) continue;
        pen.fillStyle = paint;
        pen.fill(path);
      }
      if (isDetailed) pen.stroke(path);
    }
  }

  /** @param {string} piece @param {Spot} spot */
  #drawPiece(piece, spot) {
    const size = Math.max(2, Math.ceil(2 * this.#scale));
    let sprite = this.#sprites.get(piece);
    if (!sprite) {
      sprite = new OffscreenCanvas(size, size);
      const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (sprite.getContext("2d"));
      pen.setTransform(this.#scale * PIECE, 0, 0, this.#scale * PIECE, size / 2, size / 2);
      Object.assign(pen, { lineCap: "round", lineJoin: "round" });
      this.looks.piece(pen, piece, 0);
      this.#sprites.set(piece, sprite);
    }
    const { x, y } = middle(spot);
    const wide = size / this.#scale;
    this.#pen.drawImage(sprite, x - wide / 2, y - wide / 2, wide, wide);
  }
}
