// Questions to the engine: one at a time, because the server takes no more of a guest at once. While it is busy, the question is asked again.

const RETRIES = 8;
const LONGEST_WAIT_S = 5;

/** Questions of one kind. A newer one may replace those that are under way. */
export class Asking {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  #abort = new AbortController();

  /** Nobody waits any more for what was asked. */
  forget() {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  /**
   * The answer to a question; null if it was forgotten.
   * @param {string} address @param {unknown} question @returns {Promise<any>}
   */
  ask(address, question) {
    const { signal } = this.#abort;
    const answer = this.#last.then(() => (signal.aborted ? null : asked(address, question, signal)));
    this.#last = answer.catch(() => {});
    return answer;
  }
}

/** @param {string} address @param {unknown} question @param {AbortSignal} signal */
async function asked(address, question, signal) {
  for (let tries = 0; ; tries++) {
    const answer = await sent(address, question, signal);
    if (signal.aborted || answer === null) return null;
    if (answer.ok) return answer.json().catch(() => null);
    const { message } = await answer.json().catch(() => ({ message: "" }));
    if (answer.status !== 429 || tries === RETRIES) throw new Error(message);
    const wait = Number(answer.headers.get("retry-after") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, 1000 * Math.min(wait, LONGEST_WAIT_S)));
  }
}

/** @param {string} address @param {unknown} question @param {AbortSignal} signal */
function sent(address, question, signal) {
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question), signal };
  return fetch(address, request).catch((error) => {
    if (signal.aborted) return null;
    throw new Error("", { cause: error });
  });
}
