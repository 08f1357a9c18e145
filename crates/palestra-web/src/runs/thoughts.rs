//! What programs thought in a game, for those who may read it.

use palestra_games::Record;
use palestra_store::RunAudience;

use super::watch::concerns_teacher;
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::visitor::Visitor;

/// A record with what the programs thought beside their moves, as far as a visitor who sees the game may read it; none if
/// that is nothing.
pub(crate) async fn with_thoughts(
    app: &App,
    visitor: &Visitor,
    game_code: &str,
    record: &Record,
) -> Result<Option<Record>, Refused> {
    let Some(audience) = app.store.run_audience(game_code).await? else { return Ok(None) };
    let sides = sides(app, visitor, &audience).await?;
    let trace = if sides.contains(&true) { app.store.trace(game_code).await? } else { None };
    let Some(trace) = trace else { return Ok(None) };
    let thoughts: Vec<(usize, String)> = serde_json::from_str(&trace.thoughts).unwrap_or_default();
    let mut record = record.clone();
    for (ply, thought) in thoughts {
        let Some(mv) = record.moves().get(ply).filter(|mv| sides[mv.played.side.index()]) else { continue };
        let note = [mv.note.as_deref().unwrap_or_default(), &thought].join(" ");
        // What stood in a record once can stand there again.
        let _ = record.note_at(ply, note.trim());
    }
    Ok(Some(record))
}

/// Of which sides a visitor may read the thoughts: teachers of both and a team of its own program; in games of leagues
/// everyone of both, once the deadline of the assignment is over for which the league counts.
async fn sides(app: &App, visitor: &Visitor, audience: &RunAudience) -> Result<[bool; 2], Refused> {
    if audience.deadline_ms.is_some_and(|deadline| deadline <= now_ms()) {
        return Ok([true; 2]);
    }
    let Some(account) = &visitor.account else { return Ok([false; 2]) };
    if concerns_teacher(app, account, audience).await? {
        return Ok([true; 2]);
    }
    let mut sides = [false; 2];
    for (side, team) in sides.iter_mut().zip([audience.team_1, audience.team_2]) {
        *side = match team {
            Some(team) => app.store.is_in_team(team, account.id).await?,
            None => false,
        };
    }
    Ok(sides)
}
