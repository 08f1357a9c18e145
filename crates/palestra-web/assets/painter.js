// Draws a search on a canvas: what is seen of it, and as much of that as can be told apart.

/** @import { Branches } from "./branches.js" */
/** @import { Camera } from "./camera.js" */
/** @import { Search } from "./search.js" */
/** @typedef {{ score: (score: number) => string, window: (alpha: number, beta: number) => string, more: (count: number) => string }} Words */
/** @typedef {{ search: Search, branches: Branches, camera: Camera, moment: number, row: number, found: Set<number>, words: Words }} Picture */
/** @typedef {{ line: Set<number>, path: Set<number>, now: number, isCutting: boolean }} Moment */
/** @typedef {{ node: number, x: number, y: number, size: number }} Spot where a node is, in pixels of the screen, and how large */

import { BOX, MAX_SKIPPED, TRIANGLE } from "./branches.js";
import { UNSENT } from "./search.js";
import { Shapes } from "./shapes.js";

/** The distance of the root from the upper edge. */
export const TOP = 18;
/** Below this zoom texts would be smaller than 12 pixels. */
const TEXT_ZOOM = 0.86;
/** A subtree narrower than this is a stroke. */
const NARROW = 6;
/** Shapes are not smaller than this part of their size. */
const LEAST_SIZE = 0.12;
/** How far along its branch a move is written, and how far down: in the middle, or near its child where there is little room. */
const MIDDLE = [0.75, 0.66];
const NEAR = [0.92, 0.74];

export class Painter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.shapes = new Shapes(canvas);
  }

  /** @param {Picture} picture */
  draw(picture) {
    const { camera, search, moment, branches } = picture;
    this.shapes.begin(camera.view);
    /** @type {Moment} */
    const state = { line: new Set(search.line(moment)), path: new Set(branches.path), now: search.at(moment), isCutting: search.isCutAt(moment) };
    const { spots, narrow } = this.#seen(picture);
    this.#drawNarrow(picture, narrow);
    for (const spot of spots) if (picture.found.has(spot.node)) this.#drawFound(picture, spot);
    for (const spot of spots) if (spot.node > 0) this.#drawBranch(picture, state, spot);
    for (const spot of spots) this.#drawNode(picture, state, spot);
  }

  /** @param {Picture} picture @param {number} node @returns {Spot} */
  #spot({ branches, camera, search, row }, node) {
    const size = Math.max(LEAST_SIZE, camera.zoom);
    return { node, x: camera.toScreenX(branches.x[node]), y: camera.toScreenY(TOP + search.level[node] * row), size };
  }

  /** The nodes that are seen, and those whose subtrees are too narrow to be told apart. @param {Picture} picture */
  #seen(picture) {
    const { branches, camera } = picture;
    const { shown, shownCount, left, width } = branches;
    const [from, to] = [camera.x, camera.x + camera.view.width / camera.zoom];
    const [spots, narrow] = [/** @type {Spot[]} */ ([]), /** @type {number[]} */ ([])];
    for (let index = 0; index < shownCount; ) {
      const node = shown[index];
      const isBeside = left[node] > to || left[node] + width[node] < from;
      const isNarrow = width[node] * camera.zoom < NARROW && node > 0;
      if (isNarrow && !isBeside) narrow.push(node);
      if (!isNarrow && !isBeside) spots.push(this.#spot(picture, node));
      index += isBeside || isNarrow ? branches.shownBelow(index) : 1;
    }
    return { spots, narrow };
  }

  /** A stroke for each subtree, as far down as it reaches. @param {Picture} picture @param {number[]} nodes */
  #drawNarrow({ search, branches, camera, row, moment }, nodes) {
    for (const isEntered of [false, true]) {
      const strokes = nodes.filter((node) => search.isEntered(node, moment) === isEntered);
      this.shapes.strokes(isEntered ? "line-strong" : "line", strokes.map((node) => {
        const last = Math.min(search.deepest[node], branches.levels);
        const [x, y] = [camera.toScreenX(branches.left[node] + branches.width[node] / 2), camera.toScreenY(TOP + search.level[node] * row)];
        return [x, y, camera.toScreenY(TOP + last * row) + 4];
      }));
    }
  }

  /** What shows that a node was found. @param {Picture} picture @param {Spot} spot */
  #drawFound({ search, branches: { sizes } }, { node, x, y, size }) {
    const [width, height] = search.isLeaf(node) ? [sizes.box, BOX] : [sizes.triangle, TRIANGLE];
    this.shapes.halo(x, y, width * size, height * size);
  }

  /** The branch from the parent of a node to it. @param {Picture} picture @param {Moment} state @param {Spot} spot */
  #drawBranch(picture, state, { node, x, y, size }) {
    const { search, moment } = picture;
    const from = this.#spot(picture, search.parent[node]);
    const isEntered = search.isEntered(node, moment);
    const [isBest, isOnPath] = [state.line.has(node), state.path.has(node)];
    const colour = isOnPath ? "mark" : isBest ? "accent" : isEntered ? "line-strong" : "line";
    const top = from.y + TRIANGLE * from.size;
    this.shapes.branch(from.x, top, x, y, colour, isBest || isOnPath ? 4.5 : 1.4, size > 0.3);
    if (!isEntered || size < TEXT_ZOOM) return;
    const [along, down] = this.#hasRoom(picture, node, size) ? MIDDLE : NEAR;
    this.shapes.haloed(search.text(node), from.x + (x - from.x) * along, top + (y - top) * down, 15 * size);
  }

  /** Whether a move can be written away from its child without covering its neighbours. @param {Picture} picture @param {number} node @param {number} size */
  #hasRoom({ search, branches }, node, size) {
    if (branches.skippedWidth(search.parent[node]) > 0) return false;
    return this.shapes.measure(search.text(node), 15 * size, 600) < 0.7 * branches.width[node] * size;
  }

  /** @param {Picture} picture @param {Moment} state @param {Spot} spot */
  #drawNode(picture, state, spot) {
    const { node, x, y, size } = spot;
    const { search, branches, moment } = picture;
    const { box, triangle } = branches.sizes;
    const isEntered = search.isEntered(node, moment);
    const [isLeaf, isMax, isNow] = [search.isLeaf(node), search.isMax(node), node === state.now];
    const { fill, stroke, weight } = this.#look(picture, state, node);
    this.shapes.style(fill, stroke, weight);
    if (isLeaf) this.shapes.box(x, y, box * size, BOX * size);
    else this.shapes.triangle(x, y, triangle * size, TRIANGLE * size, isMax);
    if (isEntered && size >= TEXT_ZOOM) this.#drawTexts(picture, spot, isNow, isNow && state.isCutting);
    const isWhole = search.isLeft(node, moment + 1);
    if (isWhole && branches.isOpen(node)) this.#drawSkipped(picture, spot);
  }

  /** @param {Picture} picture @param {Moment} state @param {number} node */
  #look({ search, moment }, state, node) {
    const isNow = node === state.now;
    if (!search.isEntered(node, moment)) return { fill: "surface", stroke: "line", weight: 1.4 };
    const isBest = state.line.has(node);
    const side = (search.isMax(node) ? search.tree.max : 1 - search.tree.max) === 0 ? "one" : "two";
    const [tint, edge] = !search.isLeaf(node) ? [`${side}-tint`, side] : isBest ? ["accent-tint", "accent"] : ["inset", "line-strong"];
    return { fill: isNow ? "sun-tint" : tint, stroke: isNow ? "ink" : edge, weight: isNow ? 4.5 : isBest && search.isLeaf(node) ? 3.2 : 2 };
  }

  /** The value in a node, the window beside it, and how much is folded below it. @param {Picture} picture @param {Spot} spot @param {boolean} isNow @param {boolean} isCutting */
  #drawTexts({ search, branches, moment, words }, { node, x, y, size }, isNow, isCutting) {
    const isLeaf = search.isLeaf(node);
    // A value shows when the last child has come back, a moment before the node is left.
    const hasValue = isLeaf || search.isLeft(node, moment + 1);
    const part = isLeaf ? 0.53 * BOX : (search.isMax(node) ? 0.68 : 0.34) * TRIANGLE;
    if (hasValue) this.shapes.text(valueOf(search, node, words.score), x, y + part * size, isLeaf ? 16 : 17, { size, weight: 700 });
    if (isLeaf) return;
    if (!search.isMinimax) {
      const isOpen = !search.isLeft(node, moment) || node === 0;
      const { alpha, beta } = isOpen && isNow ? search.window(node, moment) : { alpha: search.alpha[node], beta: search.beta[node] };
      const [right, down] = search.isMax(node) ? [-12, 16] : [-10, TRIANGLE - 16];
      const colour = isCutting ? "bad" : isNow ? "ink" : "ink-2";
      const at = x + (branches.sizes.triangle / 2 + right) * size;
      this.shapes.text(words.window(alpha, beta), at, y + down * size, 15, { size, weight: isNow ? 700 : 400, align: "left", colour });
    }
    if (hasValue && branches.isFolded(node)) {
      this.shapes.badge(words.more(search.below[node]), x, y + (TRIANGLE + 13) * size, size, search.why[node] === UNSENT);
    }
  }

  /** The moves of a node that were never tried. @param {Picture} picture @param {Spot} spot */
  #drawSkipped({ search, branches, row, camera }, { node, x, y, size }) {
    if (search.skippedCount[node] === 0) return;
    const skipped = search.skipped(node);
    const { skip } = branches.sizes;
    const rest = skipped.length - MAX_SKIPPED;
    const texts = rest > 1 ? [...skipped.slice(0, MAX_SKIPPED), `+${rest}`] : skipped;
    const last = branches.last[node];
    const top = y + TRIANGLE * size;
    const bottom = top + (row * camera.zoomY - TRIANGLE * size) * 0.72;
    texts.forEach((text, index) => {
      const at = camera.toScreenX(branches.left[last] + branches.width[last] + (index + 0.5) * skip);
      this.shapes.cut(x, top, at, bottom, size >= TEXT_ZOOM ? text : "", size);
    });
  }
}

/** The value of a node, with how exact it is. @param {Search} search @param {number} node @param {(score: number) => string} format */
export function valueOf(search, node, format) {
  return ["≤", "", "≥"][search.exactness(node) + 1] + format(search.score[node]);
}
