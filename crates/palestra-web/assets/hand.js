// What hands do at the board: click, drag, point, pinch, press keys. What it means is the board's business.

const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

/** A hand that moves less than this clicks. */
const STILL = 6;
const WHEEL = 1.0016;

export class Hand {
  #board;
  #svg;
  #pointers = new Map();
  #drag = null;
  #isMoved = false;

  /**
   * @param board click(id), hover(id | null), lift(id) -> whether a piece can be dragged, carry(place), drop(id | null),
   *   step(way), enter(id), escape(), digit(text), view
   * @param {SVGSVGElement} svg
   */
  constructor(board, svg) {
    this.#board = board;
    this.#svg = svg;
    const on = (name, handler, options) => svg.addEventListener(name, handler.bind(this), options);
    on("click", this.#clicked);
    on("pointerdown", this.#down);
    on("pointermove", this.#moved);
    on("pointerup", this.#up);
    on("pointercancel", this.#cancelled);
    on("pointerleave", () => board.hover(null));
    on("wheel", this.#wheel, { passive: false });
    on("keydown", this.#key);
  }

  #id(target) {
    return target?.closest?.("[data-id]")?.dataset.id ?? null;
  }

  #clicked(event) {
    // The click at the end of a drag is none.
    if (this.#isMoved) return;
    this.#board.click(this.#id(event.target));
  }

  #down(event) {
    if (event.button !== 0) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#isMoved = false;
    this.#drag = { id: this.#id(event.target), x: event.clientX, y: event.clientY, isPiece: false };
  }

  #moved(event) {
    const pointer = this.#pointers.get(event.pointerId);
    if (!pointer) {
      if (event.pointerType === "mouse") this.#board.hover(this.#id(event.target));
      return;
    }
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
    if (this.#pointers.size > 1) this.#pinch(event, pointer);
    else if (this.#drag) this.#dragged(event, dx, dy);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  #dragged(event, dx, dy) {
    const drag = this.#drag;
    if (!this.#isMoved) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < STILL) return;
      this.#isMoved = true;
      drag.isPiece = drag.id !== null && this.#board.lift(drag.id);
      if (drag.isPiece || this.#board.view.isZoomed) this.#svg.setPointerCapture(event.pointerId);
    }
    if (drag.isPiece) {
      this.#board.carry(this.#board.view.at(event.clientX, event.clientY));
      this.#board.hover(this.#below(event));
    } else if (this.#board.view.isZoomed) {
      this.#board.view.pan(dx, dy);
    }
  }

  #pinch(event, pointer) {
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other || !this.#board.view.canZoom) return;
    const apart = (a) => Math.hypot(a.x - other.x, a.y - other.y);
    const here = { x: event.clientX, y: event.clientY };
    const middle = this.#board.view.at((here.x + other.x) / 2, (here.y + other.y) / 2);
    this.#isMoved = true;
    this.#board.view.zoom(apart(here) / Math.max(1, apart(pointer)), middle.x, middle.y);
  }

  #up(event) {
    this.#pointers.delete(event.pointerId);
    if (this.#drag?.isPiece) this.#board.drop(this.#below(event));
    this.#drag = null;
  }

  #cancelled(event) {
    this.#pointers.delete(event.pointerId);
    if (this.#drag?.isPiece) this.#board.drop(null);
    this.#drag = null;
  }

  /** What lies below a pointer that is captured. */
  #below({ clientX, clientY }) {
    const target = document.elementFromPoint(clientX, clientY);
    return this.#svg.contains(target) ? this.#id(target) : null;
  }

  #wheel(event) {
    const { view } = this.#board;
    if (!view.canZoom) return;
    event.preventDefault();
    const { x, y } = view.at(event.clientX, event.clientY);
    view.zoom(WHEEL ** -event.deltaY, x, y);
  }

  #key(event) {
    const id = event.target.closest?.(".cell")?.dataset.id;
    if (!id || event.ctrlKey || event.altKey || event.metaKey) return;
    const { view } = this.#board;
    if (event.key === "Enter" || event.key === " ") this.#board.click(id);
    else if (event.key === "Escape") this.#board.escape();
    else if (ARROWS[event.key]) this.#board.step(ARROWS[event.key]);
    else if (event.key === "+" && view.canZoom) view.closer();
    else if (event.key === "-" && view.canZoom) view.further();
    else return;
    event.preventDefault();
  }
}
