//! The sources of a version as a zip, for its owner and the teachers of its course.

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::access::{Access, browsing};
use crate::app::App;
use crate::http::error::Refused;
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// The zip.
pub(crate) async fn download(
    State(app): State<App>,
    visitor: Visitor,
    Path((name, number)): Path<(String, i64)>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let access = Access::find_inside(&app, browsing(&visitor)?, &name).await?;
    let version = access.version(&app, number).await?;
    let files = app.store.version_files(version.id).await?;
    if files.is_empty() {
        return Err(Refused::NotFound);
    }
    let zip = palestra_arena::zip(files.iter().map(|(name, content)| (name.as_str(), content.as_slice())));
    let zip = zip.map_err(|error| {
        tracing::error!(%error, "sources cannot be zipped");
        Refused::Fault
    })?;
    // A bot's name has letters, digits and underscores alone.
    let file = format!("attachment; filename=\"{}-v{number}.zip\"", access.bot.name);
    Ok(([(header::CONTENT_TYPE, "application/zip".to_owned()), (header::CONTENT_DISPOSITION, file)], zip)
        .into_response())
}
