//! The types of the messages for the scripts: `assets/types.d.ts`, written from the Rust types.

use std::path::Path;

use palestra_arena::Reason;
use ts_rs::{Config, TS};

use super::event::{ChatLine, Event};
use super::message::{
    ClockKind, ClockView, Clocks, Command, Ended, Happened, Holder, HolderKind, StandInView, State, Status, ToClient,
    View, You,
};
use super::seat_choice::SeatChoice;
use crate::analyse::{Finding, FindingLine};
use crate::evaluate::{Evaluated, MoveCost, PositionValue};
use crate::import::{Imported, ImportedGame};
use crate::line::{Line, Ply};

const HEAD: &str = "\
// The messages between a table and its page, as src/tables/message.rs has them, and the data of boards. Written by a test of
// src/tables/types.rs: PALESTRA_WRITE_TYPES=1 cargo test -p palestra-web --lib types
";

/// The data of boards, which `palestra_games::draw` declares.
const BOARD: &str = "
export type Id = string;
export type Label = [string, ...string[]];
export type Piece = { id: Id, owner: 0 | 1 | null, kind: string, symbol: string, cell: Id, label: Label };
export type Counter = { id: Id, kind: string, owner: 0 | 1 | null, cell: Id | null, piece: Id | null, max: number | null, label: Label, value: number };
export type Control = { id: Id, kind: string, label: Label };
export type Preview = { way?: [Id, Id], to?: Id, adds?: Piece, gone?: Id[], cost?: number };
export type Choice = { text: string, clicks: Id[], preview?: Preview };
export type Scene = { pieces: Piece[], counters: Counter[], controls: Control[], choices: Choice[], last: Id[], line: Id[], end: Label | null };
export type Step = { beat: number } & (
  | { is: \"move\", piece: Id, to: Id, becomes: string | null }
  | { is: \"add\", piece: Piece }
  | { is: \"remove\", piece: Id, how: string }
  | { is: \"count\", counter: Id, value: number }
);

/** The element <palestra-board>. */
export interface Board extends HTMLElement {
  scene: Scene;
  playable: boolean;
  side: 0 | 1;
  layout: object;
  arrows: { move: string, kind: \"best\" | \"good\" | \"played\" }[];
  readonly counters: HTMLElement;
  play(steps: Step[], scene: Scene): Promise<void>;
  announce(text: string): void;
  text(label: Label): string;
}
";

fn declarations() -> String {
    let config = Config::new().with_large_int("number");
    let all = [
        SeatChoice::decl(&config),
        Command::decl(&config),
        Event::decl(&config),
        ChatLine::decl(&config),
        ToClient::decl(&config),
        You::decl(&config),
        Happened::decl(&config),
        View::decl(&config),
        State::decl(&config),
        Status::decl(&config),
        Holder::decl(&config),
        HolderKind::decl(&config),
        StandInView::decl(&config),
        Clocks::decl(&config),
        ClockView::decl(&config),
        ClockKind::decl(&config),
        Ended::decl(&config),
        Line::decl(&config),
        Ply::decl(&config),
        Finding::decl(&config),
        FindingLine::decl(&config),
        Evaluated::decl(&config),
        PositionValue::decl(&config),
        MoveCost::decl(&config),
        Imported::decl(&config),
        ImportedGame::decl(&config),
        end_reasons(),
    ];
    all.iter().map(|declaration| format!("\n{}\n", exported(declaration))).collect()
}

/// The words of all reasons for an end.
fn end_reasons() -> String {
    let words: Vec<_> = Reason::words().map(|word| format!("\"{word}\"")).collect();
    format!("type EndReason = {};", words.join(" | "))
}

/// A declaration that other files can name.
fn exported(declaration: &str) -> String {
    format!("export {declaration}")
}

#[test]
fn scripts_know_the_types_of_the_messages() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/types.d.ts");
    let written = format!("{HEAD}{}{BOARD}", declarations());
    if std::env::var_os("PALESTRA_WRITE_TYPES").is_some() {
        std::fs::write(&file, &written).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), written, "PALESTRA_WRITE_TYPES=1 writes the file anew");
}
