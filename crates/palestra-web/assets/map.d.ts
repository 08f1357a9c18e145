// The data of the map editor: what the page gives it, and what it sends to the server.

export type Draft = { rows: string[]; teams: [Player[], Player[]] };
/** Rows and columns count from 1. */
export type Player = { row: number; column: number; energy: number };
/** A tile of the palette: its symbol in rows, what entering costs, and the kinds of its cell and of the piece on it. */
export type Paint = { symbol: string; name: string; cost: string; price: string; cell: string; piece: string | null; is_item: boolean };
export type Limits = {
  min_rows: number;
  min_columns: number;
  max_size: number;
  max_team: number;
  max_energy: number;
  /** Cells of the largest map that is measured while it is drawn. */
  measured: number;
};
export type Data = {
  address: string | null;
  name: string;
  map: Draft;
  owner: string | null;
  palette: Paint[];
  players: [string, string];
  look: string;
  limits: Limits;
  words: Record<string, string>;
};
export type Tool = "brush" | "line" | "fill" | "pick" | "players" | "move";
/** A player on the board: cells count from 0. */
export type Start = { cell: number; energy: number };
/** A place of the drawing, perhaps beyond an edge, where the board goes on at the other side. Rows and columns count from 0. */
export type Spot = { row: number; column: number };
export type Report = { state: "fair" | "unfair" | "unplayable"; sentence: string; cells: number[]; rows: Measure[] };
export type Measure = { name: string; value: string; range: string; ok: boolean };
/** A cell as it looks: colours, and the texture on it. */
export type Ground = { fill: string; edge: string; width: number; texture: string | null; ink: string };
