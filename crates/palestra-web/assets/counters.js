// Numbers beside the board: those of pieces as a table with a row for each piece, all others as a list. Kept by id.

/** @import { Counter, Id, Label, Look, Model, Piece } from "./drawing" */
/** @typedef {(label: Label) => string} TextOf */
/** @typedef {{ piece: Piece, held: Counter[] }} Row */

import { html, Keyed, put, svg, words } from "./dom.js";
import { ownerClass, shapeOf } from "./pieces.js";

export class Counters {
  /** The element around list and table; a page may put it elsewhere, with the board's `game`. */
  element = html("div", { class: "numbers" });
  #list = html("ul", { class: "counters" });
  #table = html("table", { class: "holdings", hidden: "" }, html("thead"), html("tbody"));
  #items = new Keyed(this.#list);
  #rows = new Keyed(/** @type {Element} */ (this.#table.lastElementChild));
  #shownHead = "";

  constructor() {
    this.element.append(this.#table, this.#list);
  }

  /** Names the list and the table for screen readers, and the game for style sheets. @param {string} label @param {string} game */
  describe(label, game) {
    put(this.element, "game", game);
    for (const part of [this.#list, this.#table]) put(part, "aria-label", label);
  }

  /** The element with the value of a counter, if there is one. @param {Id} id */
  value(id) {
    return this.element.querySelector(`[data-counter="${CSS.escape(id)}"] b`);
  }

  /** @param {Model} model @param {Look | null} look @param {TextOf} textOf @param {(key: string) => string | undefined} wordOf */
  draw({ counters, pieces }, look, textOf, wordOf) {
    const beside = counters.filter(({ cell }) => cell === null);
    const held = beside.filter(({ piece, kind }) => piece !== null && kind);
    const item = () => html("li", {}, html("span"), " ", html("b"));
    /** @param {Element} element @param {Counter} counter */
    const update = (element, { id, owner, label, value, max }) => {
      put(element, "class", words("counter", ownerClass(owner), value === 0 && "zero"));
      put(element, "data-counter", id);
      write(element.firstElementChild, textOf(label));
      write(element.lastElementChild, wordOf(`${label[0]}.${value}`) ?? (max ? `${value} / ${max}` : String(value)));
    };
    this.#items.sync(beside.filter((counter) => !held.includes(counter)), ({ id }) => id, item, update);
    this.#drawTable(held, pieces, look, textOf);
  }

  /** @param {Counter[]} held @param {Piece[]} pieces @param {Look | null} look @param {TextOf} textOf */
  #drawTable(held, pieces, look, textOf) {
    const kinds = [...new Set(held.map(({ kind }) => kind))];
    this.#table.hidden = kinds.length === 0;
    this.#drawHead(kinds, look, textOf);
    /** @type {Row[]} */
    const rows = [...Map.groupBy(held, ({ piece }) => piece)].flatMap(([id, own]) => {
      const piece = pieces.find((one) => one.id === id);
      return piece ? [{ piece, held: own }] : [];
    });
    const make = (/** @type {Row} */ row) => rowOf(row, look, textOf);
    const update = (/** @type {Element} */ element, /** @type {Row} */ row) => {
      row.held.forEach((counter, index) => drawHeld(element.children[index + 1], counter));
    };
    this.#rows.sync(rows, ({ piece, held: own }) => `${piece.id} ${look ? "" : "plain"} ${own.length}`, make, update);
  }

  /** A column a kind, headed by its shape if it has one. @param {string[]} kinds @param {Look | null} look @param {TextOf} textOf */
  #drawHead(kinds, look, textOf) {
    const shown = `${kinds} ${Boolean(look)}`;
    if (shown === this.#shownHead) return;
    this.#shownHead = shown;
    const heads = kinds.map((kind) => {
      const text = textOf([kind]);
      const shape = look?.shapes[kind] ? pictureOf({ kind, symbol: "", owner: null }, look) : null;
      const name = html("span", shape ? { class: "announced" } : {}, text);
      return html("th", { scope: "col", title: text }, ...(shape ? [shape] : []), name);
    });
    this.#table.firstElementChild?.replaceChildren(html("tr", {}, html("td"), ...heads));
  }
}

/** @param {Row} row @param {Look | null} look @param {TextOf} textOf */
function rowOf({ piece, held }, look, textOf) {
  const name = html("span", { class: "announced" }, textOf(piece.label));
  const cells = held.map(({ id, max }) => html("td", { "data-counter": id }, ...(max ? [gauge()] : []), html("b")));
  return html("tr", { class: ownerClass(piece.owner) }, html("th", { scope: "row" }, pictureOf(piece, look), name), ...cells);
}

/** A number, and a bar if it has a largest value. @param {Element} cell @param {Counter} counter */
function drawHeld(cell, { value, max }) {
  put(cell, "class", words(max !== null && "full", value === 0 && "zero"));
  write(cell.lastElementChild, String(value));
  const bar = cell.querySelector(".value");
  if (bar && max) put(bar, "width", Math.round(Math.max(0, Math.min(1, value / max)) * 1000) / 10);
}

function gauge() {
  const bars = [svg("rect", { class: "ground", width: 100, height: 8 }), svg("rect", { class: "value", width: 0, height: 8 })];
  return svg("svg", { class: "gauge", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": true }, ...bars);
}

/** @param {Element | null} element @param {string} text */
function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** A piece as a picture of its own. @param {Pick<Piece, "kind" | "symbol" | "owner">} piece @param {Look | null} look */
export function pictureOf(piece, look) {
  const shape = svg("g", { class: words("piece", piece.kind, ownerClass(piece.owner)) }, ...shapeOf(piece, look));
  return svg("svg", { class: "shape", viewBox: "-1.1 -1.1 2.2 2.2", "aria-hidden": true }, shape);
}
