// Buttons below the board: the controls of the scene, and the dock, where what is too small for a finger is offered once more.
// The dock is made from the choices alone, in steps: first what is clicked first, then what may follow.

/** @import { Control, Id, Label, Look, Scene } from "./drawing" */
/** @typedef {(label: Label) => string} TextOf */
/**
 * What the dock draws from; `sizeOf` has pixels, and nothing for what is not on the board.
 * @typedef {{ scene: Scene, picking: Picking, isPlayable: boolean, look: Look | null, textOf: TextOf,
 *   sizeOf: (id: Id) => number | undefined, labelOf: (id: Id) => Label }} State
 */

import { Picking } from "./choices.js";
import { pictureOf } from "./counters.js";
import { html, Keyed, put, words } from "./dom.js";

/** What a finger needs, in pixels. */
const FINGER = 44;

/** Where fingers are likely. */
const TOUCH = "(pointer: coarse), (max-width: 700px)";

/** More buttons than these would not be easier than the board. */
const MOST = 16;

export class Controls {
  #kept;
  #choose;

  /** @param {Element} element @param {(id: Id) => void} choose */
  constructor(element, choose) {
    this.#kept = new Keyed(element);
    this.#choose = choose;
  }

  /** @param {Scene} scene @param {Picking} picking @param {boolean} isPlayable @param {TextOf} textOf */
  draw({ controls, choices }, picking, isPlayable, textOf) {
    const any = isPlayable ? picking.any() : new Set();
    const make = (/** @type {Control} */ { id }) => {
      const button = html("button", { type: "button", "data-id": id });
      button.addEventListener("click", () => this.#choose(id));
      return button;
    };
    /** @param {HTMLButtonElement} button @param {Control} control */
    const update = (button, { id, kind, label }) => {
      const isChosen = picking.picked.includes(id);
      const isForced = isPlayable && choices.length > 0 && choices.every(({ clicks }) => clicks.includes(id));
      put(button, "class", words("button control", `kind-${kind}`, isForced && "forced", isChosen && "chosen"));
      put(button, "aria-pressed", isChosen);
      button.disabled = !any.has(id) && !isChosen;
      const text = textOf(label);
      if (button.textContent !== text) button.textContent = text;
    };
    this.#kept.sync(controls, ({ id }) => id, make, update);
  }
}

export class Dock {
  #element;
  #rows;
  #choose;

  /** @param {HTMLElement} element @param {(id: Id) => void} choose */
  constructor(element, choose) {
    this.#element = element;
    this.#rows = new Keyed(element);
    this.#choose = choose;
  }

  /** @param {State} state */
  draw(state) {
    const rows = state.isPlayable ? this.#steps(state) : [];
    this.#element.hidden = rows.length === 0;
    const make = () => html("div", { class: "step", role: "group" });
    const update = (/** @type {Element} */ row, /** @type {{ ids: Id[] }} */ { ids }) => this.#drawRow(row, ids, state);
    this.#rows.sync(rows, ({ step, ids }) => `${step} ${ids.join()}`, make, update);
  }

  /** The ids of each step; none if fingers can do without. @param {State} state */
  #steps({ scene, picking, sizeOf }) {
    if (!matchMedia(TOUCH).matches) return [];
    const first = [...new Picking(scene.choices, []).next()].filter((id) => sizeOf(id) !== undefined);
    if (first.length === 0 || first.length > MOST || first.every((id) => (sizeOf(id) ?? 0) >= FINGER)) return [];
    const next = picking.picked.length > 0 ? [...picking.next()].filter((id) => sizeOf(id) !== undefined) : [];
    return [first, next].map((ids, step) => ({ ids, step })).filter(({ ids }) => ids.length > 0 && ids.length <= MOST);
  }

  /** @param {Element} row @param {Id[]} ids @param {State} state */
  #drawRow(row, ids, state) {
    if (!row.hasChildNodes()) row.append(...ids.map((id) => this.#button(id, state)));
    const { picked } = state.picking;
    for (const button of row.children) put(button, "aria-pressed", picked.includes(button.getAttribute("data-id") ?? ""));
  }

  /** @param {Id} id @param {State} state */
  #button(id, { scene, picking, look, textOf, labelOf }) {
    const piece = scene.pieces.find((one) => one.id === id);
    const fitting = picking.fitting.filter(({ clicks }) => clicks.includes(id));
    const text = fitting.length === 1 ? fitting[0].text : textOf(labelOf(id));
    const button = html("button", { type: "button", "data-id": id, "aria-label": textOf(labelOf(id)) });
    button.append(piece ? pictureOf(piece, look) : text);
    button.addEventListener("click", () => this.#choose(id));
    return button;
  }
}
