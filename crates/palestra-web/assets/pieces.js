// The shapes of pieces, in a square from -1 to 1 around the middle of their cell. Their colours are in board.css.

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

const path = (d, kind = "body") => svg("path", { d, class: kind });
const circle = (r, kind = "body") => svg("circle", { cx: 0, cy: 0, r, class: kind });

function text(content, size, y = 0.02) {
  return svg("text", { x: 0, y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central" }, content);
}

const SHAPES = {
  stone: () => [circle(0.78), circle(0.5, "ring")],
  bomb: () => [circle(0.78), circle(0.5, "ring"), path("M-.3-.3 .3.3M.3-.3-.3.3", "line")],
  die: ({ symbol }) => [path("M-.8-.8H.8V.8H-.8Z"), text(symbol, 1.2)],
  bonus10: ({ symbol }) => [circle(0.95), text(symbol, 0.9)],
  bonus20: ({ symbol }) => [circle(0.95), text(symbol, 0.9)],
  marker: () => [path("M-.5-.7 .8 0-.5.7Z")],
  player: ({ symbol }) => [circle(0.62), text(symbol, 0.7)],
  flag: () => [path("M-.35.65V-.65", "line"), path("M-.35-.65 .55-.35-.35 0Z")],
  boat: () => [path("M-.65.1H.65L.4.5H-.4Z"), path("M0 .1V-.65L.5-.05H0", "line")],
  axe: () => [path("M-.4.6 .3-.5", "line"), path("M.05-.6C.3-.8.7-.5.65-.1L.2-.3Z")],
  juice: () => [path("M-.35-.4H.35L.25.6H-.25Z"), path("M0-.4 .2-.8", "line")],
  shovel: () => [path("M-.5-.6 .1 .05", "line"), path("M-.1.2 .25-.12 .6.25C.65.6.5.65.2.6Z")],
  forest: () => [path("M0-.8 .55.3H-.55Z"), path("M0 .3V.7", "line")],
  pit: () => [svg("ellipse", { cx: 0, cy: 0.1, rx: 0.45, ry: 0.28, class: "body" })],
  trench: () => [svg("ellipse", { cx: 0, cy: 0.05, rx: 0.72, ry: 0.45, class: "body" })],
};

/** A pawn, for all that have no shape of their own: a disc with its number. */
const pawn = ({ symbol }) => [circle(0.8), text(symbol.slice(-1), 0.9)];

/** The shape of a piece. */
export function shapeOf(piece) {
  return (SHAPES[piece.kind] ?? pawn)(piece);
}
