// The rules of a game: fills the boards of the examples, and shows on request how a move goes.

/** @import { Board, Scene, Step } from "./types" */
/** @typedef {{ before: Scene, plies: { steps: Step[], scene: Scene }[] }} Film */

import "./board.js";
import { fetched } from "./fetched.js";

/** Milliseconds between two moves of an example. */
const PAUSE = 450;

const page = /** @type {HTMLElement} */ (document.querySelector("[data-films]"));

/** How often each board was asked to show its moves: whoever asks again begins anew. @type {WeakMap<Board, number>} */
const asked = new WeakMap();

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Goes back to where the moves begin, and plays them. @param {Board} board @param {Film} film */
async function show(board, { before, plies }) {
  const turn = (asked.get(board) ?? 0) + 1;
  asked.set(board, turn);
  board.scene = before;
  for (const { steps, scene } of plies) {
    await wait(PAUSE);
    if (asked.get(board) !== turn) return;
    await board.play(steps, scene);
  }
}

/** @param {Element} example @param {Film} film */
function fill(example, film) {
  const [before, after] = /** @type {Board[]} */ ([...example.querySelectorAll("palestra-board")]);
  before.scene = film.before;
  const last = film.plies.at(-1);
  if (!after || !last) return;
  after.scene = last.scene;
  example.querySelector("button")?.addEventListener("click", () => show(after, film));
}

const films = /** @type {Film[]} */ (await fetched(page.dataset.films ?? ""));
for (const example of page.querySelectorAll("[data-film]")) fill(example, films[Number(example.getAttribute("data-film"))]);
