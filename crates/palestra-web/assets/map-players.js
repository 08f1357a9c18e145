// The players of a map: who is chosen, and how much energy they have.

/** @import { Limits } from "./map" */
/** @typedef {import("./map-sheet.js").Sheet} Sheet */
/** @typedef {import("./map-ask.js").Say} Say */

import { emblem, make, part } from "./element.js";

/** The energy of the first player of an empty side. */
const ENERGY = 40;

export class Players {
  #sheet;
  #limits;
  #say;

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
    const { grid, isSymmetric } = this.#sheet;
    const count = grid.teams[0].length;
    const sides = isSymmetric ? [0] : [0, 1];
    const rows = sides.flatMap((side) => grid.teams[side].map((_, number) => this.#row(side, number)));
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.id : "";
    part("team").replaceChildren(...rows);
    if (focused) document.getElementById(focused)?.focus();
    part("add-player").toggleAttribute("disabled", count >= this.#limits.max_team);
    part("remove-player").toggleAttribute("disabled", count <= 1);
  }

  /** A player, and with symmetry the one opposite too. @param {number} side @param {number} number */
  #row(side, number) {
    const { grid, isSymmetric, player } = this.#sheet;
    const names = [number + 1 + side * grid.teams[0].length];
    if (isSymmetric) names.push(number + 1 + grid.teams[0].length);
    const isChosen = this.#sheet.tool === "players" && player[0] === side && player[1] === number;
    const emblems = isSymmetric ? [emblem(0), emblem(1)] : [emblem(side)];
    const choose = make("button", { type: "button", className: "button small", id: `player-${names[0]}` }, ...emblems, names.join(" + "));
    choose.setAttribute("aria-pressed", String(isChosen));
    choose.setAttribute("aria-label", this.#say("player", names.join(" + ")));
    choose.addEventListener("click", () => {
      this.#sheet.player = [side, number];
      this.#sheet.tool = "players";
    });
    const energy = make("input", {
      className: "input", type: "number", id: `energy-${names[0]}`, min: "0", max: String(this.#limits.max_energy),
      value: String(grid.teams[side][number].energy), inputMode: "numeric",
    });
    energy.setAttribute("aria-label", this.#say("energy_of", names.join(" + ")));
    energy.addEventListener("change", () => {
      const value = Math.round(Number(energy.value));
      const given = Math.min(this.#limits.max_energy, Math.max(0, Number.isFinite(value) ? value : 0));
      this.#sheet.setEnergy(side, number, given);
    });
    return make("li", {}, choose, energy);
  }
}
