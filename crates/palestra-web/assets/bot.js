// The page of a bot: it follows a version that is being tried, and takes files that are dropped on it.

import { refresh } from "./refresh.js";

refresh();

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("#files"));
if (field) takeDropped(field, /** @type {HTMLElement} */ (document.querySelector("#upload")));

/** Files dropped anywhere on the page become those of the form. @param {HTMLInputElement} files @param {HTMLElement} card */
function takeDropped(files, card) {
  const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    card.classList.add("over");
  });
  for (const end of ["dragleave", "drop"]) document.addEventListener(end, () => card.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    const dropped = event.dataTransfer?.files;
    if (!dropped || dropped.length === 0) return;
    event.preventDefault();
    files.files = dropped;
    files.focus();
    card.scrollIntoView({ block: "nearest" });
  });
}
