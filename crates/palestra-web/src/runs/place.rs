//! Where the run of a game is shown.

use palestra_store::Id;

use crate::app::App;
use crate::http::error::Refused;
use crate::locale::Locale;

/// Where a run is shown.
pub(crate) struct RunPlace {
    /// The address of its page.
    pub(crate) path: String,
    /// The league with the number of the run, or the title of the assignment.
    pub(crate) name: String,
}

impl RunPlace {
    pub(crate) async fn of(app: &App, run: Id, locale: Locale) -> Result<Self, Refused> {
        let run = app.store.run_by_id(run).await?.ok_or(Refused::NotFound)?;
        if let Some(league) = run.league_id {
            let league = app.store.league_by_id(league).await?.ok_or(Refused::NotFound)?;
            let number = locale.with("league.run_number", &[("what", &run.number.to_string())]);
            let path = format!("/leagues/{}/runs/{}", league.code, run.number);
            return Ok(Self { path, name: format!("{}, {}", league.name, number) });
        }
        let assignment = run.assignment_id.ok_or(Refused::NotFound)?;
        let assignment = app.store.assignment_by_id(assignment).await?.ok_or(Refused::NotFound)?;
        Ok(Self { path: format!("/assignments/{}", assignment.code), name: assignment.title })
    }
}
