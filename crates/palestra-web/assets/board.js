// <palestra-board>: draws any game from its layout and scenes, shows how a move goes, and turns clicks and keys into moves. It
// knows no rules.
//
//   board.scene = scene; board.play(steps, scene); board.playable = true; board.side = 1;
//   board.addEventListener("choose", (event) => send(event.detail));
//
// The attribute data-texts holds the texts of labels; data-layout, data-look and data-scene may hold addresses. With the
// attribute `static` it is a picture, of which data-name says what it shows, and data-view which part of the board. Looks come
// from style sheets, by class: kinds, owner-0 and owner-1, states.

/** @import { Arrow, Id, Label, Layout, Look, Model, Scene, Speed, Step } from "./drawing" */

import { Arrows } from "./arrows.js";
import { Beside } from "./beside.js";
import { Chooser } from "./chooser.js";
import { fetched } from "./fetched.js";
import { Focus } from "./focus.js";
import { Hand } from "./hand.js";
import { Motion } from "./motion.js";
import { onSetting, setting } from "./settings.js";
import { Texts } from "./spoken.js";
import { Stage } from "./stage.js";
import { addTextures } from "./textures.js";

/** @type {Scene} */
const EMPTY = { pieces: [], counters: [], controls: [], choices: [], last: [], line: [], end: null };

class PalestraBoard extends HTMLElement {
  #texts = new Texts("{}");
  /** @type {Layout | null} */
  #layout = null;
  /** @type {Look | null} */
  #look = null;
  #given = EMPTY;
  #scene = EMPTY;
  #isPlayable = false;
  /** @type {Arrow[]} */
  #shown = [];
  /** @type {0 | 1} */
  #side = 0;
  /** @type {Speed | null} */
  #speed = null;
  /** @type {boolean | null} */
  #coordinates = null;
  #forget = () => {};

  #stage = new Stage(() => this.#viewed());
  #arrows = new Arrows(this.#stage.layers.arrows);
  #focus = new Focus(this.#stage, this);
  #chooser = new Chooser(this.#stage, () => this.#chosen(), (text) => this.#made(text));
  #beside = new Beside(this.#stage, this.#chooser);
  #hand = new Hand(this.#stage, this.#chooser, this.#focus, this);
  #motion = new Motion(this.#stage, this.#beside.list, (model) => this.#drawLying(model));

  connectedCallback() {
    this.#forget = onSetting((name) => name === "coordinates" && this.#viewed());
    document.addEventListener("keydown", this.#hand.digit);
    if (this.#stage.svg.isConnected) return;
    this.#texts = new Texts(this.dataset.texts);
    addTextures(this.getAttribute("game") ?? "");
    this.#build();
    this.#load("look");
    this.#load("layout");
    this.#load("scene");
  }

  disconnectedCallback() {
    this.#forget();
    document.removeEventListener("keydown", this.#hand.digit);
    this.#motion.finish();
  }

  // What pages set

  /** Where the cells are. @param {Layout} layout */
  set layout(layout) {
    this.#layout = layout;
    this.#reset();
  }

  /** The shapes of pieces, and whether holes and marks are round. @param {Look} look */
  set look(look) {
    this.#look = look;
    this.#reset();
  }

  /** What lies on the cells, and what may be clicked; shown at once. */
  set scene(scene) {
    this.#motion.finish();
    this.#stage.layers.trail.replaceChildren();
    this.#take(scene);
    this.#draw();
  }

  get scene() {
    return this.#given;
  }

  /**
   * Shows how steps lead to a scene, after the moves that are being shown. The scene counts from now on: a person who clicks
   * meanwhile sees the end at once.
   * @param {Step[] | null | undefined} steps @param {Scene} scene
   */
  async play(steps, scene) {
    const before = this.#scene;
    this.#take(scene);
    const isStill = !this.#stage.geometry || !steps?.length || document.hidden || !this.isConnected;
    if (isStill || this.speed === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#motion.finish();
      this.#stage.layers.trail.replaceChildren();
      this.#draw();
      return isStill ? undefined : this.#motion.fade(this.#stage.layers.pieces, this.#stage.layers.counts);
    }
    const isPlayed = this.#motion.play(before, steps, this.speed);
    this.#draw();
    if (await isPlayed) this.#draw();
  }

  /** Lets what moves jump to its end. */
  skip() {
    if (!this.#motion.isMoving) return;
    this.#motion.finish();
    this.#draw();
  }

  /** Whether a move is being shown. */
  get isMoving() {
    return this.#motion.isMoving;
  }

  /** Whether whoever looks may move. */
  set playable(playable) {
    // What is half clicked stays so until something changes.
    if (playable === this.#isPlayable) return;
    this.#isPlayable = playable;
    this.#begin();
    this.#draw();
  }

  get playable() {
    return this.#isPlayable;
  }

  /** Moves that are pointed out until the scene changes. @param {Arrow[]} arrows */
  set arrows(arrows) {
    this.#shown = arrows;
    if (!this.#motion.isMoving) this.#draw();
  }

  /** Who sits below, 0 or 1: the board is turned if its layout says that it may be. */
  set side(side) {
    if (side === this.#side) return;
    this.#side = side;
    this.#reset();
  }

  get side() {
    return this.#side;
  }

  /** "off", "slow", "normal" or "fast"; what the visitor has set, unless the page says otherwise. */
  set speed(speed) {
    this.#speed = speed;
  }

  get speed() {
    return this.#speed ?? setting("speed");
  }

  /** Whether cells show their tags; what the visitor has set, unless the page says otherwise. */
  set coordinates(isShown) {
    this.#coordinates = isShown;
    this.#viewed();
  }

  get coordinates() {
    return this.#coordinates ?? setting("coordinates");
  }

  /** Lets screen readers say something. @param {string} text */
  announce(text) {
    this.#beside.announce(text);
  }

  /** The numbers beside the board: a page may put them elsewhere. */
  get counters() {
    return this.#beside.list.element;
  }

  /** A label's text. @param {Label} label */
  text(label) {
    return this.#texts.of(label);
  }

  // Building

  #build() {
    const { svg } = this.#stage;
    const isStatic = this.hasAttribute("static");
    this.#stage.describe(this.dataset.name ?? this.#texts.plain("board"), isStatic);
    if (isStatic) return this.append(svg);
    this.append(svg, ...this.#beside.build(this.#texts, this.getAttribute("game") ?? ""));
    new ResizeObserver(() => this.#sized()).observe(svg);
  }

  /** Fetches what an attribute names. They may come in any order, also after a scene that a script has set. @param {"layout" | "look" | "scene"} part */
  async #load(part) {
    const address = this.dataset[part];
    if (address) this[part] = await fetched(address);
  }

  /** Begins the drawing anew. */
  #reset() {
    if (!this.#layout) return;
    this.#motion.finish();
    const isTurned = this.#side === 1 && Boolean(this.#layout.turns);
    const part = this.dataset.view?.split(" ").map(Number);
    this.#stage.set(this.#layout, this.#look, isTurned, part);
    this.#arrows.clear();
    if (!this.#stage.geometry?.cells.has(this.#focus.id ?? "")) this.#focus.id = this.#layout.cells[0]?.id ?? null;
    this.#begin();
    this.#viewed();
  }

  /** @param {Scene} scene */
  #take(scene) {
    this.#given = scene;
    this.#shown = [];
    this.#scene = { ...EMPTY, ...scene };
    this.#begin();
  }

  /** Nothing is clicked yet; the keyboard begins where a click would. */
  #begin() {
    this.#chooser.set(this.#scene, this.#isPlayable);
    const [first] = this.#chooser.picking.next();
    if (first === undefined) return;
    const cell = this.#chooser.cellOf(first);
    this.#focus.begin(cell);
    this.#stage.approach(cell);
  }

  // Drawing

  /** Draws everything that is not in motion. */
  #draw() {
    const { geometry, marks, pieces } = this.#stage;
    if (!geometry) return;
    const { picking, picked } = this.#chooser;
    this.classList.toggle("playable", this.#isPlayable && this.#scene.choices.length > 0);
    this.#beside.drawButtons(this.#scene, picking, this.#isPlayable);
    // What moves is in its place only at the end: marks wait for it. Clicks count before.
    const { isMoving } = this.#motion;
    const next = picking.next();
    const { last, line } = isMoving ? EMPTY : this.#scene;
    if (!isMoving) this.#drawLying(this.#scene);
    marks.draw({ next: isMoving ? new Set() : next, chosen: new Set(picked), last, line }, geometry, pieces);
    this.#arrows.draw(isMoving ? [] : this.#shown, this.#scene.choices, geometry, pieces);
    this.#drawStates(next, last);
  }

  /** @param {Model} model */
  #drawLying({ pieces, counters }) {
    const { picking, picked } = this.#chooser;
    const states = new Map([...picking.next()].map((id) => [id, "next"]));
    for (const id of picked) states.set(id, "chosen");
    this.#stage.drawLying(pieces, counters, states);
    this.#beside.drawList({ pieces, counters });
  }

  /** @param {Set<Id>} next @param {Id[]} last */
  #drawStates(next, last) {
    const { geometry } = this.#stage;
    if (!geometry) return;
    const cellsOf = (/** @type {Iterable<Id>} */ ids) => new Set([...ids].map((id) => this.#chooser.cellOf(id)));
    const spoken = this.#texts.cells(this.#scene, geometry);
    this.#stage.drawStates({ next: cellsOf(next), chosen: cellsOf(this.#chooser.picked), last: new Set(last) }, spoken);
  }

  /** Another part of the board is seen. */
  #viewed() {
    if (!this.#stage.geometry) return;
    this.#stage.show(this.#focus.id, this.coordinates);
    this.#focus.keep();
    if (!this.#motion.isMoving) this.#draw();
  }

  /** The board has another size on the page. */
  #sized() {
    if (!this.#stage.geometry) return;
    this.classList.toggle("can-zoom", this.#stage.view.canZoom);
    this.#beside.drawButtons(this.#scene, this.#chooser.picking, this.#isPlayable);
  }

  // Choosing

  #chosen() {
    this.#draw();
    this.dispatchEvent(new CustomEvent("chosen", { detail: [...this.#chooser.picked], bubbles: true }));
  }

  /** @param {string} text */
  #made(text) {
    this.#isPlayable = false;
    this.#draw();
    this.dispatchEvent(new CustomEvent("choose", { detail: text, bubbles: true }));
  }
}

customElements.define("palestra-board", PalestraBoard);
