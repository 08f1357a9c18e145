// The moves of a game, a row for each round of turns: number, side 1, side 2. A move that is made is added to what is there,
// because a game may have hundreds.

/** @import { TableState } from "./state.js" */

import { make, part } from "./element.js";

/** The game that is drawn, and who plays side 1 in it. */
let game = "";
/** @type {[number, string][]} The seat and the text of each move that is drawn. */
let drawn = [];
/** @type {HTMLElement | null} The last of them. */
let current = null;

/** @param {TableState} table */
export function drawMoves(table) {
  const list = part("moves");
  const moves = table.view?.moves ?? [];
  const shown = `${table.now.number} ${table.now.first}`;
  const goesOn = shown === game && drawn.every(([seat, text], index) => moves[index]?.[0] === seat && moves[index][1] === text);
  if (goesOn && drawn.length === moves.length) return;
  if (!goesOn) {
    list.replaceChildren();
    drawn = [];
    current = null;
  }
  game = shown;
  for (const [seat, text] of moves.slice(drawn.length)) {
    const before = drawn.at(-1);
    const side = table.sideOf(seat);
    // A round begins when side 1 comes to move, or with the first move.
    if (!before || (side === 0 && table.sideOf(before[0]) === 1)) list.append(row(list.childElementCount + 1));
    current?.removeAttribute("aria-current");
    current = make("li", { className: `owner-${side}` }, text);
    list.lastElementChild?.children[1 + side].append(current);
    drawn.push([seat, text]);
  }
  current?.setAttribute("aria-current", "step");
  list.scrollTop = list.scrollHeight;
}

/** @param {number} number */
function row(number) {
  const columns = [make("span", { className: "number" }, String(number)), make("ol"), make("ol")];
  return make("div", { className: "turn" }, ...columns);
}
