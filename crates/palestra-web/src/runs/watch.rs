//! Who may see a game of a run, and what remains of it for rankings.

use palestra_protocol::ForfeitKind;
use palestra_store::{Account, KeptGame, PlayerKind, RunAudience, RunGame, RunKind, StoreError};
use palestra_tournament::Finished;

use super::LiveGame;
use crate::app::App;
use crate::courses::access::teaches;
use crate::http::error::Refused;
use crate::visitor::Visitor;

/// Whether a visitor may watch a game of a run while it is played: if they may see it afterwards.
pub(crate) async fn may_watch(app: &App, visitor: &Visitor, game: &LiveGame) -> Result<(), Refused> {
    let audience = app.store.live_audience(game.run, game.players).await?.ok_or(Refused::NotFound)?;
    if may_see(app, visitor, &audience).await? { Ok(()) } else { Err(Refused::NotFound) }
}

/// The game with this code, if the visitor may see it.
pub(crate) async fn game_for(app: &App, visitor: &Visitor, game_code: &str) -> Result<KeptGame, Refused> {
    let mut game = app.store.game(game_code).await?.ok_or(Refused::NotFound)?;
    // Those in lists belong to no run.
    let audience = if game.is_public { None } else { app.store.run_audience(game_code).await? };
    if let Some(audience) = audience {
        if !may_see(app, visitor, &audience).await? {
            return Err(Refused::NotFound);
        }
        // Of a bot that was withdrawn only a number is shown.
        for (player, name) in game.players.iter_mut().zip([audience.name_1, audience.name_2]) {
            if player.kind == PlayerKind::Program {
                player.name = name.unwrap_or_else(|| player.name.clone());
            }
        }
    }
    Ok(game)
}

/// Whether a visitor may see a game of a run: one of a league the members of its course, and all if the league is published,
/// unless its standings are hidden; one from which a mark is computed the teachers and the team whose mark it is; one of a
/// trial the team alone. For all others there is no such game.
async fn may_see(app: &App, visitor: &Visitor, audience: &RunAudience) -> Result<bool, Refused> {
    if audience.kind == RunKind::League && audience.is_published && !audience.is_hidden {
        return Ok(true);
    }
    let Some(account) = &visitor.account else { return Ok(false) };
    if concerns_teacher(app, account, audience).await? {
        return Ok(true);
    }
    if audience.kind == RunKind::League {
        let Some(course) = audience.course_id else { return Ok(false) };
        return Ok(!audience.is_hidden && app.store.is_course_member(course, account.id).await?);
    }
    for team in [audience.team_1, audience.team_2].into_iter().flatten() {
        if app.store.is_in_team(team, account.id).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether an account teaches the course of a game. Trials are private to their team.
pub(super) async fn concerns_teacher(app: &App, account: &Account, audience: &RunAudience) -> Result<bool, StoreError> {
    match audience.course_id {
        Some(course) if audience.kind != RunKind::Trial => teaches(app, account, course).await,
        _ => Ok(false),
    }
}

/// The games of a run that count, as rankings take them.
pub(crate) fn finished(games: &[RunGame]) -> Vec<Finished> {
    games.iter().filter(|game| game.voided_ms.is_none()).filter_map(one).collect()
}

fn one(game: &RunGame) -> Option<Finished> {
    Some(Finished {
        number: u32::try_from(game.number).ok()?,
        players: [usize::try_from(game.player_1).ok()?, usize::try_from(game.player_2).ok()?],
        points: [i32::try_from(game.points_1).ok()?, i32::try_from(game.points_2).ok()?],
        winner: game.winner.and_then(|side| usize::try_from(side - 1).ok()),
        charged_us: [u64::try_from(game.charged_1_us).ok()?, u64::try_from(game.charged_2_us).ok()?],
        forfeit: game.forfeit.as_ref().and_then(|word| word.parse::<ForfeitKind>().ok()),
        plies: u32::try_from(game.plies).ok()?,
    })
}
