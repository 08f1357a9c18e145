// What is read aloud: the texts of labels, and what lies on a cell.

/** @import { Id, Label, Model } from "./drawing" */

/** The texts of one board: from label to sentence. */
export class Texts {
  /** @type {Record<string, string>} */
  #texts;

  /** @param {string | undefined} json key to text, where `{1}` is the first argument and `{1:colour}` a word for it */
  constructor(json) {
    this.#texts = JSON.parse(json ?? "{}");
  }

  /** A text of the page, or nothing. @param {string} key */
  plain(key) {
    return this.#texts[key] ?? "";
  }

  /** A label's text. @param {Label} label @returns {string} */
  of([key, ...args]) {
    const text = this.#texts[key] ?? [key, ...args].join(" ");
    const put = text.replace(/\{(\d)(?::(\w+))?\}/g, (_, index, group) => {
      const arg = args[index - 1] ?? "";
      return group ? (this.#texts[`${group}.${arg}`] ?? arg) : arg;
    });
    return put.charAt(0).toUpperCase() + put.slice(1);
  }

  /**
   * What a screen reader says of cells: a function from id to text.
   * @param {Model} model
   * @param {import("./geometry.js").Geometry} geometry
   * @returns {(id: Id) => string}
   */
  cells({ pieces, counters }, geometry) {
    /** @type {Map<Id, string>} */
    const lying = new Map();
    const add = (/** @type {Id} */ cell, /** @type {string} */ text) => lying.set(cell, lying.has(cell) ? `${lying.get(cell)}, ${text}` : text);
    for (const piece of pieces) add(piece.cell, this.of(piece.label));
    for (const { cell, value } of counters) if (cell !== null) add(cell, String(value));
    return (id) => {
      const cell = geometry.cells.get(id);
      const label = cell ? this.of(cell.label) : "";
      return lying.has(id) ? `${label}, ${lying.get(id)}` : label;
    };
  }
}
