//! The page of a bot: its versions, what was found about one of them, comparisons, results, and the form for the next one.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use palestra_games::GameKind;
use palestra_store::{Bot, BotGame, BotResults, BotVersion, Comparison, House, JobState, VersionState, build_subject};
use serde::Deserialize;

use super::access::{Access, browsing};
use super::compared::Compared;
use super::language_name;
use super::report::{Excerpt, Note, Report, Step, StepKind, StepState, excerpt};
use super::upload::MAX_NOTE;
use crate::app::App;
use crate::http::error::Refused;
use crate::http::form::Wrong;
use crate::page::{Frame, page, page_again};
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// Number of games on the page.
const MAX_GAMES: u32 = 5;

/// Number of comparisons on the page.
const MAX_COMPARISONS: u32 = 5;

#[derive(Template)]
#[template(path = "bot.html")]
struct BotPage {
    frame: Frame,
    access: Access,
    /// The versions, the newest first; none for those who see nothing inside.
    versions: Vec<BotVersion>,
    most_versions: i64,
    /// The version that is looked at.
    shown: Option<ShownVersion>,
    comparisons: Vec<ShownComparison>,
    results: Option<BotResults>,
    games: Vec<BotGame>,
    /// Whether something goes on: the page then fetches itself again.
    is_live: bool,
    no_sandbox: Option<String>,
    /// The address of the server, for the command line.
    server: String,
    wrong: Wrong,
}

/// A version that is looked at.
pub(crate) struct ShownVersion {
    pub(crate) version: BotVersion,
    pub(crate) report: Report,
    /// The place of the compiler's first error in the sources.
    pub(crate) excerpt: Vec<Excerpt>,
    /// How many jobs go before the one that builds it; none if it is not waiting.
    pub(crate) before: Option<i64>,
    /// Whether nothing will go on by itself: its job was set aside, or is gone.
    pub(crate) is_stuck: bool,
    has_sources: bool,
}

struct ShownComparison {
    comparison: Comparison,
    compared: Compared,
}

impl ShownVersion {
    /// What is shown of a version.
    pub(crate) async fn of(app: &App, version: BotVersion) -> Result<Self, Refused> {
        let report = Report::read(&version.report);
        let files = app.store.version_files(version.id).await?;
        let excerpt = report.first_error().map(|error| excerpt(&error, &files)).unwrap_or_default();
        let (mut before, mut is_stuck) = (None, false);
        if !version.state.has_ended() {
            match app.store.job_place(&build_subject(version.id)).await? {
                Some((JobState::Waiting, jobs)) => before = Some(jobs),
                Some((JobState::Failed, _)) | None => is_stuck = true,
                Some(_) => {}
            }
        }
        Ok(Self { version, report, excerpt, before, is_stuck, has_sources: !files.is_empty() })
    }
}

impl BotPage {
    fn bot(&self) -> &Bot {
        &self.access.bot
    }

    fn game_name(&self) -> &str {
        GameKind::find(&self.access.bot.game).map_or(&self.access.bot.game, |kind| kind.about.name)
    }

    fn language(&self) -> &'static str {
        language_name(&self.access.bot.language)
    }

    fn is_active(&self, version: &BotVersion) -> bool {
        self.access.bot.active_version_id == Some(version.id)
    }

    /// The badge of a version: its classes, and the key of its text.
    fn badge(&self, version: &BotVersion) -> (&'static str, &'static str) {
        match version.state {
            VersionState::Ready if self.is_active(version) => (" good", "bots.state.active"),
            VersionState::Ready => ("", "bots.state.ready"),
            VersionState::Refused => (" bad", "bots.state.refused"),
            VersionState::Waiting => (" sun", "bots.state.waiting"),
            VersionState::Compiling => (" sun", "bots.state.compiling"),
            VersionState::Checking => (" sun", "bots.state.checking"),
            VersionState::Playing => (" sun", "bots.state.playing"),
        }
    }

    fn count(&self) -> String {
        let [count, most] = [self.versions.len().to_string(), self.most_versions.to_string()];
        self.frame.locale.with("bots.count", &[("count", &count), ("most", &most)])
    }

    /// The versions with which the one that is looked at can be compared.
    fn rivals(&self) -> Vec<&BotVersion> {
        self.versions.iter().filter(|it| it.state == VersionState::Ready && !self.is_shown(it)).collect()
    }

    /// Whether the version that is looked at can be deleted, as far as the page knows.
    fn can_delete(&self, version: &BotVersion) -> bool {
        let is_newest = self.versions.first().is_some_and(|newest| newest.id == version.id);
        version.state.has_ended() && !is_newest && !self.is_active(version)
    }

    fn is_shown(&self, version: &BotVersion) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.version.id == version.id)
    }

    /// The number that the next version gets.
    fn next_number(&self) -> i64 {
        self.versions.first().map_or(1, |newest| newest.number + 1)
    }

    /// The key of what can be handed in.
    fn files_hint(&self) -> &'static str {
        match (self.access.bot.game.as_str(), self.access.bot.language.as_str()) {
            ("mancala", "cpp") => "bots.files_hint.mancala",
            ("conecta4boom" | "desconecta4boom", "cpp") => "bots.files_hint.boom",
            _ => "bots.files_hint.file",
        }
    }

    /// The key of the word for a step's state, for those who do not see its sign.
    fn step_state(&self, step: &Step) -> &'static str {
        match step.state {
            StepState::Running => "bots.step_state.running",
            StepState::Passed => "bots.step_state.passed",
            StepState::Warned => "bots.step_state.warned",
            StepState::Failed => "bots.step_state.failed",
        }
    }

    /// How long the compiler took, and how large its program is.
    fn built(&self, shown: &ShownVersion) -> Option<String> {
        let step = shown.report.steps.iter().find(|step| step.kind == StepKind::Compile)?;
        let size = shown.report.program_bytes.div_ceil(1024);
        let seconds = format!("{:.1}", step.elapsed_ms as f64 / 1000.0);
        let values = [("seconds", seconds.as_str()), ("size", &size.to_string())];
        (size > 0).then(|| self.frame.locale.with("bots.built", &values))
    }

    fn title(&self, step: &Step) -> String {
        step.title(self.frame.locale)
    }

    /// The badge of a game: its classes, and the key of its text.
    fn result(&self, game: &BotGame) -> (&'static str, &'static str) {
        match game.winner {
            None => ("", "bots.drawn"),
            Some(winner) if winner == game.side => (" good", "bots.won"),
            Some(_) => (" bad", "bots.lost"),
        }
    }

    /// Own points first.
    fn points(&self, game: &BotGame) -> String {
        let (own, other) = if game.side == 1 { (game.points_1, game.points_2) } else { (game.points_2, game.points_1) };
        format!("{own}–{other}")
    }

    /// The percentage of games won as side 1 and as side 2.
    fn percents(&self, results: &BotResults) -> [i64; 2] {
        let percent = |part: i64, all: i64| if all == 0 { 0 } else { (100 * part + all / 2) / all };
        [percent(results.wins_1, results.games_1), percent(results.wins_2(), results.games_2())]
    }

    /// The sentence of something that was found.
    fn note_text(&self, note: &Note) -> String {
        note.text(&self.access.bot.name, self.frame.locale)
    }

    /// How a comparison stands.
    fn stands(&self, shown: &ShownComparison) -> String {
        shown.compared.text(&shown.comparison, self.frame.locale)
    }
}

/// Which version to look at.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Asked {
    version: Option<i64>,
}

/// The page.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let access = Access::find(&app, browsing(&visitor)?, &name).await?;
    let number = asked.map(|Query(asked)| asked.version).unwrap_or_default();
    page(&bot_page(&app, &visitor, access, number).await?)
}

/// The page once more, with what is wrong with a form on it.
pub(super) async fn again(
    app: &App,
    visitor: &Visitor,
    access: Access,
    field: &'static str,
    refused: &Refused,
) -> Result<Response, Refused> {
    let (frame, wrong) = (Frame::new(visitor), Wrong::at(field, refused, visitor.locale));
    page_again(&BotPage { frame, wrong, ..bot_page(app, visitor, access, None).await? })
}

async fn bot_page(app: &App, visitor: &Visitor, access: Access, number: Option<i64>) -> Result<BotPage, Refused> {
    let (mut versions, mut comparisons) = (vec![], vec![]);
    if access.sees_inside() {
        versions = app.store.versions_of(access.bot.id).await?;
        for comparison in app.store.comparisons_of(access.bot.id, MAX_COMPARISONS).await? {
            comparisons.push(ShownComparison { compared: Compared::read(&comparison.report), comparison });
        }
    }
    let shown = match number {
        Some(number) => versions.iter().find(|version| version.number == number).ok_or(Refused::NotFound).map(Some)?,
        None => versions.first(),
    };
    let shown = match shown {
        Some(version) => Some(ShownVersion::of(app, version.clone()).await?),
        None => None,
    };
    let results = if access.sees_results() { app.store.bot_results(access.bot.id).await? } else { None };
    let games = if results.is_some() { app.store.bot_games(access.bot.id, MAX_GAMES).await? } else { vec![] };
    let is_live = comparisons.iter().any(|shown| !shown.comparison.state.has_ended())
        || shown.as_ref().is_some_and(|shown| !shown.version.state.has_ended() && !shown.is_stuck);
    Ok(BotPage {
        frame: Frame::new(visitor),
        access,
        versions,
        most_versions: app.config.quotas.versions,
        shown,
        comparisons,
        results,
        games,
        is_live,
        no_sandbox: app.config.sandbox.as_ref().err().cloned(),
        server: app.origins.link(""),
        wrong: Wrong::default(),
    })
}
