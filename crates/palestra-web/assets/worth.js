// What positions are worth, in numbers and in words. All values are for side 1.

/** @import { Value } from "./types" */

import { say } from "./words.js";

const language = document.documentElement.lang;

/** @param {number} digits */
const format = (digits) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
const [whole, tenths, hundredths] = [format(0), format(1), format(2)];

/** The amount as it is written without a sign: small ones to the hundredth. @param {number} amount */
export function written(amount) {
  const size = Math.abs(amount);
  if (size >= 100) return whole.format(size);
  return size >= 2 || size === 0 ? tenths.format(size) : hundredths.format(size);
}

/** @param {number} amount */
export function signed(amount) {
  const text = written(amount);
  if (!/[1-9]/.test(text)) return text;
  return `${amount < 0 ? "−" : "+"}${text}`;
}

/** A number of an axis, with no more digits than it needs. @param {number} amount */
export const tick = (amount) => new Intl.NumberFormat(language, { maximumFractionDigits: 2, signDisplay: "exceptZero" }).format(amount).replace("-", "−");

/** A value for a narrow place: a number, or the side that wins and in how many moves. @param {Value} value */
export function short({ amount, winner, plies }) {
  // A game that ended in points has both.
  if (amount !== null || winner === null) return signed(amount ?? 0);
  const sign = winner === 0 ? "+" : "−";
  return plies === null ? `${sign}#` : `${sign}#${plies}`;
}

/** A value for the narrowest place, without its sign. @param {Value} value */
export function brief(value) {
  const isLarge = Math.abs(value.amount ?? 0) >= 10;
  return isLarge ? whole.format(Math.abs(value.amount ?? 0)) : short(value).replace(/^[+−]/, "");
}

/** A value in words. @param {Value} value @param {string[]} names of both sides */
export function inWords({ amount, winner, plies, is_proven: isProven }, names) {
  if (winner !== null && plies === 0) return say("won", names[winner]);
  if (winner !== null) return plies === null ? say("winning", names[winner]) : say("wins_in", names[winner], plies);
  const number = amount === 0 && isProven ? say("draw") : signed(amount ?? 0);
  return isProven ? `${number}, ${say("proven")}` : number;
}

/** A number of positions. @param {number} count */
export function nodes(count) {
  if (count >= 1e6) return say("nodes_m", tenths.format(count / 1e6));
  return count >= 1e4 ? say("nodes_k", whole.format(count / 1e3)) : say("nodes", whole.format(count));
}

/** A share of one, in per cent. @param {number} share */
export const percent = (share) => new Intl.NumberFormat(language, { style: "percent" }).format(share);
