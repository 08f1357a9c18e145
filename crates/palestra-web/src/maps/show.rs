//! The page of a map, and its text.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use palestra_games::bandera::{MAX_TITLE, Measure, ReportRow};
use palestra_store::{Account, KeptMap, MapVisibility, Role, derived_code};

use super::report::{Report, in_words, name_of};
use super::{Shown, board_tag, is_owner, parsed};
use crate::app::App;
use crate::board_tag::BoardTag;
use crate::http::error::Refused;
use crate::http::form::Wrong;
use crate::page::{Frame, page, page_again};
use crate::ratelimit::Key;
use crate::rendering::Load;
use crate::text::clean;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "map.html")]
struct MapPage {
    frame: Frame,
    address: String,
    name: String,
    /// The title in the map's file, if it is not the name.
    title: Option<String>,
    /// The map that an account keeps; none if it comes with the game.
    kept: Option<Kept>,
    is_fair: bool,
    verdict: String,
    rows: Vec<ReportRow>,
    board: BoardTag,
    wrong: Wrong,
}

/// Whose map it is, and what the visitor may do with it.
struct Kept {
    /// The nickname of the owner, if the account still exists.
    nickname: Option<String>,
    visibility: MapVisibility,
    is_own: bool,
    may_delete: bool,
    /// Whether the owner may put it into the lists of all.
    may_publish: bool,
    /// What the name field of the form holds.
    typed: String,
    link: String,
}

impl MapPage {
    /// The name of the measure.
    fn measured(&self, row: &ReportRow) -> String {
        name_of(row, self.frame.locale)
    }

    fn is_own(&self) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.is_own)
    }

    fn may_delete(&self) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.may_delete)
    }

    /// A value or a range, in words.
    fn value(&self, measure: &Measure) -> String {
        in_words(measure, self.frame.locale)
    }
}

/// A map, and what is measured of it.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(address): Path<String>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let map = Shown::find(&app, &visitor, &address).await?;
    let frame = Frame::new(&visitor);
    page(&map_page(&app, &visitor, frame, &address, &map).await?)
}

/// The page of a map once more, with what is wrong beside the field that it concerns.
pub(super) async fn again(
    app: &App,
    visitor: &Visitor,
    map: KeptMap,
    (field, typed): (&'static str, &str),
    refused: &Refused,
) -> Result<Response, Refused> {
    let (address, wrong) = (map.address.clone(), Wrong::at(field, refused, visitor.locale));
    let frame = Frame::returned(visitor);
    let mut again = map_page(app, visitor, frame, &address, &Shown::Kept(map)).await?;
    again.wrong = wrong;
    if let Some(kept) = again.kept.as_mut().filter(|_| !typed.is_empty()) {
        typed.clone_into(&mut kept.typed);
    }
    page_again(&again)
}

async fn map_page(app: &App, visitor: &Visitor, frame: Frame, address: &str, map: &Shown) -> Result<MapPage, Refused> {
    let text: Arc<str> = map.text().into();
    let report = report(app, &text).await?;
    let title = clean(parsed(&text)?.title(), MAX_TITLE);
    Ok(MapPage {
        board: board_tag(app, &text, visitor.locale).await?,
        name: map.name().to_owned(),
        title: Some(title).filter(|title| title != map.name()),
        kept: map.kept().map(|kept| kept_of(app, visitor, kept)),
        is_fair: report.verdict == super::report::Verdict::Fair,
        verdict: report.sentence(visitor.locale),
        rows: report.rows.clone(),
        address: address.to_owned(),
        wrong: Wrong::default(),
        frame,
    })
}

fn kept_of(app: &App, visitor: &Visitor, map: &KeptMap) -> Kept {
    let account = visitor.account.as_ref();
    Kept {
        nickname: map.nickname.clone(),
        visibility: map.visibility,
        is_own: account.is_some_and(|account| is_owner(account, map)),
        may_delete: account.is_some_and(|account| may_delete(account, map)),
        may_publish: account.is_some_and(|account| may_publish(account, map)),
        typed: map.name.clone(),
        link: app.origins.link(&format!("/maps/{}", map.address)),
    }
}

/// Owners delete their maps, and admins all that they can see.
pub(super) fn may_delete(account: &Account, map: &KeptMap) -> bool {
    account.role >= Role::Admin || is_owner(account, map)
}

/// Teachers put maps into the lists of all. A map that is there already may stay.
pub(super) fn may_publish(account: &Account, map: &KeptMap) -> bool {
    account.role >= Role::Teacher || map.visibility == MapVisibility::Public
}

async fn report(app: &App, text: &Arc<str>) -> Result<Arc<Report>, Refused> {
    let (key, text) = (derived_code(text), text.clone());
    let measure = move || Ok(Report::of(parsed(&text)?.map()));
    app.map_reports.get_or_render(&app.rendering, Load::Heavy, &key, measure).await
}

/// The text of a map, as a file.
pub(crate) async fn text(
    State(app): State<App>,
    visitor: Visitor,
    Path(address): Path<String>,
) -> Result<Response, Refused> {
    let map = Shown::find(&app, &visitor, &address).await?;
    let disposition = format!("attachment; filename=\"{}.map\"", file_name(map.name()).unwrap_or(address));
    let kind = "text/plain; charset=utf-8".to_owned();
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition)], map.text().to_owned())
        .into_response())
}

/// A name as that of a file; none if no letter of it can stand there.
fn file_name(name: &str) -> Option<String> {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { ' ' };
    let words: String = name.chars().map(plain).collect();
    let file = words.split_whitespace().collect::<Vec<_>>().join("-");
    (!file.is_empty()).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn a_file_is_named_after_its_map() {
        assert_eq!(file_name("My \"Pond\"; 2"), Some("my-pond-2".to_owned()));
        assert_eq!(file_name("池"), None);
    }
}
