// The current node in words: what happens there, the way to it, its children. All that the drawing shows of it can be reached here by keys.

/** @import { Explanation, Sentence } from "./sentences.js" */
/** @import { Search } from "./search.js" */
/** @import { Values } from "./values.js" */
/** @typedef {{ toMoment: (moment: number, back: boolean) => void, toNode: (node: number) => void, load: (node: number) => void }} Ways */

import { make, part } from "./element.js";
import { valueOf } from "./painter.js";
import { UNSENT } from "./search.js";
import { count } from "./values.js";
import { say } from "./words.js";

/** Children that are listed at first. */
const MAX_CHILDREN = 24;

export class Outline {
  /** @param {Ways} ways */
  constructor(ways) {
    this.ways = ways;
  }

  /** @param {Search} search @param {Values} values @param {number} moment @param {Explanation} said @param {boolean} isPlayed @param {boolean} canReturn */
  draw(search, values, moment, said, isPlayed, canReturn) {
    const happens = part("happens");
    // What goes by is not read aloud.
    happens.setAttribute("aria-live", isPlayed ? "off" : "polite");
    const why = said.why.length > 0 ? [make("p", { className: said.isCut ? "why cut" : "why" }, ...this.#sentence(said.why))] : [];
    const note = said.note ? [make("p", { className: "hint" }, said.note)] : [];
    happens.replaceChildren(make("p", {}, ...this.#sentence(said.what)), ...why, ...note);
    part("return").hidden = !canReturn;
    const [way, children, node] = [part("way"), part("children"), search.at(moment)];
    const [wasOnWay, wasBelow] = [way, children].map((list) => list.contains(document.activeElement));
    way.replaceChildren(...this.#way(search, node));
    children.replaceChildren(...(isPlayed ? [] : this.#children(search, values, node, moment)));
    // The keyboard goes on from the node that was chosen.
    const here = (wasBelow ? children.querySelector("button") : null) ?? way.querySelector("[aria-current]");
    if ((wasOnWay || wasBelow) && here instanceof HTMLElement) here.focus({ preventScroll: true });
  }

  /** @param {Sentence} sentence */
  #sentence(sentence) {
    return sentence.map((piece) => {
      if (typeof piece === "string") return piece;
      const { moment } = piece.place;
      const link = make("a", { href: `?step=${moment}` }, piece.text);
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.ways.toMoment(moment, true);
      });
      return link;
    });
  }

  /** @param {Search} search @param {number} node */
  #way(search, node) {
    const path = search.path(node);
    return path.map((at, index) => {
      const text = at === 0 ? say("root") : search.text(at);
      const isLast = index === path.length - 1;
      const button = make("button", { type: "button", className: "link", onclick: () => this.ways.toNode(at) }, text);
      if (isLast) button.setAttribute("aria-current", "true");
      return make("li", {}, button);
    });
  }

  /** @param {Search} search @param {Values} values @param {number} node @param {number} moment */
  #children(search, values, node, moment) {
    const items = [];
    for (const child of search.children(node)) {
      if (!search.isEntered(child, moment)) break;
      if (items.length === MAX_CHILDREN) {
        items.push(make("li", {}, say("more_children", [...search.children(node)].length - MAX_CHILDREN)));
        break;
      }
      items.push(this.#child(search, values, child, moment));
    }
    const skipped = search.isLeft(node, moment + 1) ? search.skipped(node) : [];
    for (const text of skipped.slice(0, MAX_CHILDREN)) items.push(make("li", { className: "skipped", title: say("skipped", text) }, make("s", {}, text)));
    if (search.why[node] === UNSENT) {
      const load = make("button", { type: "button", className: "button small", onclick: () => this.ways.load(node) }, say("load", count(search.below[node])));
      items.push(make("li", {}, load));
    }
    return items;
  }

  /** @param {Search} search @param {Values} values @param {number} child @param {number} moment */
  #child(search, values, child, moment) {
    const side = search.isLeaf(child) ? "leaf" : search.isMax(child) ? "max" : "min";
    const value = search.isLeft(child, moment) ? valueOf(search, child, values.score) : "…";
    const button = make("button", { type: "button", className: `child ${side}`, onclick: () => this.ways.toNode(child) });
    const shown = make("span", { ariaHidden: "true" }, make("span", { className: "move" }, search.text(child)), " ", make("b", {}, value));
    button.append(shown, make("span", { className: "unseen" }, say(`child_${side}`, search.text(child), value)));
    return make("li", {}, button);
  }
}
