// The page of a finished game: goes through its positions, which the server makes one by one.

/** @import { Board, Scene } from "./types" */

import "./board.js";

const replay = /** @type {HTMLElement} */ (document.querySelector(".replay"));
const board = /** @type {Board} */ (replay.querySelector("palestra-board"));
const shown = /** @type {HTMLOutputElement} */ (replay.querySelector("output"));
const list = /** @type {HTMLElement} */ (replay.querySelector(".moves"));
const moves = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[data-ply]")]);
const last = Number(replay.dataset.plies);
/** @type {Map<number, Scene>} */
const scenes = new Map();
let ply = last;

/** Room above the current move in the list, in pixels. */
const ROOM_ABOVE = 40;

/** @param {number} wanted */
async function sceneAt(wanted) {
  const known = scenes.get(wanted);
  if (known) return known;
  const answer = await fetch(`${replay.dataset.scenes}${wanted}`);
  if (!answer.ok) throw new Error(`${answer.status}`);
  const scene = /** @type {Scene} */ (await answer.json());
  scenes.set(wanted, scene);
  return scene;
}

/** @param {number} to */
async function go(to) {
  ply = Math.max(0, Math.min(last, to));
  const wanted = ply;
  shown.value = String(wanted);
  moves.forEach((move, index) => move.toggleAttribute("aria-current", index + 1 === wanted));
  const current = moves[wanted - 1];
  if (current) list.scrollTo({ top: current.offsetTop - list.offsetTop - ROOM_ABOVE });
  const scene = await sceneAt(wanted);
  // A person who clicks fast is elsewhere by now.
  if (ply === wanted) board.scene = scene;
}

/** @type {Record<string, () => number>} */
const steps = { first: () => 0, previous: () => ply - 1, next: () => ply + 1, last: () => last };
/** @type {Record<string, string>} */
const keys = { Home: "first", ArrowLeft: "previous", ArrowRight: "next", End: "last" };

replay.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  if (button?.dataset.go) go(steps[button.dataset.go]());
  if (button?.dataset.ply) go(Number(button.dataset.ply));
});
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  const isElsewhere = target instanceof Element && target.closest("palestra-board, input, select, textarea");
  if (isElsewhere || event.ctrlKey || event.altKey || event.metaKey || !keys[key]) return;
  event.preventDefault();
  go(steps[keys[key]]());
});
go(last);
