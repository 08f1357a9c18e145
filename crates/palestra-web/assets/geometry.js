// Where everything is: cells, areas and the view, in hundredths of a cell, turned towards the player who sits below.

/** @import { Area, At, Box, Cell, Layout, LayoutArea, LayoutCell, Place, Point, Way } from "./drawing" */

/** Units of the drawing in a unit of the layout. */
export const UNIT = 100;

/** How far the far edges of a torus are shown beyond the border. */
const GHOST_DEPTH = [93, 74];
const MARGIN = 10;
const FRAME = 22;
const TAG_ROOM = 42;

/** The part of a cell that a hole or a round mark fills. */
export const HOLE = 0.83;
const INSET = 0.93;

/** A number of the drawing: a tenth of a unit is finer than any screen. @param {number} value */
export const round = (value) => Math.round(value * 10) / 10;

/** @type {Record<Way, Way>} */
const OPPOSITE = { up: "down", down: "up", left: "right", right: "left" };

/** The middle and the extent of an outline. @param {Point[]} polygon @returns {Place} */
function placeOf(polygon) {
  const xs = polygon.map(([x]) => x);
  const ys = polygon.map(([, y]) => y);
  const mean = (/** @type {number[]} */ list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [width, height] = [right - left, bottom - top];
  return { x: mean(xs), y: mean(ys), left, right, top, bottom, width, height, radius: Math.min(width, height) / 2 };
}

/** Points as SVG attributes write them. @param {Point[]} polygon */
export const points = (polygon) => polygon.map(([x, y]) => `${round(x)},${round(y)}`).join(" ");

/** The distance of two places. @param {At} a @param {At} b */
export const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

export class Geometry {
  /** Cells begin at zero, so that textures fit them. @type {Point} */
  #origin = [0, 0];

  /**
   * @param {Layout} layout
   * @param {boolean} isTurned by half a circle: player 2 sits below
   * @param {boolean} isRound holes and marks are round
   */
  constructor(layout, isTurned, isRound) {
    this.isTurned = isTurned;
    this.isRound = isRound;
    /** @type {Point} */
    this.size = [layout.size[0] * UNIT, layout.size[1] * UNIT];
    this.#origin = this.#corner(layout.cells.flatMap(({ polygon }) => polygon));
    /** The middle of the board. */
    this.middle = { x: this.size[0] / 2 - this.#origin[0], y: this.size[1] / 2 - this.#origin[1] };
    /** @type {Map<string, Cell>} */
    this.cells = new Map(layout.cells.map((cell) => [cell.id, this.#cell(cell)]));
    /** @type {Map<number | null, Cell[]>} */
    this.lanes = Map.groupBy([...this.cells.values()].filter(({ lane }) => lane !== null), ({ lane }) => lane);
    this.hasGhosts = layout.cells.some(({ ghosts }) => ghosts.length > 0);
    const radii = [...this.cells.values()].map(({ place }) => place.radius).sort((a, b) => a - b);
    this.radius = radii[Math.floor(radii.length / 2)] ?? UNIT / 2;
    /** @type {Area[]} */
    this.areas = (layout.areas ?? []).map((area) => this.#area(area));
    if (this.areas.length === 0) this.areas = this.#frame();
  }

  /** The place of a cell; undefined if there is none. @param {string} id */
  at(id) {
    return this.cells.get(id)?.place;
  }

  /** The part of the drawing that is seen: everything, and room for the tags of lanes. @param {boolean} hasTags @returns {Box} */
  view(hasTags) {
    const [[width, height], [left, top]] = [this.size, this.#origin];
    const box = { left: -left, top: -top, right: width - left, bottom: height - top };
    if (this.hasGhosts) {
      const [x, y] = GHOST_DEPTH;
      return { x: box.left - x, y: box.top - y, width: width + 2 * x, height: height + 2 * y };
    }
    for (const { x, y, width: w, height: h } of this.areas) {
      Object.assign(box, { left: Math.min(box.left, x), top: Math.min(box.top, y) });
      Object.assign(box, { right: Math.max(box.right, x + w), bottom: Math.max(box.bottom, y + h) });
    }
    const room = hasTags && [...this.cells.values()].some(({ lane, tag }) => lane !== null && tag) ? TAG_ROOM : 0;
    const [x, y] = [box.left - MARGIN, box.top - MARGIN - room];
    return { x, y, width: box.right + MARGIN - x, height: box.bottom + MARGIN - y };
  }

  /** A part of the drawing, given in units of the layout. @param {number[]} part @returns {Box} */
  part([left, top, width, height]) {
    const [x, y] = this.#point([left, top]);
    return { x, y, width: width * UNIT, height: height * UNIT };
  }

  /** Edges that belong to one cell only: the border of the board, as the data of a path. */
  border() {
    /** @type {Map<string, [Point, Point] | null>} */
    const edges = new Map();
    for (const { polygon } of this.cells.values()) {
      polygon.forEach((from, index) => {
        const to = polygon[(index + 1) % polygon.length];
        const key = [from, to].map((point) => point.map((value) => Math.round(value / 2)).join()).sort().join("|");
        edges.set(key, edges.has(key) ? null : [from, to]);
      });
    }
    return [...edges.values()].filter((edge) => edge !== null).map(([from, to]) => `M${points([from])}L${points([to])}`).join("");
  }

  /**
   * The offset of the ghost of a cell that is nearer to a place than the cell itself; null if none is.
   * @param {At} from @param {Cell} cell @returns {Point | null}
   */
  wrap(from, cell) {
    const near = (/** @type {Point} */ offset) => distance(from, { x: cell.place.x + offset[0], y: cell.place.y + offset[1] });
    /** @type {Point} */
    const none = [0, 0];
    const nearest = cell.ghosts.reduce((best, ghost) => (near(ghost) < near(best) ? ghost : best), none);
    return nearest[0] || nearest[1] ? nearest : null;
  }

  /** The attributes of the round shape that fills a cell. @param {Cell} cell */
  inscribed(cell, part = HOLE) {
    const { x, y, width, height, radius } = cell.place;
    const rim = radius * (1 - part);
    const [w, h] = [width - 2 * rim, height - 2 * rim];
    const corner = round(Math.min(w, h) / 2);
    return { x: round(x - w / 2), y: round(y - h / 2), width: round(w), height: round(h), rx: corner };
  }

  /**
   * A mark of a cell: the name of an SVG element and its attributes.
   * @param {Cell} cell @returns {[string, Record<string, unknown>]}
   */
  mark(cell) {
    if (this.isRound) return ["rect", this.inscribed(cell)];
    const { x, y } = cell.place;
    /** @param {Point} point @returns {Point} */
    const moved = ([px, py]) => [x + (px - x) * INSET, y + (py - y) * INSET];
    return ["polygon", { points: points(cell.polygon.map(moved)) }];
  }

  /** @param {Point} point @returns {Point} */
  #point(point) {
    const [x, y] = this.#turned(point);
    return [x - this.#origin[0], y - this.#origin[1]];
  }

  /** @param {Point} point @returns {Point} */
  #turned([x, y]) {
    const [width, height] = this.size;
    return this.isTurned ? [width - x * UNIT, height - y * UNIT] : [x * UNIT, y * UNIT];
  }

  /** The upper left corner of points. @param {Point[]} all @returns {Point} */
  #corner(all) {
    const least = (/** @type {0 | 1} */ axis) => all.reduce((min, point) => Math.min(min, this.#turned(point)[axis]), Infinity);
    return all.length > 0 ? [least(0), least(1)] : [0, 0];
  }

  /** @param {LayoutCell} cell @returns {Cell} */
  #cell(cell) {
    const polygon = cell.polygon.map((point) => this.#point(point));
    const sign = this.isTurned ? -UNIT : UNIT;
    /** @type {Point[]} */
    const ghosts = cell.ghosts.map(([dx, dy]) => [dx * sign, dy * sign]);
    const ways = /** @type {Way[]} */ (Object.keys(OPPOSITE));
    const arrows = Object.fromEntries(
      ways.map((way) => [way, cell.arrows[this.isTurned ? OPPOSITE[way] : way]]),
    );
    return { ...cell, polygon, ghosts, arrows, place: placeOf(polygon), lane: cell.lane ?? null, tag: cell.tag ?? null };
  }

  /** @param {LayoutArea} area @returns {Area} */
  #area({ kind, rect: [x, y, width, height], radius }) {
    const corner = this.isTurned ? this.#point([x + width, y + height]) : this.#point([x, y]);
    const [w, h] = [width * UNIT, height * UNIT];
    return { kind, x: round(corner[0]), y: round(corner[1]), width: round(w), height: round(h), rx: round(radius * UNIT) };
  }

  /** Squares without an area of their own get a frame. @returns {Area[]} */
  #frame() {
    if (this.hasGhosts || ![...this.cells.values()].every(({ polygon }) => polygon.length === 4)) return [];
    const [[width, height], [left, top]] = [this.size, this.#origin];
    const [x, y] = [-left - FRAME, -top - FRAME];
    return [{ kind: "frame", x, y, width: width + 2 * FRAME, height: height + 2 * FRAME, rx: FRAME }];
  }
}
