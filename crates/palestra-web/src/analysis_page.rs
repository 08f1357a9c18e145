//! The page of analysis: a kept game, a record or a position, replayed and evaluated.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use palestra_games::{GameKind, Record};
use palestra_store::derived_code;
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
use crate::board_tag::BoardTag;
use crate::drawings::Drawing;
use crate::http::error::Refused;
use crate::line::{self, Asked, MAX_MOVES};
use crate::locale::Locale;
use crate::page::{Frame, page, page_again};
use crate::player_name::PlayerName;
use crate::ratelimit::Key;
use crate::rendering::Load;
use crate::showcase::{Picture, pictures};
use crate::thinking::MAX_LINES;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "analysis.html")]
pub(crate) struct AnalysisPage {
    pub(crate) frame: Frame,
    pub(crate) study: Option<Study>,
    /// The game that was finished here; none if the line was given in the address.
    pub(crate) kept: Option<Kept>,
    pub(crate) words: String,
    /// The games to choose from, where there is nothing to show yet.
    pub(crate) pictures: Vec<Picture>,
    pub(crate) form: Form,
    pub(crate) wrong: String,
}

impl AnalysisPage {
    /// The most lines that the engine is asked for.
    fn max_lines(&self) -> usize {
        MAX_LINES
    }
}

/// A finished game, as the head of its page tells it.
pub(crate) struct Kept {
    pub(crate) code: String,
    pub(crate) options: String,
    pub(crate) result: String,
    pub(crate) reason: String,
    pub(crate) is_rated: bool,
    pub(crate) ended_ms: i64,
}

/// The line that a page shows.
pub(crate) struct Study {
    kind: &'static GameKind,
    board: BoardTag,
    is_wide: bool,
    /// The players; none if nobody is known to have played.
    players: Option<[PlayerName; 2]>,
    /// What the script needs, as JSON.
    start: String,
    first_address: String,
}

/// The ratio of width to height from which a board is wide.
const WIDE_RATIO: f32 = 1.8;

impl Study {
    /// The line of a record, which is drawn once for each key.
    pub(crate) async fn new(
        app: &App,
        key: &str,
        record: Arc<Record>,
        players: Option<[PlayerName; 2]>,
        locale: Locale,
    ) -> Result<Self, Refused> {
        let layout = line::layout(app, &record).await?;
        let (drawn, address) = (record.clone(), layout.clone());
        let draw = move || line::drawn(address, &drawn, 0);
        let line = app.drawings.get(&app.rendering, Load::Heavy, key, draw).await?;
        let size = record.clone();
        let size = app.rendering.run(Load::Heavy, move || size.start().layout().size).await?;
        Ok(Self::of(&record, layout, &line, size.x > WIDE_RATIO * size.y, players, locale))
    }

    fn of(
        record: &Record,
        layout: String,
        line: &Drawing,
        is_wide: bool,
        players: Option<[PlayerName; 2]>,
        locale: Locale,
    ) -> Self {
        let kind = record.kind();
        let notes = (1..).zip(record.moves()).filter_map(|(ply, mv)| Some((ply, mv.note.clone()?)));
        let names = players.as_ref().map(|players| players.each_ref().map(|player| player.name.clone()));
        let start = json!({
            "game": kind.id(),
            "line": line.path(),
            "position": record.start().notation(),
            // What a record of the line begins with.
            "head": record.up_to(0).to_string(),
            "moves": record.moves().iter().map(|mv| &mv.text).collect::<Vec<_>>(),
            "notes": notes.collect::<Vec<(usize, String)>>(),
            "tags": record.tags(),
            "result": record.result().map(ToString::to_string),
            "players": names,
        });
        Self {
            kind,
            board: BoardTag::new(kind.id(), layout, locale),
            is_wide,
            players,
            start: start.to_string(),
            first_address: line.path(),
        }
    }

    /// The name of a side: the player, or the number of the side.
    fn name(&self, side: &usize, frame: &Frame) -> String {
        match &self.players {
            Some(players) => players[*side].name.clone(),
            None => frame.t(if *side == 0 { "games.side_1" } else { "games.side_2" }).to_owned(),
        }
    }
}

/// What the address says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Form {
    game: String,
    position: String,
    moves: String,
}

/// The page of any line, as the address tells it: a game, a position, moves.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    form: Result<Query<Form>, QueryRejection>,
) -> Result<Response, Refused> {
    let Query(form) = form.unwrap_or_default();
    let frame = Frame::new(&visitor);
    let locale = frame.locale;
    if form.game.is_empty() {
        return empty(&app, frame, form, None).await;
    }
    app.limits.heavy.check(Key::visitor(&visitor))?;
    match study(&app, &form, locale).await {
        Ok(study) => page(&AnalysisPage {
            frame,
            study: Some(study),
            kept: None,
            words: words(locale),
            pictures: vec![],
            form,
            wrong: String::new(),
        }),
        Err(refused @ Refused::Bad(..)) => empty(&app, frame, form, Some(&refused)).await,
        Err(refused) => Err(refused),
    }
}

async fn study(app: &App, form: &Form, locale: Locale) -> Result<Study, Refused> {
    let (game, position) = (form.game.clone(), form.position.trim().to_owned());
    let moves: Vec<String> = form.moves.split_whitespace().take(MAX_MOVES + 1).map(str::to_owned).collect();
    let key = format!("line {game} {}", derived_code(&format!("{position}\n{}", moves.join(" "))));
    let read = move || {
        let position = Some(&*position).filter(|position| !position.is_empty());
        Asked { game: &game, position, options: None, moves: &moves }.record()
    };
    let record = Arc::new(app.rendering.run(Load::Heavy, read).await??);
    Study::new(app, &key, record, None, locale).await
}

/// The page without a line: how to get one, and what was wrong with the one that was given.
async fn empty(app: &App, frame: Frame, form: Form, refused: Option<&Refused>) -> Result<Response, Refused> {
    let wrong = refused.map(|refused| refused.text(frame.locale)).unwrap_or_default();
    let pictures = pictures(app, frame.locale).await?;
    let words = words(frame.locale);
    let is_wrong = refused.is_some();
    let shown = AnalysisPage { frame, study: None, kept: None, words, pictures, form, wrong };
    if is_wrong { page_again(&shown) } else { page(&shown) }
}

impl Form {
    /// What was given, as one text that can be corrected.
    fn text(&self) -> String {
        format!("{} {}", self.position.trim(), self.moves.trim()).trim().to_owned()
    }
}

/// The texts of the page's scripts, as JSON; `{1}` stands for a value.
pub(crate) fn words(locale: Locale) -> String {
    let texts: BTreeMap<&str, &str> = locale.section("replay.say.").collect();
    json!(texts).to_string()
}
