// Chat and notes, in tabs. Notes stay in this browser.

/** @import { ChatLine } from "./types" */
/** @import { TableState } from "./state.js" */

import { make, named, part } from "./element.js";

const tabs = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll(".talk [role=tab]")]);
const isChatShown = () => tabs[0].getAttribute("aria-selected") === "true";
let shown = 0;
let unread = 0;
/** @type {ChatLine[] | null} */
let lines = null;

/** @param {TableState} table */
export function drawChat(table) {
  const chat = table.view?.chat ?? [];
  const list = part("chat");
  if (lines !== chat) {
    lines = chat;
    shown = 0;
    list.replaceChildren();
  } else if (!isChatShown()) {
    unread += chat.length - shown;
  }
  if (shown < chat.length) {
    list.append(...chat.slice(shown).map(line));
    shown = chat.length;
    part("lines").scrollTop = part("lines").scrollHeight;
  }
  part("silent").hidden = chat.length > 0;
  part("unread").hidden = unread === 0;
  part("unread").textContent = String(unread);
}

/** @param {ChatLine} said */
function line({ name, text, at_ms: at }) {
  const when = new Date(at);
  const clock = when.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  const time = make("time", { dateTime: when.toISOString() }, clock);
  return make("li", {}, time, " ", make("b", {}, named(name)), " ", named(text));
}

/** @param {HTMLButtonElement} chosen */
function choose(chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
    if (panel) panel.hidden = !isChosen;
  }
  if (isChatShown()) {
    unread = 0;
    part("unread").hidden = true;
  }
}

/**
 * Connects the form and the tabs.
 * @param {string} key names the notes of this table
 * @param {(text: string) => void} send
 */
export function startChat(key, send) {
  const form = /** @type {HTMLFormElement} */ (part("say"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("text"));
    if (field.value.trim()) send(field.value);
    field.value = "";
  });
  for (const tab of tabs) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", ({ key: pressed }) => {
      if (pressed !== "ArrowLeft" && pressed !== "ArrowRight") return;
      const other = tabs[1 - tabs.indexOf(tab)];
      choose(other);
      other.focus();
    });
  }
  keepNotes(key);
}

/** @param {string} key */
function keepNotes(key) {
  const field = /** @type {HTMLTextAreaElement} */ (part("notes"));
  const name = `palestra.notes${key}`;
  try {
    field.value = localStorage.getItem(name) ?? "";
    field.addEventListener("input", () => {
      if (field.value) localStorage.setItem(name, field.value);
      else localStorage.removeItem(name);
    });
  } catch {
    // Storage may be forbidden: then notes last as long as the page.
  }
}
