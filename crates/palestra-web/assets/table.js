// A live table: what the server says is put into the state and drawn; what somebody does is sent. The messages are those
// of src/tables/message.rs.

import "./board.js";
import { Clocks } from "./clocks.js";

const live = document.querySelector(".live");
const board = live.querySelector("palestra-board");
const words = JSON.parse(live.dataset.words);
const isGuest = live.dataset.guest === "true";
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const clocks = new Clocks();

let table = null;
let yours = [];
let seq = null;
let socket = null;
let notice = "";

/** A text, with values for {1} and so on. */
const say = (word, ...values) => words[word].replace(/\{(\d)\}/g, (_, index) => values[index - 1] ?? "");
const nameOf = (seat) => table.seats[seat].name;
const isYours = (seat) => yours.includes(seat);

/** An element: a name, properties, children. */
function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** What people call themselves may be written in any direction. */
const named = (name) => make("bdi", {}, name);

// What the server says

const heard = {
  table: (message) => {
    table = message.table;
    for (const list of ["moves", "chat"]) part(list).replaceChildren();
    clocks.set(table.board);
  },
  you: ({ seats }) => {
    yours = seats;
  },
  refused: ({ text }) => {
    notice = text;
  },
  clocks: (message) => {
    clocks.set(message);
  },
  watching: ({ count }) => {
    part("watching").textContent = say("watching", String(count));
  },
  seat: ({ seat, holder }) => {
    table.seats[seat] = holder;
  },
  began: ({ number, board: begun }) => {
    Object.assign(table, { status: "playing", number, moves: [], ended: null });
    Object.assign(table, { draw_offered: null, take_back_asked: null, rematch_asked: [false, false] });
    setBoard(begun);
    notice = say("began");
  },
  moved: ({ seat, text, board: after }) => {
    table.moves.push([seat, text]);
    if (table.draw_offered === 1 - seat) table.draw_offered = null;
    table.take_back_asked = null;
    setBoard(after);
    notice = "";
  },
  taken_back: ({ seat, board: before }) => {
    table.moves.length = before.ply;
    table.take_back_asked = null;
    table.draw_offered = null;
    setBoard(before);
    notice = say("taken_back", nameOf(seat));
  },
  take_back_asked: ({ seat }) => {
    table.take_back_asked = seat;
    notice = isYours(seat) ? say("take_back_yours") : say("take_back_asked", nameOf(seat));
  },
  take_back_declined: ({ seat }) => {
    table.take_back_asked = null;
    notice = say("take_back_declined", nameOf(seat));
  },
  draw_offered: ({ seat }) => {
    table.draw_offered = seat;
    notice = isYours(seat) ? say("draw_yours") : say("draw_offered", nameOf(seat));
  },
  draw_declined: ({ seat }) => {
    table.draw_offered = null;
    notice = say("draw_declined", nameOf(seat));
  },
  chat: (line) => {
    table.chat.push(line);
  },
  dropped: ({ seat, within_ms: within }) => {
    table.seats[seat].is_present = false;
    if (!isYours(seat)) notice = say("dropped", nameOf(seat), String(Math.round(within / 1000)));
  },
  back: ({ seat }) => {
    table.seats[seat].is_present = true;
    notice = isYours(seat) ? "" : say("back", nameOf(seat));
  },
  ended: (ended) => {
    Object.assign(table, { status: "over", ended, draw_offered: null, take_back_asked: null });
    table.board.turn = null;
    clocks.stop();
    notice = "";
  },
  rematch_asked: ({ seat }) => {
    table.rematch_asked[seat] = true;
    notice = isYours(seat) ? say("rematch_yours") : say("rematch_asked", nameOf(seat));
  },
};

function setBoard(next) {
  table.board = next;
  clocks.set(next);
}

function hear(message) {
  if (message.seq !== undefined) {
    // After a drop the server begins with what was missed; what was seen before counts once.
    if (message.is !== "table" && seq !== null && message.seq <= seq) return;
    seq = message.seq;
  }
  heard[message.is]?.(message);
  if (table) draw();
}

// Drawing

function draw() {
  const { turn, scene } = table.board;
  if (board.scene !== scene) board.scene = scene;
  board.playable = table.status === "playing" && turn !== null && isYours(turn);
  redraw(part("status"), status(), () => [status()]);
  const seats = [table.seats, yours, turn, table.board.first, table.status, clocks.has()];
  redraw(part("seats"), JSON.stringify(seats), () => [0, 1].map(drawSeat));
  const wishes = [yours, table.status, table.ended, table.draw_offered, table.take_back_asked, table.rematch_asked];
  redraw(part("actions"), JSON.stringify([wishes, table.moves.length > 0]), actions);
  part("invite").hidden = !table.seats.some(({ kind }) => kind === "open");
  drawResult();
  sync(part("moves"), table.moves, ([seat, text]) =>
    make("li", { className: `owner-${sideOf(seat)}` }, make("span", {}, text)),
  );
  sync(part("chat"), table.chat, ({ name, text }) => make("li", {}, make("b", {}, named(name)), ": ", named(text)));
  part("say").hidden = isGuest && yours.length === 0;
}

const drawn = new WeakMap();

/** Makes the children of an element anew if what they show has changed: a button that stays can be clicked. */
function redraw(element, shows, children) {
  if (drawn.get(element) === shows) return;
  drawn.set(element, shows);
  element.replaceChildren(...children());
}

/** Which side a seat plays: 0 or 1. */
const sideOf = (seat) => (seat === table.board.first ? 0 : 1);

function status() {
  if (notice) return notice;
  const { turn } = table.board;
  if (table.status === "waiting") return say("waiting");
  if (turn === null) return "";
  return isYours(turn) ? say("your_turn") : say("their_turn", nameOf(turn));
}

function drawSeat(seat) {
  const holder = table.seats[seat];
  const isFree = holder.kind === "open" || holder.kind === "reserved";
  const name = { open: say("open"), reserved: say("reserved", holder.name) }[holder.kind] ?? holder.name;
  const notes = [isYours(seat) && say("you"), words[holder.kind] && !isFree && say(holder.kind)];
  if (!isFree && !holder.is_present) notes.push(say("away"));
  const note = notes.filter(Boolean).join(", ");
  const isOnTurn = table.board.turn === seat;
  const element = make("div", { className: `seat owner-${sideOf(seat)} ${isOnTurn ? "on-turn" : ""}` });
  element.append(make("b", {}, named(name)), " ", make("small", {}, note));
  if (clocks.has()) element.append(clocks.element(seat));
  if (isFree && yours.length === 0 && table.status === "waiting") element.append(sitDown(seat));
  return element;
}

let nickname = "";

function sitDown(seat) {
  const form = make("form", { className: "sit" });
  if (isGuest) {
    const field = make("input", { maxLength: 20, placeholder: say("nickname"), value: nickname });
    field.setAttribute("aria-label", say("nickname"));
    field.addEventListener("input", () => {
      nickname = field.value;
    });
    form.append(field, " ");
  }
  form.append(make("button", {}, say("sit")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send({ do: "sit", seat, nickname: isGuest ? nickname : null });
  });
  return form;
}

function button(word, command, ask = null) {
  const element = make("button", { type: "button" }, say(word));
  element.dataset.do = command;
  element.addEventListener("click", () => {
    if (!ask || window.confirm(say(ask))) send({ do: command });
  });
  return element;
}

function actions() {
  if (yours.length === 0) return [];
  if (table.status === "waiting") return [button("leave", "leave")];
  if (table.status === "over") {
    const isDue = table.ended.is_last && yours.some((seat) => !table.rematch_asked[seat]);
    return isDue ? [button("rematch", "rematch")] : [];
  }
  return [...drawActions(), ...takeBackActions(), button("resign", "resign", "resign_sure")];
}

const isOthers = (seat) => seat !== null && !isYours(seat);

function drawActions() {
  if (isOthers(table.draw_offered)) return [button("draw_accept", "draw"), button("draw_decline", "decline_draw")];
  return table.draw_offered === null ? [button("draw", "draw")] : [];
}

function takeBackActions() {
  if (table.is_rated) return [];
  if (isOthers(table.take_back_asked)) {
    return [button("take_back_allow", "take_back"), button("take_back_decline", "decline_take_back")];
  }
  return table.take_back_asked === null && table.moves.length > 0 ? [button("take_back", "take_back")] : [];
}

function drawResult() {
  const { ended } = table;
  const element = part("result");
  element.hidden = !ended;
  if (ended) redraw(element, JSON.stringify([ended, table.seats]), () => result(ended));
}

function result(ended) {
  const who = ended.winner === null ? say("drawn") : say("won", nameOf(ended.winner));
  const why = words[`reason.${ended.reason}`] ?? ended.reason;
  const lines = [make("strong", {}, named(who)), `: ${why}. ${say("points", ...ended.points.map(String))} `];
  if (table.games > 1) lines.push(`${say("match", ...ended.wins.map(String), ...ended.total.map(String))} `);
  if (!ended.is_last) lines.push(`${say("next_soon")} `);
  lines.push(make("a", { href: `/games/${ended.game}` }, say("kept")));
  return lines;
}

/** Makes a list as long as what it shows: what is there already stays. */
function sync(list, items, draw) {
  if (list.children.length === items.length) return;
  // A new game begins with an empty list, so an entry never changes.
  while (list.children.length > items.length) list.lastElementChild.remove();
  for (const item of items.slice(list.children.length)) list.append(draw(item));
  list.scrollTop = list.scrollHeight;
}

// Speaking

function send(command) {
  notice = "";
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(command));
}

board.addEventListener("choose", (event) => send({ do: "move", ply: table.board.ply, text: event.detail }));
part("say").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = event.target.elements.text;
  if (field.value.trim()) send({ do: "chat", text: field.value });
  field.value = "";
});
part("copy").addEventListener("click", async () => {
  const link = part("link");
  link.select();
  await navigator.clipboard?.writeText(link.value);
  part("copy").textContent = `${say("copied")} ✓`;
});

// Connecting

const POLICY = 1008;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;
let wait = FIRST_WAIT;

/** The server gives a sign of life every 15 s: whoever hears nothing for long has lost it, whatever the system says. */
const SILENCE = 50000;
let silence = null;

function listen() {
  clearTimeout(silence);
  silence = setTimeout(() => socket.close(), SILENCE);
}

function connect() {
  const query = seq === null ? "" : `?since=${seq}`;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(`${scheme}//${location.host}${live.dataset.live}${query}`);
  socket.addEventListener("open", () => {
    listen();
    if (wait !== FIRST_WAIT) notice = say("connected");
    wait = FIRST_WAIT;
  });
  socket.addEventListener("message", (event) => {
    listen();
    hear(JSON.parse(event.data));
  });
  socket.addEventListener("close", ({ code }) => {
    // Signed out, here or elsewhere: the page is not what it was.
    if (code === POLICY) {
      location.reload();
      return;
    }
    clearTimeout(silence);
    drawn.delete(part("status"));
    part("status").textContent = say("lost");
    board.playable = false;
    // All browsers at once would be too much for a server that has just come back.
    setTimeout(connect, wait * (0.5 + Math.random()));
    wait = Math.min(2 * wait, LONGEST_WAIT);
  });
}

connect();
