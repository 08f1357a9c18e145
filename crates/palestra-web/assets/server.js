// Questions to the server: JSON answers, and answers that come in parts while it searches.

import { say } from "./words.js";

/** Why the server refused: its words, and after how many milliseconds to ask again, if that helps. */
export class Refusal extends Error {
  /** @param {string} text @param {number | null} [wait] */
  constructor(text, wait = null) {
    super(text);
    this.wait = wait;
  }
}

/** The server did not answer. */
export class Lost extends Error {}

/** What went wrong, in words. @param {unknown} error */
export function reason(error) {
  if (error instanceof Refusal) return error.message;
  return error instanceof Lost ? say("lost_connection") : String(error);
}

/** Whether the same question may be answered later. @param {unknown} error */
export const mayPass = (error) => !(error instanceof Refusal) || error.wait !== null;

/**
 * @param {string} path @param {unknown} body @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function post(path, body, signal) {
  const headers = { "content-type": "application/json" };
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  } catch (error) {
    throw signal?.aborted ? error : new Lost();
  }
  if (answer.ok) return answer;
  // What stands between the browser and the server does not answer in JSON.
  const { detail, message = detail } = await answer.json().catch(() => ({}));
  if (!message) throw new Lost();
  const after = answer.headers.get("retry-after");
  throw new Refusal(message, after === null ? null : Number(after) * 1000);
}

/** The JSON with which a path answers. @param {string} path @param {unknown} body @param {AbortSignal} [signal] */
export const asked = async (path, body, signal) => (await post(path, body, signal)).json();

/**
 * The messages of an answer, as they come. Breaking off tells the server to stop.
 * @param {string} path @param {unknown} body @param {AbortSignal} signal
 */
export async function* told(path, body, signal) {
  const answer = await post(path, body, signal);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (reader) {
    const { done, value } = await reader.read().catch((error) => {
      throw signal.aborted ? error : new Lost();
    });
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) yield JSON.parse(event.replace(/^data: /, ""));
  }
}
