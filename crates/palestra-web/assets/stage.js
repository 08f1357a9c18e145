// The drawing of a board, in layers, and what keeps it: each part draws its own and leaves alone what did not change.

/** @import { Counter, Id, Layout, Look, Piece } from "./drawing" */

import { Cells, isIn } from "./cells.js";
import { Counts } from "./counts.js";
import { put, svg, words } from "./dom.js";
import { Geometry } from "./geometry.js";
import { Marks } from "./marks.js";
import { Pieces } from "./pieces.js";
import { Previews } from "./previews.js";
import { View } from "./view.js";

const LAYERS = [
  ...["areas", "ground", "ghosts", "cells", "border", "tags", "lanes", "marks", "lines", "trail"],
  ...["links", "pieces", "counts", "rings", "previews", "arrows", "effects", "focus"],
];

/** From afar only kinds of which there are few are drawn. */
const FEW = 60;

/** Pixels a unit of the drawing, before the page makes it smaller. */
const LARGEST = 3;

export class Stage {
  svg = /** @type {SVGSVGElement} */ (svg("svg"));
  /** @type {Record<string, SVGElement>} */
  layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: name })]));
  cells = new Cells(this.layers);
  pieces = new Pieces(this.layers.pieces, this.layers.links);
  counts = new Counts(this.layers.counts);
  marks = new Marks(this.layers);
  previews = new Previews(this.layers, this.marks);
  /** @type {Geometry | null} */
  geometry = null;
  /** @type {Look | null} */
  look = null;
  isStatic = false;
  #isNear = true;
  #hasApproached = false;
  /** @type {Map<Id, string>} */
  #states = new Map();

  /** @param {() => void} viewed called whenever another part of the drawing is seen */
  constructor(viewed) {
    this.view = new View(this.svg, viewed);
    this.svg.append(...Object.values(this.layers));
  }

  /** Says what it is to screen readers: a picture, or a grid of cells. @param {string} label @param {boolean} isStatic */
  describe(label, isStatic) {
    this.isStatic = isStatic;
    const { cells, ...others } = this.layers;
    Object.values(others).forEach((layer) => put(layer, "aria-hidden", true));
    const described = isStatic ? this.svg : cells;
    put(described, "role", isStatic ? "img" : "grid");
    put(described, "aria-label", label);
  }

  /**
   * Begins the drawing anew: another layout or look, or the board is turned. `part` is what is seen of it: left, top, width, height.
   * @param {Layout} layout @param {Look | null} look @param {boolean} isTurned @param {number[]} [part]
   */
  set(layout, look, isTurned, part) {
    this.look = look;
    this.geometry = new Geometry(layout, isTurned, look?.round ?? false);
    for (const part of [this.pieces, this.counts, this.marks, this.previews]) part.clear();
    this.#states.clear();
    for (const layer of ["trail", "effects"]) this.layers[layer].replaceChildren();
    const whole = part ? this.geometry.part(part) : this.geometry.view(!this.isStatic);
    put(this.svg, "width", Math.round(whole.width * LARGEST));
    put(this.svg, "height", Math.round(whole.height * LARGEST));
    this.cells.set(this.geometry, this.isStatic);
    this.view.set(whole, 2 * this.geometry.radius, this.geometry.cells.size);
  }

  /** Draws the cells in view. @param {Id | null} focused @param {boolean} hasCoordinates */
  show(focused, hasCoordinates) {
    this.#isNear = this.cells.show(this.view.now, this.isStatic ? null : focused);
    this.#states.clear();
    this.cells.drawTags(hasCoordinates, this.#isNear);
  }

  /** A board that is seen from afar is brought near, once, where something can be done. @param {Id} id */
  approach(id) {
    const place = this.geometry?.at(id);
    if (this.#isNear || this.#hasApproached || !place) return;
    this.#hasApproached = true;
    this.view.approach(place);
  }

  /**
   * Draws what lies on the cells. `states` has the classes of some pieces.
   * @param {Piece[]} pieces @param {Counter[]} counters @param {Map<Id, string>} states
   */
  drawLying(pieces, counters, states) {
    const { geometry } = this;
    if (!geometry) return;
    const few = this.#isNear ? null : this.#fewKinds(pieces);
    const isLarge = geometry.cells.size > 1000;
    /** @param {number} x @param {number} y @param {Piece} piece */
    const isSeen = (x, y, { kind }) => (few ? few.has(kind) : !isLarge || isIn(this.view.now, { x, y }));
    this.pieces.draw(pieces, { counters, geometry, look: this.look, states, isSeen });
    this.counts.draw(counters, geometry);
  }

  /**
   * Draws the states of cells: classes, and what is read aloud. Cells that stay as they were are not touched.
   * @param {{ next: Set<Id>, chosen: Set<Id>, last: Set<Id> }} states
   * @param {(id: Id) => string} spokenOf
   */
  drawStates({ next, chosen, last }, spokenOf) {
    for (const [id, element] of this.cells.all) {
      const state = words(next.has(id) && "next", chosen.has(id) && "chosen", last.has(id) && "last");
      const spoken = this.isStatic ? "" : spokenOf(id);
      const shown = `${state}|${spoken}`;
      if (this.#states.get(id) === shown) continue;
      this.#states.set(id, shown);
      for (const name of ["next", "chosen", "last"]) element.classList.toggle(name, state.includes(name));
      if (this.isStatic) continue;
      put(element, "aria-disabled", !next.has(id));
      put(element, "aria-selected", chosen.has(id));
      put(element, "aria-label", spoken);
    }
  }

  /** @param {Piece[]} pieces */
  #fewKinds(pieces) {
    const kinds = [...Map.groupBy(pieces, ({ kind }) => kind)];
    return new Set(kinds.filter(([, same]) => same.length <= FEW).map(([kind]) => kind));
  }
}
