// From clicks to moves. A choice is a move and the ids that are clicked for it, in order; people may click them in any order.

/** @import { Choice, Id } from "./drawing" */

/** The choices that are left after some clicks. */
export class Picking {
  /** @param {Choice[]} choices @param {Id[]} picked the ids clicked so far */
  constructor(choices, picked) {
    this.picked = picked;
    const inOrder = choices.filter(({ clicks }) => picked.every((id, index) => clicks[index] === id));
    /** Clicks in order win: from here to there is not from there to here. */
    this.isInOrder = inOrder.length > 0;
    this.fitting = this.isInOrder ? inOrder : choices.filter(({ clicks }) => picked.every((id) => clicks.includes(id)));
  }

  /** The ids to be clicked next. */
  next() {
    return new Set(this.fitting.map((choice) => this.#missing(choice)[0]).filter((id) => id !== undefined));
  }

  /** All ids that lead on, also those that are due later. */
  any() {
    return new Set(this.fitting.flatMap((choice) => this.#missing(choice)));
  }

  /** The choice of which everything is clicked. */
  made() {
    return this.picked.length > 0 ? this.fitting.find(({ clicks }) => clicks.length === this.picked.length) : undefined;
  }

  /** @param {Choice} choice */
  #missing({ clicks }) {
    return this.isInOrder ? clicks.slice(this.picked.length) : clicks.filter((id) => !this.picked.includes(id));
  }
}

/**
 * What is picked after a click that may mean any of several ids: the first that leads on, or else a new beginning.
 * @param {Choice[]} choices
 * @param {Id[]} picked
 * @param {Id[]} ids
 * @returns {Id[]}
 */
export function pick(choices, picked, ids) {
  const on = leading(choices, picked, ids);
  if (on !== undefined) return [...picked, on];
  const last = picked.at(-1);
  const first = picked.length > 0 ? leading(choices, [], ids.filter((id) => id !== last)) : undefined;
  return first === undefined ? [] : [first];
}

/** @param {Choice[]} choices @param {Id[]} picked @param {Id[]} ids */
function leading(choices, picked, ids) {
  const picking = new Picking(choices, picked);
  const [next, any] = [picking.next(), picking.any()];
  return ids.find((id) => next.has(id)) ?? ids.find((id) => any.has(id));
}
