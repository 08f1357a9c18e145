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
  #scene = { pieces: [], counters: [], controls: [], choices: [], last: [], line: [], end: null };
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
    return [...new Set([id, cell, ...pieces, ...(target ? [target.id] : []), ...this.#leading(cell)])];
  }

  /** What is to be clicked for what is picked to land on a cell. @param {Id} cell */
  #leading(cell) {
    if (this.picked.length === 0) return [];
    const landing = this.picking.fitting.find(({ preview }) => preview?.to === cell);
    return landing ? landing.clicks.filter((id) => !this.picked.includes(id)) : [];
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
    if (made) return this.make(made.text);
    this.hover(this.#hovered);
    this.#changed();
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
    this.hover(this.#hovered);
    this.#changed();
  }

  /** Shows what a click would do there. @param {Id | null} id */
  hover(id) {
    const { geometry, look, pieces, previews } = this.#stage;
    this.#hovered = id;
    if (!geometry) return;
    const target = id === null ? null : this.#target(this.cellOf(id));
    const lane = target ? (geometry.lanes.get(target.lane) ?? []) : [];
    const pointed = new Set(id === null ? [] : this.meant(id));
    const what = { lane, choices: this.#foreseen(pointed), next: this.picking.next(), pointed };
    previews.draw(what, { geometry, look, pieces });
  }

  /** The choices that are worth a preview: those of what is pointed at, else of what is picked. @param {Set<Id>} pointed */
  #foreseen(pointed) {
    const { fitting } = this.picking;
    const there = fitting.filter(({ clicks, preview }) => [...clicks, preview?.to ?? ""].some((id) => pointed.has(id) && !this.picked.includes(id)));
    if (there.length > 0) return there;
    return this.picked.length > 0 ? fitting : [];
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
