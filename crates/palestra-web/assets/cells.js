// Areas and cells. A cell is an element of its own, so that it can be clicked, focused and read aloud; on boards of thousands
// only those in view are, and from afar the ground is a picture.

import { Keyed, put, svg, words } from "./dom.js";
import { HOLE, points, round } from "./geometry.js";

/** With more cells in view than these, the ground is a picture. */
const MAX_CELLS = 1000;

/** A kind, and its part before the dash. */
const kinds = (kind) => (kind.includes("-") ? `${kind} ${kind.split("-")[0]}` : kind);

export class Cells {
  #geometry = null;
  #rows;
  #ghosts;
  #areas;
  #tags;
  #ground = svg("g", { class: "ground" });
  #border = svg("path", { class: "border" });
  /** @type {Map<string, SVGElement>} */
  #elements = new Map();
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

  /** Begins anew with a board. */
  set(geometry, isStatic) {
    this.#geometry = geometry;
    this.#isStatic = isStatic;
    for (const kept of [this.#areas, this.#ghosts, this.#rows, this.#tags, ...this.#keptRows.values()]) kept.clear();
    this.#keptRows.clear();
    this.#elements.clear();
    this.#ground.replaceChildren();
    put(this.#border, "d", geometry.hasGhosts ? geometry.border() : "");
    const area = ({ kind, ...rect }) => svg("rect", { class: `area ${kinds(kind)}`, ...rect });
    this.#areas.sync(geometry.areas, ({ kind, x, y }) => `${kind} ${x} ${y}`, area);
  }

  /**
   * Draws the cells in a part of the drawing, and always the one with the focus. Answers whether they are elements: from
   * afar they are not.
   */
  show(view, focused) {
    const cells = [...this.#geometry.cells.values()];
    const inView = cells.length > MAX_CELLS ? cells.filter(({ place }) => isIn(view, place)) : cells;
    const isNear = inView.length <= MAX_CELLS;
    this.#drawGround(isNear ? [] : cells);
    const shown = isNear ? inView : [];
    const focus = this.#geometry.cells.get(focused);
    if (focus && !shown.includes(focus)) shown.push(focus);
    this.#drawGhosts(shown);
    this.#drawRows(shown);
    return isNear;
  }

  /** Short texts at the cells: those beyond the cells always, those inside if coordinates are asked for. */
  drawTags(hasCoordinates, isNear) {
    const tagged = isNear && !this.#isStatic ? [...this.#geometry.cells.values()].filter(({ tag }) => tag) : [];
    const isShown = ({ at }) => at && (at.kind !== "inside" || hasCoordinates);
    const placed = tagged.map((cell) => ({ cell, at: this.#tagAt(cell) })).filter(isShown);
    const make = ({ cell, at }) => svg("text", { class: words("tag", at.kind), x: round(at.x), y: round(at.y) }, cell.tag);
    this.#tags.sync(placed, ({ cell }) => cell.id, make);
  }

  /** Tags of lanes stand above the board, those of holes on the rim towards the middle, on the side of whoever sits below. */
  #tagAt({ lane, place }) {
    const { areas, isRound, middle } = this.#geometry;
    const top = Math.min(0, ...areas.map(({ y }) => y));
    if (lane !== null) return { kind: "lane", x: place.x, y: top - 20 };
    if (!isRound) return { kind: "inside", x: place.x, y: place.y };
    return place.y > middle.y ? { kind: "rim", x: place.x, y: place.top } : null;
  }

  /** One path a kind. */
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

  #drawGhosts(cells) {
    const ghosts = cells.flatMap((cell) => cell.ghosts.map((offset, index) => ({ cell, offset, key: `${cell.id} ${index}` })));
    const make = ({ cell, offset: [x, y] }) => {
      const group = svg("g", { class: `ghost cell ${kinds(cell.kind)}`, "data-id": cell.id, transform: `translate(${x} ${y})` });
      group.append(...outlines(cell));
      return group;
    };
    this.#ghosts.sync(ghosts, ({ key }) => key, make);
  }

  /** Cells in rows, as grids of a page are. */
  #drawRows(cells) {
    const rows = [...Map.groupBy(cells, ({ place }) => Math.round(place.y))];
    const before = this.#elements;
    this.#elements = new Map();
    this.#rows.sync(
      rows,
      ([y]) => String(y),
      () => svg("g", this.#isStatic ? {} : { role: "row" }),
      (element, [y, row]) => {
        if (!this.#keptRows.has(y) || this.#keptRows.get(y).parent !== element) this.#keptRows.set(y, new Keyed(element));
        const make = (cell) => before.get(cell.id) ?? this.#make(cell);
        const keep = (made, cell) => this.#elements.set(cell.id, made);
        this.#keptRows.get(y).sync(row, ({ id }) => id, make, keep);
      },
    );
  }

  #make(cell) {
    const spoken = this.#isStatic ? {} : { role: "gridcell", tabindex: -1 };
    const element = svg("g", { class: `cell ${kinds(cell.kind)}`, "data-id": cell.id, ...spoken });
    element.append(...outlines(cell), svg("rect", { class: "hole", ...this.#geometry.inscribed(cell, HOLE) }));
    return element;
  }
}

function outlines({ polygon }) {
  const outline = points(polygon);
  return [svg("polygon", { class: "outline", points: outline }), svg("polygon", { class: "texture", points: outline })];
}

/** Whether a place is in view, with some room around it. */
export function isIn(view, { x, y }, room = 150) {
  return x > view.x - room && y > view.y - room && x < view.x + view.width + room && y < view.y + view.height + room;
}
