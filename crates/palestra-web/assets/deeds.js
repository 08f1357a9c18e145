// What can be taken away from the page of a game: links, the position, the record; and where to go on from a position.

/** @typedef {import("./variations.js").Node} Node */
/** @typedef {import("./variations.js").Variations} Variations */
/** @typedef {{ game: string, position: string, head: string, tags: [string, string][], result: string | null, moves: string[], isLoaded?: boolean }} Start */

import { make, part } from "./element.js";
import { say } from "./words.js";

/** A longer address is not understood everywhere. */
const MOST_ADDRESS = 6000;

/** The address of this page at a position. @param {Start} start @param {Variations} tree @param {string | undefined} code */
export function addressOf(start, tree, code) {
  const { current } = tree;
  if (code && current.isGame) return `/games/${code}?ply=${current.number}`;
  const line = lineAddress(start, tree);
  // What the record tells beside its moves is in this browser only.
  const isLoaded = start.isLoaded && tree.line(current).every(({ isGame }) => isGame);
  if (isLoaded) return line ? `${line}&loaded=1` : loadedAddress(start.game, current.number);
  return line ?? positionAddress("/analyse", start, current);
}

/** The same address for others. @param {Start} start @param {Variations} tree @param {string | undefined} code */
export function sharedAddress(start, tree, code) {
  if (code && tree.current.isGame) return addressOf(start, tree, code);
  return lineAddress(start, tree) ?? positionAddress("/analyse", start, tree.current);
}

/** @param {Start} start @param {Variations} tree */
function lineAddress({ game, position }, tree) {
  const moves = tree.line(tree.current).slice(1).map(({ move }) => move);
  const query = new URLSearchParams({ game, position, moves: moves.join(" "), ply: String(tree.current.number) });
  const address = `/analyse?${query}`;
  return address.length <= MOST_ADDRESS ? address : null;
}

/** The address of a record that is too long for one, in the browser that keeps it. @param {string} game @param {number} ply */
const loadedAddress = (game, ply) => `/analyse?${new URLSearchParams({ game, loaded: "1", ply: String(ply) })}`;

/** The address of another page about a position. @param {string} path @param {Start} start @param {Node} node */
export const positionAddress = (path, { game }, { ply }) => `${path}?${new URLSearchParams({ game, position: ply.position })}`;

/** The record of the line that is looked at. @param {Start} start @param {Variations} tree */
export function recordOf({ head, tags, result }, tree) {
  const line = tree.line(tree.current);
  const isGame = line.every((node) => node.isGame);
  const headers = isGame ? tags.map(([name, value]) => `${name}: ${value}\n`).join("") : "";
  const end = isGame && result ? `Result: ${result}\n` : "";
  const words = line.slice(1).flatMap(({ move, ply }) => (ply.passed ? [move, "pass"] : [move]));
  return `${head.trimEnd()}\n${headers}${end}\n${words.join(" ")}\n`;
}

/**
 * Lets the buttons copy.
 * @param {Record<string, () => string>} texts what each copies
 * @param {(text: string) => void} tell
 */
export function startCopying(texts, tell) {
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      const text = texts[/** @type {HTMLElement} */ (button).dataset.copy ?? ""]();
      tell((await copy(text)) ? say("copied") : `${say("cannot_copy")} ${text}`);
    });
  }
}

/** Copies a text, and says whether that was possible. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Copies as browsers did before, because without TLS they do not lend the clipboard. @param {string} text */
function copySelected(text) {
  const before = document.activeElement;
  const field = make("textarea", { value: text, className: "unseen" });
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}

/** Keeps the links of the page at what is looked at. @param {Start} start @param {Variations} tree @param {string | undefined} code */
export function drawLinks(start, tree, code) {
  const { current } = tree;
  const link = (/** @type {string} */ name) => /** @type {HTMLAnchorElement} */ (part(name));
  link("tree").href = positionAddress("/tree", start, current);
  link("from-here").href = positionAddress("/tables/new", start, current);
  link("from-here").toggleAttribute("hidden", current.isOver);
  link("tree").toggleAttribute("hidden", current.isOver);
  const isKept = code && tree.line(current).every(({ isGame }) => isGame);
  link("download").href = isKept ? `/games/${code}/record` : `data:text/plain;charset=utf-8,${encodeURIComponent(recordOf(start, tree))}`;
  link("download").download = isKept ? "" : `${start.game}.txt`;
}
