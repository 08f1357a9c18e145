// The looks of a game for a canvas: the same style sheet and shapes that boards have, read once for each theme.

/** @import { Look, Part } from "./drawing" */
/** @import { Ground } from "./map" */

import { svg } from "./dom.js";
import { TEXTURES } from "./textures.js";

/** Colours that all games share, by the side of a piece. @type {Record<string, string>[]} */
const SHARED = ["one", "two"].map((side) => ({
  owner: `var(--piece-${side})`,
  "owner-deep": `var(--piece-${side}-deep)`,
  "owner-light": `var(--piece-${side}-light)`,
  ink: "#1c2421",
  paper: "#fffdf8",
  shade: "#0003",
}));

export class MapLooks {
  /** @type {Map<string, Ground>} */
  #grounds = new Map();
  /** @type {Map<string, string>} */
  #colours = new Map();
  /** @type {Map<string, CanvasPattern | null>} */
  #patterns = new Map();

  /** @param {HTMLElement} host the element with the game's id, whose colours count @param {Look} look */
  constructor(host, look) {
    this.host = host;
    this.look = look;
  }

  /** Reads everything anew: the theme has changed. */
  forget() {
    for (const read of [this.#grounds, this.#colours, this.#patterns]) read.clear();
  }

  /** A colour of the page. @param {string} css */
  colour(css) {
    let colour = this.#colours.get(css);
    if (colour === undefined) {
      const probe = document.createElement("span");
      probe.style.color = css;
      this.host.append(probe);
      colour = getComputedStyle(probe).color;
      probe.remove();
      this.#colours.set(css, colour);
    }
    return colour;
  }

  /** The colour of a part of a piece. @param {string} name @param {number} side */
  ink(name, side) {
    return this.colour(SHARED[side][name] ?? `var(--look-${name})`);
  }

  /** What cells of a kind look like. @param {string} kind @returns {Ground} */
  ground(kind) {
    const known = this.#grounds.get(kind);
    if (known) return known;
    const [outline, texture] = [svg("path", { class: "outline" }), svg("path", { class: "texture" })];
    const probe = svg("svg", { width: 0, height: 0 }, svg("g", { class: `cell ${kind}` }, outline, texture));
    this.host.append(probe);
    const [drawn, filled] = [getComputedStyle(outline), getComputedStyle(texture)];
    const name = /texture-([a-z]+)/.exec(filled.fill)?.[1] ?? null;
    if (name) texture.classList.add(`texture-${name}`);
    const ground = {
      fill: drawn.fill,
      edge: drawn.stroke,
      width: Number.parseFloat(drawn.strokeWidth) || 0,
      texture: name,
      ink: getComputedStyle(texture).color,
    };
    probe.remove();
    this.#grounds.set(kind, ground);
    return ground;
  }

  /** The texture of a ground at a scale, in pixels a hundredth of a cell. @param {CanvasRenderingContext2D} context @param {Ground} ground @param {number} scale */
  pattern(context, { texture, ink }, scale) {
    if (!texture || !TEXTURES[texture]) return null;
    const key = `${texture} ${ink} ${scale}`;
    let pattern = this.#patterns.get(key);
    if (pattern === undefined) {
      const { size: [width, height], ...drawn } = TEXTURES[texture];
      const tile = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
      const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (tile.getContext("2d"));
      pen.scale(tile.width / width, tile.height / height);
      drawTexture(pen, drawn, ink, texture);
      pattern = context.createPattern(tile, "repeat");
      pattern?.setTransform(new DOMMatrix().scale(width / tile.width / 100, height / tile.height / 100));
      this.#patterns.set(key, pattern);
    }
    return pattern;
  }

  /** Draws a piece in a square from -1 to 1. @param {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} pen @param {string} kind @param {number} side @param {string} [symbol] */
  piece(pen, kind, side, symbol = "") {
    for (const part of this.look.shapes[kind] ?? []) this.#part(pen, part, side, symbol);
  }

  /** @param {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} pen @param {Part} part @param {number} side @param {string} symbol */
  #part(pen, part, side, symbol) {
    if ("symbol" in part) {
      pen.fillStyle = this.ink(part.fill, side);
      pen.font = `700 ${part.size}px ${getComputedStyle(this.host).fontFamily}`;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(symbol, 0, 0.05);
      return;
    }
    const path = new Path2D(part.path);
    if (part.fill) {
      pen.fillStyle = this.ink(part.fill, side);
      pen.fill(path);
    }
    if (part.stroke) {
      pen.strokeStyle = this.ink(part.stroke, side);
      pen.lineWidth = part.width;
      pen.stroke(path);
    }
  }
}

/** @param {OffscreenCanvasRenderingContext2D} pen @param {Omit<import("./textures.js").Texture, "size">} texture @param {string} ink @param {string} name */
function drawTexture(pen, { line, dots = [], rings = [], radius = 1 }, ink, name) {
  Object.assign(pen, { strokeStyle: ink, fillStyle: ink, lineCap: "round", lineWidth: name === "masonry" ? 3.4 : 2.4 });
  if (line) pen.stroke(new Path2D(line));
  for (const [x, y] of [...dots, ...rings]) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    if (dots.length > 0) pen.fill();
    else pen.stroke();
  }
}
