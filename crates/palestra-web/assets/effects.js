// How each step of a move looks: walks, arcs, falls, blasts, grains that fly. Everything is in its place already; an animation
// only says where it comes from, or where what is gone goes to.

import { svg } from "./dom.js";
import { distance, round } from "./geometry.js";
import { sound } from "./sound.js";

/** Milliseconds at normal speed. */
export const TIMES = { rise: 90, seed: 90, capture: 260, walk: 110, far: 420, cell: 60, fall: 320, wrap: 180, grow: 140, go: 180, bump: 140 };
const OUT = "cubic-bezier(.2,.7,.2,1)";
const IN_OUT = "cubic-bezier(.5,0,.2,1)";
const FALL = "cubic-bezier(.5,0,.9,.6)";

const at = (x, y, size) => `translate(${round(x)}px,${round(y)}px) scale(${round(size * 100) / 100})`;

/** Points of an arc from one place to another, as keyframes. */
function arc(from, to, { lift = 0.28, swell = 1.1 } = {}) {
  const high = Math.min(160, distance(from, to) * lift + 12);
  return Array.from({ length: 9 }, (_, index) => {
    const part = index / 8;
    const hump = 4 * part * (1 - part);
    const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part - high * hump];
    return { transform: at(x, y, (from.size + (to.size - from.size) * part) * (1 + (swell - 1) * hump)) };
  });
}

/** A distance that is walked; what is further flies. */
export const isFar = (from, to, radius) => distance(from, to) > 4.5 * radius;

export class Effects {
  #stage;
  #list;

  /**
   * @param {import("./stage.js").Stage} stage
   * @param {import("./counts.js").CounterList} list
   */
  constructor(stage, list) {
    this.#stage = stage;
    this.#list = list;
  }

  /** What has to be known of a step before it happens. */
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

  /** A copy of a piece that outlives it. */
  #clone(id) {
    const clone = this.#stage.pieces.elements(id)[0]?.cloneNode(true);
    clone?.removeAttribute("data-id");
    return clone;
  }

  /** The animations of a step on pieces. */
  moved(step, before, context) {
    if (step.is === "move") return this.#move(step, before, context);
    if (step.is === "add") return this.#add(step.piece, context);
    if (step.is === "remove") return this.#remove(step, before, context);
    return [];
  }

  #move({ becomes, to }, { piece, place: from }, { animate, geometry, pieces }) {
    const [element, target, cell] = [pieces.elements(becomes)[0], pieces.place(becomes), geometry.cells.get(to)];
    if (!element || !from || !target || !cell) return [];
    const offset = geometry.wrap(from, cell);
    if (offset) return this.#wrap(element, from, target, offset, animate);
    const lane = geometry.cells.get(piece.cell)?.lane;
    if (lane !== null && lane === cell.lane && target.y > from.y) return [this.#fall(element, from, target, animate)];
    sound("knock");
    if (isFar(from, target, geometry.radius)) return [animate(element, arc(from, target), TIMES.far)];
    this.#dot(from);
    const frames = [from, target].map(({ x, y, size }) => ({ transform: at(x, y, size) }));
    return [animate(element, frames, TIMES.walk * (cell.polygon.length === 6 ? 1.6 : 1))];
  }

  /** Over the edge of a torus: it leaves on one side, and comes in on the other. */
  #wrap(element, from, target, [dx, dy], animate) {
    sound("knock");
    const leaving = element.cloneNode(true);
    leaving.removeAttribute("data-id");
    this.#stage.layers.effects.append(leaving);
    const way = (a, b) => [a, b].map(({ x, y }) => ({ transform: at(x, y, target.size) }));
    const out = animate(leaving, way(from, { x: target.x + dx, y: target.y + dy }), TIMES.wrap);
    out.finished.then(() => leaving.remove(), () => {});
    return [out, animate(element, way({ x: from.x - dx, y: from.y - dy }, target), TIMES.wrap)];
  }

  #fall(element, from, target, animate) {
    const cells = (target.y - from.y) / (2 * this.#stage.geometry.radius);
    const still = (y) => ({ transform: at(target.x, y, target.size) });
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

  #add(piece, { animate, geometry, pieces }) {
    const [element, place] = [pieces.elements(piece.id)[0], pieces.place(piece.id)];
    if (!element || !place) return [];
    const cell = geometry.cells.get(piece.cell);
    if (cell.lane !== null) {
      const above = { ...place, y: -geometry.radius * 1.2 };
      return [this.#fall(element, above, place, animate)];
    }
    const frames = [0.6, 1].map((part) => ({ transform: at(place.x, place.y, place.size * part), opacity: part === 1 ? 1 : 0 }));
    return [animate(element, frames, TIMES.grow, OUT)];
  }

  #remove({ how }, { piece, place, clone }, { animate, geometry }) {
    if (!clone || !place) return [];
    this.#stage.layers.effects.append(clone);
    const { x, y, size } = place;
    const going = [];
    const isBlown = how === "blown";
    if (isBlown) going.push(this.#blast(place, animate));
    const isBelow = (piece.owner ?? 0) === (geometry.isTurned ? 1 : 0);
    const away = how === "felled" || how === "dug" || isBlown ? 0 : (isBelow ? 1 : -1) * geometry.radius * 1.2;
    const last = { transform: at(x, y + away, size * (away ? 0.3 : isBlown ? 0.7 : 1)), opacity: 0 };
    going.push(animate(clone, [{ transform: at(x, y, size), opacity: 1 }, last], TIMES.go, OUT));
    going.at(-1).finished.then(() => clone.remove(), () => {});
    return going;
  }

  /** A ring and spokes. */
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

  /** A dot of the trail, where a piece was. */
  #dot({ x, y }) {
    this.#stage.layers.trail.append(svg("circle", { class: "dot", cx: round(x), cy: round(y), r: 6 }));
  }

  /** Numbers that changed: grains that rise, arc one by one or go over together; beside the board they bump. */
  counted(steps, before, context) {
    const changes = steps.flatMap((step, index) => {
      const { counter, places } = before[index];
      return step.is === "count" && counter ? [{ ...counter, by: step.value - counter.value, places }] : [];
    });
    const beside = changes.filter(({ cell }) => cell === null).map(({ id }) => this.#bump(id, context)).filter(Boolean);
    const onCells = changes.filter(({ cell, by }) => cell !== null && by !== 0);
    const growing = onCells.filter(({ by }) => by > 0);
    const falling = onCells.filter(({ by }) => by < 0);
    const made = growing.length > 0 ? this.#fly(growing, falling, context) : falling.flatMap((one) => this.#rise(one, context));
    return { made: [...beside, ...made], grown: (growing.at(-1) ?? falling.at(-1))?.cell };
  }

  #bump(id, { animate }) {
    const value = this.#list.value(id);
    return value && animate(value, [{ scale: 1 }, { scale: 1.15 }, { scale: 1 }], TIMES.bump);
  }

  #rise({ places }, { animate }) {
    const hand = svg("g", { class: "count" }, ...places.map(({ x, y }) => svg("circle", { class: "loose", cx: round(x), cy: round(y), r: 8 })));
    this.#stage.layers.effects.append(hand);
    const rising = animate(hand, [{ transform: "none", opacity: 1 }, { transform: "translate(0px,-16px)", opacity: 0.2 }], TIMES.rise, OUT);
    rising.finished.then(() => hand.remove(), () => {});
    return [rising];
  }

  /** New grains come from cells that lost some in the same beat, else from the cell of the beat before. */
  #fly(growing, falling, { animate, counts, geometry, last }) {
    sound("seed");
    const isCapture = falling.length > 0;
    const lost = falling.flatMap(({ owner, places, by }) => places.slice(by).map((place) => ({ ...place, owner })));
    const from = (owner) => {
      const index = lost.findIndex((place) => place.owner === owner);
      return lost.splice(Math.max(0, index), 1)[0] ?? geometry.at(last);
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
