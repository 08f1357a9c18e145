// What a move was worth, in a sentence.

/** @typedef {import("./variations.js").Node} Node */

import { say } from "./words.js";
import { inWords, written } from "./worth.js";

/** What the move that led to a position did to the game. @param {Node} node @param {string[]} names of both sides */
export function sentence(node, names) {
  if (!node.parent || node.ply.by === null) return node.value ? inWords(node.value, names) : "";
  const begin = [node.number, names[node.ply.by], node.move];
  const best = node.parent.best[0];
  if (!node.cost || !best) return say("played", ...begin);
  if (best === node.move) return say("played_best", ...begin);
  const { lost, mistake } = node.cost;
  if (lost === null) return say(isDefeat(node) ? "played_defeat" : "played_win", ...begin, best);
  if (mistake) return say("played_lost", ...begin, written(lost), best);
  return lost > 0 ? say("played_little", ...begin, best, written(lost)) : say("played_well", ...begin, best);
}

/** The same for a narrow place beside the player's name. @param {Node} node */
export function shortSentence(node) {
  const best = node.parent?.best[0];
  const begin = [node.number, node.move];
  if (!node.cost || !best) return say("short", ...begin);
  if (best === node.move) return say("short_best", ...begin);
  const { lost, mistake } = node.cost;
  if (lost === null) return say(isDefeat(node) ? "short_defeat" : "short_win", ...begin, best);
  return mistake ? say("short_lost", ...begin, written(lost), best) : say("short", ...begin);
}

/** Whether the other side wins after the move. @param {Node} node */
const isDefeat = ({ value, ply }) => value?.winner !== null && value?.winner === 1 - (ply.by ?? 0);
