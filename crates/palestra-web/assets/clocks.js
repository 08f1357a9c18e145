// The clocks of both seats. The server says what is left; here the one that runs goes on until it says more.

/** Minutes and seconds, and tenths when there is little left. */
function written(ms) {
  const left = Math.max(0, ms);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export class Clocks {
  #left = null;
  #running = null;
  #since = 0;
  #elements = [0, 1].map(() => Object.assign(document.createElement("time"), { className: "clock" }));

  constructor() {
    setInterval(() => this.#draw(), 100);
  }

  /** Goes by a board. */
  set({ turn, clocks }) {
    this.#left = clocks.left_ms;
    this.#running = clocks.is_running ? turn : null;
    this.#since = performance.now();
    this.#draw();
  }

  stop() {
    if (this.#left && this.#running !== null) this.#left = [0, 1].map((seat) => this.#now(seat));
    this.#running = null;
  }

  /** Whether time is counted. */
  has() {
    return this.#left !== null;
  }

  element(seat) {
    return this.#elements[seat];
  }

  #now(seat) {
    return this.#left[seat] - (seat === this.#running ? performance.now() - this.#since : 0);
  }

  #draw() {
    if (!this.#left) return;
    this.#elements.forEach((element, seat) => {
      const text = written(this.#now(seat));
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("low", this.#now(seat) < 10_000);
    });
  }
}
