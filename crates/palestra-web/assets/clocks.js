// The clocks of both seats. The server says what is left and what was used; here the one that runs goes on until it says
// more.

/** @import { Clocks as Left } from "./types" */

import { say } from "./words.js";

const LOW_MS = 10_000;

/**
 * Minutes and seconds, and tenths when there is little left.
 * @param {number} ms
 */
function written(ms) {
  const left = Math.max(0, ms);
  if (left < LOW_MS) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/**
 * A time that was used: seconds with tenths, then as a clock shows it.
 * @param {number} ms
 */
const spent = (ms) => (ms < 60_000 ? say("seconds", (ms / 1000).toFixed(1)) : written(ms));

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {string} className */
const pair = (className) => [0, 1].map(() => Object.assign(document.createElement("time"), { className }));

export class Clocks {
  /** @type {[number, number] | null} */
  #left = null;
  /** @type {[number, number] | null} */
  #used = null;
  /** @type {number | null} */
  #running = null;
  #since = 0;
  /** The time for a move or for the game: little of it is left below a third. */
  limit = LOW_MS;
  #elements = pair("clock");
  #usedElements = pair("used");

  constructor() {
    setInterval(() => this.#draw(), 100);
  }

  /**
   * Goes by what the server says. When a game is over, the clocks stand where they were.
   * @param {{ turn: number | null, clocks: Left }} state
   */
  set({ turn, clocks }) {
    if (clocks.left_ms === null && this.#left) {
      this.#left = [this.#left[0] - this.#passed(0), this.#left[1] - this.#passed(1)];
      this.#running = null;
      return;
    }
    this.#left = clocks.left_ms;
    this.#used = clocks.used_ms;
    this.#running = clocks.is_running ? turn : null;
    this.#since = performance.now();
    this.#draw();
  }

  /** Whether time is counted. */
  has() {
    return this.#left !== null;
  }

  /** @param {number} seat */
  element(seat) {
    return this.#elements[seat];
  }

  /** Whether it is known what was used. */
  hasUsed() {
    return this.#used !== null;
  }

  /** @param {number} seat */
  used(seat) {
    return this.#usedElements[seat];
  }

  /**
   * The time since the server said how the clocks are, for the seat whose clock runs.
   * @param {number} seat
   */
  #passed(seat) {
    return seat === this.#running ? performance.now() - this.#since : 0;
  }

  #draw() {
    const [left, used] = [this.#left, this.#used];
    for (const seat of [0, 1]) {
      if (left) {
        const now = left[seat] - this.#passed(seat);
        write(this.#elements[seat], written(now));
        this.#elements[seat].classList.toggle("low", now < Math.min(LOW_MS, this.limit / 3) && seat === this.#running);
      }
      if (used) write(this.#usedElements[seat], say("used", spent(used[seat] + this.#passed(seat))));
    }
  }
}
