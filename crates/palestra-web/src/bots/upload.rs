//! Uploads of versions: files from a form, or a zip.

use axum::body::Bytes;
use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use palestra_arena::{Upload, UploadError};
use palestra_store::{Account, Added, NewVersion};

use super::access::{Access, browsing};
use super::show;
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::check_csrf;
use crate::ratelimit::Key;
use crate::text::clean;
use crate::visitor::Visitor;

/// The largest body of an upload: the sources, and what a form adds to them.
pub(crate) const MAX_BODY_BYTES: usize = (4 << 20) + (256 << 10);

/// The most characters of a note.
pub(crate) const MAX_NOTE: usize = 200;

/// The most files of a form: one more than can be handed in is refused with the reason.
const MAX_PARTS: usize = 300;

/// A form with files.
#[derive(Default)]
struct UploadForm {
    csrf: String,
    note: String,
    files: Vec<(String, Vec<u8>)>,
}

impl UploadForm {
    async fn read(mut form: Multipart) -> Result<Self, Refused> {
        let mut upload = Self::default();
        while let Some(field) = form.next_field().await.map_err(|_| too_large())? {
            let name = field.name().unwrap_or_default().to_owned();
            let file = field.file_name().map(str::to_owned);
            let bytes = field.bytes().await.map_err(|_| too_large())?;
            match (name.as_str(), file) {
                ("csrf", None) => upload.csrf = String::from_utf8_lossy(&bytes).trim().to_owned(),
                ("note", None) => upload.note = String::from_utf8_lossy(&bytes).into_owned(),
                // A browser sends a field without a file as one without a name.
                ("files", Some(file)) if !file.is_empty() && upload.files.len() < MAX_PARTS => {
                    upload.files.push((file, bytes.to_vec()));
                }
                _ => {}
            }
        }
        Ok(upload)
    }
}

fn too_large() -> Refused {
    Refused::bad_with("bots.bad_upload", UploadError::TooLarge.phrase())
}

/// Takes a version from a form.
pub(crate) async fn upload(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refused> {
    let account = browsing(&visitor)?;
    app.origins.check(&headers, &visitor)?;
    app.limits.bot_uploads.check(Key::Account(account.id))?;
    let access = Access::find_own(&app, account, &name).await?;
    let form = UploadForm::read(form.map_err(|_| Refused::Stale)?).await?;
    check_csrf(&visitor, &form.csrf)?;
    let added = match visitor.sends() {
        Ok(()) => add(&app, account, &access, &form.note, form.files).await,
        Err(refused) => Err(refused),
    };
    match added {
        Ok(number) => Ok(Redirect::to(&format!("/bots/{}?version={number}", access.bot.name)).into_response()),
        Err(refused @ Refused::Bad(..)) => show::again(&app, &visitor, access, "files", &refused).await,
        Err(refused) => Err(refused),
    }
}

/// Adds a version with these files, or with those in the zip if that is the only one; its number.
pub(super) async fn add(
    app: &App,
    account: &Account,
    access: &Access,
    note: &str,
    files: Vec<(String, Vec<u8>)>,
) -> Result<i64, Refused> {
    if let Err(why) = &app.config.sandbox {
        return Err(Refused::bad_with("bots.no_sandbox", why.clone()));
    }
    let game = access.bot.game.clone();
    let checked = tokio::task::spawn_blocking(move || read(&game, files)).await;
    let checked = checked.map_err(|error| {
        tracing::error!(%error, "an upload could not be read");
        Refused::Fault
    })?;
    let upload = checked.map_err(|error| Refused::bad_with("bots.bad_upload", error.phrase()))?;
    if upload.language() != access.bot.language {
        return Err(Refused::bad_with("bots.other_language", super::language_name(&access.bot.language).to_owned()));
    }
    let note = clean(note.trim(), MAX_NOTE);
    let new = NewVersion { bot: access.bot.id, account: account.id, note: &note, files: upload.files() };
    let quotas = &app.config.quotas;
    let added = app.store.add_version(&new, quotas, now_ms()).await?;
    match added {
        Added::Version { number, .. } => {
            app.jobs.wake();
            Ok(number)
        }
        Added::TooMany => Err(Refused::bad_with("bots.full.versions", quotas.versions.to_string())),
        Added::TooLarge => Err(Refused::bad_with("bots.full.bytes", (quotas.bytes >> 20).to_string())),
        Added::TooBusy => Err(Refused::bad_with("bots.full.builds", quotas.builds.to_string())),
    }
}

fn read(game: &str, mut files: Vec<(String, Vec<u8>)>) -> Result<Upload, UploadError> {
    let is_zip = |(name, bytes): &(String, Vec<u8>)| {
        name.to_ascii_lowercase().ends_with(".zip") || bytes.starts_with(b"PK\x03\x04")
    };
    match files.as_slice() {
        [one] if is_zip(one) => Upload::of_zip(game, &files.remove(0).1),
        _ => Upload::of_files(game, files),
    }
}

/// A zip as the only file of an upload.
pub(super) fn zipped(body: &Bytes) -> Vec<(String, Vec<u8>)> {
    vec![("sources.zip".to_owned(), body.to_vec())]
}
