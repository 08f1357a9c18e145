// The end of a game: a panel over the board that can be closed. It says what the reader wants to know: whether they won.

/** @import { Board, Ended } from "./types" */
/** @import { TableState } from "./state.js" */

import { emblem, make, named, part, redraw } from "./element.js";
import { say } from "./words.js";

/** The game whose panel was closed. */
let closed = 0;

/**
 * Who won, as the reader sees it.
 * @param {TableState} table
 * @param {Ended} ended
 */
export function outcome(table, { winner }) {
  if (winner === null) return say("drawn");
  const isOnePlayer = table.you.seats.length === 1;
  if (!isOnePlayer) return say("won", table.whoIs(winner));
  return say(table.isYours(winner) ? "you_won" : "you_lost");
}

/**
 * Why, as the reader sees it.
 * @param {TableState} table
 * @param {Ended} ended
 */
export function why(table, { winner, reason }) {
  const byRules = reason === "finished" ? table.scene?.end : null;
  if (byRules) return /** @type {Board} */ (document.querySelector("palestra-board")).text(byRules);
  const loser = winner === null ? null : 1 - winner;
  if (loser === null) return say(`ended.${reason}`, "");
  const isLoser = table.you.seats.length === 1 && table.isYours(loser);
  return isLoser ? say(`lost.${reason}`) : say(`ended.${reason}`, table.whoIs(loser));
}

/**
 * @param {TableState} table
 * @param {() => void} rematch
 */
export function drawResult(table, rematch) {
  const { ended, number, rematch_asked: asked } = table.now;
  const panel = part("result");
  panel.hidden = !ended || closed === number;
  if (!ended) return;
  panel.classList.toggle("low", isLineAbove(table));
  const mayRematch = ended.is_last && table.you.seats.some((seat) => !asked[seat]);
  redraw(panel, [ended, table.now.seats, table.you, mayRematch], () => contents(table, ended, mayRematch ? rematch : null));
}

/**
 * Whether the line that decided the game is in the upper half of the board: then the panel is below it.
 * @param {TableState} table
 */
function isLineAbove(table) {
  const cells = (table.scene?.line ?? []).map((id) => document.querySelector(`palestra-board [data-id="${CSS.escape(id)}"]`));
  const boxes = cells.flatMap((cell) => (cell ? [cell.getBoundingClientRect()] : []));
  const board = part("result").parentElement?.getBoundingClientRect();
  if (!board || boxes.length === 0) return false;
  const middle = boxes.reduce((sum, box) => sum + box.top + box.height / 2, 0) / boxes.length;
  return middle < board.top + board.height / 2;
}

/**
 * @param {TableState} table
 * @param {Ended} ended
 * @param {(() => void) | null} rematch
 */
function contents(table, ended, rematch) {
  const close = make("button", { className: "button quiet square close", type: "button" }, "×");
  close.setAttribute("aria-label", say("close"));
  close.addEventListener("click", () => {
    closed = table.now.number;
    part("result").hidden = true;
  });
  const score = [0, 1].map((side) => {
    const seat = side === 0 ? table.now.first : 1 - table.now.first;
    return make("li", {}, emblem(side), named(table.whoIs(seat)), make("b", {}, String(ended.points[seat])));
  });
  /** @type {HTMLElement[]} */
  const lines = [close, make("h2", {}, outcome(table, ended)), make("p", {}, why(table, ended))];
  if (table.now.points) lines.push(make("ul", { className: "score" }, ...score));
  const games = table.view?.games ?? 1;
  if (games > 1) lines.push(make("p", {}, say("match", ...ended.wins, ...ended.total)));
  if (!ended.is_last) lines.push(make("p", {}, say("next_soon")));
  const links = make("div", { className: "links" });
  if (rematch) links.append(make("button", { className: "button primary", type: "button", onclick: rematch }, say("rematch")));
  links.append(make("a", { className: "button", href: `/games/${ended.game}` }, say("replay")));
  links.append(make("a", { className: "button", href: `/games/${ended.game}/analyse` }, say("analyse")));
  return [...lines, links];
}
