// Pieces, kept by id: their shapes from the look of the game, their places on the cells, the bars below them.

/** @import { Cell, Counter, Id, Look, Part, Piece, Point, Spot } from "./drawing" */
/** @typedef {import("./geometry.js").Geometry} Geometry */

import { Keyed, put, svg, words } from "./dom.js";
import { round } from "./geometry.js";

/** @param {number} r */
const circle = (r, y = 0) => `M${-r} ${y}A${r} ${r} 0 1 1 ${r} ${y}A${r} ${r} 0 1 1 ${-r} ${y}Z`;

/** For all kinds without a shape: a pawn with the last character of its symbol. @type {Part[]} */
const PAWN = [
  { path: circle(0.86, 0.07), fill: "shade", stroke: null, width: 0 },
  { path: circle(0.82), fill: "owner", stroke: "owner-deep", width: 0.08 },
  { path: circle(0.58), fill: "paper", stroke: "owner-light", width: 0.06 },
  { symbol: "last", size: 0.8, fill: "ink" },
];

/** The part of a cell that a piece fills which is alone there. */
export const ALONE = 0.9;
const LARGEST = 1.16;

/** @param {Part} part @param {Pick<Piece, "symbol">} piece */
function partOf(part, { symbol }) {
  if ("symbol" in part) {
    const text = part.symbol === "last" ? [...symbol].at(-1) : symbol;
    return svg("text", { class: `fill-${part.fill}`, y: 0.03, "font-size": part.size }, text ?? "");
  }
  const { path, fill, stroke, width } = part;
  const painted = { class: words(fill && `fill-${fill}`, stroke && `stroke-${stroke}`), d: path };
  return svg("path", { ...painted, ...(fill ? {} : { fill: "none" }), ...(stroke ? { "stroke-width": width } : {}) });
}

/** The elements of a piece's shape, in a square from -1 to 1. @param {Pick<Piece, "kind" | "symbol">} piece @param {Look | null} look */
export function shapeOf(piece, look) {
  return (look?.shapes?.[piece.kind] ?? PAWN).map((part) => partOf(part, piece));
}

/** The class of everything that belongs to a side. @param {0 | 1 | null | undefined} owner */
export const ownerClass = (owner) => (owner === null || owner === undefined ? "" : `owner-${owner}`);

/**
 * Where a number of pieces of a cell stand around its middle, and how large they are.
 * @param {Cell} cell @param {number} count @param {Geometry} geometry
 * @returns {{ size: number, places: Point[] }}
 */
function spots(cell, count, geometry) {
  const { radius } = cell.place;
  const size = Math.min(radius, LARGEST * geometry.radius) * ALONE;
  if (cell.polygon.length === 3) return { size: geometry.radius * 0.62, places: rowAcross(cell, count, geometry) };
  if (count === 1) return { size, places: [[0, 0]] };
  if (count === 2) return { size: radius * 0.62, places: [[-radius * 0.5, 0], [radius * 0.5, 0]] };
  const angle = (/** @type {number} */ index) => (2 * Math.PI * index) / count + Math.PI;
  /** @param {unknown} _ @param {number} index @returns {Point} */
  const place = (_, index) => [radius * 0.5 * Math.cos(angle(index)), radius * 0.5 * Math.sin(angle(index))];
  return { size: radius * (count > 4 ? 0.4 : 0.5), places: Array.from({ length: count }, place) };
}

/** In a triangle pieces stand in a row along its outer side. @param {Cell} cell @param {number} count @param {Geometry} geometry @returns {Point[]} */
function rowAcross({ place }, count, { middle, radius }) {
  const [dx, dy] = [place.x - middle.x, place.y - middle.y];
  const isBelow = Math.abs(dy) > Math.abs(dx);
  const away = 0.18;
  return Array.from({ length: count }, (_, index) => {
    const aside = (index - (count - 1) / 2) * radius * 1.2;
    return [dx * away + (isBelow ? aside : 0), dy * away + (isBelow ? 0 : aside)];
  });
}

/** Where the pieces of a scene are. @param {Piece[]} pieces @param {Geometry} geometry */
function placed(pieces, geometry) {
  /** @type {Map<Id, Spot>} */
  const all = new Map();
  for (const [id, sharing] of Map.groupBy(pieces, ({ cell }) => cell)) {
    const cell = geometry.cells.get(id);
    if (!cell) continue;
    const { size, places } = spots(cell, sharing.length, geometry);
    sharing.forEach((piece, index) => {
      const [x, y] = [cell.place.x + places[index][0], cell.place.y + places[index][1]];
      all.set(piece.id, { x, y, size, cell: id, ghosts: cell.ghosts });
    });
  }
  return all;
}

/** @param {number} x @param {number} y @param {number} size */
const transform = (x, y, size) => `translate(${round(x)} ${round(y)}) scale(${round(size)})`;

export class Pieces {
  #kept;
  /** @type {Map<Id, Spot>} */
  #places = new Map();
  #shapes = new WeakMap();
  #links;

  /** @param {Element} layer @param {Element} links the layer below it */
  constructor(layer, links) {
    this.#kept = new Keyed(layer);
    this.#links = new Keyed(links);
  }

  /** Where a piece is drawn. @param {Id} id */
  place(id) {
    return this.#places.get(id);
  }

  /** All elements of a piece: itself, then its ghosts. @param {Id} id */
  elements(id) {
    const ghosts = this.#places.get(id)?.ghosts ?? [];
    return [id, ...ghosts.map((_, index) => `${id} ${index}`)].map((key) => this.#kept.get(key)).filter((element) => element !== undefined);
  }

  /** A piece has another id from now on. @param {Id} from @param {Id} to */
  rename(from, to) {
    this.#kept.rename(from, to);
    this.#kept.get(to)?.setAttribute("data-id", to);
  }

  /**
   * Draws pieces; `states` has the classes of some, `isSeen` says which places are worth drawing.
   * @param {Piece[]} pieces
   * @param {{ counters: Counter[], geometry: Geometry, look: Look | null, states: Map<Id, string>,
   *   isSeen: (x: number, y: number, piece: Piece) => boolean }} how
   */
  draw(pieces, { counters, geometry, look, states, isSeen }) {
    this.#places = placed(pieces, geometry);
    const bars = new Map(counters.filter(({ piece, max }) => piece && max).map((counter) => [counter.piece, counter]));
    /** @type {{ piece: Piece, isGhost: boolean, key: string, transform: string, bar: Counter | undefined }[]} */
    const drawn = [];
    for (const piece of pieces) {
      const at = this.#places.get(piece.id);
      if (!at) continue;
      const copies = [[0, 0], ...at.ghosts];
      copies.forEach(([dx, dy], index) => {
        const copy = { piece, isGhost: index > 0, key: index > 0 ? `${piece.id} ${index - 1}` : piece.id };
        if (!isSeen(at.x + dx, at.y + dy, piece)) return;
        drawn.push({ ...copy, transform: transform(at.x + dx, at.y + dy, at.size), bar: bars.get(piece.id) });
      });
    }
    const make = (/** @type {typeof drawn[0]} */ { piece }) => svg("g", { class: "", "data-id": piece.id, transform: "" });
    /** @param {Element} element @param {typeof drawn[0]} copy */
    const update = (element, { piece, isGhost, transform: at, bar }) => {
      this.#shape(element, piece, look);
      const state = words(states.get(piece.id), isGhost && "ghost-piece");
      put(element, "class", words("piece", piece.kind, ownerClass(piece.owner), state));
      put(element, "transform", at);
      if (!isGhost) drawBar(element, bar);
    };
    this.#kept.sync(drawn, ({ key }) => key, make, update);
    this.#drawLinks(pieces, look);
  }

  /** Two pieces of a kind on one cell are joined by a bar, in the colour of their edge. @param {Piece[]} pieces @param {Look | null} look */
  #drawLinks(pieces, look) {
    const pairs = [...Map.groupBy(pieces, ({ cell, kind }) => `${cell} ${kind}`)].filter(([, pair]) => pair.length === 2);
    const shown = pairs.flatMap(([key, [one, other]]) => {
      const edge = edgeOf(look?.shapes?.[one.kind] ?? PAWN);
      const ends = [this.#places.get(one.id), this.#places.get(other.id)].filter((end) => end !== undefined);
      return edge && ends.length === 2 ? [{ key, edge, owner: one.owner, ends }] : [];
    });
    /** @param {typeof shown[0]} link */
    const make = ({ edge, owner }) => svg("path", { class: words("link", `stroke-${edge}`, ownerClass(owner)), d: "" });
    /** @param {Element} element @param {typeof shown[0]} link */
    const update = (element, { ends }) => put(element, "d", `M${ends.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}`);
    this.#links.sync(shown, ({ key }) => key, make, update);
  }

  clear() {
    this.#kept.clear();
    this.#links.clear();
  }

  /** A piece may become another kind under the same id. @param {Element} element @param {Piece} piece @param {Look | null} look */
  #shape(element, piece, look) {
    const shape = `${piece.kind} ${piece.symbol}`;
    if (this.#shapes.get(element) === shape) return;
    this.#shapes.set(element, shape);
    element.replaceChildren(...shapeOf(piece, look));
  }
}

/** The colour of the edge of a shape. @param {Part[]} parts */
function edgeOf(parts) {
  for (const part of parts) if ("path" in part && part.fill && part.stroke) return part.stroke;
  return null;
}

const BAR = 1.2;

/** A bar below a piece, for a counter of it that has a largest value. @param {Element} element @param {Counter | undefined} counter */
function drawBar(element, counter) {
  let bar = element.querySelector(":scope > .bar");
  if (!counter) return bar?.remove();
  if (!bar) {
    bar = svg("g", { class: "bar" });
    bar.append(svg("rect", { x: -0.64, y: 0.76, width: BAR + 0.08, height: 0.22, rx: 0.11, class: "ground" }));
    bar.append(svg("rect", { x: -0.6, y: 0.8, width: 0, height: 0.14, rx: 0.07, class: "value" }));
    element.append(bar);
  }
  const part = Math.max(0, Math.min(1, counter.value / (counter.max ?? 1)));
  const value = bar.lastElementChild;
  if (value) put(value, "width", Math.round(part * BAR * 1000) / 1000);
}
