// Marks on cells and pieces: what may be clicked, what is chosen, the last move, the line that decided, the lane under the
// pointer, the focus.

import { Keyed, put, svg, words } from "./dom.js";
import { points, round } from "./geometry.js";

export class Marks {
  #under;
  #over;
  #preview;
  #focus;
  #lines;
  #covered;

  constructor(layers) {
    this.#under = new Keyed(layers.marks);
    this.#over = new Keyed(layers.rings);
    this.#preview = new Keyed(layers.previews);
    this.#focus = new Keyed(layers.focus);
    this.#lines = new Keyed(layers.lines);
  }

  /**
   * @param {{next: Set<string>, chosen: Set<string>, last: string[], line: string[]}} ids cells and pieces
   */
  draw({ next, chosen, last, line }, geometry, pieces) {
    const mark = (ids, kind) => [...ids].map((id) => ({ id, kind, key: `${kind} ${id}` }));
    const isPlaced = ({ id }) => geometry.cells.has(id) || pieces.place(id);
    const make = (item) => this.#mark(item, geometry, pieces);
    const place = (element, { id }) => placeRing(element, pieces.place(id));
    const keyOf = ({ key, id }) => `${key} ${pieces.place(id)?.cell ?? ""}`;
    this.#under.sync(mark(next, "next").filter(isPlaced), keyOf, make, place);
    const over = [...mark(last, "last"), ...mark(line, "win"), ...mark(chosen, "chosen")];
    this.#over.sync(over.filter(isPlaced), keyOf, make, place);
    this.#drawLine(line.map((id) => geometry.at(id)).filter(Boolean));
  }

  /** The lane under the pointer, and where a click would land. */
  preview(lane, landing, geometry) {
    const shown = lane.map((cell) => ({ key: `lane ${cell.id}`, cell, kind: "lane" }));
    if (landing) shown.push({ key: `landing ${landing.id}`, cell: landing, kind: "landing" });
    if (landing && lane.length > 0) shown.push({ key: `pointer ${lane[0].lane}`, cell: highest(lane), kind: "pointer" });
    this.#preview.sync(shown, ({ key }) => key, ({ cell, kind }) => previewOf(cell, kind, geometry));
    // The dashed ring stands in for the mark below it.
    this.#covered?.classList.remove("covered");
    this.#covered = landing ? this.#under.get(`next ${landing.id} `) : undefined;
    this.#covered?.classList.add("covered");
  }

  /** The cell that has the focus of the keyboard. */
  focus(cell, geometry) {
    const make = () => svg("g", { class: "focus" }, ...["halo", "line"].map((kind) => outline(cell, kind, geometry)));
    this.#focus.sync(cell ? [cell] : [], ({ id }) => id, make);
  }

  clear() {
    for (const kept of [this.#under, this.#over, this.#preview, this.#focus, this.#lines]) kept.clear();
  }

  #mark({ id, kind }, geometry, pieces) {
    const cell = geometry.cells.get(id) ?? filledBy(pieces.place(id), geometry);
    if (cell) return outline(cell, `mark ${kind}`, geometry);
    return placeRing(svg("circle", { class: `mark on-piece ${kind}` }), pieces.place(id));
  }

  #drawLine(places) {
    const d = `M${places.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}`;
    this.#lines.sync(places.length > 1 ? [d] : [], () => d, () => svg("path", { class: "line", d }));
  }
}

/** The square that a piece fills alone: a mark of it has room there. */
function filledBy({ cell: id, size }, geometry) {
  const cell = geometry.cells.get(id);
  return cell.polygon.length === 4 && size > 0.75 * cell.place.radius ? cell : null;
}

function outline(cell, kind, geometry) {
  const [name, attributes] = geometry.mark(cell);
  return svg(name, { class: kind, ...attributes });
}

function placeRing(element, at) {
  if (!at || element.tagName !== "circle") return element;
  put(element, "cx", round(at.x));
  put(element, "cy", round(at.y));
  put(element, "r", round(at.size * 1.02));
  return element;
}

const highest = (lane) => lane.reduce((best, cell) => (cell.place.top < best.place.top ? cell : best));

function previewOf(cell, kind, geometry) {
  const { x, top } = cell.place;
  if (kind === "lane") return svg("polygon", { class: "lane", points: points(cell.polygon) });
  if (kind === "pointer") return svg("path", { class: "pointer", d: `M${x - 10} ${top - 16}H${x + 10}L${x} ${top - 2}Z` });
  return outline(cell, words("landing"), geometry);
}
