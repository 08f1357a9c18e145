// The rules of a game: fills the boards of the examples, replays their moves on request, and marks in the index what is being read.

/** @import { Board, Scene, Step } from "./types" */
/** @typedef {{ before: Scene, plies: { steps: Step[], scene: Scene }[] }} Replay */

import "./board.js";
import { fetched } from "./fetched.js";

/** Milliseconds between two moves of an example. */
const PAUSE = 450;

/** Pixels from the top of the window within which a section stands after its link was followed: the bar, and some space. */
const READING_TOP = 80;

const page = /** @type {HTMLElement} */ (document.querySelector("[data-replays]"));

/** How often each board was asked to show its moves: the next time begins anew. @type {WeakMap<Board, number>} */
const asked = new WeakMap();

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Goes back to where the moves begin, and plays them. @param {Board} board @param {Replay} replay */
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

/** @param {Element} example @param {Replay} replay */
function fill(example, replay) {
  const [before, after] = /** @type {Board[]} */ ([...example.querySelectorAll("palestra-board")]);
  before.scene = replay.before;
  const last = replay.plies.at(-1);
  if (!after || !last) return;
  after.scene = last.scene;
  example.querySelector("button")?.addEventListener("click", () => show(after, replay));
}

const replays = /** @type {Replay[]} */ (await fetched(page.dataset.replays ?? ""));
for (const example of page.querySelectorAll("[data-replay]")) fill(example, replays[Number(example.getAttribute("data-replay"))]);

const links = /** @type {HTMLAnchorElement[]} */ ([...page.querySelectorAll('.guide-index a[href^="#"]')]);

/**
 * Marks the section that is being read: the last that begins above a line, which goes from the top of the window to its bottom as the
 * page is scrolled, so that short sections at the end have their turn.
 */
function markSection() {
  const progress = scrollY / Math.max(1, document.documentElement.scrollHeight - innerHeight);
  const line = READING_TOP + progress * (innerHeight - READING_TOP);
  const begun = links.filter(({ hash }) => (document.querySelector(hash)?.getBoundingClientRect().top ?? 0) <= line);
  const current = begun.at(-1) ?? links[0];
  for (const link of links) {
    if (link === current) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  }
}

addEventListener("scroll", markSection, { passive: true });
markSection();
