// The page of analysis: a game replayed and evaluated, other lines tried on its board. The whole game comes in one answer, so that
// stepping through it asks the server for nothing but what the engine thinks.

/** @import { Arrow } from "./drawing" */
/** @import { Board, Line, Ply } from "./types" */
/** @typedef {import("./variations.js").Node} Node */

import { drawAccuracy } from "./accuracy.js";
import { Curve } from "./curve.js";
import { addressOf, drawLinks, recordOf, startCopying } from "./deeds.js";
import { make, part, redraw } from "./element.js";
import { chip, Engine } from "./engine.js";
import { Evaluation } from "./evaluation.js";
import { drawBar } from "./evalbar.js";
import { fetched } from "./fetched.js";
import { loaded, startLoading } from "./loading.js";
import { drawSheet, markCurrent, sign } from "./scoresheet.js";
import { sentence, shortSentence } from "./sentence.js";
import { asked, Lost, Refusal } from "./server.js";
import { startSteps } from "./steps.js";
import { Variations } from "./variations.js";
import { say } from "./words.js";
import { inWords, written } from "./worth.js";

const page = document.querySelector(".analysis");
if (page instanceof HTMLElement) open(page);
else startLoading("");

/** @param {HTMLElement} page */
async function open(page) {
  const start = JSON.parse(page.dataset.start ?? "{}");
  startLoading(start.game);
  const record = page.dataset.code ? null : loaded(start.game);
  if (record) take(start, record);
  /** @type {Line} */
  let line = await fetched(start.line);
  // A record that is too long for an address comes by itself.
  const { game, position } = record ?? {};
  if (record && record.moves.length !== line.plies.length - 1) {
    line = await asked("/api/line", { game, position: position ?? undefined, moves: record.moves });
    Object.assign(start, { position: line.plies[0].position, moves: record.moves });
  }
  new Page(page, start, line.plies, line.layout);
}

/** What a record tells beside its moves. @param {any} start @param {import("./types").ImportedGame} record */
function take(start, { tags, notes, result }) {
  const named = ["Player1", "Player2"].map((name) => tags.find(([tag]) => tag === name)?.[1]);
  const [one, two] = named;
  const players = one && two ? [one, two] : null;
  Object.assign(start, { tags, notes, result, players, isLoaded: true });
}

class Page {
  /** @type {Evaluation | null} */
  #evaluation = null;
  #isDue = false;

  /** @param {HTMLElement} page @param {any} start @param {Ply[]} plies @param {string} layout */
  constructor(page, start, plies, layout) {
    this.start = start;
    this.code = page.dataset.code;
    /** @type {string[]} */
    this.names = start.players ?? [say("side_1"), say("side_2")];
    for (const side of start.players ? [0, 1] : []) redrawName(side, this.names[side]);
    this.board = /** @type {Board} */ (page.querySelector("palestra-board"));
    if (layout && this.board.dataset.layout !== layout) fetched(layout).then((cells) => (this.board.layout = cells));
    this.tree = new Variations(plies);
    this.curve = new Curve(this.names, (node) => this.go(node));
    this.engine = new Engine(start.game, this.names, (node) => this.#found(node), (node, moves) => this.#try(node, moves));
    this.#start();
    const asksFor = new URLSearchParams(location.search).get("ply");
    const main = this.tree.main;
    this.go(main[asksFor === null ? main.length - 1 : Math.min(Number(asksFor) || 0, main.length - 1)]);
    this.drawAll();
    if (this.tree.hasGame) this.evaluate();
    this.#more();
  }

  #start() {
    startSteps(this);
    startCopying(
      {
        link: () => new URL(addressOf(this.start, this.tree, this.code), location.href).href,
        position: () => this.tree.current.ply.position,
        record: () => recordOf(this.start, this.tree),
      },
      (text) => this.tell(text),
    );
    this.board.addEventListener("choose", (event) => this.#try(this.tree.current, [/** @type {CustomEvent<string>} */ (event).detail]));
    drawNotes(this.start.notes, this.tree.main, (node) => this.go(node));
  }

  /** Shows a position; one step is shown as a move. @param {Node | undefined} node */
  go(node) {
    const { tree, board } = this;
    if (!node) return;
    const isStep = node.parent === tree.current;
    tree.current = node;
    if (isStep) board.play(node.ply.steps, node.ply.scene);
    else board.scene = node.ply.scene;
    board.playable = !node.isOver;
    this.drawCurrent();
    this.engine.look(node);
    if (isStep) board.announce(`${this.names[node.ply.by ?? 0]}: ${node.move}`);
    history.replaceState(null, "", addressOf(this.start, tree, this.code));
  }

  /** Plays moves after a position: as many of them as are new are asked for. @param {Node} node @param {string[]} moves @returns {Promise<void>} */
  async #try(node, moves) {
    const [first, ...rest] = moves;
    const known = node.children.find(({ move }) => move === first);
    if (known) return rest.length > 0 ? this.#try(known, rest) : this.go(known);
    try {
      /** @type {Line} */
      const { plies } = await asked("/api/line", { game: this.start.game, position: node.ply.position, moves });
      const last = this.tree.extend(node, plies.slice(1));
      this.go(moves.length === 1 ? last : node.children.find(({ move }) => move === first));
      this.drawAll();
    } catch (error) {
      this.tell(inText(error));
      this.board.playable = !this.tree.current.isOver;
    }
  }

  /** The rest of a game that is too large for one answer. */
  async #more() {
    const { game, position, moves } = this.start;
    for (let last = this.tree.main.at(-1); last?.isGame && last.number < moves.length; last = this.tree.main.at(-1)) {
      try {
        const { plies } = await asked("/api/line", { game, position, moves, from: last.number });
        this.tree.extend(last, plies.slice(1), true);
      } catch (error) {
        return this.tell(inText(error));
      }
      this.evaluate();
      this.drawAll();
    }
  }

  evaluate() {
    this.#evaluation?.stop();
    const game = this.tree.main.filter(({ isGame }) => isGame);
    this.#evaluation = new Evaluation(game, this.start, () => this.#changed());
    this.#evaluation.run();
  }

  /** The engine has found more. @param {Node} node */
  #found(node) {
    if (node !== this.tree.current) return;
    this.drawMoment();
    if (!node.isGame) this.#changed();
  }

  /** More is known: what shows it is drawn anew before the next frame. */
  #changed() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.drawAll();
    });
  }

  drawAll() {
    const { tree, names } = this;
    drawSheet(tree);
    this.curve.draw(tree.main, tree.current);
    drawAccuracy(tree.main.filter(({ isGame }) => isGame), names);
    drawNumbers(tree.main, names);
    part("progress").textContent = this.#progress();
    this.drawCurrent();
  }

  #progress() {
    const evaluation = this.#evaluation;
    if (!evaluation) return "";
    if (evaluation.trouble) return evaluation.trouble;
    const count = this.tree.main.length;
    if (!evaluation.isDone) return say("evaluating", evaluation.known, count);
    const hidden = this.tree.main.some(({ isHidden }) => isHidden) ? ` ${say("hidden")}` : "";
    const isClean = this.tree.main.every(({ cost }) => !cost?.mistake);
    return `${isClean ? say("nothing_to_mark") : say("evaluated", count)}${hidden}`;
  }

  /** Everything that follows what is looked at. */
  drawCurrent() {
    const { tree, names } = this;
    const { current } = tree;
    markCurrent(tree);
    this.curve.mark(current);
    drawPlayers(current, names);
    part("sentence").textContent = sentence(current, names);
    part("side-line").hidden = !tree.isSide(current) && (current.isGame || !tree.hasGame);
    drawLinks(this.start, tree, this.code);
    this.drawMoment();
  }

  /** What the engine says changes: the bar and the arrows. */
  drawMoment() {
    const { current } = this.tree;
    const [best] = this.engine.lines;
    drawBar(best?.value ?? current.value, this.names);
    /** @type {Arrow[]} */
    const arrows = this.engine.lines.slice(0, 3).map(({ moves }, index) => ({ move: moves[0], kind: index === 0 ? "best" : "good" }));
    const next = current.children.find(({ isGame }) => isGame);
    if (!best && this.engine.isOn && current.best[0]) arrows.push({ move: current.best[0], kind: "best" });
    if (next?.cost?.mistake) arrows.push({ move: next.move, kind: "played" });
    this.board.arrows = arrows;
    drawPlayed(next, this.names);
  }

  /** @param {string} text */
  tell(text) {
    part("notice").textContent = text;
    part("notice").hidden = text === "";
  }
}

/** @param {unknown} error */
const inText = (error) => (error instanceof Refusal ? error.message : error instanceof Lost ? say("lost_connection") : String(error));

/** @param {number} side @param {string} name */
function redrawName(side, name) {
  const place = document.querySelector(`[data-part="name-${side}"]`);
  place?.replaceChildren(make("bdi", {}, name));
}

/** @param {Node} node @param {string[]} names */
function drawPlayers(node, names) {
  for (const side of [0, 1]) {
    part(`points-${side}`).textContent = String(node.ply.points[side]);
    part(`played-${side}`).textContent = node.ply.by === side ? shortSentence(node) : "";
    document.querySelector(`.player-bar[data-side="${side}"]`)?.classList.toggle("on-turn", node.ply.turn === side);
  }
  const words = node.isOver ? say("at_end", result(node, names)) : say("to_move", names[node.ply.turn ?? 0]);
  part("spoken").textContent = `${sentence(node, names)} ${words}`;
}

/** @param {Node} node @param {string[]} names */
function result({ ply: { points }, value }, names) {
  const winner = value?.winner ?? (points[0] === points[1] ? null : points[0] > points[1] ? 0 : 1);
  return winner === null ? say("draw") : say("winner", names[winner]);
}

/** The row of the move that was played in the game, if it was a mistake. @param {Node | undefined} next @param {string[]} names */
function drawPlayed(next, names) {
  const { value, cost } = next ?? {};
  redraw(part("was-played"), [next?.id, value, cost], () =>
    next && value && cost?.mistake
      ? [chip(value, names, "worse"), make("b", {}, ` ${next.move} `), sign(cost.mistake), ` ${say("was_played")}`]
      : [],
  );
}

/** @param {[number, string][]} notes @param {Node[]} line @param {(node: Node) => void} onGo */
function drawNotes(notes, line, onGo) {
  const rows = notes.map(([number, text]) => {
    const button = make("button", { type: "button", onclick: () => onGo(line[number]) }, `${number}. ${line[number]?.move ?? ""}`);
    return make("li", {}, button, " ", make("bdi", {}, text));
  });
  part("notes").replaceChildren(rows.length > 0 ? make("ol", {}, ...rows) : make("p", { className: "hint" }, say("no_notes")));
}

/** @param {Node[]} line @param {string[]} names */
function drawNumbers(line, names) {
  const rows = line.filter(({ value }) => value).map(({ number, move, value, cost, parent }) => {
    const lost = cost?.lost ? written(cost.lost) : "";
    const cells = [String(number), move, value ? inWords(value, names) : "", lost, parent?.best[0] ?? ""];
    return make("tr", {}, ...cells.map((text, index) => make("td", { className: [0, 2, 3].includes(index) ? "num" : "" }, text)));
  });
  part("numbers").replaceChildren(...rows);
}
