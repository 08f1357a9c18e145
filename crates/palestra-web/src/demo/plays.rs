//! What the demonstration plays: bots that are built and entered, a run of a league, and the games of an assignment.

use palestra_store::{
    Added, House, Id, JobState, League, NewAssignment, NewBot, NewEntry, NewMarkEntry, NewVersion, Registered, Run,
    RunPlayer, TeamEntry, VersionState, build_subject,
};
use tokio::time::sleep;

use super::bots::Language;
use super::class::{Class, Student};
use super::{DemoError, DemoNews, LOOK_INTERVAL};
use crate::app::{App, now_ms};
use crate::assignments::play_marking;
use crate::http::error::Refused;
use crate::leagues::{LeagueForm, Wish, start, start_with};
use crate::time_zone::Zone;

/// A bot that is registered and entered.
pub(super) struct DemoBot {
    id: Id,
    name: &'static str,
    owner: Id,
    source: (&'static str, String),
}

/// The built-in players that play in place of bots, in turns.
const BUILT_IN: [&str; 4] = ["alphabeta:2:strong", "alphabeta:2:stores", "greedy", "random"];

/// The bots of a run without which there is no league.
const MIN_BOTS: usize = 2;

/// Why the run is played.
const REASON: &str = "the demonstration";

/// Days that the students of the assignment have left.
const DAYS_LEFT: i64 = 7;

/// The part of the rubric that a teacher enters.
const MEMO: &str = "memo";

/// The points of the memos that the teacher has read, in hundredths; the others wait.
const MEMOS: [i64; 10] = [250, 300, 175, 200, 275, 150, 225, 300, 100, 250];

const DAY_MS: i64 = 24 * 3600 * 1000;

/// Registers a bot for each student, and enters it.
pub(super) async fn register(app: &App, class: &Class) -> Result<Vec<DemoBot>, DemoError> {
    let mut bots = vec![];
    for (number, student) in class.students.iter().enumerate() {
        let &Student { account, team, bot: name } = student;
        let language = Language::ALL[number % Language::ALL.len()];
        let source = language.source(name, number / Language::ALL.len());
        let (game, course) = (class.course.game.as_str(), Some(class.course.id));
        let new = NewBot { name, game, language: language.word(), account, course, house: House::No };
        let Registered::Bot(id) = app.store.register_bot(&new, app.config.quotas.bots, now_ms()).await? else {
            return Err(DemoError::Lost);
        };
        app.store.enter_bot(&NewEntry { team, bot: id, account, reason: None }, now_ms()).await?;
        bots.push(DemoBot { id, name, owner: account, source });
    }
    Ok(bots)
}

/// Uploads the sources of the bots, and waits until they are compiled and tried. The result is whether there can be a league,
/// or why not.
pub(super) async fn build(
    app: &App,
    bots: &[DemoBot],
    on_news: &mut dyn FnMut(DemoNews),
) -> Result<Result<(), String>, DemoError> {
    let mut waiting = vec![];
    for bot in bots {
        let files = [(bot.source.0.to_owned(), bot.source.1.clone().into_bytes())];
        let new = NewVersion { bot: bot.id, account: bot.owner, note: "", files: &files };
        let added = app.store.add_version(&new, &app.config.quotas, now_ms()).await?;
        let Added::Version { id, .. } = added else { return Err(DemoError::Lost) };
        waiting.push((bot, id));
    }
    app.jobs.wake();
    let mut ready = 0;
    while !waiting.is_empty() {
        let mut still = vec![];
        for (bot, version) in waiting {
            match outcome(app, version).await? {
                None => still.push((bot, version)),
                Some(Ok(())) => ready += 1,
                Some(Err(reason)) => on_news(DemoNews::NoBot { bot: bot.name.to_owned(), reason }),
            }
        }
        waiting = still;
        on_news(DemoNews::Built { done: bots.len() - waiting.len(), of: bots.len() });
        sleep(LOOK_INTERVAL).await;
    }
    Ok(if ready >= MIN_BOTS { Ok(()) } else { Err("too few of the bots can play".to_owned()) })
}

/// Whether a version is ready, or why it will never be; nothing while it is being tried.
async fn outcome(app: &App, version: Id) -> Result<Option<Result<(), String>>, DemoError> {
    let state = app.store.version_by_id(version).await?.ok_or(DemoError::Lost)?.state;
    if state.has_ended() {
        let refused = || Err("it was refused: its page says why".to_owned());
        return Ok(Some(if state == VersionState::Ready { Ok(()) } else { refused() }));
    }
    let subject = build_subject(version);
    if let Some((JobState::Failed, _)) = app.store.job_place(&subject).await? {
        let failed = app.store.failed_jobs(u32::MAX).await?.into_iter().find(|job| job.subject == subject);
        return Ok(Some(Err(failed.and_then(|job| job.reason).unwrap_or_default())));
    }
    Ok(None)
}

/// Makes the league and plays a run that counts: between the bots, or between built-in players under their names.
pub(super) async fn play_league(
    app: &App,
    class: &Class,
    with_bots: bool,
    on_news: &mut dyn FnMut(DemoNews),
) -> Result<(League, Run), DemoError> {
    let course = &class.course;
    let new = LeagueForm::usual(course, "League", now_ms())?;
    let code = app.store.create_league(course.id, &new, now_ms()).await?;
    let league = app.store.league(&code).await?.ok_or(DemoError::Lost)?;
    let wish = Wish { is_counted: true, is_final: false, reason: REASON.to_owned(), account_id: Some(class.teacher) };
    let run = if with_bots {
        start(app, &league, course, wish).await?
    } else {
        start_with(app, &league, course, (built_in_players(app, class).await?, wish)).await?
    };
    loop {
        let progress = app.store.run_progress(run.id).await?;
        on_news(DemoNews::Played { done: progress.played, of: progress.played + progress.left });
        // Games that cannot be played are left to the admin's page.
        if progress.left == progress.failed {
            return Ok((league, run));
        }
        sleep(LOOK_INTERVAL).await;
    }
}

/// Built-in players under the names of the bots.
async fn built_in_players(app: &App, class: &Class) -> Result<Vec<RunPlayer>, DemoError> {
    let entries = app.store.team_entries(class.course.id, None).await?;
    let player = |(number, entry): (usize, TeamEntry)| RunPlayer {
        name: entry.bot_name.unwrap_or_default(),
        built_in: Some(BUILT_IN[number % BUILT_IN.len()].to_owned()),
        bot_id: entry.bot_id,
        team_id: Some(entry.team_id),
        group_code: Some(entry.group_code),
        is_ranked: true,
        ..RunPlayer::default()
    };
    Ok(entries.into_iter().enumerate().map(player).collect())
}

/// Makes the assignment, enters what the memos are worth, and starts its games: the address of the marks.
pub(super) async fn assign(app: &App, class: &Class, league: &League) -> Result<String, DemoError> {
    let Class { course, teacher, students, .. } = class;
    let zone = Zone::of(&course.time_zone);
    let last_day = zone.date(now_ms() + DAYS_LEFT * DAY_MS);
    let new = NewAssignment {
        title: "An alpha-beta player".to_owned(),
        due_ms: zone.day_end_ms(&last_day).ok_or(DemoError::Lost)?,
        page_limit: 5,
        rubric: course.game.clone(),
        league_id: Some(league.id),
        counted_run_id: None,
    };
    let code = app.store.create_assignment(course.id, &new, now_ms()).await?;
    let assignment = app.store.assignment(&code).await?.ok_or(DemoError::Lost)?;
    let entry = |(student, points): (&Student, i64)| NewMarkEntry {
        assignment: assignment.id,
        team: student.team,
        part: MEMO.to_owned(),
        hundredths: Some(points),
        reason: String::new(),
        account: *teacher,
    };
    let entries: Vec<NewMarkEntry> = students.iter().zip(MEMOS).map(entry).collect();
    app.store.add_mark_entries(&entries, now_ms()).await?;
    match play_marking(app, course, &assignment, (*teacher, "")).await {
        // Without bots that are ready there are no games.
        Ok(()) | Err(Refused::Bad(..)) => Ok(format!("/assignments/{code}/marks")),
        Err(refused) => Err(refused.into()),
    }
}
