// Records and positions that are pasted, dropped or chosen as files: the server reads them, and the page goes to what it found.

/** @import { Imported, ImportedGame, Line } from "./types" */

import { make, part } from "./element.js";
import { asked, reason } from "./server.js";
import { say } from "./words.js";

const STORED = "palestra-record";
const MOST_ADDRESS = 6000;
/** The most bytes that are read of a file: the first games of a long one are listed. */
const MOST_BYTES = 400000;

/** The games of a text, of which one is to be chosen. @type {{ text: string, games: ImportedGame[] }} */
let choice = { text: "", games: [] };

/** The record that was loaded for this page, if it was one. @param {string} game @returns {ImportedGame | null} */
export function loaded(game) {
  const address = new URLSearchParams(location.search);
  const record = address.has("loaded") ? kept() : null;
  // The address may come from another person, who has loaded another record.
  const isIt = record?.game === game && (isAlone() || address.get("moves") === record.moves.join(" "));
  return isIt ? record : null;
}

/** Whether the address names a record that is too long to be in it. */
export const isAlone = () => !new URLSearchParams(location.search).has("moves");

/** The line of a record that is too long for an address. @param {any} start @param {ImportedGame} record @returns {Promise<Line>} */
export async function lineOf(start, { game, position, moves }) {
  const line = await asked("/api/v1/line", { game, position: position ?? undefined, moves });
  const head = position === null ? start.head : `Game: ${game}\nPosition: ${position}\n`;
  Object.assign(start, { position: line.plies[0].position, moves, head });
  return line;
}

/** What a record tells beside its moves, for the page that shows it. @param {any} start @param {ImportedGame} record */
export function take(start, { tags, notes, result }) {
  const named = ["Player1", "Player2"].map((name) => tags.find(([tag]) => tag === name)?.[1]);
  const [one, two] = named;
  const players = one && two ? [one, two] : null;
  Object.assign(start, { tags, notes, result, players, isLoaded: true });
  if (result) part("origin").textContent = result;
}

/** @returns {ImportedGame | null} */
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "null");
  } catch {
    return null;
  }
}

/** @param {ImportedGame} record */
function keep(record) {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(record));
  } catch {
    // Storage may be forbidden: then the page has what is in its address.
  }
}

/** Lets the form of the page load records. @param {string} game the one that the page shows, if it shows one */
export function startLoading(game) {
  const form = /** @type {HTMLFormElement} */ (part("load-form"));
  const text = /** @type {HTMLTextAreaElement} */ (form.querySelector("textarea"));
  const file = /** @type {HTMLInputElement} */ (part("load-file"));
  // Whether the text is the beginning of a longer file, as which it was read.
  let isCut = false;
  const read = () => load(text.value, String(new FormData(form).get("game") ?? game), isCut);
  text.addEventListener("input", () => (isCut = false));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (choice.text === text.value && choice.games.length > 0) openChosen();
    else read();
  });
  which().addEventListener("dblclick", openChosen);
  const readFile = async (/** @type {File | undefined} */ chosen) => {
    if (!chosen) return;
    const dialog = form.closest("dialog");
    if (dialog && !dialog.open) dialog.showModal();
    text.value = await chosen.slice(0, MOST_BYTES).text();
    isCut = chosen.size > MOST_BYTES;
    read();
  };
  file.addEventListener("change", () => {
    readFile(file.files?.[0]);
    file.value = "";
  });
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files") || event.dataTransfer?.types.includes("text/plain")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const [dropped] = event.dataTransfer?.files ?? [];
    const plain = event.dataTransfer?.getData("text/plain");
    if (event.target === text && !dropped) return;
    event.preventDefault();
    readFile(dropped ?? (plain ? new File([plain], "text.txt") : undefined));
  });
}

/** @param {string} text @param {string} game @param {boolean} isCut */
async function load(text, game, isCut) {
  const error = part("load-error");
  const field = document.querySelector("#load-text");
  error.textContent = "";
  part("load-many").hidden = true;
  field?.removeAttribute("aria-invalid");
  try {
    /** @type {Imported} */
    const { games, has_more: hasMore } = await asked("/api/record", { game, text, is_cut: isCut });
    if (games.length === 1) return open(games[0]);
    choice = { text, games };
    choose(games, hasMore);
  } catch (problem) {
    field?.setAttribute("aria-invalid", "true");
    error.textContent = reason(problem);
  }
}

/** A file with many games: which is it to be? @param {ImportedGame[]} games @param {boolean} hasMore */
function choose(games, hasMore) {
  const options = games.map((game, index) => make("option", { value: String(index) }, titleOf(game, index + 1)));
  which().replaceChildren(...options);
  which().selectedIndex = 0;
  part("load-more").textContent = hasMore ? say("more_games", games.length) : "";
  part("load-many").hidden = false;
  which().focus();
}

const which = () => /** @type {HTMLSelectElement} */ (document.querySelector("#load-which"));

function openChosen() {
  const game = choice.games[which().selectedIndex];
  if (game) open(game);
}

/** @param {ImportedGame} game @param {number} number */
function titleOf({ game, tags, moves, result }, number) {
  const player = (/** @type {string} */ name) => tags.find(([tag]) => tag === name)?.[1];
  const players = [player("Player1"), player("Player2")].filter(Boolean).join(" – ");
  return [`${number}.`, game, players, result, `(${moves.length})`].filter(Boolean).join(" ");
}

/** @param {ImportedGame} record */
function open(record) {
  keep(record);
  const { game, position, moves } = record;
  const query = new URLSearchParams({ game, position: position ?? "", moves: moves.join(" "), loaded: "1" });
  const address = `/analyse?${query}`;
  location.href = address.length <= MOST_ADDRESS ? address : `/analyse?${new URLSearchParams({ game, loaded: "1" })}`;
}
