// The engine's best moves for the position that is looked at, as it searches deeper.

/** @import { Finding, FindingLine, Value } from "./types" */
/** @typedef {import("./variations.js").Node} Node */

import { make, part } from "./element.js";
import { Lost, Refusal, told } from "./server.js";
import { inTurn } from "./turns.js";
import { say } from "./words.js";
import { inWords, nodes, short } from "./worth.js";

/** While somebody steps through a game nothing is searched. */
const PAUSE = 250;

const STORED = "palestra-engine";

export class Engine {
  #game;
  #names;
  #changed;
  #stop = new AbortController();
  /** @type {Node | null} */
  #node = null;
  isOn = localStorage.getItem(STORED) !== "off";
  /** The lines that were found for the node. @type {FindingLine[]} */
  lines = [];

  /**
   * @param {string} game @param {string[]} names of both sides
   * @param {(node: Node) => void} changed called when more was found for a node
   * @param {(node: Node, moves: string[]) => void} onTry called when a line is to be tried on the board
   */
  constructor(game, names, changed, onTry) {
    this.#game = game;
    this.#names = names;
    this.#changed = changed;
    this.#switch().addEventListener("click", () => this.#turn());
    this.#count().addEventListener("change", () => this.look(this.#node));
    part("found").addEventListener("click", ({ target }) => {
      const line = target instanceof Element ? target.closest("button")?.dataset.line : undefined;
      if (line && this.#node) onTry(this.#node, line.split(" "));
    });
    window.addEventListener("pagehide", () => this.#stop.abort());
  }

  /** Searches this position, and no other any more. @param {Node | null} node */
  async look(node) {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#node = node;
    this.lines = [];
    this.#draw("");
    if (!node || node.isOver || !this.isOn) return;
    const { signal } = this.#stop;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (signal.aborted) return;
    const question = { game: this.#game, position: node.ply.position, lines: Number(this.#count().value) };
    const search = async () => {
      for await (const finding of told("/api/analyse/stream", question, signal)) this.#hear(node, finding, signal);
    };
    try {
      this.#draw(say("thinking"));
      await inTurn(search, signal, () => this.#draw(say("waiting")));
    } catch (error) {
      if (signal.aborted) return;
      this.#draw(error instanceof Refusal ? error.message : error instanceof Lost ? say("lost_connection") : String(error));
    }
  }

  /** @param {Node} node @param {Finding} finding @param {AbortSignal} signal */
  #hear(node, { depth, nodes: visited, lines, is }, signal) {
    if (signal.aborted) return;
    this.lines = lines;
    this.#draw(`${say("depth", depth)} · ${nodes(visited)}`);
    // The evaluation of the game is the same for everybody and stays; what was only tried is worth what is found now.
    if (is === "end" && !node.isGame) Object.assign(node, { value: lines[0].value, depth, best: lines[0].moves });
    this.#changed(node);
  }

  #turn() {
    this.isOn = !this.isOn;
    localStorage.setItem(STORED, this.isOn ? "on" : "off");
    this.look(this.#node);
    if (this.#node) this.#changed(this.#node);
  }

  /** @param {string} state */
  #draw(state) {
    this.#switch().setAttribute("aria-pressed", String(this.isOn));
    this.#switch().textContent = say(this.isOn ? "on" : "off");
    part("depth").textContent = this.isOn ? state : "";
    const { lines } = this;
    part("found").replaceChildren(...lines.map((line, index) => this.#line(line, index)));
    part("found").toggleAttribute("hidden", !this.isOn || lines.length === 0);
  }

  /** @param {FindingLine} line @param {number} index */
  #line({ value, moves }, index) {
    const [first, ...rest] = moves;
    const text = make("span", { className: "moves-of-line" }, make("b", {}, first), ` ${rest.join(" ")}`);
    const button = make("button", { type: "button" }, chip(value, this.#names, index === 0 ? "best" : ""), text);
    button.dataset.line = moves.join(" ");
    return make("li", {}, button);
  }

  #switch() {
    return part("engine-switch");
  }

  #count() {
    return /** @type {HTMLSelectElement} */ (part("line-count"));
  }
}

/** A value in a box, with its words for screen readers. @param {Value} value @param {string[]} names @param {string} kind */
export function chip(value, names, kind = "") {
  const words = inWords(value, names);
  const shown = make("span", { ariaHidden: "true" }, short(value));
  return make("span", { className: `chip ${kind}`, title: words }, shown, make("span", { className: "unseen" }, `${words} `));
}
