// The part of the drawing that is seen. Boards whose cells would be too small can be zoomed and moved.

/** @import { At, Box } from "./drawing" */

import { put } from "./dom.js";

/** Cells smaller than this many pixels ask for a closer look; closer than the other nobody needs. */
const SMALL = 30;
const NEAR = 44;
const LARGE = 96;
const STEP = 1.5;

/** Boards of fewer cells than these are always seen as a whole. */
const FEW = 240;

export class View {
  #svg;
  #changed;
  /** @type {Box} */
  #whole = { x: 0, y: 0, width: 1, height: 1 };
  #cell = 50;
  #isMap = false;

  /** The part that is seen now, in units of the drawing. @type {Box} */
  now = this.#whole;

  /** @param {SVGSVGElement} svg @param {() => void} changed called whenever another part is seen */
  constructor(svg, changed) {
    this.#svg = svg;
    this.#changed = changed;
  }

  /** Shows a whole board: its box, the width of a cell, the number of cells. @param {Box} whole @param {number} cell @param {number} count */
  set(whole, cell, count) {
    this.#whole = whole;
    this.#cell = cell;
    this.#isMap = count > FEW;
    this.#show(whole, false);
  }

  /** Pixels a unit. */
  get scale() {
    const { width, height } = this.#svg.getBoundingClientRect();
    return Math.min(width / this.now.width, height / this.now.height) || 1;
  }

  /** Whether a closer look helps, or is taken. */
  get canZoom() {
    return this.#isMap && (this.isZoomed || this.#cell * this.scale < SMALL);
  }

  get isZoomed() {
    return this.now.width < this.#whole.width - 1;
  }

  /** Closer (above 1) or further away (below 1), around a point of the drawing. @param {number} factor */
  zoom(factor, x = this.now.x + this.now.width / 2, y = this.now.y + this.now.height / 2) {
    const { now } = this;
    const closest = (now.width * this.#cell * this.scale) / LARGE;
    const width = Math.min(this.#whole.width, Math.max(now.width / factor, Math.min(closest, now.width)));
    const part = width / now.width;
    this.#show({ x: x - (x - now.x) * part, y: y - (y - now.y) * part, width, height: now.height * part });
  }

  closer() {
    this.zoom(STEP);
  }

  further() {
    this.zoom(1 / STEP);
  }

  whole() {
    this.#show(this.#whole);
  }

  /** Comes so near to a place that cells can be told apart. @param {At} place */
  approach({ x, y }) {
    const width = (this.now.width * this.#cell * this.scale) / NEAR;
    const height = (this.now.height * width) / this.now.width;
    this.#show({ x: x - width / 2, y: y - height / 2, width, height });
  }

  /** Moves by a number of pixels. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    const { scale, now } = this;
    this.#show({ ...now, x: now.x - dx / scale, y: now.y - dy / scale });
  }

  /** Moves as little as needed for a place to be well in view. @param {At} place */
  follow({ x, y }) {
    if (!this.isZoomed) return;
    const { now } = this;
    const room = Math.min(now.width, now.height) * 0.18;
    /** @param {number} place @param {number} from @param {number} length */
    const into = (place, from, length) => Math.max(0, place - (from + length - room)) || Math.min(0, place - (from + room));
    const [dx, dy] = [into(x, now.x, now.width), into(y, now.y, now.height)];
    if (dx || dy) this.#show({ ...now, x: now.x + dx, y: now.y + dy });
  }

  /** The place of the drawing below a point of the window. @param {number} clientX @param {number} clientY @returns {At} */
  at(clientX, clientY) {
    const matrix = this.#svg.getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return { x, y };
  }

  /** @param {Box} box */
  #show({ x, y, width, height }, isNews = true) {
    const whole = this.#whole;
    /** @param {number} value @param {number} from @param {number} length @param {number} part */
    const within = (value, from, length, part) => Math.min(Math.max(value, from), from + length - part);
    const now = { x: within(x, whole.x, whole.width, width), y: within(y, whole.y, whole.height, height), width, height };
    this.now = now;
    put(this.#svg, "viewBox", [now.x, now.y, now.width, now.height].map((value) => Math.round(value * 10) / 10).join(" "));
    if (isNews) this.#changed();
  }
}
