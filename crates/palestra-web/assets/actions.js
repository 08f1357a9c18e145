// What a person can do at a table besides moving: buttons, questions of the other player, and the controls of a table at
// which no other person plays.

/** @import { Command } from "./types" */
/** @import { TableState } from "./state.js" */

import { make, part, redraw } from "./element.js";
import { say } from "./words.js";

/** @typedef {(command: Command) => void} Send */

/** @param {string} name */
const buttons = (name) => /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll(`[data-do="${name}"]`)]);

/** @param {TableState} table */
export function drawActions(table) {
  const { status, draw_offered: drawOffered, take_back_asked: takeBackAsked, rematch_asked: asked, ended } = table.now;
  const isPlaying = status === "playing" && table.you.seats.length > 0;
  const mayTakeBack = isPlaying && !table.view?.is_rated && takeBackAsked === null && table.now.ply > 0;
  const mayRematch = status === "over" && ended?.is_last && table.you.seats.some((seat) => !asked[seat]);
  show("take_back", mayTakeBack);
  show("draw", isPlaying && drawOffered === null && !table.now.is_solo);
  show("leave", status === "waiting" && table.you.seats.length > 0);
  show("rematch", mayRematch);
  for (const button of document.querySelectorAll("[data-ask=resign]")) button.toggleAttribute("hidden", !isPlaying);
  part("locked").hidden = !(isPlaying && table.view?.is_rated);
  const hasAny = part("actions").querySelector("button:not([hidden])") !== null;
  part("actions").hidden = !hasAny;
  drawSolo(table);
}

/**
 * @param {string} name
 * @param {boolean | undefined} isShown
 */
function show(name, isShown) {
  for (const button of buttons(name)) button.hidden = !isShown;
}

/** @param {TableState} table */
function drawSolo(table) {
  const { status, stand_in: standIn, seats, first } = table.now;
  part("solo").hidden = !table.isSolo || status === "waiting";
  const canStandIn = status === "playing" && table.you.seats.length > 0;
  part("stand-in").hidden = !canStandIn;
  show("stop_stand_in", standIn !== null);
  for (const button of part("stand-in").querySelectorAll("[data-moves]")) button.toggleAttribute("disabled", standIn !== null);
  show("change_sides", status === "playing");
  show("play_from_here", status === "playing" && table.now.ply > 0);
  for (const select of /** @type {NodeListOf<HTMLSelectElement>} */ (part("solo").querySelectorAll("[data-side]"))) {
    const seat = select.dataset.side === "1" ? first : 1 - first;
    const { kind, name } = seats[seat];
    const value = kind === "account" || kind === "guest" ? "me" : name;
    const known = [...select.options].find((option) => option.value === value || option.value === `own:${value}`);
    if (known && document.activeElement !== select) select.value = known.value;
  }
}

/**
 * The question of the other player, with its answers; near the board.
 * @param {TableState} table
 * @param {Send} send
 */
export function drawQuestion(table, send) {
  const { draw_offered: draw, take_back_asked: takeBack, rematch_asked: rematch, status } = table.now;
  const asks = rematch.findIndex((isAsked) => isAsked);
  /** @type {[string, number, [string, Command][]][]} */
  const questions = [];
  if (draw !== null) questions.push(["draw", draw, [["draw_accept", { do: "draw" }], ["draw_decline", { do: "decline_draw" }]]]);
  if (takeBack !== null) {
    const answers = /** @type {[string, Command][]} */ ([["take_back_allow", { do: "take_back" }], ["take_back_decline", { do: "decline_take_back" }]]);
    questions.push(["take_back", takeBack, answers]);
  }
  if (status === "over" && asks >= 0) questions.push(["rematch", asks, [["rematch", { do: "rematch" }]]]);
  const element = part("question");
  element.hidden = questions.length === 0;
  redraw(element, [questions, table.you], () => questions.map(([word, seat, answers]) => question(table, word, seat, answers, send)));
}

/**
 * @param {TableState} table
 * @param {string} word
 * @param {number} seat
 * @param {[string, Command][]} answers
 * @param {Send} send
 */
function question(table, word, seat, answers, send) {
  const asked = word === "draw" ? "draw_offered" : `${word}_asked`;
  if (table.isYours(seat)) return make("p", {}, say(`${word}_yours`));
  const row = make("div", {}, make("p", {}, say(asked, table.nameOf(seat))));
  if (table.you.seats.length === 0) return row;
  const made = answers.map(([text, command]) => {
    const button = make("button", { className: "button small", type: "button", onclick: () => send(command) }, say(text));
    button.dataset.answer = command.do;
    return button;
  });
  row.append(make("div", { className: "answers" }, ...made));
  return row;
}

/**
 * Connects the buttons of the page.
 * @param {TableState} table
 * @param {Send} send
 */
export function startActions(table, send) {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button[data-do]") : null;
    if (button instanceof HTMLElement) send(/** @type {Command} */ ({ do: button.dataset.do }));
  });
  const dialog = /** @type {HTMLDialogElement} */ (part("resign"));
  document.querySelector("[data-ask=resign]")?.addEventListener("click", () => dialog.showModal());
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "resign") send({ do: "resign" });
    dialog.returnValue = "";
  });
  const form = /** @type {HTMLFormElement} */ (part("stand-in"));
  const value = (/** @type {string} */ name) =>
    /** @type {HTMLInputElement | HTMLSelectElement} */ (form.elements.namedItem(name)).value;
  form.addEventListener("click", ({ target }) => {
    const moves = target instanceof HTMLElement ? target.dataset.moves : undefined;
    if (!moves) return;
    const count = moves === "all" ? null : Number(moves === "count" ? value("moves") : moves);
    send({ do: "stand_in", player: value("player"), moves: count });
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  part("solo").addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || !target.dataset.side) return;
    const seat = target.dataset.side === "1" ? table.now.first : 1 - table.now.first;
    send({ do: "set_player", seat, player: target.value });
  });
}
