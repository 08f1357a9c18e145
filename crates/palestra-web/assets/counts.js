// Numbers on cells, as grains that can be counted. They are kept by id.

/** @import { Counter, Grain, Place, Point } from "./drawing" */
/** @typedef {import("./geometry.js").Geometry} Geometry */

import { Keyed, put, svg, words } from "./dom.js";
import { round } from "./geometry.js";
import { ownerClass } from "./pieces.js";

/** More grains than these are only a number. */
const MAX_GRAINS = 60;
const TONES = 4;
const GOLDEN = 2.399963;
const UP = -Math.PI / 2;

/** @param {Place} place */
const isLong = ({ width, height }) => height > 1.5 * width || width > 1.5 * height;

/** @param {number} count @param {number} radius @returns {Point[]} */
function ring(count, radius, turn = UP) {
  const angle = (/** @type {number} */ index) => (2 * Math.PI * index) / count + turn;
  return Array.from({ length: count }, (_, index) => [radius * Math.cos(angle(index)), radius * Math.sin(angle(index))]);
}

/** Rows of a long store. @param {number} count @returns {Point[]} */
function rows(count) {
  const inRow = count > 28 ? 5 : 4;
  const [across, lines] = [count > 28 ? 14.5 : 16.8, Math.ceil(count / inRow)];
  const down = Math.min(17.5, 112 / lines);
  return Array.from({ length: count }, (_, index) => {
    const line = Math.floor(index / inRow);
    const here = line === lines - 1 ? count - inRow * line : inRow;
    return [((index % inRow) - (here - 1) / 2) * across, (line - (lines - 1) / 2) * down - 16];
  });
}

/** Where grains lie around the middle of a cell: rings while they can be counted, then as in a sunflower. @param {number} count @param {Place} place @returns {Point[]} */
function grains(count, place) {
  if (isLong(place)) return rows(count);
  if (count <= 1) return ring(count, 0);
  if (count <= 5) return ring(count, [0, 0, 11.5, 13.5, 15.5, 18][count], count === 4 ? UP / 2 : UP);
  if (count <= 8) return [[0, 0], ...ring(count - 1, count === 8 ? 22 : 20)];
  if (count <= 12) return [...ring(3, 10), ...ring(count - 3, 26.5)];
  const far = (/** @type {number} */ index) => Math.sqrt((index + 0.5) / count) * 31;
  return Array.from({ length: count }, (_, i) => [far(i) * Math.cos(i * GOLDEN), far(i) * Math.sin(i * GOLDEN)]);
}

/** @param {number} tone */
function grain(tone) {
  return svg(
    "g",
    { class: `grain grain-${tone + 1}`, transform: "" },
    svg("ellipse", { class: "cast", cx: 1, cy: 2.8, rx: 8.4, ry: 7.6 }),
    svg("circle", { r: 8 }),
    svg("ellipse", { class: "shine", cx: -2.6, cy: -3, rx: 2.3, ry: 1.6 }),
  );
}

/** The same grains have the same tones wherever they are drawn. @param {string} id @param {number} index */
const toneOf = (id, index) => ([...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) + index * 7 + (index >> 2)) % TONES;

/** Where the number of a cell stands. @param {Place} place @param {Geometry} geometry */
function numberAt(place, geometry) {
  if (isLong(place)) return { y: place.bottom - 30, "font-size": 30 };
  if (!geometry.isRound) return { y: place.bottom - 16, "font-size": 20 };
  const isAbove = place.y < geometry.middle.y;
  return { y: isAbove ? place.top - 16 : place.bottom + 16, "font-size": 22 };
}

export class Counts {
  #kept;
  /** @type {Map<string, Grain[]>} */
  #places = new Map();

  /** @param {Element} layer */
  constructor(layer) {
    this.#kept = new Keyed(layer);
  }

  /** Where the grains of a counter lie. @param {string} id */
  places(id) {
    return this.#places.get(id) ?? [];
  }

  /** The elements of its grains. @param {string} id */
  grains(id) {
    return [...(this.#kept.get(id)?.querySelectorAll(".grain") ?? [])];
  }

  /** @param {Counter[]} counters @param {Geometry} geometry */
  draw(counters, geometry) {
    const shown = counters.flatMap((counter) => {
      const cell = geometry.cells.get(counter.cell ?? "");
      return cell ? [{ ...counter, place: cell.place }] : [];
    });
    const make = () => svg("g", { class: "" });
    this.#kept.sync(shown, ({ id }) => id, make, (element, counter) => this.#update(element, counter, geometry));
  }

  clear() {
    this.#kept.clear();
    this.#places.clear();
  }

  /** @param {Element} element @param {Counter & { place: Place }} counter @param {Geometry} geometry */
  #update(element, { id, place, owner, value }, geometry) {
    if (this.#places.has(id) && element.lastElementChild?.textContent === String(value)) return;
    const isSmall = !geometry.isRound && !isLong(place);
    const scale = isSmall ? 0.7 : 1;
    const lying = grains(Math.max(0, Math.min(value, MAX_GRAINS)), place);
    const places = lying.map(([x, y]) => ({ x: place.x + x * scale, y: place.y + y * scale - (isSmall ? 9 : 0), scale }));
    this.#places.set(id, places);
    put(element, "class", words("count", ownerClass(owner), value === 0 && "zero"));
    const here = [...element.querySelectorAll(".grain")];
    here.slice(places.length).forEach((extra) => extra.remove());
    const number = element.querySelector("text") ?? element.appendChild(svg("text", { class: "number" }));
    places.forEach(({ x, y }, index) => {
      const one = here[index] ?? element.insertBefore(grain(toneOf(id, index)), number);
      put(one, "transform", `translate(${round(x)} ${round(y)}) scale(${scale})`);
    });
    const text = numberAt(place, geometry);
    put(number, "class", isLong(place) ? "number deep" : "number");
    put(number, "x", round(place.x));
    put(number, "y", round(text.y));
    put(number, "font-size", text["font-size"]);
    number.textContent = String(value);
  }
}
