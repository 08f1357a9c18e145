// Stepping through lines: buttons, keys, playing by itself, mistakes; and what is done with side lines.

/** @import { Board } from "./types" */
/** @typedef {import("./variations.js").Node} Node */
/** @typedef {{ tree: import("./variations.js").Variations, board: Board, go: (node: Node | undefined) => void, drawAll: () => void }} Steppable */

import { part } from "./element.js";

/** @type {Record<string, string>} */
const KEYS = {
  Home: "first",
  ArrowLeft: "previous",
  ArrowRight: "next",
  End: "last",
  ArrowUp: "previous-mistake",
  ArrowDown: "next-mistake",
};

/** @param {Steppable} page */
export function startSteps(page) {
  let timer = 0;
  const { tree } = page;
  const mistakes = () => tree.main.filter(({ cost }) => cost?.mistake);
  /** A mistake is looked at from before it: there is what would have been better. @type {Record<string, () => Node | undefined | null>} */
  const ways = {
    first: () => tree.root,
    previous: () => tree.current.parent,
    next: () => tree.current.children[0],
    last: () => tree.line(tree.current).at(-1),
    "previous-mistake": () => mistakes().findLast(({ number }) => number <= tree.current.number)?.parent,
    "next-mistake": () => mistakes().find(({ number }) => number > tree.current.number + 1)?.parent,
    "back-to-game": () => tree.inGame(tree.current),
  };
  const go = (/** @type {string} */ way) => {
    const node = ways[way]?.();
    if (node) page.go(node);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    press(false);
  };
  const play = () => {
    if (timer !== 0) return stop();
    if (!tree.current.children[0]) go("first");
    press(true);
    const beat = () => {
      const next = tree.current.children[0];
      if (!next) return stop();
      page.go(next);
    };
    beat();
    timer = setInterval(beat, Number(/** @type {HTMLSelectElement} */ (part("speed")).value));
  };
  /** @type {Record<string, () => void>} */
  const deeds = {
    play,
    promote: () => tree.promote(tree.current),
    remove: () => {
      tree.remove(tree.current);
      page.go(tree.current);
    },
    turn: () => turn(page.board),
    load: () => /** @type {HTMLDialogElement} */ (part("load")).showModal(),
    "close-load": () => /** @type {HTMLDialogElement} */ (part("load")).close(),
  };
  part("speed").addEventListener("change", () => {
    if (timer === 0) return;
    stop();
    play();
  });
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const { go: way, node, do: deed } = button?.dataset ?? {};
    if (way || node) stop();
    if (way) go(way);
    if (node) page.go(tree.get(Number(node)));
    if (deed && deeds[deed]) deeds[deed]();
    if (deed === "promote" || deed === "remove") page.drawAll();
  });
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open], [popover]:popover-open")) return;
    const isElsewhere = target instanceof Element && target.closest("palestra-board, input, select, textarea, [role=tab]");
    if (isElsewhere) return;
    // The space bar presses a button that has the focus.
    if (key === " " && !(target instanceof Element && target.closest("button, a, summary"))) play();
    else if (KEYS[key]) {
      stop();
      go(KEYS[key]);
    } else return;
    event.preventDefault();
  });
  page.board.addEventListener("choose", stop);
  for (const tab of document.querySelectorAll("[role=tab]")) tab.addEventListener("click", () => choose(tab));
  document.querySelector("[role=tablist]")?.addEventListener("keydown", (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    const other = document.querySelector("[role=tab][aria-selected=false]");
    if (other instanceof HTMLElement) {
      choose(other);
      other.focus();
    }
  });
}

/** @param {boolean} isOn */
function press(isOn) {
  for (const button of document.querySelectorAll("[data-do=play]")) button.setAttribute("aria-pressed", String(isOn));
}

/** The board from the other side, with the players' bars. @param {Board} board */
function turn(board) {
  board.side = board.side === 0 ? 1 : 0;
  document.querySelector(".analysis")?.classList.toggle("turned", board.side === 1);
}

/** @param {Element} tab */
function choose(tab) {
  for (const each of document.querySelectorAll("[role=tab]")) {
    const isChosen = each === tab;
    each.setAttribute("aria-selected", String(isChosen));
    each.setAttribute("tabindex", isChosen ? "0" : "-1");
    const panel = document.getElementById(each.getAttribute("aria-controls") ?? "");
    if (panel) panel.hidden = !isChosen;
  }
}
