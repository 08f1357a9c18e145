//! The data export of an account: everything that is stored about a person, as a file.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use palestra_store::{AccountExport, ApiToken, ExportedGame, ExportedMap, ExportedSession};
use serde_json::{Value, json};

use crate::app::App;
use crate::http::error::Refused;
use crate::page::time;
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// The file.
pub(crate) async fn export(State(app): State<App>, visitor: Visitor) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let account = visitor.signed_in()?.id;
    let exported = app.store.export_account(account).await?.ok_or(Refused::SignIn)?;
    let mut written = written(&exported);
    let tables = app.tables.list().into_iter().filter(|summary| summary.accounts.contains(&Some(account)));
    written["tables"] = tables.map(|summary| json!({"code": summary.code, "game": summary.game})).collect();
    let headers = [
        (header::CONTENT_TYPE, "application/json; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"palestra.json\""),
    ];
    Ok((headers, format!("{written:#}")).into_response())
}

fn written(exported: &AccountExport) -> Value {
    let account = &exported.account;
    json!({
        "account": {
            "nickname": account.nickname,
            "name": account.name,
            "email": account.email,
            "role": account.role.word(),
            "created": time(account.created_ms),
        },
        "sessions": exported.sessions.iter().map(session).collect::<Vec<_>>(),
        "api_tokens": exported.api_tokens.iter().map(api_token).collect::<Vec<_>>(),
        "games": exported.games.iter().map(game).collect::<Vec<_>>(),
        "maps": exported.maps.iter().map(map).collect::<Vec<_>>(),
    })
}

fn session(session: &ExportedSession) -> Value {
    json!({"created": time(session.created_ms), "expires": time(session.expires_ms)})
}

fn api_token(token: &ApiToken) -> Value {
    json!({
        "label": token.label,
        "scopes": token.scopes.words().collect::<Vec<_>>(),
        "created": time(token.created_ms),
        "used": token.used_ms.map(time),
    })
}

fn game(game: &ExportedGame) -> Value {
    json!({
        "code": game.code,
        "game": game.game,
        "side": game.side,
        "winner": game.winner,
        "reason": game.reason,
        "started": time(game.started_ms),
        "ended": time(game.ended_ms),
        "record": game.record,
    })
}

fn map(map: &ExportedMap) -> Value {
    json!({
        "address": map.address,
        "name": map.name,
        "visibility": map.visibility.word(),
        "body": map.body,
        "created": time(map.created_ms),
    })
}
