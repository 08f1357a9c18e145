// How near the moves of both sides came to the best ones, and the mistakes among them.

/** @typedef {import("./variations.js").Node} Node */

import { emblem, make, named, part } from "./element.js";
import { svg } from "./dom.js";

/** @param {Node[]} line the game @param {string[]} names of both sides */
export function drawAccuracy(line, names) {
  const rows = [0, 1].map((side) => row(line.filter(({ ply }) => ply.by === side), side, names[side]));
  part("accuracies").replaceChildren(...rows);
  part("accuracy").hidden = line.every(({ cost }) => cost === null);
}

/** @param {Node[]} moves @param {number} side @param {string} name */
function row(moves, side, name) {
  const known = moves.flatMap(({ cost }) => cost?.accuracy ?? []);
  const share = known.length > 0 ? known.reduce((sum, accuracy) => sum + accuracy, 0) / known.length : null;
  const count = (/** @type {string} */ kind) => String(moves.filter(({ cost }) => cost?.mistake === kind).length);
  const head = make("th", { scope: "row" }, emblem(side), make("span", { className: "unseen" }, named(name)));
  const numbers = [share === null ? "" : String(Math.round(share)), count("mistake"), count("blunder")];
  const cells = numbers.map((number, index) => make("td", { className: index === 0 ? "num share" : "num" }, number));
  return make("tr", {}, head, make("td", { className: "gauge" }, gauge(share ?? 0, side)), ...cells);
}

/** @param {number} share of a hundred @param {number} side */
function gauge(share, side) {
  const ground = svg("rect", { width: 100, height: 8, class: "ground" });
  const value = svg("rect", { width: share, height: 8, class: `side-${side}` });
  return svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": true }, ground, value);
}
