//! The data export of an account: everything that is stored about a person, as a file.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use palestra_store::{
    AccountExport, ApiToken, ExportedBot, ExportedGame, ExportedHandIn, ExportedMap, ExportedMark, ExportedMembership,
    ExportedNotice, ExportedRunGame, ExportedSession, ExportedVersion,
};
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
        "bots": exported.bots.iter().map(bot).collect::<Vec<_>>(),
        "versions": exported.versions.iter().map(version).collect::<Vec<_>>(),
        "courses": exported.memberships.iter().map(membership).collect::<Vec<_>>(),
        "hand_ins": exported.hand_ins.iter().map(hand_in).collect::<Vec<_>>(),
        "marks": exported.marks.iter().map(mark).collect::<Vec<_>>(),
        "games_of_bots": exported.run_games.iter().map(run_game).collect::<Vec<_>>(),
        "notices": exported.notices.iter().map(notice).collect::<Vec<_>>(),
        "teaches": exported.taught,
        "unwanted_mails": exported.unwanted_mails.iter().map(|kind| kind.word()).collect::<Vec<_>>(),
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

fn bot(bot: &ExportedBot) -> Value {
    json!({"name": bot.name, "game": bot.game, "language": bot.language, "created": time(bot.created_ms)})
}

fn version(version: &ExportedVersion) -> Value {
    json!({
        "bot": version.bot,
        "number": version.number,
        "note": version.note,
        "state": version.state,
        "sha256": version.source_hash,
        "sources": format!("/bots/{}/versions/{}/sources", version.bot, version.number),
        "bytes": version.size_bytes,
        "created": time(version.created_ms),
    })
}

fn membership(membership: &ExportedMembership) -> Value {
    json!({
        "course": membership.course,
        "year": membership.year,
        "group": membership.group_code,
        "state": membership.state.word(),
        "name": membership.name,
        "id_number": membership.id_number,
        "since": time(membership.created_ms),
    })
}

fn hand_in(hand_in: &ExportedHandIn) -> Value {
    json!({
        "course": hand_in.course,
        "assignment": hand_in.assignment,
        "archive": format!("/assignments/{}/hand-ins/{}", hand_in.assignment_code, hand_in.id),
        "sha256": hand_in.archive_hash,
        "memo": hand_in.memo_name,
        "pages": hand_in.memo_pages,
        "late": hand_in.is_late,
        "own": hand_in.is_own,
        "created": time(hand_in.created_ms),
    })
}

fn mark(mark: &ExportedMark) -> Value {
    json!({
        "course": mark.course,
        "assignment": mark.assignment,
        "part": mark.part,
        "hundredths": mark.hundredths,
        "reason": mark.reason,
        "created": time(mark.created_ms),
    })
}

fn run_game(game: &ExportedRunGame) -> Value {
    json!({
        "bot": game.bot,
        "version": game.version,
        "kind": game.kind,
        "code": game.code,
        "side": game.side,
        "winner": game.winner,
        "forfeit": game.forfeit,
        "ended": time(game.ended_ms),
    })
}

fn notice(notice: &ExportedNotice) -> Value {
    json!({"course": notice.course, "text": notice.text, "created": time(notice.created_ms)})
}
