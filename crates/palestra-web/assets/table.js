// A live table: what the server says is stored and drawn; what a person does is sent. The messages are those of
// src/tables/message.rs.

/** @import { Board, Command, Scene, Step, ToClient } from "./types" */

import { drawActions, drawQuestion, startActions } from "./actions.js";
import { drawChat, startChat } from "./chat.js";
import { Clocks } from "./clocks.js";
import { Connection } from "./connection.js";
import { emblem, part, redraw } from "./element.js";
import { drawMoves } from "./moves.js";
import { drawPlayers } from "./players.js";
import { drawResult, outcome, why } from "./result.js";
import { sound } from "./sound.js";
import { TableState } from "./state.js";
import { say } from "./words.js";

const page = /** @type {HTMLElement} */ (document.querySelector(".play"));
const board = /** @type {Board} */ (page.querySelector("palestra-board"));
const title = document.title;
// Beside a square board there is room for its numbers.
page.querySelector("[data-part=numbers]")?.append(board.counters);
const table = new TableState();
const clocks = new Clocks();
/** The number of moves before the one that was sent and is not answered yet: nothing can be chosen until then. @type {number | null} */
let sent = null;

/** @param {ToClient} message */
function hear(message) {
  table.apply(message);
  if (["table", "refused", "began"].includes(message.is)) sent = null;
  if (message.is === "opened") location.href = `/t/${message.code}`;
  if (message.is === "clocks") clocks.set(message);
  if (!table.view) return;
  if (message.is === "table") {
    clocks.limit = message.table.clock.ms;
    clocks.set(message.table.state);
    if (message.table.state.scene) board.scene = message.table.state.scene;
  } else if ("state" in message) {
    clocks.set(message.state);
    if (message.state.scene) show(message.state.scene, "steps" in message ? message.steps : undefined);
    tell(message);
  }
  draw();
}

/**
 * Shows a scene: a move that is seen as it happens goes step by step.
 * @param {Scene} scene
 * @param {Step[] | undefined} steps
 */
function show(scene, steps) {
  if (steps) board.play(steps, scene);
  else board.scene = scene;
}

/**
 * Says a move to a screen reader, and calls a player whose turn it is, or who looks elsewhere when the game ends.
 * @param {ToClient} message
 */
function tell(message) {
  if (message.is === "moved") {
    board.announce(`${table.whoIs(message.seat)}: ${message.text}`);
    if (table.isYourMove && !table.isYours(message.seat)) sound("turn");
  }
  if (message.is === "ended") sound("end");
}

function draw() {
  if (!table.view) return;
  const { turn } = table.now;
  board.side = /** @type {0 | 1} */ (table.sideOf(table.below));
  board.playable = table.isConnected && table.isYourMove && table.now.ply !== sent;
  part("status").textContent = status();
  redraw(part("emblem"), [turn, table.now.first], () => (turn === null ? [] : [emblem(table.sideOf(turn))]));
  part("notice").textContent = table.notice;
  part("notice").hidden = !table.notice;
  document.title = table.isYourMove ? `${say("your_turn")} · ${title}` : title;
  part("watching").textContent = say("watching", table.watching);
  part("watching").hidden = table.watching === 0;
  drawPlayers(table, clocks, (seat, nickname) => send({ do: "sit", seat, nickname }));
  drawQuestion(table, send);
  drawActions(table);
  drawMoves(table);
  drawChat(table);
  drawResult(table, () => send({ do: "rematch" }));
  drawInvitation();
  const isSilent = page.dataset.guest === "true" && table.you.seats.length === 0;
  part("say").hidden = isSilent;
}

/** Whose turn it is and what to do; never empty. */
function status() {
  const { status: phase, turn, ended, stand_in: standIn, seats } = table.now;
  if (!table.isConnected) return say("lost");
  if (phase === "waiting") return awaited();
  if (ended) return `${outcome(table, ended)} ${why(table, ended)}`;
  if (turn === null) return say("began");
  if (table.isYours(turn) && standIn) return say("stands_in", standIn.name);
  if (table.isYours(turn)) return table.you.seats.length > 1 ? say(`to_move_${table.sideOf(turn) + 1}`) : say("your_turn_long");
  const isThinking = seats[turn].kind === "built_in" || seats[turn].kind === "program";
  return say(isThinking ? "thinking" : "their_turn", seats[turn].name);
}

/** What the table waits for. */
function awaited() {
  const reserved = table.now.seats.find(({ kind }) => kind === "reserved");
  const free = table.now.seats.filter(({ kind }) => kind === "open").length;
  if (reserved && free === 0) return say("waiting_for", reserved.name);
  return say(free > 1 ? "waiting_both" : "waiting");
}

function drawInvitation() {
  const { status: phase, seats } = table.now;
  part("invite").hidden = phase !== "waiting" || seats.every(({ kind }) => kind !== "open" && kind !== "reserved");
  part("awaited").textContent = phase === "waiting" ? awaited() : "";
}

const connection = new Connection(page.dataset.live ?? "", hear, (isConnected) => {
  table.isConnected = isConnected;
  sent = null;
  draw();
});

/** @param {Command} command */
function send(command) {
  table.notice = "";
  table.refusal = "";
  connection.send(command);
}

startActions(table, send);
startChat(location.pathname, (text) => send({ do: "chat", text }));
board.addEventListener("choose", (event) => {
  const text = /** @type {CustomEvent<string>} */ (event).detail;
  sent = table.now.ply;
  send({ do: "move", ply: sent, text });
});
part("copy").addEventListener("click", async () => {
  const link = /** @type {HTMLInputElement} */ (part("link"));
  link.select();
  await navigator.clipboard?.writeText(link.value);
  part("copy").textContent = `${say("copied")} ✓`;
});
