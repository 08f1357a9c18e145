// Numbers of a search as people read them: values in the unit of the evaluation, windows, counts.

/** @import { Tree } from "./recording" */

import { LEAST, MOST } from "./search.js";
import { say } from "./words.js";

const language = document.documentElement.lang || "en";
const whole = new Intl.NumberFormat(language, { useGrouping: "always" });
const decimal = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });

/** A number with the minus sign of the typographers. @param {string} text */
const typeset = (text) => text.replace("-", "−");

/** A count: 12,345. @param {number} number */
export const count = (number) => whole.format(number);

/** A number with this many digits behind the point. @param {number} number @param {number} digits */
export const rounded = (number, digits) => number.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Values of one tree. */
export class Values {
  /** What was written already: a search for a value asks for the text of every node. @type {Map<number, string>} */
  #texts = new Map();

  /** @param {Pick<Tree, "unit" | "decided">} tree */
  constructor({ unit, decided }) {
    this.unit = unit;
    this.decided = decided;
  }

  /** A value: a number, or who wins; a bound that is open is infinite. @param {number} score */
  score = (score) => {
    const known = this.#texts.get(score);
    if (known !== undefined) return known;
    const text = this.#written(score);
    this.#texts.set(score, text);
    return text;
  };

  /** Whether a value says who wins. @param {number} score */
  isResult = (score) => LEAST < score && score < MOST && Math.abs(score) >= this.decided;

  /** A value in a sentence. @param {number} score */
  named = (score) => (this.isResult(score) ? say(score > 0 ? "win_named" : "loss_named") : this.score(score));

  /** @param {number} score */
  #written(score) {
    if (score === LEAST) return "−∞";
    if (score === MOST) return "∞";
    if (this.isResult(score)) return say(score > 0 ? "win" : "loss");
    return typeset(decimal.format(score / this.unit));
  }

  /** @param {number} alpha @param {number} beta */
  window = (alpha, beta) => say("window", this.score(alpha), this.score(beta));

  /** How many nodes are folded. @param {number} number */
  more = (number) => `+${count(number)}`;
}
