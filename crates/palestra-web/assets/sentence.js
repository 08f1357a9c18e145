// What a move was worth, in sentences.

/** @typedef {import("./variations.js").Node} Node */
/** @typedef {"plain" | "best" | "well" | "little" | "lost" | "win" | "defeat" | "same"} Kind */

import { say } from "./words.js";
import { inWords, written } from "./worth.js";

/** What the move that led to a position did to the game. @param {Node} node @param {string[]} names of both sides */
export function sentence(node, names) {
  if (!node.parent || node.ply.by === null) return node.value ? inWords(node.value, names) : "";
  return say(`played_${kindOf(node)}`, node.number, names[node.ply.by], node.move, best(node), lost(node));
}

/** The same for a narrow place beside the player's name. @param {Node} node */
export function shortSentence(node) {
  const kind = kindOf(node);
  const isWorthSaying = kind === "best" || node.cost?.mistake;
  return say(isWorthSaying ? `short_${kind}` : "short_plain", node.number, node.move, best(node), lost(node));
}

/** What a mistake cost, and what was better, for the list of moves. @param {Node} node */
export const costInWords = (node) => say(`cost_${kindOf(node)}`, best(node), lost(node));

/** @param {Node} node */
const best = ({ parent }) => parent?.best[0] ?? "";

/** @param {Node} node */
const lost = ({ cost }) => written(cost?.lost ?? 0);

/** The kind of sentence that a move gets. @param {Node} node @returns {Kind} */
function kindOf(node) {
  const { cost, move } = node;
  if (!cost || best(node) === "") return "plain";
  if (best(node) === move) return "best";
  // More was lost than can be counted: a result, if it was not a win by much that is now a win for certain, or the like.
  if (cost.lost === null) return cost.mistake ? (isDefeat(node) ? "defeat" : "win") : "same";
  if (cost.mistake) return "lost";
  return cost.lost > 0 ? "little" : "well";
}

/** Whether the other side wins after the move. @param {Node} node */
const isDefeat = ({ value, ply }) => value?.winner !== null && value?.winner === 1 - (ply.by ?? 0);
