// Where everything is: cells, areas and the view, in hundredths of a cell, turned towards whoever sits below.

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

const OPPOSITE = { up: "down", down: "up", left: "right", right: "left" };

/** The middle and the extent of an outline. @param {[number, number][]} polygon */
function placeOf(polygon) {
  const xs = polygon.map(([x]) => x);
  const ys = polygon.map(([, y]) => y);
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [width, height] = [right - left, bottom - top];
  return { x: mean(xs), y: mean(ys), left, right, top, bottom, width, height, radius: Math.min(width, height) / 2 };
}

/** Points as SVG attributes write them. @param {[number, number][]} polygon */
export const points = (polygon) => polygon.map(([x, y]) => `${round(x)},${round(y)}`).join(" ");

/** The distance of two places. */
export const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

export class Geometry {
  /** Cells begin at zero, so that textures fit them. */
  #origin = [0, 0];

  /**
   * @param {import("./types").Layout} layout
   * @param {boolean} isTurned by half a circle: player 2 sits below
   * @param {boolean} isRound holes and marks are round
   */
  constructor(layout, isTurned, isRound) {
    this.isTurned = isTurned;
    this.isRound = isRound;
    this.size = layout.size.map((length) => length * UNIT);
    this.#origin = this.#corner(layout.cells.flatMap(({ polygon }) => polygon));
    /** The middle of the board. */
    this.middle = { x: this.size[0] / 2 - this.#origin[0], y: this.size[1] / 2 - this.#origin[1] };
    this.cells = new Map(layout.cells.map((cell) => [cell.id, this.#cell(cell)]));
    this.lanes = Map.groupBy([...this.cells.values()].filter(({ lane }) => lane !== null), ({ lane }) => lane);
    this.hasGhosts = layout.cells.some(({ ghosts }) => ghosts.length > 0);
    const radii = [...this.cells.values()].map(({ place }) => place.radius).sort((a, b) => a - b);
    this.radius = radii[Math.floor(radii.length / 2)] ?? UNIT / 2;
    this.areas = (layout.areas ?? []).map((area) => this.#area(area));
    if (this.areas.length === 0) this.areas = this.#frame();
  }

  /** The place of a cell; undefined if there is none. @param {string} id */
  at(id) {
    return this.cells.get(id)?.place;
  }

  /** The part of the drawing that is seen: everything, and room for the tags of lanes. @param {boolean} hasTags */
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

  /** Edges that belong to one cell only: the border of the board, as the data of a path. */
  border() {
    const edges = new Map();
    for (const { polygon } of this.cells.values()) {
      polygon.forEach((from, index) => {
        const to = polygon[(index + 1) % polygon.length];
        const key = [from, to].map((point) => point.map((value) => Math.round(value / 2)).join()).sort().join("|");
        edges.set(key, edges.has(key) ? null : [from, to]);
      });
    }
    return [...edges.values()].filter(Boolean).map(([from, to]) => `M${points([from])}L${points([to])}`).join("");
  }

  /** The offset of the ghost of a cell that is nearer to a place than the cell itself; null if none is. */
  wrap(from, cell) {
    const near = (offset) => distance(from, { x: cell.place.x + offset[0], y: cell.place.y + offset[1] });
    const nearest = cell.ghosts.reduce((best, ghost) => (near(ghost) < near(best) ? ghost : best), [0, 0]);
    return nearest[0] || nearest[1] ? nearest : null;
  }

  /** The attributes of the round shape that fills a cell. */
  inscribed(cell, part = HOLE) {
    const { x, y, width, height, radius } = cell.place;
    const rim = radius * (1 - part);
    const [w, h] = [width - 2 * rim, height - 2 * rim];
    const corner = round(Math.min(w, h) / 2);
    return { x: round(x - w / 2), y: round(y - h / 2), width: round(w), height: round(h), rx: corner };
  }

  /** A mark of a cell: the name of an SVG element and its attributes. */
  mark(cell) {
    if (this.isRound) return ["rect", this.inscribed(cell)];
    const { x, y } = cell.place;
    const inset = cell.polygon.map(([px, py]) => [x + (px - x) * INSET, y + (py - y) * INSET]);
    return ["polygon", { points: points(inset) }];
  }

  #point(point) {
    const [x, y] = this.#turned(point);
    return [x - this.#origin[0], y - this.#origin[1]];
  }

  #turned([x, y]) {
    const [width, height] = this.size;
    return this.isTurned ? [width - x * UNIT, height - y * UNIT] : [x * UNIT, y * UNIT];
  }

  /** The upper left corner of points. */
  #corner(all) {
    const least = (axis) => all.reduce((min, point) => Math.min(min, this.#turned(point)[axis]), Infinity);
    return all.length > 0 ? [least(0), least(1)] : [0, 0];
  }

  #cell(cell) {
    const polygon = cell.polygon.map((point) => this.#point(point));
    const sign = this.isTurned ? -UNIT : UNIT;
    const ghosts = cell.ghosts.map(([dx, dy]) => [dx * sign, dy * sign]);
    const arrows = Object.fromEntries(
      Object.keys(OPPOSITE).map((way) => [way, cell.arrows[this.isTurned ? OPPOSITE[way] : way]]),
    );
    return { ...cell, polygon, ghosts, arrows, place: placeOf(polygon), lane: cell.lane ?? null, tag: cell.tag ?? null };
  }

  #area({ kind, rect: [x, y, width, height], radius }) {
    const corner = this.isTurned ? this.#point([x + width, y + height]) : this.#point([x, y]);
    const [w, h] = [width * UNIT, height * UNIT];
    return { kind, x: round(corner[0]), y: round(corner[1]), width: round(w), height: round(h), rx: round(radius * UNIT) };
  }

  /** Squares without an area of their own get a frame. */
  #frame() {
    if (this.hasGhosts || ![...this.cells.values()].every(({ polygon }) => polygon.length === 4)) return [];
    const [[width, height], [left, top]] = [this.size, this.#origin];
    const [x, y] = [-left - FRAME, -top - FRAME];
    return [{ kind: "frame", x, y, width: width + 2 * FRAME, height: height + 2 * FRAME, rx: FRAME }];
  }
}
