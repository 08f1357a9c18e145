// What a click would do, shown before it is made: the lane under the pointer, where pieces would land, what it costs, what would
// be gone.

/** @import { Cell, Choice, Id, Look } from "./drawing" */
/** @typedef {import("./geometry.js").Geometry} Geometry */
/** @typedef {import("./pieces.js").Pieces} Pieces */
/** @typedef {{ key: string, make: () => Element }} Shown */

import { Keyed, svg, words } from "./dom.js";
import { points, round } from "./geometry.js";
import { ALONE, ownerClass, shapeOf } from "./pieces.js";

/** Three strokes across a piece. */
const HATCH = "M-.8 .1L.1-.8M-.62 .62L.62-.62M-.1 .8L.8-.1";

/** Half the height of a disc with a cost. */
const DISC = 20;

export class Previews {
  #under;
  #over;
  #marks;

  /**
   * @param {Record<string, Element>} layers
   * @param {import("./marks.js").Marks} marks whose mark of a cell gives way to a ring
   */
  constructor(layers, marks) {
    this.#under = new Keyed(layers.lanes);
    this.#over = new Keyed(layers.previews);
    this.#marks = marks;
  }

  clear() {
    this.#under.clear();
    this.#over.clear();
  }

  /**
   * @param {{ lane: Cell[], choices: Choice[], next: Set<Id>, pointed: Set<Id> }} what the lane under the pointer, the choices that may
   *   be made next, the ids that may be clicked, and those that are pointed at
   * @param {{ geometry: Geometry, pieces: Pieces, look: Look | null }} how
   */
  draw({ lane, choices, next, pointed }, { geometry, pieces, look }) {
    this.#under.sync(lane, ({ id }) => id, ({ polygon }) => svg("polygon", { class: "lane", points: points(polygon) }));
    /** @type {Shown[]} */
    const shown = [];
    if (lane.length > 0) shown.push({ key: `pointer ${lane[0].lane}`, make: () => pointer(highest(lane)) });
    /** @type {Set<Id>} */
    const ringed = new Set();
    for (const { text, clicks, preview = {} } of choices) {
      // In a lane what is clicked is where it lands.
      const cell = geometry.cells.get(preview.to ?? (lane.length > 0 ? (clicks.at(-1) ?? "") : ""));
      const { adds, cost, gone = [] } = preview;
      // A cell that is clicked next has a mark already; it gives way to the ring where the pointer is.
      if (cell && (pointed.has(cell.id) || !next.has(cell.id)) && !ringed.has(cell.id)) {
        ringed.add(cell.id);
        if (adds) shown.push({ key: `adds ${cell.id} ${adds.kind}`, make: () => ghost(adds, cell, look) });
        shown.push({ key: `landing ${cell.id}`, make: () => ring(cell, geometry) });
      }
      if (cell && cost) shown.push({ key: `cost ${text}`, make: () => disc(cell, cost) });
      // Hatching says what one click takes: it is for what is pointed at, not for all that may be clicked.
      if (pointed.size > 0) shown.push(...gone.map((id) => ({ key: `gone ${id}`, make: () => hatch(pieces.place(id)) })));
    }
    this.#over.sync(shown, ({ key }) => key, ({ make }) => make());
    this.#marks.cover(ringed);
  }
}

/** @param {Cell[]} lane */
const highest = (lane) => lane.reduce((best, cell) => (cell.place.top < best.place.top ? cell : best));

/** @param {Cell} cell */
function pointer({ place: { x, top } }) {
  return svg("path", { class: "pointer", d: `M${x - 10} ${top - 16}H${x + 10}L${x} ${top - 2}Z` });
}

/** @param {Cell} cell @param {Geometry} geometry */
function ring(cell, geometry) {
  const [name, attributes] = geometry.mark(cell);
  return svg(name, { class: "landing", ...attributes });
}

/** A piece that is not there yet. @param {import("./drawing").Piece} piece @param {Cell} cell @param {Look | null} look */
function ghost(piece, { place }, look) {
  const at = `translate(${round(place.x)} ${round(place.y)}) scale(${round(place.radius * ALONE)})`;
  return svg("g", { class: words("piece foreseen", piece.kind, ownerClass(piece.owner)), transform: at }, ...shapeOf(piece, look));
}

/** What a step costs, or brings. @param {Cell} cell @param {number} cost */
function disc({ place }, cost) {
  const [x, y] = [round(place.x + place.radius * 0.5), round(place.y - place.radius * 0.58)];
  const text = cost > 0 ? String(cost) : `+${-cost}`;
  const width = 2 * DISC + Math.max(0, text.length - 1) * 12;
  const ground = svg("rect", { x: -width / 2, y: -DISC, width, height: 2 * DISC, rx: DISC });
  return svg("g", { class: cost > 0 ? "cost" : "cost gain", transform: `translate(${x} ${y})` }, ground, svg("text", {}, text));
}

/** @param {import("./drawing").Spot | undefined} spot */
function hatch(spot) {
  const { x, y, size } = spot ?? { x: 0, y: 0, size: 0 };
  const at = `translate(${round(x)} ${round(y)}) scale(${round(size)})`;
  return svg("g", { class: "gone", transform: at }, svg("path", { class: "halo", d: HATCH }), svg("path", { d: HATCH }));
}
