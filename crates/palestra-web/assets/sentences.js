// What happens at a moment of a search, in plain sentences.

/** @import { Search } from "./search.js" */
/** @import { Values } from "./values.js" */
/** @typedef {{ node: number, moment: number }} Place a node of which a sentence speaks, and when it got the bound */
/** @typedef {(string | { place: Place, text: string })[]} Sentence */
/** @typedef {{ what: Sentence, why: Sentence, isCut: boolean, note: string }} Explanation */

import { FINISHED, LEAST, MOST, NONE } from "./search.js";
import { count } from "./values.js";
import { say } from "./words.js";

/** Moves that are named one by one. */
const MAX_NAMED = 8;

/** Says what happens at the moments of a search. */
export class Sentences {
  /** @param {Search} search @param {Values} values @param {string} evaluation what the evaluation counts */
  constructor(search, values, evaluation) {
    this.search = search;
    this.values = values;
    this.evaluation = evaluation;
  }

  /** @param {number} moment @returns {Explanation} */
  at(moment) {
    const child = this.search.backFrom(moment);
    if (child === 0) return this.#over(moment);
    return child === NONE ? this.#entered(this.search.at(moment), moment) : this.#back(this.search.parent[child], child, moment);
  }

  /** @param {number} moment @returns {Explanation} */
  #over(moment) {
    const { search, values } = this;
    const [, best] = search.line(moment);
    const value = values.named(search.score[0]);
    const { visited, cutoffs } = search.tree;
    const what = best === undefined ? say("over_bound", value) : say("over", search.text(best), value);
    const why = search.isMinimax ? say("over_minimax", count(visited)) : say("over_nodes", count(visited), count(cutoffs));
    return { what: [what], why: [why], isCut: false, note: "" };
  }

  /** @param {number} node @param {number} moment @returns {Explanation} */
  #entered(node, moment) {
    const { search, values } = this;
    if (search.isLeaf(node)) {
      const [isFinished, score] = [search.why[node] === FINISHED, search.score[node]];
      const why = isFinished && values.isResult(score) ? [] : [say("evaluated", this.evaluation)];
      return { what: [say(isFinished ? "finished" : "horizon", values.named(score))], why, isCut: false, note: "" };
    }
    const { alpha, beta, alphaFrom, betaFrom } = search.window(node, moment);
    const what = [say(search.isMax(node) ? "max_moves" : "min_moves")];
    const [hasAlpha, hasBeta] = [alpha !== LEAST, beta !== MOST];
    const word = search.isMinimax ? "enter_minimax" : hasAlpha && hasBeta ? "enter_both" : hasAlpha ? "enter_alpha" : hasBeta ? "enter_beta" : "enter_open";
    const places = [this.#place(alphaFrom, moment), this.#place(betaFrom, moment)];
    return { what, why: this.#put(word, [values.named(alpha), values.named(beta)], places), isCut: false, note: "" };
  }

  /** The value of a child comes back. @param {number} node @param {number} child @param {number} moment @returns {Explanation} */
  #back(node, child, moment) {
    const { search, values } = this;
    const [before, after] = [search.window(node, moment - 1), search.window(node, moment)];
    if (search.isCutAt(moment)) return this.#cut(node, before, moment);
    const isMax = search.isMax(node);
    const side = isMax ? "max" : "min";
    const told = this.#told(child);
    const [old, from] = isMax ? [before.alpha, before.alphaFrom] : [before.beta, before.betaFrom];
    const isLast = child + search.size[child] === node + search.size[node];
    const note = isLast ? say(["at_most", "exactly", "at_least"].map((word) => `whole_${word}`)[search.exactness(node) + 1], values.named(search.score[node])) : "";
    const move = search.text(child);
    if (after.best !== child) {
      const word = search.isMinimax || from === node ? `${side}_same_here` : `${side}_same`;
      return { what: this.#put(word, [move, told, values.named(old)], [this.#place(from, moment)]), why: [say("nothing_changes")], isCut: false, note };
    }
    const isFirst = old === LEAST || old === MOST;
    const word = search.isMinimax ? `${side}_better_minimax` : isFirst ? `${side}_first` : `${side}_better`;
    return { what: [say(word, move, told, values.named(old))], why: [say(`${side}_sure`, told)], isCut: false, note };
  }

  /** @param {number} node @param {import("./search.js").Window} before @param {number} moment @returns {Explanation} */
  #cut(node, before, moment) {
    const { search, values } = this;
    const isMax = search.isMax(node);
    const { alpha, beta } = search.window(node, moment);
    const [from, value, bound] = isMax ? [before.betaFrom, alpha, beta] : [before.alphaFrom, beta, alpha];
    const what = this.#put(isMax ? "max_cut" : "min_cut", [values.named(value), values.named(bound)], [this.#place(from, moment)]);
    const skipped = search.skipped(node);
    const rest = skipped.length - MAX_NAMED;
    const moves = rest > 0 ? say("and_more", skipped.slice(0, MAX_NAMED).join(", "), rest) : skipped.join(", ");
    const word = `${isMax ? "max" : "min"}_closed${["_none", "_one"][skipped.length] ?? ""}`;
    const note = say("cut_note", values.named(before.alpha), values.named(before.beta));
    return { what, why: [say(word, values.score(alpha), values.score(beta), moves)], isCut: true, note };
  }

  /** The value that came back from a node, in words that say how exact it is. @param {number} node */
  #told(node) {
    const value = this.values.named(this.search.score[node]);
    return [say("at_most", value), value, say("at_least", value)][this.search.exactness(node) + 1];
  }

  /** Where a bound comes from, in words that lead there. @param {number} node @param {number} moment @returns {Sentence[number]} */
  #place(node, moment) {
    if (node < 0) return say("outside");
    const text = node === 0 ? say("at_root") : say("after", this.search.moves(node).join(" "));
    return { place: { node, moment: this.search.boundMoment(node, moment) }, text };
  }

  /**
   * A text with values for {1} and so on, and places for {a} and {b}. What begins a sentence is written so.
   * @param {string} word @param {string[]} values @param {Sentence} places @returns {Sentence}
   */
  #put(word, values, places) {
    const pieces = say(word, ...values).split(/(\{[ab]\})/);
    return pieces.map((piece, index) => {
      const place = piece === "{a}" ? places[0] : piece === "{b}" ? places[1] : null;
      if (place === null) return piece;
      const begins = pieces.slice(0, index).join("").trimEnd();
      return begins === "" || begins.endsWith(".") ? capital(place) : place;
    });
  }
}

/** @param {Sentence[number]} place @returns {Sentence[number]} */
function capital(place) {
  const first = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);
  return typeof place === "string" ? first(place) : { ...place, text: first(place.text) };
}
