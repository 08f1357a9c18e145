// The evaluation of a game: what each of its positions is worth, asked for in parts until all are known.

/** @import { Evaluated } from "./types" */
/** @typedef {import("./variations.js").Node} Node */

import { Lost, mayPass, reason, told } from "./server.js";
import { inTurn } from "./turns.js";
import { say } from "./words.js";

export class Evaluation {
  /** The positions of the game. @type {Node[]} */
  #line;
  #question;
  #changed;
  #stop = new AbortController();
  /** The first position that is not known. */
  #from = 0;
  /** What stands in the way, in words. */
  trouble = "";
  /** Whether it has ended before all was known, and may be tried again. */
  isStuck = false;

  /**
   * @param {Node[]} line the game, from its first position on
   * @param {{ game: string, position: string }} start
   * @param {() => void} changed called whenever more is known
   */
  constructor(line, { game, position }, changed) {
    this.#line = line;
    this.#question = { game, position, moves: line.slice(1).map(({ move }) => move) };
    this.#changed = changed;
    const unknown = line.findIndex(({ value, isHidden }) => !value && !isHidden);
    this.#from = unknown < 0 ? line.length : unknown;
  }

  get known() {
    return this.#from;
  }

  get isDone() {
    return this.#from >= this.#line.length;
  }

  stop() {
    this.#stop.abort();
  }

  /** Asks until all positions are known or the server refuses. */
  async run() {
    const { signal } = this.#stop;
    this.isStuck = false;
    this.#say("");
    try {
      while (!this.isDone) {
        await inTurn(() => this.#part(signal), signal, () => this.#say(say("waiting")));
      }
    } catch (error) {
      if (signal.aborted) return;
      this.isStuck = mayPass(error);
      this.#say(reason(error));
    }
  }

  /** @param {AbortSignal} signal */
  async #part(signal) {
    const before = this.#from;
    for await (const message of told("/api/v1/evaluate", { ...this.#question, from: this.#from }, signal)) this.#hear(message);
    if (this.#from === before) throw new Lost();
  }

  /** @param {Evaluated} message */
  #hear(message) {
    if (message.is === "more") return;
    const node = this.#line[message.ply];
    if (message.is === "hidden") node.isHidden = true;
    else {
      const { value, depth, best, cost } = message;
      Object.assign(node, { value, depth, best, cost });
    }
    this.#from = message.ply + 1;
    this.#say("");
  }

  /** @param {string} trouble */
  #say(trouble) {
    this.trouble = trouble;
    this.#changed();
  }
}
