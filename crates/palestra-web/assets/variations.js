// A game and what could have been played instead, as a tree: each node is a position, its first child is how its line goes on.

/** @import { Evaluated, Ply, Value } from "./types" */
/** @typedef {Extract<Evaluated, { is: "ply" }>["cost"]} Cost */

/** A position of the tree. */
export class Node {
  /** @type {Node[]} */
  children = [];
  /** What it is worth, and how deep that was searched. @type {Value | null} */
  value = null;
  depth = 0;
  /** What would follow. @type {string[]} */
  best = [];
  /** What the move that led here cost. @type {Cost} */
  cost = null;
  isHidden = false;

  /** @param {number} id @param {Ply} ply @param {Node | null} parent @param {boolean} isGame */
  constructor(id, ply, parent, isGame) {
    this.id = id;
    this.ply = ply;
    this.parent = parent;
    /** Whether it was reached in the game, and not only tried. */
    this.isGame = isGame;
    /** The number of moves before it. @type {number} */
    this.number = parent ? parent.number + 1 : 0;
  }

  get move() {
    return this.ply.move ?? "";
  }

  get isOver() {
    return this.ply.turn === null;
  }

  /** Whether it belongs to no game that is evaluated: it is worth what the engine finds while it is looked at. */
  get isFree() {
    return !this.isGame || (!this.parent && !this.children[0]?.isGame);
  }
}

export class Variations {
  /** @type {Map<number, Node>} */
  #nodes = new Map();

  /** @param {Ply[]} plies the game, from its first position on */
  constructor(plies) {
    this.root = this.#make(plies[0], null, true);
    this.extend(this.root, plies.slice(1), true);
    this.current = this.root;
  }

  /** @param {number} id */
  get(id) {
    return this.#nodes.get(id);
  }

  /** Whether anything was played here before the visitor came. */
  get hasGame() {
    return this.root.children[0]?.isGame ?? false;
  }

  /** The game, or what was tried first. */
  get main() {
    return [...this.path(this.root), ...following(this.root)];
  }

  /** The last position of the game that is here. */
  get lastInGame() {
    return this.main.findLast(({ isGame }) => isGame) ?? this.root;
  }

  /** The nodes from the root to this one. @param {Node} node */
  path(node) {
    const path = [];
    for (let at = /** @type {Node | null} */ (node); at; at = at.parent) path.unshift(at);
    return path;
  }

  /** The line on which a node lies: the way to it, and how it goes on. @param {Node} node */
  line(node) {
    return [...this.path(node), ...following(node)];
  }

  /** The moves that lead to a node. @param {Node} node */
  moves(node) {
    return this.path(node).slice(1).map(({ move }) => move);
  }

  /** How far these moves after a node are there: the last node, and the moves that are not. @param {Node} node @param {string[]} moves */
  known(node, moves) {
    const [first, ...rest] = moves;
    const next = node.children.find(({ move }) => move === first);
    /** @type {{ known: Node, rest: string[] }} */
    const answer = next ? this.known(next, rest) : { known: node, rest: moves };
    return answer;
  }

  /**
   * Adds moves after a node; those that are there already are kept. Answers the last.
   * @param {Node} node @param {Ply[]} plies @param {boolean} [isGame]
   */
  extend(node, plies, isGame = false) {
    for (const ply of plies) {
      const known = node.children.find(({ move }) => move === ply.move);
      const next = known ?? this.#make(ply, node, isGame);
      const others = node.children.filter((child) => child !== next);
      // The game comes before what was tried while it had not come yet.
      if (isGame) [next.isGame, node.children] = [true, [next, ...others]];
      else if (!known) node.children.push(next);
      node = next;
    }
    return node;
  }

  /** The last node of the game before this one, or the node itself. @param {Node} node */
  inGame(node) {
    return this.path(node).findLast(({ isGame }) => isGame) ?? this.root;
  }

  /** Whether the side line of a node can move up. @param {Node} node */
  canPromote(node) {
    const before = this.#before(this.#begin(node));
    return before !== undefined && !before.isGame;
  }

  /** Moves the side line of a node before those beside it; the game stays first. @param {Node} node */
  promote(node) {
    const begin = this.#begin(node);
    const beside = begin?.parent?.children;
    if (!begin || !beside || !this.canPromote(node)) return;
    const index = beside.indexOf(begin);
    [beside[index - 1], beside[index]] = [begin, beside[index - 1]];
  }

  /** Deletes the side line of a node; what is looked at is then where it branched off. @param {Node} node */
  remove(node) {
    const begin = this.#begin(node) ?? this.path(node).find(({ isGame }) => !isGame);
    if (!begin?.parent || begin.isGame) return;
    begin.parent.children = begin.parent.children.filter((child) => child !== begin);
    if (this.path(this.current).includes(begin)) this.current = begin.parent;
  }

  /** Whether a node is on a side line. @param {Node} node */
  isSide(node) {
    return this.path(node).some((at) => at.parent && at.parent.children[0] !== at);
  }

  /** The node with which the side line of a node begins. @param {Node} node */
  #begin(node) {
    return this.path(node).findLast((at) => at.parent && at.parent.children[0] !== at);
  }

  /** The move before this one among those that were tried in its place. @param {Node | undefined} node */
  #before(node) {
    const beside = node?.parent?.children ?? [];
    return beside[beside.findIndex((at) => at === node) - 1];
  }

  /** @param {Ply} ply @param {Node | null} parent @param {boolean} isGame */
  #make(ply, parent, isGame) {
    const node = new Node(this.#nodes.size, ply, parent, isGame);
    this.#nodes.set(node.id, node);
    return node;
  }
}

/** The nodes after one, as its line goes on. @param {Node} node */
function following(node) {
  const line = [];
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}
