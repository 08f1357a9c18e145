// What hands do on the map: paint, draw lines, fill, place players, move and zoom, by mouse, finger and keys.

/** @import { Spot, Tool } from "./map" */
/** @typedef {import("./map-sheet.js").Sheet} Sheet */
/** @typedef {import("./map-view.js").MapView} MapView */

const WHEEL = 1.0016;
const STEP = 1.5;

/** @type {Record<string, [number, number]>} rows and columns */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class MapHand {
  #view;
  #sheet;
  #say;
  /** @type {Map<number, { x: number, y: number }>} */
  #pointers = new Map();
  /** Where a stroke was last, and where a line began. @type {Spot | null} */
  #last = null;
  /** @type {Spot | null} */
  #begun = null;
  #isPanning = false;
  /** @type {Spot} */
  #cursor = { row: 0, column: 0 };

  /** @param {MapView} view @param {Sheet} sheet @param {{ cell: (cell: number) => void, line: (spot: Spot) => void }} say */
  constructor(view, sheet, say) {
    this.#view = view;
    this.#sheet = sheet;
    this.#say = say;
    const { canvas } = view;
    /** @param {string} name @param {(event: any) => void} handler @param {AddEventListenerOptions} [options] */
    const on = (name, handler, options) => canvas.addEventListener(name, handler.bind(this), options);
    on("pointerdown", this.#down);
    on("pointermove", this.#moved);
    on("pointerup", this.#up);
    on("pointercancel", this.#cancelled);
    sheet.addEventListener("chosen", () => sheet.tool !== "line" && this.#forgetLine());
    sheet.addEventListener("replaced", () => this.#forgetLine());
    on("pointerleave", () => view.mark({ aimed: [], opposite: [] }));
    on("wheel", this.#wheel, { passive: false });
    on("keydown", this.#key);
    on("focus", () => canvas.matches(":focus-visible") && this.#point());
    on("blur", () => view.mark({ cursor: null, aimed: [], opposite: [] }));
  }

  // Pointers

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button > 1) return;
    this.#view.canvas.focus({ preventScroll: true });
    this.#view.canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#view.mark({ cursor: null });
    if (this.#pointers.size > 1) return this.#interrupt();
    this.#isPanning = event.button === 1 || this.#sheet.tool === "move";
    if (event.button === 1) event.preventDefault();
    // What the keys have begun is over.
    this.#last = null;
    this.#forgetLine();
    const spot = this.#view.at(event);
    if (!spot || this.#isPanning) return;
    this.#cursor = this.#sheet.grid.spot(this.#sheet.grid.cell(spot));
    this.#begin(spot);
  }

  /** @param {Spot} spot */
  #begin(spot) {
    const { tool, grid } = this.#sheet;
    const cell = grid.cell(spot);
    this.#last = spot;
    if (tool === "brush") this.#sheet.brush([cell]);
    if (tool === "fill") this.#sheet.fill(cell);
    if (tool === "pick") this.#sheet.pick(cell);
    if (tool === "players") this.#sheet.touchPlayer(cell);
    if (tool === "line") this.#begun = spot;
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const pointer = this.#pointers.get(event.pointerId);
    const spot = this.#view.at(event);
    if (!pointer) return this.#aim(spot);
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
    if (this.#pointers.size > 1) this.#pinch(event, pointer);
    else if (this.#isPanning) this.#view.pan(dx, dy);
    else if (spot && this.#last) this.#drag(spot, this.#last);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {Spot} spot @param {Spot} last */
  #drag(spot, last) {
    const { tool, grid } = this.#sheet;
    if (spot.row === last.row && spot.column === last.column) return;
    this.#last = spot;
    if (tool === "brush") this.#sheet.brush(grid.line(last, spot));
    if (tool === "players") this.#sheet.movePlayer(grid.cell(spot));
    this.#aim(spot);
  }

  /** Shows what a click here would paint. @param {Spot | null} spot */
  #aim(spot) {
    const { grid, tool, isSymmetric } = this.#sheet;
    const aimed = spot ? this.#sheet.reached(this.#begun ? grid.line(this.#begun, spot) : [grid.cell(spot)]) : [];
    const hasOpposite = isSymmetric && tool !== "move" && tool !== "pick";
    this.#view.mark({ aimed: tool === "move" ? [] : aimed, opposite: hasOpposite ? aimed.map((cell) => grid.opposite(cell)) : [] });
  }

  /** @param {PointerEvent} event @param {{ x: number, y: number }} pointer */
  #pinch(event, pointer) {
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return;
    const apart = (/** @type {{ x: number, y: number }} */ a) => Math.hypot(a.x - other.x, a.y - other.y);
    const here = { x: event.clientX, y: event.clientY };
    const box = this.#view.canvas.getBoundingClientRect();
    this.#view.zoom(apart(here) / Math.max(1, apart(pointer)), (here.x + other.x) / 2 - box.left, (here.y + other.y) / 2 - box.top);
    this.#view.pan((here.x - pointer.x) / 2, (here.y - pointer.y) / 2);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    this.#pointers.delete(event.pointerId);
    const spot = this.#view.at(event);
    if (this.#begun && (spot ?? this.#last)) this.#endLine(/** @type {Spot} */ (spot ?? this.#last));
    this.#last = null;
    this.#isPanning = false;
    this.#sheet.end();
  }

  #cancelled(/** @type {PointerEvent} */ event) {
    this.#pointers.delete(event.pointerId);
    this.#interrupt();
  }

  /** What was begun was not meant: two fingers zoom. */
  #interrupt() {
    this.#last = null;
    this.#forgetLine();
    this.#sheet.cancel();
  }

  #forgetLine() {
    this.#begun = null;
  }

  /** @param {Spot} spot */
  #endLine(spot) {
    if (this.#begun) this.#sheet.brush(this.#sheet.grid.line(this.#begun, spot));
    this.#begun = null;
    this.#sheet.end();
  }

  /** Zooms with Ctrl, as pages do; a map that is seen in part is moved. @param {WheelEvent} event */
  #wheel(event) {
    if (!event.ctrlKey && this.#view.isWhole) return;
    event.preventDefault();
    const box = this.#view.canvas.getBoundingClientRect();
    if (event.ctrlKey) this.#view.zoom(WHEEL ** (-3 * event.deltaY), event.clientX - box.left, event.clientY - box.top);
    else this.#view.pan(-event.deltaX, -event.deltaY);
  }

  // Keys

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.#walk(arrow, event.shiftKey);
    else if (event.key === "Enter" || event.key === " ") this.#press();
    else if (event.key === "Escape" && this.#begun) this.#forgetLine();
    else if (event.key === "+") this.#view.zoom(STEP);
    else if (event.key === "-") this.#view.zoom(1 / STEP);
    else return;
    event.preventDefault();
  }

  /** @param {[number, number]} step @param {boolean} isShifted whether to paint on the way */
  #walk([down, right], isShifted) {
    const { grid } = this.#sheet;
    const { row, column } = this.#cursor;
    this.#cursor = grid.spot(grid.cell({ row: row + down, column: column + right }));
    if (isShifted && this.#sheet.isPainting) {
      this.#sheet.brush([grid.cell(this.#cursor)]);
      this.#sheet.end();
    }
    this.#point();
  }

  #press() {
    const { tool, grid } = this.#sheet;
    if (tool === "move") return;
    if (tool === "line" && !this.#begun) {
      this.#begun = this.#cursor;
      return this.#say.line(this.#cursor);
    }
    if (tool === "line") this.#endLine(this.#cursor);
    else this.#begin(this.#cursor);
    this.#sheet.end();
    this.#say.cell(grid.cell(this.#cursor));
  }

  /** Shows the cursor where it is, and says what is there. */
  #point() {
    const { grid } = this.#sheet;
    this.#cursor = { row: Math.min(this.#cursor.row, grid.rows - 1), column: Math.min(this.#cursor.column, grid.columns - 1) };
    const cell = grid.cell(this.#cursor);
    this.#view.follow(cell);
    this.#view.mark({ cursor: cell });
    this.#aim(this.#begun ? this.#cursor : null);
    this.#say.cell(cell);
  }
}
