// The tree on the page: which nodes are shown, what part of the drawing is seen, what was clicked. It draws at most once a frame.

/** @import { Search } from "./search.js" */
/** @import { Values } from "./values.js" */

import { BOX, Branches, TRIANGLE } from "./branches.js";
import { Camera } from "./camera.js";
import { Gestures } from "./gestures.js";
import { Painter, TOP, valueOf } from "./painter.js";

/** The distance of two levels: less where there is little room. */
const [LEAST_ROW, MOST_ROW] = [86, 128];
/** What is below the last level: of folded nodes it says how much is below them. */
const [BOTTOM, BOTTOM_OF_LEAVES] = [34, 14];
/** A tree is shown at first as far as it is not wider than this, or than the view. */
const FIRST_WIDTH = 1420;
/** At this zoom texts are 14 pixels high. */
const LEAST_USUAL_ZOOM = 0.94;
/** Nodes whose texts are measured to find out how large nodes are. */
const MEASURED = 1000;

const isStill = matchMedia("(prefers-reduced-motion: reduce)");

export class TreeView {
  camera = new Camera();
  moment = 0;
  /** @type {Set<number>} */
  found = new Set();
  #isDirty = false;
  #usualZoom = 1;

  /** @param {HTMLCanvasElement} canvas @param {(node: number) => void} onPick */
  constructor(canvas, onPick) {
    this.canvas = canvas;
    this.painter = new Painter(canvas);
    /** @type {Search | null} */
    this.search = null;
    /** @type {Branches | null} */
    this.branches = null;
    /** @type {Values | null} */
    this.values = null;
    new Gestures(canvas, this.camera, () => this.redraw(), (x, y) => this.#picked(x, y, onPick), (x, y) => this.nodeAt(x, y) !== null);
    new ResizeObserver(() => this.#resized()).observe(canvas);
    const recolour = () => {
      this.painter.shapes.recolour();
      this.redraw();
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  }

  /** Shows a search from now on. @param {Search} search @param {Values} values @param {Uint8Array | null} opened the nodes that are open, if that is known already */
  set(search, values, opened = null) {
    this.search = search;
    this.values = values;
    this.found = new Set();
    this.branches = new Branches(search, this.#sizes(search, values));
    this.moment = Math.min(this.moment, search.end);
    if (opened) this.branches.opened.set(opened);
    else this.#openFitting(this.branches);
    this.branches.follow(this.#way());
    this.#arrange();
    if (!opened) this.home();
  }

  /** The root in the middle, at the usual size, or a little smaller if everything is seen then. */
  home() {
    if (!this.branches) return;
    this.#usualZoom = this.camera.fitting >= LEAST_USUAL_ZOOM ? this.camera.fitting : 1;
    this.camera.zoom = this.#usualZoom;
    this.#measure();
    this.camera.x = this.branches.x[0] - this.camera.view.width / 2;
    this.camera.y = 0;
    this.camera.clamp();
    this.redraw();
  }

  /** Everything that is shown, in the view. */
  fit() {
    this.camera.fit();
    this.redraw();
  }

  /** @param {number} steps */
  zoom(steps) {
    this.camera.step(steps);
    this.redraw();
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.camera.pan(dx, dy);
    this.redraw();
  }

  /** Shows a moment, and follows it if it is out of view. @param {number} moment @param {boolean} isSlow */
  show(moment, isSlow) {
    const { search, branches } = this;
    if (!search || !branches) return;
    this.moment = moment;
    const [way, before, node] = [this.#way(), branches.path, search.at(moment)];
    if (branches.follow(way)) {
      // What was on the way before and still is stays where it is.
      const anchor = way.findLast((on) => before.includes(on)) ?? 0;
      const x = branches.x[anchor];
      this.#arrange();
      this.camera.x += branches.x[anchor] - x;
      this.camera.clamp();
    }
    const y = TOP + search.level[node] * this.row;
    const below = branches.isOpen(node) ? this.row + this.#last : TRIANGLE + BOTTOM;
    this.camera.reveal(branches.x[node], y, below, isSlow && !isStill.matches);
    this.redraw();
  }

  /** Opens or folds a node. @param {number} node */
  toggle(node) {
    const { branches } = this;
    if (!branches) return;
    branches.toggle(node);
    this.#rearranged(node);
  }

  /** Shows all nodes down to a depth. @param {number} levels */
  openTo(levels) {
    const { search, branches } = this;
    if (!search || !branches) return;
    branches.openTo(levels);
    this.#rearranged(search.at(this.moment));
  }

  /** Marks nodes, and shows the one at this place among them. @param {number[]} nodes @param {number} index */
  mark(nodes, index) {
    const { search, branches } = this;
    if (!search || !branches) return;
    this.found = new Set(nodes);
    const node = nodes[index];
    if (node === undefined) return this.redraw();
    for (const ancestor of search.path(node).slice(0, -1)) branches.opened[ancestor] = 1;
    this.#rearranged(node);
  }

  /** The distance of two levels. */
  get row() {
    const levels = Math.max(1, this.branches?.levels ?? 1);
    const room = (this.camera.view.height / this.#usualZoom - TOP - this.#last) / levels;
    return Math.min(MOST_ROW, Math.max(LEAST_ROW, room));
  }

  /** The room that the last level needs. */
  get #last() {
    return this.branches?.endsInLeaves ? BOX + BOTTOM_OF_LEAVES : TRIANGLE + BOTTOM;
  }

  /** Draws before the next frame. */
  redraw() {
    if (this.#isDirty) return;
    this.#isDirty = true;
    requestAnimationFrame((now) => {
      this.#isDirty = false;
      if (this.camera.advance(now)) this.redraw();
      this.#draw();
    });
  }

  /** The node at a place of the canvas. @param {number} x @param {number} y */
  nodeAt(x, y) {
    const { search, branches, camera } = this;
    if (!search || !branches) return null;
    const [at, level] = [camera.toWorldX(x), Math.floor((camera.toWorldY(y) - TOP + 6) / this.row)];
    const size = Math.max(0.3, camera.zoom);
    const within = y - camera.toScreenY(TOP + level * this.row);
    const { shown, shownCount, left, width } = branches;
    for (let index = 0; index < shownCount; ) {
      const node = shown[index];
      if (left[node] > at || left[node] + width[node] < at || search.level[node] > level) {
        index += branches.shownBelow(index);
        continue;
      }
      const isLeaf = search.isLeaf(node);
      const half = ((isLeaf ? branches.sizes.box : branches.sizes.triangle) / 2 + 4) / Math.min(1, camera.zoom / size);
      const height = (isLeaf ? BOX : TRIANGLE + (branches.isFolded(node) ? 26 : 0)) + 6;
      if (search.level[node] === level && Math.abs(branches.x[node] - at) <= half && within <= height * size) return node;
      index++;
    }
    return null;
  }

  /** The way to what is shown: the current node is open once a value has come back to it. */
  #way() {
    const { search, moment } = this;
    if (!search) return [0];
    const path = search.path(search.at(moment));
    return search.backFrom(moment) > 0 || path.length === 1 ? path : path.slice(0, -1);
  }

  /** @param {number} x @param {number} y @param {(node: number) => void} onPick */
  #picked(x, y, onPick) {
    const node = this.nodeAt(x, y);
    if (node !== null) onPick(node);
  }

  /** @param {Branches} branches */
  #openFitting(branches) {
    const { search } = this;
    const most = Math.max(FIRST_WIDTH, this.camera.view.width / LEAST_USUAL_ZOOM);
    let levels = 1;
    for (const deepest = search?.deepest[0] ?? 1; levels < deepest; levels++) {
      branches.openTo(levels + 1);
      branches.arrange();
      if (branches.totalWidth > most) break;
    }
    branches.openTo(levels);
  }

  /** @param {number} node the node that is being looked at */
  #rearranged(node) {
    const { search, branches } = this;
    if (!search || !branches) return;
    const before = branches.x[node];
    this.#arrange();
    this.camera.x += branches.x[node] - before;
    this.camera.clamp();
    this.camera.reveal(branches.x[node], TOP + search.level[node] * this.row, TRIANGLE + BOTTOM, false);
    this.redraw();
  }

  #arrange() {
    const { branches } = this;
    if (!branches) return;
    branches.arrange();
    this.#measure();
  }

  #measure() {
    const { branches } = this;
    if (!branches) return;
    this.camera.world = { width: branches.totalWidth, height: TOP + branches.levels * this.row + this.#last };
    this.redraw();
  }

  #resized() {
    const { clientWidth, clientHeight } = this.canvas;
    const before = this.camera.view.width;
    this.camera.view = { width: clientWidth, height: clientHeight };
    this.#measure();
    this.camera.x += (before - clientWidth) / 2 / this.camera.zoom;
    this.camera.clamp();
  }

  /** How large nodes are so that their texts have room. @param {Search} search @param {Values} values */
  #sizes(search, values) {
    const { shapes } = this.painter;
    let [leaf, inner, move] = [0, 0, 0];
    const step = Math.max(1, Math.floor(search.count / MEASURED));
    for (let node = 0; node < search.count; node += step) {
      const width = shapes.measure(valueOf(search, node, values.score), 17, 700);
      if (search.isLeaf(node)) leaf = Math.max(leaf, width);
      else inner = Math.max(inner, width);
    }
    for (const text of search.tree.texts) move = Math.max(move, shapes.measure(text, 15, 600));
    const box = Math.max(44, leaf + 14);
    return { box, triangle: Math.max(78, inner * 1.6 + 20), slot: Math.max(box, move) + 9, skip: Math.max(32, move + 20) };
  }

  #draw() {
    const { search, branches, values, camera, moment, found, row } = this;
    if (search && branches && values) this.painter.draw({ search, branches, camera, moment, row, found, words: values });
    // A finger scrolls the page where the drawing does not go on up or down.
    const action = camera.goesOn(-1) || camera.goesOn(1) ? "none" : "pan-y";
    if (this.canvas.style.touchAction !== action) this.canvas.style.touchAction = action;
  }
}
