//! Lines of play: a beginning and the moves from there, drawn ply by ply in one answer.
//!
//! A page that has the answer steps through the line, and knows what may be played at each ply, without asking again.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use palestra_arena::{BeginError, Beginning, begin};
use palestra_games::bandera::Bandera;
use palestra_games::draw::{Scene, Step};
use palestra_games::record::RecordedMove;
use palestra_games::{AnyGame, Draw, GameKind, Record};
use palestra_protocol::shown;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::board;
use crate::drawings::{Drawing, layout_key};
use crate::http::error::Refused;
use crate::ratelimit::Key;
use crate::rendering::Load;
use crate::visitor::Visitor;

/// The most bytes of a request.
pub(crate) const MAX_BODY_BYTES: usize = 128 << 10;

/// The most bytes of a position, or of options: the greatest map has room in it.
const MAX_POSITION_BYTES: usize = 64 << 10;

/// The most moves of a line: no game of Parchís, the longest one, has more.
pub(crate) const MAX_MOVES: usize = 3000;

/// The bytes from which an answer takes no further ply. Lines of ordinary boards have room for a thousand.
const MAX_ANSWER_BYTES: usize = 8 << 20;

/// How requests name a line: a position, or a game with options; and the moves from there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) game: &'a str,
    pub(crate) position: Option<&'a str>,
    pub(crate) options: Option<&'a str>,
    pub(crate) moves: &'a [String],
}

impl Asked<'_> {
    /// The cost of reading it. A short text may tell of a large map.
    pub(crate) fn load(self) -> Load {
        let bytes = self.moves.iter().map(|mv| mv.len() + 1).sum();
        if self.game == Bandera::ABOUT.id { Load::Heavy } else { Load::of(bytes) }
    }

    /// The game that was played so, within the bounds on what may be sent.
    pub(crate) fn record(self) -> Result<Record, Refused> {
        let Self { game, position, options, moves } = self;
        let kind = GameKind::find(game)
            .filter(|kind| kind.is_listed)
            .ok_or_else(|| Refused::bad_with("analyse.game", cut(game)))?;
        let texts = [position, options].into_iter().flatten();
        if texts.map(str::len).max() > Some(MAX_POSITION_BYTES) || moves.len() > MAX_MOVES {
            return Err(Refused::bad("analyse.long"));
        }
        let beginning = match (position, options) {
            (Some(_), Some(_)) => return Err(Refused::bad("analyse.both")),
            (Some(position), None) => Beginning::Notation(position),
            (None, options) => Beginning::Options(options.unwrap_or("-")),
        };
        begin(kind, beginning, moves).map_err(|error| {
            let key = if matches!(error, BeginError::Start(_)) { "analyse.position" } else { "analyse.move" };
            Refused::bad_with(key, error.phrase())
        })
    }
}

/// What was typed, to be shown in an error.
pub(crate) fn cut(text: &str) -> String {
    shown(text, 300).to_string()
}

/// The body of a JSON request.
pub(crate) fn sent<T>(wanted: Result<Json<T>, JsonRejection>) -> Result<T, Refused> {
    wanted.map(|Json(wanted)| wanted).map_err(|error| Refused::bad_with("refused.json", cut(&error.body_text())))
}

/// A request for a line.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = LineRequest)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    game: String,
    position: Option<String>,
    options: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    /// The number of moves before the first ply that is wanted.
    #[serde(default)]
    from: usize,
}

impl Wanted {
    fn asked(&self) -> Asked<'_> {
        let Self { game, position, options, moves, .. } = self;
        Asked { game, position: position.as_deref(), options: options.as_deref(), moves }
    }
}

/// The JSON response: the plies that were asked for, or as many of them as one answer holds.
#[derive(Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Line {
    /// The address of the layout of the board.
    layout: String,
    plies: Vec<Ply>,
}

/// A position of a line, as a board shows it.
#[derive(Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Ply {
    position: String,
    /// The side to move, 0 or 1; none when the game is over.
    #[cfg_attr(test, ts(type = "0 | 1 | null"))]
    turn: Option<usize>,
    points: [i32; 2],
    /// The move that led here, and the side that made it; none where the line begins.
    #[serde(rename = "move")]
    mv: Option<String>,
    #[cfg_attr(test, ts(type = "0 | 1 | null"))]
    by: Option<usize>,
    #[cfg_attr(test, ts(type = "Scene"))]
    #[schema(value_type = Object)]
    scene: Scene,
    /// Whether the move led to the other side's being passed over.
    passed: bool,
    /// The steps from the scene of the ply before; none for the first ply, and for an illegal move that ended the game.
    #[cfg_attr(test, ts(type = "Step[]"))]
    #[schema(value_type = Vec<Object>)]
    steps: Vec<Step>,
}

/// Draws a line of play.
///
/// A long line comes in parts: ask again `from` the first ply that is missing.
#[utoipa::path(
    post, path = "/line", operation_id = "line", request_body = Wanted, security(("token" = []), ()),
    responses((status = 200, body = Line))
)]
pub(crate) async fn api(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<Response, Refused> {
    app.origins.check(&headers, &visitor)?;
    app.limits.lines.check(Key::visitor(&visitor))?;
    let wanted = sent(wanted)?;
    let from = wanted.from;
    if from > wanted.moves.len() {
        return Err(Refused::bad("replay.from"));
    }
    let load = wanted.asked().load();
    let _slot = (load == Load::Heavy).then(|| app.limits.begin_large_line(&visitor)).transpose()?;
    let record = app.rendering.run(load, move || wanted.asked().record()).await??;
    let layout = layout(&app, &record).await?;
    let draw = move || Drawing::new(&drawn(layout, &record, from)?);
    Ok(app.rendering.run(Load::Heavy, draw).await??.response(&headers))
}

/// The address of the layout of a game's board.
pub(crate) async fn layout(app: &App, record: &Record) -> Result<String, Refused> {
    let key = layout_key(record.kind().id(), &record.start().notation());
    let start = record.start().boxed_clone();
    let drawing = app.drawings.get(&app.rendering, Load::Heavy, &key, move || Ok(board::layout(&start.layout())));
    Ok(drawing.await?.path())
}

/// A line from a ply on.
pub(crate) fn drawn(layout: String, record: &Record, from: usize) -> Result<Line, Refused> {
    let mut position = record.start().boxed_clone();
    let (before, after) = record.moves().split_at(from);
    for mv in before {
        position.play(&mv.text).map_err(unreadable)?;
    }
    let mut plies = vec![ply(&*position, before.last(), vec![])?];
    let mut bytes = plies[0].bytes();
    for mv in after {
        if bytes >= MAX_ANSWER_BYTES {
            break;
        }
        // An illegal move that ended the game has no steps: the scene after it says all.
        let steps = position.steps(&mv.text).unwrap_or_default();
        position.play(&mv.text).map_err(unreadable)?;
        plies.push(ply(&*position, Some(mv), steps)?);
        bytes += plies[plies.len() - 1].bytes();
    }
    Ok(Line { layout, plies })
}

fn ply(position: &dyn AnyGame, last: Option<&RecordedMove>, steps: Vec<Step>) -> Result<Ply, Refused> {
    let scene = position.scene(last.map(|mv| (mv.played.side, mv.text.as_str()))).map_err(unreadable)?;
    Ok(Ply {
        position: position.notation(),
        turn: position.outcome().is_none().then(|| position.turn().index()),
        points: position.points(),
        mv: last.map(|mv| mv.text.clone()),
        by: last.map(|mv| mv.played.side.index()),
        scene,
        passed: last.is_some_and(|mv| mv.played.passed),
        steps,
    })
}

impl Ply {
    /// The approximate size in JSON.
    fn bytes(&self) -> usize {
        const PIECE_BYTES: usize = 100;
        let Scene { pieces, counters, controls, choices, last, .. } = &self.scene;
        let lengths = [pieces.len(), counters.len(), controls.len(), choices.len(), last.len(), self.steps.len()];
        self.position.len() + PIECE_BYTES * (1 + lengths.iter().sum::<usize>())
    }
}

fn unreadable(error: impl std::fmt::Display) -> Refused {
    tracing::error!(%error, "a move that was played cannot be read");
    Refused::Fault
}

#[cfg(test)]
mod tests {
    use palestra_games::GAMES;

    use super::*;

    #[test]
    fn every_game_that_a_referee_ends_fits_into_a_line() {
        let caps: Vec<usize> = GAMES.iter().filter_map(|kind| usize::try_from(kind.about.move_cap?).ok()).collect();
        assert!(!caps.is_empty() && caps.iter().all(|&cap| cap <= MAX_MOVES), "{caps:?}");
    }
}
