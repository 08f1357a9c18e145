// From the steps of a move to motion. Beats follow one another; each is put into the drawing at once, and then what changed
// comes from where it was. So a motion that is cut short is right already.

/** @import { Animate, Id, Model, Scene, Speed, Step } from "./drawing" */

import { Effects, isFar, TIMES } from "./effects.js";

/** @type {Record<string, number>} */
const FACTORS = { slow: 1.7, normal: 1, fast: 0.5 };
const LONGEST = 1200;

/** What a frame costs between two beats. */
const FRAME = 12;
const FADE = 80;

/** Moves that wait for their turn; if more come, what was to be shown before them is not. */
const MOST_WAITING = 3;

/** How much faster moves are while others wait. */
const HURRY = 2;

export class Motion {
  #stage;
  #effects;
  #draw;
  /** @type {Animation[]} */
  #running = [];
  /** @type {{ scene: Model, steps: Step[], speed: Speed }[]} */
  #waiting = [];
  #done = Promise.resolve(true);
  #run = 0;

  /** Whether something is under way. */
  isMoving = false;

  /**
   * @param {import("./stage.js").Stage} stage
   * @param {import("./counters.js").Counters} list
   * @param {(model: Model) => void} draw draws pieces and counters, and nothing else
   */
  constructor(stage, list, draw) {
    this.#stage = stage;
    this.#effects = new Effects(stage, list);
    this.#draw = draw;
  }

  /** Ends everything at once. */
  finish() {
    this.#run += 1;
    this.isMoving = false;
    this.#waiting = [];
    for (const animation of this.#running) animation.cancel();
    this.#running = [];
    this.#stage.layers.effects.replaceChildren();
  }

  /** One fade instead of all motion. @param {...Element} layers */
  async fade(...layers) {
    await this.#over(layers.map((layer) => layer.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: FADE })));
  }

  /**
   * Plays steps from a scene on, after those that are under way. Answers whether all were played to the end.
   * @param {Scene} scene @param {Step[]} steps @param {Speed} speed
   */
  play(scene, steps, speed) {
    if (this.#waiting.length >= MOST_WAITING) this.finish();
    this.#waiting.push({ scene, steps, speed });
    if (this.isMoving) for (const animation of this.#running) animation.updatePlaybackRate(HURRY);
    else this.#done = this.#playAll();
    return this.#done;
  }

  async #playAll() {
    const run = (this.#run += 1);
    this.isMoving = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (!(await this.#playOne(next, run))) return false;
    }
    this.finish();
    return true;
  }

  /** @param {{ scene: Model, steps: Step[], speed: Speed }} move @param {number} run */
  async #playOne({ scene, steps, speed }, run) {
    this.#stage.layers.trail.replaceChildren();
    const model = { pieces: [...scene.pieces], counters: [...scene.counters] };
    const beats = [...Map.groupBy(steps, ({ beat }) => beat).values()];
    const factor = this.#factor(model, beats, speed);
    /** @type {Id | null} */
    let last = null;
    for (const beat of beats) {
      const { animations, grown } = this.#beat(model, beat, this.#waiting.length > 0 ? factor / HURRY : factor, last);
      last = grown ?? last;
      if (!(await this.#over(animations)) || run !== this.#run) return false;
    }
    return true;
  }

  /** @param {Animation[]} animations */
  async #over(animations) {
    this.#running = animations;
    try {
      await Promise.all(animations.map(({ finished }) => finished));
      return true;
    } catch {
      return false;
    }
  }

  /** How much slower or faster than in the table: a move takes at most `LONGEST`. @param {Model} model @param {Step[][]} beats @param {Speed} speed */
  #factor({ pieces }, beats, speed) {
    const factor = FACTORS[speed] ?? 1;
    const where = new Map(pieces.map(({ id, cell }) => [id, cell]));
    const lengths = beats.map((beat) => Math.max(...beat.map((step) => this.#length(step, where))));
    const total = lengths.reduce((sum, length) => sum + length, 0) * factor;
    const allowed = LONGEST - FRAME * beats.length;
    return total > allowed ? (factor * Math.max(allowed, 0)) / total : factor;
  }

  /** About how long a step takes; `where` says on which cells pieces are, and follows them. @param {Step} step @param {Map<Id, Id>} where */
  #length(step, where) {
    if (step.is === "add") return TIMES.fall;
    if (step.is === "remove") return TIMES.go;
    if (step.is === "count") return TIMES.seed;
    const { geometry } = this.#stage;
    const [from, cell] = [geometry?.at(where.get(step.piece) ?? ""), geometry?.cells.get(step.to)];
    where.set(step.becomes ?? step.piece, step.to);
    if (!geometry || !from || !cell || geometry.wrap(from, cell)) return TIMES.wrap;
    return isFar(from, cell.place, geometry.radius) ? TIMES.far : TIMES.walk;
  }

  /**
   * Puts a beat into the drawing, and sets in motion what it changed.
   * @param {Model} model @param {Step[]} steps @param {number} factor @param {Id | null} last
   * @returns {{ animations: Animation[], grown: Id | null }}
   */
  #beat(model, steps, factor, last) {
    const { pieces, counts, geometry } = this.#stage;
    if (!geometry) return { animations: [], grown: null };
    const before = steps.map((step) => this.#effects.before(step, model));
    for (const step of steps) this.#apply(model, step);
    this.#draw(model);
    /** @type {Animate} */
    const animate = (element, frames, ms, easing = "cubic-bezier(.5,0,.2,1)") =>
      element.animate(frames, { duration: Math.max(1, ms * factor), easing });
    const context = { animate, last, geometry, pieces, counts };
    const animations = steps.flatMap((step, index) => this.#effects.moved(step, before[index], context) ?? []);
    const { made, grown } = this.#effects.counted(steps, before, context);
    return { animations: [...animations, ...made], grown };
  }

  /** @param {Model} model @param {Step} step */
  #apply(model, step) {
    /** @template {{ id: Id }} T @param {T[]} list @param {Id} id @param {Partial<T>} change @returns {T[]} */
    const replace = (list, id, change) => list.map((item) => (item.id === id ? { ...item, ...change } : item));
    if (step.is === "move") {
      const id = step.becomes ?? step.piece;
      this.#stage.pieces.rename(step.piece, id);
      model.pieces = replace(model.pieces, step.piece, { id, cell: step.to });
    } else if (step.is === "add") {
      model.pieces = [...model.pieces, step.piece];
    } else if (step.is === "remove") {
      model.pieces = model.pieces.filter(({ id }) => id !== step.piece);
    } else {
      model.counters = replace(model.counters, step.counter, { value: step.value });
    }
  }
}
