// Going through the moments of a search: buttons, keys, a slider, and by itself.

/** @import { Search } from "./search.js" */

import { part } from "./element.js";
import { count } from "./values.js";
import { say } from "./words.js";

/** Moments a second; "whole" is the whole search in `WHOLE_S` seconds. @type {Record<string, number>} */
const SPEEDS = { slow: 1, normal: 2.5, fast: 10 };
const WHOLE_S = 20;

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "step", Home: "start", End: "end", " ": "play", c: "next-cut", C: "previous-cut" };

const slider = /** @type {HTMLInputElement} */ (part("slider"));
const speed = /** @type {HTMLSelectElement} */ (part("speed"));
const cutField = /** @type {HTMLInputElement} */ (part("cut"));

export class Stepper {
  /** @type {Search | null} */
  search = null;
  moment = 0;
  isPlaying = false;
  /** Since when it plays, and from where. */
  #from = { moment: 0, time: 0 };

  /** @param {(moment: number, isPlayed: boolean) => void} onMoment */
  constructor(onMoment) {
    this.onMoment = onMoment;
    slider.addEventListener("input", () => this.go(Number(slider.value)));
    speed.addEventListener("change", () => this.#begin());
    cutField.addEventListener("change", () => this.goToCut(Number(cutField.value)));
    document.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("[data-go]") : null;
      if (button instanceof HTMLElement) this.do(button.dataset.go ?? "");
    });
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {Search} search @param {number} moment */
  set(search, moment) {
    this.search = search;
    slider.max = String(search.end);
    cutField.max = String(search.cutMoments.length);
    cutField.disabled = search.cutMoments.length === 0;
    this.go(moment);
  }

  /** @param {number} moment */
  go(moment) {
    this.#stop();
    this.#show(moment);
  }

  /** The cut-off with this number, from 1. @param {number} number */
  goToCut(number) {
    const moments = this.search?.cutMoments ?? [];
    if (moments.length === 0) return;
    this.go(moments[Math.min(Math.max(1, Math.round(number) || 1), moments.length) - 1]);
  }

  /** @param {string} what */
  do(what) {
    const { search, moment } = this;
    if (!search) return;
    const cuts = search.cutMoments;
    const number = search.cutsUntil(moment);
    const isAtCut = cuts[number - 1] === moment;
    /** @type {Record<string, () => void>} */
    const actions = {
      start: () => this.go(0),
      end: () => this.go(search.end),
      back: () => this.go(moment - 1),
      step: () => this.go(moment + 1),
      play: () => (this.isPlaying ? this.go(moment) : this.#play()),
      // After the last cut comes the first.
      "next-cut": () => this.goToCut(number < cuts.length ? number + 1 : 1),
      "previous-cut": () => this.goToCut(isAtCut ? number - 1 || cuts.length : number || cuts.length),
    };
    actions[what]?.();
  }

  #play() {
    const { search } = this;
    if (!search) return;
    if (this.moment >= search.end) this.moment = 0;
    this.isPlaying = true;
    this.#begin();
    this.#show(this.moment);
    requestAnimationFrame((now) => this.#tick(now));
  }

  /** The speed counts from now on. */
  #begin() {
    this.#from = { moment: this.moment, time: performance.now() };
  }

  /** @param {number} now */
  #tick(now) {
    const { search } = this;
    if (!this.isPlaying || !search) return;
    const rate = SPEEDS[speed.value] ?? Math.max(SPEEDS.fast, search.end / WHOLE_S);
    const moment = Math.min(search.end, this.#from.moment + Math.floor(((now - this.#from.time) / 1000) * rate));
    if (moment > this.moment) this.#show(moment);
    if (moment === search.end) return this.go(moment);
    requestAnimationFrame((next) => this.#tick(next));
  }

  #stop() {
    this.isPlaying = false;
  }

  /** @param {number} moment */
  #show(moment) {
    const { search } = this;
    if (!search) return;
    this.moment = Math.min(Math.max(0, moment), search.end);
    this.#draw(search);
    this.onMoment(this.moment, this.isPlaying);
  }

  /** @param {Search} search */
  #draw(search) {
    const { moment } = this;
    const [visited, cuts] = [count(search.visited(moment)), search.cutsUntil(moment)];
    slider.value = String(moment);
    slider.setAttribute("aria-valuetext", say("node_of", visited, count(search.tree.visited)));
    const done = search.end > 0 ? (100 * moment) / search.end : 100;
    slider.style.setProperty("--done", `${done}%`);
    part("node").textContent = visited;
    part("nodes").textContent = count(search.tree.visited);
    if (document.activeElement !== cutField) cutField.value = String(cuts);
    part("cuts").textContent = count(search.cutMoments.length);
    const play = part("play");
    play.classList.toggle("is-playing", this.isPlaying);
    part("play-word").textContent = say(this.isPlaying ? "pause" : "play");
    for (const [go, isOff] of [["start", moment === 0], ["back", moment === 0], ["step", moment === search.end]]) {
      document.querySelector(`[data-go="${go}"]`)?.toggleAttribute("data-off", Boolean(isOff));
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target, key } = event;
    const isElsewhere = target instanceof Element && target.closest("palestra-board, input:not([type=range]), select, textarea, dialog, summary");
    // The slider has arrow keys, Home and End of its own.
    if (target === slider && key.length > 1) return;
    const isPressed = key === " " && target instanceof Element && target.closest("button, a");
    const what = KEYS[key];
    if (isElsewhere || isPressed || event.ctrlKey || event.altKey || event.metaKey || !what) return;
    if (event.shiftKey && key !== "C") return;
    event.preventDefault();
    this.do(what);
  }
}
