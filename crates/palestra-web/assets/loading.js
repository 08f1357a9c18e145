// Records and positions that are pasted, dropped or chosen as files: the server reads them, and the page goes to what it found.

/** @import { Imported, ImportedGame } from "./types" */

import { make, part } from "./element.js";
import { asked, Lost, Refusal } from "./server.js";
import { say } from "./words.js";

const STORED = "palestra-record";
const MOST_ADDRESS = 6000;
const MOST_BYTES = 400000;

/** The record that was loaded for this page, if it was one. @param {string} game @returns {ImportedGame | null} */
export function loaded(game) {
  const record = JSON.parse(sessionStorage.getItem(STORED) ?? "null");
  return record?.game === game && location.search.includes("loaded") ? record : null;
}

/** Lets the form of the page load records. @param {string} game the one that the page shows, if it shows one */
export function startLoading(game) {
  const form = /** @type {HTMLFormElement} */ (part("load-form"));
  const text = /** @type {HTMLTextAreaElement} */ (form.querySelector("textarea"));
  const file = /** @type {HTMLInputElement} */ (part("load-file"));
  const read = () => load(text.value, String(new FormData(form).get("game") ?? game));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    read();
  });
  const take = async (/** @type {File | undefined} */ chosen) => {
    if (!chosen) return;
    const dialog = form.closest("dialog");
    if (dialog && !dialog.open) dialog.showModal();
    text.value = await chosen.slice(0, MOST_BYTES).text();
    read();
  };
  file.addEventListener("change", () => {
    take(file.files?.[0]);
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
    take(dropped ?? (plain ? new File([plain], "text.txt") : undefined));
  });
}

/** @param {string} text @param {string} game */
async function load(text, game) {
  const error = part("load-error");
  const field = document.querySelector("#load-text");
  error.textContent = "";
  part("load-many").hidden = true;
  field?.removeAttribute("aria-invalid");
  try {
    /** @type {Imported} */
    const { games } = await asked("/api/record", { game, text });
    if (games.length === 1) open(games[0]);
    else choose(games);
  } catch (problem) {
    field?.setAttribute("aria-invalid", "true");
    error.textContent = problem instanceof Refusal ? problem.message : problem instanceof Lost ? say("lost_connection") : String(problem);
  }
}

/** A file with many games: which is it to be? @param {ImportedGame[]} games */
function choose(games) {
  const list = /** @type {HTMLSelectElement} */ (document.querySelector("#load-which"));
  const options = games.map((game, index) => make("option", { value: String(index) }, titleOf(game, index + 1)));
  list.replaceChildren(...options);
  list.onchange = () => open(games[Number(list.value)]);
  part("load-many").hidden = false;
  list.focus();
}

/** @param {ImportedGame} game @param {number} number */
function titleOf({ game, tags, moves, result }, number) {
  const player = (/** @type {string} */ name) => tags.find(([tag]) => tag === name)?.[1];
  const players = [player("Player1"), player("Player2")].filter(Boolean).join(" – ");
  return [`${number}.`, game, players, result, `(${moves.length})`].filter(Boolean).join(" ");
}

/** @param {ImportedGame} record */
function open(record) {
  sessionStorage.setItem(STORED, JSON.stringify(record));
  const { game, position, moves } = record;
  const query = new URLSearchParams({ game, position: position ?? "", moves: moves.join(" "), loaded: "1" });
  const address = `/analyse?${query}`;
  location.href = address.length <= MOST_ADDRESS ? address : `/analyse?${new URLSearchParams({ game, loaded: "1" })}`;
}
