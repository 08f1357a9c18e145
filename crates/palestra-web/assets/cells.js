// Areas and cells. A cell is an element of its own, so that it can be clicked, focused and read aloud; on boards of thousands
// only those in view are, and from afar the ground is a picture.

/** @import { Area, At, Box, Cell, Id } from "./drawing" */

import { Keyed, put, svg } from "./dom.js";
import { HOLE, points, round } from "./geometry.js";

/** With more cells in view than these, the ground is a picture. */
const MAX_CELLS = 1000;

/** A kind, and its part before the dash. @param {string} kind */
const kinds = (kind) => (kind.includes("-") ? `${kind} ${kind.split("-")[0]}` : kind);

export class Cells {
  /** @type {import("./geometry.js").Geometry} */
  // @ts-expect-error: nothing is drawn before it is set
  #geometry;
  #rows;
  #ghosts;
  #areas;
  #tags;
  #ground = svg("g", { class: "ground" });
  #border = svg("path", { class: "border" });
  /** @type {Map<string, SVGElement>} */
  #elements = new Map();
  /** @type {Map<number, Keyed<Cell>>} */
  #keptRows = new Map();
  #isStatic = false;

  /** @param {Record<string, Element>} layers */
  constructor(layers) {
    this.#areas = new Keyed(layers.areas);
    this.#ghosts = new Keyed(layers.ghosts);
    this.#rows = new Keyed(layers.cells);
    this.#tags = new Keyed(layers.tags);
    layers.ground.append(this.#ground);
    layers.border.append(this.#border);
  }

  /** The element of a cell, if it is in view. @param {string} id */
  element(id) {
    return this.#elements.get(id);
  }

  get all() {
    return this.#elements;
  }

  /** Begins anew with a board. @param {import("./geometry.js").Geometry} geometry @param {boolean} isStatic */
  set(geometry, isStatic) {
    this.#geometry = geometry;
    this.#isStatic = isStatic;
    for (const kept of [this.#areas, this.#ghosts, this.#rows, this.#tags, ...this.#keptRows.values()]) kept.clear();
    this.#keptRows.clear();
    this.#elements.clear();
    this.#ground.replaceChildren();
    put(this.#border, "d", geometry.hasGhosts ? geometry.border() : "");
    const area = (/** @type {Area} */ { kind, ...rect }) => svg("rect", { class: `area ${kinds(kind)}`, ...rect });
    this.#areas.sync(geometry.areas, ({ kind, x, y }) => `${kind} ${x} ${y}`, area);
  }

  /**
   * Draws the cells in a part of the drawing, and always the one with the focus. Answers whether they are elements: from
   * afar they are not.
   * @param {Box} view @param {Id | null} focused
   */
  show(view, focused) {
    const cells = [...this.#geometry.cells.values()];
    const inView = cells.length > MAX_CELLS || this.#isStatic ? cells.filter(({ place }) => isIn(view, place)) : cells;
    const isNear = inView.length <= MAX_CELLS;
    this.#drawGround(isNear ? [] : cells);
    const shown = isNear ? inView : [];
    const focus = this.#geometry.cells.get(focused ?? "");
    if (focus && !shown.includes(focus)) shown.push(focus);
    this.#drawGhosts(shown);
    this.#drawRows(shown);
    return isNear;
  }

  /** Short texts at the cells: those beyond the cells always, those inside if coordinates are asked for. @param {boolean} hasCoordinates @param {boolean} isNear */
  drawTags(hasCoordinates, isNear) {
    const tagged = isNear && !this.#isStatic ? [...this.#geometry.cells.values()].filter(({ tag }) => tag) : [];
    const placed = tagged.flatMap((cell) => {
      const at = this.#tagAt(cell);
      return at && (at.kind !== "inside" || hasCoordinates) ? [{ id: cell.id, text: cell.tag ?? "", ...at }] : [];
    });
    /** @param {typeof placed[0]} tag */
    const make = ({ text, kind, x, y }) => svg("text", { class: `tag ${kind}`, x: round(x), y: round(y) }, text);
    this.#tags.sync(placed, ({ id }) => id, make);
  }

  /** Tags of lanes stand above the board, those of holes on the rim towards the middle, on the side of the player who sits below. @param {Cell} cell */
  #tagAt({ lane, place }) {
    const { areas, isRound, middle } = this.#geometry;
    const top = Math.min(0, ...areas.map(({ y }) => y));
    if (lane !== null) return { kind: "lane", x: place.x, y: top - 20 };
    if (!isRound) return { kind: "inside", x: place.x, y: place.y };
    return place.y > middle.y ? { kind: "rim", x: place.x, y: place.top } : null;
  }

  /** One path a kind. @param {Cell[]} cells */
  #drawGround(cells) {
    if (cells.length === 0) {
      this.#ground.replaceChildren();
    } else if (!this.#ground.hasChildNodes()) {
      for (const [kind, same] of Map.groupBy(cells, (cell) => cell.kind)) {
        const d = same.map(({ polygon }) => `M${points(polygon)}Z`).join("");
        this.#ground.append(svg("g", { class: `cell ${kinds(kind)}` }, svg("path", { class: "outline", d })));
      }
    }
  }

  /** @param {Cell[]} cells */
  #drawGhosts(cells) {
    const ghosts = cells.flatMap((cell) => cell.ghosts.map((offset, index) => ({ cell, offset, key: `${cell.id} ${index}` })));
    /** @param {typeof ghosts[0]} ghost */
    const make = ({ cell, offset: [x, y] }) => {
      const group = svg("g", { class: `ghost cell ${kinds(cell.kind)}`, "data-id": cell.id, transform: `translate(${x} ${y})` });
      group.append(...outlines(cell));
      return group;
    };
    this.#ghosts.sync(ghosts, ({ key }) => key, make);
  }

  /** Cells in rows, as grids of a page are. @param {Cell[]} cells */
  #drawRows(cells) {
    const rows = [...Map.groupBy(cells, ({ place }) => Math.round(place.y))];
    const before = this.#elements;
    this.#elements = new Map();
    this.#rows.sync(
      rows,
      ([y]) => String(y),
      () => svg("g", this.#isStatic ? {} : { role: "row" }),
      (element, [y, row]) => {
        let kept = this.#keptRows.get(y);
        if (!kept || kept.parent !== element) kept = new Keyed(element);
        this.#keptRows.set(y, kept);
        const make = (/** @type {Cell} */ cell) => before.get(cell.id) ?? this.#make(cell);
        const keep = (/** @type {SVGElement} */ made, /** @type {Cell} */ cell) => void this.#elements.set(cell.id, made);
        kept.sync(row, ({ id }) => id, make, keep);
      },
    );
  }

  /** @param {Cell} cell */
  #make(cell) {
    const spoken = this.#isStatic ? {} : { role: "gridcell", tabindex: -1 };
    const element = svg("g", { class: `cell ${kinds(cell.kind)}`, "data-id": cell.id, ...spoken });
    element.append(...outlines(cell), svg("rect", { class: "hole", ...this.#geometry.inscribed(cell, HOLE) }));
    return element;
  }
}

/** @param {Cell} cell */
function outlines({ polygon }) {
  const outline = points(polygon);
  return [svg("polygon", { class: "outline", points: outline }), svg("polygon", { class: "texture", points: outline })];
}

/** Whether a place is in view, with some room around it. @param {Box} view @param {At} place */
export function isIn(view, { x, y }, room = 150) {
  return x > view.x - room && y > view.y - room && x < view.x + view.width + room && y < view.y + view.height + room;
}
