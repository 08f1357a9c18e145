// The map editor: it brings its parts together. What a map must be and how good it is, the server says.

/** @import { Data } from "./map" */

import { part } from "./element.js";
import { fetched } from "./fetched.js";
import { sayer } from "./map-ask.js";
import { Beginnings } from "./map-begin.js";
import { Grid } from "./map-grid.js";
import { MapHand } from "./map-hand.js";
import { Keeper } from "./map-keep.js";
import { MapLooks } from "./map-looks.js";
import { Palette } from "./map-palette.js";
import { Players } from "./map-players.js";
import { ReportPanel } from "./map-report.js";
import { Sheet } from "./map-sheet.js";
import { MapView } from "./map-view.js";

const STEP = 1.5;

const host = part("editor");
/** @type {Data} */
const data = JSON.parse(host.dataset.editor ?? "");
const say = sayer(data.words);

const sheet = new Sheet(Grid.of(data.map, data.palette), data.palette);
const keeper = new Keeper(sheet, data, say);
const looks = new MapLooks(host, await fetched(data.look));
const canvas = /** @type {HTMLCanvasElement} */ (part("map"));
const view = new MapView(canvas, looks, data, sheet.grid);
const palette = new Palette(sheet, looks);
new MapHand(view, sheet, { cell: sayCell, line: ({ row, column }) => announce(say("line_from", row + 1, column + 1)) });
new Players(sheet, data.limits, say);
new ReportPanel(sheet, view, data.limits, say);
new Beginnings(sheet, data.limits, say, announce);

/** @param {string} text */
function announce(text) {
  part("said").textContent = text;
}

/** Says what is on a cell. @param {number} cell */
function sayCell(cell) {
  const { row, column } = sheet.grid.spot(cell);
  const across = sheet.grid.spot(sheet.grid.opposite(cell));
  const players = sheet.grid.teams.flatMap((team, side) =>
    team.flatMap((start, index) => (start.cell === cell ? [say("player", side * team.length + index + 1)] : [])));
  const there = [data.palette[sheet.grid.tiles[cell]].name, ...players].join(", ");
  announce(`${say("at", row + 1, column + 1, there)}; ${say("opposite", across.row + 1, across.column + 1)}`);
}

function show() {
  canvas.style.aspectRatio = String(view.shape);
  canvas.setAttribute("aria-label", say("board", sheet.grid.rows, sheet.grid.columns));
}

sheet.addEventListener("painted", (event) => view.changed(/** @type {CustomEvent<number[]>} */ (event).detail));
sheet.addEventListener("replaced", () => {
  view.show(sheet.grid);
  show();
});
sheet.addEventListener("chosen", () => {
  view.mark({ player: sheet.tool === "players" ? sheet.player : null, aimed: [], opposite: [] });
  canvas.dataset.tool = sheet.tool;
});
for (const [name, act] of /** @type {[string, () => void][]} */ ([
  ["closer", () => view.zoom(STEP)],
  ["further", () => view.zoom(1 / STEP)],
  ["whole", () => view.whole()],
])) part(name).addEventListener("click", act);

document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && event.target.closest("input:not([type=checkbox], [type=file]), select, textarea, dialog");
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
  const key = event.key.toLowerCase();
  if (isCommand && key === "s") {
    // What was typed counts, though the field has still the focus.
    event.target?.dispatchEvent(new Event("change"));
    keeper.save();
  } else if (isTyping) return;
  else if (isCommand && (key === "y" || (key === "z" && event.shiftKey))) announce(sheet.redo() ? say("redone") : "");
  else if (isCommand && key === "z") announce(sheet.undo() ? say("undone") : "");
  else if (isCommand || event.altKey || !palette.choose(event.key)) return;
  else announce(data.palette[sheet.paint].name);
  event.preventDefault();
});

show();
// Tests and other scripts can ask where a cell is on the canvas.
Object.assign(canvas, { pointOf: (/** @type {number} */ cell) => view.pointOf(cell), sheet });
