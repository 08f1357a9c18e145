// The page on which one sees the search think: asks for the tree of what is chosen, and keeps drawing, sentences and board at the same
// moment.

/** @import { Question, Tree } from "./recording" */

import "./board.js";
import { Asking } from "./asking.js";
import { compare } from "./comparison.js";
import { copy } from "./deeds.js";
import { part } from "./element.js";
import { grafted } from "./graft.js";
import { NodeBoard } from "./nodeboard.js";
import { Outline } from "./outline.js";
import { Search, UNSENT } from "./search.js";
import { Sentences } from "./sentences.js";
import { mayPass, reason } from "./server.js";
import { Stepper } from "./stepper.js";
import { Tools } from "./treetools.js";
import { TreeView } from "./treeview.js";
import { Values } from "./values.js";
import { say } from "./words.js";

/** The most nodes that a page holds. */
const MAX_NODES = 300_000;
/** How long a moment stays before it is written into the address, in milliseconds. */
const ADDRESS_MS = 400;
/** How long it is said that something was copied. */
const COPIED_MS = 3000;

const page = /** @type {HTMLElement} */ (document.querySelector(".think"));
const canvas = /** @type {HTMLCanvasElement} */ (page.querySelector("canvas"));
const evaluations = /** @type {HTMLSelectElement} */ (part("evaluation"));
const depths = /** @type {HTMLSelectElement} */ (part("depth"));
/** @type {Question} */
const question = JSON.parse(page.dataset.question ?? "{}");

const asking = new Asking();
const view = new TreeView(canvas, picked);
const outline = new Outline({ toMoment, toNode: (node) => toMoment(search?.whole(node) ?? 0, false), load });
const board = new NodeBoard();
const stepper = new Stepper(show);
const tools = new Tools(view, (node) => stepper.go(search?.whole(node) ?? 0));
/** @type {Search | null} */
let search = null;
/** @type {Sentences | null} */
let sentences = null;
/** Where a sentence led away from, to come back. @type {number[]} */
let visits = [];
let addressTimer = 0;
/** What failed, to be tried again. */
let again = () => {};

/** @param {string} text */
function state(text, isBad = false) {
  const note = part("note");
  part("state").textContent = text;
  part("again").hidden = true;
  note.hidden = text === "";
  note.classList.toggle("bad", isBad);
}

/** @param {Error} error @param {() => void} retry what failed */
function failed(error, retry) {
  state(reason(error), true);
  part("again").hidden = !mayPass(error);
  again = retry;
}

/** The tree of what is chosen. @param {number | null} moment where to begin; null at the end */
async function think(moment) {
  const signal = asking.forget();
  state(say("loading"));
  const { position, options, moves, game, algorithm, order, evaluation, depth } = question;
  const asked = { game, position, options, moves, algorithm, order, evaluation, depth };
  const answer = await asking.ask("/api/v1/tree", asked).catch((/** @type {Error} */ error) => error);
  if (answer === null) return;
  if (answer instanceof Error) return failed(answer, () => think(moment));
  state("");
  // Reading a large answer takes a while: clicks come between that and what is made of it.
  await new Promise((resolve) => setTimeout(resolve));
  if (signal.aborted) return;
  set(answer, moment);
  compare(asking, asked, Number(page.dataset.deepest));
}

/** @param {Tree} tree @param {number | null} moment @param {Uint8Array | null} [opened] */
function set(tree, moment, opened = null) {
  search = new Search(tree);
  const values = new Values(tree);
  const summary = evaluations.selectedOptions[0]?.dataset.summary ?? "";
  sentences = new Sentences(search, values, summary);
  part("summary").textContent = summary;
  visits = [];
  const first = Math.min(moment ?? search.end, search.end);
  view.moment = first;
  view.set(search, values, opened);
  tools.set(search, values);
  stepper.set(search, first);
}

/** Shows a moment everywhere. @param {number} moment @param {boolean} isPlayed */
function show(moment, isPlayed) {
  if (!search || !sentences || !view.values) return;
  view.show(moment, !isPlayed);
  outline.draw(search, view.values, moment, sentences.at(moment), isPlayed, visits.length > 0);
  board.show(question, search, search.at(moment));
  clearTimeout(addressTimer);
  addressTimer = setTimeout(write, ADDRESS_MS);
}

/** @param {number} moment @param {boolean} canReturn */
function toMoment(moment, canReturn) {
  visits = canReturn ? [...visits, stepper.moment] : [];
  stepper.go(moment);
}

/** A node was clicked: the page goes there; on the node where it is, that opens and folds. @param {number} node */
function picked(node) {
  if (!search) return;
  if (search.why[node] === UNSENT) load(node);
  if (node === search.at(stepper.moment) && search.size[node] > 1) view.toggle(node);
  else toMoment(search.whole(node), false);
}

/** Asks for what is below a node that was searched but not sent. @param {number} node */
async function load(node) {
  if (!search || search.why[node] !== UNSENT) return;
  if (search.count > MAX_NODES) return state(say("too_many"), true);
  const whole = search;
  const window = [whole.tree.nodes.alpha[node], whole.tree.nodes.beta[node]];
  const { position, options, moves, game, algorithm, order, evaluation } = question;
  const depth = whole.tree.depth - whole.level[node];
  const asked = { game, position, options, moves, algorithm, order, evaluation, depth, at: whole.moves(node), window };
  state(say("loading"));
  const answer = await asking.ask("/api/v1/tree", asked).catch((/** @type {Error} */ error) => error);
  if (answer === null || search !== whole) return;
  if (answer instanceof Error) return failed(answer, () => load(node));
  state("");
  const { tree, opened } = grafted(whole.tree, node, answer, view.branches?.opened ?? new Uint8Array(whole.count));
  const { x, y, zoom } = view.camera;
  set(tree, null, opened);
  Object.assign(view.camera, { x, y, zoom });
  stepper.go(search.whole(node));
}

/** Writes what is chosen into the address, and into the links that lead on. */
function write() {
  const query = new URLSearchParams({ game: question.game });
  if (question.position) query.set("position", question.position);
  if (question.moves.length > 0) query.set("moves", question.moves.join(" "));
  query.set("algorithm", question.algorithm);
  query.set("order", question.order);
  query.set("eval", question.evaluation);
  query.set("depth", String(question.depth));
  const shown = new URLSearchParams(query);
  shown.set("plies", /** @type {HTMLSelectElement} */ (part("plies")).value);
  for (const link of page.querySelectorAll("[data-export]")) if (link instanceof HTMLAnchorElement) link.search = shown.toString();
  if (search && stepper.moment < search.end) query.set("step", String(stepper.moment));
  history.replaceState(null, "", `?${query}`);
}

/** @param {Partial<Question>} change */
function choose(change) {
  Object.assign(question, change);
  for (const button of page.querySelectorAll("[data-algorithm], [data-order]")) {
    if (!(button instanceof HTMLElement)) continue;
    const { algorithm, order } = button.dataset;
    button.setAttribute("aria-pressed", String(algorithm === question.algorithm || order === question.order));
  }
  write();
  think(null);
}

page.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  const { algorithm, order } = button?.dataset ?? {};
  if (algorithm === "minimax" || algorithm === "alphabeta") choose({ algorithm });
  if (order === "listed" || order === "best" || order === "worst") choose({ order });
});
evaluations.addEventListener("change", () => choose({ evaluation: evaluations.value }));
depths.addEventListener("change", () => choose({ depth: Number(depths.value) }));
part("return").addEventListener("click", () => {
  const moment = visits.pop();
  if (moment !== undefined) stepper.go(moment);
});

const dialog = /** @type {HTMLDialogElement} */ (part("dialog"));
part("change").addEventListener("click", () => dialog.showModal());
part("close").addEventListener("click", () => dialog.close());
// A position belongs to one game.
dialog.querySelector("select")?.addEventListener("change", () => {
  for (const field of dialog.querySelectorAll("textarea, input")) {
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = "";
  }
});
// Which plies are shown is known when the picture is asked for.
for (const link of page.querySelectorAll("[data-export]")) link.addEventListener("click", write);
part("copy").addEventListener("click", async () => {
  write();
  const text = (await copy(location.href)) ? say("copied") : location.href;
  state(text);
  setTimeout(() => part("state").textContent === text && state(""), COPIED_MS);
});
part("again").addEventListener("click", () => again());

const step = new URLSearchParams(location.search).get("step");
think(step === null ? null : Math.max(0, Number(step) || 0));
