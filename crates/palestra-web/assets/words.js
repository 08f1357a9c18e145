// The texts of a page's scripts in the page's language.

const live = document.querySelector("[data-words]");
/** @type {Record<string, string>} */
const words = JSON.parse(live instanceof HTMLElement ? (live.dataset.words ?? "{}") : "{}");

/**
 * A text, with values for {1} and so on.
 * @param {string} word
 * @param {...(string | number)} values
 */
export const say = (word, ...values) =>
  (words[word] ?? word).replace(/\{(\d)\}/g, (_, index) => String(values[index - 1] ?? ""));

/**
 * Whether there is a text.
 * @param {string} word
 */
export const has = (word) => word in words;

/**
 * A time as people say it: 90 s, 2 min, 24 h.
 * @param {number} ms
 */
export function time(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return say("seconds", seconds);
  return seconds < 7200 ? say("minutes", Math.round(seconds / 60)) : say("hours", Math.round(seconds / 3600));
}
