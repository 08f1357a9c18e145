//! Searches of players of runs that were compared after the run had begun.

use crate::db::transaction;
use crate::run::{END_RUN, search_subject};
use crate::{Id, Store, StoreFuture};

/// What was found about the search of a player of a run. Texts are those that were read, and what becomes of them.
#[derive(Clone, Copy, Debug)]
pub struct FoundSearch<'a> {
    /// The run.
    pub run_id: Id,
    /// The player, as the plan counts it.
    pub player: i64,
    /// The settings of the run.
    pub settings: [&'a str; 2],
    /// The version and its report, while it is kept.
    pub report: Option<(Id, [&'a str; 2])>,
}

impl Store {
    /// Stores what was found about a search, in the run and with the version, and ends its job; and the run if that was the
    /// last one. `false` if the settings are others than those that were read: then nothing is done.
    pub fn finish_search<'a>(&'a self, found: &'a FoundSearch<'_>, now_ms: i64) -> StoreFuture<'a, bool> {
        // Locks the row: of two jobs that end at the same time, the second one sees that the first is done.
        const SETTINGS: &str = "UPDATE runs SET settings = $1 WHERE id = $2 AND settings = $3";
        const REPORT: &str = "UPDATE bot_versions SET report = $1 WHERE id = $2 AND report = $3 AND report <> ''";
        const JOB: &str = "DELETE FROM jobs WHERE subject = $1";
        Box::pin(async move {
            transaction!(self, transaction => {
                let [old, new] = found.settings;
                let query = sqlx::query(SETTINGS).bind(new).bind(found.run_id).bind(old);
                if query.execute(&mut *transaction).await?.rows_affected() == 0 {
                    return Ok(false);
                }
                if let Some((version, [old, new])) = found.report {
                    sqlx::query(REPORT).bind(new).bind(version).bind(old).execute(&mut *transaction).await?;
                }
                let subject = search_subject(found.run_id, found.player);
                sqlx::query(JOB).bind(subject).execute(&mut *transaction).await?;
                sqlx::query(END_RUN).bind(found.run_id).bind(now_ms).execute(&mut *transaction).await?;
                Ok(true)
            })
        })
    }
}
