// Questions of one kind to the engine, of which a newer one may replace those that are under way.

import { asked } from "./server.js";
import { inTurn } from "./turns.js";

export class Asking {
  #abort = new AbortController();

  /** Nobody waits any more for what was asked; the signal says when that is so of what is asked from now on. */
  forget() {
    this.#abort.abort();
    this.#abort = new AbortController();
    return this.#abort.signal;
  }

  /**
   * The answer to a question; null if it was forgotten.
   * @param {string} address @param {unknown} question @returns {Promise<any>}
   */
  async ask(address, question) {
    const { signal } = this.#abort;
    try {
      return await inTurn(() => asked(address, question, signal), signal, () => {});
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }
}
