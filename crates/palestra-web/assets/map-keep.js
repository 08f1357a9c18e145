// Keeping a map: drafts in this browser, saving to the account, the file, and a game on it.

/** @import { Data, Draft } from "./map" */
/** @typedef {import("./map-sheet.js").Sheet} Sheet */
/** @typedef {import("./map-ask.js").Say} Say */
/** @typedef {{ name: string, map: Draft, at: number }} Kept */

import { make, part } from "./element.js";
import { ask, problemOf } from "./map-ask.js";
import { Grid } from "./map-grid.js";

const DRAFT_MS = 400;
const UNAUTHORIZED = 401;

export class Keeper {
  #sheet;
  #data;
  #say;
  #address;
  #key;
  #timer = 0;
  /** What is kept by the server, as text. */
  #saved;
  #isLeaving = false;
  #isSaving = false;

  /** @param {Sheet} sheet @param {Data} data @param {Say} say */
  constructor(sheet, data, say) {
    this.#sheet = sheet;
    this.#data = data;
    this.#say = say;
    this.#address = data.address;
    this.#key = this.#keyOf(location.pathname + location.search);
    this.#name.value = data.name;
    this.#saved = this.#text();
    this.#adopt();
    this.#restore();
    sheet.addEventListener("changed", () => this.#changed());
    this.#name.addEventListener("input", () => this.#changed());
    part("save").addEventListener("click", () => this.save());
    part("save-copy").addEventListener("click", () => this.save(true));
    part("play").addEventListener("click", () => this.#play());
    part("download").addEventListener("click", () => this.#download());
    addEventListener("pagehide", () => this.#keepDraft());
    // The browser's way back may lead to the page as it was left.
    addEventListener("pageshow", () => (this.#isLeaving = false));
    addEventListener("beforeunload", (event) => {
      if (this.#isDirty && !this.#isLeaving) event.preventDefault();
    });
    this.#draw();
  }

  get #name() {
    return /** @type {HTMLInputElement} */ (part("name"));
  }

  #body() {
    return { name: this.#name.value, map: this.#sheet.grid.draft(this.#sheet.palette) };
  }

  #text() {
    return JSON.stringify(this.#body());
  }

  get #isDirty() {
    return this.#text() !== this.#saved;
  }

  // Drafts

  /** @param {string} page */
  #keyOf(page, owner = this.#data.owner ?? "") {
    return `map-draft ${owner} ${page}`;
  }

  /** What a guest drew here goes on as a draft of the account. */
  #adopt() {
    try {
      const guests = this.#keyOf(location.pathname + location.search, "");
      const draft = localStorage.getItem(guests);
      if (guests === this.#key || draft === null || localStorage.getItem(this.#key) !== null) return;
      localStorage.setItem(this.#key, draft);
      localStorage.removeItem(guests);
    } catch {
      // Without storage there are no drafts.
    }
  }

  #changed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keepDraft(), DRAFT_MS);
    this.#draw();
  }

  #keepDraft() {
    clearTimeout(this.#timer);
    try {
      if (this.#isDirty) localStorage.setItem(this.#key, JSON.stringify({ ...this.#body(), at: Date.now() }));
      else localStorage.removeItem(this.#key);
    } catch {
      // Without storage only the draft is missing: saving still works.
    }
  }

  /** Brings back what was not saved. */
  #restore() {
    try {
      /** @type {Kept | null} */
      const kept = JSON.parse(localStorage.getItem(this.#key) ?? "null");
      if (!kept || JSON.stringify({ name: kept.name, map: kept.map }) === this.#saved) return;
      this.#sheet.replace(Grid.of(kept.map, this.#sheet.palette), undefined);
      this.#name.value = kept.name;
      const discard = make("button", { type: "button", className: "button small" }, this.#say("discard"));
      discard.addEventListener("click", () => this.#discard());
      const time = new Date(kept.at).toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });
      part("news").replaceChildren(make("span", {}, this.#say("drafted", time)), discard);
      part("news").hidden = false;
    } catch {
      // What cannot be read is no draft.
    }
  }

  #discard() {
    this.#name.value = this.#data.name;
    this.#sheet.replace(Grid.of(this.#data.map, this.#sheet.palette));
    part("news").hidden = true;
  }

  // Saving

  /** @param {boolean} isCopy whether it becomes a map of its own */
  async save(isCopy = false) {
    if (this.#isSaving || !this.#data.owner) return;
    this.#isSaving = true;
    const [body, text] = [this.#body(), this.#text()];
    const isNew = isCopy || this.#address === null;
    const answer = await ask(isNew ? "/api/maps" : `/api/maps/${this.#address}/save`, body);
    this.#isSaving = false;
    if (answer.status === 200 || answer.status === 201) {
      this.#saved = text;
      this.#isAt(answer.json.address);
      this.#tell("");
      part("news").hidden = true;
      this.#keepDraft();
    } else if (answer.status === UNAUTHORIZED) {
      const link = make("a", { href: "/sign-in", target: "_blank", rel: "noopener" }, this.#say("sign_in"));
      this.#tell(this.#say("expired"), "", link);
    } else {
      this.#tell(problemOf(answer, this.#say), answer.json?.field);
    }
    this.#draw();
  }

  /** The map has an address now, and so has the page. @param {string} address */
  #isAt(address) {
    if (address === this.#address) return;
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // Nothing was kept.
    }
    this.#address = address;
    history.replaceState(null, "", `/maps/${address}/edit`);
    this.#key = this.#keyOf(location.pathname);
  }

  /** Says what went wrong, beside the name. @param {string} problem @param {string} [field] @param {Node[]} more */
  #tell(problem, field, ...more) {
    const element = part("problem");
    element.replaceChildren(problem, ...(more.length > 0 ? [" ", ...more] : []));
    element.hidden = problem === "";
    if (field === "name") this.#name.setAttribute("aria-invalid", "true");
    else this.#name.removeAttribute("aria-invalid");
    if (field === "name") this.#name.focus();
  }

  #draw() {
    const isGuest = !this.#data.owner;
    const isDirty = this.#isDirty || this.#address === null;
    part("state").textContent = isGuest ? "" : this.#say(isDirty ? "unsaved" : "saved");
    part("save").hidden = isGuest;
    part("save-copy").hidden = isGuest || this.#address === null;
    const page = /** @type {HTMLAnchorElement} */ (part("page"));
    page.hidden = this.#address === null;
    if (this.#address) page.href = `/maps/${this.#address}`;
  }

  async #play() {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    const answer = await ask("/api/maps/play", this.#body());
    if (answer.status === 200) {
      this.#keepDraft();
      location.assign(answer.json.url);
    } else {
      this.#isLeaving = false;
      this.#tell(problemOf(answer, this.#say));
    }
  }

  async #download() {
    const answer = await ask("/api/maps/text", this.#body());
    if (answer.status !== 200) return this.#tell(problemOf(answer, this.#say));
    this.#tell("");
    const file = URL.createObjectURL(new Blob([answer.json.text], { type: "text/plain" }));
    make("a", { href: file, download: `${this.#name.value.trim() || "map"}.map` }).click();
    setTimeout(() => URL.revokeObjectURL(file), 10_000);
  }
}
