// The engine's best moves for the position that is looked at, as it searches deeper.

/** @import { Finding, FindingLine, Value } from "./types" */
/** @typedef {import("./variations.js").Node} Node */

import { make, part, redraw } from "./element.js";
import { reason, told } from "./server.js";
import { setSetting, setting } from "./settings.js";
import { inTurn } from "./turns.js";
import { say } from "./words.js";
import { inWords, nodes, short } from "./worth.js";

/** While the visitor steps through a game nothing is searched. */
const PAUSE = 250;

export class Engine {
  #game;
  #names;
  #changed;
  #stop = new AbortController();
  /** @type {Node | null} */
  #node = null;
  isOn = setting("engine");
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
      await inTurn(search, signal, () => this.#draw("", say("waiting")));
    } catch (error) {
      if (!signal.aborted) this.#draw("", reason(error));
    }
  }

  /** @param {Node} node @param {Finding} finding @param {AbortSignal} signal */
  #hear(node, { depth, nodes: visited, lines, is }, signal) {
    if (signal.aborted) return;
    this.lines = lines;
    this.#draw(`${say("depth", depth)} · ${nodes(visited)}`);
    // The evaluation of the game is the same for everybody and stays; what was only tried is worth what is found now.
    if (is === "end" && node.isFree) Object.assign(node, { value: lines[0].value, depth, best: lines[0].moves });
    this.#changed(node);
  }

  #turn() {
    this.isOn = !this.isOn;
    setSetting("engine", this.isOn);
    this.look(this.#node);
    if (this.#node) this.#changed(this.#node);
  }

  /** @param {string} state @param {string} [trouble] what stands in the way */
  #draw(state, trouble = "") {
    this.#switch().setAttribute("aria-pressed", String(this.isOn));
    this.#switch().textContent = say(this.isOn ? "on" : "off");
    part("depth").textContent = this.isOn ? state : "";
    part("engine-trouble").textContent = trouble;
    const found = part("found");
    // The room for the lines stays while none are known: what is below does not jump with every step.
    found.style.setProperty("--lines", this.#count().value);
    found.hidden = !this.isOn || !this.#node || this.#node.isOver;
    while (found.children.length > this.lines.length) found.lastElementChild?.remove();
    this.lines.forEach((line, index) => this.#drawLine(line, index));
  }

  /** A line in its row, whose button stays: it can be clicked while the search goes on. @param {FindingLine} line @param {number} index */
  #drawLine({ value, moves }, index) {
    const row = part("found").children[index] ?? part("found").appendChild(make("li", {}, make("button", { type: "button" })));
    const button = /** @type {HTMLElement} */ (row.firstElementChild);
    const [first, ...rest] = moves;
    button.dataset.line = moves.join(" ");
    redraw(button, [value, moves], () => {
      const text = make("span", { className: "moves-of-line" }, make("b", {}, first), ` ${rest.join(" ")}`);
      return [chip(value, this.#names, index === 0 ? "best" : ""), text];
    });
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
