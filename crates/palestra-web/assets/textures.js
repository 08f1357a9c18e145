// Patterns that style sheets name, `fill: url(#texture-waves-GAME)`, in one hidden picture a game on a page. They run on from
// cell to cell.

import { svg } from "./dom.js";

/**
 * Width, height, and what repeats: lines (as a path), a shape at the corners, dots or rings (middles and radius).
 * @typedef {{ size: [number, number], line?: string, shape?: string, dots?: [number, number][], rings?: [number, number][], radius?: number }} Texture
 */

/** @type {Record<string, Texture>} */
export const TEXTURES = {
  tufts: { size: [90, 90], line: "M18 30l-5-9M18 30v-12M18 30l5-9M64 74l-5-9M64 74v-12M64 74l5-9" },
  waves: { size: [60, 40], line: "M0 12q7.5-8 15 0t15 0 15 0 15 0M-15 32q7.5-8 15 0t15 0 15 0 15 0 15 0 15 0" },
  dots: { size: [52, 52], dots: [[13, 13], [39, 39]], radius: 4.4 },
  masonry: { size: [60, 48], line: "M0 0H60M0 24H60M15 0V24M45 24V48" },
  grain: {
    size: [420, 110],
    line: "M0 18C70 8 130 30 210 20S350 8 420 18M0 56C90 66 150 44 230 54S360 66 420 56M0 92C60 84 150 100 240 90S370 84 420 92",
  },
  stars: { size: [100, 100], shape: "M0-13Q2-2 13 0 2 2 0 13-2 2-13 0-2-2 0-13Z" },
  rings: { size: [50, 50], rings: [[25, 25]], radius: 13 },
  dashes: { size: [60, 44], line: "M8 11H34M38 33H64M-22 33H4" },
};

/** @param {Texture} texture */
function content({ line, dots, rings, shape, radius, size }) {
  if (line) return [svg("path", { d: line, fill: "none" })];
  if (shape) {
    const corners = [[0, 0], [size[0], 0], [0, size[1]], size];
    return corners.map(([x, y]) => svg("path", { d: shape, transform: `translate(${x} ${y})`, stroke: "none" }));
  }
  const circle = (/** @type {[number, number]} */ [cx, cy]) => svg("circle", { cx, cy, r: radius, ...(rings ? { fill: "none" } : { stroke: "none" }) });
  return (rings ?? dots ?? []).map(circle);
}

/** @param {string} name @param {string} game */
function pattern(name, game) {
  const [width, height] = TEXTURES[name].size;
  const attributes = { id: `texture-${name}-${game}`, class: `texture-${name}`, width, height, patternUnits: "userSpaceOnUse" };
  return svg("pattern", attributes, ...content(TEXTURES[name]));
}

/** The depth of a bowl and of a well: the middle, the reach, and where its colours stand. @type {Record<string, { middle: number, reach: number, stops: number[] }>} */
const DEPTHS = { bowl: { middle: 0.36, reach: 0.66, stops: [0, 0.78, 1] }, well: { middle: 0.62, reach: 0.62, stops: [0.55, 1] } };

/** @param {string} name @param {string} game */
function depth(name, game) {
  const { middle, reach, stops } = DEPTHS[name];
  const made = stops.map((offset, index) => svg("stop", { class: `${name}-${index + 1}`, offset }));
  return svg("radialGradient", { id: `depth-${name}-${game}`, cx: 0.5, cy: middle, r: reach }, ...made);
}

/**
 * Adds the patterns of a game to the page, in the colours that its style sheet gives them.
 * @param {string} game
 */
export function addTextures(game) {
  const isThere = [...document.querySelectorAll("svg.board-textures")].some((one) => one.getAttribute("game") === game);
  if (isThere) return;
  const patterns = Object.keys(TEXTURES).map((name) => pattern(name, game));
  const depths = Object.keys(DEPTHS).map((name) => depth(name, game));
  const hidden = { class: "board-textures", game, width: 0, height: 0, "aria-hidden": true };
  document.body.append(svg("svg", hidden, svg("defs", {}, ...patterns, ...depths)));
}
