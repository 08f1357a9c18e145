//! Markings: the games and searches from which marks are computed. A teacher starts them; all are kept.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_games::Side;
use palestra_search::player::any_player;
use palestra_store::{Assignment, Course, House, Id, Run, RunKind, RunPlayer, TeamEntry, TimeRule};
use palestra_tournament::rubric::Rubric;
use serde::Deserialize;

use super::access::AssignmentAccess;
use super::rubric::{find, game_of, house_bots, rubric_of};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::runs::{self, NewRun, RunPlan, StartRunError, rules_of};
use crate::text::clean_name;
use crate::visitor::Visitor;

/// The longest reason, in characters.
pub(super) const MAX_REASON: usize = 200;

/// Time for a move where the course gives depth or states, in milliseconds.
const FALLBACK_MOVE_MS: i64 = 60_000;

/// The opponents of a rubric, as players of a run; none for one that does not play.
pub(super) struct Examiners<'a> {
    pub(super) players: Vec<Option<RunPlayer>>,
    pub(super) rubric: &'a Rubric,
}

/// The opponents of a rubric. Hidden house bots play only if `with_hidden`.
pub(super) async fn opponents(
    app: &App,
    course: &Course,
    rubric: &Rubric,
    with_hidden: bool,
) -> Result<Vec<Option<RunPlayer>>, Refused> {
    let house = house_bots(app, course).await?;
    let mut players = vec![];
    for name in rubric.opponents() {
        if any_player(&course.game, name, 0).is_ok() {
            players.push(Some(RunPlayer {
                name: name.to_owned(),
                built_in: Some(name.to_owned()),
                ..RunPlayer::default()
            }));
            continue;
        }
        let bot = find(&house, name).ok_or_else(|| Refused::bad_with("assignment.wrong.opponent", name.to_owned()))?;
        let version = match bot.active_version_id {
            Some(id) => app.store.version_by_id(id).await?,
            None => None,
        };
        let version = version.ok_or_else(|| Refused::bad_with("marks.wrong.house", name.to_owned()))?;
        let is_seen = with_hidden || bot.house == House::Playable;
        players.push(is_seen.then(|| RunPlayer {
            name: bot.name.clone(),
            bot_id: Some(bot.id),
            version_id: Some(version.id),
            version: Some(version.number),
            source_hash: Some(version.source_hash),
            compiler: version.compiler,
            flags: version.flags,
            ..RunPlayer::default()
        }));
    }
    Ok(players)
}

/// Starts the games of a rubric for these bots.
pub(super) async fn start(
    app: &App,
    (course, assignment): (&Course, &Assignment),
    (kind, team): (RunKind, Option<Id>),
    bots: Vec<TeamEntry>,
    examiners: &Examiners<'_>,
    (account, reason): (Id, Option<String>),
) -> Result<Run, Refused> {
    let game = game_of(course)?;
    let move_ms = match course.time_rule {
        TimeRule::Cpu(ms) | TimeRule::Wall(ms) => i64::from(ms),
        TimeRule::Depth(_) | TimeRule::States(_) => FALLBACK_MOVE_MS,
    };
    let rules = rules_of(&course.time_rule.to_string(), move_ms, game).ok_or(Refused::Fault)?;
    let mut players: Vec<RunPlayer> = vec![];
    let mut places = vec![];
    for player in &examiners.players {
        places.push(player.as_ref().map(|_| players.len()));
        players.extend(player.clone());
    }
    let (mut games, mut has_bot) = (vec![], false);
    for bot in bots {
        let own = players.len();
        for pairing in examiners.rubric.pairings() {
            let Some(other) = places[pairing.opponent] else { continue };
            games.push(if pairing.side == Side::One { [own, other] } else { [other, own] });
        }
        players.push(player(bot));
        has_bot = true;
    }
    let needs_searches = examiners.rubric.has_search();
    if games.is_empty() && !(needs_searches && has_bot) {
        return Err(Refused::bad("marks.wrong.no_games"));
    }
    let new = NewRun {
        kind,
        league_id: None,
        assignment_id: Some(assignment.id),
        team_id: team,
        due_ms: now_ms(),
        is_counted: kind == RunKind::Marking,
        is_final: false,
        game,
        options: course.options.clone(),
        rules,
        players,
        plan: RunPlan::Games(games),
        needs_searches,
        seed: None,
        reason,
        account_id: Some(account),
    };
    runs::start(app, new).await.map_err(|error| match error {
        StartRunError::Player(name) => Refused::bad_with("marks.wrong.house", name),
        StartRunError::Store(error) => error.into(),
        StartRunError::Plan | StartRunError::Options | StartRunError::Started => Refused::Fault,
    })
}

fn player(entry: TeamEntry) -> RunPlayer {
    RunPlayer {
        name: entry.bot_name.unwrap_or_default(),
        built_in: None,
        bot_id: entry.bot_id,
        version_id: entry.version_id,
        version: entry.version,
        source_hash: entry.source_hash,
        compiler: entry.compiler,
        flags: entry.flags,
        team_id: Some(entry.team_id),
        group_code: Some(entry.group_code),
        is_ranked: true,
    }
}

#[derive(Deserialize)]
pub(crate) struct Reason {
    reason: String,
}

/// Plays the games of the rubric for all teams. After the first time that needs a reason.
pub(crate) async fn compute(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(Reason { reason }): Posted<Reason>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    let account = visitor.signed_in()?.id;
    let reason = clean_name(&reason, MAX_REASON);
    mark(&app, &found.access.course, &found.assignment, (account, &reason)).await?;
    Ok(Redirect::to(&found.path("/marks")).into_response())
}

/// Plays the games of the rubric for all teams. The first marking counts.
pub(crate) async fn mark(
    app: &App,
    course: &Course,
    assignment: &Assignment,
    (account, reason): (Id, &str),
) -> Result<(), Refused> {
    let earlier = app.store.markings(assignment.id).await?;
    if !earlier.is_empty() && reason.is_empty() {
        return Err(Refused::bad("marks.wrong.reason"));
    }
    let rubric = rubric_of(assignment)?;
    let mut bots = app.store.team_entries(course.id, None).await?;
    bots.retain(|entry| entry.version_id.is_some() && entry.source_hash.is_some());
    let examiners = Examiners { players: opponents(app, course, &rubric, true).await?, rubric: &rubric };
    let reason = Some(reason.to_owned()).filter(|reason| !reason.is_empty());
    let run = start(app, (course, assignment), (RunKind::Marking, None), bots, &examiners, (account, reason)).await?;
    if earlier.is_empty() {
        app.store.count_marking(assignment.id, run.id).await?;
    }
    tracing::info!(by = account, assignment = assignment.code, run = run.code, "marks are computed");
    Ok(())
}

#[derive(Deserialize)]
pub(crate) struct Chosen {
    run: String,
}

/// Says which marking counts.
pub(crate) async fn count(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(Chosen { run }): Posted<Chosen>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    let run = app.store.run(&run).await?.ok_or(Refused::NotFound)?;
    if !app.store.count_marking(found.assignment.id, run.id).await? {
        return Err(Refused::NotFound);
    }
    tracing::info!(
        by = visitor.signed_in()?.id,
        assignment = found.assignment.code,
        run = run.code,
        "a marking counts"
    );
    Ok(Redirect::to(&found.path("/marks")).into_response())
}
