// The first page: the first move on the board opens a table where it has been played.

/** @import { Board } from "./types" */

import "./board.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector(".first-move"));
const board = /** @type {Board} */ (form.querySelector("palestra-board"));
const move = /** @type {HTMLInputElement} */ (form.elements.namedItem("move"));

board.playable = true;
board.addEventListener("choose", (event) => {
  board.playable = false;
  move.value = /** @type {CustomEvent<string>} */ (event).detail;
  form.requestSubmit();
});
// A page that the browser shows again after "back" can be played again.
addEventListener("pageshow", () => {
  board.playable = true;
});
