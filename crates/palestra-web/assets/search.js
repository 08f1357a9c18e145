// A recorded search: its nodes in the order in which it enters them, and its moments in the order in which they happen. A moment is
// either a node that is entered, or a value that comes back to the parent of its node.

/** @import { Tree } from "./recording" */

/** Why the value of a node is what it is. */
export const FINISHED = 0;
export const HORIZON = 1;
export const SEARCHED = 2;
export const CUT = 3;
export const UNSENT = 4;

/** Bounds that are none. */
export const LEAST = -(2 ** 31);
export const MOST = 2 ** 31 - 1;

/** No node. */
export const NONE = -1;

/** @typedef {{ alpha: number, beta: number, alphaFrom: number, betaFrom: number, best: number }} Window */

export class Search {
  /** @param {Tree} tree */
  constructor(tree) {
    this.tree = tree;
    const { nodes } = tree;
    this.count = nodes.parent.length;
    this.parent = new Int32Array(nodes.parent);
    this.move = new Int32Array(nodes.move);
    this.score = new Int32Array(nodes.score);
    this.why = new Uint8Array(nodes.why);
    this.below = new Float64Array(nodes.below);
    this.alpha = new Int32Array(this.count);
    this.beta = new Int32Array(this.count);
    /** How many moves of each node were never tried. */
    this.skippedCount = new Uint16Array(this.count);
    for (let node = 0; node < this.count; node++) {
      this.alpha[node] = nodes.alpha[node] ?? LEAST;
      this.beta[node] = nodes.beta[node] ?? MOST;
      this.skippedCount[node] = nodes.skipped[node].length;
    }
    this.isMinimax = tree.algorithm === "minimax";
    /** How many recorded nodes are at and below each node, how deep it is, and the level of the deepest of them. */
    this.size = new Int32Array(this.count).fill(1);
    this.level = new Uint8Array(this.count);
    this.deepest = new Uint8Array(this.count);
    /** When each node is entered and left. */
    this.entered = new Int32Array(this.count);
    this.left = new Int32Array(this.count);
    /** What happens at each moment: the node that is entered, or the complement of the one that is left. */
    this.moments = new Int32Array(2 * this.count);
    this.end = 2 * this.count - 1;
    /** How many nodes the whole search has visited when it enters a node, that one included. */
    this.visitedBefore = new Float64Array(this.count);
    /** The nodes that are cut off, in the order in which that happens. @type {number[]} */
    this.cuts = [];
    /** When each of them happens: with the last value that comes back before the node is left. @type {number[]} */
    this.cutMoments = [];
    this.#count();
    this.#schedule();
  }

  #count() {
    const { count, parent, size, level, deepest } = this;
    for (let node = 1; node < count; node++) level[node] = level[parent[node]] + 1;
    deepest.set(level);
    for (let node = count - 1; node > 0; node--) {
      size[parent[node]] += size[node];
      deepest[parent[node]] = Math.max(deepest[parent[node]], deepest[node]);
    }
  }

  #schedule() {
    const { count, parent, size, why, below } = this;
    let [moment, visited] = [0, 0];
    /** @type {number[]} */
    const open = [];
    const leave = () => {
      const node = open.pop() ?? 0;
      this.left[node] = moment;
      this.moments[moment++] = ~node;
      if (why[node] === UNSENT) visited += below[node];
      if (why[node] === CUT) this.cuts.push(node);
    };
    for (let node = 0; node < count; node++) {
      while (open.length > 0 && open[open.length - 1] !== parent[node]) leave();
      open.push(node);
      this.entered[node] = moment;
      this.moments[moment++] = node;
      this.visitedBefore[node] = ++visited;
      if (size[node] === 1) leave();
    }
    while (open.length > 0) leave();
    this.cutMoments = this.cuts.map((node) => this.left[node] - 1);
  }

  /** The node that a moment is about: one that is entered, or one to which a value comes back. @param {number} moment */
  at(moment) {
    const what = this.moments[moment];
    return what >= 0 ? what : Math.max(0, this.parent[~what]);
  }

  /** The child whose value comes back at a moment, or none. At the end the root itself. @param {number} moment */
  backFrom(moment) {
    const what = this.moments[moment];
    return what >= 0 ? NONE : ~what;
  }

  /** @param {number} node @param {number} moment */
  isEntered = (node, moment) => this.entered[node] <= moment;

  /** @param {number} node @param {number} moment */
  isLeft = (node, moment) => this.left[node] <= moment;

  /** Whether it is MAX who moves at a node. @param {number} node */
  isMax = (node) => this.tree.nodes.turn[node] === this.tree.max;

  /** Whether a node has no children, sent or not. @param {number} node */
  isLeaf = (node) => this.why[node] <= HORIZON;

  /** The moments at which a node is complete: where clicks on it lead. @param {number} node */
  whole(node) {
    return this.size[node] === 1 ? this.entered[node] : this.left[node] - (node === 0 ? 0 : 1);
  }

  /** @param {number} node @returns {Iterable<number>} */
  *children(node) {
    const end = node + this.size[node];
    for (let child = node + 1; child < end; child += this.size[child]) yield child;
  }

  /** The nodes from the root to this one. @param {number} node */
  path(node) {
    const path = [];
    for (let at = node; at !== NONE; at = this.parent[at]) path.unshift(at);
    return path;
  }

  /** The moves from the root to a node. @param {number} node */
  moves(node) {
    return this.path(node).slice(1).map((at) => this.text(at));
  }

  /** The move that leads to a node. @param {number} node */
  text(node) {
    return this.move[node] === NONE ? "" : this.tree.texts[this.move[node]];
  }

  /** The moves of a node that were never tried. @param {number} node */
  skipped(node) {
    return this.tree.nodes.skipped[node].map((move) => this.tree.texts[move]);
  }

  /**
   * The window of a node at a moment, whose bounds those are, and the best child so far. With minimax the window is what the node
   * has found so far.
   * @param {number} node @param {number} moment @returns {Window}
   */
  window(node, moment) {
    const { alpha_from: alphaFrom, beta_from: betaFrom } = this.tree.nodes;
    const window = { alpha: this.alpha[node], beta: this.beta[node], alphaFrom: alphaFrom[node], betaFrom: betaFrom[node], best: NONE };
    const isMax = this.isMax(node);
    for (const child of this.children(node)) {
      if (!this.isLeft(child, moment)) break;
      const score = this.score[child];
      if (isMax && score > window.alpha) Object.assign(window, { alpha: score, alphaFrom: node, best: child });
      if (!isMax && score < window.beta) Object.assign(window, { beta: score, betaFrom: node, best: child });
    }
    return window;
  }

  /** How exact the value of a node that was left is: -1 at most that much, 1 at least, 0 exactly that. @param {number} node */
  exactness(node) {
    if (this.isMinimax || this.isLeaf(node) || node === 0) return 0;
    if (this.score[node] <= this.alpha[node]) return -1;
    return this.score[node] >= this.beta[node] ? 1 : 0;
  }

  /** The best line that is known at a moment: its nodes, the root first. @param {number} moment */
  line(moment) {
    const line = [0];
    for (let node = 0; ; ) {
      node = this.window(node, moment).best;
      if (node === NONE) return line;
      line.push(node);
    }
  }

  /** The number of cut-offs that have happened, the one of this moment included. @param {number} moment */
  cutsUntil(moment) {
    let [low, high] = [0, this.cutMoments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.cutMoments[middle] <= moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How many nodes the whole search has visited by a moment. @param {number} moment */
  visited(moment) {
    const what = this.moments[moment];
    if (what >= 0) return this.visitedBefore[what];
    // What lies below a node counts from the moment at which it is left.
    const last = ~what + this.size[~what] - 1;
    return this.visitedBefore[last] + (this.why[last] === UNSENT ? this.below[last] : 0);
  }

  /** Whether a node is cut off at this very moment. @param {number} moment */
  isCutAt(moment) {
    const child = this.backFrom(moment);
    return child > 0 && this.why[this.parent[child]] === CUT && this.left[this.parent[child]] === moment + 1;
  }

  /**
   * The moment at which an ancestor of the node of a moment got the bound that it has.
   * @param {number} ancestor @param {number} moment
   */
  boundMoment(ancestor, moment) {
    const { best } = this.window(ancestor, moment);
    return best === NONE ? this.entered[ancestor] : this.left[best];
  }
}
