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

/** A number with so many digits behind the point. @param {number} number @param {number} digits */
export const rounded = (number, digits) => number.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Values of one tree. */
export class Values {
  /** @param {Pick<Tree, "unit" | "decided">} tree */
  constructor({ unit, decided }) {
    this.unit = unit;
    this.decided = decided;
  }

  /** A value: a number, or who wins; a bound that is open is infinite. @param {number} score */
  score = (score) => {
    if (score === LEAST) return "−∞";
    if (score === MOST) return "∞";
    if (Math.abs(score) >= this.decided) return say(score > 0 ? "win" : "loss");
    return typeset(decimal.format(score / this.unit));
  };

  /** @param {number} alpha @param {number} beta */
  window = (alpha, beta) => say("window", this.score(alpha), this.score(beta));

  /** How many nodes are folded. @param {number} number */
  more = (number) => `+${count(number)}`;
}
