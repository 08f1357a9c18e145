// Where the nodes of a search are drawn: those whose parents are open, each subtree in a strip of its own, a parent in the middle of its
// children. Lengths are pixels at zoom 1.

/** @import { Search } from "./search.js" */

import { NONE, UNSENT } from "./search.js";

/** The height of a triangle, and of the box of a leaf. */
export const TRIANGLE = 50;
export const BOX = 30;

/** The most moves that were never tried that are drawn one by one. */
export const MAX_SKIPPED = 6;

/** A node that shows its children, and one that does not even on the way to the current node. */
const [OPEN, CLOSED] = [1, 2];

const GAP = 9;
const FAMILY_GAP = 14;
const MARGIN = 16;
/** Room that a window takes at the right of its node. */
const WINDOW = 70;

/** Sizes that depend on how long the texts of a tree are. @typedef {{ box: number, triangle: number, slot: number, skip: number }} Sizes */

export class Branches {
  /** @param {Search} search @param {Sizes} sizes */
  constructor(search, sizes) {
    this.search = search;
    this.sizes = sizes;
    /** Which nodes were opened or closed, apart from those on the way to the current node. */
    this.opened = new Uint8Array(search.count);
    this.x = new Float64Array(search.count);
    this.left = new Float64Array(search.count);
    this.width = new Float64Array(search.count);
    this.last = new Int32Array(search.count);
    this.shown = new Int32Array(search.count);
    this.shownCount = 0;
    /** The nodes on the way to the current one, the root first. @type {number[]} */
    this.path = [0];
    /** The deepest level that is shown, and whether all its nodes are leaves. */
    this.levels = 0;
    this.endsInLeaves = true;
    this.totalWidth = 0;
  }

  /** Shows all nodes down to a depth, and none below. @param {number} levels */
  openTo(levels) {
    const { level, size, count } = this.search;
    for (let node = 0; node < count; node++) this.opened[node] = Number(level[node] < levels && size[node] > 1);
  }

  /**
   * The way to the current node is open, unless the visitor has folded its end.
   * @param {number[]} path the nodes from the root @returns {boolean} whether other nodes are shown now
   */
  follow(path) {
    const isWay = (/** @type {number} */ node) => this.opened[node] !== OPEN && this.search.size[node] > 1;
    const before = this.path.filter(isWay).join();
    const reopened = path.slice(0, -1).filter((node) => this.opened[node] === CLOSED);
    for (const node of reopened) this.opened[node] = 0;
    this.path = path;
    return reopened.length > 0 || before !== path.filter(isWay).join();
  }

  /** @param {number} node */
  isOpen(node) {
    return this.search.size[node] > 1 && (this.opened[node] === OPEN || (this.opened[node] !== CLOSED && this.#isOnWay(node)));
  }

  /** Opens a node or folds it. @param {number} node */
  toggle(node) {
    this.opened[node] = this.isOpen(node) ? CLOSED : OPEN;
  }

  /** @param {number} node */
  #isOnWay(node) {
    return this.path[this.search.level[node]] === node;
  }

  /** Whether a node has children that are not shown, sent or not. @param {number} node */
  isFolded(node) {
    return this.search.why[node] === UNSENT || (this.search.size[node] > 1 && !this.isOpen(node));
  }

  /** Finds a place for all nodes that are shown. */
  arrange() {
    const { search, width, left, shown } = this;
    const { parent, size, level } = search;
    let count = 0;
    this.levels = 0;
    this.endsInLeaves = true;
    for (let node = 0; node < search.count; node += this.isOpen(node) ? 1 : size[node]) {
      shown[count++] = node;
      width[node] = 0;
      if (level[node] > this.levels) [this.levels, this.endsInLeaves] = [level[node], true];
      if (level[node] === this.levels && !search.isLeaf(node)) this.endsInLeaves = false;
    }
    this.shownCount = count;
    for (let index = count - 1; index >= 0; index--) {
      const node = shown[index];
      width[node] = Math.max(this.#least(node), width[node] + this.skippedWidth(node) + (width[node] > 0 ? FAMILY_GAP : 0));
      if (parent[node] !== NONE) width[parent[node]] += width[node];
    }
    left[0] = MARGIN;
    for (let index = 0; index < count; index++) if (this.isOpen(shown[index])) this.#spread(shown[index]);
    for (let index = count - 1; index >= 0; index--) this.#centre(shown[index]);
    this.totalWidth = width[0] + 2 * MARGIN;
  }

  /** Gives the children of a node their strips. @param {number} node */
  #spread(node) {
    const { left, width } = this;
    const { size } = this.search;
    const end = node + size[node];
    let inner = this.skippedWidth(node);
    for (let child = node + 1; child < end; child += size[child]) inner += width[child];
    let at = left[node] + (width[node] - inner) / 2;
    for (let child = node + 1; child < end; child += size[child]) {
      left[child] = at;
      at += width[child];
      this.last[node] = child;
    }
  }

  /** Puts a node above the middle of its children, which have their places. @param {number} node */
  #centre(node) {
    const { left, width, x } = this;
    if (!this.isOpen(node)) {
      x[node] = left[node] + this.#before(node);
      return;
    }
    const middle = (x[node + 1] + x[this.last[node]] + this.skippedWidth(node)) / 2;
    x[node] = Math.min(Math.max(middle, left[node] + this.#half()), left[node] + width[node] - this.#least(node) + this.#half());
  }

  /** How far from the left edge of its strip a node without shown children is. @param {number} node */
  #before(node) {
    return this.search.isLeaf(node) ? this.width[node] / 2 : this.#half() + GAP / 2;
  }

  /** How many of the nodes that are shown, from this one on in their order, are at and below it. @param {number} index */
  shownBelow(index) {
    const { shown, shownCount, search } = this;
    const end = shown[index] + search.size[shown[index]];
    let [low, high] = [index + 1, shownCount];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (shown[middle] < end) low = middle + 1;
      else high = middle;
    }
    return low - index;
  }

  #half() {
    return this.sizes.triangle / 2;
  }

  /** The room that a node needs without children. @param {number} node */
  #least(node) {
    if (this.search.isLeaf(node)) return this.sizes.slot;
    return this.sizes.triangle + (this.search.isMinimax ? GAP : WINDOW) + GAP;
  }

  /** The room that the moves need that were never tried. @param {number} node */
  skippedWidth(node) {
    const skipped = this.search.skippedCount[node];
    return skipped > 0 && this.isOpen(node) ? Math.min(skipped, MAX_SKIPPED + 1) * this.sizes.skip : 0;
  }
}
