// The tools beside the map: what to paint with, how, and the steps that can be undone.

/** @import { Tool } from "./map" */
/** @typedef {import("./map-sheet.js").Sheet} Sheet */
/** @typedef {import("./map-looks.js").MapLooks} MapLooks */

import { make, part } from "./element.js";

/** The side of a picture of a tile. */
const PICTURE = 28;

export class Palette {
  #sheet;
  #looks;
  /** @type {HTMLButtonElement[]} */
  #tiles;

  /** @param {Sheet} sheet @param {MapLooks} looks */
  constructor(sheet, looks) {
    this.#sheet = sheet;
    this.#looks = looks;
    this.#tiles = sheet.palette.map((_, index) => this.#tile(index));
    part("tiles").replaceChildren(...this.#tiles);
    for (const button of this.#buttons("tool")) button.addEventListener("click", () => (sheet.tool = /** @type {Tool} */ (button.dataset.tool)));
    for (const button of this.#buttons("width")) button.addEventListener("click", () => (sheet.width = Number(button.dataset.width)));
    part("undo").addEventListener("click", () => sheet.undo());
    part("redo").addEventListener("click", () => sheet.redo());
    this.#symmetric.addEventListener("change", () => (sheet.isSymmetric = this.#symmetric.checked));
    for (const name of ["chosen", "changed", "replaced"]) sheet.addEventListener(name, () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#drawPictures());
    this.draw();
    this.#drawPictures();
  }

  /** A digit or the symbol of a tile chooses it. @param {string} key */
  choose(key) {
    const digit = "1234567890".indexOf(key);
    const index = key.length === 1 && digit >= 0 ? digit : this.#sheet.palette.findIndex(({ symbol }) => symbol === key);
    if (index < 0) return false;
    this.#sheet.paint = index;
    return true;
  }

  draw() {
    const { tool, isPainting, paint, width, isSymmetric, canUndo, canRedo } = this.#sheet;
    this.#tiles.forEach((button, index) => button.setAttribute("aria-pressed", String(isPainting && index === paint)));
    for (const button of this.#buttons("tool")) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    for (const button of this.#buttons("width")) button.setAttribute("aria-pressed", String(button.dataset.width === String(width)));
    part("undo").toggleAttribute("disabled", !canUndo);
    part("redo").toggleAttribute("disabled", !canRedo);
    this.#symmetric.checked = isSymmetric;
  }

  get #symmetric() {
    return /** @type {HTMLInputElement} */ (part("symmetric"));
  }

  /** @param {"tool" | "width"} kind */
  #buttons(kind) {
    return /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll(`[data-${kind}]`)]);
  }

  /** @param {number} index */
  #tile(index) {
    const { name, cost, price, symbol } = this.#sheet.palette[index];
    const ratio = devicePixelRatio || 1;
    const picture = make("canvas", { width: PICTURE * ratio, height: PICTURE * ratio });
    const key = index < 10 ? `${(index + 1) % 10}, ${symbol}` : symbol;
    const button = make("button", { type: "button", className: "tile-choice", title: `${name}: ${cost} (${key})` }, picture, make("span", {}, name, " ", make("small", {}, price)));
    button.dataset.tile = symbol;
    button.setAttribute("aria-label", `${name} ${price}: ${cost}`);
    button.addEventListener("click", () => (this.#sheet.paint = index));
    return button;
  }

  #drawPictures() {
    this.#sheet.palette.forEach(({ cell, piece }, index) => {
      const canvas = /** @type {HTMLCanvasElement} */ (this.#tiles[index].querySelector("canvas"));
      const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      const scale = canvas.width / 2.1;
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.clearRect(0, 0, canvas.width, canvas.height);
      pen.setTransform(scale, 0, 0, scale, canvas.width / 2, canvas.height / 2);
      const ground = this.#looks.ground(cell);
      const half = Math.sqrt(3) / 2;
      const path = new Path2D(`M-.5 ${-half}H.5L1 0 .5 ${half}H-.5L-1 0Z`);
      pen.fillStyle = ground.fill;
      pen.fill(path);
      pen.fillStyle = this.#looks.pattern(pen, ground, scale / 100) ?? ground.fill;
      pen.fill(path);
      pen.scale(0.8, 0.8);
      Object.assign(pen, { lineCap: "round", lineJoin: "round" });
      if (piece) this.#looks.piece(pen, piece, 0);
    });
  }
}
