//! Forms, with their CSRF check.

use axum::extract::{FromRequest, FromRequestParts, RawForm, Request};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::http::error::Refused;
use crate::visitor::Visitor;

/// A form that came from one of our own pages: it holds the visitor's CSRF token, and if the browser says where it comes
/// from, that is here.
pub(crate) struct Posted<T>(pub(crate) T);

#[derive(Deserialize)]
struct Csrf {
    csrf: String,
}

impl<T: DeserializeOwned> FromRequest<App> for Posted<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        let (mut parts, body) = request.into_parts();
        let Ok(visitor) = Visitor::from_request_parts(&mut parts, app).await;
        app.origins.check(&parts.headers, &visitor)?;
        let request = Request::from_parts(parts, body);
        let RawForm(form) = RawForm::from_request(request, app).await.map_err(|_| Refused::bad("refused.form"))?;
        let Csrf { csrf } = serde_urlencoded::from_bytes(&form).map_err(|_| Refused::Stale)?;
        check_csrf(&visitor, &csrf)?;
        serde_urlencoded::from_bytes(&form).map(Self).map_err(|_| Refused::bad("refused.form"))
    }
}

/// Whether what was sent comes from a page that was shown to this visitor.
pub(crate) fn check_csrf(visitor: &Visitor, csrf: &str) -> Result<(), Refused> {
    if visitor.has_csrf(csrf) { Ok(()) } else { Err(Refused::Stale) }
}
