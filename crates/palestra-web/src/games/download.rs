//! Records to download.

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use palestra_store::{GameFilter, KeptGame};

use super::list::Asked;
use super::record;
use super::replay::load;
use crate::app::App;
use crate::http::error::Refused;
use crate::ratelimit::Key;
use crate::rendering::Load;
use crate::runs::game_for;
use crate::text::clean;
use crate::visitor::Visitor;

/// The record of a game, with the names of today.
pub(crate) async fn download(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let game = game_for(&app, &visitor, &code).await?;
    // The code stands in the store, and so has nothing in it that a header cannot hold.
    let file = format!("{}-{code}.txt", game.game);
    let record = app.rendering.run(load(&game), move || named(&game)).await??;
    Ok(attachment(&file, Body::from(record)))
}

/// Maximum number of records in a download.
const MAX_RECORDS: usize = 1000;

/// Number of records that are read from the store at once.
const BATCH_RECORDS: usize = 50;

/// The records of all games of a list, up to a limit.
pub(crate) async fn download_all(
    State(app): State<App>,
    visitor: Visitor,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let Query(asked) = asked.map_err(|_| Refused::bad("refused.form"))?;
    let filter = asked.filter()?;
    let records = stream::try_unfold(Some((app, filter, 0)), |rest| async {
        let Some((app, filter, sent)) = rest else { return Ok(None) };
        next(app, filter, sent).await.map_err(|refused| std::io::Error::other(refused.word()))
    });
    Ok(attachment("palestra-games.txt", Body::from_stream(records)))
}

/// The progress of a download: the filter of the rest, and the number of records sent.
type Rest = Option<(App, GameFilter, usize)>;

async fn next(app: App, mut filter: GameFilter, sent: usize) -> Result<Option<(String, Rest)>, Refused> {
    let games = app.store.games(&filter, BATCH_RECORDS as u32).await?;
    let Some(last) = games.last() else { return Ok(None) };
    filter.before = Some(last.code.clone());
    let (is_last, sent) = (games.len() < BATCH_RECORDS, sent + games.len());
    // Each is played through once more, which takes its time.
    let records =
        app.rendering.run(Load::Heavy, move || games.iter().map(named).collect::<Result<Vec<_>, _>>()).await??;
    let rest = (!is_last && sent < MAX_RECORDS).then_some((app, filter, sent));
    // An empty line between two, and after the last of a part.
    Ok(Some((records.join("\n") + if rest.is_some() { "\n" } else { "" }, rest)))
}

/// Maximum length of a player's name in a file name.
const MAX_NAME_LENGTH: usize = 60;

/// The record of a game with the names of its players as they are today.
pub(crate) fn named(game: &KeptGame) -> Result<String, Refused> {
    let mut record = record(game)?;
    for (tag, player) in ["Player1", "Player2"].into_iter().zip(&game.players) {
        let name = clean(&player.name.replace(['{', '}'], ""), MAX_NAME_LENGTH);
        // A name of which nothing is left stands in no record.
        let _ = record.set_tag(tag, &name);
    }
    Ok(record.to_string())
}

fn attachment(name: &str, body: Body) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let kind = "text/plain; charset=utf-8".to_owned();
    ([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition)], body).into_response()
}
