// The moves of a game, a row for each round of turns: number, side 1, side 2.

/** @import { TableState } from "./state.js" */

import { make, part } from "./element.js";

let drawn = "";

/** @param {TableState} table */
export function drawMoves(table) {
  const list = part("moves");
  const moves = table.view?.moves ?? [];
  const shows = JSON.stringify([table.now.number, table.now.first, moves]);
  if (shows === drawn) return;
  drawn = shows;
  const sides = moves.map(([seat]) => table.sideOf(seat));
  /** @type {HTMLElement[]} */
  const rows = [];
  moves.forEach(([, text], index) => {
    const side = sides[index];
    // A round begins when side 1 comes to move, or with the first move.
    if (index === 0 || (side === 0 && sides[index - 1] === 1)) rows.push(row(rows.length + 1));
    const cell = rows[rows.length - 1].children[1 + side];
    const item = make("li", { className: `owner-${side}` }, text);
    if (index === moves.length - 1) item.setAttribute("aria-current", "step");
    cell.append(item);
  });
  list.replaceChildren(...rows);
  list.scrollTop = list.scrollHeight;
}

/** @param {number} number */
function row(number) {
  const columns = [make("span", { className: "number" }, String(number)), make("ol"), make("ol")];
  return make("div", { className: "turn" }, ...columns);
}
