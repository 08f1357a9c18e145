//! Every component in every state on one page, for developers and for pictures of it. No page links to it.

use askama::Template;
use axum::response::Response;
use palestra_store::PlayerKind;

use crate::http::error::Refused;
use crate::page::{Frame, page};
use crate::player_name::PlayerName;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "design.html")]
struct DesignPage {
    frame: Frame,
    players: [PlayerName; 3],
}

/// The page.
pub(crate) async fn design(visitor: Visitor) -> Result<Response, Refused> {
    let frame = Frame::new(&visitor);
    let player = |kind, name: &str| PlayerName::new(kind, name.to_owned(), frame.locale);
    let players = [
        player(PlayerKind::Account, "account"),
        player(PlayerKind::Program, "program"),
        player(PlayerKind::BuiltIn, "ninja3"),
    ];
    page(&DesignPage { frame, players })
}
