// What this browser knows of a table. The server says how it is after every event; here it is only stored.

/** @import { Event, Scene, State, ToClient, View, You } from "./types" */

import { say, time } from "./words.js";

export class TableState {
  /** @type {View | null} */
  view = null;
  /** @type {You} */
  you = { seats: [], is_host: false };
  /** @type {Scene | null} the last scene */
  scene = null;
  watching = 0;
  isConnected = false;
  /** The last thing that happened, in words; the next move ends it. */
  notice = "";
  /** Why the last command was refused; the next one ends it. */
  refusal = "";

  /**
   * Stores a message.
   * @param {ToClient} message
   */
  apply(message) {
    switch (message.is) {
      case "table":
        this.view = message.table;
        this.scene = message.table.state.scene ?? null;
        this.notice = "";
        break;
      case "you":
        this.you = { seats: message.seats, is_host: message.is_host };
        break;
      case "watching":
        this.watching = message.count;
        break;
      case "refused":
        this.notice = message.text;
        this.refusal = message.text;
        break;
      case "clocks":
      case "opened":
      case "alive":
        break;
      default:
        this.#happened(message);
    }
  }

  /** @param {Event & { state: State }} message */
  #happened(message) {
    if (!this.view) return;
    this.view.state = message.state;
    this.scene = message.state.scene ?? this.scene;
    const { moves, chat } = this.view;
    switch (message.is) {
      case "began":
        moves.length = 0;
        break;
      case "moved":
        moves.length = message.ply - 1;
        moves.push([message.seat, message.text]);
        break;
      case "taken_back":
        moves.length = message.ply;
        break;
      case "sides_changed":
        this.view.moves = moves.map(([seat, text]) => [1 - seat, text]);
        break;
      case "chat":
        chat.push(message);
        return;
    }
    this.notice = this.#said(message);
  }

  /**
   * What an event is called, for those whom it concerns.
   * @param {Event} event
   */
  #said(event) {
    switch (event.is) {
      case "taken_back":
        return this.isYours(event.seat) ? "" : say("taken_back", this.nameOf(event.seat));
      case "take_back_declined":
      case "draw_declined":
        return this.isYours(event.seat) ? "" : say(event.is, this.nameOf(event.seat));
      case "dropped":
        return this.isYours(event.seat) ? "" : say("dropped", this.nameOf(event.seat), time(event.within_ms));
      case "back":
        return this.isYours(event.seat) ? "" : say("back", this.nameOf(event.seat));
      default:
        return "";
    }
  }

  /** The state of the table; only once there is one. */
  get now() {
    if (!this.view) throw new Error("the table has not come yet");
    return this.view.state;
  }

  /** @param {number} seat */
  nameOf(seat) {
    return this.now.seats[seat].name;
  }

  /**
   * The name of a seat, or of its side where one person plays both.
   * @param {number} seat
   */
  whoIs(seat) {
    return this.you.seats.length > 1 ? say(`side_${this.sideOf(seat) + 1}`) : this.nameOf(seat);
  }

  /** @param {number | null} seat */
  isYours(seat) {
    return seat !== null && this.you.seats.includes(seat);
  }

  /**
   * Which side a seat plays: 0 or 1.
   * @param {number} seat
   */
  sideOf(seat) {
    return seat === this.now.first ? 0 : 1;
  }

  /** The seat that sits below: one's own, or that of side 1. */
  get below() {
    const [first, second] = this.you.seats;
    if (first === undefined) return this.now.first;
    return second === undefined ? first : this.now.first;
  }

  /** Whether this person may choose players, and let programs move. */
  get isSolo() {
    const nobodyPlays = this.now.seats.every(({ kind }) => kind !== "account" && kind !== "guest");
    return this.now.is_solo && (this.you.seats.length > 0 || (this.you.is_host && nobodyPlays));
  }

  /** Whether this person is to move. */
  get isYourMove() {
    return this.now.status === "playing" && this.isYours(this.now.turn) && !this.now.stand_in;
  }
}
