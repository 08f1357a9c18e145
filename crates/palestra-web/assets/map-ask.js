// What the map editor asks of the server, and the words of the page.

/** @import { Data } from "./map" */

/** @typedef {{ status: number, json: any, wait: number }} Answer the status is 0 if there was no answer; `wait` is in seconds */

const WAIT = 5;

/** Sends JSON, and answers with what comes back. @param {string} address @param {unknown} body @returns {Promise<Answer>} */
export async function ask(address, body) {
  try {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    const json = await answer.json().catch(() => null);
    return { status: answer.status, json, wait: Number(answer.headers.get("retry-after")) || WAIT };
  } catch {
    return { status: 0, json: null, wait: WAIT };
  }
}

/** A text with values for {1} and so on. @param {Record<string, string>} words */
export const sayer = (words) => (/** @type {string} */ word, /** @type {(string | number)[]} */ ...values) =>
  (words[word] ?? word).replace(/\{(\d)\}/g, (_, index) => String(values[index - 1] ?? ""));

/** @typedef {ReturnType<typeof sayer>} Say */

/** What went wrong, as a sentence. @param {Answer} answer @param {Say} say */
export const problemOf = ({ status, json }, say) => json?.message ?? say(status === 0 ? "offline" : "failed");
