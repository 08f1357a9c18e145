// What was done to a map, to be undone and done again.

/** @typedef {import("./map-grid.js").Grid} Grid */

/** Steps that can be undone. A step of the largest map takes 16 KiB. */
const MAX_STEPS = 300;

export class History {
  /** @type {Grid[]} */
  #past = [];
  /** @type {Grid[]} */
  #future = [];

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Remembers a map that was changed. @param {Grid} before */
  add(before) {
    this.#past.push(before);
    if (this.#past.length > MAX_STEPS) this.#past.shift();
    this.#future = [];
  }

  /** The map before this one. @param {Grid} now */
  undo(now) {
    const before = this.#past.pop();
    if (before) this.#future.push(now);
    return before;
  }

  /** The map after this one, if it was undone. @param {Grid} now */
  redo(now) {
    const after = this.#future.pop();
    if (after) this.#past.push(now);
    return after;
  }
}
