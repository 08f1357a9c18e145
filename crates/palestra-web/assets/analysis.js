// The page of analysis: a game replayed and evaluated, other lines tried on its board. The whole game comes in one answer, so that
// stepping through it asks the server for nothing but what the engine thinks.

/** @import { Arrow } from "./drawing" */
/** @import { Board, Line, Ply } from "./types" */
/** @typedef {import("./variations.js").Node} Node */

import { drawAccuracy } from "./accuracy.js";
import { Curve } from "./curve.js";
import { addressOf, drawLinks, recordOf, sharedAddress, startCopying } from "./deeds.js";
import { make, part, redraw } from "./element.js";
import { chip, Engine } from "./engine.js";
import { Evaluation } from "./evaluation.js";
import { drawBar } from "./evalbar.js";
import { fetched } from "./fetched.js";
import { isAlone, lineOf, loaded, startLoading, take } from "./loading.js";
import { drawSheet, markCurrent, sign } from "./scoresheet.js";
import { sentence, shortSentence } from "./sentence.js";
import { asked, reason } from "./server.js";
import { startSteps } from "./steps.js";
import { Variations } from "./variations.js";
import { say } from "./words.js";
import { inWords, written } from "./worth.js";

/** How long a position is looked at before it is written into the address: browsers refuse too many changes in a while. */
const ADDRESS_MS = 250;
/** How long a notice stays. */
const NOTICE_MS = 6000;

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
  if (record && isAlone()) {
    try {
      line = await lineOf(start, record);
    } catch (error) {
      return void (part("origin").textContent = reason(error));
    }
  }
  new Page(page, start, line.plies, line.layout);
}

class Page {
  /** @type {Evaluation | null} */
  #evaluation = null;
  #isDue = false;
  /** The number of positions that were asked for by moves or looked at: an answer that comes after the next one is late. */
  #turn = 0;
  #addressTimer = 0;
  #noticeTimer = 0;

  /** @param {HTMLElement} page @param {any} start @param {Ply[]} plies @param {string} layout */
  constructor(page, start, plies, layout) {
    this.start = start;
    this.code = page.dataset.code;
    /** @type {string[]} */
    this.names = start.players ?? [say("side_1"), say("side_2")];
    for (const side of start.players ? [0, 1] : []) redrawName(side, this.names[side]);
    part("above").replaceChildren(say("above", this.names[0]));
    this.board = /** @type {Board} */ (page.querySelector("palestra-board"));
    if (layout && this.board.dataset.layout !== layout) fetched(layout).then((cells) => (this.board.layout = cells));
    this.tree = new Variations(plies);
    this.curve = new Curve(this.names, (node) => this.go(node));
    this.engine = new Engine(start.game, this.names, (node) => this.#found(node), (node, moves) => this.#try(node, moves));
    this.#start();
    const asksFor = new URLSearchParams(location.search).get("ply");
    const main = this.tree.main;
    const wanted = asksFor === null ? Infinity : Number(asksFor) || 0;
    this.go(main[Math.min(wanted, main.length - 1)]);
    this.drawAll();
    if (this.tree.hasGame) this.evaluate();
    this.#more(wanted);
  }

  #start() {
    startSteps(this);
    startCopying(
      {
        link: () => new URL(sharedAddress(this.start, this.tree, this.code), location.href).href,
        position: () => this.tree.current.ply.position,
        record: () => recordOf(this.start, this.tree),
      },
      (text) => this.tell(text),
    );
    this.board.addEventListener("choose", (event) => this.#try(this.tree.current, [/** @type {CustomEvent<string>} */ (event).detail]));
    drawNotes(this.start.notes, this.tree.main, (node) => this.go(node));
    part("again").addEventListener("click", () => this.#evaluation?.run());
    part("numbers-dialog").addEventListener("beforetoggle", () => drawNumbers(this.tree.main, this.names));
  }

  /** Shows a position; one step is shown as a move. @param {Node | undefined} node */
  go(node) {
    const { tree, board } = this;
    if (!node) return;
    const isStep = node.parent === tree.current;
    tree.current = node;
    this.#turn++;
    if (isStep) board.play(node.ply.steps, node.ply.scene);
    else board.scene = node.ply.scene;
    board.playable = !node.isOver;
    this.drawCurrent();
    this.engine.look(node);
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(() => history.replaceState(null, "", addressOf(this.start, tree, this.code)), ADDRESS_MS);
  }

  /** Plays the first of these moves after a position, and shows the rest below it: what is new of them is asked for. @param {Node} node @param {string[]} moves */
  async #try(node, moves) {
    const turn = ++this.#turn;
    const { known, rest } = this.tree.known(node, moves);
    try {
      if (rest.length > 0) {
        /** @type {Line} */
        const { plies } = await asked("/api/v1/line", { game: this.start.game, position: known.ply.position, moves: rest });
        this.tree.extend(known, plies.slice(1));
      }
      // A visitor who went on meanwhile stays there; the moves are in the list.
      if (turn === this.#turn) this.go(node.children.find(({ move }) => move === moves[0]));
      this.drawAll();
    } catch (error) {
      this.tell(reason(error));
      this.board.playable = !this.tree.current.isOver;
    }
  }

  /** The rest of a game that is too large for one answer. @param {number} wanted the position that is to be looked at once it is there */
  async #more(wanted) {
    const { game, position, moves } = this.start;
    let turn = this.#turn;
    for (let last = this.tree.lastInGame; last.number < moves.length; last = this.tree.lastInGame) {
      try {
        const { plies } = await asked("/api/v1/line", { game, position, moves, from: last.number });
        this.tree.extend(last, plies.slice(1), true);
        const { main } = this.tree;
        // A visitor who has gone elsewhere meanwhile stays there.
        if (turn === this.#turn && wanted > last.number) {
          this.go(main[Math.min(wanted, main.length - 1)]);
          turn = this.#turn;
        }
      } catch (error) {
        return this.tell(reason(error));
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
    if (node.isFree) this.#changed();
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
    if (part("numbers-dialog").matches(":popover-open")) drawNumbers(tree.main, names);
    part("progress").textContent = this.#progress();
    part("again").hidden = !this.#evaluation?.isStuck;
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
    part("promote").toggleAttribute("disabled", !tree.canPromote(current));
    drawLinks(this.start, tree, this.code);
    this.drawMoment();
  }

  /** What the engine says changes: the bar and the arrows. */
  drawMoment() {
    const { current } = this.tree;
    const [best] = this.engine.lines;
    drawBar(best?.value ?? current.value, this.names);
    const next = current.children.find(({ isGame }) => isGame);
    this.board.arrows = arrowsOf(current, next?.cost?.mistake ? next.move : null, this.engine);
    drawPlayed(next, this.names);
  }

  /** @param {string} text */
  tell(text) {
    const notice = part("notice");
    notice.textContent = text;
    notice.hidden = false;
    const hide = () => {
      // It stays while it is below the pointer.
      if (notice.matches(":hover")) this.#noticeTimer = setTimeout(hide, NOTICE_MS);
      else notice.hidden = true;
    };
    clearTimeout(this.#noticeTimer);
    this.#noticeTimer = setTimeout(hide, NOTICE_MS);
  }
}

/** What the engine would play, and the mistake that was played. @param {Node} node @param {string | null} played @param {Engine} engine @returns {Arrow[]} */
function arrowsOf(node, played, { lines, isOn }) {
  const found = lines.slice(0, 3).map(({ moves }) => moves[0]);
  const moves = found.length > 0 || !isOn ? found : node.best.slice(0, 1);
  const shown = moves.map((move, index) => ({ move, kind: index === 0 ? /** @type {const} */ ("best") : /** @type {const} */ ("good") }));
  const mistake = played === null ? [] : [{ move: played, kind: /** @type {const} */ ("played") }];
  return [...shown.filter(({ move }) => move !== played), ...mistake];
}

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
  const spoken = `${sentence(node, names)} ${words}`;
  // The same said again would be read aloud again.
  if (part("spoken").textContent !== spoken) part("spoken").textContent = spoken;
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
