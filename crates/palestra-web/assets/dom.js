// Elements, and lists of elements that are kept by key: what did not change is not touched.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An SVG element.
 * @param {string} name
 * @param {Record<string, unknown>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * An HTML element with attributes.
 * @param {string} name
 * @param {Record<string, unknown>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
export function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Sets an attribute if it is not so already.
 * @param {Element} element
 * @param {string} name
 * @param {unknown} value
 */
export function put(element, name, value) {
  const text = String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Words of a class attribute, without those that do not hold. @param {...(string | false | null | undefined)} words */
export const words = (...words) => words.filter(Boolean).join(" ");

/**
 * The children of an element, one for each item of a list and kept by its key.
 * @template Item
 */
export class Keyed {
  /** @type {Map<string, Element>} */
  #elements = new Map();

  /** @param {Element} parent */
  constructor(parent) {
    this.parent = parent;
  }

  /** @param {string} key */
  get(key) {
    return this.#elements.get(key);
  }

  /** The element of one key belongs to another from now on. @param {string} from @param {string} to */
  rename(from, to) {
    const element = this.#elements.get(from);
    if (!element || from === to) return;
    this.#elements.delete(from);
    this.#elements.get(to)?.remove();
    this.#elements.set(to, element);
  }

  /**
   * Makes, changes, orders and removes elements so that there is one for each item.
   * @param {Item[]} items
   * @param {(item: Item) => string} keyOf
   * @param {(item: Item) => Element} make
   * @param {(element: any, item: Item) => void} [update]
   */
  sync(items, keyOf, make, update = () => {}) {
    const keys = new Set(items.map(keyOf));
    for (const [key, element] of this.#elements) {
      if (keys.has(key)) continue;
      element.remove();
      this.#elements.delete(key);
    }
    let next = this.parent.firstElementChild;
    for (const item of items) {
      const key = keyOf(item);
      const element = this.#elements.get(key) ?? make(item);
      this.#elements.set(key, element);
      update(element, item);
      if (element === next) next = next.nextElementSibling;
      else this.parent.insertBefore(element, next);
    }
  }

  /** Removes everything: the next drawing begins anew. */
  clear() {
    for (const element of this.#elements.values()) element.remove();
    this.#elements.clear();
  }
}
