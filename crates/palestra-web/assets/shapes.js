// The shapes of which the picture of a search is made, on a canvas, in the colours of the theme.

const TOKENS = ["surface", "inset", "line", "line-strong", "ink", "ink-2", "accent", "accent-tint", "one", "one-tint", "two", "two-tint", "mark", "sun-tint", "bad"];

/** Branches that were cut are strokes alone where nodes are smaller than this part of their size. */
const LEAST_BRANCH = 0.3;
/** How far the ground of what was found reaches. */
const HALO = 5;

export class Shapes {
  /** @type {Record<string, string>} */
  #colours = {};
  #font = "sans-serif";

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    this.recolour();
  }

  /** Takes the colours of the theme: a canvas cannot read them from the style sheet, an element can. */
  recolour() {
    const probe = document.createElement("span");
    this.canvas.after(probe);
    for (const token of TOKENS) {
      probe.style.color = `var(--${token})`;
      this.#colours[token] = getComputedStyle(probe).color;
    }
    this.#font = getComputedStyle(probe).fontFamily;
    probe.remove();
  }

  /** The width of a text. @param {string} text @param {number} size @param {number} weight */
  measure(text, size, weight) {
    this.context.font = `${weight} ${size}px ${this.#font}`;
    return this.context.measureText(text).width;
  }

  /** Begins a drawing of this size, in pixels. @param {{ width: number, height: number }} view */
  begin({ width, height }) {
    const { canvas, context } = this;
    const ratio = devicePixelRatio || 1;
    const size = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
    if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.#colours.surface;
    context.fillRect(0, 0, width, height);
    context.lineCap = "round";
    context.lineJoin = "round";
    context.textBaseline = "middle";
  }

  /** Vertical strokes, each at x from y to y. @param {string} colour @param {number[][]} strokes */
  strokes(colour, strokes) {
    const { context } = this;
    context.strokeStyle = this.#colours[colour];
    context.lineWidth = 1;
    context.beginPath();
    for (const [x, from, to] of strokes) {
      context.moveTo(x, from);
      context.lineTo(x, to);
    }
    context.stroke();
  }

  /** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {string} colour @param {number} weight @param {boolean} isBent */
  branch(x0, y0, x1, y1, colour, weight, isBent) {
    const { context } = this;
    const bend = (y1 - y0) * 0.62;
    context.lineWidth = weight;
    context.strokeStyle = this.#colours[colour];
    context.beginPath();
    context.moveTo(x0, y0);
    if (isBent) context.bezierCurveTo(x0, y0 + bend, x1, y1 - bend, x1, y1);
    else context.lineTo(x1, y1);
    context.stroke();
  }

  /** @param {string} fill @param {string} stroke @param {number} weight */
  style(fill, stroke, weight) {
    this.context.fillStyle = this.#colours[fill];
    this.context.strokeStyle = this.#colours[stroke];
    this.context.lineWidth = weight;
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  box(x, y, width, height) {
    this.#rounded(x - width / 2, y, width, height, Math.min(4, width / 4));
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {boolean} isUp */
  triangle(x, y, width, height, isUp) {
    const { context } = this;
    const [tip, base] = isUp ? [y, y + height] : [y + height, y];
    context.beginPath();
    context.moveTo(x, tip);
    context.lineTo(x + width / 2, base);
    context.lineTo(x - width / 2, base);
    context.closePath();
    context.fill();
    context.stroke();
  }

  /** What shows that a node was found. @param {number} x @param {number} y @param {number} width @param {number} height */
  halo(x, y, width, height) {
    this.style("sun-tint", "mark", 3);
    this.#rounded(x - width / 2 - HALO, y - HALO, width + 2 * HALO, height + 2 * HALO, 2 * HALO);
  }

  /** @param {string} text @param {number} x @param {number} y @param {number} points @param {{ size: number, weight: number, align?: CanvasTextAlign, colour?: string }} style */
  text(text, x, y, points, { size, weight, align = "center", colour = "ink" }) {
    const { context } = this;
    context.font = `${weight} ${points * size}px ${this.#font}`;
    context.textAlign = align;
    context.fillStyle = this.#colours[colour];
    context.fillText(text, x, y);
  }

  /** A text on a line. @param {string} text @param {number} x @param {number} y @param {number} points */
  haloed(text, x, y, points) {
    const { context } = this;
    context.font = `600 ${points}px ${this.#font}`;
    context.textAlign = "center";
    context.lineWidth = 7;
    context.strokeStyle = this.#colours.surface;
    context.strokeText(text, x, y);
    context.fillStyle = this.#colours["ink-2"];
    context.fillText(text, x, y);
  }

  /** How much is folded. @param {string} text @param {number} x @param {number} y @param {number} size @param {boolean} isDashed */
  badge(text, x, y, size, isDashed) {
    const { context } = this;
    context.font = `500 ${14 * size}px ${this.#font}`;
    const width = context.measureText(text).width + 14 * size;
    this.style("inset", "line-strong", 1);
    context.setLineDash(isDashed ? [3, 3] : []);
    this.#rounded(x - width / 2, y - 10 * size, width, 20 * size, 10 * size);
    context.setLineDash([]);
    this.text(text, x, y + size, 14, { size, weight: 500, colour: "ink-2" });
  }

  /** A branch that was cut, with the move that was never tried. @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {string} text @param {number} size */
  cut(x0, y0, x1, y1, text, size) {
    const { context } = this;
    if (size < LEAST_BRANCH) return this.#slash(x1, y0 + 6, size);
    const height = y1 - y0;
    this.style("surface", "line-strong", 1.4);
    context.setLineDash([4, 4]);
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0, y0 + height * 0.3, x1 - (x1 - x0) * 0.15, y0 + height * 0.25, x1, y1 - 11 * size);
    context.stroke();
    if (text) {
      context.setLineDash([3, 3]);
      context.font = `500 ${14 * size}px ${this.#font}`;
      const width = Math.max(22 * size, context.measureText(text).width + 12 * size);
      this.#rounded(x1 - width / 2, y1 - 11 * size, width, 22 * size, 11 * size);
      this.text(text, x1, y1 + size, 14, { size, weight: 500, colour: "ink-2" });
    }
    context.setLineDash([]);
    this.#slash(x1, y1 - 20 * size, size);
  }

  /** @param {number} x @param {number} y @param {number} size */
  #slash(x, y, size) {
    const { context } = this;
    context.strokeStyle = this.#colours.bad;
    context.lineWidth = Math.max(1, 3 * size);
    context.beginPath();
    context.moveTo(x - 9 * size, y + 5 * size);
    context.lineTo(x + 9 * size, y - 5 * size);
    context.stroke();
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} radius */
  #rounded(x, y, width, height, radius) {
    const { context } = this;
    context.beginPath();
    context.roundRect(x, y, width, height, radius);
    context.fill();
    context.stroke();
  }
}
