//! Handing in: a ZIP with the sources and the memo.

use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use palestra_arena::MAX_HAND_IN_BYTES;
use palestra_store::{MAX_HAND_INS, NewHandIn, Role};

use super::access::AssignmentAccess;
use super::memo::check;
use super::show::again;
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::check_csrf;
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// The largest body of a hand-in: the ZIP and the other fields of the form.
pub(crate) const MAX_HAND_IN_BODY_BYTES: usize = MAX_HAND_IN_BYTES + 16 * 1024;

/// A form with a file.
#[derive(Default)]
struct Upload {
    csrf: String,
    archive: Vec<u8>,
}

impl Upload {
    async fn read(mut form: Multipart) -> Result<Self, Refused> {
        let mut upload = Self::default();
        let large = |_| Refused::bad_with("hand_in.large", (MAX_HAND_IN_BYTES >> 20).to_string());
        while let Some(field) = form.next_field().await.map_err(large)? {
            let name = field.name().unwrap_or_default().to_owned();
            let bytes = field.bytes().await.map_err(large)?;
            match name.as_str() {
                "csrf" => upload.csrf = String::from_utf8_lossy(&bytes).trim().to_owned(),
                "archive" => upload.archive = bytes.to_vec(),
                _ => {}
            }
        }
        Ok(upload)
    }
}

/// Keeps a hand-in of the visitor's team. What is late is kept and marked.
pub(crate) async fn hand_in(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refused> {
    visitor.at_least(Role::Student)?;
    app.origins.check(&headers, &visitor)?;
    let found = AssignmentAccess::find(&app, &visitor, &code).await?;
    if found.team().is_none() {
        return Err(Refused::Forbidden);
    }
    app.limits.uploads.check(Key::visitor(&visitor))?;
    let upload = Upload::read(form.map_err(|_| Refused::Stale)?).await;
    if let Ok(upload) = &upload {
        check_csrf(&visitor, &upload.csrf)?;
    }
    let kept = match upload {
        Ok(upload) => keep(&app, &visitor, &found, &upload.archive).await,
        Err(refused) => Err(refused),
    };
    match kept {
        Ok(()) => Ok(Redirect::to(&found.path("?saved=hand_in")).into_response()),
        Err(refused @ Refused::Bad(..)) => again(&app, &visitor, found, &refused).await,
        Err(refused) => Err(refused),
    }
}

async fn keep(app: &App, visitor: &Visitor, found: &AssignmentAccess, archive: &[u8]) -> Result<(), Refused> {
    visitor.sends()?;
    let (account, team) = (visitor.signed_in()?, found.team().ok_or(Refused::Forbidden)?);
    if archive.is_empty() {
        return Err(Refused::bad("hand_in.no_file"));
    }
    if found.access.course.purged_ms.is_some() {
        return Err(Refused::bad("hand_in.ended"));
    }
    // The moment at which it came, not the one at which its pages have been counted.
    let came_ms = now_ms();
    let checked = check(app, archive, found.assignment.page_limit).await?;
    let new = NewHandIn {
        assignment: found.assignment.id,
        team,
        account: account.id,
        archive,
        memo_name: checked.memo_name.as_deref(),
        memo_pages: checked.memo_pages,
        remarks: &serde_json::to_string(&checked.remarks).map_err(|_| Refused::Fault)?,
    };
    match app.store.add_hand_in(&new, came_ms).await? {
        Some(_) => Ok(()),
        None => Err(Refused::bad_with("hand_in.too_many", MAX_HAND_INS.to_string())),
    }
}
