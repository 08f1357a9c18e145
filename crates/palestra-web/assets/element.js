// Small helpers for scripts that make parts of a page.

/**
 * An element: a name, properties, children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Partial<HTMLElementTagNameMap[K]>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/**
 * What people call themselves may be written in any direction.
 * @param {string} name
 */
export const named = (name) => make("bdi", {}, name);

/**
 * The part of the page with this name.
 * @param {string} name
 * @returns {HTMLElement}
 */
export function part(name) {
  const element = document.querySelector(`[data-part="${name}"]`);
  if (!(element instanceof HTMLElement)) throw new Error(`the page has no part ${name}`);
  return element;
}

/** @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/**
 * Makes the children of an element anew if what they show has changed: a button that stays can be clicked.
 * @param {Element} element
 * @param {unknown} shows
 * @param {() => (Node | string)[]} children
 */
export function redraw(element, shows, children) {
  const text = JSON.stringify(shows);
  if (shown.get(element) === text) return;
  shown.set(element, text);
  element.replaceChildren(...children());
}

/**
 * The emblem of a side: a disc for the first, a diamond for the second.
 * @param {number} side
 */
export function emblem(side) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", side === 0 ? "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Z" : "M8 0 16 8 8 16 0 8Z");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `emblem ${side === 0 ? "one" : "two"}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(path);
  return svg;
}
