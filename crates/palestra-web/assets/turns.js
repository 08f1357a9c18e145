// Searches take turns: a visitor may have few under way at a time, and what is looked at now goes before the rest of the game.

import { Refusal } from "./server.js";

/** The least time until a search that was refused is asked for again: the one before may just be ending. */
const FIRST_WAIT = 400;

const MOST_TRIES = 5;

let last = Promise.resolve();

/**
 * Does work when all that was asked for before is done. Work that the server has no room for is tried again.
 * @template T
 * @param {() => Promise<T>} work
 * @param {AbortSignal} signal
 * @param {() => void} onWait called when it has to be tried again
 * @returns {Promise<T>}
 */
export function inTurn(work, signal, onWait) {
  const done = last.then(() => tried(work, signal, onWait));
  last = done.then(
    () => {},
    () => {},
  );
  return done;
}

/** @template T @param {() => Promise<T>} work @param {AbortSignal} signal @param {() => void} onWait @returns {Promise<T>} */
async function tried(work, signal, onWait) {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal) || error.wait === null || tries === MOST_TRIES) throw error;
      onWait();
      const wait = tries === 1 ? FIRST_WAIT : Math.min(error.wait, 10000);
      await rest(wait, signal);
    }
  }
}

/** Waits, until the work is aborted at the latest. @param {number} ms @param {AbortSignal} signal */
function rest(ms, signal) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", resolve, { once: true });
  });
}
