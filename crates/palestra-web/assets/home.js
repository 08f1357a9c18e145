// The first page: the first move on the board opens a table where it has been played.

import "./board.js";

const form = document.querySelector(".first-move");
const board = form.querySelector("palestra-board");

board.playable = true;
board.addEventListener("choose", (event) => {
  board.playable = false;
  form.elements.namedItem("move").value = event.detail;
  form.requestSubmit();
});
// A page that the browser shows again after "back" can be played again.
addEventListener("pageshow", () => {
  board.playable = true;
});
