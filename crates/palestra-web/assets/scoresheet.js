// The moves of a game with their values and mistakes, a row for each round of turns, and below each round what was tried instead.

/** @typedef {import("./variations.js").Node} Node */
/** @typedef {import("./variations.js").Variations} Variations */

import { Keyed } from "./dom.js";
import { emblem, make, part } from "./element.js";
import { costInWords } from "./sentence.js";
import { say } from "./words.js";
import { short } from "./worth.js";

const MANY_ROWS = 60;

/** @type {Map<number, HTMLElement>} */
const buttons = new Map();
/** The rows, by all that they show: those that stay the same are not touched while the game is evaluated. @type {Keyed<{ key: string, build: () => HTMLElement }> | null} */
let rows = null;
/** The node whose move is in view. @type {number | null} */
let shown = null;

/** Draws all moves. @param {Variations} tree */
export function drawSheet(tree) {
  rows ??= new Keyed(part("moves"));
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.node : undefined;
  const hadFocus = rows.parent.contains(document.activeElement);
  const items = rounds(tree.main.slice(1)).flatMap((round, index) => [
    { key: `${index} ${facts(round)}`, build: () => row(round, index + 1) },
    ...costs(round),
    ...tried(round),
  ]);
  // Rows out of view cost nothing in a long game.
  rows.parent.classList.toggle("long", items.length > MANY_ROWS);
  rows.sync(items, ({ key }) => key, ({ build }) => build());
  if (hadFocus && focused !== undefined) buttons.get(Number(focused))?.focus({ preventScroll: true });
}

/** All that a row shows of nodes. @param {Node[]} nodes */
const facts = (nodes) => JSON.stringify(nodes.map(({ id, value, cost }) => [id, value, cost]));

/** Marks the move that led to what is looked at. @param {Variations} tree */
export function markCurrent(tree) {
  const list = part("moves");
  const { id, parent } = tree.current;
  const button = buttons.get(id);
  const before = list.querySelector("[aria-current]");
  if (before !== button) before?.removeAttribute("aria-current");
  button?.setAttribute("aria-current", "step");
  // A list that was scrolled meanwhile stays there until another move is looked at.
  if (shown === id || (parent && !button)) return;
  shown = id;
  if (!button) return void (list.scrollTop = 0);
  // Only the list is scrolled, not the page.
  const [inner, outer] = [button.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - outer.height / 2;
}

/** The moves in rounds: one begins when side 1 comes to move after side 2, or with the first move. @param {Node[]} nodes */
function rounds(nodes) {
  /** @type {Node[][]} */
  const rounds = [];
  for (const node of nodes) {
    const before = rounds.at(-1)?.at(-1);
    if (!before || (node.ply.by === 0 && before.ply.by === 1)) rounds.push([]);
    rounds.at(-1)?.push(node);
  }
  return rounds;
}

/** @param {Node[]} round @param {number} number */
function row(round, number) {
  const columns = [0, 1].map((side) => column(round.filter(({ ply }) => ply.by === side), side));
  return make("div", { className: "turn" }, make("span", { className: "number" }, String(number)), ...columns);
}

/** @param {Node[]} nodes @param {number} side */
function column(nodes, side) {
  const last = nodes.at(-1);
  const worth = last?.value ? make("span", { className: "worth" }, short(last.value)) : "";
  return make("div", { className: `column owner-${side}` }, make("ol", {}, ...nodes.map((node) => make("li", {}, button(node)))), worth);
}

/** @param {Node} node */
function button(node) {
  const { mistake } = node.cost ?? {};
  const element = make("button", { type: "button" }, node.move, ...(mistake ? [sign(mistake)] : []));
  element.dataset.node = String(node.id);
  buttons.set(node.id, element);
  return element;
}

/** The sign of a mistake: one question mark or two. @param {"mistake" | "blunder"} mistake */
export function sign(mistake) {
  const words = make("span", { className: "unseen" }, ` ${say(mistake)}`);
  return make("span", { className: mistake, title: say(mistake) }, mistake === "blunder" ? "??" : "?", words);
}

/** What the mistakes of a round cost, and what was better: each leads to where that could be played. @param {Node[]} round */
function costs(round) {
  return round.filter(({ cost }) => cost?.mistake).map((node) => ({ key: `cost ${facts([node])}`, build: () => cost(node) }));
}

/** @param {Node} node */
function cost(node) {
  const { mistake } = node.cost ?? {};
  const button = make("button", { type: "button" }, emblem(node.ply.by ?? 0), " ", make("b", {}, node.move), " ", ...(mistake ? [sign(mistake)] : []), ` ${costInWords(node)}`);
  button.dataset.node = String(node.parent?.id);
  return make("div", { className: "cost" }, button);
}

/** What was tried instead of the moves of a round, a line each. @param {Node[]} round */
function tried(round) {
  const others = round.flatMap(({ parent }) => parent?.children.slice(1) ?? []);
  return others.map((begin) => ({ key: `tried ${facts(below(begin))}`, build: () => sideLine(begin) }));
}

/** A node and all nodes below it. @param {Node} node @returns {Node[]} */
const below = (node) => [node, ...node.children.flatMap(below)];

/** @param {Node} begin */
const sideLine = (begin) => make("div", { className: "tried" }, make("span", { className: "unseen" }, `${say("side_line")}: `), ...line(begin));

/** A side line: its moves, and in brackets what was tried instead of them. @param {Node} begin @returns {(HTMLElement | string)[]} */
function line(begin) {
  /** @type {(HTMLElement | string)[]} */
  const shown = [make("span", { className: "number" }, `${begin.number}${say("number_separator")}`)];
  for (let at = /** @type {Node | undefined} */ (begin); at; at = at.children[0]) {
    shown.push(button(at));
    if (at.children.length === 0 && at.value) shown.push(make("span", { className: "worth" }, short(at.value)));
    const others = at === begin ? [] : (at.parent?.children.slice(1) ?? []);
    for (const other of others) shown.push(make("span", { className: "nested" }, "(", ...line(other), ")"));
  }
  return shown;
}
