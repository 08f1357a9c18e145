// What the server says of a search: the tree of a teaching version, and what others need for the same value. The fields are those
// of palestra_search's module `tree`.

export type Algorithm = "minimax" | "alphabeta";
export type Order = "listed" | "best" | "worst";

/** A recorded tree. The arrays have an entry a node, in the order in which the search enters them. */
export type Tree = {
  game: string;
  /** Of the root. */
  position: string;
  algorithm: Algorithm;
  order: Order;
  evaluation: string;
  /** What one thing that the evaluation counts is worth. */
  unit: number;
  /** A score at least this far from zero says who wins; the number means nothing else. */
  decided: number;
  depth: number;
  max: 0 | 1;
  /** Nodes of the whole search, and how many of them were cut off. */
  visited: number;
  cutoffs: number;
  score: number;
  /** Not whole: nodes deeper than `shown_plies` were counted, but are not here. */
  is_whole: boolean;
  shown_plies: number;
  texts: string[];
  nodes: {
    parent: number[];
    move: number[];
    turn: (0 | 1 | null)[];
    alpha: (number | null)[];
    beta: (number | null)[];
    alpha_from: number[];
    beta_from: number[];
    score: number[];
    why: number[];
    cut_by: number[];
    skipped: number[][];
    below: number[];
  };
  line: number[];
};

/** What an algorithm needs for the value of a position. */
export type Row = {
  name: string;
  depth: number;
  nodes: number;
  cutoffs: number;
  branching: number;
  score: number | null;
  is_stopped: boolean;
};

/** A question about a position. */
export type Question = {
  game: string;
  position: string | null;
  options: string | null;
  moves: string[];
  algorithm: Algorithm;
  order: Order;
  evaluation: string;
  depth: number;
};
