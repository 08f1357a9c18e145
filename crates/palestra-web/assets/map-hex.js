// Hexes of a map in units of their radius: columns stand side by side, every second one half a hex lower.

/** @import { Spot } from "./map" */

/** Half the height of a hex. */
export const HALF = Math.sqrt(3) / 2;

/** The way to the next column. */
export const COLUMN = 1.5;

/** The middle of a cell. @param {Spot} spot */
export const middle = ({ row, column }) => ({ x: 1 + COLUMN * column, y: HALF * (1 + 2 * row + (column & 1)) });

/** Adds a hex to a path. @param {Path2D} path @param {Spot} spot */
export function addHexagon(path, spot, part = 1) {
  const { x, y } = middle(spot);
  const [wide, half, tall] = [part, part / 2, part * HALF];
  path.moveTo(x - half, y - tall);
  for (const [dx, dy] of [[half, -tall], [wide, 0], [half, tall], [-half, tall], [-wide, 0]]) path.lineTo(x + dx, y + dy);
  path.closePath();
}
