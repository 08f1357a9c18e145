// Marks on cells and pieces: what may be clicked, what is chosen, the last move, the line that decided, the focus.

/** @import { Cell, Id, Spot } from "./drawing" */
/** @typedef {import("./geometry.js").Geometry} Geometry */
/** @typedef {import("./pieces.js").Pieces} Pieces */
/** @typedef {{ id: Id, kind: string, key: string }} Mark */

import { Keyed, put, svg } from "./dom.js";
import { round } from "./geometry.js";

export class Marks {
  #under;
  #over;
  #focus;
  #lines;
  /** @type {Element[]} */
  #covered = [];

  /** @param {Record<string, Element>} layers */
  constructor(layers) {
    this.#under = new Keyed(layers.marks);
    this.#over = new Keyed(layers.rings);
    this.#focus = new Keyed(layers.focus);
    this.#lines = new Keyed(layers.lines);
  }

  /**
   * @param {{ next: Set<Id>, chosen: Set<Id>, last: Id[], line: Id[] }} ids cells and pieces
   * @param {Geometry} geometry
   * @param {Pieces} pieces
   */
  draw({ next, chosen, last, line }, geometry, pieces) {
    /** @param {Iterable<Id>} ids @param {string} kind @returns {Mark[]} */
    const mark = (ids, kind) => [...ids].map((id) => ({ id, kind, key: `${kind} ${id}` }));
    const isPlaced = (/** @type {Mark} */ { id }) => geometry.cells.has(id) || pieces.place(id);
    const make = (/** @type {Mark} */ item) => this.#mark(item, geometry, pieces);
    const place = (/** @type {Element} */ element, /** @type {Mark} */ { id }) => placeRing(element, pieces.place(id));
    const keyOf = (/** @type {Mark} */ { key, id }) => `${key} ${pieces.place(id)?.cell ?? ""}`;
    this.#under.sync(mark(next, "next").filter(isPlaced), keyOf, make, place);
    const over = [...mark(last, "last"), ...mark(line, "win"), ...mark(chosen, "chosen")];
    this.#over.sync(over.filter(isPlaced), keyOf, make, place);
    this.#drawLine(line.map((id) => geometry.at(id)).filter((at) => at !== undefined));
  }

  /** A ring stands in for the marks of these cells. @param {Set<Id>} ids */
  cover(ids) {
    for (const mark of this.#covered) mark.classList.remove("covered");
    this.#covered = [...ids].flatMap((id) => this.#under.get(`next ${id} `) ?? []);
    for (const mark of this.#covered) mark.classList.add("covered");
  }

  /** The cell that has the focus of the keyboard. @param {Cell | null} cell @param {Geometry | null} geometry */
  focus(cell, geometry) {
    const shown = cell && geometry ? [{ cell, geometry }] : [];
    const outlines = (/** @type {typeof shown[0]} */ one) => ["halo", "line"].map((kind) => outline(one.cell, kind, one.geometry));
    this.#focus.sync(shown, (one) => one.cell.id, (one) => svg("g", {}, ...outlines(one)));
  }

  clear() {
    for (const kept of [this.#under, this.#over, this.#focus, this.#lines]) kept.clear();
  }

  /** @param {Mark} mark @param {Geometry} geometry @param {Pieces} pieces */
  #mark({ id, kind }, geometry, pieces) {
    const cell = geometry.cells.get(id) ?? filledBy(pieces.place(id), geometry);
    if (cell) return outline(cell, `mark ${kind}`, geometry);
    return placeRing(svg("circle", { class: `mark on-piece ${kind}` }), pieces.place(id));
  }

  /** @param {{ x: number, y: number }[]} places */
  #drawLine(places) {
    const d = `M${places.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}`;
    this.#lines.sync(places.length > 1 ? [d] : [], () => d, () => svg("path", { class: "line", d }));
  }
}

/** The square that a piece fills alone: a mark of it has room there. @param {Spot | undefined} spot @param {Geometry} geometry */
function filledBy(spot, geometry) {
  const cell = spot && geometry.cells.get(spot.cell);
  return cell && cell.polygon.length === 4 && spot.size > 0.75 * cell.place.radius ? cell : null;
}

/** @param {Cell} cell @param {string} kind @param {Geometry} geometry */
function outline(cell, kind, geometry) {
  const [name, attributes] = geometry.mark(cell);
  return svg(name, { class: kind, ...attributes });
}

/** @template {Element} E @param {E} element @param {Spot | undefined} at */
function placeRing(element, at) {
  if (!at || element.tagName !== "circle") return element;
  put(element, "cx", round(at.x));
  put(element, "cy", round(at.y));
  put(element, "r", round(at.size * 1.02));
  return element;
}
