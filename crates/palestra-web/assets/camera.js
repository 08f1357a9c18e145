// What part of a drawing is seen, and how large. A drawing that is much wider than high is made narrower only, once its height fits.

const ZOOM_STEP = 1.25;
const MAX_ZOOM = 2;
/** How long the camera takes to go somewhere, in milliseconds. */
const TRAVEL_MS = 220;
/** How near the edge of the view something may be before the camera follows, in pixels. */
const EDGE = 70;

/** @typedef {{ width: number, height: number }} Extent */

export class Camera {
  x = 0;
  y = 0;
  zoom = 1;
  /** @type {Extent} */
  view = { width: 1, height: 1 };
  /** @type {Extent} */
  world = { width: 1, height: 1 };
  /** @type {{ fromX: number, fromY: number, toX: number, toY: number, begun: number } | null} */
  #travel = null;

  /** @param {number} x @returns {number} */
  toScreenX = (x) => (x - this.x) * this.zoom;
  /** @param {number} y @returns {number} */
  toScreenY = (y) => (y - this.y) * this.zoomY;
  /** @param {number} x @returns {number} */
  toWorldX = (x) => x / this.zoom + this.x;
  /** @param {number} y @returns {number} */
  toWorldY = (y) => y / this.zoomY + this.y;

  /** The zoom from top to bottom. */
  get zoomY() {
    return Math.max(this.zoom, Math.min(1, this.view.height / this.world.height));
  }

  /** The zoom at which everything is seen. */
  get fitting() {
    return Math.min(1, this.view.width / this.world.width);
  }

  /** Shows everything. */
  fit() {
    this.zoom = this.fitting;
    this.#travel = null;
    this.x = this.y = 0;
    this.clamp();
  }

  /** Moves by a distance in pixels of the screen. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.#travel = null;
    this.x += dx / this.zoom;
    this.y += dy / this.zoomY;
    this.clamp();
  }

  /** Zooms so that a place of the screen stays where it is. @param {number} factor @param {number} atX @param {number} atY */
  scale(factor, atX = this.view.width / 2, atY = this.view.height / 2) {
    const [x, y] = [this.toWorldX(atX), this.toWorldY(atY)];
    this.zoom = Math.min(MAX_ZOOM, Math.max(this.fitting, this.zoom * factor));
    this.x = x - atX / this.zoom;
    this.y = y - atY / this.zoomY;
    this.#travel = null;
    this.clamp();
  }

  /** @param {number} steps */
  step(steps) {
    this.scale(ZOOM_STEP ** steps);
  }

  /** Brings a place into view, at once or with a short travel. @param {number} x @param {number} y @param {number} below room for what is below it @param {boolean} isSlow */
  reveal(x, y, below, isSlow) {
    const [sx, sy] = [this.toScreenX(x), this.toScreenY(y)];
    const { width, height } = this.view;
    const isSeen = sx >= EDGE && sx <= width - EDGE && sy >= 0 && this.toScreenY(y + below) <= height;
    if (isSeen) return;
    const from = { x: this.x, y: this.y };
    const isBeside = sx < EDGE || sx > width - EDGE;
    if (isBeside) this.x = x - width / 2 / this.zoom;
    if (this.toScreenY(y + below) > height) this.y = y + below - height / this.zoomY;
    if (this.toScreenY(y) < 0) this.y = y - 8;
    this.clamp();
    this.#travel = null;
    if (!isSlow) return;
    this.#travel = { fromX: from.x, fromY: from.y, toX: this.x, toY: this.y, begun: performance.now() };
    this.advance(this.#travel.begun);
  }

  /** Travels on; the answer is whether there is more to come. @param {number} now */
  advance(now) {
    const travel = this.#travel;
    if (!travel) return false;
    const part = Math.min(1, Math.max(0, (now - travel.begun) / TRAVEL_MS));
    const eased = 1 - (1 - part) ** 3;
    this.x = travel.fromX + (travel.toX - travel.fromX) * eased;
    this.y = travel.fromY + (travel.toY - travel.fromY) * eased;
    if (part === 1) this.#travel = null;
    return part < 1;
  }

  /** Keeps the drawing in view; what is smaller than the view lies in its middle. */
  clamp() {
    const [width, height] = [this.view.width / this.zoom, this.view.height / this.zoomY];
    const room = this.world.width - width;
    this.x = room <= 0 ? room / 2 : Math.min(Math.max(this.x, 0), room);
    this.y = Math.min(Math.max(this.y, 0), Math.max(0, this.world.height - height));
  }

  /** Whether the drawing goes on in a direction: -1 up, 1 down. @param {number} direction */
  goesOn(direction) {
    const room = this.world.height - this.view.height / this.zoomY;
    return direction < 0 ? this.y > 0.5 : this.y < room - 0.5;
  }
}
