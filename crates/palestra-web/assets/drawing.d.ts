// The data of boards that do not change from move to move, and what the modules of the board element make of all of it. Scenes
// and steps are in types.d.ts.

import type { Choice, Control, Counter, Id, Label, Piece, Scene, Step } from "./types";

export type { Choice, Control, Counter, Id, Label, Piece, Scene, Step };

export type Point = [number, number];
export type Way = "up" | "down" | "left" | "right";
export type Speed = "off" | "slow" | "normal" | "fast";

export type Layout = { size: Point; cells: LayoutCell[]; areas?: LayoutArea[]; turns?: boolean };
export type LayoutCell = {
  id: Id;
  kind: string;
  label: Label;
  polygon: Point[];
  arrows: Partial<Record<Way, Id | null>>;
  ghosts: Point[];
  tag?: string | null;
  lane?: number | null;
};
export type LayoutArea = { kind: string; rect: [number, number, number, number]; radius: number };

export type Look = { shapes: Record<string, Part[]>; round: boolean };
export type Part = PathPart | SymbolPart;
export type PathPart = { path: string; fill: string | null; stroke: string | null; width: number };
export type SymbolPart = { symbol: "whole" | "last"; size: number; fill: string };

/** A place of the drawing, in its units. */
export type At = { x: number; y: number };
/** The middle and the extent of a cell. */
export type Place = At & { left: number; right: number; top: number; bottom: number; width: number; height: number; radius: number };
/** A cell as it is drawn. */
export type Cell = LayoutCell & { place: Place; tag: string | null; lane: number | null };
/** A part of the drawing. */
export type Box = { x: number; y: number; width: number; height: number };
export type Area = Box & { kind: string; rx: number };
/** Where a piece is drawn, on which cell, and the offsets of its ghosts. */
export type Spot = At & { size: number; cell: Id; ghosts: Point[] };
/** Where a grain lies. */
export type Grain = At & { scale: number };

/** A move that is pointed out: its text, and whether it is the best, another good one, or the one that was played. */
export type Arrow = { move: string; kind: "best" | "good" | "played" };

/** What lies on a board in the middle of a move. */
export type Model = { pieces: Piece[]; counters: Counter[] };
export type Animate = (element: Element, frames: Keyframe[], ms: number, easing?: string) => Animation;
