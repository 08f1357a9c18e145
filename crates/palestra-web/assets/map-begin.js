// Beginning again: with an empty map, a generated one or a file; and the size of the map that is there.

/** @import { Draft, Limits } from "./map" */
/** @typedef {import("./map-sheet.js").Sheet} Sheet */
/** @typedef {import("./map-ask.js").Say} Say */

import { part } from "./element.js";
import { ask, problemOf } from "./map-ask.js";
import { Grid } from "./map-grid.js";

export class Beginnings {
  #sheet;
  #limits;
  #say;
  #announce;

  /** @param {Sheet} sheet @param {Limits} limits @param {Say} say @param {(text: string) => void} announce */
  constructor(sheet, limits, say, announce) {
    this.#sheet = sheet;
    this.#limits = limits;
    this.#say = say;
    this.#announce = announce;
    part("empty").addEventListener("click", () => this.#empty());
    part("generate").addEventListener("click", () => this.#generate());
    part("resize").addEventListener("click", () => this.#resize());
    part("mirror").addEventListener("click", () => {
      sheet.mirror();
      announce(say("copied"));
    });
    const file = /** @type {HTMLInputElement} */ (part("file"));
    file.addEventListener("change", () => this.#read(file));
    sheet.addEventListener("replaced", () => this.#drawSize());
    this.#drawSize();
  }

  /** @param {string} name */
  #field(name) {
    return /** @type {HTMLInputElement} */ (part(name));
  }

  #drawSize() {
    const { rows, columns, teams } = this.#sheet.grid;
    const values = { rows, columns, "per-side": teams[0].length };
    for (const [name, value] of Object.entries(values)) if (document.activeElement !== this.#field(name)) this.#field(name).value = String(value);
  }

  /** The size that is asked for, within what there can be. */
  #size() {
    const { min_rows: minRows, min_columns: minColumns, max_size: max, max_team: maxTeam } = this.#limits;
    const within = (/** @type {string} */ name, /** @type {number} */ least, /** @type {number} */ most) => {
      const value = Math.round(Number(this.#field(name).value)) || least;
      return Math.min(most, Math.max(least, value));
    };
    const columns = within("columns", minColumns, max);
    const size = { rows: within("rows", minRows, max), columns: columns + (columns % 2), players: within("per-side", 1, maxTeam) };
    this.#field("rows").value = String(size.rows);
    this.#field("columns").value = String(size.columns);
    this.#field("per-side").value = String(size.players);
    return size;
  }

  #resize() {
    const { rows, columns } = this.#size();
    if (rows === this.#sheet.grid.rows && columns === this.#sheet.grid.columns) return;
    this.#sheet.resize(rows, columns);
    this.#announce(this.#say("resized", rows, columns));
  }

  #empty() {
    const { rows, columns, players } = this.#size();
    const energy = this.#sheet.grid.teams[0][0]?.energy ?? 40;
    const first = { cell: columns + 1, energy };
    const grid = new Grid(rows, columns, new Uint8Array(rows * columns), [[first], []]);
    grid.follow();
    for (let count = 1; count < players; count += 1) grid.addPlayers(energy);
    this.#sheet.replace(grid, true);
  }

  async #generate() {
    const seed = this.#field("seed").value.trim();
    const answer = await ask("/api/maps/generate", { ...this.#size(), seed: seed === "" ? null : Math.abs(Math.round(Number(seed))) % 2 ** 32 });
    if (answer.status !== 200) return this.#tell(problemOf(answer, this.#say));
    this.#put(answer.json.map);
    this.#announce(this.#say("generated", answer.json.seed));
  }

  /** @param {HTMLInputElement} file */
  async #read(file) {
    const text = await file.files?.[0]?.slice(0, 2 ** 17).text();
    file.value = "";
    if (text === undefined) return;
    const answer = await ask("/api/maps/read", { text });
    if (answer.status !== 200) return this.#tell(problemOf(answer, this.#say));
    this.#put(answer.json.map);
    const name = this.#field("name");
    if (name.value === "") name.value = answer.json.name;
  }

  /** @param {Draft} draft */
  #put(draft) {
    this.#tell("");
    const grid = Grid.of(draft, this.#sheet.palette);
    this.#sheet.replace(grid, grid.isSymmetric);
  }

  /** @param {string} problem */
  #tell(problem) {
    part("begin-problem").textContent = problem;
    part("begin-problem").hidden = problem === "";
  }
}
