//! The page of a table.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_arena::Reason;
use serde_json::json;

use super::Summary;
use super::lobby::clock_text;
use crate::app::App;
use crate::board;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::page::{Frame, page};
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "table.html")]
struct TablePage {
    frame: Frame,
    summary: Summary,
    /// The address of the board's layout.
    layout: String,
    /// The texts of the board's labels.
    texts: String,
    /// The texts that the script needs.
    words: String,
    link: String,
    clock: String,
}

/// The page of a table. Everything that changes comes over the WebSocket.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let Ok(table) = app.tables.find(&code) else { return kept_game(&app, &visitor, &code).await };
    let (summary, layout) = (table.summary(), table.layout(&app).await?);
    let frame = Frame::new(&visitor);
    page(&TablePage {
        layout: layout.path(),
        texts: board::texts(summary.game, frame.locale),
        words: words(frame.locale),
        link: app.origins.link(&format!("/t/{code}")),
        clock: clock_text(&summary.clock, frame.locale),
        summary,
        frame,
    })
}

/// The last game of a table that is closed.
async fn kept_game(app: &App, visitor: &Visitor, code: &str) -> Result<Response, Refused> {
    let game = app.limits.found(visitor, app.store.last_game_of(code).await?, Refused::NotFound)?;
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
    "leave",
    "resign",
    "resign_sure",
    "draw",
    "draw_offered",
    "draw_yours",
    "draw_accept",
    "draw_decline",
    "draw_declined",
    "take_back",
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
    "their_turn",
    "waiting",
    "began",
    "dropped",
    "back",
    "won",
    "drawn",
    "points",
    "match",
    "next_soon",
    "kept",
    "watching",
    "lost",
    "copied",
    "connected",
];

/// The texts of a table's script, and those of the reasons for which a game ends, as JSON; `{1}` stands for a value.
fn words(locale: Locale) -> String {
    let said = WORDS.iter().map(|word| ((*word).to_owned(), format!("table.say.{word}")));
    let reasons = Reason::words().map(|word| (format!("reason.{word}"), format!("reason.{word}")));
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
                assert!(!text.contains(&format!("table.say.{word}")) && !text.starts_with("reason."), "{word}: {text}");
            }
        }
    }
}
