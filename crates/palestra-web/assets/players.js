// The bars of the two players, above and below the board: who plays, their points and their clock.

/** @import { Holder } from "./types" */
/** @import { TableState } from "./state.js" */
/** @import { Clocks } from "./clocks.js" */

import { emblem, make, named, part, redraw } from "./element.js";
import { has, say } from "./words.js";

const isGuest = document.querySelector(".play")?.getAttribute("data-guest") === "true";
let nickname = "";
/** The seat that was asked for last. @type {number | null} */
let asked = null;

/**
 * Draws both bars: one's own below.
 * @param {TableState} table
 * @param {Clocks} clocks
 * @param {(seat: number, nickname: string | null) => void} sit
 */
export function drawPlayers(table, clocks, sit) {
  for (const [place, seat] of /** @type {[string, number][]} */ ([
    ["above", 1 - table.below],
    ["below", table.below],
  ])) {
    const { seats, first, turn, status, points, ended, stand_in: standIn } = table.now;
    const shows = [seat, seats[seat], first, turn === seat, status, points, ended?.points, table.you, clocks.has(), clocks.hasUsed(), standIn, table.refusal];
    redraw(part(place), shows, () => [bar(table, seat, clocks, sit)]);
  }
}

/**
 * @param {TableState} table
 * @param {number} seat
 * @param {Clocks} clocks
 * @param {(seat: number, nickname: string | null) => void} sit
 */
function bar(table, seat, clocks, sit) {
  const { seats, turn, status, points, ended } = table.now;
  const holder = seats[seat];
  const isFree = holder.kind === "open" || holder.kind === "reserved";
  const element = make("div", { className: `player-bar side-${table.sideOf(seat) + 1}` });
  element.classList.toggle("on-turn", turn === seat);
  element.append(emblem(table.sideOf(seat)), avatar(holder));
  const name = isFree ? say(holder.kind, holder.name) : holder.name;
  element.append(make("div", { className: "name" }, make("b", {}, named(name)), make("small", {}, facts(table, seat), ...(clocks.hasUsed() ? [" · ", clocks.used(seat)] : []))));
  if (isFree && table.you.seats.length === 0 && status === "waiting") {
    element.append(sitDown(seat, sit, table.refusal));
    return element;
  }
  const score = points && ended ? ended.points : points;
  if (score) element.append(make("span", { className: "points", title: say("points_title") }, String(score[seat])));
  if (clocks.has()) element.append(clocks.element(seat));
  return element;
}

/** @param {Holder} holder */
function avatar(holder) {
  if (holder.kind === "built_in") return make("span", { className: "avatar built-in" }, mark());
  const kind = holder.kind === "program" ? "program" : "person";
  const letter = holder.kind === "open" ? "?" : [...holder.name][0] ?? "?";
  const element = make("span", { className: `avatar ${kind}` }, letter);
  element.setAttribute("aria-hidden", "true");
  return element;
}

/** The mark of Palestra, for its own players. */
function mark() {
  const template = /** @type {HTMLTemplateElement} */ (part("mark"));
  return template.content.cloneNode(true);
}

/**
 * What is said below a name.
 * @param {TableState} table
 * @param {number} seat
 */
function facts(table, seat) {
  const holder = table.now.seats[seat];
  const isFree = holder.kind === "open" || holder.kind === "reserved";
  const isPerson = holder.kind === "account" || holder.kind === "guest";
  const words = [say(`side_${table.sideOf(seat) + 1}`)];
  if (table.isYours(seat)) words.push(say("you"));
  else if (!isFree && has(holder.kind)) words.push(say(holder.kind));
  if (isPerson && table.now.stand_in) words.push(say("stand_in", table.now.stand_in.name));
  if (!isFree && !holder.is_present) words.push(say("away"));
  return words.join(" · ");
}

/**
 * @param {number} seat
 * @param {(seat: number, nickname: string | null) => void} sit
 * @param {string} refusal why the last try was refused
 */
function sitDown(seat, sit, refusal) {
  const form = make("form", { className: "sit" });
  const isWrong = asked === seat && refusal !== "";
  if (isGuest) {
    const field = make("input", { className: "input", maxLength: 20, placeholder: say("nickname"), value: nickname });
    field.setAttribute("aria-label", say("nickname"));
    field.addEventListener("input", () => {
      nickname = field.value;
    });
    form.append(field);
    if (isWrong) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", "sit-error");
      queueMicrotask(() => field.focus());
    }
  }
  form.append(make("button", { className: "button primary" }, say("sit")));
  if (isWrong) form.append(make("p", { className: "error", id: "sit-error" }, refusal));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    asked = seat;
    sit(seat, isGuest ? nickname : null);
  });
  return form;
}
