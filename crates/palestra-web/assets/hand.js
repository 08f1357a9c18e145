// What hands do at the board: click, drag, point, pinch, press keys. What it means is the chooser's business.

/** @import { Id, Way } from "./drawing" */

/** @type {Record<string, Way>} */
const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

/** A hand that moves less than this clicks. */
const STILL = 6;
const WHEEL = 1.0016;

export class Hand {
  #stage;
  #svg;
  #chooser;
  #focus;
  #board;
  /** @type {Map<number, { x: number, y: number }>} */
  #pointers = new Map();
  /** @type {{ id: Id | null, x: number, y: number, isPiece: boolean } | null} */
  #drag = null;
  #isMoved = false;

  /**
   * @param {import("./stage.js").Stage} stage
   * @param {import("./chooser.js").Chooser} chooser
   * @param {import("./focus.js").Focus} focus
   * @param {HTMLElement & {isMoving: boolean, skip: () => void}} board with buttons beside the drawing
   */
  constructor(stage, chooser, focus, board) {
    this.#stage = stage;
    this.#svg = stage.svg;
    this.#chooser = chooser;
    this.#focus = focus;
    this.#board = board;
    /** @param {string} name @param {(event: any) => void} handler @param {AddEventListenerOptions} [options] */
    const on = (name, handler, options) => stage.svg.addEventListener(name, handler.bind(this), options);
    on("click", this.#clicked);
    on("pointerdown", this.#down);
    on("pointermove", this.#moved);
    on("pointerup", this.#up);
    on("pointercancel", this.#cancelled);
    on("pointerleave", () => chooser.hover(null));
    for (const [begins, ends] of [["focusin", "focusout"], ["pointerover", "pointerout"]]) {
      board.addEventListener(begins, ({ target }) => this.#seen(target));
      board.addEventListener(ends, ({ target }) => this.#seen(target) && chooser.hover(null));
    }
    on("wheel", this.#wheel, { passive: false });
    on("keydown", this.#key);
  }

  /** Digits count wherever on the page nothing else takes them. @param {KeyboardEvent} event */
  digit = (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const isElsewhere = target?.closest("input, select, textarea, dialog, [contenteditable]");
    if (isElsewhere || event.ctrlKey || event.altKey || event.metaKey || !/^[0-9]$/.test(event.key)) return;
    if (this.#chooser.digit(event.key)) event.preventDefault();
  };

  /** A click lets what moves jump to its end, and counts. @param {Id | null} id */
  #choose(id) {
    this.#board.skip();
    if (id === null) return;
    this.#focus.set(this.#chooser.cellOf(id));
    this.#chooser.choose(this.#chooser.meant(id));
  }

  /** Shows what a button would do, or a cell that the keyboard comes to. @param {EventTarget | null} target */
  #seen(target) {
    const isShown = target instanceof Element && target.matches(".control:enabled, .cell:focus-visible");
    if (isShown) this.#chooser.hover(this.#id(target));
    return isShown;
  }

  /** What an element stands for. @param {EventTarget | null} target @returns {Id | null} */
  #id(target) {
    return target instanceof Element ? (target.closest("[data-id]")?.getAttribute("data-id") ?? null) : null;
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    // The click at the end of a drag is none.
    if (this.#isMoved) return;
    this.#choose(this.#id(event.target));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#isMoved = false;
    this.#drag = { id: this.#id(event.target), x: event.clientX, y: event.clientY, isPiece: false };
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const pointer = this.#pointers.get(event.pointerId);
    if (!pointer) {
      if (event.pointerType === "mouse") this.#chooser.hover(this.#id(event.target));
      return;
    }
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
    if (this.#pointers.size > 1) this.#pinch(event, pointer);
    else if (this.#drag) this.#dragged(event, dx, dy);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event @param {number} dx @param {number} dy */
  #dragged(event, dx, dy) {
    const drag = this.#drag;
    if (!drag) return;
    if (!this.#isMoved) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < STILL) return;
      this.#isMoved = true;
      drag.isPiece = drag.id !== null && !this.#board.isMoving && this.#chooser.lift(drag.id);
      if (drag.isPiece || this.#stage.view.isZoomed) this.#svg.setPointerCapture(event.pointerId);
    }
    if (drag.isPiece) {
      this.#chooser.carry(this.#stage.view.at(event.clientX, event.clientY));
      this.#chooser.hover(this.#below(event));
    } else if (this.#stage.view.isZoomed) {
      this.#stage.view.pan(dx, dy);
    }
  }

  /** @param {PointerEvent} event @param {{ x: number, y: number }} pointer */
  #pinch(event, pointer) {
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other || !this.#stage.view.canZoom) return;
    const apart = (/** @type {{ x: number, y: number }} */ a) => Math.hypot(a.x - other.x, a.y - other.y);
    const here = { x: event.clientX, y: event.clientY };
    const middle = this.#stage.view.at((here.x + other.x) / 2, (here.y + other.y) / 2);
    this.#isMoved = true;
    this.#stage.view.zoom(apart(here) / Math.max(1, apart(pointer)), middle.x, middle.y);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    this.#pointers.delete(event.pointerId);
    if (this.#drag?.isPiece) this.#chooser.drop(this.#below(event));
    this.#drag = null;
  }

  /** @param {PointerEvent} event */
  #cancelled(event) {
    this.#pointers.delete(event.pointerId);
    if (this.#drag?.isPiece) this.#chooser.drop(null);
    this.#drag = null;
  }

  /** What lies below a pointer that is captured. @param {PointerEvent} event */
  #below({ clientX, clientY }) {
    const target = document.elementFromPoint(clientX, clientY);
    return this.#svg.contains(target) ? this.#id(target) : null;
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const { view } = this.#stage;
    if (!view.canZoom) return;
    event.preventDefault();
    const { x, y } = view.at(event.clientX, event.clientY);
    view.zoom(WHEEL ** -event.deltaY, x, y);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const id = this.#id(event.target);
    if (!id || event.ctrlKey || event.altKey || event.metaKey) return;
    const { view } = this.#stage;
    if (event.key === "Enter" || event.key === " ") this.#choose(id);
    else if (event.key === "Escape") this.#chooser.escape();
    else if (ARROWS[event.key]) this.#focus.step(ARROWS[event.key]);
    else if (event.key === "+" && view.canZoom) view.closer();
    else if (event.key === "-" && view.canZoom) view.further();
    else return;
    event.preventDefault();
  }
}
