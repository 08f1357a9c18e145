// The evaluation of a line move by move, as a curve: who was ahead, where that changed, and where the result was proven.

/** @typedef {import("./variations.js").Node} Node */

import { svg } from "./dom.js";
import { part } from "./element.js";
import { say } from "./words.js";
import { inWords, tick } from "./worth.js";

const HEIGHT = 168;
const MARGIN = { left: 46, right: 12, top: 20, bottom: 24 };

/** The room of a sign of a mistake. */
const SIGN_WIDTH = 16;

/** A disc for side 1, a diamond for side 2. */
const SHAPES = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z", "M0-6.2 6.2 0 0 6.2-6.2 0Z"];

export class Curve {
  #place = part("curve");
  #names;
  /** @type {Node[]} */
  #line = [];
  /** @type {Node | null} */
  #current = null;
  /** @type {Element} */
  #cursor = svg("g");
  #width = 0;
  #most = 1;

  /** @param {string[]} names of both sides @param {(node: Node) => void} onGo called when a position is to be seen */
  constructor(names, onGo) {
    this.#names = names;
    const go = (/** @type {PointerEvent} */ event) => {
      const node = this.#nearest(event);
      if (node) onGo(node);
    };
    this.#place.addEventListener("pointerdown", (event) => {
      this.#place.setPointerCapture(event.pointerId);
      go(event);
    });
    this.#place.addEventListener("pointermove", (event) => {
      if (event.buttons > 0) go(event);
    });
    // The width is told, not asked for: that would make the browser lay out the page while it is being made.
    new ResizeObserver(([{ contentRect }]) => {
      this.#width = Math.round(contentRect.width);
      this.draw(this.#line, this.#current);
    }).observe(this.#place);
  }

  /** @param {Node[]} line @param {Node | null} current */
  draw(line, current) {
    this.#line = line;
    this.#current = current;
    if (this.#width < 50) return;
    this.#most = scale(line);
    const picture = svg("svg", { viewBox: `0 0 ${this.#width} ${HEIGHT}`, width: this.#width, height: HEIGHT, "aria-hidden": true });
    picture.append(...this.#proven(), ...this.#grid(), ...this.#plot(), ...this.#mistakes(), this.#cursor);
    this.#place.replaceChildren(picture);
    if (current) this.mark(current);
  }

  /** Shows where in the line the visitor is. @param {Node} current */
  mark(current) {
    this.#current = current;
    const place = this.#place;
    place.setAttribute("aria-valuemax", String(this.#line.length - 1));
    place.setAttribute("aria-valuenow", String(current.number));
    const words = current.value ? inWords(current.value, this.#names) : "";
    const where = current.number === 0 ? say("begin") : say("move", current.number);
    place.setAttribute("aria-valuetext", words ? `${where}: ${words}` : where);
    const x = this.#x(Math.min(current.number, this.#line.length - 1));
    const line = svg("path", { class: "cursor", d: `M${x} ${MARGIN.top - 10}V${HEIGHT - MARGIN.bottom}` });
    const known = this.#line[current.number] === current && current.value;
    const point = known ? [svg("circle", { class: "point", cx: x, cy: this.#y(current), r: 5 })] : [];
    this.#cursor.replaceChildren(line, ...point);
  }

  /** The position below the pointer. @param {PointerEvent} event */
  #nearest({ clientX }) {
    const inner = this.#width - MARGIN.left - MARGIN.right;
    const share = (clientX - this.#place.getBoundingClientRect().left - MARGIN.left) / inner;
    const index = Math.round(share * (this.#line.length - 1));
    return this.#line[Math.max(0, Math.min(this.#line.length - 1, index))];
  }

  /** @param {number} number */
  #x(number) {
    const inner = this.#width - MARGIN.left - MARGIN.right;
    return Math.round(10 * (MARGIN.left + (inner * number) / Math.max(1, this.#line.length - 1))) / 10;
  }

  /** @param {Node} node */
  #y(node) {
    return this.#height(amountOf(node, this.#most));
  }

  /** @param {number} amount */
  #height(amount) {
    const inner = HEIGHT - MARGIN.top - MARGIN.bottom;
    const share = Math.max(-1, Math.min(1, amount / this.#most));
    return Math.round(10 * (MARGIN.top + (inner * (1 - share)) / 2)) / 10;
  }

  #grid() {
    const bottom = HEIGHT - MARGIN.bottom;
    const rows = [1, 0.5, 0, -0.5, -1].flatMap((share) => {
      const y = this.#height(share * this.#most);
      const d = `M${MARGIN.left} ${y}H${this.#width - MARGIN.right}`;
      return [svg("path", { class: share === 0 ? "zero" : "grid", d }), label(MARGIN.left - 8, y, tick(share * this.#most), "end")];
    });
    const last = this.#line.length - 1;
    const stride = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => (last / step) * 44 < this.#width) ?? 1000;
    const numbers = Array.from({ length: Math.floor(last / stride) + 1 }, (_, index) => index * stride);
    return [...rows, ...numbers.map((number) => label(this.#x(number), bottom + 16, String(number), "middle"))];
  }

  /** The curve, with gaps where nothing is known, and the area between it and zero. */
  #plot() {
    const zero = this.#height(0);
    return runs(this.#line, ({ value }) => value !== null).flatMap((run) => {
      const points = run.map((node) => `${this.#x(node.number)} ${this.#y(node)}`);
      const [first, last] = [this.#x(run[0].number), this.#x(run[run.length - 1].number)];
      const d = `M${points.join("L")}`;
      return [svg("path", { class: "area", d: `${d}L${last} ${zero}L${first} ${zero}Z` }), svg("path", { class: "plot", d })];
    });
  }

  /** The part of the line whose result is proven. */
  #proven() {
    const from = this.#line.findLastIndex(({ value }) => !value?.is_proven) + 1;
    if (from < 1 || from >= this.#line.length - 1) return [];
    const x = this.#x(from);
    const width = this.#width - MARGIN.right - x;
    const ground = svg("rect", { class: "proven", x, y: MARGIN.top - 10, width, height: HEIGHT - MARGIN.bottom - MARGIN.top + 10 });
    return width > 70 ? [ground, label(x + 6, HEIGHT - MARGIN.bottom - 10, say("proven"), "start", "proven-word")] : [ground];
  }

  /** The mistakes by the shapes of their sides; signs where they have room. */
  #mistakes() {
    const last = { above: -SIGN_WIDTH, below: -SIGN_WIDTH };
    return this.#line.flatMap((node) => {
      const { mistake } = node.cost ?? {};
      if (!mistake) return [];
      const [x, y] = [this.#x(node.number), this.#y(node)];
      const shape = svg("path", { class: `side-${node.ply.by}`, d: SHAPES[node.ply.by ?? 0], transform: `translate(${x} ${y})` });
      const isLow = (y < MARGIN.top + 22 || node.ply.by === 0) && y < HEIGHT - MARGIN.bottom - 18;
      const place = isLow ? "below" : "above";
      if (x - last[place] < SIGN_WIDTH) return [shape];
      last[place] = x;
      return [shape, label(x, y + (isLow ? 18 : -14), mistake === "blunder" ? "??" : "?", "middle", mistake)];
    });
  }
}

/** The end of the axis: a round number above all values. @param {Node[]} line */
function scale(line) {
  const amounts = line.flatMap(({ value }) => Math.abs(value?.amount ?? 0));
  const most = Math.max(0.5, ...amounts);
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([1, 2, 4, 5, 8, 10].find((digit) => digit * power >= most) ?? 10);
}

/** The amount at which a position is drawn: a win is at the end of the axis. @param {Node} node @param {number} most */
function amountOf({ value }, most) {
  if (!value) return 0;
  if (value.amount === null && value.winner !== null) return value.winner === 0 ? most : -most;
  return value.amount ?? 0;
}

/** The longest parts of a list of which something holds. @template T @param {T[]} list @param {(item: T) => boolean} holds */
function runs(list, holds) {
  /** @type {T[][]} */
  const runs = [];
  list.forEach((item, index) => {
    if (!holds(item)) return;
    if (index === 0 || !holds(list[index - 1])) runs.push([]);
    runs.at(-1)?.push(item);
  });
  return runs;
}

/** @param {number} x @param {number} y @param {string} text @param {string} anchor @param {string} [kind] */
function label(x, y, text, anchor, kind = "") {
  return svg("text", { x, y, "text-anchor": anchor, class: kind }, text);
}
