// Dragging, scrolling, pinching and clicking on a canvas.

/** @import { Camera } from "./camera.js" */

/** A pointer that moved less is a click, in pixels. */
const CLICK = 5;
const WHEEL_ZOOM = 0.0025;
/** How much a line or a page of a wheel is, in pixels. */
const WHEEL_UNITS = [1, 18, 400];

/** @typedef {{ x: number, y: number }} Point */

export class Gestures {
  /** @type {Map<number, Point>} */
  #pointers = new Map();
  #moved = 0;

  /**
   * @param {HTMLCanvasElement} canvas @param {Camera} camera @param {() => void} onMove
   * @param {(x: number, y: number) => void} onClick @param {(x: number, y: number) => boolean} isTarget
   */
  constructor(canvas, camera, onMove, onClick, isTarget) {
    this.canvas = canvas;
    this.camera = camera;
    this.onMove = onMove;
    this.onClick = onClick;
    this.isTarget = isTarget;
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", ({ pointerId }) => this.#pointers.delete(pointerId));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    if (this.#pointers.size === 0) this.#moved = 0;
    this.canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, this.#at(event));
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const [before, now] = [this.#pointers.get(event.pointerId), this.#at(event)];
    if (!before) {
      this.canvas.classList.toggle("at-node", this.isTarget(now.x, now.y));
      return;
    }
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    this.#moved += Math.hypot(dx, dy);
    if (this.#moved < CLICK) return;
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
      this.camera.scale(factor, (now.x + other.x) / 2, (now.y + other.y) / 2);
    }
    const share = other ? 0.5 : 1;
    this.camera.pan(-dx * share, -dy * share);
    this.#pointers.set(event.pointerId, now);
    this.onMove();
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const at = this.#pointers.get(event.pointerId);
    this.#pointers.delete(event.pointerId);
    if (at && this.#moved < CLICK) this.onClick(at.x, at.y);
  }

  /** The wheel moves the drawing as far as it goes, then the page; with Ctrl it zooms. @param {WheelEvent} event */
  #wheel(event) {
    const unit = WHEEL_UNITS[event.deltaMode] ?? 1;
    if (event.ctrlKey) {
      const { x, y } = this.#at(event);
      event.preventDefault();
      this.camera.scale(Math.exp(-event.deltaY * unit * WHEEL_ZOOM), x, y);
      return this.onMove();
    }
    const [dx, dy] = event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
    const isSideways = Math.abs(dx) > Math.abs(dy);
    if (!isSideways && !this.camera.goesOn(dy)) return;
    event.preventDefault();
    this.camera.pan(dx * unit, dy * unit);
    this.onMove();
  }

  /** @param {MouseEvent} event @returns {Point} */
  #at({ clientX, clientY }) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }
}
