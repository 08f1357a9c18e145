//! Sources that teachers add: foreign ones to compare with, or code that was given to all.

use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use palestra_arena::UploadError;
use palestra_arena::copies::{MAX_ZIP_BYTES, Sources};
use palestra_store::{MAX_ADDED_SOURCES, NewAddedSources};
use serde::Deserialize;

use super::page::CopiesPage;
use crate::app::{App, now_ms};
use crate::courses::access::Access;
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong, check_csrf};
use crate::ratelimit::Key;
use crate::rendering::Load;
use crate::text::clean_name;
use crate::visitor::Visitor;

/// The largest body of the form: the ZIP and the other fields.
pub(crate) const MAX_BODY_BYTES: usize = MAX_ZIP_BYTES + 16 * 1024;

/// The most characters of a name.
pub(super) const MAX_NAME: usize = 60;

/// The most programs in a ZIP, and the most bytes of their sources.
const MAX_PROGRAMS: usize = 500;
const MAX_SOURCE_BYTES: usize = 16 << 20;

/// The form.
#[derive(Clone, Debug, Default)]
pub(super) struct AddedForm {
    pub(super) name: String,
    pub(super) is_given: bool,
    csrf: String,
    archive: Vec<u8>,
}

impl AddedForm {
    async fn read(mut form: Multipart) -> Result<Self, Refused> {
        let mut read = Self::default();
        while let Some(field) = form.next_field().await.map_err(|_| too_large())? {
            let name = field.name().unwrap_or_default().to_owned();
            let bytes = field.bytes().await.map_err(|_| too_large())?;
            let text = || String::from_utf8_lossy(&bytes).trim().to_owned();
            match name.as_str() {
                "csrf" => read.csrf = text(),
                "name" => read.name = clean_name(&text(), MAX_NAME),
                "kind" => read.is_given = text() == "given",
                "archive" => read.archive = bytes.to_vec(),
                _ => {}
            }
        }
        Ok(read)
    }
}

fn too_large() -> Refused {
    Refused::bad_with("copies.wrong.large", (MAX_ZIP_BYTES >> 20).to_string())
}

/// Adds sources.
pub(crate) async fn add(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refused> {
    let access = super::find(&app, &visitor, &code).await?;
    app.origins.check(&headers, &visitor)?;
    app.limits.uploads.check(Key::visitor(&visitor))?;
    let (form, kept) = match AddedForm::read(form.map_err(|_| Refused::Stale)?).await {
        Ok(form) => {
            check_csrf(&visitor, &form.csrf)?;
            let kept = keep(&app, &visitor, &access, &form).await;
            (form, kept)
        }
        Err(refused) => (AddedForm::default(), Err(("archive", refused))),
    };
    match kept {
        Ok(()) => Ok(Redirect::to(&access.path("/copies")).into_response()),
        Err((field, refused @ Refused::Bad(..))) => {
            let wrong = Wrong::at(field, &refused, visitor.locale);
            CopiesPage::again(&app, &visitor, access, form, wrong).await
        }
        Err((_, refused)) => Err(refused),
    }
}

/// Keeps sources that can be read. A refusal names the field that is wrong.
async fn keep(app: &App, visitor: &Visitor, access: &Access, form: &AddedForm) -> Result<(), (&'static str, Refused)> {
    let whole = |refused| ("", refused);
    visitor.sends().map_err(whole)?;
    if form.name.is_empty() {
        return Err(("name", Refused::bad("copies.wrong.name")));
    }
    if access.course.purged_ms.is_some() {
        return Err(whole(Refused::bad("hand_in.ended")));
    }
    let archive = form.archive.clone();
    let check = move || checked(&archive);
    app.rendering.run(Load::Heavy, check).await.map_err(whole)?.map_err(|refused| ("archive", refused))?;
    let new = NewAddedSources { name: &form.name, archive: &form.archive, is_given: form.is_given };
    let is_added =
        app.store.add_sources(access.course.id, &new, now_ms()).await.map_err(|error| whole(error.into()))?;
    if is_added { Ok(()) } else { Err(whole(Refused::bad_with("copies.wrong.full", MAX_ADDED_SOURCES.to_string()))) }
}

/// Looks into a ZIP.
fn checked(archive: &[u8]) -> Result<(), Refused> {
    if archive.is_empty() {
        return Err(Refused::bad("hand_in.no_file"));
    }
    let programs = Sources::of_zip(archive).map_err(|error| match error {
        UploadError::TooLarge | UploadError::TooMany => too_large(),
        other => Refused::bad_with("bots.bad_upload", other.phrase()),
    })?;
    let bytes: usize = programs.iter().flat_map(|program| &program.files).map(|(_, text)| text.len()).sum();
    match programs.len() {
        0 => Err(Refused::bad("copies.wrong.no_sources")),
        count if count > MAX_PROGRAMS => Err(Refused::bad_with("copies.wrong.many", MAX_PROGRAMS.to_string())),
        _ if bytes > MAX_SOURCE_BYTES => Err(too_large()),
        _ => Ok(()),
    }
}

#[derive(Deserialize)]
pub(crate) struct Remove {}

/// Removes sources that were added.
pub(crate) async fn remove(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, id)): Path<(String, String)>,
    Posted(Remove {}): Posted<Remove>,
) -> Result<Response, Refused> {
    let access = super::find(&app, &visitor, &code).await?;
    let id = id.parse().map_err(|_| Refused::NotFound)?;
    let is_removed = app.store.remove_added_sources(access.course.id, id).await?;
    if is_removed { Ok(Redirect::to(&access.path("/copies")).into_response()) } else { Err(Refused::NotFound) }
}
