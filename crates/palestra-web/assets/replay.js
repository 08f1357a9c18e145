// The page of a finished game: goes through its positions, which the server makes one by one.

import "./board.js";

const replay = document.querySelector(".replay");
const board = replay.querySelector("palestra-board");
const shown = replay.querySelector("output");
const moves = [...replay.querySelectorAll("[data-ply]")];
const last = Number(replay.dataset.plies);
const scenes = new Map();
let ply = last;

async function sceneAt(wanted) {
  if (!scenes.has(wanted)) {
    const answer = await fetch(`${replay.dataset.scenes}${wanted}`);
    if (!answer.ok) throw new Error(`${answer.status}`);
    scenes.set(wanted, await answer.json());
  }
  return scenes.get(wanted);
}

async function go(to) {
  ply = Math.max(0, Math.min(last, to));
  const wanted = ply;
  shown.value = String(wanted);
  moves.forEach((move, index) => move.toggleAttribute("aria-current", index + 1 === wanted));
  const current = moves[wanted - 1];
  current?.parentElement.parentElement.scrollTo({ top: current.offsetTop - current.parentElement.parentElement.offsetTop - 40 });
  const scene = await sceneAt(wanted);
  // Whoever clicks fast is elsewhere by now.
  if (ply === wanted) board.scene = scene;
}

const steps = { first: () => 0, previous: () => ply - 1, next: () => ply + 1, last: () => last };
const keys = { Home: "first", ArrowLeft: "previous", ArrowRight: "next", End: "last" };

replay.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.go) go(steps[button.dataset.go]());
  if (button?.dataset.ply) go(Number(button.dataset.ply));
});
document.addEventListener("keydown", (event) => {
  const isElsewhere = event.target.closest("palestra-board, input, select, textarea");
  if (isElsewhere || event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
  event.preventDefault();
  go(steps[keys[event.key]]());
});
go(last);
