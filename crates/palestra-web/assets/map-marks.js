// What lies over the ground of a map: the border, the players, the cursor, and the cells that something is said of.

/** @import { Spot } from "./map" */
/** @typedef {import("./map-grid.js").Grid} Grid */
/** @typedef {import("./map-looks.js").MapLooks} MapLooks */

import { GHOST, PIECE } from "./map-ground.js";
import { HALF, addHexagon, middle } from "./map-hex.js";

/** Half the width of a player in pixels, at least. */
const SMALLEST = 5;

/**
 * Cells with marks: the cursor of the keyboard, those that a click would paint and those opposite, and those that are wrong; and
 * the chosen player.
 * @typedef {{ cursor: number | null, aimed: number[], opposite: number[], wrong: number[], player: [number, number] | null }} Marks
 */

export class MapMarks {
  /** @param {MapLooks} looks @param {string[]} players the kinds of pieces of both sides */
  constructor(looks, players) {
    this.looks = looks;
    this.players = players;
  }

  /**
   * @param {CanvasRenderingContext2D} pen @param {Grid} grid @param {Spot[]} seen
   * @param {number} scale pixels a unit @param {Marks} marks
   */
  draw(pen, grid, seen, scale, { cursor, aimed, opposite, wrong, player }) {
    Object.assign(pen, { lineCap: "round", lineJoin: "round" });
    this.#drawBorder(pen, grid, scale);
    this.#drawPlayers(pen, grid, seen, scale);
    /** @param {number[]} cells @param {string} colour @param {number} width @param {number} part @param {number[]} dashes */
    const outline = (cells, colour, width, part, dashes = []) => {
      if (cells.length === 0) return;
      const path = new Path2D();
      const wanted = new Set(cells);
      for (const spot of seen) if (wanted.has(grid.cell(spot))) addHexagon(path, spot, part);
      // From afar a thin line would not be seen.
      pen.lineWidth = Math.max(width, 1.5 / scale);
      pen.strokeStyle = this.looks.colour(`var(--${colour})`);
      pen.setLineDash(dashes);
      pen.stroke(path);
      pen.setLineDash([]);
    };
    outline(wrong, "bad", 0.12, 0.88);
    outline(opposite, "accent", 0.06, 0.9, [0.18, 0.14]);
    outline(aimed, "accent", 0.1, 0.92);
    const chosen = player && grid.teams[player[0]][player[1]];
    if (chosen) outline([chosen.cell], "mark", 0.1, 0.8);
    if (cursor === null) return;
    outline([cursor], "surface", 0.16, 0.97);
    outline([cursor], "ink", 0.1, 0.97, [0.25, 0.15]);
  }

  /** Where the map ends and the other side is seen. @param {CanvasRenderingContext2D} pen @param {Grid} grid @param {number} scale */
  #drawBorder(pen, { rows, columns }, scale) {
    const path = new Path2D();
    const side = (/** @type {Spot} */ spot, /** @type {[number, number][]} */ ...corners) => {
      const { x, y } = middle(spot);
      corners.forEach(([dx, dy], index) => (index === 0 ? path.moveTo(x + dx, y + dy * HALF) : path.lineTo(x + dx, y + dy * HALF)));
    };
    for (let column = 0; column < columns; column += 1) {
      const [isHigh, isFirst, isLast] = [column % 2 === 0, column === 0, column === columns - 1];
      side({ row: 0, column }, ...(isHigh && !isFirst ? [/** @type {[number, number]} */ ([-1, 0])] : []), [-0.5, -1], [0.5, -1], ...(isHigh && !isLast ? [/** @type {[number, number]} */ ([1, 0])] : []));
      side({ row: rows - 1, column }, ...(!isHigh && !isFirst ? [/** @type {[number, number]} */ ([-1, 0])] : []), [-0.5, 1], [0.5, 1], ...(!isHigh && !isLast ? [/** @type {[number, number]} */ ([1, 0])] : []));
    }
    for (let row = 0; row < rows; row += 1) {
      side({ row, column: 0 }, [-0.5, -1], [-1, 0], [-0.5, 1]);
      side({ row, column: columns - 1 }, [0.5, -1], [1, 0], [0.5, 1]);
    }
    pen.strokeStyle = this.looks.colour("var(--ink)");
    pen.lineWidth = Math.max(0.05, 1 / scale);
    pen.setLineDash([0.03, 0.11].map((length) => Math.max(length, 2 / scale)));
    pen.globalAlpha = 0.75;
    pen.stroke(path);
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  /** @param {CanvasRenderingContext2D} pen @param {Grid} grid @param {Spot[]} seen @param {number} scale */
  #drawPlayers(pen, grid, seen, scale) {
    const { teams } = grid;
    const all = teams.flatMap((team, side) => team.map(({ cell }, index) => ({ cell, side, symbol: String(side * team.length + index + 1) })));
    const byCell = Map.groupBy(all, ({ cell }) => cell);
    for (const spot of seen) {
      const here = byCell.get(grid.cell(spot));
      if (!here) continue;
      pen.globalAlpha = grid.isBeyond(spot) ? GHOST : 1;
      here.forEach(({ side, symbol }, index) => {
        const { x, y } = middle(spot);
        const angle = (2 * Math.PI * index) / here.length + Math.PI;
        const [away, size] = here.length === 1 ? [0, PIECE] : [0.43, here.length === 2 ? 0.54 : 0.4];
        pen.save();
        pen.translate(x + away * Math.cos(angle), y + away * Math.sin(angle));
        // From afar they are larger than their cells.
        const shown = Math.max(size, SMALLEST / scale);
        pen.scale(shown, shown);
        this.looks.piece(pen, this.players[side], side, symbol);
        pen.restore();
      });
      pen.globalAlpha = 1;
    }
  }
}
