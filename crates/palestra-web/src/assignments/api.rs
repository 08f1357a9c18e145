//! Marks, for programs of teachers, such as `palestra course marks`.

use axum::Json;
use axum::extract::{Path, State};
use palestra_store::Scope;

use super::access::AssignmentAccess;
use super::listed::Marks;
use crate::app::App;
use crate::http::error::Refused;
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// Lists the marks of an assignment, and which games they come from.
///
/// For the teachers of its course, whether the marks are published or not.
#[utoipa::path(
    get, path = "/assignments/{code}/marks", operation_id = "marks",
    params(("code" = String, Path, description = "The code of the assignment.")), security(("token" = ["course"])),
    responses((status = 200, body = Marks))
)]
pub(crate) async fn marks(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Json<Marks>, Refused> {
    visitor.may(Scope::Course)?;
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    app.limits.heavy.check(Key::visitor(&visitor))?;
    Ok(Json(Marks::of(&app, &found.assignment, visitor.locale).await?))
}
