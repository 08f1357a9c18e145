// How many nodes each algorithm needs for the value of a position, at a depth and at a greater one.

/** @import { Question, Row } from "./recording" */
/** @import { Asking } from "./asking.js" */

import { make, part } from "./element.js";
import { svg } from "./dom.js";
import { reason } from "./server.js";
import { count, rounded } from "./values.js";
import { say } from "./words.js";

/** How many plies the greater depth has more. */
const DEEPER = 3;
const BAR = 100;

/** What was counted for the position of the page, by evaluation and depth: other algorithms and orders need no new count. @type {Map<string, Row[]>} */
const counted = new Map();

/** Asks for the rows of both depths, and shows them. @param {Asking} asking @param {Question} question @param {number} deepest */
export async function compare(asking, question, deepest) {
  const depths = [question.depth, Math.min(question.depth + DEEPER, deepest)];
  /** @type {(Row[] | null)[]} */
  const rows = [null, null];
  draw(question, depths, rows, say("counting"));
  for (const [index, depth] of depths.entries()) {
    if (index > 0 && depth === depths[0]) break;
    const key = `${question.evaluation} ${depth}`;
    const answer = counted.get(key) ?? (await ask(asking, { ...question, depth }));
    if (answer === null) return;
    if (answer instanceof Error) return draw(question, depths, rows, reason(answer));
    counted.set(key, answer);
    rows[index] = answer;
    draw(question, depths, rows, index === 0 && depths[1] !== depth ? say("counting_deeper", depths[1]) : "");
  }
}

/** @param {Asking} asking @param {Question} question @returns {Promise<Row[] | Error | null>} */
async function ask(asking, question) {
  const answer = await asking.ask("/api/v1/tree/compare", question).catch((/** @type {Error} */ error) => error);
  return answer instanceof Error ? answer : (answer?.rows ?? null);
}

/** @param {Question} question @param {number[]} depths @param {(Row[] | null)[]} rows @param {string} state */
function draw({ algorithm, order }, depths, [rows, deeper], state) {
  part("deeper").textContent = say("depth", depths[1]);
  part("depth-now").textContent = say("depth", depths[0]);
  part("compare-state").textContent = state;
  const most = Math.max(1, ...(rows ?? []).map(({ nodes }) => nodes));
  const own = algorithm === "minimax" ? "minimax" : `alphabeta-${order}`;
  const lines = (rows ?? []).map((row) => {
    const other = deeper?.find(({ name }) => name === row.name);
    const cells = [cell(nodes(row)), cell(count(row.cutoffs)), cell(rounded(row.branching, 1)), cell(other ? nodes(other) : "")];
    const name = make("th", { scope: "row" }, say(`row.${row.name}`));
    return make("tr", { className: row.name === own ? "own" : "" }, name, make("td", { className: "bar" }, bar(row, most)), ...cells);
  });
  part("rows").replaceChildren(...lines);
}

/** @param {Row} row */
const nodes = (row) => (row.is_stopped ? say("more_than", count(row.nodes)) : count(row.nodes));

/** @param {string} text */
const cell = (text) => make("td", { className: "num" }, text);

/** @param {Row} row @param {number} most */
function bar(row, most) {
  const width = Math.max(1, (BAR * row.nodes) / most);
  const rect = svg("rect", { width, height: 10, rx: 2 });
  return svg("svg", { viewBox: `0 0 ${BAR} 10`, preserveAspectRatio: "none", "aria-hidden": "true" }, rect);
}
