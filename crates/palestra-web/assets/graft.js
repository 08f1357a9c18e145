// Puts a part of a tree, which was asked for later, into the tree where it belongs.

/** @import { Tree } from "./recording" */

/**
 * The tree with the part below a node, and which of its nodes are open.
 * @param {Tree} whole @param {number} at @param {Tree} part @param {Uint8Array} opened
 */
export function grafted(whole, at, part, opened) {
  const more = part.nodes.parent.length - 1;
  /** Where nodes of the whole, and those of the part, are from now on. */
  const ofWhole = (/** @type {number} */ node) => (node > at ? node + more : node);
  const ofPart = (/** @type {number} */ node) => node + at;
  const texts = [...whole.texts];
  const moves = part.texts.map((text) => texts.indexOf(text) + 1 || texts.push(text)).map((place) => place - 1);
  const [one, other] = [whole.nodes, part.nodes];
  /** @template T @param {T[]} ours @param {T[]} theirs @returns {T[]} */
  const joined = (ours, theirs) => [...ours.slice(0, at + 1), ...theirs.slice(1), ...ours.slice(at + 1)];
  const shifted = (/** @type {number[]} */ list) => list.map((node) => (node < 0 ? node : ofWhole(node)));
  const alphaFrom = other.alpha_from.map((node, index) => (node >= 0 ? ofPart(node) : other.alpha[index] === null ? -1 : one.alpha_from[at]));
  const betaFrom = other.beta_from.map((node, index) => (node >= 0 ? ofPart(node) : other.beta[index] === null ? -1 : one.beta_from[at]));
  const cutBy = other.cut_by.map((node, index) => (node >= 0 ? ofPart(node) : node === -1 ? -1 : other.turn[index] === whole.max ? betaFrom[index] : alphaFrom[index]));
  const nodes = {
    parent: joined(shifted(one.parent), other.parent.map(ofPart)),
    move: joined(one.move, other.move.map((move) => moves[move] ?? -1)),
    turn: joined(one.turn, other.turn),
    alpha: joined(one.alpha, other.alpha),
    beta: joined(one.beta, other.beta),
    alpha_from: joined(shifted(one.alpha_from), alphaFrom),
    beta_from: joined(shifted(one.beta_from), betaFrom),
    score: joined(one.score, other.score),
    why: joined(one.why, other.why),
    cut_by: joined(shifted(one.cut_by), cutBy),
    skipped: joined(one.skipped, other.skipped.map((list) => list.map((move) => moves[move]))),
    below: joined(one.below, other.below),
  };
  nodes.why[at] = other.why[0];
  nodes.skipped[at] = other.skipped[0].map((move) => moves[move]);
  nodes.cut_by[at] = cutBy[0];
  const all = new Uint8Array(opened.length + more);
  all.set(opened.subarray(0, at + 1));
  all.set(opened.subarray(at + 1), at + 1 + more);
  all[at] = 1;
  const isWhole = whole.is_whole || !nodes.why.includes(4);
  return { tree: { ...whole, texts, nodes, is_whole: isWhole, line: shifted(whole.line) }, opened: all };
}
