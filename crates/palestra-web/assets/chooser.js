// Which ids are clicked so far, and what a click on a cell, a piece or a lane means.

/** @import { At, Cell, Id, Scene } from "./drawing" */

import { pick, Picking } from "./choices.js";
import { put } from "./dom.js";
import { round } from "./geometry.js";

export class Chooser {
  #stage;
  #changed;
  #made;
  /** @type {Scene} */
  #scene = { pieces: [], counters: [], controls: [], choices: [], last: [], line: [] };
  #isPlayable = false;
  /** @type {Element | null} */
  #carried = null;
  /** @type {Id | null} */
  #hovered = null;
  /** @type {Id[]} */
  picked = [];

  /**
   * @param {import("./stage.js").Stage} stage
   * @param {() => void} changed called when something is clicked
   * @param {(text: string) => void} made called with the move that is chosen
   */
  constructor(stage, changed, made) {
    this.#stage = stage;
    this.#changed = changed;
    this.#made = made;
  }

  /** Begins anew with a scene. @param {Scene} scene @param {boolean} isPlayable */
  set(scene, isPlayable) {
    this.#scene = scene;
    this.#isPlayable = isPlayable;
    this.picked = [];
    this.#carried?.remove();
    this.#carried = null;
    this.hover(this.#hovered);
  }

  get picking() {
    return new Picking(this.#choices, this.picked);
  }

  get #choices() {
    return this.#isPlayable ? this.#scene.choices : [];
  }

  /** The cell of a piece; of a cell itself. @param {Id} id */
  cellOf(id) {
    return this.#scene.pieces.find((piece) => piece.id === id)?.cell ?? id;
  }

  /** A click on a cell means what lies there too, and the other way round; and the one target of its lane. @param {Id} id */
  meant(id) {
    const cell = this.cellOf(id);
    const pieces = this.#scene.pieces.filter((piece) => piece.cell === cell).map((piece) => piece.id);
    const target = this.#target(cell);
    return [...new Set([id, cell, ...pieces, ...(target ? [target.id] : [])])];
  }

  /** The one cell of a lane that leads on. @param {Id} id @returns {Cell | null} */
  #target(id) {
    const { geometry } = this.#stage;
    const lane = geometry?.lanes.get(geometry.cells.get(id)?.lane ?? null) ?? [];
    const next = this.picking.next();
    const targets = lane.filter((cell) => next.has(cell.id));
    return targets.length === 1 ? targets[0] : null;
  }

  /** Takes the first of these ids that leads on. A button that belongs to one choice alone makes it. @param {Id[]} ids */
  choose(ids, isButton = false) {
    const only = isButton ? this.picking.fitting.filter(({ clicks }) => clicks.includes(ids[0])) : [];
    this.picked = only.length === 1 ? only[0].clicks : pick(this.#choices, this.picked, ids);
    const made = this.picking.made();
    if (made) this.make(made.text);
    else this.#changed();
  }

  /** Makes a move. @param {string} text */
  make(text) {
    this.#isPlayable = false;
    this.picked = [];
    this.hover(null);
    this.#made(text);
  }

  /** The move that is written with one digit. @param {string} text */
  digit(text) {
    const choice = this.#choices.find((one) => one.text === text);
    if (choice) this.make(choice.text);
    return Boolean(choice);
  }

  /** Takes back what was clicked. */
  escape() {
    this.picked = [];
    this.#changed();
  }

  /** Shows where a click would lead. @param {Id | null} id */
  hover(id) {
    const { geometry, marks } = this.#stage;
    this.#hovered = id;
    if (!geometry) return;
    const cell = id === null ? undefined : geometry.cells.get(this.cellOf(id));
    const target = cell ? this.#target(cell.id) : null;
    if (target) return marks.preview(geometry.lanes.get(target.lane) ?? [], target, geometry);
    const isNext = cell && this.picked.length > 0 && this.picking.next().has(cell.id);
    marks.preview([], isNext ? cell : null, geometry);
  }

  /** Takes a piece into the hand, if it leads on. @param {Id} id */
  lift(id) {
    const element = this.#stage.pieces.elements(id)[0];
    const picked = pick(this.#choices, [], [id]);
    if (!element || picked.length === 0) return false;
    this.picked = picked;
    this.#changed();
    const carried = /** @type {Element} */ (element.cloneNode(true));
    carried.classList.add("carried");
    this.#stage.layers.effects.append(carried);
    this.#carried = carried;
    this.#stage.layers.pieces.classList.add("carrying");
    return true;
  }

  /** @param {At} place */
  carry({ x, y }) {
    const size = this.#stage.pieces.place(this.picked[0])?.size ?? 0;
    if (this.#carried) put(this.#carried, "transform", `translate(${round(x)} ${round(y)}) scale(${round(size)})`);
  }

  /** Lets the piece go: over a target that is the move, elsewhere the piece stays chosen. @param {Id | null} id */
  drop(id) {
    this.#carried?.remove();
    this.#carried = null;
    this.#stage.layers.pieces.classList.remove("carrying");
    const next = this.picking.next();
    const target = id === null ? undefined : this.meant(id).find((one) => next.has(one));
    if (target !== undefined) this.choose([target]);
    else this.#changed();
  }
}
