//! The lobby: public tables that wait for a player or have a game in progress.

use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use palestra_arena::TimeControl;
use palestra_store::PlayerKind;

use super::Summary;
use super::message::{ClockKind, ClockView, Holder, HolderKind, Status};
use crate::app::App;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::moment::span;
use crate::page::{Frame, page};
use crate::player_name::PlayerName;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "tables.html")]
struct Lobby {
    frame: Frame,
    waiting: Vec<TableRow>,
    playing: Vec<TableRow>,
}

/// A table in a list.
pub(crate) struct TableRow {
    pub(crate) code: String,
    pub(crate) game: &'static str,
    /// The name of a map or a start; empty for the usual one.
    pub(crate) options: String,
    pub(crate) seats: [Seat; 2],
    pub(crate) clock: String,
    pub(crate) plies: usize,
    pub(crate) watching: usize,
    pub(crate) is_rated: bool,
    pub(crate) is_waiting: bool,
}

/// Who sits on a side, or what the side waits for.
pub(crate) enum Seat {
    Taken(PlayerName),
    Free(String),
}

impl TableRow {
    pub(crate) fn new(summary: &Summary, locale: Locale) -> Self {
        Self {
            code: summary.code.clone(),
            game: summary.game_name,
            options: if summary.options == "-" { String::new() } else { summary.options.clone() },
            seats: [0, 1].map(|side| Seat::new(&summary.seats[side], locale)),
            clock: clock_text(&summary.clock, locale),
            plies: summary.plies,
            watching: summary.connected.spectators,
            is_rated: summary.is_rated,
            is_waiting: summary.status == Status::Waiting,
        }
    }
}

impl Seat {
    fn new(holder: &Holder, locale: Locale) -> Self {
        let kind = match holder.kind {
            HolderKind::Open => return Self::Free(locale.t("table.say.open").to_owned()),
            HolderKind::Reserved => return Self::Free(locale.t("table.say.reserved").replace("{1}", &holder.name)),
            HolderKind::Account => PlayerKind::Account,
            HolderKind::BuiltIn => PlayerKind::BuiltIn,
            HolderKind::Program => PlayerKind::Program,
            HolderKind::Guest => PlayerKind::Guest,
        };
        Self::Taken(PlayerName::new(kind, holder.name.clone(), locale))
    }
}

/// The time control in words: "5 min + 2 s a move".
pub(super) fn clock_text(clock: &ClockView, locale: Locale) -> String {
    let (time, increment) = (span(clock.ms / 1000), span(clock.increment_ms / 1000));
    let key = match clock.kind {
        ClockKind::Game if clock.increment_ms > 0 => "table.clock_is.increment",
        ClockKind::Game => "table.clock_is.game",
        ClockKind::Turn => "table.clock_is.turn",
        ClockKind::None => "table.clock_is.none",
    };
    locale.with(key, &[("time", &time), ("increment", &increment)])
}

/// What a move of a program may cost.
pub(super) fn limit_text(time: TimeControl, locale: Locale) -> String {
    let (key, limit) = match time {
        TimeControl::Cpu { cpu, .. } => ("table.clock_is.cpu", cpu),
        TimeControl::Wall(wall) => ("table.clock_is.wall", wall),
        TimeControl::Unlimited | TimeControl::Game { .. } => ("table.clock_is.none", Duration::ZERO),
    };
    locale.with(key, &[("time", &limit.as_millis().to_string())])
}

/// The page.
pub(crate) async fn lobby(State(app): State<App>, visitor: Visitor) -> Result<Response, Refused> {
    let frame = Frame::new(&visitor);
    let public = app.tables.list().into_iter().filter(|summary| summary.is_public && summary.status != Status::Over);
    let rows = public.map(|summary| TableRow::new(&summary, frame.locale));
    let (waiting, playing) = rows.partition(|row| row.is_waiting);
    page(&Lobby { frame, waiting, playing })
}
