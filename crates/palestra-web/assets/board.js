// <palestra-board>: draws any game from its layout and scenes, and turns clicks and keys into moves. It knows no rules.
//
//   board.layout = {size, cells}; board.scene = {pieces, counters, controls, choices, last};
//   board.playable = true; board.addEventListener("choose", (event) => send(event.detail));
//
// The looks are those of board.css, by class: the kind of a cell or piece, and owner-0 or owner-1. The attribute
// data-texts holds the texts of labels, data-layout and data-scene may hold addresses where a layout and a scene are.

import { shapeOf, svg } from "./pieces.js";

const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
const GHOST_MARGIN = 0.1;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;

/** Where a cell is and how much room it has. */
function place(polygon) {
  const xs = polygon.map(([x]) => x);
  const ys = polygon.map(([, y]) => y);
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const width = Math.max(...xs) - Math.min(...xs);
  const height = Math.max(...ys) - Math.min(...ys);
  return { x: mean(xs), y: mean(ys), width, height, radius: Math.min(width, height) / 2 };
}

/** The JSON at an address; while the server is away, it is asked again and again. */
async function fetched(address) {
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    const json = await fetch(address)
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    if (json) return json;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

class PalestraBoard extends HTMLElement {
  #texts = {};
  #cells = new Map();
  #scene = { pieces: [], counters: [], controls: [], choices: [], last: [] };
  #clicked = [];
  #playable = false;
  #focused = null;
  #svg = svg("svg", { role: "group" });
  #layers = { cells: svg("g"), marks: svg("g"), pieces: svg("g") };
  #controls = document.createElement("div");
  #counters = document.createElement("ul");

  connectedCallback() {
    if (this.#svg.isConnected) return;
    this.#texts = JSON.parse(this.dataset.texts ?? "{}");
    this.#svg.append(this.#layers.cells, this.#layers.marks, this.#layers.pieces);
    this.#svg.setAttribute("aria-label", this.#texts.board ?? "");
    this.#controls.className = "controls";
    this.#controls.setAttribute("role", "group");
    this.#controls.setAttribute("aria-label", this.#texts.controls ?? "");
    this.#counters.className = "counters";
    this.#counters.setAttribute("aria-label", this.#texts.counters ?? "");
    this.append(this.#svg, this.#controls, this.#counters);
    this.#svg.addEventListener("click", (event) => this.#onClick(event));
    this.#svg.addEventListener("keydown", (event) => this.#onKey(event));
    this.#load("layout");
    this.#load("scene");
  }

  /** Fetches what an attribute names. They may come in any order, also after a scene that a script has set. */
  async #load(part) {
    const address = this.dataset[part];
    if (address) this[part] = await fetched(address);
  }

  /** Where the cells are. */
  set layout(layout) {
    this.#cells.clear();
    this.#layers.cells.replaceChildren();
    const box = { left: 0, top: 0, right: layout.size[0], bottom: layout.size[1] };
    if (layout.cells.some((cell) => cell.ghosts.length > 0)) {
      for (const { polygon, ghosts } of layout.cells) {
        for (const [dx, dy] of ghosts) this.#widen(box, polygon, dx, dy);
      }
    }
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    const margin = GHOST_MARGIN;
    const view = [box.left - margin, box.top - margin, width + 2 * margin, height + 2 * margin];
    this.#svg.setAttribute("viewBox", view.join(" "));
    for (const cell of layout.cells) this.#addCell(cell);
    this.#focus(layout.cells[0]?.id, false);
    this.#draw();
  }

  /** What lies on them, and what may be clicked. */
  set scene(scene) {
    this.#scene = scene;
    this.#clicked = [];
    this.#draw();
  }

  get scene() {
    return this.#scene;
  }

  /** Whether whoever looks may move. */
  set playable(playable) {
    // What is half clicked stays so until something changes.
    if (playable === this.#playable) return;
    this.#playable = playable;
    this.#clicked = [];
    this.#draw();
  }

  /** A label's text. */
  text([key, ...args]) {
    const text = this.#texts[key] ?? [key, ...args].join(" ");
    const put = text.replace(/\{(\d)(?::(\w+))?\}/g, (_, index, group) => {
      const arg = args[index - 1] ?? "";
      return group ? (this.#texts[`${group}.${arg}`] ?? arg) : arg;
    });
    return put.charAt(0).toUpperCase() + put.slice(1);
  }

  #widen(box, polygon, dx, dy) {
    for (const [x, y] of polygon) {
      box.left = Math.min(box.left, x + dx);
      box.right = Math.max(box.right, x + dx);
      box.top = Math.min(box.top, y + dy);
      box.bottom = Math.max(box.bottom, y + dy);
    }
  }

  #addCell(cell) {
    const points = cell.polygon.join(" ");
    const outline = (extra) => svg("polygon", { points, class: `outline ${extra}` });
    const element = svg("g", { class: `cell ${cell.kind}`, "data-id": cell.id, role: "button", tabindex: -1 });
    const at = place(cell.polygon);
    element.append(outline(""), svg("circle", { class: "hole", cx: at.x, cy: at.y, r: at.radius * 0.84 }));
    for (const [x, y] of cell.ghosts) {
      const transform = `translate(${x} ${y})`;
      this.#layers.cells.append(
        svg("g", { class: `ghost ${cell.kind}`, "data-id": cell.id, transform, "aria-hidden": true }, outline("")),
      );
    }
    this.#layers.cells.append(element);
    this.#cells.set(cell.id, { ...cell, element, place: at });
  }

  // Drawing

  #draw() {
    if (this.#cells.size === 0) return;
    const next = this.#nextIds();
    this.#drawPieces(next);
    this.#drawControls(next);
    this.#drawCounters();
    const reachable = new Set([...next].map((id) => this.#cellOf(id)));
    const chosen = new Set(this.#clicked.map((id) => this.#cellOf(id)));
    this.#layers.marks.replaceChildren(...this.#marks(reachable, "next"), ...this.#marks(chosen, "chosen"));
    for (const [id, { element }] of this.#cells) {
      element.classList.toggle("next", reachable.has(id));
      element.classList.toggle("chosen", chosen.has(id));
      element.classList.toggle("last", this.#scene.last.includes(id));
      element.setAttribute("aria-disabled", String(!reachable.has(id)));
      element.setAttribute("aria-label", this.#spoken(id));
    }
    this.classList.toggle("playable", this.#playable && this.#scene.choices.length > 0);
  }

  /** Outlines that no neighbour covers. */
  #marks(ids, kind) {
    const cells = [...ids].map((id) => this.#cells.get(id)).filter(Boolean);
    return cells.map(({ polygon }) => svg("polygon", { points: polygon.join(" "), class: `mark ${kind}` }));
  }

  #drawPieces(next) {
    this.#layers.pieces.replaceChildren();
    const lying = Map.groupBy(this.#scene.pieces, (piece) => piece.cell);
    for (const [cell, pieces] of lying) {
      pieces.forEach((piece, index) => this.#drawPiece(piece, this.#cells.get(cell), index, pieces.length, next));
    }
    for (const counter of this.#scene.counters.filter(({ cell }) => cell !== null)) this.#drawCount(counter);
  }

  #drawPiece(piece, cell, index, count, next) {
    if (!cell) return;
    const { x, y, radius } = cell.place;
    const owner = piece.owner === null ? "" : `owner-${piece.owner}`;
    const state = `${next.has(piece.id) ? "next" : ""} ${this.#clicked.includes(piece.id) ? "chosen" : ""}`;
    // Pieces that share a cell stand around its centre.
    const angle = (2 * Math.PI * index) / count + Math.PI;
    const away = count > 1 ? radius * 0.42 : 0;
    const size = radius * (count > 1 ? 0.62 : 1);
    for (const [dx, dy] of [[0, 0], ...cell.ghosts]) {
      const [px, py] = [x + dx + away * Math.cos(angle), y + dy + away * Math.sin(angle)];
      const ghost = dx || dy ? "ghost-piece" : "";
      const element = svg("g", {
        class: `piece ${piece.kind} ${owner} ${state} ${ghost}`,
        "data-id": piece.id,
        "aria-hidden": true,
        transform: `translate(${px} ${py}) scale(${size})`,
      });
      element.append(...shapeOf(piece));
      this.#layers.pieces.append(element);
    }
  }

  /** A number on a cell: so many grains, and the number. */
  #drawCount(counter) {
    const cell = this.#cells.get(counter.cell);
    if (!cell) return;
    const { x, y, width, height } = cell.place;
    const group = svg("g", { class: "count", "data-id": counter.cell, "aria-hidden": true });
    const grain = Math.min(width, height) * 0.075;
    for (let index = 0; index < counter.value; index += 1) {
      // The pattern of a sunflower: any number lies evenly.
      const distance = Math.sqrt((index + 0.5) / Math.max(counter.value, 7)) * 0.31;
      const angle = index * 2.399963;
      const cx = x + distance * width * Math.cos(angle);
      const cy = y + distance * height * Math.sin(angle) - height * 0.06;
      group.append(svg("circle", { class: `grain grain-${index % 5}`, cx, cy, r: grain }));
    }
    const number = { x, y: y + height / 2 - 0.1, "font-size": 0.24, "text-anchor": "middle" };
    group.append(svg("text", number, String(counter.value)));
    this.#layers.pieces.append(group);
  }

  #drawControls(next) {
    const buttons = this.#scene.controls.map((control) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = `control ${control.kind}`;
      button.textContent = this.text(control.label);
      button.disabled = !next.has(control.id);
      button.dataset.id = control.id;
      button.addEventListener("click", () => this.#choose([control.id]));
      return button;
    });
    this.#controls.replaceChildren(...buttons);
  }

  #drawCounters() {
    const items = this.#scene.counters.filter(({ cell }) => cell === null).map((counter) => {
      const item = document.createElement("li");
      if (counter.owner !== null) item.classList.add(`owner-${counter.owner}`);
      item.classList.toggle("zero", counter.value === 0);
      const value = document.createElement("b");
      value.textContent = String(counter.value);
      item.append(`${this.text(counter.label)} `, value);
      return item;
    });
    this.#counters.replaceChildren(...items);
  }

  /** What a screen reader says of a cell. */
  #spoken(id) {
    const cell = this.#cells.get(id);
    const pieces = this.#scene.pieces.filter((piece) => piece.cell === id).map((piece) => this.text(piece.label));
    const counts = this.#scene.counters.filter((counter) => counter.cell === id).map(({ value }) => String(value));
    return [this.text(cell.label), ...pieces, ...counts].join(", ");
  }

  // Clicking

  /** The ids that may be clicked next. */
  #nextIds(clicked = this.#clicked) {
    if (!this.#playable) return new Set();
    const fits = ({ clicks }) => clicked.every((id, index) => clicks[index] === id);
    return new Set(this.#scene.choices.filter(fits).map(({ clicks }) => clicks[clicked.length]));
  }

  #cellOf(id) {
    return this.#scene.pieces.find((piece) => piece.id === id)?.cell ?? id;
  }

  /** A click on a cell means what lies there too, and the other way round. */
  #meant(id) {
    const cell = this.#cellOf(id);
    const pieces = this.#scene.pieces.filter((piece) => piece.cell === cell).map((piece) => piece.id);
    return [...new Set([id, cell, ...pieces])];
  }

  #onClick(event) {
    const id = event.target.closest("[data-id]")?.dataset.id;
    if (!id) return;
    this.#focus(this.#cellOf(id), false);
    this.#choose(this.#meant(id));
  }

  /** Takes the first of these ids that leads on, or else begins anew with one that was not just chosen. */
  #choose(ids) {
    const next = this.#nextIds();
    let id = ids.find((candidate) => next.has(candidate));
    if (id === undefined) {
      const last = this.#clicked.at(-1);
      this.#clicked = [];
      const first = this.#nextIds();
      id = ids.find((candidate) => first.has(candidate) && candidate !== last);
    }
    if (id !== undefined) this.#clicked.push(id);
    const clicked = this.#clicked;
    const isMade = ({ clicks }) => clicks.length === clicked.length && clicks.every((click, i) => click === clicked[i]);
    const choice = clicked.length > 0 && this.#scene.choices.find(isMade);
    if (choice) {
      this.#playable = false;
      this.#clicked = [];
      this.dispatchEvent(new CustomEvent("choose", { detail: choice.text, bubbles: true }));
    }
    this.#draw();
  }

  #onKey(event) {
    const id = event.target.closest(".cell")?.dataset.id;
    if (!id || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      this.#choose(this.#meant(id));
    } else if (event.key === "Escape") {
      this.#clicked = [];
      this.#draw();
    } else if (ARROWS[event.key]) {
      const to = this.#cells.get(id).arrows[ARROWS[event.key]];
      if (to) this.#focus(to, true);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** One cell at a time takes part in the order of the tab key. */
  #focus(id, moves) {
    const cell = this.#cells.get(id);
    if (!cell) return;
    this.#cells.get(this.#focused)?.element.setAttribute("tabindex", "-1");
    cell.element.setAttribute("tabindex", "0");
    this.#focused = id;
    if (moves) cell.element.focus();
  }
}

customElements.define("palestra-board", PalestraBoard);
