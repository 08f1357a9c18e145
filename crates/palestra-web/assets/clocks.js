// The clocks of both seats. The server says what is left; here the one that runs goes on until it says more.

/** @import { Clocks as Left } from "./types" */

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

export class Clocks {
  /** @type {[number, number] | null} */
  #left = null;
  /** @type {number | null} */
  #running = null;
  #since = 0;
  #elements = [0, 1].map(() => Object.assign(document.createElement("time"), { className: "clock" }));

  constructor() {
    setInterval(() => this.#draw(), 100);
  }

  /**
   * Goes by what the server says. When a game is over, the clocks stand where they were.
   * @param {{ turn: number | null, clocks: Left }} state
   */
  set({ turn, clocks }) {
    if (clocks.left_ms === null && this.#left) {
      this.#left = [this.#now(this.#left, 0), this.#now(this.#left, 1)];
      this.#running = null;
      return;
    }
    this.#left = clocks.left_ms;
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

  /**
   * @param {[number, number]} left
   * @param {number} seat
   */
  #now(left, seat) {
    return left[seat] - (seat === this.#running ? performance.now() - this.#since : 0);
  }

  #draw() {
    const left = this.#left;
    if (!left) return;
    this.#elements.forEach((element, seat) => {
      const now = this.#now(left, seat);
      const text = written(now);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("low", now < LOW_MS && seat === this.#running);
    });
  }
}
