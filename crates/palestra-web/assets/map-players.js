// The players of a map: who is chosen, and how much energy they have.

/** @import { Limits } from "./map" */
/** @typedef {import("./map-sheet.js").Sheet} Sheet */
/** @typedef {import("./map-ask.js").Say} Say */

import { emblem, make, part, redraw } from "./element.js";

/** The energy of the first player of an empty side. */
const ENERGY = 40;

/** @typedef {{ side: number, number: number, choose: HTMLButtonElement, energy: HTMLInputElement }} Row */

export class Players {
  #sheet;
  #limits;
  #say;
  /** @type {Row[]} */
  #rows = [];

  /** @param {Sheet} sheet @param {Limits} limits @param {Say} say */
  constructor(sheet, limits, say) {
    this.#sheet = sheet;
    this.#limits = limits;
    this.#say = say;
    part("add-player").addEventListener("click", () => sheet.addPlayers(sheet.grid.teams[0].at(-1)?.energy ?? ENERGY));
    part("remove-player").addEventListener("click", () => sheet.removePlayers());
    part("symmetric").addEventListener("change", () => this.draw());
    for (const name of ["chosen", "replaced"]) sheet.addEventListener(name, () => this.draw());
    this.draw();
  }

  draw() {
    const { grid, isSymmetric, tool, player } = this.#sheet;
    const count = grid.teams[0].length;
    const sides = isSymmetric ? [0] : [0, 1];
    // Rows stay while their values change: the next field may be about to have the focus.
    redraw(part("team"), [count, isSymmetric], () => {
      this.#rows = sides.flatMap((side) => grid.teams[side].map((_, number) => this.#row(side, number)));
      return this.#rows.map(({ choose, energy }) => make("li", {}, choose, energy));
    });
    for (const { side, number, choose, energy } of this.#rows) {
      choose.setAttribute("aria-pressed", String(tool === "players" && player[0] === side && player[1] === number));
      energy.value = String(grid.teams[side][number].energy);
    }
    part("add-player").toggleAttribute("disabled", count >= this.#limits.max_team);
    part("remove-player").toggleAttribute("disabled", count <= 1);
  }

  /** A player, and with symmetry the one opposite too. @param {number} side @param {number} number @returns {Row} */
  #row(side, number) {
    const { grid, isSymmetric } = this.#sheet;
    const names = [number + 1 + side * grid.teams[0].length];
    if (isSymmetric) names.push(number + 1 + grid.teams[0].length);
    const emblems = isSymmetric ? [emblem(0), emblem(1)] : [emblem(side)];
    const choose = make("button", { type: "button", className: "button small", id: `player-${names[0]}` }, ...emblems, names.join(" + "));
    choose.setAttribute("aria-label", this.#say("player", names.join(" + ")));
    choose.addEventListener("click", () => {
      this.#sheet.player = [side, number];
      this.#sheet.tool = "players";
    });
    const energy = make("input", {
      className: "input", type: "number", id: `energy-${names[0]}`, min: "0", max: String(this.#limits.max_energy), inputMode: "numeric",
    });
    energy.setAttribute("aria-label", this.#say("energy_of", names.join(" + ")));
    energy.addEventListener("change", () => {
      const value = Math.round(Number(energy.value));
      const given = Math.min(this.#limits.max_energy, Math.max(0, Number.isFinite(value) ? value : 0));
      this.#sheet.setEnergy(side, number, given);
    });
    return { side, number, choose, energy };
  }
}
