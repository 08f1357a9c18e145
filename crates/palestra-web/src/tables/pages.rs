//! The page of a table.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_arena::Reason;
use serde_json::json;

use super::layout::TableLayout;
use super::lobby::{clock_text, limit_text};
use super::new::built_in;
use super::setup::Setup;
use crate::app::App;
use crate::board;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::page::{Frame, page};
use crate::qr;
use crate::runs::{RunPlace, game_for, may_watch};
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "table.html")]
struct TablePage {
    frame: Frame,
    code: String,
    setup: Setup,
    /// The run that the game belongs to; none for a table.
    run: Option<RunPlace>,
    /// The address of the board's layout.
    layout: String,
    /// The texts of the board's labels.
    texts: String,
    /// The texts that the script needs.
    words: String,
    link: String,
    clock: String,
    /// Whether the board is wider than high: then everything else is below it or at its side.
    is_wide: bool,
    /// The built-in players and the programs of the server's owner, to move for a person.
    players: Vec<&'static str>,
    own: Vec<String>,
    /// The built-in player that is offered first.
    strongest: &'static str,
    /// The link as a QR code, in SVG; empty if it is too long for one.
    qr: String,
    /// The rules of the game in short, a paragraph an entry.
    rules: Vec<String>,
}

/// The built-in player that is offered first to move for a person, where a game has it.
const STRONGEST: &str = "maestro";

/// The page of a table, or of a game of a run that is being played. Everything that changes comes over the WebSocket.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    if let Some(game) = app.live_games.find(&code) {
        may_watch(&app, &visitor, &game).await?;
        let place = RunPlace::of(&app, game.run, visitor.locale).await?;
        return page(&TablePage::new(&app, &visitor, code, game.watched.layout(), Some(place)).await?);
    }
    match app.tables.find(&code) {
        Ok(table) => page(&TablePage::new(&app, &visitor, code, &table.layout, None).await?),
        Err(_) => kept_game(&app, &visitor, &code).await,
    }
}

impl TablePage {
    async fn new(
        app: &App,
        visitor: &Visitor,
        code: String,
        layout: &TableLayout,
        run: Option<RunPlace>,
    ) -> Result<Self, Refused> {
        let (frame, setup, drawn) = (Frame::new(visitor), layout.setup().clone(), layout.drawn(app).await?);
        let kind = setup.kind();
        let players = built_in(kind);
        let link = app.origins.link(&format!("/t/{code}"));
        Ok(Self {
            layout: drawn.drawing.path(),
            is_wide: drawn.is_wide,
            strongest: if players.contains(&STRONGEST) {
                STRONGEST
            } else {
                players.last().copied().unwrap_or_default()
            },
            players,
            own: app.offers.of(kind).await,
            qr: qr::svg(&link, frame.t("table.qr")).unwrap_or_default(),
            rules: frame.locale.t(&format!("about.{}.rules", setup.game)).split('\n').map(str::to_owned).collect(),
            texts: board::texts(&setup.game, frame.locale),
            words: words(frame.locale),
            link,
            clock: match &run {
                Some(_) => limit_text(setup.time, frame.locale),
                None => clock_text(&setup.clock(), frame.locale),
            },
            code,
            setup,
            run,
            frame,
        })
    }

    fn game_name(&self) -> &'static str {
        self.setup.kind().about.name
    }
}

/// The game of a run that is over, or the last game of a table that is closed.
async fn kept_game(app: &App, visitor: &Visitor, code: &str) -> Result<Response, Refused> {
    let game = match app.store.last_game_of(code).await? {
        Some(game) => Some(game),
        None => match game_for(app, visitor, code).await {
            Ok(game) => Some(game.code),
            Err(Refused::NotFound) => None,
            Err(refused) => return Err(refused),
        },
    };
    let game = app.limits.found(visitor, game, Refused::NotFound)?;
    Ok(Redirect::to(&format!("/games/{game}")).into_response())
}

/// Keys of the texts that a table's script shows.
const WORDS: &[&str] = &[
    "open",
    "reserved",
    "you",
    "guest",
    "built_in",
    "program",
    "away",
    "sit",
    "nickname",
    "draw_offered",
    "draw_yours",
    "draw_accept",
    "draw_decline",
    "draw_declined",
    "take_back_asked",
    "take_back_yours",
    "take_back_allow",
    "take_back_decline",
    "take_back_declined",
    "taken_back",
    "rematch",
    "rematch_asked",
    "rematch_yours",
    "your_turn",
    "your_turn_long",
    "to_move_1",
    "to_move_2",
    "their_turn",
    "thinking",
    "waiting",
    "waiting_both",
    "waiting_for",
    "began",
    "dropped",
    "back",
    "stand_in",
    "stands_in",
    "side_1",
    "side_2",
    "won",
    "you_won",
    "you_lost",
    "drawn",
    "points_title",
    "match",
    "next_soon",
    "replay",
    "analyse",
    "close",
    "watching",
    "used",
    "lost",
    "copied",
    "seconds",
    "minutes",
    "hours",
];

/// The texts of a table's script, and those of the reasons for which a game ends, as JSON; `{1}` stands for a value. A
/// reason has two texts: one that names the loser, and one for the loser.
fn words(locale: Locale) -> String {
    let said = WORDS.iter().map(|word| ((*word).to_owned(), format!("table.say.{word}")));
    let reasons = Reason::words().flat_map(|word| ["ended", "lost"].map(|set| format!("{set}.{word}")));
    let reasons = reasons.map(|word| (word.clone(), format!("table.{word}")));
    let texts: BTreeMap<String, String> =
        said.chain(reasons).map(|(word, key)| (word, locale.t(&key).to_owned())).collect();
    json!(texts).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_script_says_has_a_text_in_every_language() {
        for &locale in Locale::ALL {
            let words: BTreeMap<String, String> = serde_json::from_str(&words(locale)).unwrap();
            for (word, text) in words {
                assert!(!text.starts_with("table."), "{word}: {text}");
            }
        }
    }
}
