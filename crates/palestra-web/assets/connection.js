// The WebSocket of a table: connects, and connects again after a drop, from the last event that was seen.

/** @import { ToClient, Command } from "./types" */

const POLICY = 1008;

/** Nothing more will happen. */
const DONE = 1000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;

/** The server sends a keep-alive every 15 s: a browser that hears nothing for long has lost it, even if the socket is still open. */
const SILENCE = 50000;

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {number | null} */
  #seq = null;
  #wait = FIRST_WAIT;
  /** @type {number | undefined} */
  #silence;
  #path;
  #hear;
  #change;

  /**
   * @param {string} path the address of the socket
   * @param {(message: ToClient) => void} hear
   * @param {(isConnected: boolean) => void} change
   */
  constructor(path, hear, change) {
    this.#path = path;
    this.#hear = hear;
    this.#change = change;
    this.#connect();
  }

  /** @param {Command} command */
  send(command) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(command));
  }

  #connect() {
    const query = this.#seq === null ? "" : `?since=${this.#seq}`;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.#path}${query}`);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#listen();
      this.#wait = FIRST_WAIT;
      this.#change(true);
    });
    socket.addEventListener("message", (event) => {
      this.#listen();
      this.#take(JSON.parse(event.data));
    });
    socket.addEventListener("close", ({ code }) => this.#lost(code));
  }

  /** @param {ToClient} message */
  #take(message) {
    if ("seq" in message) {
      // After a drop the server begins with what was missed; what was seen before counts once.
      if (message.is !== "table" && this.#seq !== null && message.seq <= this.#seq) return;
      this.#seq = message.seq;
    }
    this.#hear(message);
  }

  #listen() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#socket?.close(), SILENCE);
  }

  /** @param {number} code */
  #lost(code) {
    // Signed out, here or elsewhere: the page is not what it was.
    if (code === POLICY) {
      location.reload();
      return;
    }
    clearTimeout(this.#silence);
    if (code === DONE) return;
    this.#change(false);
    // All browsers at once would be too much for a server that has just come back.
    setTimeout(() => this.#connect(), this.#wait * (0.5 + Math.random()));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }
}
