// The bar beside the board: how likely each side is to win.

/** @import { Value } from "./types" */

import { svg } from "./dom.js";
import { part } from "./element.js";
import { say } from "./words.js";
import { brief, percent } from "./worth.js";

/** @param {Value | null | undefined} value @param {string[]} names of both sides */
export function drawBar(value, names) {
  const place = part("bar");
  const share = value ? value.chance : 0.5;
  if (!place.firstChild) place.append(...build());
  const [upper, text] = [place.querySelector(".side-1"), place.querySelector("b")];
  upper?.setAttribute("height", String(100 * (1 - share)));
  place.classList.toggle("unknown", !value);
  if (text) text.textContent = value ? brief(value) : "";
  place.classList.toggle("lower", share >= 0.5);
  const ahead = share >= 0.5 ? 0 : 1;
  place.setAttribute("aria-label", value ? say("bar_value", percent(Math.max(share, 1 - share)), names[ahead]) : say("bar_unknown"));
}

/** Side 2 above, side 1 below, and a line in the middle. */
function build() {
  const lower = svg("rect", { class: "side-0", width: 10, height: 100 });
  const upper = svg("rect", { class: "side-1", width: 10, height: 50 });
  const middle = svg("path", { d: "M0 50H10" });
  const picture = svg("svg", { viewBox: "0 0 10 100", preserveAspectRatio: "none", "aria-hidden": true }, lower, upper, middle);
  return [picture, Object.assign(document.createElement("b"), { ariaHidden: "true" })];
}
