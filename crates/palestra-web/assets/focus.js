// The focus of the keyboard: one cell at a time takes part in the order of the tab key, and arrows lead to the next.

/** @import { Id, Way } from "./drawing" */

export class Focus {
  #stage;
  /** @type {Id | null} */
  id = null;

  /**
   * @param {import("./stage.js").Stage} stage
   * @param {HTMLElement} host the element around it: a drawing that listens to focus itself would take it
   */
  constructor(stage, host) {
    this.#stage = stage;
    host.addEventListener("focusin", ({ target }) => this.#shown(target));
    host.addEventListener("focusout", () => stage.marks.focus(null, stage.geometry));
  }

  /** Makes it this cell's turn; `moves` takes the focus along. @param {Id} id */
  set(id, moves = false) {
    const { cells, geometry, view } = this.#stage;
    const cell = geometry?.cells.get(id);
    if (!cell) return;
    const isNew = id !== this.id;
    if (isNew && this.id !== null) cells.element(this.id)?.setAttribute("tabindex", "-1");
    this.id = id;
    if (moves) view.follow(cell.place);
    this.keep();
    if (moves) cells.element(id)?.focus({ preventScroll: true });
  }

  /** After cells were drawn: the one in turn can be reached. */
  keep() {
    if (!this.#stage.isStatic && this.id !== null) this.#stage.cells.element(this.id)?.setAttribute("tabindex", "0");
  }

  /** Begins where something can be done, unless the keyboard is at the board already. @param {Id} id */
  begin(id) {
    if (!this.#stage.svg.contains(document.activeElement)) this.set(id);
  }

  /** Goes to the next cell in a direction. @param {Way} way */
  step(way) {
    const to = this.#stage.geometry?.cells.get(this.id ?? "")?.arrows[way];
    if (to) this.set(to, true);
  }

  /** @param {EventTarget | null} target */
  #shown(target) {
    const { geometry, marks } = this.#stage;
    if (!(target instanceof Element)) return;
    const cell = geometry?.cells.get(target.closest(".cell")?.getAttribute("data-id") ?? "");
    // A screen reader may go to any cell.
    if (cell) this.set(cell.id);
    marks.focus(cell && geometry && target.matches(":focus-visible") ? cell : null, geometry);
  }
}
