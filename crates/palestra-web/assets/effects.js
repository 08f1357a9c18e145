// How each step of a move looks: walks, arcs, falls, blasts, grains that fly. Everything is in its place already; an animation
// only says where it comes from, or where what is gone goes to.

/** @import { Animate, At, Counter, Grain, Id, Model, Piece, Point, Spot, Step } from "./drawing" */
/** @typedef {At & { size: number }} Sized */
/**
 * What was before a step: the piece or counter, where it was, and a copy of a piece that goes.
 * @typedef {{ piece?: Piece, counter?: Counter, place?: Spot, places?: Grain[], clone?: Element | null }} Before
 */
/**
 * @typedef {{ animate: Animate, last: Id | null, geometry: import("./geometry.js").Geometry,
 *   pieces: import("./pieces.js").Pieces, counts: import("./counts.js").Counts }} Context
 */
/** @typedef {Counter & { by: number, places: Grain[] }} Change */

import { svg } from "./dom.js";
import { distance, round } from "./geometry.js";
import { sound } from "./sound.js";

/** Milliseconds at normal speed. */
export const TIMES = { rise: 90, seed: 90, capture: 260, walk: 110, far: 420, cell: 60, fall: 320, wrap: 180, grow: 140, go: 180, bump: 140 };
const OUT = "cubic-bezier(.2,.7,.2,1)";
const IN_OUT = "cubic-bezier(.5,0,.2,1)";
const FALL = "cubic-bezier(.5,0,.9,.6)";

/** @param {number} x @param {number} y @param {number} size */
const at = (x, y, size) => `translate(${round(x)}px,${round(y)}px) scale(${round(size * 100) / 100})`;

/** Points of an arc from one place to another, as keyframes. @param {Sized} from @param {Sized} to */
function arc(from, to, { lift = 0.28, swell = 1.1 } = {}) {
  const high = Math.min(160, distance(from, to) * lift + 12);
  return Array.from({ length: 9 }, (_, index) => {
    const part = index / 8;
    const hump = 4 * part * (1 - part);
    const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part - high * hump];
    return { transform: at(x, y, (from.size + (to.size - from.size) * part) * (1 + (swell - 1) * hump)) };
  });
}

/** What is not walked but flown. @param {At} from @param {At} to @param {number} radius of a cell */
export const isFar = (from, to, radius) => distance(from, to) > 4.5 * radius;

/** A copy of an element that cannot be clicked. @param {Element} element */
function copyOf(element) {
  const copy = /** @type {Element} */ (element.cloneNode(true));
  copy.removeAttribute("data-id");
  return copy;
}

export class Effects {
  #stage;
  #list;

  /**
   * @param {import("./stage.js").Stage} stage
   * @param {import("./counters.js").Counters} list
   */
  constructor(stage, list) {
    this.#stage = stage;
    this.#list = list;
  }

  /** What has to be known of a step before it happens. @param {Step} step @param {Model} model @returns {Before} */
  before(step, model) {
    const { pieces, counts } = this.#stage;
    if (step.is === "count") {
      const counter = model.counters.find(({ id }) => id === step.counter);
      return { counter, places: counts.places(step.counter).map((place) => ({ ...place })) };
    }
    if (step.is === "add") return {};
    const piece = model.pieces.find(({ id }) => id === step.piece);
    return { piece, place: pieces.place(step.piece), clone: step.is === "remove" ? this.#clone(step.piece) : null };
  }

  /** A copy of a piece that outlives it. @param {Id} id */
  #clone(id) {
    const [element] = this.#stage.pieces.elements(id);
    return element ? copyOf(element) : null;
  }

  /** The animations of a step on pieces. @param {Step} step @param {Before} before @param {Context} context */
  moved(step, before, context) {
    if (step.is === "move") return this.#move(step.becomes ?? step.piece, step.to, before, context);
    if (step.is === "add") return this.#add(step.piece, context);
    if (step.is === "remove") return this.#remove(step.how, before, context);
    return [];
  }

  /** @param {Id} id @param {Id} to @param {Before} before @param {Context} context @returns {Animation[]} */
  #move(id, to, { piece, place: from }, { animate, geometry, pieces }) {
    const [element, target, cell] = [pieces.elements(id)[0], pieces.place(id), geometry.cells.get(to)];
    if (!element || !piece || !from || !target || !cell) return [];
    const offset = geometry.wrap(from, cell);
    if (offset) return this.#wrap(element, from, target, offset, animate);
    const lane = geometry.cells.get(piece.cell)?.lane ?? null;
    if (lane !== null && lane === cell.lane && target.y > from.y) return [this.#fall(element, from, target, animate)];
    sound("knock");
    if (isFar(from, target, geometry.radius)) return [animate(element, arc(from, target), TIMES.far)];
    this.#dot(from);
    const frames = [from, target].map(({ x, y, size }) => ({ transform: at(x, y, size) }));
    return [animate(element, frames, TIMES.walk * (cell.polygon.length === 6 ? 1.6 : 1))];
  }

  /**
   * Over the edge of a torus: it leaves on one side, and comes in on the other.
   * @param {Element} element @param {At} from @param {Spot} target @param {Point} offset @param {Animate} animate
   */
  #wrap(element, from, target, [dx, dy], animate) {
    sound("knock");
    const leaving = copyOf(element);
    this.#stage.layers.effects.append(leaving);
    const way = (/** @type {At} */ a, /** @type {At} */ b) => [a, b].map(({ x, y }) => ({ transform: at(x, y, target.size) }));
    const out = animate(leaving, way(from, { x: target.x + dx, y: target.y + dy }), TIMES.wrap);
    out.finished.then(() => leaving.remove(), () => {});
    return [out, animate(element, way({ x: from.x - dx, y: from.y - dy }, target), TIMES.wrap)];
  }

  /** @param {Element} element @param {At} from @param {Spot} target @param {Animate} animate */
  #fall(element, from, target, animate) {
    const cells = (target.y - from.y) / (2 * (this.#stage.geometry?.radius ?? 1));
    const still = (/** @type {number} */ y) => ({ transform: at(target.x, y, target.size) });
    const frames = [
      { ...still(from.y), easing: FALL },
      { ...still(target.y), offset: 0.82, easing: OUT },
      { ...still(target.y - 7), offset: 0.91, easing: "ease-in" },
      still(target.y),
    ];
    const falling = animate(element, frames, Math.min(TIMES.fall, TIMES.cell * Math.max(1, cells)), "linear");
    falling.finished.then(() => sound("thud"), () => {});
    return falling;
  }

  /** @param {Piece} piece @param {Context} context @returns {Animation[]} */
  #add(piece, { animate, geometry, pieces }) {
    const [element, place] = [pieces.elements(piece.id)[0], pieces.place(piece.id)];
    if (!element || !place) return [];
    const lane = geometry.cells.get(piece.cell)?.lane ?? null;
    if (lane !== null) {
      const above = { ...place, y: -geometry.radius * 1.2 };
      return [this.#fall(element, above, place, animate)];
    }
    const frames = [0.6, 1].map((part) => ({ transform: at(place.x, place.y, place.size * part), opacity: part === 1 ? 1 : 0 }));
    return [animate(element, frames, TIMES.grow, OUT)];
  }

  /** @param {string} how @param {Before} before @param {Context} context @returns {Animation[]} */
  #remove(how, { piece, place, clone }, { animate, geometry }) {
    if (!piece || !clone || !place) return [];
    this.#stage.layers.effects.append(clone);
    const { x, y, size } = place;
    const isBlown = how === "blown";
    const isBelow = (piece.owner ?? 0) === (geometry.isTurned ? 1 : 0);
    const away = how === "felled" || how === "dug" || isBlown ? 0 : (isBelow ? 1 : -1) * geometry.radius * 1.2;
    const last = { transform: at(x, y + away, size * (away ? 0.3 : isBlown ? 0.7 : 1)), opacity: 0 };
    const going = animate(clone, [{ transform: at(x, y, size), opacity: 1 }, last], TIMES.go, OUT);
    going.finished.then(() => clone.remove(), () => {});
    return isBlown ? [going, this.#blast(place, animate)] : [going];
  }

  /** A ring and spokes. @param {Spot} place @param {Animate} animate */
  #blast({ x, y, size }, animate) {
    sound("burst");
    const spokes = Array.from({ length: 8 }, (_, index) => {
      const [c, s] = [Math.cos((index * Math.PI) / 4), Math.sin((index * Math.PI) / 4)].map((part) => Math.round(part * 100) / 100);
      return `M${c * 0.7} ${s * 0.7}L${c * 1.15} ${s * 1.15}`;
    });
    const blast = svg("g", { class: "blast" }, svg("circle", { r: 0.62 }), svg("path", { d: spokes.join("") }));
    this.#stage.layers.effects.append(blast);
    const frames = [0.5, 1.05].map((part) => ({ transform: at(x, y, size * part), opacity: part > 1 ? 0 : 1 }));
    const animation = animate(blast, frames, TIMES.go * 1.2, OUT);
    animation.finished.then(() => blast.remove(), () => {});
    return animation;
  }

  /** A dot of the trail, where a piece was. @param {At} place */
  #dot({ x, y }) {
    this.#stage.layers.trail.append(svg("circle", { class: "dot", cx: round(x), cy: round(y), r: 6 }));
  }

  /**
   * Numbers that changed: grains that rise, arc one by one or go over together; beside the board they bump.
   * @param {Step[]} steps @param {Before[]} before @param {Context} context
   * @returns {{ made: Animation[], grown: Id | null }}
   */
  counted(steps, before, context) {
    const changes = steps.flatMap((step, index) => {
      const { counter, places = [] } = before[index];
      return step.is === "count" && counter ? [{ ...counter, by: step.value - counter.value, places }] : [];
    });
    const beside = changes.filter(({ cell }) => cell === null).flatMap(({ id }) => this.#bump(id, context));
    const onCells = changes.filter(({ cell, by }) => cell !== null && by !== 0);
    const growing = onCells.filter(({ by }) => by > 0);
    const falling = onCells.filter(({ by }) => by < 0);
    const made = growing.length > 0 ? this.#fly(growing, falling, context) : falling.flatMap((one) => this.#rise(one, context));
    return { made: [...beside, ...made], grown: (growing.at(-1) ?? falling.at(-1))?.cell ?? null };
  }

  /** @param {Id} id @param {Context} context */
  #bump(id, { animate }) {
    const value = this.#list.value(id);
    return value ? [animate(value, [1, 1.15, 1].map((scale) => ({ scale })), TIMES.bump)] : [];
  }

  /** @param {Change} change @param {Context} context */
  #rise({ places }, { animate }) {
    const hand = svg("g", { class: "count" }, ...places.map(({ x, y }) => svg("circle", { class: "loose", cx: round(x), cy: round(y), r: 8 })));
    this.#stage.layers.effects.append(hand);
    const rising = animate(hand, [{ transform: "none", opacity: 1 }, { transform: "translate(0px,-16px)", opacity: 0.2 }], TIMES.rise, OUT);
    rising.finished.then(() => hand.remove(), () => {});
    return [rising];
  }

  /**
   * New grains come from cells that lost some in the same beat, else from the cell of the beat before.
   * @param {Change[]} growing @param {Change[]} falling @param {Context} context
   */
  #fly(growing, falling, { animate, counts, geometry, last }) {
    sound("seed");
    const isCapture = falling.length > 0;
    const lost = falling.flatMap(({ owner, places, by }) => places.slice(by).map((place) => ({ ...place, owner })));
    /** @param {0 | 1 | null} owner @returns {At | undefined} */
    const from = (owner) => {
      const index = lost.findIndex((place) => place.owner === owner);
      return lost.splice(Math.max(0, index), 1)[0] ?? geometry.at(last ?? "");
    };
    return growing.flatMap(({ id, owner, by }) => {
      const [places, elements] = [counts.places(id), counts.grains(id)];
      return elements.slice(-by).flatMap((element, index) => {
        const [to, start] = [places[places.length - Math.min(by, places.length) + index], from(owner)];
        if (!to || !start) return [];
        const frames = arc({ x: start.x, y: start.y, size: to.scale }, { ...to, size: to.scale }, { swell: 1.25 });
        return [animate(element, frames, isCapture ? TIMES.capture : TIMES.seed, isCapture ? IN_OUT : OUT)];
      });
    });
  }
}
