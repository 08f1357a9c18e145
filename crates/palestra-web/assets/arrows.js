// Arrows of moves, from where a move begins to where it leads. What goes nowhere, such as a stone that is dropped, gets a ring.

/** @import { Arrow, Choice, Id } from "./drawing" */
/** @typedef {import("./geometry.js").Geometry} Geometry */
/** @typedef {import("./pieces.js").Pieces} Pieces */
/** @typedef {{ x: number, y: number }} At */
/** @typedef {{ from: At, to: At, radius: number, kind: string, key: string }} Placed */

import { Keyed, svg } from "./dom.js";
import { round } from "./geometry.js";

/** How far an arrow bends to the side, as a part of its length: two that go forth and back stay apart. */
const BEND = 0.18;

/** The length and half the width of a tip. */
const TIP = 34;
const TIP_WIDTH = 20;

export class Arrows {
  #kept;

  /** @param {Element} layer */
  constructor(layer) {
    this.#kept = new Keyed(layer);
  }

  clear() {
    this.#kept.clear();
  }

  /** @param {Arrow[]} arrows @param {Choice[]} choices @param {Geometry} geometry @param {Pieces} pieces */
  draw(arrows, choices, geometry, pieces) {
    const placed = arrows.flatMap(({ move, kind }) => {
      const choice = choices.find(({ text }) => text === move);
      return choice ? (place(choice, kind, geometry, pieces) ?? []) : [];
    });
    this.#kept.sync(placed, ({ key }) => key, (arrow) => drawn(arrow));
  }
}

/** Where a move begins and where it leads. Buttons have no place on the board. @param {Choice} choice @param {string} kind @param {Geometry} geometry @param {Pieces} pieces @returns {Placed | null} */
function place({ clicks, preview }, kind, geometry, pieces) {
  const cellOf = (/** @type {Id} */ id) => (geometry.cells.has(id) ? id : pieces.place(id)?.cell);
  const end = preview?.to ?? clicks.map(cellOf).findLast((id) => id !== undefined);
  const [first, last] = preview?.way ?? [end, end];
  const [from, to] = [geometry.cells.get(first ?? ""), geometry.cells.get(last ?? "")];
  if (!from || !to) return null;
  // Around the edge of a torus the way is shorter: the arrow points out of the board.
  const [dx, dy] = geometry.wrap(from.place, to) ?? [0, 0];
  const at = { x: to.place.x + dx, y: to.place.y + dy };
  return { from: from.place, to: at, radius: to.place.radius, kind, key: `${kind} ${first} ${last}` };
}

/** @param {Placed} arrow */
function drawn({ from, to, radius, kind }) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length < 1) return svg("g", { class: `arrow ${kind}` }, ring(to, radius, "halo"), ring(to, radius, "shaft"));
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  // The arc bends to the left of its way.
  const middle = { x: (from.x + to.x) / 2 + uy * length * BEND, y: (from.y + to.y) / 2 - ux * length * BEND };
  const [dx, dy] = [to.x - middle.x, to.y - middle.y];
  const size = Math.hypot(dx, dy);
  const [vx, vy] = [dx / size, dy / size];
  const neck = { x: to.x - vx * TIP, y: to.y - vy * TIP };
  const d = `M${at(from)}Q${at(middle)} ${at(neck)}`;
  const wing = (/** @type {number} */ side) => at({ x: neck.x - side * vy * TIP_WIDTH, y: neck.y + side * vx * TIP_WIDTH });
  const tip = svg("path", { class: "tip", d: `M${at(to)}L${wing(1)}L${wing(-1)}Z` });
  return svg("g", { class: `arrow ${kind}` }, svg("path", { class: "halo", d }), svg("path", { class: "shaft", d }), tip);
}

/** A move that stays in its cell. @param {At} place @param {number} radius @param {string} name */
function ring({ x, y }, radius, name) {
  const r = round(radius * 0.8);
  return svg("path", { class: name, d: `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0` });
}

/** @param {At} place */
const at = ({ x, y }) => `${round(x)} ${round(y)}`;
