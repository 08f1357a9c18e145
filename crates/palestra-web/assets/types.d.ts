// The messages between a table and its page, as src/tables/message.rs has them, and the data of boards. Written by a test of
// src/tables/types.rs: PALESTRA_WRITE_TYPES=1 cargo test -p palestra-web --lib types

export type SeatChoice = string;

export type Command = { "do": "move", ply: number, text: string, } | { "do": "chat", text: string, } | { "do": "sit", seat: number, nickname: string | null, } | { "do": "leave" } | { "do": "resign" } | { "do": "draw" } | { "do": "decline_draw" } | { "do": "take_back" } | { "do": "decline_take_back" } | { "do": "rematch" } | { "do": "stand_in", player: SeatChoice, moves: number | null, } | { "do": "stop_stand_in" } | { "do": "set_player", seat: number, player: SeatChoice, } | { "do": "change_sides" } | { "do": "restart" } | { "do": "play_from_here" };

export type Event = { "is": "seat", seat: number, } | { "is": "began" } | { "is": "moved", 
/**
 * The seat that moved.
 */
seat: number, text: string, 
/**
 * The number of moves made, this one included.
 */
ply: number, } | { "is": "taken_back", seat: number, 
/**
 * The number of moves that are left.
 */
ply: number, } | { "is": "take_back_asked", seat: number, } | { "is": "take_back_declined", seat: number, } | { "is": "draw_offered", seat: number, } | { "is": "draw_declined", seat: number, } | { "is": "chat" } & ChatLine | { "is": "dropped", seat: number, within_ms: number, } | { "is": "back", seat: number, } | { "is": "ended" } | { "is": "rematch_asked", seat: number, } | { "is": "sides_changed" } | { "is": "stand_in" };

export type ChatLine = { name: string, 
/**
 * The speaker's seat, if they have one.
 */
seat: number | null, text: string, at_ms: number, };

export type ToClient = { "is": "table", seq: number, table: View, } | { "is": "you" } & You | { "is": "refused", text: string, } | { "is": "clocks", turn: number | null, clocks: Clocks, } | { "is": "watching", count: number, } | { "is": "opened", code: string, } | { "is": "alive" } | Happened;

export type You = { 
/**
 * The visitor's seats.
 */
seats: Array<number>, 
/**
 * Whether they opened the table.
 */
is_host: boolean, };

export type Happened = { seq: number, state: State, 
/**
 * The steps of the move from the previous scene to the present one, for the animation; empty for a move that was
 * missed.
 */
steps?: Step[], } & ({ "is": "seat", seat: number, } | { "is": "began" } | { "is": "moved", 
/**
 * The seat that moved.
 */
seat: number, text: string, 
/**
 * The number of moves made, this one included.
 */
ply: number, } | { "is": "taken_back", seat: number, 
/**
 * The number of moves that are left.
 */
ply: number, } | { "is": "take_back_asked", seat: number, } | { "is": "take_back_declined", seat: number, } | { "is": "draw_offered", seat: number, } | { "is": "draw_declined", seat: number, } | { "is": "chat" } & ChatLine | { "is": "dropped", seat: number, within_ms: number, } | { "is": "back", seat: number, } | { "is": "ended" } | { "is": "rematch_asked", seat: number, } | { "is": "sides_changed" } | { "is": "stand_in" });

export type View = { code: string, game: string, 
/**
 * The options, or the name of the map.
 */
options: string, clock: ClockView, is_public: boolean, is_rated: boolean, 
/**
 * How many games a match has, 1 or 2.
 */
games: number, 
/**
 * With the scene, also before the first game.
 */
state: State, 
/**
 * All moves of the game so far, with the seat that made each.
 */
moves: Array<[number, string]>, chat: Array<ChatLine>, 
/**
 * Time that an absent player has to come back.
 */
absence_ms: number, };

export type State = { status: Status, 
/**
 * Which game it is, from 1; 0 before the first.
 */
number: number, 
/**
 * The number of moves made.
 */
ply: number, 
/**
 * Which seat plays side 1 (the other plays side 2): owner 0 of a scene is side 1.
 */
first: number, 
/**
 * The seat whose turn it is; none when the game is over or has not begun.
 */
turn: number | null, seats: [Holder, Holder], 
/**
 * The points on the board of each seat, if the game counts them while it is played.
 */
points: [number, number] | null, clocks: Clocks, draw_offered: number | null, take_back_asked: number | null, rematch_asked: [boolean, boolean], 
/**
 * How the last game ended, once it is over.
 */
ended: Ended | null, 
/**
 * Whether no more than one person plays, and not for a rating: then players can be chosen and stand in.
 */
is_solo: boolean, 
/**
 * Who moves in place of the person.
 */
stand_in: StandInView | null, 
/**
 * The scene, if the board has changed. Its layout, the same in all games of a table, is served apart: the table's
 * page has the address.
 */
scene?: Scene, };

export type Status = "waiting" | "playing" | "over";

export type Holder = { kind: HolderKind, 
/**
 * The nickname, or the name of the player; of a reserved seat, for whom.
 */
name: string, 
/**
 * Whether the player is connected.
 */
is_present: boolean, };

export type HolderKind = "open" | "reserved" | "account" | "guest" | "built_in" | "program";

export type StandInView = { name: string, 
/**
 * The number of moves that it still makes; none until the end of the game.
 */
moves: number | null, };

export type Clocks = { 
/**
 * What each has left of its time, where time counts.
 */
left_ms: [number, number] | null, 
/**
 * What was charged to each so far, in a game that the server plays by itself.
 */
used_ms: [number, number] | null, 
/**
 * Whether the clock of the side to move runs.
 */
is_running: boolean, };

export type ClockView = { kind: ClockKind, 
/**
 * The time for a move or for the game.
 */
ms: number, 
/**
 * The increment for each move.
 */
increment_ms: number, };

export type ClockKind = "none" | "turn" | "game";

export type Ended = { 
/**
 * The address of the kept game: `/games/CODE`.
 */
game: string, 
/**
 * The seat that won.
 */
winner: number | null, 
/**
 * The points of each seat.
 */
points: [number, number], reason: EndReason, 
/**
 * The score of the match so far: games won by each seat, and drawn.
 */
wins: [number, number], draws: number, 
/**
 * The points of each seat in all games of the match.
 */
total: [number, number], 
/**
 * Whether the match is over too.
 */
is_last: boolean, };

export type Line = { 
/**
 * The address of the layout of the board.
 */
layout: string, plies: Array<Ply>, };

export type Ply = { position: string, 
/**
 * The side to move, 0 or 1; none when the game is over.
 */
turn: 0 | 1 | null, points: [number, number], 
/**
 * The move that led here, and the side that made it; none where the line begins.
 */
move: string | null, by: 0 | 1 | null, scene: Scene, 
/**
 * Whether the move led to the other side's being passed over.
 */
passed: boolean, 
/**
 * The steps from the scene of the ply before; none for the first ply, and for an illegal move that ended the game.
 */
steps: Step[], };

export type Finding = { "is": "depth", depth: number, nodes: number, lines: Array<FindingLine>, } | { "is": "end", depth: number, nodes: number, lines: Array<FindingLine>, ms: number, };

export type FindingLine = { value: Value, moves: Array<string>, };

export type Evaluated = { "is": "ply", ply: number, value: Value, depth: number, best: Array<string>, 
/**
 * What the move that led here cost; none for the first position, and after one that was left out.
 */
cost: MoveCost | null, } | { "is": "hidden", ply: number, } | { "is": "more", from: number, };

export type Value = { 
/**
 * In the unit of the evaluation; none if a side wins, unless the game has ended in points.
 */
amount: number | null, 
/**
 * The side that wins, 0 or 1.
 */
winner: 0 | 1 | null, 
/**
 * In how many plies it wins; none if nobody knows.
 */
plies: number | null, is_proven: boolean, 
/**
 * The chance of side 1, from 0 to 1.
 */
chance: number, };

export type MoveCost = { 
/**
 * In the unit of the evaluation; none if a win or more was lost.
 */
lost: number | null, mistake: "mistake" | "blunder" | null, 
/**
 * From 0 to 100; none if there was only one move.
 */
accuracy: number | null, };

export type Imported = { games: Array<ImportedGame>, 
/**
 * Whether there were more games than are read at once.
 */
has_more: boolean, };

export type ImportedGame = { game: string, 
/**
 * Where it begins; none for the usual start.
 */
position: string | null, moves: Array<string>, 
/**
 * The headers, such as the names of the players.
 */
tags: Array<[string, string]>, 
/**
 * Notes, with the number of moves made when they were written.
 */
notes: Array<[number, string]>, 
/**
 * The points and the reason, if the record tells how it ended.
 */
result: string | null, };

export type EndReason = "finished" | "resigned" | "agreed" | "capped" | "illegal" | "timeout" | "budget" | "crash" | "memory" | "output" | "protocol" | "startup" | "disconnect" | "security";

export type Id = string;
export type Label = [string, ...string[]];
export type Piece = { id: Id, owner: 0 | 1 | null, kind: string, symbol: string, cell: Id, label: Label };
export type Counter = { id: Id, kind: string, owner: 0 | 1 | null, cell: Id | null, piece: Id | null, max: number | null, label: Label, value: number };
export type Control = { id: Id, kind: string, label: Label };
export type Preview = { way?: [Id, Id], to?: Id, adds?: Piece, gone?: Id[], cost?: number };
export type Choice = { text: string, clicks: Id[], preview?: Preview };
export type Scene = { pieces: Piece[], counters: Counter[], controls: Control[], choices: Choice[], last: Id[], line: Id[], end: Label | null };
export type Step = { beat: number } & (
  | { is: "move", piece: Id, to: Id, becomes: string | null }
  | { is: "add", piece: Piece }
  | { is: "remove", piece: Id, how: string }
  | { is: "count", counter: Id, value: number }
);

/** The element <palestra-board>. */
export interface Board extends HTMLElement {
  scene: Scene;
  playable: boolean;
  side: 0 | 1;
  layout: object;
  arrows: { move: string, kind: "best" | "good" | "played" }[];
  readonly counters: HTMLElement;
  play(steps: Step[], scene: Scene): Promise<void>;
  announce(text: string): void;
  text(label: Label): string;
}
