// What changes how a tree is seen: how deep it is shown, how large, which nodes are marked.

/** @import { Search } from "./search.js" */
/** @import { TreeView } from "./treeview.js" */
/** @import { Values } from "./values.js" */

import { make, part } from "./element.js";
import { count } from "./values.js";
import { say } from "./words.js";

/** How far a key moves the view, in pixels. */
const KEY_PAN = 120;
/** The most nodes that are marked. */
const MAX_FOUND = 5000;

const plies = /** @type {HTMLSelectElement} */ (part("plies"));
const form = /** @type {HTMLFormElement} */ (part("find"));
const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("find"));

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Tools {
  /** @type {Search | null} */
  #search = null;
  /** @type {Values | null} */
  #values = null;
  #sought = "";
  /** @type {number[]} */
  #found = [];
  #index = -1;

  /** @param {TreeView} view @param {(node: number) => void} onFound */
  constructor(view, onFound) {
    this.view = view;
    this.onFound = onFound;
    plies.addEventListener("change", () => plies.value && view.openTo(Number(plies.value)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#find();
    });
    field.addEventListener("input", () => field.value === "" && this.#forget());
    document.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("[data-view]") : null;
      if (button instanceof HTMLElement) this.#look(button.dataset.view ?? "");
    });
    view.canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {Search} search @param {Values} values */
  set(search, values) {
    this.#search = search;
    this.#values = values;
    this.#forget();
    const levels = search.deepest[0];
    const options = Array.from({ length: levels }, (_, index) => make("option", { value: String(index + 1) }, String(index + 1)));
    plies.replaceChildren(...options);
    plies.value = String(Math.min(levels, this.view.branches?.levels ?? levels));
  }

  /** @param {string} how */
  #look(how) {
    if (how === "fit") this.view.fit();
    else this.view.zoom(how === "in" ? 1 : -1);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = event.shiftKey ? ARROWS[event.key] : undefined;
    const zoom = { "+": "in", "-": "out", "0": "fit" }[event.key];
    if (!arrow && !zoom) return;
    event.preventDefault();
    if (arrow) this.view.pan(arrow[0] * KEY_PAN, arrow[1] * KEY_PAN);
    else if (zoom) this.#look(zoom);
  }

  /** Marks the nodes with this move or value, and goes to the next of them. */
  #find() {
    const sought = field.value.trim().replace("-", "−");
    if (sought === "") return this.#forget();
    if (sought !== this.#sought) this.#seek(sought);
    if (this.#found.length === 0) {
      part("found").textContent = say("found_none");
      return this.view.mark([], 0);
    }
    this.#index = (this.#index + 1) % this.#found.length;
    this.view.mark(this.#found, this.#index);
    this.onFound(this.#found[this.#index]);
    part("found").textContent = say("found", count(this.#index + 1), count(this.#found.length));
  }

  /** @param {string} sought */
  #seek(sought) {
    const [search, values] = [this.#search, this.#values];
    this.#sought = sought;
    this.#index = -1;
    this.#found = [];
    if (!search || !values) return;
    const moves = new Set(search.tree.texts.flatMap((text, index) => (text.replace("-", "−") === sought ? [index] : [])));
    const spellings = [sought, sought.replace(".", ",")];
    for (let node = 0; node < search.count && this.#found.length < MAX_FOUND; node++) {
      if (moves.has(search.move[node]) || spellings.includes(values.score(search.score[node]))) this.#found.push(node);
    }
  }

  #forget() {
    this.#sought = "";
    this.#found = [];
    this.#index = -1;
    part("found").textContent = "";
    this.view.mark([], 0);
  }
}
