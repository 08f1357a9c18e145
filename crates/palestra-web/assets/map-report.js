// The report beside the map: asked for a second after the last stroke; for large maps only when a button is pressed.

/** @import { Limits, Measure, Report } from "./map" */
/** @typedef {import("./map-sheet.js").Sheet} Sheet */
/** @typedef {import("./map-view.js").MapView} MapView */
/** @typedef {import("./map-ask.js").Say} Say */

import { make, part } from "./element.js";
import { ask, problemOf } from "./map-ask.js";

const PAUSE_MS = 1000;

export class ReportPanel {
  #sheet;
  #view;
  #limits;
  #say;
  #timer = 0;
  #isAsking = false;
  #isOld = false;

  /** @param {Sheet} sheet @param {MapView} view @param {Limits} limits @param {Say} say */
  constructor(sheet, view, limits, say) {
    this.#sheet = sheet;
    this.#view = view;
    this.#limits = limits;
    this.#say = say;
    sheet.addEventListener("changed", () => this.#changed());
    part("measure").addEventListener("click", () => this.#ask());
    this.#plan(0);
  }

  #changed() {
    this.#isOld = true;
    this.#plan(PAUSE_MS);
  }

  /** Asks after a pause, or leaves it to the button. @param {number} pause in milliseconds */
  #plan(pause) {
    clearTimeout(this.#timer);
    const isLarge = this.#sheet.grid.cells > this.#limits.measured;
    part("measure").hidden = !isLarge;
    if (isLarge) this.#forget();
    else this.#timer = setTimeout(() => this.#ask(), pause);
  }

  /** What was measured before says nothing of the map as it is now. */
  #forget() {
    this.#tell("old", this.#say("unmeasured"));
    this.#view.mark({ wrong: [] });
    part("measures").hidden = true;
  }

  async #ask() {
    // The one that is under way asks again.
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#isOld = false;
    const { grid, palette } = this.#sheet;
    const answer = await ask("/api/maps/report", { map: grid.draft(palette) });
    this.#isAsking = false;
    if (this.#isOld) return this.#changed();
    if (answer.status === 200) return this.#show(answer.json);
    this.#tell("failed", problemOf(answer, this.#say));
    this.#timer = setTimeout(() => this.#ask(), answer.wait * 1000);
  }

  /** @param {string} state @param {string} sentence */
  #tell(state, sentence) {
    const verdict = part("verdict");
    verdict.dataset.state = state;
    const badge = part("fair");
    badge.hidden = state !== "fair";
    if (verdict.textContent !== sentence) verdict.textContent = sentence;
  }

  /** @param {Report} report */
  #show({ state, sentence, cells, rows }) {
    this.#tell(state, sentence);
    this.#view.mark({ wrong: cells.map((cell) => cell - 1) });
    const missed = rows.filter(({ ok }) => !ok);
    const kept = rows.filter(({ ok }) => ok);
    part("missed").replaceChildren(...missed.map((row) => this.#row(row)));
    part("kept").replaceChildren(...kept.map((row) => this.#row(row)));
    part("measures").hidden = rows.length === 0;
  }

  /** @param {Measure} row */
  #row({ name, value, range, ok }) {
    const number = (/** @type {string} */ text) => make("td", { className: "num" }, text);
    const verdict = ok ? make("td", {}, "✓") : make("td", {}, make("strong", {}, this.#say("out")));
    return make("tr", {}, make("td", {}, name), number(value), number(range), verdict);
  }
}
