// What stands beside the drawing: buttons of the scene, the dock, numbers, buttons to zoom, and what screen readers say.

/** @import { Id, Label, Model, Scene } from "./drawing" */

import { Counters } from "./counters.js";
import { Controls, Dock } from "./dock.js";
import { html, put } from "./dom.js";

/** @type {["closer" | "further" | "whole", string][]} */
const ZOOMS = [["closer", "+"], ["further", "−"], ["whole", "⤢"]];

export class Beside {
  #stage;
  #controlsElement = html("div", { class: "controls", role: "group" });
  #dockElement = html("div", { class: "dock", role: "group", hidden: "" });
  #zoomElement = html("div", { class: "zoom", role: "group", hidden: "" });
  #live = html("p", { class: "announced", "aria-live": "polite" });
  /** @type {import("./spoken.js").Texts | null} */
  #texts = null;
  #controls;
  #dock;
  list = new Counters();

  /**
   * @param {import("./stage.js").Stage} stage
   * @param {import("./chooser.js").Chooser} chooser
   */
  constructor(stage, chooser) {
    this.#stage = stage;
    this.#controls = new Controls(this.#controlsElement, (id) => chooser.choose([id], true));
    this.#dock = new Dock(this.#dockElement, (id) => chooser.choose([id]));
  }

  /** The elements, with their names. @param {import("./spoken.js").Texts} texts @param {string} game */
  build(texts, game) {
    this.#texts = texts;
    put(this.#controlsElement, "aria-label", texts.plain("controls"));
    put(this.#dockElement, "aria-label", texts.plain("controls"));
    this.list.describe(texts.plain("counters"), game);
    for (const [name, sign] of ZOOMS) {
      const label = texts.plain(name) || name;
      const button = html("button", { type: "button", class: name, "aria-label": label, title: label }, sign);
      button.addEventListener("click", () => this.#stage.view[name]());
      this.#zoomElement.append(button);
    }
    return [this.#zoomElement, this.#controlsElement, this.#dockElement, this.list.element, this.#live];
  }

  /** @param {string} text */
  announce(text) {
    this.#live.textContent = text;
  }

  /** Draws the buttons for what may be clicked next. @param {Scene} scene @param {import("./choices.js").Picking} picking @param {boolean} isPlayable */
  drawButtons(scene, picking, isPlayable) {
    const [texts, { geometry, look, pieces, view }] = [this.#texts, this.#stage];
    if (!texts || !geometry) return;
    const textOf = (/** @type {Label} */ label) => texts.of(label);
    // The scale makes the browser lay out the page: only the dock needs it.
    const sizeOf = (/** @type {Id} */ id) => (pieces.place(id)?.size ?? geometry.at(id)?.radius ?? 0) * 2 * view.scale || undefined;
    /** @param {Id} id @returns {Label} */
    const labelOf = (id) => (scene.pieces.find((piece) => piece.id === id) ?? geometry.cells.get(id))?.label ?? [id];
    this.#controls.draw(scene, picking, isPlayable, textOf);
    this.#dock.draw({ scene, picking, isPlayable, look, textOf, sizeOf, labelOf });
    this.#zoomElement.hidden = !view.canZoom;
  }

  /** Draws the numbers. @param {Model} model */
  drawList(model) {
    const texts = this.#texts;
    if (texts) this.list.draw(model, this.#stage.look, (label) => texts.of(label), (key) => texts.plain(key) || undefined);
  }
}
