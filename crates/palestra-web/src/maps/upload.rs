//! Maps from files.

use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use palestra_games::bandera::MapFile;
use palestra_store::{Account, Role};

use super::list::again;
use super::{MAX_NAME, checked_name, keep, titled};
use crate::app::App;
use crate::http::error::Refused;
use crate::http::form::check_csrf;
use crate::ratelimit::Key;
use crate::text::clean_name;
use crate::visitor::Visitor;

/// A form with a file.
#[derive(Default)]
struct Upload {
    csrf: String,
    name: String,
    body: Vec<u8>,
}

impl Upload {
    async fn read(mut form: Multipart) -> Result<Self, Refused> {
        let mut upload = Self::default();
        while let Some(field) = form.next_field().await.map_err(|_| Refused::bad("maps.too_large"))? {
            let name = field.name().unwrap_or_default().to_owned();
            let bytes = field.bytes().await.map_err(|_| Refused::bad("maps.too_large"))?;
            let text = || String::from_utf8_lossy(&bytes).trim().to_owned();
            match name.as_str() {
                "csrf" => upload.csrf = text(),
                "name" => upload.name = text(),
                "map" => upload.body = bytes.to_vec(),
                _ => {}
            }
        }
        Ok(upload)
    }

    /// The map under its name; without one it is called by its title.
    fn file(&self) -> Result<MapFile, Refused> {
        let file = MapFile::from_bytes(&self.body).map_err(|error| Refused::bad_with("maps.bad", error.phrase()))?;
        let title = clean_name(file.title(), MAX_NAME);
        let name = checked_name(if self.name.is_empty() { &title } else { &self.name })?;
        titled(file, &name)
    }
}

/// Keeps a map from a file.
pub(crate) async fn upload(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refused> {
    let account = visitor.at_least(Role::Student)?;
    app.origins.check(&headers, &visitor)?;
    app.limits.uploads.check(Key::visitor(&visitor))?;
    let upload = Upload::read(form.map_err(|_| Refused::Stale)?).await?;
    check_csrf(&visitor, &upload.csrf)?;
    match add(&app, &visitor, account, &upload).await {
        Ok(address) => Ok(Redirect::to(&format!("/maps/{address}")).into_response()),
        Err(refused @ Refused::Bad(key, _)) => {
            let field = if ["maps.name", "maps.taken"].contains(&key) { "name" } else { "map" };
            again(&app, &visitor, (field, upload.name), &refused).await
        }
        Err(refused) => Err(refused),
    }
}

async fn add(app: &App, visitor: &Visitor, account: &Account, upload: &Upload) -> Result<String, Refused> {
    visitor.sends()?;
    keep(app, account, &upload.file()?).await
}
