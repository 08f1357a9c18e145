// The board of the current node. Positions come from the server, which plays the moves that lead there; each is asked for once.

/** @import { Board, Scene, Step } from "./types" */
/** @import { Question } from "./recording" */
/** @import { Search } from "./search.js" */
/** @typedef {{ position: string, scene: Scene, steps: Step[], turn: 0 | 1 | null }} Ply */

import { emblem, make, part } from "./element.js";
import { asked, mayPass } from "./server.js";
import { say } from "./words.js";

/** How long the current node must stay the same before its board is asked for, in milliseconds. */
const REST_MS = 60;
const MAX_KEPT = 500;
/** How long until a board that did not come is asked for again, in milliseconds. */
const RETRY_MS = 3000;

const board = /** @type {Board} */ (document.querySelector("palestra-board"));

export class NodeBoard {
  /** @type {Map<string, Ply[]>} */
  #kept = new Map();
  #timer = 0;
  /** @type {string | null} */
  #wanted = null;
  /** @type {string | null} */
  #shown = null;

  /** Shows the board of a node; when it follows from the one that is shown, as a move. @param {Question} question @param {Search} search @param {number} node */
  show(question, search, node) {
    this.#draw(search, node);
    const moves = [...question.moves, ...search.moves(node)];
    const key = moves.join(" ");
    if (key === this.#wanted) return;
    this.#wanted = key;
    clearTimeout(this.#timer);
    // Until the board comes, the one that is there belongs to another node.
    board.classList.add("stale");
    const kept = this.#kept.get(key);
    if (kept) this.#take(key, kept, moves);
    else this.#timer = setTimeout(() => this.#ask(question, key, moves), REST_MS);
  }

  /** @param {Question} question @param {string} key @param {string[]} moves */
  async #ask(question, key, moves) {
    const { game, position, options } = question;
    const line = { game, position, options, moves, from: Math.max(0, moves.length - 1) };
    const answer = await asked("/api/v1/line", line).catch((/** @type {Error} */ error) => error);
    if (answer instanceof Error) {
      if (this.#wanted === key && mayPass(answer)) this.#timer = setTimeout(() => this.#ask(question, key, moves), RETRY_MS);
      return;
    }
    this.#kept.set(key, answer.plies);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    if (this.#wanted === key) this.#take(key, answer.plies, moves);
  }

  /** @param {string} key @param {Ply[]} plies @param {string[]} moves */
  #take(key, plies, moves) {
    const ply = plies[plies.length - 1];
    const isNext = this.#shown === moves.slice(0, -1).join(" ") && moves.length > 0;
    if (isNext) board.play(ply.steps, ply.scene);
    else board.scene = ply.scene;
    this.#shown = key;
    board.classList.remove("stale");
    for (const link of document.querySelectorAll("[data-position]")) {
      if (link instanceof HTMLAnchorElement) link.search = withPosition(link, ply.position);
    }
  }

  /** Who moves, and whether that is MAX. @param {Search} search @param {number} node */
  #draw(search, node) {
    const turn = search.tree.nodes.turn[node];
    const who = turn === null ? [say("game_over")] : [emblem(turn), " ", say(search.isMax(node) ? "moves_max" : "moves_min", turn + 1)];
    part("turn").replaceChildren(make("span", {}, ...who));
  }
}

/** @param {HTMLAnchorElement} link @param {string} position */
function withPosition(link, position) {
  const query = new URLSearchParams(link.search);
  query.set("position", position);
  query.delete("moves");
  return query.toString();
}
